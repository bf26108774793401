"""The tuples of n-tuple networks on 4×4 boards: names, notation, sizes of their tables. Imports no numba.

A tuple is up to six cells, numbered row by row from the top left and written as hexadecimal digits: `0145` is the 2×2
square in the corner. Its table has a weight for every way to fill the cells with 16 different tiles (or none).
"""

from itertools import pairwise

MAX_CELLS = 6
MAX_TUPLES = 16
TILES = 16
"""Contents of a cell that are told apart: empty, and 2 to 32768."""

Tuples = tuple[tuple[int, ...], ...]

SHAPES: dict[str, str] = {
    "5x4": "0123 4567 0145 1256 569a",
    "4x5": "01234 45678 01245 45689",
    "4x6": "012345 456789 012456 45689a",
}
"""Sets of tuples by their names, number × cells (Szubert, Jaśkowski 2014; Guei, Chen, Wu 2021)."""


def parse_tuples(text: str) -> Tuples:
    """The tuples written as `0123 4567 …`, cells ascending.

    Raises:
        ValueError: with one clear sentence.
    """
    words = text.split()
    if not 1 <= len(words) <= MAX_TUPLES:
        raise ValueError(f"a network has 1 to {MAX_TUPLES} tuples, not {len(words)}")
    found = []
    for word in words:
        if len(word) > MAX_CELLS or any(letter not in "0123456789abcdef" for letter in word):
            raise ValueError(f"{word[:20]!r} is no tuple: expected 1 to {MAX_CELLS} cells written 0 to f")
        cells = tuple(int(letter, 16) for letter in word)
        if any(cell >= following for cell, following in pairwise(cells)):
            raise ValueError(f"{word!r} is no tuple: its cells must be ascending")
        found.append(cells)
    return tuple(found)


def format_tuples(tuples: Tuples) -> str:
    """The inverse of `parse_tuples`."""
    return " ".join("".join(f"{cell:x}" for cell in cells) for cells in tuples)


def table_sizes(tuples: Tuples) -> tuple[int, ...]:
    """Weights in the table of each tuple."""
    return tuple(TILES ** len(cells) for cells in tuples)
