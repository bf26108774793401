"""Empty rooms and what stands in them: the random walk that carves floor, and targets and players placed on it.

The walk is the one of Racanière et al. (Imagination-Augmented Agents, 2017) as gym-sokoban made it known: 1.5 * (rows +
columns) steps, at every step another direction with probability 0.35 (any of the four, the same one included) and one of
five masks of floor around the walker.

A room in the making is `at`, int8 (cells,), row by row: `WALL`, `FREE`, or the number of the box on the square. The outer
ring is wall, so that a neighbour of a free square is always on the board.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import U32, Stream, below, random_word
from ai.sokoban.board.layout import Bytes, Shorts

Cells = npt.NDArray[np.int8]
Places = npt.NDArray[np.int16]

WALL, FREE = -2, -1
_TURN_BELOW = int(0.35 * 2**32)
_MASKS = np.array(
    [
        [(0, -1), (0, 0), (0, 1), (0, 0)],
        [(-1, 0), (0, 0), (1, 0), (0, 0)],
        [(0, -1), (0, 0), (1, 0), (0, 0)],
        [(0, -1), (0, 0), (1, -1), (1, 0)],
        [(0, 0), (0, 1), (1, 0), (0, 0)],
    ]
)
"""Shape (5, 4, 2): the squares that each mask carves, as (row, column) from the walker."""


@kernel
def carve(at: Cells, rows: int, cols: int, stream: Stream, free: Shorts) -> int:
    """Fill `at` with walls and carve floor; the free squares go to the start of `free`. Returns how many there are."""
    at[:] = WALL
    direction = below(stream, 4)
    row = 1 + below(stream, rows - 1)
    col = 1 + below(stream, cols - 1)
    for _ in range(3 * (rows + cols) // 2):
        if np.int64(random_word(stream) >> U32) < _TURN_BELOW:
            direction = below(stream, 4)
        if direction == 0:
            row += 1
        elif direction == 1:
            col += 1
        elif direction == 2:
            row -= 1
        else:
            col -= 1
        row = max(min(row, rows - 2), 1)
        col = max(min(col, cols - 2), 1)
        mask = below(stream, 5)
        for index in range(4):
            down, right = row + _MASKS[mask, index, 0], col + _MASKS[mask, index, 1]
            if 0 < down < rows - 1 and 0 < right < cols - 1:
                at[down * cols + right] = FREE
    count = 0
    for square in range(rows * cols):
        if at[square] == FREE:
            free[count] = square
            count += 1
    return count


@kernel
def place(
    at: Cells, free: Shorts, count: int, players: Places, homes: Places, stream: Stream, is_home: Bytes
) -> bool:
    """Put players and boxes on free squares by chance, every box on its target; False where there is no room for them.

    Args:
        at: the room; boxes are entered, players are not.
        free: its free squares, the first `count` entries; shuffled.
        count: how many there are.
        players: filled, shape (1,) or (2,).
        homes: filled with the target of each box, shape (boxes,).
        stream: random numbers.
        is_home: set to 1 on targets and 0 elsewhere, shape (cells,).
    """
    is_home[:] = 0
    wanted = len(players) + len(homes)
    if count <= wanted:
        return False
    for index in range(wanted):
        other = index + below(stream, count - index)
        free[index], free[other] = free[other], free[index]
    for index in range(len(players)):
        players[index] = free[index]
    for box in range(len(homes)):
        square = free[len(players) + box]
        homes[box] = square
        at[square] = box
        is_home[square] = 1
    return True
