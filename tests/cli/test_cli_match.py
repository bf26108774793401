"""`match`: counts add up, seats change, openings are shared, replays play, and nobody can cheat."""

import random
from collections import Counter

import pytest

from ai.connect4.alphabeta.balance import decided
from game.cli import match_seats, match_solo
from game.rules import connect4, replay, twenty48
from game.rules.connect4 import Shape


def test_twenty48_in_the_documented_form(run, tmp_path):
    words = ("match", "2048", "--agent", "expectimax,depth=1", "--agent", "random", "--games", 3, "--seed", 5)
    found = run(*words, "--record", tmp_path / "kept", "--json").json
    assert (found["game"], found["games"]) == ("2048", 3)
    assert [each["agent"] for each in found["agents"]] == ["expectimax,depth=1", "random"]
    for seat, each in enumerate(found["agents"], 1):
        assert {"agent", "games", "mean", "stderr", "max_tile", "moves", "moves_per_second"} <= set(each)
        assert sum(each["max_tile"].values()) == each["games"] == 3
        files = sorted((tmp_path / "kept").glob(f"2048-*-{seat}-*.json"))
        kept = [replay.read(file) for file in files]
        assert [game.seed for game in kept] == [5, 6, 7]
        ends = [replay.states(game)[-1] for game in kept]
        assert sum(len(game.steps) for game in kept) == each["moves"]
        assert sum(end.score for end in ends) / 3 == pytest.approx(each["mean"])
        assert all(twenty48.outcome(end) for end in ends)
    assert found["agents"][0]["mean"] > found["agents"][1]["mean"]
    again = run(*words, "--json").json
    assert [each["mean"] for each in again["agents"]] == [each["mean"] for each in found["agents"]]


def test_the_share_of_games_that_reach_each_tile_is_told():
    tally = match_solo.Tally(twenty48.GAME, "some")
    tally.scores = [10, 20, 30, 40]
    tally.reached.update({1024: 1, 16384: 1, 32768: 1, 131072: 1})
    found = tally.summary()["reached"]
    print(found)
    assert found == {
        "2048": 0.75, "4096": 0.75, "8192": 0.75, "16384": 0.75, "32768": 0.5, "65536": 0.25, "131072": 0.25,
    }  # fmt: skip
    assert match_solo.Tally(twenty48.GAME, "other", [5], Counter({65536: 1})).summary()["reached"]["65536"] == 1


def test_one_by_one_the_agents_play_the_same_games(run):
    words = ("match", "2048", "--agent", "expectimax,depth=1", "--games", 1, "--size", 3, "--json")
    whole, single = run(*words).json, run(*words, "--time-per-move", 5).json
    assert whole["agents"][0]["mean"] == single["agents"][0]["mean"]


def test_connect4_seats_rotate(run, tmp_path):
    words = ("match", "connect4", "--agent", "alphabeta,depth=4", "--agent", "random", "--agent", "random")
    found = run(*words, "--board", "4,4,2,4", "--games", 6, "--record", tmp_path, "--json").json
    assert (found["game"], found["games"], found["board"], found["players"]) == ("connect4", 6, "4,4,2,4", 3)
    for each in found["agents"]:
        keys = {"agent", "games", "wins", "draws", "losses", "share", "stderr", "by_seat", "seconds_per_move"}
        assert keys <= set(each)
        assert each["games"] == each["wins"] + each["draws"] + each["losses"] == 6
        assert [seat["games"] for seat in each["by_seat"]] == [2, 2, 2]
        assert each["share"] == pytest.approx((each["wins"] + each["draws"] / 3) / 6)
    assert sum(each["share"] for each in found["agents"]) == pytest.approx(1)
    games = [replay.read(file) for file in sorted(tmp_path.glob("*.json"))]
    assert [game.seats.index("alphabeta,depth=4") for game in games] == [0, 1, 2, 0, 1, 2]
    wins = 0
    for game in games:
        winner = replay.states(game)[-1].winner
        wins += winner is not None and game.seats[winner] == "alphabeta,depth=4"
    assert wins == found["agents"][0]["wins"]


def test_every_opening_is_played_from_every_seat(run, tmp_path):
    words = ("match", "connect4", "--agent", "random", "--agent", "random", "--openings", 5, "--games", 5)
    ran = run(*words, "--record", tmp_path, "--json")
    assert ran.json["games"] == 6
    assert "6 games" in ran.err
    starts = [replay.read(file).setup["position"] for file in sorted(tmp_path.glob("*.json"))]
    print(starts)
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3
    assert all(len(start) == 5 for start in starts)


def test_seats_are_kept_where_that_is_asked_for(run):
    agents = ("--agent", "alphabeta,depth=2", "--agent", "random")
    ran = run("match", "connect4", *agents, "--games", 4, "--keep-seats", "--json")
    print([agent["by_seat"] for agent in ran.json["agents"]])
    assert [[seat["games"] for seat in agent["by_seat"]] for agent in ran.json["agents"]] == [[4, 0], [0, 4]]


def test_a_strong_agent_wins_as_text(run):
    ran = run("match", "connect4", "--agent", "alphabeta,depth=5", "--agent", "random", "--games", 4)
    print(ran.out)
    assert ran.code == 0
    assert "100.0%" in ran.out
    text = run("match", "2048", "--agent", "random", "--games", 1)
    print(text.out)
    assert "1 game each on 4×4" in text.out


def test_openings_that_are_decided_are_left_out(run, tmp_path):
    words = ("match", "connect4", "--board", "5,5,5,4", "--agent", "random", "--agent", "random", "--openings", 4)
    seen = []
    for option in ((), ("--balanced",)):
        folder = tmp_path / str(len(option))
        ran = run(*words, *option, "--games", 8, "--seed", 3, "--record", folder, "--json")
        assert ran.code == 0 and ran.json["balanced"] is bool(option)
        assert all(each["longest_move"] >= each["seconds_per_move"] for each in ran.json["agents"])
        games = [replay.read(file) for file in sorted(folder.glob("*.json"))]
        seen.append([decided(replay.initial(game)) for game in games[::2]])
    print(seen)
    assert any(seen[0]) and not any(seen[1])


def test_balanced_openings_are_for_two_and_for_openings(run):
    agents = ("--agent", "random") * 3
    assert run("match", "connect4", *agents, "--openings", 2, "--balanced").code == 2
    assert run("match", "connect4", *agents[:4], "--balanced").code == 2
    assert run("match", "2048", *agents[:2], "--balanced").code == 2


def test_an_opening_leaves_the_game_open():
    shape = Shape(3, 3, 1, 3)
    for seed in range(40):
        state = match_seats.opening(connect4.start(shape), 6, random.Random(seed), None)
        print(connect4.format_moves(state))
        assert len(state.moves) == 6
        assert connect4.outcome(state) is None


@pytest.mark.parametrize("moves", [((4, 0, 1),), ((0, 0, 1),), ()])
def test_cheating_at_2048_is_noticed(run, monkeypatch, moves):
    class Cheat:
        def new_game(self, seed):
            pass

        def play_many(self, state, count, thinking):
            slide = twenty48.slide(state, 0) or twenty48.slide(state, 1)
            cell, _exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
            empty = [each for each, exponent in enumerate(slide.cells) if not exponent and each != cell]
            action = 0 if twenty48.slide(state, 0) else 1
            return tuple((action if first == 0 else first, empty[0], 1) for first, *_ in moves)

    monkeypatch.setattr(match_solo, "make", lambda *_: Cheat())
    ran = run("match", "2048", "--agent", "random", "--games", 1)
    print(ran.err)
    assert ran.code == 1
    assert "random" in ran.err
