"""Trainings of n-tuple networks for connect-4: they learn, and go on exactly where they were."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from ai import models, trainers
from ai.agent import Thinking
from ai.connect4.board.baselines import RandomAgent
from ai.connect4.ntuple.agent import NTuple
from ai.connect4.ntuple.training import NTupleTraining
from ai.tensors import ModelError
from game.rules import connect4
from game.rules.connect4 import Shape


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.connect4.exact.labels.cache_root", lambda: tmp_path / "cache")
    monkeypatch.setattr("ai.connect4.exact.corrections._TABLE_BITS", 20)


def trained(seed: int = 7, checkpoint: Path | None = None, **settings: object) -> NTupleTraining:
    training = NTupleTraining(settings, seed, checkpoint)
    assert training.advance(600.0, Thinking())
    return training


def points(model: Path, shape: Shape, games: int) -> float:
    """Share of the points against random players, from every seat in turn."""
    agent, other, found = NTuple(model), RandomAgent(), 0.0
    other.new_game(3)
    for number in range(games):
        state = connect4.start(shape)
        while connect4.outcome(state) is None:
            player = agent if state.to_move == number % shape.players else other
            state = connect4.apply(state, player.plan(state, Thinking()).actions[0])
        found += 1 / shape.players if state.winner is None else state.winner == number % shape.players
    return found / games


@pytest.mark.parametrize(
    ("board", "players", "least"),
    [("4x4x1x3", 2, 0.9), ("3x3x3x3", 2, 0.9), ("4x5x1x3", 3, 0.6), ("3x3x2x3", 4, 0.4)],
)
def test_it_learns_from_its_own_games(board: str, players: int, least: float, tmp_path: Path) -> None:
    training = trained(board=board, players=players, games=1500, walks=8, length=5)
    figures = training.figures()
    path = tmp_path / "own.safetensors"
    training.save_model(path, "own", "command")
    reached = points(path, training.shape, 60)
    print(board, players, figures, reached)
    assert figures["games"] == 1500
    assert reached > least


def test_it_learns_from_labels() -> None:
    whole = NTupleTraining({"board": "4x5x1x4", "walks": 8, "games": 0, "roots": 4, "passes": 4}, 7)
    kept, over = [], False
    while not over:
        before = whole.games
        over = whole.advance(1e-6, Thinking())
        if whole.games > before:
            kept.append(whole.figures()["kept"])
    print(kept)
    assert len(kept) == 16
    assert np.mean(kept[-4:]) > np.mean(kept[:4]) > 0.5


def test_going_on_from_a_checkpoint_is_the_same_as_never_having_stopped(tmp_path: Path) -> None:
    settings = {"board": "4x5x1x4", "walks": 4, "length": 4, "games": 200, "roots": 3, "passes": 2, "corrected": 3}
    whole = trained(**settings)
    whole.save_checkpoint(tmp_path / "whole")
    part = NTupleTraining(settings, 7)
    stops = 0
    while not part.advance(1e-4, Thinking()):
        part.save_checkpoint(tmp_path / "part")
        part = NTupleTraining({}, 0, tmp_path / "part")
        stops += 1
    part.save_checkpoint(tmp_path / "part")
    assert stops > 2
    one, other = load_file(tmp_path / "whole"), load_file(tmp_path / "part")
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name]), name
    assert part.seed == 7 and part.games == whole.games == 209
    with pytest.raises(ValueError, match="keeps it"):
        NTupleTraining({"walks": 5}, 7, tmp_path / "part")
    with pytest.raises(ModelError):
        NTupleTraining({}, 7, tmp_path / "nothing")


def test_more_games_may_be_played_than_were_planned(tmp_path: Path) -> None:
    settings = {"board": "4x5x1x4", "walks": 4, "length": 4, "games": 100, "roots": 2, "passes": 1}
    trained(**settings).save_checkpoint(tmp_path / "begun")
    more = trained(checkpoint=tmp_path / "begun", games=300)
    more.save_model(tmp_path / "more.safetensors", "more", "command")
    card = models.check(tmp_path / "more.safetensors")
    print(card.rule)
    assert more.games == 302
    assert card.rule.endswith("300 games, exact labels of 2 roots, 1 passes")
    with pytest.raises(ValueError, match="games=50: more than that are played"):
        NTupleTraining({"games": 50}, 7, tmp_path / "begun")


def test_a_run_leaves_a_model_a_checkpoint_and_a_log(tmp_path: Path) -> None:
    model = tmp_path / "some.safetensors"
    training = NTupleTraining({"board": "3x3x1x3", "games": 60, "walks": 2, "length": 4}, 1)
    trainers.run(training, model, "the command", Thinking())
    card = models.check(model)
    print(card)
    assert (card.board, card.shapes, card.games, card.seed) == ("3x3x1x3 for 2", "2 walks of 4", 60, 1)
    assert card.command == "the command" and "60 games" in card.rule
    assert trainers.checkpoint_of(model).is_file()
    assert (tmp_path / "some.csv").read_text().startswith("seconds,games,moves")


def test_labels_are_for_boards_that_can_be_solved() -> None:
    with pytest.raises(ValueError, match="depth 1"):
        NTupleTraining({"board": "4x4x4x4", "roots": 1}, 1)
    with pytest.raises(ValueError, match=r"corrected=9: .*depth 1"):
        NTupleTraining({"board": "4x4x4x4", "corrected": 9}, 1)
    with pytest.raises(ValueError, match="board"):
        NTupleTraining({"board": "0x4x4x4"}, 1)
