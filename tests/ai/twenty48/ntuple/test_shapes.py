"""Tuples and stages as text, on boards of 3×3 to 5×5, and the sets that have names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.twenty48.ntuple.shapes import (
    MAX_CELLS,
    SHAPES_OF,
    SIZES,
    format_stages,
    format_tuples,
    parse_stages,
    parse_tuples,
)

NAMED = [(size, name, text) for size, sets in SHAPES_OF.items() for name, text in sets.items()]


def images(cells: tuple[int, ...], size: int) -> frozenset[frozenset[int]]:
    """The sets of cells that a tuple covers in the eight positions of the square."""
    square = np.arange(size * size).reshape(size, size)
    boards = [np.rot90(side, turns).ravel() for side in (square, square.T) for turns in range(4)]
    return frozenset(frozenset(int(board[cell]) for cell in cells) for board in boards)


@pytest.mark.parametrize(("size", "name", "text"), NAMED)
def test_a_named_set_is_as_large_as_its_name_says_covers_the_board_and_repeats_nothing(
    size: int, name: str, text: str
) -> None:
    tuples = parse_tuples(text, size)
    number, cells = map(int, name.split("x"))
    assert (len(tuples), {len(each) for each in tuples}) == (number, {cells})
    assert format_tuples(tuples) == text
    covered = [images(each, size) for each in tuples]
    print(size, name, [len(each) for each in covered])
    assert frozenset().union(*(image for each in covered for image in each)) == set(range(size * size))
    assert len(set(covered)) == number


@pytest.mark.parametrize("size", SIZES)
def test_any_tuples_come_back_from_their_text(size: int) -> None:
    cells = st.sets(st.integers(0, size * size - 1), min_size=1, max_size=MAX_CELLS).map(
        lambda each: tuple(sorted(each))
    )

    @given(st.lists(cells, min_size=1, max_size=16).map(tuple))
    def check(tuples: tuple[tuple[int, ...], ...]) -> None:
        assert parse_tuples(format_tuples(tuples), size) == tuples

    check()


@pytest.mark.parametrize(
    ("size", "text", "reason"),
    [
        (3, "0129", "written 0 to 8"),
        (4, "012g", "written 0 to f"),
        (5, "012p", "written 0 to o"),
        (5, "01 kj", "must be ascending"),
        (5, "0A", "no tuple"),
        (5, "0123456", "1 to 6 cells"),
        (4, "", "1 to 16 tuples, not 0"),
    ],
)
def test_what_is_no_tuple_of_that_board_is_refused(size: int, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_tuples(text, size)


def test_stages_are_ascending_sums_of_tiles() -> None:
    assert parse_stages(" 16384  24576 ") == (16384, 24576)
    assert format_stages((16384, 24576)) == "16384 24576" and parse_stages("") == () and format_stages(()) == ""
    for text in ("0", "5 5", "2 1", "-4", "x", "1.5", "1 2 3 4 5 6 7 8", "1" * 10, "²"):
        with pytest.raises(ValueError, match=r"stages|sums") as caught:
            parse_stages(text)
        print(caught.value)
