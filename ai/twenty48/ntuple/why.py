"""Why an n-tuple network prefers a slide: what every group of cells adds to the value of the board right after it.

A value is a sum over tuples and symmetries, so it can be taken apart: each tuple in each position of the square looks at
a group of cells and adds one weight. The difference to the second best slide tells which groups speak for the first.
Plain numpy, one position at a time; no kernels. What deeper searching finds has no such parts: this is the network's
opinion at one ply.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ai.twenty48.ntuple.model import NTupleModel
from ai.twenty48.ntuple.shapes import CONTENTS, Tuples, table_sizes
from game.rules import twenty48
from game.rules.twenty48 import State


@dataclass(frozen=True, slots=True)
class Part:
    """A group of cells, and what it adds."""

    cells: tuple[int, ...]
    """Ascending. All tuples and symmetries that look at just these cells are taken together."""
    points: float
    """For the chosen slide, less what it adds for the other one."""


@dataclass(frozen=True, slots=True)
class Why:
    """One slide beside the second best; points are those of the game's score."""

    action: int
    other: int | None
    """The best of the other slides by the network's own values; None where nothing else moves."""
    reward: int
    """Points of the slide, less those of the other."""
    value: float
    """What is expected after the slide, less what is expected after the other: the sum of all parts."""
    parts: tuple[Part, ...]
    """Every group of cells, the most in favour of `action` first."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """How a network values an afterstate: for each look at the board one weight."""

    tuples: Tuples
    size: int
    """Of the board's side."""
    weights: npt.NDArray[np.generic]
    """The tables of all tuples in turn, from `begin` on; a place has `CONTENTS` digits."""
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""
    begin: int = 0
    largest: int = CONTENTS[4] - 1
    """The largest exponent that is told apart; larger tiles are looked up as this one."""
    first: float = 0.0
    """What a weight is worth where 0 is stored."""
    symmetric: bool = True
    """Whether a tuple looks at all eight positions of the square."""

    def parts(self, cells: Sequence[int]) -> dict[tuple[int, ...], float]:
        """What each group of cells adds to the value of an afterstate."""
        found: dict[tuple[int, ...], float] = {}
        contents = CONTENTS[self.size]
        most = min(self.largest, contents - 1)
        for look in _looks(self.tuples, self.size, self.symmetric):
            place = sum(min(cells[cell], most) * contents**at for at, cell in enumerate(look.cells))
            stored = float(self.weights[self.begin + look.begin + place])
            points = self.first + stored * float(self.steps[look.number])
            found[look.group] = found.get(look.group, 0.0) + points
        return found


def explain(model: NTupleModel, state: State, action: int) -> Why | None:
    """Why `action`, rather than the best of the others; None when it moves nothing."""
    stage = sum(1 for begin in model.stages if _tile_sum(state.cells) >= begin)
    begin = stage * sum(table_sizes(model.tuples, model.size))
    return compare(Weighing(model.tuples, model.size, model.weights, model.steps, begin), state, action)


def compare(network: Weighing, state: State, action: int) -> Why | None:
    """Why a network prefers `action` to the best of the others; None when it moves nothing."""
    slides = {each: twenty48.slide(state, each) for each in range(4)}
    chosen = slides[action]
    if chosen is None:
        return None
    parts = network.parts(chosen.cells)
    best: tuple[float, int] | None = None
    for each, slide in slides.items():
        if slide is not None and each != action:
            worth = slide.reward + sum(network.parts(slide.cells).values())
            if best is None or worth > best[0]:
                best = worth, each
    reward, other = chosen.reward, None
    if best is not None:
        other = best[1]
        against = slides[other]
        assert against is not None
        reward -= against.reward
        for cells, points in network.parts(against.cells).items():
            parts[cells] -= points
    found = sorted((Part(cells, points) for cells, points in parts.items()), key=lambda part: -part.points)
    return Why(action, other, reward, sum(part.points for part in found), tuple(found))


def symmetries(size: int) -> list[list[int]]:
    """The eight positions of the square: the cell that each cell of the board goes to."""
    rows_and_columns = [divmod(cell, size) for cell in range(size * size)]
    found = []
    for turned in (False, True):
        for mirrored in (False, True):
            for flipped in (False, True):
                cells = []
                for row, col in rows_and_columns:
                    if mirrored:
                        col = size - 1 - col
                    if flipped:
                        row = size - 1 - row
                    cells.append(col * size + row if turned else row * size + col)
                found.append(cells)
    return found


@dataclass(frozen=True, slots=True)
class _Look:
    """One tuple in one position of the square."""

    group: tuple[int, ...]
    """Its cells, ascending."""
    cells: tuple[int, ...]
    """Its cells in the order in which they make the place in its table."""
    number: int
    """Of the tuple."""
    begin: int
    """Where its table begins."""


@lru_cache(maxsize=4)
def _looks(tuples: Tuples, size: int, symmetric: bool) -> tuple[_Look, ...]:
    found = []
    begin = 0
    for number, (cells, weights) in enumerate(zip(tuples, table_sizes(tuples, size), strict=True)):
        for goes_to in symmetries(size) if symmetric else symmetries(size)[:1]:
            placed = tuple(goes_to[cell] for cell in cells)
            found.append(_Look(tuple(sorted(placed)), placed, number, begin))
        begin += weights
    return tuple(found)


def _tile_sum(cells: Sequence[int]) -> int:
    return sum(1 << exponent for exponent in cells if exponent)
