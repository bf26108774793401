"""Flat connect-4 boards as two 64-bit words, and the kernels that every exact search is made of.

A column takes R + 1 bits, lowest cell first, its uppermost bit always 0: cell (row, col) is bit `col * (R + 1) + row`, so
that shifts by 1, R, R + 1 and R + 2 step along the four directions and never wrap around. A position is `pos`, the
stones of the side to move, and `mask`, all stones. `pos + mask` is different for every position: it is the position's
key, and 0 for the empty board.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from ai.jit import kernel
from game.rules.connect4 import Shape

Words = npt.NDArray[np.uint64]

# --- a board's constants, as one array ----------------------------------------------------------------------------

BOARD, BOTTOM, LEADING, FOLLOWING, HEIGHT, COLUMNS, CELLS, ORDER = range(8)
"""Places in `geometry`. LEADING and FOLLOWING: cells an odd and an even number of cells below the top. ORDER: there
and in the places after it the columns' masks, the inner ones first."""


@lru_cache(maxsize=64)
def geometry(shape: Shape) -> Words:
    """The constants of a board that `bitboard_shape.why_not` lets pass."""
    height = shape.rows + 1
    column = (1 << shape.rows) - 1
    bottom = sum(1 << (col * height) for col in range(shape.cols))
    leading = sum(1 << row for row in range(shape.rows) if (shape.rows - 1 - row) % 2)
    made = [
        column * bottom,
        bottom,
        leading * bottom,
        (column ^ leading) * bottom,
        height,
        shape.cols,
        shape.cells,
        *(column << (col * height) for col in inner_first(shape.cols)),
    ]
    return np.array(made, np.uint64)


def inner_first(columns: int) -> list[int]:
    """The columns from the middle outwards."""
    return sorted(range(columns), key=lambda col: (abs(2 * col - columns + 1), col))


# --- kernels ------------------------------------------------------------------------------------------------------


def _popcount(_typing: Any, _word: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount = cast("Callable[[np.uint64], np.uint64]", intrinsic(_popcount))
"""Bits set in a word, by the processor's own instruction; for kernels only."""


@kernel
def has_four(stones: np.uint64, height: np.uint64) -> bool:
    """Whether four of the stones stand in a row."""
    one = np.uint64(1)
    pair = stones & (stones >> one)
    found = pair & (pair >> np.uint64(2))
    for step in (height - one, height, height + one):
        pair = stones & (stones >> step)
        found |= pair & (pair >> (step + step))
    return bool(found != np.uint64(0))


@kernel
def winning_cells(stones: np.uint64, height: np.uint64) -> np.uint64:
    """Cells that complete four in a row with the stones; occupied cells and the spare row may be among them."""
    one = np.uint64(1)
    found = (stones << one) & (stones << np.uint64(2)) & (stones << np.uint64(3))
    for step in (height - one, height, height + one):
        up = stones << step
        down = stones >> step
        two_up = up & (stones << (step + step))
        two_down = down & (stones >> (step + step))
        found |= two_up & ((stones << (step + step + step)) | down)
        found |= two_down & ((stones >> (step + step + step)) | up)
    return found


@kernel
def mirrored(word: np.uint64, height: np.uint64, columns: np.uint64) -> np.uint64:
    """The word with its columns in reverse."""
    field = (np.uint64(1) << height) - np.uint64(1)
    low = np.uint64(0)
    high = (columns - np.uint64(1)) * height
    while low < high:
        apart = high - low
        changed = (word ^ (word >> apart)) & (field << low)
        word ^= changed | (changed << apart)
        low += height
        high -= height
    return word
