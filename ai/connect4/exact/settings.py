"""What the exact agent and the making of its opening book are told. Needs no numba."""

from dataclasses import dataclass

from ai.entries import COUNT, Figure
from ai.settings import move_seconds, setting

FIGURES = {
    "games": COUNT,
    "in_book": Figure("In the book", words="{:,.0f} in the book"),
    "stones": Figure(words="at {:.0f} stones"),
    "waiting": Figure(words="{:,.0f} waiting"),
}


@dataclass(eq=False)
class PerfectSettings:
    """Of `perfect`; the time is for a move, where the request sets no limit."""

    time: float = move_seconds()
    book: bool = setting(True, "Book", "Look openings up in the book.", advanced=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train connect4 book`."""

    rows: int = setting(6, "Rows", "Height of the board.", 1, 8)
    columns: int = setting(7, "Columns", "Width of the board.", 1, 8)
    nodes: int = setting(2_500_000, "Nodes", "Solved with so few it needs no book.", 1000, 1_000_000_000)
    plies: int = setting(8, "Plies", "In the end all positions with so many stones.", 0, 12)
    table: int = setting(24, "Table", "The table has 2 to the power of this words of 8 bytes.", 20, 30)
    seconds: float = setting(0.0, "Seconds", "Time to solve for, 0 for no limit.", 0.0, 10_000_000.0)
