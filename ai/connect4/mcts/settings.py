"""What Monte-Carlo tree search can be told. Needs no numba."""

from dataclasses import dataclass
from pathlib import Path

from ai.settings import move_seconds, setting


@dataclass(eq=False)
class MctsSettings:
    """The time holds where neither the request nor `simulations` sets a limit; a network judges instead of playouts."""

    time: float = move_seconds()
    simulations: int = setting(0, "Simulations", "Instead of the time; 0 for by time.", 0, 100_000_000)
    exploration: float = setting(1.0, "Exploration", "How much moves seldom tried count.", 0.0, 10.0, advanced=True)
    solver: bool = setting(True, "Solver", "Prove results; off with random playouts: plain UCT.", advanced=True)
    playout: str = setting(
        "forced",
        "Playouts",
        "Take wins and block threats, or play at random.",
        choices=("forced", "random"),
        advanced=True,
    )
    model: Path | None = None
