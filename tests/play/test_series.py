"""Many games of one agent: the process that plays them, and what is reckoned of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.agent import Plan, Thinking
from ai.entries import Spec
from game.play.twenty48 import series_job
from game.play.twenty48.series import BINS, Game, Series
from game.rules import twenty48


def series(*games: tuple[int, int]) -> Series:
    """Of (score, largest tile)."""
    made = [Game(seed, score, tile, 100, 0.5) for seed, (score, tile) in enumerate(games)]
    return Series(Spec("random"), 4, 10, made)


def test_mean_error_shares_and_speed():
    found = series((1000, 128), (3000, 256), (2000, 64), (2000, 128))
    assert found.mean == 2000
    assert found.error == pytest.approx((2_000_000 / 3) ** 0.5 / 2)
    assert found.reached() == [(256, 0.25), (128, 0.75), (64, 1.0)]
    assert found.moves_per_second == pytest.approx(200.0)
    assert found.histogram() == (1000, 200, [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1])


def test_before_the_first_game_there_is_nothing_to_tell():
    empty = series()
    assert (empty.mean, empty.error, empty.moves_per_second, empty.reached()) == (0.0, None, None, [])
    assert series((500, 64)).error is None


@given(st.lists(st.integers(0, 4_000_000), min_size=1, max_size=40))
def test_every_game_stands_in_one_column(scores):
    first, width, counts = series(*((score, 64) for score in scores)).histogram()
    print(scores, first, width, counts)
    assert sum(counts) == len(scores) and len(counts) <= BINS and first % width == 0
    for number, count in enumerate(counts):
        low = first + number * width
        assert count == sum(low <= score < low + width for score in scores)


def test_the_table_has_a_line_for_each_game():
    lines = series((1000, 128), (3000, 256)).table().splitlines()
    assert lines[0] == "agent,size,seed,score,largest_tile,moves,seconds"
    assert lines[1:] == ["random,4,0,1000,128,100,0.5", "random,4,1,3000,256,100,0.5"]


class First:
    """Plays the first legal slide; knows no `play_many`."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: twenty48.State, thinking: Thinking) -> Plan:
        return Plan(twenty48.legal_actions(state)[:1])


def test_the_process_says_every_game_by_the_plain_rules(monkeypatch, capsys):
    monkeypatch.setattr("ai.catalogue.create", lambda game, spec: First())
    said = json.dumps({"id": "random", "settings": {}, "model": None})
    assert series_job.main([said, "3", "2"]) == 0
    games = [game for game in map(json.loads, capsys.readouterr().out.splitlines()) if "score" in game]
    for seed, game in enumerate(games):
        state = twenty48.start(3, seed)
        while actions := twenty48.legal_actions(state):
            state = twenty48.apply(state, actions[0])
        print(twenty48.draw(state))
        assert (game["seed"], game["score"], game["tile"]) == (seed, state.score, 1 << max(state.cells))
    assert len(games) == 2


def test_a_model_that_is_not_there_is_refused_in_one_line(capsys):
    said = json.dumps({"id": "ntuple", "settings": {}, "model": "nowhere"})
    assert series_job.main([said, "4", "1"]) == 2
    assert "nowhere" in json.loads(capsys.readouterr().out)["refused"]
