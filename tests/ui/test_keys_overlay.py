"""The list of keys fits into the smallest window on every screen."""

import pytest

from game.ui.keys_overlay import FRAME, LINE, _card_width, _columns, _fitting
from game.ui.theme import Theme


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


@pytest.mark.parametrize(("size", "scale"), [((1280, 800), 1.25), ((1920, 1080), 1.69), ((2560, 1440), 2.0)])
def test_words_have_room_in_large_text(size, scale):
    rows = (("Ctrl Shift C", "Copy the command line of this training"),) * 9
    blocks = tuple((f"{number}", rows) for number in range(6))
    fits, most = _fitting("dark", scale, size, blocks)
    theme = Theme("dark", fits)
    columns, high = _columns([(title, list(lines)) for title, lines in blocks], most)
    wide = (_card_width(theme, size[0], len(columns)) - (len(columns) + 1) * theme.px(24)) // len(columns)
    print(fits, most, wide)
    assert 1.0 <= fits <= scale
    assert theme.font().size(rows[0][1])[0] <= wide - theme.px(108)
    assert high * theme.px(LINE) <= size[1] - theme.px(FRAME)
