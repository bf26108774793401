"""What expectimax and Monte-Carlo tree search can be told. Needs no numba."""

from dataclasses import dataclass

from ai.settings import move_seconds, setting


@dataclass(eq=False)
class ExpectimaxSettings:
    """Of `expectimax`."""

    depth: int = setting(4, "Depth", "Own moves looked ahead at most.", 1, 5)


@dataclass(eq=False)
class MctsSettings:
    """Of `mcts`."""

    simulations: int = setting(2_000, "Simulations", "For one move at most.", 10, 10_000_000)
    time: float = move_seconds()
    rollout: int = setting(5, "Rollout", "Moves played on from a leaf at most.", 0, 1_000, advanced=True)
    policy: str = setting(
        "evaluation",
        "Rollouts by",
        "How rollouts choose their moves.",
        choices=("evaluation", "greedy", "random"),
        advanced=True,
    )
    value: str = setting(
        "evaluation",
        "Worth",
        "What counts after a rollout: the board, or points made.",
        choices=("evaluation", "score"),
        advanced=True,
    )
    exploration: float = setting(2.0, "Exploration", "How much moves seldom tried count.", 0.0, 100.0, advanced=True)
