"""Lines of boards of any size, remembered: what a row or column becomes and is worth, for `ai.twenty48.search.grid_search`.

A line is a 64-bit number, eight bits a cell, so that a line of up to eight cells is looked up at once. The same few
thousand lines come again and again in a search; each is slid and evaluated when it is first met, and stays until
another needs its place. Nothing depends on what is remembered, except time.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, slide
from ai.twenty48.search.evaluation import Numbers, line_worth

Line = np.uint64

ASIS, LEFT, RIGHT = range(3)
"""Indices into both tables of `Lines`: the line itself, slid to its first cell, slid to its last."""
OUTER, INNER = range(2)
"""Indices into the worths: of a line on the edge of the board and of another."""

_ENTRIES_BITS = 14
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(64 - _ENTRIES_BITS)
_BYTE = np.uint64(255)
_NO_LINE = np.uint64(2**64 - 1)

Known = npt.NDArray[np.uint64]
"""uint64 (entries, 3)."""
Worths = npt.NDArray[np.float64]
"""float64 (entries, 3, 2)."""


class Lines(NamedTuple):
    """What is known of lines of one length, and what it takes to find out. Kernels take the fields one by one."""

    size: int
    known: Known
    worths: Worths
    numbers: Numbers
    powers: Numbers
    scratch: npt.NDArray[np.uint8]
    """(2, 64): a board of one line, and the same slid."""


def make_lines(size: int, numbers: Numbers, powers: Numbers) -> Lines:
    """Nothing known yet of lines of `size` cells (about 1.2 MB)."""
    entries = 1 << _ENTRIES_BITS
    known = np.full((entries, 3), _NO_LINE, np.uint64)
    return Lines(size, known, np.zeros((entries, 3, 2)), numbers, powers, np.zeros((2, 64), np.uint8))


@kernel
def cell_of(line: Line, cell: int) -> Line:
    """The exponent in a cell of a line."""
    return (line >> np.uint64(8 * cell)) & _BYTE


@kernel
def slot_of(line: Line) -> np.uint64:
    """The place of a line in the tables. Look whether it is there, and `learn` it where it is not."""
    return np.uint64((line * _FACTOR) >> _SHIFT)


@kernel
def learn(
    line: Line,
    size: int,
    known: Known,
    worths: Worths,
    numbers: Numbers,
    powers: Numbers,
    scratch: npt.NDArray[np.uint8],
) -> None:
    """Slide and evaluate a line and put it into its place in the tables."""
    slot = slot_of(line)
    cells, after = scratch[0], scratch[1]
    for cell in range(size):
        cells[cell] = cell_of(line, cell)
    for way in range(3):
        after[:] = cells
        if way != ASIS:
            slide(cells, size, 3 if way == LEFT else 1, after)
        slid = np.uint64(0)
        for cell in range(size):
            slid |= np.uint64(after[cell]) << np.uint64(8 * cell)
        known[slot, way] = slid
        for edge in range(2):
            worths[slot, way, edge] = line_worth(after, 0, 1, size, edge == OUTER, numbers, powers)


@kernel
def read_lines(cells: Cells, size: int, board: npt.NDArray[np.uint64]) -> None:
    """Write the rows of a board into `board[0]` and its columns into `board[1]` (uint64 (2, 8))."""
    for line in range(size):
        row = column = np.uint64(0)
        for cell in range(size):
            row |= np.uint64(cells[line * size + cell]) << np.uint64(8 * cell)
            column |= np.uint64(cells[cell * size + line]) << np.uint64(8 * cell)
        board[0, line] = row
        board[1, line] = column
