"""Ratings from results: exact for two, right on average for a chain of players, refused where they are open."""

import math
import random

import pytest

from game.play.ratings import ratings


def test_two_players_have_the_difference_of_their_odds() -> None:
    first, (rating, error) = ratings(2, {(0, 1): (100.0, 400)})
    assert first == (0.0, 0.0)
    assert rating == pytest.approx(400 * math.log10(3))
    share = 0.75
    assert error == pytest.approx(400 / math.log(10) / math.sqrt(400 * share * (1 - share)))


def test_ratings_that_games_were_drawn_from_are_found_within_their_errors() -> None:
    true, luck = [0.0, 180.0, 430.0, 600.0, 800.0], random.Random(4)
    results = {}
    for one in range(5):
        for other in range(one + 1, min(one + 3, 5)):
            chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
            results[one, other] = (float(sum(luck.random() < chance for _ in range(2000))), 2000)
    found = ratings(5, results)
    print(found)
    for (rating, error), wanted in zip(found[1:], true[1:], strict=True):
        assert 0 < error < 20 and abs(rating - wanted) < 3.5 * error
    errors = [error for _, error in found]
    assert errors == sorted(errors), "the error grows with the distance from who stands at 0"


def test_one_sided_results_end_far_away_but_end() -> None:
    (_, _), (rating, _) = ratings(2, {(0, 1): (0.5, 1000)})
    assert rating == pytest.approx(400 * math.log10(999.5 / 0.5))


@pytest.mark.parametrize(
    "results",
    [
        {(0, 1): (0.0, 10)},
        {(0, 1): (5.0, 10), (1, 2): (0.0, 10)},
        {(0, 1): (5.0, 10), (2, 3): (5.0, 10)},
    ],
)
def test_results_that_leave_ratings_open_are_refused(results: dict[tuple[int, int], tuple[float, int]]) -> None:
    with pytest.raises(ValueError, match="too few games"):
        ratings(1 + max(other for _, other in results), results)
