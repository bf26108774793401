"""The rules of 2048 on 4×4 as kernels: a board is one 64-bit number, and rows slide by table.

Cell i (row by row from the top left) is the four bits from 4·i, so row r is the sixteen bits from 16·r and a column
is a row of the transposed board. Four bits hold the tiles up to 32768. A board is played packed while it *fits*: no
tile above 32768 and at most one of 32768, so that no slide can make a 65536; `ai.twenty48.board.grid` plays the others.
(Inside a look-ahead two tiles of 32768 may meet; the row tables leave them unmerged.)

Directions: 0 up, 1 right, 2 down, 3 left. Spawns are those of `game.rules.twenty48.spawn`, bit for bit.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.spawns import is_four, pick, random_number

U0 = np.uint64(0)
U1 = np.uint64(1)
U2 = np.uint64(2)
U4 = np.uint64(4)
U8 = np.uint64(8)
U12 = np.uint64(12)
U15 = np.uint64(15)
U16 = np.uint64(16)
U24 = np.uint64(24)
U32 = np.uint64(32)
U48 = np.uint64(48)
U60 = np.uint64(60)
ROW = np.uint64(0xFFFF)
LOW_BITS = np.uint64(0x1111111111111111)
IN_BLOCKS = np.uint64(0x0000F0F00000F0F0)
OF_BLOCKS = np.uint64(0x00000000FF00FF00)

Board = np.uint64
Rows = npt.NDArray[np.uint16]
"""uint16 (2, 65536): a row after sliding left (index 0) and right (index 1)."""
Rewards = npt.NDArray[np.int64]
"""int64 (65536,): the reward of sliding a row, the same both ways."""


@kernel
def build_rows(rows: Rows, rewards: Rewards) -> None:
    """Fill both tables for all 65536 rows."""
    line = np.zeros(4, np.int64)
    for row in range(65536):
        for right in range(2):
            for i in range(4):
                line[3 - i if right else i] = (row >> (4 * i)) & 15
            count = 0  # tiles already in place
            held = 0  # exponent of the last one while it may still merge, else 0
            reward = 0
            result = 0
            for i in range(4):
                exponent = line[i]
                if exponent == 0:
                    continue
                if exponent == held and exponent < 15:
                    count -= 1
                    exponent += 1
                    reward += 1 << exponent
                    held = 0
                else:
                    held = exponent
                shift = 4 * (3 - count if right else count)
                result = (result & ~(15 << shift)) | (exponent << shift)
                count += 1
            rows[right, row] = result
            rewards[row] = reward


@kernel
def pack(cells: npt.NDArray[np.uint8]) -> Board:
    """The board of 16 exponents, each at most 15."""
    board = U0
    for cell in range(16):
        board |= np.uint64(cells[cell]) << np.uint64(4 * cell)
    return board


@kernel
def unpack(board: Board, cells: npt.NDArray[np.uint8]) -> None:
    """Write the 16 exponents of a board."""
    for cell in range(16):
        cells[cell] = (board >> np.uint64(4 * cell)) & U15


def cells_of(board: int) -> tuple[int, ...]:
    """The 16 exponents of a board, for the plain rules."""
    return tuple((board >> 4 * cell) & 15 for cell in range(16))


@kernel
def transpose(board: Board) -> Board:
    """Rows become columns: swap within the 2×2 blocks, then the blocks (two delta swaps)."""
    swap = (board ^ (board >> U12)) & IN_BLOCKS
    board ^= swap ^ (swap << U12)
    swap = (board ^ (board >> U24)) & OF_BLOCKS
    return board ^ swap ^ (swap << U24)


@kernel
def slide_rows(board: Board, rows: Rows, right: int) -> Board:
    """All four rows slid left (0) or right (1); the same board when nothing moves."""
    return (
        np.uint64(rows[right, board & ROW])
        | (np.uint64(rows[right, (board >> U16) & ROW]) << U16)
        | (np.uint64(rows[right, (board >> U32) & ROW]) << U32)
        | (np.uint64(rows[right, board >> U48]) << U48)
    )


@kernel
def slide(board: Board, action: int, rows: Rows) -> Board:
    """The afterstate; the same board when nothing moves."""
    right = 1 if action == 1 or action == 2 else 0
    if action == 0 or action == 2:
        return transpose(slide_rows(transpose(board), rows, right))
    return slide_rows(board, rows, right)


@kernel
def reward_of(board: Board, action: int, rewards: Rewards) -> np.int64:
    """The reward of a slide: the sum of the tiles made by merging."""
    if action == 0 or action == 2:
        board = transpose(board)
    return np.int64(
        rewards[board & ROW] + rewards[(board >> U16) & ROW] + rewards[(board >> U32) & ROW] + rewards[board >> U48]
    )


@kernel
def empty_bits(board: Board) -> Board:
    """The lowest bit of every empty cell: or it in for a 2, shifted by one for a 4."""
    used = board | (board >> U1)
    used |= used >> U2
    return ~used & LOW_BITS


@kernel
def count_empty(bits: Board) -> np.int64:
    """How many cells `empty_bits` says are empty; right for a board with at least one tile."""
    return np.int64((bits * LOW_BITS) >> U60)


@kernel
def spawn(board: Board, seed: Board, spawns: Board) -> tuple[int, int]:
    """(cell, exponent) of the next tile; the board has an empty cell and a tile."""
    number = random_number(seed, spawns)
    bits = empty_bits(board)
    index = pick(number, count_empty(bits))
    cell = 0
    while True:
        if (bits >> np.uint64(4 * cell)) & U1:
            if index == 0:
                break
            index -= 1
        cell += 1
    return cell, 2 if is_four(number) else 1


@kernel
def fits(board: Board) -> np.bool_:
    """Whether at most one tile is 32768: no slide of this board needs more than four bits a cell."""
    full = board & (board >> U1)
    full &= (full >> U2) & LOW_BITS
    return np.bool_((full & (full - U1)) == U0)
