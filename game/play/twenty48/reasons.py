"""Why one slide rather than another, in words: plain facts about the two boards right after them, before a tile appears.

Every fact is true of the two boards and needs no agent; which slides are compared is the agent's answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.twenty48 import Slide, State

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
IN_ORDER = 3
"""Tiles that a row has at least where its order is worth a word."""
MOST = 3
"""Facts that are told at most, the weightiest first."""
ALIKE = "Both boards look much alike: what counts comes later."
ONLY = "Nothing else moves."


@dataclass(frozen=True, slots=True)
class Reasons:
    """What speaks for a slide."""

    state: State
    """Before it."""
    action: int
    other: int | None
    """What it is compared with; None where nothing else moves."""
    facts: tuple[str, ...]
    """Short sentences, at least one."""
    lead: float | None
    """By how much the agent values it above the other, in the units of its values; None where it says nothing of them."""


def reasons(state: State, action: int, values: Mapping[int, float]) -> Reasons | None:
    """Why an agent plays `action`; None where that moves nothing.

    Args:
        state: the position.
        action: what the agent plays.
        values: what it thinks of every slide after all its search; where it says nothing of the others, the one that leaves
            most cells empty stands for them.
    """
    chosen = twenty48.slide(state, action)
    if chosen is None:
        return None
    others = {
        each: slide for each in range(4) if each != action and (slide := twenty48.slide(state, each)) is not None
    }
    if not others:
        return Reasons(state, action, None, (ONLY,), None)
    known = {each: values[each] for each in others if isfinite(values.get(each, float("nan")))}
    if known:
        other = max(known, key=lambda each: (known[each], -each))
    else:
        other = max(others, key=lambda each: (others[each].cells.count(0), -each))
    own = values.get(action, float("nan"))
    lead = own - known[other] if known and isfinite(own) else None
    found = facts(state, chosen, others[other], Direction(other).label)
    return Reasons(state, action, other, found[:MOST] or (ALIKE,), lead)


def facts(state: State, chosen: Slide, against: Slide, other: str) -> tuple[str, ...]:
    """What the board after one slide has that the board after another has not, the weightiest first.

    Args:
        state: before either.
        chosen: the slide that the facts are to speak for.
        against: the slide that it is compared with.
        other: what that is called.
    """
    found = [
        _corner(state, chosen.cells, against.cells, other), _made(chosen, against), _room(chosen.cells, against.cells),
        _next(state.size, chosen.cells, against.cells), _order(state.size, chosen.cells, against.cells),
        _pairs(state.size, chosen.cells, against.cells, other),
    ]  # fmt: skip
    return tuple(fact for fact in found if fact)


def corners(size: int) -> tuple[int, ...]:
    """The four corner cells."""
    return (0, size - 1, size * (size - 1), size * size - 1)


def pairs(size: int, cells: Sequence[int]) -> list[int]:
    """The exponent of every pair of equal tiles side by side, which no new tile can come between."""
    beside = [(cell, cell + 1) for cell in range(size * size) if cell % size < size - 1]
    below = [(cell, cell + size) for cell in range(size * (size - 1))]
    return [cells[one] for one, two in (*beside, *below) if cells[one] and cells[one] == cells[two]]


def ordered_edge(size: int, cells: Sequence[int]) -> tuple[int, ...]:
    """The tiles of an edge that fall from the largest of the board at its end, that first; none where there is no such edge."""
    edges = (range(size), range(size * (size - 1), size * size), range(0, size * size, size),
             range(size - 1, size * size, size))  # fmt: skip
    for edge in edges:
        line = [cells[cell] for cell in edge]
        for way in (line, line[::-1]):
            falls = all(one >= two for one, two in pairwise(way))
            if falls and way[0] == max(cells) and len(way) - way.count(0) >= IN_ORDER:
                return tuple(exponent for exponent in way if exponent)
    return ()


def number(count: int) -> str:
    """'six'; digits from thirteen on."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _tile(exponent: int) -> str:
    return str(1 << exponent)


def _a_tile(exponent: int) -> str:
    """'a 16', 'an 8'."""
    return f"{'an' if _tile(exponent).startswith('8') else 'a'} {_tile(exponent)}"


def _corner(state: State, chosen: Sequence[int], against: Sequence[int], other: str) -> str:
    at = corners(state.size)
    largest = max(chosen)
    if not any(chosen[cell] == largest for cell in at):
        return ""
    if any(against[cell] >= min(largest, max(against)) for cell in at):
        return ""
    stays = any(state.cells[cell] == largest == chosen[cell] for cell in at)
    if stays:
        return f"Keeps the {_tile(largest)} in its corner; {other} takes it out"
    return f"Brings the {_tile(largest)} into a corner"


def _made(chosen: Slide, against: Slide) -> str:
    """The largest tile that is made, where the other slide makes none as large."""
    made, less = (
        max((move.exponent + 1 for move in slide.moves if move.merged), default=0) for slide in (chosen, against)
    )
    if made <= less:
        return ""
    return f"Makes {_a_tile(made)} at once" + (f" instead of {_a_tile(less)}" if less else "")


def _room(chosen: Sequence[int], against: Sequence[int]) -> str:
    room, less = chosen.count(0), against.count(0)
    if room <= less:
        return ""
    return f"Leaves {number(room)} {'cell' if room == 1 else 'cells'} empty instead of {number(less)}"


def _next(size: int, chosen: Sequence[int], against: Sequence[int]) -> str:
    ready, less = (max(pairs(size, cells), default=0) for cells in (chosen, against))
    return f"Can merge two {_tile(ready)} next" if ready > less else ""


def _order(size: int, chosen: Sequence[int], against: Sequence[int]) -> str:
    line = ordered_edge(size, chosen)
    if not line or ordered_edge(size, against):
        return ""
    return f"Has its largest in a row: {', '.join(_tile(exponent) for exponent in line)}"


def _pairs(size: int, chosen: Sequence[int], against: Sequence[int], other: str) -> str:
    ready = len(pairs(size, chosen))
    if not ready or pairs(size, against):
        return ""
    return f"Has {number(ready)} {'pair' if ready == 1 else 'pairs'} to merge; {other} leaves none"
