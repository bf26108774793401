"""The letters of a board: rows of XSB or run-length text to an array, and back."""

from collections.abc import Sequence

import numpy as np

from game.rules import level_rle, sokoban
from game.rules.level_data import LevelError, too_large

CODES = {"#": 1, "$": 2, ".": 3, "@": 4, "*": 5, "+": 6, " ": 0, "-": 0, "_": 0}
XSB = "".join(CODES)
RUNS = XSB + "0123456789()|"
"""The letters of a row with runs; a string stripped of them is empty where it holds nothing else."""

_LETTERS = " #$.@*+"
_MAX_EXPANDED = sokoban.MAX_SIDE * (sokoban.MAX_SIDE + 1)


def is_runs(text: str) -> bool:
    """Whether a row is written in runs: made of their letters, and not of XSB letters alone."""
    return not text.strip(RUNS) and bool(text.strip(XSB))


def written_out(text: str) -> list[str]:
    """The rows of a line of runs; raises ValueError where it cannot be read."""
    rows = level_rle.expand(text.strip(), _MAX_EXPANDED).split("|")
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    return rows


def array_of(lines: Sequence[str], source: str, line: int | None) -> sokoban.Board:
    """The board on some lines of a file, ragged rows padded with floor.

    Args:
        lines: XSB rows and lines of runs, mixed as they come.
        source: the name of the file.
        line: the number of the first line; None where errors can name none. Errors name the line itself.

    Raises:
        LevelError: larger than 64×64, a letter that means nothing, or runs that cannot be read.
    """
    rows: list[tuple[int | None, str]] = []
    for number, text in enumerate(lines):
        at = None if line is None else line + number
        if not is_runs(text):
            rows.append((at, text.rstrip()))
            continue
        try:
            rows += [(at, row.rstrip()) for row in written_out(text)]
        except ValueError as error:
            raise LevelError(source, at, str(error)) from None
    height, width = len(rows), max((len(row) for _at, row in rows), default=0)
    if height > sokoban.MAX_SIDE or width > sokoban.MAX_SIDE or not width:
        raise LevelError(source, line, too_large(height, width) if width else "the board is empty")
    array = np.zeros((height, width), dtype=np.int8)
    for row, (at, text) in enumerate(rows):
        try:
            array[row, : len(text)] = [CODES[letter] for letter in text]
        except KeyError as error:
            raise LevelError(source, at, f"{error.args[0]!r} means nothing on a board") from None
    return array


def rows_of(array: sokoban.Board) -> list[str]:
    """The rows as XSB text, without blanks at their ends; a row of floor alone is a single `-`."""
    rows = ("".join(_LETTERS[code] for code in row).rstrip() for row in array)
    return [row or "-" for row in rows]


def runs_of(array: sokoban.Board) -> str:
    """The board as one line of runs."""
    return "|".join(level_rle.shorten(row.replace(" ", "-")) for row in rows_of(array))
