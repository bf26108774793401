"""The n-tuple network of the report this project grew from: its patterns, their tables, its first values. No numba.

Eight patterns (cells row by row as hexadecimal digits), each looked up in the eight symmetric positions of the board.
A cell has 14 contents: empty, and 2 to 8192; a larger tile counts as 8192. So a table of k cells has 14**k weights,
15,788,976 in all. Every weight begins at 10.

In memory the tables are addressed by four bits a cell, 16**k places of which 14**k are used: twice as fast as to
multiply by 14, for twice the room. Files hold the 14**k weights only.
"""

import numpy as np
import numpy.typing as npt

from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes

SHAPES = "0123 4567 012456 5679ab 0145 1256 569a 0126a"
PATTERNS = parse_tuples(SHAPES)
NAMES = (
    "row 1",
    "row 2",
    "2×3 top left",
    "2×3 bottom right",
    "2×2 top left",
    "2×2 top middle",
    "2×2 middle",
    "L",
)
"""Of the patterns, for people."""
VALUES = 14
"""Contents of a cell that are told apart."""
INITIAL = 10.0
"""What every weight is at first."""
SIZES = tuple(VALUES ** len(cells) for cells in PATTERNS)
"""Weights of each pattern."""
PLACES = table_sizes(PATTERNS)
"""Places of each pattern in memory."""


def tables(weights: npt.NDArray[np.generic]) -> list[npt.NDArray[np.generic]]:
    """The used weights of each pattern, (14, …, 14), as views into `weights`, (sum of 16**cells,)."""
    found = []
    begin = 0
    for cells, size in zip(PATTERNS, PLACES, strict=True):
        whole = weights[begin : begin + size].reshape((16,) * len(cells))
        found.append(whole[(slice(VALUES),) * len(cells)])
        begin += size
    return found
