"""The list of keys fits into the smallest window on every screen."""

import pytest

from game.ui.keys_overlay import _columns


@pytest.mark.parametrize("sizes", [(5, 2, 16, 15, 10, 7), (5, 10, 9, 1, 5, 10, 4), (1,), (3, 3, 3)])
def test_columns_are_about_as_long_as_each_other(sizes):
    blocks = [(f"{number}", [("", "")] * size) for number, size in enumerate(sizes)]
    for most in (2, 3):
        columns, high = _columns(blocks, most)
        lengths = [sum(len(lines) + 1.5 for _, lines in column) for column in columns]
        print(most, [[heading for heading, _ in column] for column in columns], lengths)
        assert sorted(block for column in columns for block in column) == sorted(blocks)
        assert high == max(lengths)
        assert high <= max(max(sizes) + 1.5, 4 / 3 * sum(len(lines) + 1.5 for _, lines in blocks) / most)
        assert all(
            [int(heading) for heading, _ in column] == sorted(int(heading) for heading, _ in column)
            for column in columns
        )
        assert columns[0][0] == blocks[0], "the first block stands first"
