"""Every training of the catalogue: it starts, stops at once, writes what it promises, and goes on where it was."""

import importlib
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ai import catalogue, kernels, trainers
from ai.agent import Thinking
from ai.entries import Trainer
from game.play.asking import load_kernels

SMALL: dict[str, dict[str, Any]] = {
    "sokoban-policy": {"channels": 8, "blocks": 1},
    "sokoban-dqn": {"hidden1": 32, "hidden2": 16, "memory": 1000},
    "sokoban-dqn-report": {"memory": 1000},
    "twenty48-ntuple": {"size": 3, "tuples": "0"},
    "connect4-qlearning": {"board": "4x4x1x3"},
    "connect4-book": {"rows": 4, "columns": 4, "nodes": 1000, "plies": 4, "table": 18},
    "connect4-ntuple": {"board": "4x5x1x4", "walks": 4, "length": 4, "games": 200, "passes": 1},
    "connect4-net": {"width": 16, "roots": 1000, "passes": 100},
}
"""Settings that make it light; whoever is not here is light as it is."""
SLACK = 2.0
"""Seconds, on a machine that does much else."""


def begun(trainer: Trainer, checkpoint: Path | None = None) -> Any:
    """A training as `train` begins it; a checkpoint knows its settings."""
    load_kernels([*kernels.units(trainer.game), *kernels.training(trainer.game, trainer.id)])
    module, _, name = trainer.factory.partition(":")
    settings = {} if checkpoint else SMALL.get(f"{trainer.game}-{trainer.id}", {})
    return getattr(importlib.import_module(module), name)(settings, 3, checkpoint)


@pytest.mark.parametrize("trainer", catalogue.TRAINERS, ids=lambda trainer: f"{trainer.game}-{trainer.id}")
def test_it_starts_stops_and_goes_on(trainer: Trainer, tmp_path: Path) -> None:
    training = begun(trainer)
    first = training.advance(0.05, Thinking())
    learned = training.games, training.seconds
    print(learned, training.figures())
    assert training.seconds > 0 and (training.goal is None or training.games <= training.goal or first)

    if not first:
        thinking = Thinking()
        timer = threading.Timer(0.1, thinking.cancel)
        timer.start()
        before = time.perf_counter()
        first = training.advance(60.0, thinking)
        took = time.perf_counter() - before
        timer.cancel()
        print(f"stopped after {took:.3f} s", training.games)
        assert took < 0.1 + SLACK
    checkpoint = trainers.checkpoint_of(tmp_path / "m.safetensors")
    training.save_checkpoint(checkpoint, "train one")
    again = begun(trainer, checkpoint)
    print(again.games, again.seconds, again.earlier)
    assert (again.games, again.earlier) == (training.games, "train one; ")
    assert again.seconds == pytest.approx(training.seconds, abs=0.01)
    again.advance(0.05, Thinking())
    assert again.games >= training.games and set(again.figures()) == set(training.figures())


@pytest.mark.parametrize("trainer", catalogue.TRAINERS, ids=lambda trainer: f"{trainer.game}-{trainer.id}")
def test_what_it_is_told_is_as_the_catalogue_says(trainer: Trainer, tmp_path: Path) -> None:
    for parameter in trainer.parameters:
        assert parameter.check(parameter.default) == parameter.default
        assert parameter.help.endswith(".") and parameter.title
    damaged = tmp_path / "m.checkpoint.safetensors"
    damaged.write_bytes(b"no checkpoint at all")
    with pytest.raises(ValueError, match=damaged.name):
        begun(trainer, damaged)
