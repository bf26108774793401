"""Games of a network whose positions are solved exactly."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from ai.agent import Thinking
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.exact.corrections import Corrections
from ai.connect4.exact.labels import FULL
from ai.connect4.exact.solver import Solver, new_table
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules import connect4
from game.rules.connect4 import Shape, State

SHAPE = Shape(4, 5, 1, 4)


@pytest.fixture(autouse=True)
def _small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.connect4.exact.corrections._TABLE_BITS", 20)


class Player:
    """Plays by chance and remembers where it was asked."""

    def __init__(self) -> None:
        self.random, self.met = Random(3), list[tuple[State, int]]()

    def __call__(self, state: State) -> int:
        self.met.append((state, self.random.choice(connect4.legal_actions(state))))
        return self.met[-1][1]


def exact(state: State) -> list[int]:
    """What every column is worth, by full scores of a search of its own."""
    table = new_table(20)
    assert table is not None
    solver, found = Solver(SHAPE, table), [FULL] * SHAPE.columns
    for column, child in solver.moves(*words(state)).items():
        if not solver.begin(*child):
            while not solver.narrow():
                continue
        found[column] = int(np.sign(-solver.low))
    return found


def wins_at_once(state: State) -> bool:
    return any(connect4.apply(state, move).winner is not None for move in connect4.legal_actions(state))


def test_errors_are_labelled_and_the_labels_are_those_of_full_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.connect4.exact.corrections._ANYWAY", 0.0)
    player, made = Player(), Corrections(SHAPE, 5)
    right = asked = 0
    for _ in range(3):
        player.met.clear()
        played = made.play(player, 0.2, 2, Thinking())
        assert played is not None
        errors = []
        for state, favourite in player.met:
            signs = exact(state)
            asked += 1
            if signs[favourite] == max(sign for sign in signs if sign != FULL):
                right += 1
            else:
                errors.append((list(words(state)), signs))
        found = [
            (list(position), row)
            for position, row in zip(played.positions.tolist(), played.signs.tolist(), strict=True)
        ]
        assert found == errors[::-1]
        assert not any(wins_at_once(state) for state, _ in player.met)
    assert made.figure() == pytest.approx(right / asked)
    assert 0 < right < asked
    assert made.figure() == 0


def test_some_others_are_labelled_as_well() -> None:
    player, made = Player(), Corrections(SHAPE, 5)
    found = [made.play(player, 0.2, 2, Thinking()) for _ in range(20)]
    assert all(each is not None for each in found)
    labelled = sum(len(each.positions) for each in found if each is not None)
    assert len(player.met) * (1 - made.figure()) < labelled < len(player.met)


def test_a_game_that_was_ended_is_played_again() -> None:
    whole, broken, over = Corrections(SHAPE, 5), Corrections(SHAPE, 5), Thinking()
    over.cancel()
    assert broken.play(Player(), 0.4, 3, over) is None
    assert broken.games == 0
    wanted, found = (each.play(Player(), 0.4, 3, Thinking()) for each in (whole, broken))
    assert wanted is not None
    assert found is not None
    assert found.positions.tolist() == wanted.positions.tolist()


def test_a_checkpoint_brings_everything_back(tmp_path: Path) -> None:
    made = Corrections(SHAPE, 5)
    for _ in range(2):
        assert made.play(Player(), 0.3, 3, Thinking()) is not None
    write_whole(tmp_path / "kept", made.arrays(), {})
    again = Corrections(SHAPE, 5)
    with TensorFile(tmp_path / "kept") as file:
        again.restore(file, made.games)
    one, other = (each.lesson(Player(), 0.3, 3, None, 50, Thinking()) for each in (made, again))
    assert one is not None
    assert other is not None
    for mine, theirs in zip(one, other, strict=True):
        assert (mine == theirs).all()
    assert len(one[0]) > 50


@pytest.mark.parametrize("signs", [np.zeros((2, 5), np.uint8), np.full((3, 5), 77, np.uint8)])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, signs: np.ndarray) -> None:
    write_whole(tmp_path / "bad", {"corrected": np.zeros((3, 2), np.uint64), "corrections": signs}, {})
    with TensorFile(tmp_path / "bad") as file, pytest.raises(ModelError):
        Corrections(SHAPE, 5).restore(file, 1)
