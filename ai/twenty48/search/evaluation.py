"""The hand-made evaluation of a 2048 board: a sum over its rows and columns.

Each line is worth something for empty cells, for neighbours about to merge and, on the outer lines, for large tiles;
it costs something for tiles that do not fall from one end to the other, for unequal neighbours and for clutter.
"Large" is a power of the exponent, so that the big tiles decide. On 4×4 the worth of all 65536 rows is kept in a table
(outer lines first), on other boards it is computed; both are the same function.

The weights were found by evolution on two-move look-ahead games of 4×4, on seeds used for nothing else.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells
from ai.twenty48.board.packed import ROW, U16, U32, U48, Board, transpose

EXPONENTS = 64
"""Length of the tables of powers: no board can hold a larger exponent."""

LineTable = npt.NDArray[np.float32]
"""float32 (2, 65536): worth of an outer (0) and an inner (1) packed row."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation is made of. Every field is positive; the terms that cost are subtracted."""

    empty: float = 300.0
    """For each empty cell of a line."""
    merge: float = 690.0
    """For each pair of equal tiles that would meet."""
    falling: float = 73.5
    """Times the sum of rises of exponent ** falling_power against the better of the two directions."""
    falling_power: float = 2.21
    clutter: float = 6.2
    """Times the sum of exponent ** clutter_power: many tiles cost more than one large one."""
    clutter_power: float = 3.28
    rough: float = 33.5
    """For each step in exponent between neighbouring tiles."""
    edge: float = 9.9
    """Times the sum of exponent ** edge_power on an outer line."""
    edge_power: float = 1.89
    loss: float = 82_700.0
    """A board without a legal move is worth this much less."""

    def numbers(self) -> Numbers:
        """(empty, merge, falling, clutter, rough, edge, loss) as float64 (7,), for the kernels."""
        return np.array([self.empty, self.merge, self.falling, self.clutter, self.rough, self.edge, self.loss])

    def powers(self) -> Numbers:
        """Powers of the exponents: ** falling_power, ** clutter_power and ** edge_power as float64 (3, 64)."""
        exponents = np.arange(EXPONENTS, dtype=np.float64)
        return np.stack([exponents**power for power in (self.falling_power, self.clutter_power, self.edge_power)])


@kernel
def line_worth(
    cells: Cells, first: int, step: int, size: int, outer: bool, numbers: Numbers, powers: Numbers
) -> np.float32:
    """The worth of the line of `size` cells from `first` on, `step` apart; the same read backwards."""
    empty = merges = 0
    rough = clutter = rises = falls = edge = 0.0
    last = np.int64(0)  # the tile before, gaps left out
    before = np.int64(0)  # the cell before
    for i in range(size):
        exponent = np.int64(cells[first + i * step])
        if exponent == 0:
            empty += 1
        else:
            clutter += powers[1, exponent]
            edge += powers[2, exponent]
            if exponent == last:
                merges += 1
            elif last:
                rough += abs(exponent - last)
            last = exponent
        if i:
            change = powers[0, exponent] - powers[0, before]
            if change > 0:
                rises += change
            else:
                falls -= change
        before = exponent
    worth = empty * numbers[0] + merges * numbers[1] - rough * numbers[4] - clutter * numbers[3]
    worth -= min(rises, falls) * numbers[2]
    if outer:
        worth += edge * numbers[5]
    return np.float32(worth)


@kernel
def build_lines(table: LineTable, numbers: Numbers, powers: Numbers) -> None:
    """Fill the table of all packed rows."""
    cells = np.zeros(4, np.uint8)
    for row in range(65536):
        for i in range(4):
            cells[i] = (row >> (4 * i)) & 15
        table[0, row] = line_worth(cells, 0, 1, 4, True, numbers, powers)
        table[1, row] = line_worth(cells, 0, 1, 4, False, numbers, powers)


@kernel
def evaluate_packed(board: Board, table: LineTable) -> np.float64:
    """The worth of a 4×4 board, the same for its eight symmetries up to rounding."""
    turned = transpose(board)
    return np.float64(
        np.float64(table[0, board & ROW])
        + table[1, (board >> U16) & ROW]
        + table[1, (board >> U32) & ROW]
        + table[0, board >> U48]
        + table[0, turned & ROW]
        + table[1, (turned >> U16) & ROW]
        + table[1, (turned >> U32) & ROW]
        + table[0, turned >> U48]
    )


@kernel
def evaluate_grid(cells: Cells, size: int, numbers: Numbers, powers: Numbers) -> np.float64:
    """The worth of a board of any size."""
    worth = np.float64(0.0)
    for line in range(size):
        outer = line == 0 or line == size - 1
        worth += line_worth(cells, line * size, 1, size, outer, numbers, powers)
        worth += line_worth(cells, line, size, size, outer, numbers, powers)
    return worth
