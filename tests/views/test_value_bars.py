"""How full bars are: nearly equal values have nearly equal bars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.views.value_bars import FLOOR, LEAST, spread, value_bars


def test_a_difference_of_a_third_of_a_percent_is_a_sliver() -> None:
    values = {0: 1000.0, 1: 997.0}
    bars = value_bars(values, ((0, "left"), (1, "right")), 0, str)
    print(bars)
    assert bars[0].share == 1.0 and 0.95 < (bars[1].share or 0) < 1.0


@pytest.mark.parametrize(("high", "low"), [(1000.0, 900.0), (1000.0, 10.0), (1.0, -1.0), (-900.0, -1000.0)])
def test_values_a_tenth_apart_and_more_use_the_whole_length(high: float, low: float) -> None:
    share = spread({0: high, 1: low})
    assert share(high) == 1.0 and share(low) == pytest.approx(LEAST)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=7))
def test_lengths_are_in_the_order_of_values_and_grow_no_faster_than_a_tenth_allows(numbers: list[float]) -> None:
    values = dict(enumerate(numbers))
    share, largest = spread(values), max(abs(number) for number in numbers)
    print(values)
    for one in numbers:
        assert LEAST - 1e-9 <= share(one) <= 1.0
        for two in numbers:
            assert one > two or share(one) <= share(two)
            if largest > 1e-9:
                assert abs(share(one) - share(two)) <= (1 - LEAST) * abs(one - two) / (FLOOR * largest) + 1e-6


def test_equal_values_are_all_full() -> None:
    assert spread({0: 0.0, 1: 0.0})(0.0) == 1.0 and spread({})(3.0) == 1.0
