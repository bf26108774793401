"""What alpha-beta and its relatives can be told, and the players that look no further than a stone. Needs no numba."""

from dataclasses import dataclass

from ai.settings import move_seconds, setting


def heuristic() -> str:
    """The field `heuristic`."""
    text = "What positions are judged by: lines (ours), or one of the report's."
    return setting("lines", "Heuristic", text, choices=("lines", "complex", "ibef2", "only-best-opponent"))


def random_moves() -> float:
    """The field `random_moves`."""
    return setting(0.0, "Random moves", "Probability of a move at random.", 0.0, 1.0, advanced=True)


@dataclass(eq=False)
class SearchSettings:
    """The time is for a move, where the request sets no limit."""

    time: float = move_seconds()
    depth: int = setting(64, "Depth", "Plies at most.", 1, 64)
    heuristic: str = heuristic()
    random_moves: float = random_moves()


@dataclass(eq=False)
class StoneSettings:
    """Of players with a judgement of their own."""

    random_moves: float = random_moves()


@dataclass(eq=False)
class GreedySettings:
    """Of `greedy`."""

    heuristic: str = heuristic()
    random_moves: float = random_moves()
