"""What `qlearning` sees of a position, as a key of 64 bits, and the table from keys to values.

As in the report a state is the number of stones in each column, and the unblocked runs of every player with their
places (`ai.connect4.board.runs`; a lone stone is a run of one). Only stones that can no longer be part of a win make no
difference, so that positions share a state late in a game and hardly before.
The runs of an axis are written as the set of cells they fill; the key is a sum of scrambled words, one for each axis
and player that has runs there, and one for each column that has stones.

The table is open addressing in arrays: a key, and a value for each column. A key of 0 is a free place.
"""

from functools import lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from ai.connect4.board import runs
from ai.connect4.board.board import AXES, COLUMNS, HEIGHTS, PLAYERS, Ints
from ai.jit import kernel
from ai.random import GAMMA, mix
from game.rules.connect4 import Shape

Keys = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float32]


@lru_cache(maxsize=8)
def signatures(shape: Shape) -> Ints:
    """What the key is made of.

    Returns:
        int64: the number of axes; for each axis where its contents start in this array; then for each content, as
        `ai.connect4.board.runs` numbers them, the set of the cells in unblocked runs, a bit a cell.
    """
    axes, starts = runs.axes(shape), runs.counting(shape).starts
    first = 1 + len(axes)
    sets: list[int] = []
    for length in sorted(starts):
        for content in range(3**length):
            sets.append(_cells_in_runs([content // 3**place % 3 for place in range(length)], shape.win))
    made = np.array([len(axes), *(first + starts[len(axis)] for axis in axes), *sets], np.int64)
    made.flags.writeable = False
    return made


def _cells_in_runs(cells: list[int], win: int) -> int:
    """The cells of one row that stand in unblocked runs: 0 empty, 1 own, 2 another's."""
    found, at = 0, 0
    for other, stretch in groupby(cells, lambda cell: cell == 2):
        inside = list(stretch)
        if not other and len(inside) >= win:
            place = at
            for own, row in groupby(inside):
                length = len(list(row))
                if own:
                    found |= ((1 << length) - 1) << place
                place += length
        at += len(inside)
    return found


@kernel
def state_key(tables: Ints, board: Ints, signatures: Ints) -> np.uint64:
    """The key of the position; `board` keeps runs (any heuristic but `lines`). Never 0."""
    players = tables[PLAYERS]
    key = GAMMA
    for axis in range(signatures[0]):
        start = signatures[1 + axis]
        for seat in range(players):
            cells = signatures[start + board[AXES + axis * 8 + seat]]
            if cells != 0:
                key += mix(np.uint64((axis << 16) | ((seat + 1) << 8) | cells))
    for column in range(tables[COLUMNS]):
        if board[HEIGHTS + column] != 0:
            key += mix(np.uint64((1 << 40) | (column << 8) | board[HEIGHTS + column]))
    return key if key != np.uint64(0) else np.uint64(1)


@kernel
def find_state(keys: Keys, key: np.uint64) -> int:
    """The place of a key, or the free one where it belongs; the table is never full and its size a power of two."""
    last = np.uint64(len(keys) - 1)
    slot = (key >> np.uint64(16)) & last
    while keys[slot] != key and keys[slot] != np.uint64(0):
        slot = (slot + np.uint64(1)) & last
    return int(np.int64(slot))


@kernel
def move_states(
    old_keys: Keys, old_values: Values, old_visits: Ints, keys: Keys, values: Values, visits: Ints
) -> None:
    """Copy a table into a larger one, which is empty."""
    for slot in range(len(old_keys)):
        if old_keys[slot] != np.uint64(0):
            place = find_state(keys, old_keys[slot])
            keys[place] = old_keys[slot]
            values[place] = old_values[slot]
            visits[place] = old_visits[slot]
