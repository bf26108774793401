"""Trainings: they learn, they go on exactly where they were, and they leave a log, a checkpoint and a model."""

import csv
import importlib.util
import json
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from ai import models, trainers
from ai.agent import Thinking
from ai.tensors import ModelError, TensorFile
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple import training as ntuple_training
from ai.twenty48.ntuple.episode import SCORE, TOTAL
from ai.twenty48.ntuple.training import NTupleTraining, Settings
from game.rules import twenty48

RANDOM_MEAN = 1_100
"""What random moves reach."""


def trained(seed: int = 7, checkpoint: Path | None = None, **settings: object) -> NTupleTraining:
    training = NTupleTraining(settings, seed, checkpoint)
    assert training.advance(600.0, Thinking())
    return training


def state_of(training: NTupleTraining, folder: Path) -> dict[str, np.ndarray]:
    path = folder / "state.safetensors"
    training.save_checkpoint(path)
    return load_file(path)


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_two_thousand_games_are_worth_more_than_three_times_random_play() -> None:
    training = trained(games=2_000)
    figures = training.figures()
    print(figures)
    assert figures["games"] == training.games == 2_000
    assert figures["mean_score"] > 3 * RANDOM_MEAN
    assert figures["reached_2048"] > 0.05
    assert figures["td_error"] > 0


def test_going_on_from_a_checkpoint_is_the_same_as_never_having_stopped(tmp_path: Path) -> None:
    whole = trained(games=600, alpha=0.8)
    first = trained(games=300, alpha=0.8)
    path = tmp_path / "half.checkpoint.safetensors"
    first.save_checkpoint(path)
    second = trained(seed=0, checkpoint=path, games=300)
    assert second.settings == Settings(alpha=0.8, games=300) and second.seed == 7
    expected, found = state_of(whole, tmp_path), state_of(second, tmp_path)
    print(whole.games, second.games, whole.moves, second.moves)
    assert expected.keys() == found.keys()
    for name in expected:
        assert np.array_equal(expected[name], found[name]), name


def test_a_game_cut_in_the_middle_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of 37 moves, a checkpoint in the middle of a game: the same weights as in one go."""
    whole = trained(games=40)
    monkeypatch.setattr(ntuple_training, "_SLICE_MOVES", 37)
    path = tmp_path / "cut.checkpoint.safetensors"
    training = NTupleTraining({"games": 40}, 7)
    cuts = 0
    while not training.advance(0.0, Thinking()):
        cuts += 1
        if cuts % 50 == 0:
            training.save_checkpoint(path)
            left = 40 - training.games
            training = NTupleTraining({"games": left}, 7, path)
    print(cuts, training.games)
    assert cuts > 100 and training.games == 40
    expected, found = state_of(whole, tmp_path), state_of(training, tmp_path)
    assert all(np.array_equal(expected[name], found[name]) for name in expected if name != "errors")


@pytest.mark.parametrize(
    "settings",
    [
        {"rule": "td", "lam": 0.5},
        {"rule": "td-backward", "restart": True},
        {"rule": "otd", "optimistic": 5_000.0, "final": 0.5, "fading": 300},
        {"lam": 0.5, "stages": "200 500", "carousel": True},
    ],
)
def test_every_rule_learns_and_goes_on_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    monkeypatch.setattr(ntuple_training, "_SLICE_MOVES", 1_000)
    given = {"tuples": "0123 0145", **settings}
    whole = NTupleTraining({**given, "games": 400}, 7)
    for _ in range(20):
        whole.advance(0.0, Thinking())  # a slice at a time
    middle = tmp_path / "middle.checkpoint.safetensors"
    whole.save_checkpoint(middle)
    assert 0 < whole.games < 400
    other = NTupleTraining({**given, "games": 400 - whole.games}, 0, middle)
    assert other.settings.td_games == whole.settings.td_games
    assert whole.advance(600.0, Thinking()) and other.advance(600.0, Thinking())
    expected, found = state_of(whole, tmp_path), state_of(other, tmp_path)
    for name in expected:
        np.testing.assert_array_equal(expected[name], found[name], err_msg=name)
    figures = whole.figures()
    print(figures)
    assert figures["mean_score"] > RANDOM_MEAN
    assert whole.settings.sentence()


def test_every_board_is_worth_the_first_value(tmp_path: Path) -> None:
    training = NTupleTraining({"optimistic": 320_000.0}, 1)
    weights = state_of(training, tmp_path)["weights"]
    assert 5 * 8 * weights == pytest.approx(320_000.0)


def test_stages_can_be_added_and_none_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "one.checkpoint.safetensors"
    first = trained(games=200, tuples="0123 0145", stages="300")
    first.save_checkpoint(path)
    weights = state_of(first, tmp_path)["weights"]
    more = NTupleTraining({"stages": "300 600", "lam": 0.5, "games": 200}, 0, path)
    found = state_of(more, tmp_path)["weights"]
    assert len(found) == 3 * 2 * 65536 and np.isnan(found[2 * 2 * 65536 :]).all()
    np.testing.assert_array_equal(found[: len(weights)], weights)
    assert more.advance(600.0, Thinking())
    assert np.isfinite(state_of(more, tmp_path)["weights"][2 * 2 * 65536 :]).sum() > 100
    with pytest.raises(ValueError, match="none taken away"):
        NTupleTraining({"stages": "600"}, 0, path)


def test_later_stages_may_begin_with_nothing_and_keep_to_that(tmp_path: Path) -> None:
    path, model = tmp_path / "one.checkpoint.safetensors", tmp_path / "one.safetensors"
    first = trained(games=200, tuples="0123 0145")
    first.save_checkpoint(path)
    more = NTupleTraining({"stages": "300", "promote": False, "games": 200}, 0, path)
    assert not state_of(more, tmp_path)["weights"][2 * 65536 :].any(), "nothing is known there yet"
    assert more.advance(600.0, Thinking())
    assert state_of(more, tmp_path)["weights"][2 * 65536 :].any()
    more.save_checkpoint(path)
    more.save_model(model, "one", "train")
    for known, wanted in ((path, {"promote": True}), (model, {"promote": True})):
        with pytest.raises(ValueError, match="keeps it"):
            NTupleTraining(wanted, 0, known)
    again = NTupleTraining({}, 0, model)
    print(again.settings)
    assert not again.settings.promote and np.isfinite(state_of(again, tmp_path)["weights"]).all()


def test_weights_hardly_learned_are_left_out_of_the_model_and_kept_in_the_checkpoint(tmp_path: Path) -> None:
    training = trained(games=300, tuples="0123 0145")
    path = tmp_path / "all.safetensors"
    training.save_model(path, "all", "train")
    every = ntuple_model.read(path).weights
    state = state_of(training, tmp_path)
    training.settings = replace(training.settings, least=5_000.0)
    training.save_model(path, "some", "train")
    some = ntuple_model.read(path).weights
    hardly = state["sums"].reshape(-1, 2)[:, 1] < 5_000
    print(np.count_nonzero(every), np.count_nonzero(some), hardly.sum())
    assert 0 < np.count_nonzero(some) < np.count_nonzero(every)
    np.testing.assert_array_equal(some, np.where(hardly, 0, every))
    np.testing.assert_array_equal(state_of(training, tmp_path)["weights"], state["weights"])


def test_a_model_is_trained_on_with_sums_that_start_anew(tmp_path: Path) -> None:
    path = tmp_path / "one.safetensors"
    first = trained(games=1_000, stages="300")
    first.save_model(path, "one", "train")
    second = NTupleTraining({"games": 500}, 3, path)
    before, after = state_of(first, tmp_path), state_of(second, tmp_path)
    assert second.settings.tuples == "5x4" and second.settings.stages == "300" and second.games == 1_000
    half = len(before["weights"]) // 2
    assert np.abs(before["weights"][:half] - after["weights"][:half]).max() <= 0.51
    never_learned = np.isnan(before["weights"][half:])
    assert np.isnan(after["weights"][half:][never_learned]).all() and not np.isnan(after["weights"][half:]).all()
    assert second.earlier == "train; "
    assert not after["sums"].any()
    assert second.advance(600.0, Thinking())
    print(first.figures(), second.figures())
    assert second.games == second.goal == 1_500 and second.figures()["mean_score"] > 2_000
    second.save_model(path, "one", "train")
    assert ntuple_model.read(path).card.games == 1_500
    with pytest.raises(ValueError, match="keeps them"):
        NTupleTraining({"tuples": "4x5"}, 3, path)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"rule": "otd"}, "how many games"),
        ({"rule": "td-backward", "lam": 0.5}, "no lambda"),
        ({"final": 0.5}, "over how many games"),
        ({"stages": "16384 100"}, "ascending"),
        ({"stages": "many"}, "sums of tiles"),
        ({"tuples": "01 zz"}, "is no tuple"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        NTupleTraining(settings, 0)


def test_seeds_make_the_difference(tmp_path: Path) -> None:
    def weights(seed: int) -> np.ndarray:
        return state_of(trained(seed, games=20), tmp_path)["weights"]

    assert np.array_equal(weights(1), weights(1))
    assert not np.array_equal(weights(1), weights(2))


def test_threads_share_the_weights_and_play_all_games_once(tmp_path: Path) -> None:
    training = trained(games=301, threads=3)
    found = state_of(training, tmp_path)
    figures = training.figures()
    print(found["head"], figures)
    assert found["head"][:, 0].tolist() == [101, 100, 100]
    assert training.games == 301 and figures["mean_score"] > 2 * RANDOM_MEAN
    assert len({tuple(row[:100]) for row in found["scores"]}) == 3, "each plays games of its own"
    path = tmp_path / "three.checkpoint.safetensors"
    training.save_checkpoint(path)
    assert trained(checkpoint=path, games=2).games == 303


def test_cancelled_it_stops_at_once() -> None:
    thinking = Thinking()
    thinking.cancel()
    training = NTupleTraining({}, 1)
    assert not training.advance(600.0, thinking)
    assert training.moves == 0 and training.goal is None


def test_a_run_leaves_a_log_a_checkpoint_and_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainers, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(trainers, "ROW_SECONDS", 0.0)
    model = tmp_path / "new" / "tiny.safetensors"
    heard: list[trainers.Report] = []
    training = NTupleTraining({"games": 300}, 3)
    figures = trainers.run(training, model, "train 2048 ntuple", Thinking(), heard.append)
    print(figures, len(heard))
    assert figures["games"] == 300 and len(heard) > 3
    assert heard[-1].fraction == 1.0 and heard[-1].eta == 0.0 and heard[-1].games == 300
    assert all(a.games <= b.games for a, b in pairwise(heard))
    rows = rows_of(tmp_path / "new" / "tiny.csv")
    assert list(rows[0]) == ["seconds", *figures] and int(rows[-1]["games"]) == 300
    if importlib.util.find_spec("tensorboard"):
        events = list((tmp_path / "new" / "tiny.tensorboard").iterdir())
        assert len(events) == 1 and b"mean_score" in events[0].read_bytes()
    card = models.card(model)
    assert (card.problem, card.title, card.games, card.seed, card.rule, card.shapes) == (
        None, "tiny", 300, 3, "TC(0), alpha 1", "0123 4567 0145 1256 569a",
    )  # fmt: skip
    learned = state_of(training, tmp_path)["weights"]
    loaded = ntuple_model.load(model)
    wide = loaded.weights.reshape(5, -1) * loaded.steps[:, None]
    assert np.abs(wide.ravel() - learned).max() <= loaded.steps.max() / 2 + 0.01
    again = NTupleTraining({"games": 100}, 0, trainers.checkpoint_of(model))
    trainers.run(again, model, "train 2048 ntuple", Thinking())
    longer = rows_of(tmp_path / "new" / "tiny.csv")
    assert len(longer) > len(rows) and longer[: len(rows)] == rows and longer[-1]["games"] == "400"
    commands = ntuple_model.read(model).card.command.split("; ")
    assert len(commands) == 2 and commands[1] == "train 2048 ntuple"
    assert not list(tmp_path.rglob("*.tmp"))


class Slow:
    """A training of 20 rounds, each of which claims to have taken 25 seconds."""

    goal = 20

    def __init__(self) -> None:
        self.seconds = 0.0
        self.games = 0
        self.earlier = ""
        self.saved: list[tuple[str, float]] = []

    def advance(self, seconds: float, thinking: Thinking) -> bool:
        self.seconds += 25
        self.games += 1
        return self.games == self.goal

    def figures(self) -> trainers.Figures:
        return {"games": self.games}

    def save_checkpoint(self, path: Path, command: str) -> None:
        self.saved.append((path.name, self.seconds))

    def save_model(self, path: Path, title: str, command: str) -> None:
        self.saved.append((path.name, self.seconds))


def test_a_checkpoint_is_written_every_minute_of_learning_and_at_the_end(tmp_path: Path) -> None:
    slow = Slow()
    heard: list[trainers.Report] = []
    trainers.run(slow, tmp_path / "slow.safetensors", "", Thinking(), heard.append)
    print(slow.saved)
    name = "slow.checkpoint.safetensors"
    assert slow.saved == [(name, 75.0 * n) for n in range(1, 7)] + [(name, 500.0), ("slow.safetensors", 500.0)]
    assert [report.eta for report in heard[:2]] == [475.0, 450.0]
    assert len(rows_of(tmp_path / "slow.csv")) == 20


def spoilt(path: Path, texts: dict[str, str] | None = None, **arrays: np.ndarray) -> Path:
    """The checkpoint with other texts and arrays."""
    with TensorFile(path) as file:
        merged = {**file.metadata, **(texts or {})}
    save_file({**load_file(path), **arrays}, path, merged)
    return path


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"format": "trilogic-model"}, "no checkpoint"),
        ({"version": "1"}, "no checkpoint"),
        ({"settings": "{}x"}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "tuples": "9x9"})}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "threads": 10**9})}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "threads": 2})}, "expected type and shape"),
        ({"settings": json.dumps({**asdict(Settings()), "tuples": "4x5"})}, "expected type and shape"),
        ({"settings": json.dumps({**asdict(Settings()), "stages": "9 8"})}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "rule": "otd"})}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "stages": "9"})}, "expected type and shape"),
        ({"settings": json.dumps({**asdict(Settings()), "lam": 0.5})}, "expected type and shape"),
        ({"games_before": "-1"}, "settings in its header"),
        ({"seed": "-1"}, "settings in its header"),
        ({"seconds": "nan"}, "settings in its header"),
    ],
)
def test_spoilt_checkpoints_are_refused(tmp_path: Path, texts: dict[str, str], reason: str) -> None:
    path = tmp_path / "one.checkpoint.safetensors"
    trained(games=1).save_checkpoint(path)
    with pytest.raises(ModelError, match=reason):
        NTupleTraining({}, 0, spoilt(path, texts))


def test_numbers_that_no_training_makes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.checkpoint.safetensors"
    training = trained(games=1)
    training.save_checkpoint(path)
    weights = load_file(path)["weights"]
    weights[5] = np.nan
    with pytest.raises(ModelError, match="no training makes"):
        NTupleTraining({}, 0, spoilt(path, weights=weights))
    training.save_checkpoint(path)
    with pytest.raises(ModelError, match="no training makes"):
        NTupleTraining({}, 0, spoilt(path, head=np.full((1, 10), -1)))
    training.save_checkpoint(path)
    with pytest.raises(ValueError, match="begun with tuples=5x4 and keeps it"):
        NTupleTraining({"tuples": "4x6"}, 0, path)


@pytest.mark.parametrize("settings", [{"tuples": "0123 4567"}, {"size": 3, "tuples": "4x6"}], ids=["4×4", "3×3"])
def test_it_shows_the_position_that_it_plays(settings: dict[str, object]) -> None:
    training = NTupleTraining(settings, 7, None)
    assert training.watch() is None, "nothing is played yet"
    for _ in range(5):
        training.advance(0.01, Thinking())
        state = training.watch()
        if state is None:
            continue  # between two games
        print(twenty48.draw(state))
        head = training._episodes[0].head
        assert (state.size**2, state.score) == (len(state.cells), head[SCORE])
        assert sum(1 << cell for cell in state.cells if cell) == head[TOTAL]
