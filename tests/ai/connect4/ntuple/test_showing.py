"""The game that is watched while a training of connect-4 goes on: real, by what was learned, and without any effect."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ai.agent import Thinking
from ai.connect4.ntuple.agent import NTuple
from ai.connect4.ntuple.showing import REST, Showing, column_values
from ai.connect4.ntuple.training import NTupleTraining
from ai.connect4.report.training import QLearning
from ai.trainers import Watched
from game.rules import connect4
from game.rules.connect4 import Shape


def test_a_move_at_every_look_and_a_rest_at_the_end() -> None:
    looks = iter(Showing(Shape(2, 2, 1, 2), lambda state, _random: connect4.legal_actions(state)[0]).look, None)
    seen = ["".join(map(str, next(looks).moves)) for _ in range(3 + REST + 2)]
    print(seen)
    assert seen[:4] == ["0", "00", "001", "001"], "the third stone wins, and the game stays in sight"
    assert seen.index("0", 1) == 2 + REST


@pytest.mark.parametrize(("board", "players"), [("4x4x1x3", 2), ("3x3x2x3", 3)])
def test_plain_values_are_those_of_the_agent(board: str, players: int, tmp_path: Path) -> None:
    training = NTupleTraining({"board": board, "players": players, "walks": 6, "length": 4, "games": 300}, 7)
    assert training.advance(600.0, Thinking())
    path = tmp_path / "values.safetensors"
    training.save_model(path, "values", "command")
    agent, state, random = NTuple(path), connect4.start(training.shape), np.random.default_rng(1)
    while connect4.outcome(state) is None:
        plain = column_values(training._board, training._learned[:, 0], state)
        told = agent.values(state)
        print(connect4.format_moves(state), plain, told)
        assert plain == pytest.approx(told, abs=0.01)
        state = connect4.apply(state, int(random.choice(connect4.legal_actions(state))))


@pytest.mark.parametrize("made", ["ntuple", "qlearning", "qlearning-second-of-three"])
def test_watching_shows_a_game_and_changes_nothing(made: str, tmp_path: Path) -> None:
    def begin() -> NTupleTraining | QLearning:
        if made == "ntuple":
            return NTupleTraining({"board": "4x4x1x3", "walks": 4, "length": 4, "games": 200}, 7)
        extra = {"players": 3, "seat": 2} if "three" in made else {}
        return QLearning({"board": "4x4x1x3", "games": 60, **extra}, 7)

    watched, alone = begin(), begin()
    assert isinstance(watched, Watched)
    states = []
    while not watched.advance(1e-6, Thinking()):
        states += [watched.watch() for _ in range(30)]
    assert alone.advance(600.0, Thinking())
    print([connect4.format_moves(state) for state in states[:30]])
    for before, after in pairwise(states):
        assert after.moves[:-1] == before.moves or after == before or len(after.moves) == 1
    assert any(connect4.outcome(state) is not None for state in states)
    for training, name in ((watched, "watched"), (alone, "alone")):
        training.save_model(tmp_path / name, "same", "command")
    assert (tmp_path / "watched").stat().st_size == (tmp_path / "alone").stat().st_size
    if isinstance(watched, NTupleTraining) and isinstance(alone, NTupleTraining):
        assert np.array_equal(watched._learned, alone._learned)
    if isinstance(watched, QLearning) and isinstance(alone, QLearning):
        assert np.array_equal(watched.table.keys, alone.table.keys)
        assert np.array_equal(watched.table.values, alone.table.values)
