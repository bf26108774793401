"""Tile-downgrading: 4×4 boards beyond four bits a cell are played as boards that a network knows.

A packed board holds tiles up to 32768, and no two of these may merge on it. Where a board has more, the largest tile
that is missing below its largest one is found, and every tile above the gap is halved, until the board fits: 65536
32768 8192 2 becomes 32768 16384 8192 2. The same slides move and the same tiles merge on both boards, and the tiles
above the gap stand to each other as before. (Guei, Chen, Wu: Optimistic Temporal Difference Learning for 2048, 2021.)
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.packed import Board, pack

LARGEST = 15
"""Exponent of the largest tile of a packed board."""

Cells = npt.NDArray[np.uint8]


@kernel
def fits_packed(cells: Cells) -> bool:
    """`packed.fits` of a position with exponents of any size."""
    tops = 0
    for exponent in cells:
        if exponent > LARGEST:
            return False
        tops += exponent == LARGEST
    return tops < 2


@kernel
def largest_missing(cells: Cells) -> np.int64:
    """The largest exponent below the largest one that no tile has, 0 where there is none."""
    present = np.int64(0)
    for exponent in cells:
        present |= np.int64(1) << np.int64(exponent)
    gap = np.int64(cells.max()) - 1
    while gap > 0 and present & (np.int64(1) << gap):
        gap -= 1
    return max(gap, np.int64(0))


@kernel
def downgraded(cells: Cells) -> Board:
    """The packed board to be played in place of the position `cells` (uint8, 16 exponents up to 62), not changed."""
    halved = cells.copy()
    while not fits_packed(halved):
        gap = largest_missing(halved)
        if (
            gap == 0
        ):  # every tile up to 32768 is there, that one twice: it changes places with 16384, so that it merges
            for cell in range(16):
                if halved[cell] >= LARGEST - 1:
                    halved[cell] = LARGEST - 1 if halved[cell] == LARGEST else LARGEST
            break
        for cell in range(16):
            halved[cell] -= halved[cell] > gap
    return pack(halved)


def stand_in(cells: tuple[int, ...]) -> tuple[int, ...]:
    """`downgraded` for the exponents of a 4×4 position, unpacked again."""
    board = int(downgraded(np.array(cells, np.uint8)))
    return tuple(board >> 4 * cell & 15 for cell in range(16))
