"""Why an n-tuple network prefers a slide: what every group of cells adds to the value of the board right after it.

A value is a sum over tuples and symmetries, so it can be taken apart: each tuple in each position of the square looks at
a group of cells and adds one weight. The difference to another slide tells which groups speak for the first. The network
values a board and its mirror images alike, so of the other board that image is taken which is most like the first:
otherwise a row that both boards have, but at different edges, would count for the one and against it elsewhere.
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

Parts = dict[tuple[int, ...], float]
"""What each group of cells, ascending, adds to a value."""


@dataclass(frozen=True, slots=True)
class Part:
    """A group of cells, and what it adds."""

    cells: tuple[int, ...]
    """Ascending. All tuples and symmetries that look at just these cells are taken together."""
    points: float
    """For the chosen slide, less what it adds for the other one."""


@dataclass(frozen=True, slots=True)
class Why:
    """One slide beside another; points are those of the game's score."""

    action: int
    other: int | None
    """The slide that it is compared with; None where there is no other."""
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

    def parts(self, cells: Sequence[int]) -> Parts:
        """What each group of cells adds to the value of an afterstate."""
        found: Parts = {}
        contents = CONTENTS[self.size]
        most = min(self.largest, contents - 1)
        for look in _looks(self.tuples, self.size, self.symmetric):
            place = sum(min(cells[cell], most) * contents**at for at, cell in enumerate(look.cells))
            stored = float(self.weights[self.begin + look.begin + place])
            points = self.first + stored * float(self.steps[look.number])
            found[look.group] = found.get(look.group, 0.0) + points
        return found

    def likest(self, cells: Sequence[int], parts: Parts) -> Parts:
        """The parts of that mirror image of an afterstate which differs least from `parts`, of those that are worth the same."""
        own = self.parts(cells)
        images = symmetries(self.size) if self.symmetric else symmetries(self.size)[:1]
        turned = [
            {tuple(sorted(goes_to[cell] for cell in group)): points for group, points in own.items()}
            for goes_to in images
        ]
        return min(turned, key=lambda image: sum(abs(points - image[group]) for group, points in parts.items()))


def explain(model: NTupleModel, state: State, action: int, other: int | None) -> Why | None:
    """Why `action`, rather than `other`; None when one of them moves nothing."""
    stage = sum(1 for begin in model.stages if _tile_sum(state.cells) >= begin)
    begin = stage * sum(table_sizes(model.tuples, model.size))
    return compare(Weighing(model.tuples, model.size, model.weights, model.steps, begin), state, action, other)


def compare(network: Weighing, state: State, action: int, other: int | None) -> Why | None:
    """Why a network prefers `action` to `other`; None when one of them moves nothing."""
    chosen = twenty48.slide(state, action)
    if chosen is None:
        return None
    parts, reward = network.parts(chosen.cells), chosen.reward
    if other is not None:
        against = twenty48.slide(state, other)
        if against is None:
            return None
        reward -= against.reward
        for cells, points in network.likest(against.cells, parts).items():
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
