"""Files written by the version of 2026-11-23, before the house was rebuilt, open as if nothing had happened.

`before` has a folder of saves in which a few moves of each game were played, and small models with a checkpoint.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ai import models, trainers
from ai.agent import Thinking
from ai.connect4.report.training import QLearning
from game.rules import replay
from tests.screens.conftest import Visitor, visit

__all__ = ["visit"]
BEFORE = Path(__file__).parent / "before"
GAMES = {"sokoban": (5, 6), "2048": (24, 24), "connect4": (6, 6)}
"""Scene -> the position that was on the board, and the steps that had been made."""


@pytest.mark.parametrize("scene", GAMES)
def test_a_game_goes_on_where_it_was(visit: Callable[..., Visitor], tmp_path: Path, scene: str) -> None:
    shutil.copytree(BEFORE, tmp_path / "saves")
    visitor = visit(scene)
    timeline = visitor.scene.session.timeline
    print(scene, timeline.cursor, visitor.said())
    assert (timeline.cursor, len(timeline.steps)) == GAMES[scene] and visitor.said() == []
    name = "twenty48" if scene == "2048" else scene
    before, after = (folder / "resume" / f"{name}.json" for folder in (BEFORE, tmp_path / "saves"))
    visitor.scene.session.changed()
    visitor.close()
    was, now = json.loads(before.read_text()), json.loads(after.read_text())
    for said in (was, now):
        del said["when"]
        said["replay"].pop("seconds", None)  # the clock has gone on
    assert now == was, "and what is written is what was read"


def test_settings_results_and_replays_are_there(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    shutil.copytree(BEFORE, tmp_path / "saves")
    visitor = visit("replays")
    assert visitor.window.look.theme == "light" and visitor.said() == []
    assert not (tmp_path / "saves" / "damaged").exists()
    (path,) = (BEFORE / "replays").glob("*.json")
    read = replay.read(path)
    assert (read.game, len(read.steps)) == ("connect4", 6) and len(replay.states(read)) == 7
    assert replay.dumps(read).strip() == path.read_text().strip()


def test_models_are_models_and_a_training_goes_on(tmp_path: Path) -> None:
    for name, game in (("columns", "connect4"), ("tiles", "twenty48")):
        card = models.card(BEFORE / "models" / f"{name}.safetensors")
        assert (card.problem, card.game, card.games) == (None, game, 50)
    checkpoint = trainers.checkpoint_of(BEFORE / "models" / "columns.safetensors")
    training = QLearning({"games": 30}, 0, checkpoint)  # more
    assert (training.games, training.earlier.startswith("train connect4 qlearning")) == (50, True)
    assert training.advance(60.0, Thinking()) and training.games == 80
