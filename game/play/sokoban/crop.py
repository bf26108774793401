"""A level without the rock around it: only the walls that touch its floor, and no rows and columns beyond them."""

from itertools import product

import numpy as np

from game.rules import sokoban
from game.rules.sokoban import EMPTY, WALL, State

_AROUND = tuple((down, right) for down, right in product((-1, 0, 1), repeat=2) if down or right)


def cropped(state: State) -> State:
    """The same level with the walls that are needed; of a push-only level of one player. Moves stay what they were."""
    warehouse = state.warehouse
    floor = (
        warehouse.connected([state.player])
        | warehouse.connected(state.boxes)
        | warehouse.connected(warehouse.targets)
    )
    board = np.pad(np.array(sokoban.to_array(state)), 1, constant_values=WALL)
    inside = np.zeros(board.shape, dtype=bool)
    for square in floor:
        row, col = divmod(square, warehouse.cols)
        inside[row + 1, col + 1] = True
    near = inside.copy()
    for down, right in _AROUND:
        near |= np.roll(inside, (down, right), (0, 1))
    board[~near] = EMPTY
    rows, cols = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
    return sokoban.from_array(board[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])
