"""How a search looks at a level: in which steps, with which lower bound, what it leaves out."""

from typing import NamedTuple

from ai.sokoban.board.layout import Layout
from ai.sokoban.board.successors import REGIONS, SINGLE
from game.rules import sokoban


class Options(NamedTuple):
    """How a search looks at a level."""

    mode: int
    """REGIONS, WALKS or SINGLE of `ai.sokoban.board.successors`."""
    pushes: bool
    pulls: bool
    free_walks: bool
    """Single moves: whether those that move no box cost nothing."""
    matching: bool
    """Whether the lower bound is a matching; else it is the sum of the boxes' estimates."""
    dead: bool
    """Whether positions are left out in which a box alone can never reach a target."""
    freeze: bool
    """Whether positions are left out in which a box off target is frozen."""
    corrals: bool
    """PI-corral pruning, where it keeps the answer right: with REGIONS and push only."""


def options(board: Layout, mode: int, optimal: str, heuristic: str | None, pruning: str) -> Options:
    """For one position: two players move in single moves, and what is not sound under its rules is left out."""
    rules = board.rules
    if rules.players == 2:
        mode = SINGLE
    return Options(
        mode=mode,
        pushes=rules.push,
        pulls=rules.pull,
        free_walks=optimal == "pushes",
        matching=heuristic == "matching",
        dead=pruning != "none",
        freeze=pruning != "none" and not rules.pull,
        corrals=pruning == "corrals" and mode == REGIONS and rules == sokoban.PUSH_ONLY,
    )
