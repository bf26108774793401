"""How a game stands: the one answer that all three rules give."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `outcome(state)` is None while it goes on.

    `kind` is 'won' (Sokoban solved; connect-4 won by seat `winner`), 'over' (2048 without a legal move) or 'draw'.
    """

    kind: Literal["won", "over", "draw"]
    winner: int | None = None
    """Seat from 0, in connect-4 only."""
