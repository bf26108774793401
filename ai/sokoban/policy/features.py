"""What the policy network sees of a position: for every square that the player may enter, a few numbers.

The squares are numbered as in `ai.sokoban.board.layout.Layout`. Where the network is computed on a rectangle, all other cells
have 0 in every plane, so that walls need no plane and the size of the board does not matter.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Whole
from ai.sokoban.policy.model import PLANES

FLOOR, BOX, TARGET, REACHED, DEAD, TO_TARGET, TO_FREE_TARGET = range(PLANES)
"""1; whether there is a box; a target; the player gets there; a box there never gets to a target; pushes of a box alone
to the nearest target, wherever the player is, in tens, 0 on dead squares; and to the nearest target without a box."""
SCALE = np.float32(0.1)
Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
"""Boards in the numbers of `game.rules.sokoban.Board`."""

_WALL, _BOX, _TARGET, _PLAYER, _BOX_HOME, _PLAYER_HOME = 1, 2, 3, 4, 5, 6


@kernel
def unfold(
    board: Codes, cols: Whole, number: Ints, squares: Ints, steps: Ints, is_target: Bytes, occupied: Bytes
) -> tuple[int, int]:
    """A board, closed by walls, as the arrays of a `Layout`.

    Args:
        board: Shape (cells,).
        cols: Of the board.
        number: Filled, (cells,): the number of the square at each cell, -1 where the player never gets.
        squares: Filled, (cells,): the cell of each square.
        steps: Filled, (cells, 4), as many rows as there are squares.
        is_target: Filled likewise, (cells,).
        occupied: Filled likewise, (cells,).

    Returns:
        How many squares there are, and the player's; (0, -1) without a player.
    """
    start = -1
    for cell in range(len(board)):
        number[cell] = -1
        if board[cell] == _PLAYER or board[cell] == _PLAYER_HOME:
            start = cell
    if start < 0:
        return 0, -1
    squares[0], number[start] = start, 0
    size = 1
    while size:
        size -= 1
        cell = squares[size]
        for action in range(4):
            other = cell + (-cols if action == 0 else 1 if action == 1 else cols if action == 2 else -1)
            if 0 <= other < len(board) and board[other] != _WALL and number[other] < 0:
                number[other] = 0
                squares[size] = other
                size += 1
    count = 0
    for cell in range(len(board)):
        if number[cell] == 0:
            number[cell], squares[count] = count, cell
            is_target[count] = board[cell] == _TARGET or board[cell] == _BOX_HOME or board[cell] == _PLAYER_HOME
            occupied[count] = board[cell] == _BOX or board[cell] == _BOX_HOME
            count += 1
    for square in range(count):
        for action in range(4):
            other = squares[square] + (-cols if action == 0 else 1 if action == 1 else cols if action == 2 else -1)
            steps[square, action] = number[other] if 0 <= other < len(board) else -1
    return count, number[start]


@kernel
def spread(steps: Ints, queue: Ints, last: int, far: Ints) -> None:
    """Fill in pushes from everywhere to the `last` squares at the start of `queue`, whose `far` is 0; others have -1."""
    first = 0
    while first < last:
        square = queue[first]
        first += 1
        for action in range(4):
            before = steps[square, action]
            if before >= 0 and far[before] < 0 and steps[before, action] >= 0:
                far[before] = far[square] + 1
                queue[last] = before
                last += 1


@kernel
def see(
    steps: Ints, count: Whole, is_target: Bytes, occupied: Bytes, player: Whole, queue: Ints, far: Ints, seen: Floats
) -> None:
    """Write what the network sees.

    Args:
        steps: Neighbours up, right, down, left, -1 for none; shape (count, 4) or longer.
        count: Squares.
        is_target: Shape (count,) or longer, 1 on targets.
        occupied: Likewise, not 0 where a box is.
        player: The player's square.
        queue: Scratch, likewise.
        far: Scratch, likewise.
        seen: Filled, (count, PLANES) or longer.
    """
    for square in range(count):
        seen[square, FLOOR] = 1.0
        seen[square, BOX] = 1.0 if occupied[square] else 0.0
        seen[square, TARGET] = 1.0 if is_target[square] else 0.0
        seen[square, REACHED] = 0.0
    for free in range(2):
        last = 0
        for square in range(count):
            far[square] = -1
            if is_target[square] and not (free and occupied[square]):
                far[square] = 0
                queue[last] = square
                last += 1
        spread(steps, queue, last, far)
        for square in range(count):
            seen[square, TO_TARGET + free] = np.float32(max(far[square], 0)) * SCALE
            if not free:
                seen[square, DEAD] = 1.0 if far[square] < 0 else 0.0
    seen[player, REACHED] = 1.0
    queue[0] = player
    last = 1
    while last:
        last -= 1
        square = queue[last]
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and not occupied[other] and seen[other, REACHED] == 0.0:
                seen[other, REACHED] = 1.0
                queue[last] = other
                last += 1
