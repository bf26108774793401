"""Where things stand, for every size of window and every scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui.display import Look
from game.ui.layout import FOLD_BELOW, layout
from game.ui.theme import Theme

SIZES = st.tuples(st.integers(640, 4000), st.integers(480, 2400))


@given(SIZES, st.sampled_from((0.8, 1.0, 1.1, 1.5, 2.0)), st.booleans())
def test_parts_are_inside_and_apart(size, scale, panel):
    parts = layout(size, Theme("dark", scale), panel)
    shown = f"{size} at {scale}: {parts}"
    assert parts.window.size == size
    boxes = [parts.top, parts.status, parts.board] + ([parts.panel] if panel else [])
    for at, box in enumerate(boxes):
        assert parts.window.contains(box), shown
        assert box.width > 0, shown
        assert box.height > 0, shown
        for other in boxes[at + 1 :]:
            assert not box.colliderect(other), shown
    assert parts.body.top == parts.top.bottom, shown
    assert parts.body.bottom == parts.status.top, shown


@pytest.mark.parametrize(
    ("width", "panel", "folded"), [(800, 56, True), (1023, 56, True), (1024, 280, False), (1280, 320, False)]
)
def test_the_panel_narrows_and_then_folds(width, panel, folded):
    parts = layout((width, 700), Theme("dark", 1.0))
    assert (parts.panel.width, parts.folded) == (panel, folded)


@given(SIZES, st.sampled_from((0.8, 1.0, 1.4, 2.0)))
def test_board_is_larger_than_the_panel(size, scale):
    parts = layout(size, Theme("dark", min(scale, max(1.0, size[0] / 1024))))
    assert parts.board.width > parts.panel.width, parts


@pytest.mark.parametrize("ui_scale", [0.8, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080), (2560, 1440)])
def test_no_chosen_scale_folds_the_panel_of_a_large_window(open_hand, size, ui_scale):
    hand = open_hand(Look(ui_scale=ui_scale), size)
    scale = hand.window.theme.scale
    assert size[0] / scale >= FOLD_BELOW, (size, ui_scale, scale)
    assert size[1] / scale >= 640
    assert scale >= 0.8
    if ui_scale <= 1:
        assert scale <= ui_scale * 1.5
    parts = layout(size, hand.window.theme)
    assert not parts.folded
