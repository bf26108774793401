"""`experiment connect4-report`: tiny, it leaves every table and plot; stopped, it goes on; contests count right."""

import importlib.util
import json
import signal

import pytest

from ai import kernels, stopping
from ai.agent import Plan, Thinking
from ai.connect4.report.training import QLearning
from game.play.asking import load_kernels
from game.rules import connect4
from game.studies.connect4 import figures, learner, parts, report, times
from game.studies.connect4.contests import Contest, Shares, difference, play, standard_error
from game.studies.connect4.parts import FLAT, THREE, Openings, searcher
from game.studies.kept import FILE, Kept

NAME = "connect4-report"
needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")


@pytest.fixture
def tiny(monkeypatch):
    """One opening of every contest, two depths, trainings of 400 games."""
    monkeypatch.setattr(parts, "OPENINGS", Openings(1, (1, 1), 1, 1, 1, 1))
    monkeypatch.setattr(parts, "SHARES_OF_RANDOM", (0.0, 1.0))
    monkeypatch.setattr(parts, "SHARES_FROM_EMPTY", (0.0,))
    monkeypatch.setattr(parts, "DUEL_DEPTHS_OF_THREE", (2,))
    for module in (parts, times):
        monkeypatch.setattr(module, "DEPTHS", (1, 2))
    monkeypatch.setattr(times, "GAMES", 1)
    monkeypatch.setattr(learner, "GAMES", 4_000)
    monkeypatch.setattr(learner, "OPENINGS", 1)


def without_times(tables):
    """What must be the same in every run."""
    return {
        name: [row[:9] if name == "learning" else row for row in table["rows"]]
        for name, table in tables.items()
        if name != "time-per-move"
    }


@needs_matplotlib
def test_a_tiny_study_leaves_every_table_and_plot_and_goes_on_after_a_stop(run, tmp_path, tiny, monkeypatch):
    found = run("experiment", NAME, "--out", tmp_path / "whole", "--quick", "--json", "--seed", 2).json
    print({key: value for key, value in found.items() if key != "tables"})
    parts = 4 + 4 + 8 + 10 + 4 + 2 + 2 + 2
    assert found["done"] == found["parts"] == parts
    written = {path.name for path in (tmp_path / "whole").iterdir()}
    assert FILE not in written and written == {path.split("/")[-1] for path in found["files"]}
    assert {name for name in written if name.endswith(".png")} == {
        "random-moves.png", "by-depth.png", "three-players.png", "learning-curve.png", "master-random.png", "time-per-move.png",
    }  # fmt: skip
    tables = found["tables"]
    for name, table in tables.items():
        print(name, table["rows"][:2])
        assert table["rows"] and all(len(row) == len(table["head"]) for row in table["rows"])
    assert [row[-1] for row in tables["random-moves"]["rows"]] == [figures.UNWEAKENED, None]
    times = tables["time-per-move"]["rows"]
    assert [row[3] for row in times] == pytest.approx([1.15, 8.01])
    assert [row[7] for row in times] == pytest.approx([1.15, 4.69])
    assert all(row[1] > 0 and row[5] > 0 for row in times)

    play_contest = report.contest

    def press(contest, *rest):
        if contest.shape.players == 3:
            stopping.receive(signal.SIGINT)
        return play_contest(contest, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(report, "contest", press)
        stopped = run("experiment", NAME, "--out", tmp_path / "twice", "--quick", "--seed", 2)
    print(stopped.err)
    assert stopped.code == 130 and f"the tables hold 16 of {parts} parts" in stopped.err
    page = (tmp_path / "twice" / "results.md").read_text(encoding="utf-8")
    assert "16 of 36 parts" in page and "by-depth.png" not in page and "three-players" not in page
    kept = (tmp_path / "twice" / FILE).read_bytes()
    again = run("experiment", NAME, "--out", tmp_path / "twice", "--quick", "--json", "--seed", 2)
    assert "16 parts are done" in again.err and len(json.loads(kept)["parts"]) == 16
    assert without_times(again.json["tables"]) == without_times(tables)
    assert not (tmp_path / "twice" / FILE).exists()


def test_every_seating_is_played_once():
    twice = Contest(THREE, "a", ("b", "b"), 5)
    print(twice.orders)
    assert twice.orders == ((0, 1, 2), (1, 0, 2), (1, 2, 0)) and twice.games == 15
    assert len(Contest(THREE, "a", ("b", "c"), 1).orders) == 6
    assert len(Contest(THREE, "b", ("b", "b"), 1).orders) == 3, "the control is told apart from its copies"
    assert Contest(FLAT, "a", ("b",), 1).orders == ((0, 1), (1, 0))
    assert Contest(FLAT, "a", ("b",), 1, begins=True).orders == ((0, 1),)


def test_shares_are_counted_by_opening_and_by_seat():
    one = Shares(((1.0, 0.0, 1.0), (1.0, 1.0, 1.0)), (0, 1, 2))
    two = Shares(((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)), (0, 1, 2))
    print(one.by_opening, one.by_seat, one.mean, one.error)
    assert one.by_opening == pytest.approx((2 / 3, 1)) and one.by_seat == (1.0, 0.5, 1.0) and one.games == 6
    assert one.mean == pytest.approx(5 / 6) and one.error == pytest.approx(1 / 6)
    assert difference(one, two) == pytest.approx((1 / 3, 0))
    assert standard_error([0.5]) == 0.0


def test_both_sides_of_a_duel_share_every_game():
    """No agent here has luck of its own, so from the same openings the same games come."""
    load_kernels(kernels.units("connect4"))
    pair = searcher("complex", 2), searcher("ibef2", 2)
    heard = []
    shares = []
    for subject, other in (pair, pair[::-1]):
        contest = Contest(FLAT, subject, (other,), 6)
        shares.append(contest.shares(play(contest, 3, Thinking(), heard.append)))
    print([each.points for each in shares])
    assert heard == [2] * 12
    for ours, theirs in zip(shares[0].points, shares[1].points, strict=True):
        assert [a + b for a, b in zip(ours, theirs[::-1], strict=True)] == [1.0, 1.0]
    assert len({each for one in shares for each in one.points}) > 1, "the openings differ"


def test_a_cancelled_contest_has_no_points():
    load_kernels(kernels.units("connect4"))
    thinking = Thinking()
    contest = Contest(FLAT, "random", ("random",), 3)
    assert play(contest, 0, thinking, lambda _games: thinking.cancel()) is None


def test_a_curve_is_of_one_training(monkeypatch):
    load_kernels(kernels.units("connect4"))
    monkeypatch.setattr(learner, "GAMES", 600)
    monkeypatch.setattr(learner, "OPENINGS", 1)
    heard = []
    found = learner.study("with master", False, 5, Thinking(), heard.append)
    curve = found["curve"]
    games = [row[0] for row in curve]
    print(curve[:3], curve[-1], found["states"], found["known"])
    assert games == list(range(3, 601, 3)) and sum(heard) == learner.games(False)["with master"]
    whole = QLearning({"games": 600, "master": True}, 5)
    while not whole.advance(1.0, Thinking()):
        pass
    assert whole.states == found["states"] and curve[-1][1] == whole.figures()["cumulative_win_rate"]
    assert set(found["points"]) == set(learner.FALLBACKS)
    assert 0 < found["known"] <= 1 and 0 < found["look_up"] < 1


def test_parts_are_kept_for_the_same_study_only(tmp_path):
    settings = {"study": NAME, "quick": True, "seed": 1}
    kept = Kept(tmp_path, settings)
    kept["one"] = [[1.0, 0.5]]
    kept["two"] = {"three": 3}
    del kept["two"]
    assert dict(Kept(tmp_path, settings)) == {"one": [[1.0, 0.5]]}
    assert not Kept(tmp_path, settings | {"seed": 2})
    for damaged in (b"", b"[]", b'{"settings": 1}', kept._file.read_bytes()[:-5]):
        kept._file.write_bytes(damaged)
        assert not Kept(tmp_path, settings)
    kept.clear()
    kept.clear()
    assert not list(tmp_path.iterdir()) and not kept


def test_a_stop_ends_the_move_that_is_being_thought_about():
    whole, asked = Thinking(), []

    class Slow:
        def new_game(self, seed):
            pass

        def plan(self, state, thinking):
            asked.append(thinking)
            if len(asked) == 2:
                assert not thinking.cancelled
                whole.cancel()
                assert thinking.cancelled, "an agent in the middle of a move hears of it"
            return Plan((connect4.legal_actions(state)[0],))

    contest = Contest(FLAT, "random", ("random",), 3)
    found = play(contest, 0, whole, lambda _games: None, Slow())
    print(found, len(asked))
    assert found is None and len(asked) == 2, "the game is not played to its end"
