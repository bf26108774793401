"""The tuples of n-tuple networks: names, notation, sizes of their tables; and their stages. Imports no numba.

A tuple is up to six cells of a board of 3×3 to 5×5, numbered row by row from the top left and written as the digits 0
to 9 and a to o: on 4×4, `0145` is the 2×2 square in the corner. Its table has a weight for every way to fill the cells
with the contents that are told apart.
"""

from collections.abc import Sequence
from itertools import pairwise

MAX_CELLS = 6
MAX_TUPLES = 16
MAX_STAGES = 8
CONTENTS: dict[int, int] = {3: 11, 4: 16, 5: 18}
"""Contents of a cell that are told apart, by the size of the board: empty, and 2 to 1024 on 3×3, where no larger tile
can be made; to 32768 on 4×4, where a cell has four bits; to 131072 on 5×5. A larger tile is taken for the largest."""
_DIGITS = "0123456789abcdefghijklmno"

Tuples = tuple[tuple[int, ...], ...]

SHAPES: dict[str, str] = {
    "5x4": "0123 4567 0145 1256 569a",
    "4x5": "01234 45678 01245 45689",
    "4x6": "012345 456789 012456 45689a",
    "5x6": "012345 456789 012456 45689a 89abcd",
    "8x6": "012456 456789 012345 234569 01259a 345678 134567 01489a",
}
"""Sets of tuples of 4×4 boards by their names, number × cells (Szubert, Jaśkowski 2014; Jaśkowski 2016; Guei, Chen, Wu
2021)."""

SHAPES_OF: dict[int, dict[str, str]] = {
    3: {
        "3x5": "01234 01345 13457",
        "4x6": "012345 012346 012347 012456",
        "8x6": "012345 012346 012347 012356 012467 013457 013458 014567",
    },
    4: SHAPES,
    5: {
        "6x4": "0156 1267 67bc 0123 5678 abcd",
        "6x5": "01234 56789 abcde 01256 12367 567ab",
        "4x6": "012567 123678 567abc 678bcd",
    },
}
"""The sets of each size of boards, by the length of a side."""
LARGEST = 15
"""Exponent of the largest tile of a packed board."""
SIZES = tuple(SHAPES_OF)


def parse_tuples(text: str, size: int = 4) -> Tuples:
    """The tuples written as `0123 4567 …`, cells ascending.

    Args:
        text: The tuples.
        size: Of the board's side, one of `SIZES`.

    Raises:
        ValueError: with one clear sentence.
    """
    words = text.split()
    if not 1 <= len(words) <= MAX_TUPLES:
        raise ValueError(f"a network has 1 to {MAX_TUPLES} tuples, not {len(words)}")
    digits = _DIGITS[: size * size]
    found = []
    for word in words:
        if len(word) > MAX_CELLS or any(letter not in digits for letter in word):
            raise ValueError(f"{word[:20]!r} is no tuple: expected 1 to {MAX_CELLS} cells written 0 to {digits[-1]}")
        cells = tuple(map(digits.index, word))
        if any(cell >= following for cell, following in pairwise(cells)):
            raise ValueError(f"{word!r} is no tuple: its cells must be ascending")
        found.append(cells)
    return tuple(found)


def format_tuples(tuples: Tuples) -> str:
    """The inverse of `parse_tuples`."""
    return " ".join("".join(_DIGITS[cell] for cell in cells) for cells in tuples)


def table_sizes(tuples: Tuples, size: int = 4) -> tuple[int, ...]:
    """Weights in the table of each tuple on boards of that size: one for each filling, and a few more to full eights."""
    return tuple(-(-(CONTENTS[size] ** len(cells)) // 8) * 8 for cells in tuples)


def parse_stages(text: str) -> tuple[int, ...]:
    """The sums of all tiles at which later stages begin, written as `16384 24576`; none for one stage.

    Raises:
        ValueError: with one clear sentence.
    """
    words = text.split()
    if len(words) >= MAX_STAGES or not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise ValueError(f"{text[:40]!r}: expected at most {MAX_STAGES - 1} sums of tiles, such as '16384 24576'")
    stages = tuple(int(word) for word in words)
    if any(stage >= following for stage, following in pairwise((0, *stages))):
        raise ValueError(f"{text[:40]!r}: the sums at which stages begin must be ascending")
    return stages


def format_stages(stages: Sequence[int]) -> str:
    """The inverse of `parse_stages`."""
    return " ".join(str(stage) for stage in stages)
