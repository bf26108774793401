"""What the panel of 2048 says of the four slides: their points, apart from the rest of their values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import twenty48
from game.rules.twenty48 import parse_position
from game.views.twenty48 import worth

BOARD = """
2 2 4 4
0 0 0 8
0 0 0 8
0 0 0 2
"""
STATE = parse_position(BOARD)
POINTS = {0: 16, 1: 12, 2: 16, 3: 12}
"""Of BOARD: up and down merge the eights, left and right the twos and the fours."""


def test_the_points_of_each_slide_are_those_of_the_rules():
    print(BOARD)
    assert worth.rewards(STATE) == POINTS


def test_values_in_points_leave_what_is_still_expected():
    values = {0: 116.0, 1: 212.0, 2: 66.0}
    bars = {bar.label: bar for bar in worth.bars(STATE, values, "points")}
    print(BOARD, bars)
    assert [bars[way].now for way in ("up", "right", "down", "left")] == ["+16", "+12", "+16", ""]
    assert [bars[way].shown for way in ("up", "right", "down", "left")] == ["100", "200", "50", "–"]
    assert [way for way, bar in bars.items() if bar.best] == ["right"]
    # 12 of the 146 points between the lowest and the highest bar
    assert bars["right"].now_share == pytest.approx((1 - worth.LEAST) * 12 / 146)
    assert bars["left"].share is None


def test_a_rating_is_no_sum_with_points():
    values = {0: -116.0, 1: -212.0}
    bars = {bar.label: bar for bar in worth.bars(STATE, values, "rating")}
    assert (bars["up"].shown, bars["up"].now, bars["up"].now_share) == ("-116", "+16", 0.0)


@pytest.mark.parametrize(
    ("value", "shown"), [(152_115.0, "152,115"), (-52_115.0, "-52,115"), (-152_115.0, "-152 k"), (1.26e6, "1.3 M")]
)
def test_a_value_has_room_beside_its_bar(value, shown):
    bars = {bar.label: bar.shown for bar in worth.bars(STATE, {0: value}, "rating")}
    print(bars)
    assert bars["up"] == shown


@given(
    st.lists(st.integers(0, 12), min_size=16, max_size=16),
    st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4),
    st.sampled_from(("points", "reward and rating", "rating")),
)
def test_bars_stay_within_their_places(cells, numbers, kind):
    state = twenty48.State(4, tuple(cells), 0, 0, 0)
    values = {action: numbers[action] for action in twenty48.legal_actions(state)}
    bars = worth.bars(state, values, kind)
    print(twenty48.draw(state), values, bars)
    assert sum(bar.best for bar in bars) == (1 if values else 0)
    for bar in bars:
        if bar.share is not None:
            assert 0 <= bar.now_share <= bar.share <= 1.0
