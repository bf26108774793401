"""What a first game of 2048 shows: that keys slide all tiles, that two equal ones merge, and to keep the largest in a corner."""

from dataclasses import replace
from functools import lru_cache

from game.play.lesson import Idea
from game.rules import twenty48
from game.rules.twenty48 import State

WORTH_A_CORNER = 3
"""Exponent of the largest tile from which on a corner is shown: 8."""


def merges(state: State, action: int) -> bool:
    """Whether a slide merges tiles."""
    slide = twenty48.slide(state, action)
    return slide is not None and any(move.merged for move in slide.moves)


def merging(state: State) -> tuple[int, ...]:
    """The actions that merge tiles."""
    return tuple(action for action in twenty48.legal_actions(state) if merges(state, action))


def corners(size: int) -> tuple[int, int, int, int]:
    """The cells in the corners of a board."""
    return 0, size - 1, size * (size - 1), size * size - 1


def cornered(cells: tuple[int, ...], size: int) -> int | None:
    """The corner that has the largest tile; None where none has."""
    largest = max(cells)
    return next((cell for cell in corners(size) if cells[cell] == largest), None)


@lru_cache(maxsize=64)  # the board is drawn many times for each slide
def to_corner(state: State, slides: int = 3) -> tuple[int, int] | None:
    """(action, corner): the first of at most so many slides that bring the largest tile into a corner; None where none do."""
    actions = twenty48.legal_actions(state)
    afters = [(action, slide.cells) for action in actions if (slide := twenty48.slide(state, action)) is not None]
    for action, cells in afters:
        corner = cornered(cells, state.size)
        if corner is not None:
            return action, corner
    if slides > 1:
        for action, cells in afters:
            found = to_corner(replace(state, cells=cells), slides - 1)
            if found is not None:
                return action, found[1]
    return None


def _merged(before: State, action: int, _after: State) -> bool:
    return merges(before, action)


def _can_merge(state: State) -> bool:
    return bool(merging(state))


def _keeps_corner(_before: State, _action: int, after: State) -> bool:
    return cornered(after.cells, after.size) is not None


def _wants_corner(state: State) -> bool:
    return max(state.cells) >= WORTH_A_CORNER and to_corner(state) is not None


IDEAS = (
    Idea("slide"),
    Idea("merge", _merged, _can_merge),
    Idea("corner", _keeps_corner, _wants_corner),
)
