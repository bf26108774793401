"""A game to look at while a training of connect-4 goes on: played by what was learned so far, a move at every look.

The games of a training are over in microseconds inside a kernel; these are played beside them, in plain Python, and
change nothing of it.
"""

from collections.abc import Callable
from random import Random

import numpy as np
import numpy.typing as npt

from ai.connect4.ntuple.network import COLUMNS, PLAYERS, SIZE, Board
from game.rules import connect4
from game.rules.connect4 import Shape, State

REST = 4
"""Looks at a finished game before the next one begins."""


class Showing:
    """One game after the other; `choose(state, random)` plays for every seat."""

    def __init__(self, shape: Shape, choose: Callable[[State, Random], int]) -> None:
        """Nothing is played yet."""
        self._choose, self._random = choose, Random(0)
        self._empty = self._state = connect4.start(shape)
        self._rest = 0

    def look(self) -> State:
        """The position after one more move."""
        if connect4.outcome(self._state) is not None:
            self._rest += 1
            if self._rest < REST:
                return self._state
            self._state, self._rest = self._empty, 0
        self._state = connect4.apply(self._state, self._choose(self._state, self._random))
        return self._state


def column_values(board: Board, weights: npt.NDArray[np.float32], state: State) -> dict[int, float]:
    """What every legal column is worth to the seat to move, in plain numpy, for a single position now and then.

    Args:
        board: The board and its tuples.
        weights: (n,): as they are learned.
        state: A position on that board.
    """
    players, columns = int(board.head[PLAYERS]), int(board.head[COLUMNS])
    seat = state.to_move
    base = seat * int(board.head[SIZE])
    where = board.begun.astype(np.int64)

    def own(cell: int, digit: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The tuples that see a cell, and how their indices change by a stone there."""
        seen = board.touched[board.first[cell] : board.first[cell + 1]]
        return seen[:, 0], digit * seen[:, 1] + seen[:, 2]

    for cell, stone in enumerate(state.cells):
        if stone:
            numbers, change = own(cell, 1 + (stone - 1 - seat) % players)
            where[numbers] += change
    known = float(weights[base + where].sum())
    values = {}
    for column in connect4.legal_actions(state):
        after = connect4.apply(state, column)
        if after.winner is not None:
            values[column] = 1.0
        elif len(after.moves) == len(after.cells):
            values[column] = 2.0 / players - 1.0
        else:
            numbers, change = own(state.heights[column] * columns + column, 1)
            grown = weights[base + where[numbers] + change].sum() - weights[base + where[numbers]].sum()
            values[column] = float(np.tanh(known + float(grown)))
    return values
