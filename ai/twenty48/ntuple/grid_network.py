"""N-tuple networks on boards as arrays, of 3×3 to 5×5: what `ai.twenty48.ntuple.network` does for packed 4×4 boards.

The weights stand in the same order, and weights of stages are found and promoted the same way. A look-up knows the
contents that `shapes.CONTENTS` names and takes larger tiles for the largest of them; the board itself keeps the
true exponents, so that slides and rewards are always right.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, slide
from ai.twenty48.ntuple.network import SYMMETRIES, Stages, Weights
from ai.twenty48.ntuple.rules import value_at
from ai.twenty48.ntuple.shapes import CONTENTS, MAX_CELLS, Tuples, table_sizes

BEGIN, LONG, STAGE_SIZE = range(3)
"""Indices into a row of `GridNetwork.tables`."""
Seen = npt.NDArray[np.uint64]
"""uint64 (size²,): a board as look-ups see it."""
Spots = npt.NDArray[np.uint64]
"""uint64 (tuples * 8, MAX_CELLS): the cells of each tuple in each symmetry, the one that counts most first."""
Tables = npt.NDArray[np.uint64]
"""uint64 (tuples, 3): where the table of each begins, how many cells it has; how many weights a stage has."""


class GridNetwork(NamedTuple):
    """The weights and where they are found. Kernels that run millions of times take the arrays one by one."""

    weights: Weights
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""
    spots: Spots
    tables: Tables
    stages: Stages
    size: int
    """Of the board's side."""
    contents: int
    """Contents of a cell that are told apart."""


def make_grid_network(
    tuples: Tuples,
    weights: Weights,
    size: int,
    steps: npt.NDArray[np.float32] | None = None,
    stages: tuple[int, ...] = (),
) -> GridNetwork:
    """The network of these tuples around `weights`; steps of 1 where none are given.

    Raises:
        ValueError: when there are not as many weights as tuples and stages need.
    """
    sizes = table_sizes(tuples, size)
    needed = sum(sizes) * (len(stages) + 1)
    if weights.shape != (needed,):
        raise ValueError(f"These tuples have {needed:,} weights, not {weights.shape}.")
    square = np.arange(size * size).reshape(size, size)
    images = [np.rot90(side, turns).ravel() for side in (square, square.T) for turns in range(4)]
    spots = np.zeros((len(tuples) * SYMMETRIES, MAX_CELLS), np.uint64)
    for number, cells in enumerate(tuples):
        for turn, image in enumerate(images):
            spots[number * SYMMETRIES + turn, : len(cells)] = image[list(reversed(cells))]
    tables = np.zeros((len(tuples), 3), np.uint64)
    tables[:, BEGIN] = np.cumsum([0, *sizes[:-1]])
    tables[:, LONG] = [len(cells) for cells in tuples]
    tables[:, STAGE_SIZE] = sum(sizes)
    steps = np.ones(len(tuples), np.float32) if steps is None else steps
    return GridNetwork(weights, steps, spots, tables, np.array(stages, np.int64), size, CONTENTS[size])


@kernel
def grid_sum(cells: Cells, size: int) -> np.int64:
    """The sum of all tiles of a board."""
    total = np.int64(0)
    for cell in range(size * size):
        if cells[cell]:
            total += np.int64(1) << np.int64(cells[cell])
    return total


@kernel
def see(cells: Cells, contents: int, seen: Seen) -> None:
    """Fill `seen` with a board, tiles that are too large taken for the largest that is known."""
    top = np.uint64(contents - 1)
    for cell in range(len(seen)):
        seen[cell] = min(np.uint64(cells[cell]), top)


@kernel
def find(cells: Cells, base: np.uint64, spots: Spots, tables: Tables, contents: int, where: Seen, seen: Seen) -> None:
    """Write down where the weights of an afterstate stand; `base` is that of its stage, `seen` is written over."""
    see(cells, contents, seen)
    many = np.uint64(contents)
    for look in range(len(where)):
        number = look >> 3
        place = np.uint64(0)
        for turn in range(tables[number, LONG]):
            place = place * many + seen[spots[look, turn]]
        where[look] = base + tables[number, BEGIN] + place


@kernel
def evaluate(
    cells: Cells,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    spots: Spots,
    tables: Tables,
    contents: int,
    seen: Seen,
) -> np.float32:
    """The value of an afterstate, the sum of all rewards still to come, as learned; `seen` is written over."""
    see(cells, contents, seen)
    many = np.uint64(contents)
    value = np.float32(0.0)
    for number in range(len(tables)):
        begin = base + tables[number, BEGIN]
        part = np.float32(0.0)
        for look in range(SYMMETRIES * number, SYMMETRIES * number + SYMMETRIES):
            place = np.uint64(0)
            for turn in range(tables[number, LONG]):
                place = place * many + seen[spots[look, turn]]
            part += np.float32(weights[begin + place])
        value += steps[number] * part
    return value


@kernel
def best_slide(
    cells: Cells,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    spots: Spots,
    tables: Tables,
    size: int,
    contents: int,
    best_after: Cells,
    after: Cells,
    seen: Seen,
    where: Seen,
) -> tuple[int, np.int64, np.float32]:
    """The slide of the highest reward + value, the first of equals; `base` is that of the board's stage.

    Args:
        cells: uint8 (size²,): the position.
        base: Where the weights of its stage begin.
        weights: Of the network.
        steps: Of the network.
        spots: Of the network.
        tables: Of the network.
        size: Of the board.
        contents: Of the network.
        best_after: uint8 (size²,): the afterstate is written here.
        after: uint8 (size²,), written over.
        seen: uint64 (size²,), written over.
        where: uint64 (look-ups,), written over.

    Returns:
        (action, or -1 when nothing moves; reward; reward + value of the afterstate).
    """
    best, best_reward, best_worth = -1, np.int64(0), np.float32(0.0)
    for action in range(4):
        reward = slide(cells, size, action, after)
        if reward < 0:
            continue
        worth = np.float32(reward) + evaluate(after, base, weights, steps, spots, tables, contents, seen)
        if worth != worth:  # some of its weights are still those of the stage before
            find(after, base, spots, tables, contents, where, seen)
            worth = np.float32(reward) + value_at(where, weights, tables[0, STAGE_SIZE])
        if best < 0 or worth > best_worth:
            best, best_reward, best_worth = action, reward, worth
            best_after[:] = after
    return best, best_reward, best_worth
