"""An n-tuple network for connect-4 on any board: the value of having just moved, as a sum of looked-up weights.

A tuple sees each of its cells as empty, empty and next to be filled, the viewer's, or another seat's (each other seat by
its turn after the viewer). What it sees is a number, its *index*, digits to the base players + 2, and the table that the
tuple shares with its symmetric images has a weight for every index, for every seat as the viewer. The value of a
position for the seat that has just moved is tanh of the sum of the weights of all tuples.

A stone changes only the indices of the tuples through its cell and the cell above, which are listed for every cell.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.ntuple.shapes import Tuple, shared_tuples
from ai.jit import kernel
from game.rules import connect4
from game.rules.connect4 import Shape

Ints = npt.NDArray[np.int32]
Weights = npt.NDArray[np.float32]
"""(seats * size,): tables one after the other, those of seat 0 first."""

ROWS, COLUMNS, CELLS, PLAYERS, SIZE, TUPLES, WIN = range(7)


class Board(NamedTuple):
    """What the kernels know of a board and the tuples on it."""

    head: Ints
    """ROWS, COLUMNS, CELLS, PLAYERS, SIZE (weights of a seat), TUPLES (images counted), WIN."""
    begun: Ints
    """(tuples,): where in the weights of a seat a tuple looks on the empty board."""
    first: Ints
    """(cells + 1,): where the list of a cell begins in `touched`."""
    touched: Ints
    """(entries, 3): tuple, what its index grows with the digit of the cell, and with that of the cell above."""
    lines_first: Ints
    """(cells + 1,)"""
    lines: Ints
    """(entries,): the other cells of the lines through a cell, win - 1 at a time."""


@lru_cache(maxsize=8)
def make_board(shape: Shape, walks: int, length: int) -> Board:
    """The board with the tuples of `shapes.shared_tuples`."""
    return board_of(shape, shared_tuples(shape, walks, length))


def board_of(shape: Shape, tables: tuple[tuple[Tuple, ...], ...]) -> Board:
    """The board with any tuples; those of one entry share a table."""
    base = shape.players + 2
    begun: list[int] = []
    touched: list[dict[int, list[int]]] = [{} for _ in range(shape.cells)]
    size = 0
    for images in tables:
        for cells in images:
            number, power, start = len(begun), 1, size
            for cell in cells:
                touched[cell].setdefault(number, [0, 0])[0] = power
                if cell >= shape.columns:
                    touched[cell - shape.columns].setdefault(number, [0, 0])[1] = power
                else:
                    start += power
                power *= base
            begun.append(start)
        size += base ** len(images[0])
    through = connect4.lines_through(shape)
    entries = [(number, *powers) for some in touched for number, powers in sorted(some.items())]
    others = [[other for line in some for other in line if other != cell] for cell, some in enumerate(through)]
    head = [shape.rows, shape.columns, shape.cells, shape.players, size, len(begun), shape.win]
    return Board(
        np.array(head, np.int32),
        np.array(begun, np.int32),
        np.cumsum([0, *(len(some) for some in touched)]).astype(np.int32),
        np.array(entries, np.int32).reshape(-1, 3),
        np.cumsum([0, *(len(some) for some in others)]).astype(np.int32),
        np.array([other for some in others for other in some], np.int32),
    )


@kernel
def put(board: Board, where: Ints, cell: int, seat: int) -> None:
    """A stone of `seat` falls on `cell`: the indices `where` (seats, tuples) change, for every viewer."""
    players = board.head[PLAYERS]
    for viewer in range(players):
        digit = 1 + (seat - viewer + players) % players
        for at in range(board.first[cell], board.first[cell + 1]):
            where[viewer, board.touched[at, 0]] += digit * board.touched[at, 1] + board.touched[at, 2]


@kernel
def wins(board: Board, stones: Ints, cell: int, seat: int) -> bool:
    """Whether a stone of `seat` on `cell` completes a line; `stones` (cells,) holds seats + 1, 0 for empty."""
    others = board.head[WIN] - 1
    for begin in range(board.lines_first[cell], board.lines_first[cell + 1], others):
        complete = True
        for at in range(begin, begin + others):
            if stones[board.lines[at]] != seat + 1:
                complete = False
                break
        if complete:
            return True
    return False


@kernel
def total(weights: npt.NDArray[np.float32], where: Ints, base: int) -> np.float32:
    """The sum of the weights (n, any) that a viewer looks at; `base` is where those of its seat begin."""
    found = np.float32(0.0)
    for index in where:
        found += weights[base + index, 0]
    return found


@kernel
def totals(
    board: Board, weights: npt.NDArray[np.float32], where: Ints, cell: int, base: int, before: npt.NDArray[np.float32]
) -> np.float32:
    """What the viewer's sum grows by with an own stone on `cell`.

    Args:
        board: The board.
        weights: (n, any): the weights stand first.
        where: (tuples,): the viewer's indices.
        cell: Where the stone falls.
        base: Where the weights of the viewer's seat begin.
        before: (tuples,): the weights looked at without the stone.
    """
    found = np.float32(0.0)
    for at in range(board.first[cell], board.first[cell + 1]):
        number = board.touched[at, 0]
        index = where[number] + board.touched[at, 1] + board.touched[at, 2]
        found += weights[base + index, 0] - before[number]
    return found


@kernel
def evaluate(
    board: Board,
    weights: npt.NDArray[np.int16],
    step: np.float32,
    stones: Ints,
    seat: int,
    values: npt.NDArray[np.float32],
) -> None:
    """What every column is worth to the seat to move.

    Args:
        board: The board and its tuples.
        weights: As models store them.
        step: What a stored 1 is worth.
        stones: (cells,): seats + 1, 0 for empty.
        seat: To move.
        values: (columns,): filled, except for full columns.
    """
    players, columns, cells = board.head[PLAYERS], board.head[COLUMNS], board.head[CELLS]
    tuples = board.head[TUPLES]
    base = seat * board.head[SIZE]
    where = np.empty((players, tuples), np.int32)
    for viewer in range(players):
        where[viewer] = board.begun
    empty = 0
    for cell in range(cells):
        if stones[cell] > 0:
            put(board, where, cell, stones[cell] - 1)
        else:
            empty += 1
    known = np.int64(0)
    for index in where[seat]:
        known += np.int64(weights[base + index])
    for column in range(columns):
        cell = column
        while cell < cells and stones[cell] > 0:
            cell += columns
        if cell >= cells:
            continue
        if wins(board, stones, cell, seat):
            values[column] = 1.0
        elif empty == 1:
            values[column] = 2.0 / players - 1.0
        else:
            grown = np.int64(0)
            for at in range(board.first[cell], board.first[cell + 1]):
                index = where[seat, board.touched[at, 0]]
                after = index + board.touched[at, 1] + board.touched[at, 2]
                grown += np.int64(weights[base + after]) - np.int64(weights[base + index])
            values[column] = np.tanh(np.float32(known + grown) * step)
