"""Games of later stages begin in positions of recorded games."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from ai.agent import Thinking
from ai.twenty48.board.packed import cells_of
from ai.twenty48.ntuple.starts import boards_of
from ai.twenty48.ntuple.training import NTupleTraining
from game.rules import replay, twenty48

STAGES = np.array([20, 26], np.int64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten short games in which the first legal slide is played."""
    for seed in range(10):
        first = state = twenty48.start(4, seed)
        steps = []
        while (actions := twenty48.legal_actions(state)) and len(steps) < 40:
            step, state = replay.chosen(state, actions[len(steps) % len(actions)])
            steps.append(step)
        (tmp_path / f"{seed}.json").write_text(replay.dumps(replay.record(first, steps, seats=("greedy",))), "utf-8")
    return tmp_path


def test_boards_are_the_afterstates_of_the_games_until_the_next_tile(folder: Path) -> None:
    expected = []
    for file in sorted(folder.glob("*.json")):
        game = replay.read(file)
        for state, step in zip(replay.play(game, file.name), game.steps, strict=False):
            assert isinstance(state, twenty48.State)
            slide = twenty48.slide(state, step.action)
            assert slide is not None
            total = sum(2**exponent for exponent in slide.cells if exponent)
            if total >= 20 and max(slide.cells) <= 4:
                expected.append((slide.cells, total))
            elif total >= 20:
                break
    boards, totals = boards_of(str(folder), STAGES)
    found = [(cells_of(int(board)), int(total)) for board, total in zip(boards, totals, strict=True)]
    print(len(found), expected[:2], found[:2])
    assert found == expected and len(found) > 20


def test_a_training_begins_its_late_games_there(folder: Path) -> None:
    settings = {"tuples": "0123", "stages": "20 26", "carousel": True, "late": True, "known": 11, "promote": False}
    training = NTupleTraining({**settings, "replays": str(folder), "games": 50}, 1)
    assert training.advance(60.0, Thinking())
    print(training.figures())
    with pytest.raises(ValueError, match="carousel"):
        NTupleTraining({"replays": str(folder)}, 1)


def test_what_cannot_be_used_is_said(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ValueError, match="no such replay"):
        boards_of(str(tmp_path / "nowhere"), STAGES)
    with pytest.raises(ValueError, match="comes to the later stages"):
        boards_of(str(folder), np.array([30720], np.int64))
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    with pytest.raises(ValueError, match="broken"):
        boards_of(str(broken), STAGES)
    game = replay.read(folder / "0.json")
    state, step = replay.initial(game), game.steps[0]
    assert isinstance(state, twenty48.State)
    slide = twenty48.slide(state, step.action)
    assert slide is not None
    taken = next(cell for cell, exponent in enumerate(slide.cells) if exponent)
    free = slide.cells.index(0)
    wrong = tmp_path / "wrong.json"
    for each in ((step.action, (taken, 1)), (4, (free, 1)), (step.action, (4096, 1)), (step.action, (free, 9))):
        wrong.write_text(replay.dumps(dataclasses.replace(game, steps=(replay.Step(*each),))), "utf-8")
        with pytest.raises(ValueError, match=r"wrong.json: a move of this game is against the rules"):
            boards_of(str(wrong), STAGES)
