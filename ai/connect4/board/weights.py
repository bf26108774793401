"""What the heuristic `lines` counts lines and columns by, for every board.

A line counts by its kind: level, rising or upright, and its lowest row. Which rows are whose matters, because a player
who must play where it would rather not, when all other columns are full, gives away the cell above: with an even number
of cells beside a column, the first player gets its first, third, fifth ... cell and the second the others (Allis, *A
knowledge-based approach of connect-four*, 1988). A column counts by what the threats in it mean
(`ai.connect4.board.board.column_kind`).

For two players and four in a row the points are fitted by logistic regression, a hundred for a factor of e in the odds of
the first player to win: on flat boards of six rows to exact values of 7×6, on deep ones of four and five rows to the
results of games of alpha-beta with itself on (4,4,4,4) and (5,5,5,4), in positions without a threat that can be carried
out. On all other boards a line counts `GROWTH` times as much with every stone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from game.rules.connect4 import Shape

GROWTH = 4
_GOOD_THREAT = 32
"""Points of a column whose lowest threat that decides is a player's, where nothing is fitted."""
LINE_KINDS = 24


class Weights(NamedTuple):
    """Points, by the places of `ai.connect4.board.board`."""

    lines: npt.NDArray[np.int64]
    """(LINE_KINDS, 6 seats, 8): [kind, seat, stones]."""
    columns: npt.NDArray[np.int64]
    """(16,) by kind of column, for the first of two players."""
    first_rows: int
    """Mask of the rows that the first of two players gets in the end; 0 with more players."""
    tempo: int
    """Points of having the move."""


class _Fitted(NamedTuple):
    lines: dict[tuple[int, int], tuple[int, int, int, int, int, int]]
    """(kind, lowest row) -> points of 1, 2, 3 stones of the first player, and of the second."""
    columns: tuple[int, ...]
    tempo: int


LEVEL, RISING, UPRIGHT = range(3)


def line_kind(shape: Shape, line: Sequence[int]) -> int:
    """The number of a line's kind, below `LINE_KINDS`."""
    rows = sorted(cell // shape.columns for cell in line)
    upright = len({cell % shape.columns for cell in line}) == 1
    kind = UPRIGHT if upright else RISING if rows[0] < rows[-1] else LEVEL
    return kind * 8 + rows[0]


def weights(shape: Shape) -> Weights:
    """The points for a board."""
    lines = np.zeros((LINE_KINDS, 6, 8), np.int64)
    lines[:, :, 1 : shape.win] = [GROWTH**stones for stones in range(shape.win - 1)]
    columns = np.zeros(16, np.int64)
    if shape.players > 2:
        return Weights(lines, columns, 0, 0)
    even = shape.rows * (shape.columns - 1) % 2 == 0
    first_rows = 0b01010101 if even else 0b10101010
    fitted = _FITTED.get((shape.rows, shape.depth > 1)) if shape.win == 4 else None
    if fitted is None:
        if shape.rows % 2 == 0:
            columns[4:8], columns[8:12] = _GOOD_THREAT, -_GOOD_THREAT
        return Weights(lines, columns, first_rows, 0)
    for (kind, row), points in fitted.lines.items():
        lines[kind * 8 + row, 0, 1:4], lines[kind * 8 + row, 1, 1:4] = points[:3], points[3:]
    columns[:] = fitted.columns
    return Weights(lines, columns, first_rows, fitted.tempo)


_FITTED = {
    (4, True): _Fitted(
        {
            (0, 0): (17, 44, 0, 14, 28, 0),
            (0, 1): (18, 34, -11, 20, 38, 58),
            (0, 2): (15, 47, 36, 18, 25, 15),
            (0, 3): (4, -1, -65, 4, 14, -25),
            (1, 0): (14, 28, -17, 10, 14, 22),
            (2, 0): (-1, 10, 0, -4, 7, 0),
        },
        (0, -57, 57, 38, 167, 0, 389, 0, -29, -326, -2, 70, 58, 47, 210, 28),
        30,
    ),
    (5, True): _Fitted(
        {
            (0, 0): (26, 61, 0, 27, 65, 0),
            (0, 1): (11, 32, 50, 7, 30, 32),
            (0, 2): (5, 19, 48, 1, 8, 25),
            (0, 3): (6, 8, 32, -3, -4, 61),
            (0, 4): (2, 18, 0, 7, -5, 45),
            (1, 0): (-2, 10, 22, 4, 14, 20),
            (1, 1): (2, 26, 10, 9, 41, 39),
            (2, 0): (10, 31, 0, 1, 26, 0),
            (2, 1): (-7, 46, 0, -14, 35, 0),
        },
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        82,
    ),
    (6, False): _Fitted(
        {
            (0, 0): (198, 145, 0, 0, 218, 0),
            (0, 1): (28, 59, -32, 35, 120, 128),
            (0, 2): (73, 110, -9, 20, 45, 6),
            (0, 3): (-7, 32, 13, 47, 44, 38),
            (0, 4): (17, 54, 26, 11, 17, 65),
            (0, 5): (8, 20, 21, 0, 32, 29),
            (1, 0): (21, 28, 40, 2, 39, 55),
            (1, 1): (20, 52, -12, 3, 25, 23),
            (1, 2): (18, 25, 18, -3, 3, 13),
            (2, 0): (22, 5, 0, -29, -3, 0),
            (2, 1): (5, -19, 0, -13, -9, 0),
            (2, 2): (50, -20, 0, -36, 5, 0),
        },
        (0, -94, 60, 13, 185, -18, 320, 160, -65, -244, -52, 93, 10, -101, 214, 124),
        76,
    ),
}
"""(rows, whether it is deep) -> points."""
