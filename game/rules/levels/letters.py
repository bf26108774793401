"""The letters of a board: rows of XSB or run-length text to an array, and back.

A text has one letter for a square. With fixed targets `*`, `+` and `%` do not tell whose target is covered, nor by which
box: that is worked out where only one answer makes sense (`sokoban.array.lettered`), and else written beside the board,
square by square in reading order (`covered_of`).
"""

from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from game.rules import sokoban
from game.rules.levels import rle
from game.rules.levels.data import LevelError, too_large
from game.rules.sokoban.array import box_letter, cell, is_cell, lettered, target_letter

CODES = {"#": 1, "$": 2, ".": 3, "@": 4, "*": 5, "+": 6, " ": 0, "-": 0, "_": 0, "&": 12, "%": 14}
XSB = "".join(CODES)
LETTERED = {
    **{letter: cell(sokoban.BOX, box=number) for number, letter in enumerate(ascii_lowercase, 1)},
    **{letter: cell(sokoban.TARGET, target=number) for number, letter in enumerate(ascii_uppercase, 1)},
}
"""Boxes and targets of fixed targets."""
RUNS = XSB + "0123456789()|" + ascii_lowercase + ascii_uppercase
"""The letters of a row with runs; a string stripped of them is empty where it holds nothing else."""
MAX_ROW = 10_000
"""Characters of a line with rows at most: a whole board in runs needs fewer, since what it makes is 64×64 at most."""

_SHOWN = {number: letter for letter, number in (LETTERED | CODES).items()} | {sokoban.EMPTY: " "}
_HIDING = frozenset("*+%")
_SMALL = frozenset(ascii_lowercase)
_RUN_MARKS = frozenset("0123456789()|")
_MAX_EXPANDED = sokoban.MAX_SIDE * (sokoban.MAX_SIDE + 1)
_NUMBERS = {ord(letter): chr(number) for letter, number in CODES.items()}
"""Letters of the plain rules and of two players, for `str.translate`: a character for each square's number."""


def is_runs(text: str) -> bool:
    """Whether a row is written in runs: made of their letters, with a number, a bracket or a row end among them."""
    return bool(text.strip(XSB)) and not text.strip(RUNS) and not _RUN_MARKS.isdisjoint(text)


def has_letters(text: str) -> bool:
    """Whether a row has letters of fixed targets, or others."""
    return any(letter.isalpha() for letter in text)


def written_out(text: str) -> list[str]:
    """The rows of a line of runs; raises ValueError where it cannot be read."""
    if len(text) > MAX_ROW:
        raise ValueError(f"the line has {len(text):,} characters; {MAX_ROW:,} of a board is the most")
    rows = rle.expand(text.strip(), _MAX_EXPANDED).split("|")
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    return rows


def array_of(lines: Sequence[str], source: str, numbers: Sequence[int] | None, fixed: bool = False) -> sokoban.Board:
    """The board on some lines of a file, ragged rows padded with floor.

    Args:
        lines: XSB rows and lines of runs, mixed as they come.
        source: the name of the file.
        numbers: the number of each line in the file; None where errors can name none. Errors name the line itself.
        fixed: whether the file says that targets are fixed. Where it does not, a letter must have its counterpart.

    Raises:
        LevelError: larger than 64×64, a letter that means nothing, or runs that cannot be read.
    """
    rows: list[tuple[int | None, str]] = []
    line = numbers[0] if numbers else None
    for at, text in zip(numbers if numbers is not None else [None] * len(lines), lines, strict=True):
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
    whole = "".join([text.ljust(width) for _at, text in rows])
    letters = set(whole)
    if letters <= CODES.keys():
        plain: sokoban.Board = np.frombuffer(whole.translate(_NUMBERS).encode("ascii"), dtype=np.int8)
        return plain.reshape(height, width).copy()
    known = CODES | {
        letter: LETTERED[letter] for letter in letters & LETTERED.keys() if fixed or _paired(letter, letters)
    }
    array: sokoban.Board = np.zeros((height, width), dtype=np.int16 if letters & LETTERED.keys() else np.int8)
    for row, (at, text) in enumerate(rows):
        try:
            array[row, : len(text)] = [known[letter] for letter in text]
        except KeyError as error:
            raise LevelError(source, at, f"{error.args[0]!r} means nothing on a board") from None
    return array


def _paired(letter: str, letters: set[str]) -> bool:
    """Whether among the letters of a board is the counterpart of one, or a mark that may hide it."""
    return letter.swapcase() in letters or (bool(letters & _HIDING) and bool(letters & _SMALL))


def uncovered(array: sokoban.Board, text: str) -> sokoban.Board:
    """The array with what a `Covered:` line says of the squares `*`, `+` and `%`.

    Args:
        array: shape (rows, cols), without the letters of these squares.
        text: a word for each of them in reading order: `aB` for box a on target B, `B` for a player on target B.

    Raises:
        ValueError: it does not fit the board.
    """
    words = text.split()
    places = _covered(array)
    if len(words) != len(places):
        raise ValueError(f"Covered: has {len(words)} words for {len(places)} squares with something on a target")
    whole: sokoban.Board = array.astype(np.int16)
    for word, place in zip(words, places, strict=True):
        numbers = [LETTERED.get(letter, 0) for letter in word]
        added = sum(number - (number & sokoban.KIND) for number in numbers)
        number = int(array.flat[place]) + added
        if [n & sokoban.KIND for n in numbers] not in (
            [sokoban.BOX, sokoban.TARGET],
            [sokoban.TARGET],
        ) or not is_cell(number):
            raise ValueError(f"Covered: {word[:20]!r} is neither a box on a target nor a target under a player")
        whole.flat[place] = number
    return whole


def covered_of(array: sokoban.Board) -> str:
    """What a `Covered:` line must say for the rows of a board to be read as this board; empty where nothing."""
    cells = array.ravel().tolist()
    if not any(number > sokoban.KIND + sokoban.SECOND for number in cells):
        return ""
    places = _covered(array)
    bare = [cell & (sokoban.KIND + sokoban.SECOND) if at in places else cell for at, cell in enumerate(cells)]
    if lettered(bare) == cells:
        return ""
    return " ".join(
        (ascii_lowercase[box_letter(cells[at]) - 1] if box_letter(cells[at]) else "")
        + ascii_uppercase[target_letter(cells[at]) - 1]
        for at in places
    )


def _covered(array: sokoban.Board) -> list[int]:
    """The squares whose letters a row of text does not tell, in reading order."""
    kinds = (array & sokoban.KIND).ravel()
    return [int(at) for at in np.flatnonzero((kinds == sokoban.BOX_ON_TARGET) | (kinds == sokoban.PLAYER_ON_TARGET))]


def letter_of(number: int) -> str:
    """The letter of a square. Which box stands on which target, and the target under a player, it does not tell."""
    return _SHOWN.get(number) or _SHOWN[number & (sokoban.KIND | sokoban.SECOND)]


def rows_of(array: sokoban.Board) -> list[str]:
    """The rows as XSB text, without blanks at their ends; a row of floor alone is a single `-`."""
    rows = ("".join(map(letter_of, row)).rstrip() for row in array.tolist())
    return [row or "-" for row in rows]


def runs_of(array: sokoban.Board) -> str:
    """The board as one line of runs."""
    return "|".join(rle.shorten(row.replace(" ", "-")) for row in rows_of(array))
