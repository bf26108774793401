"""What is compiled at the first start, and what by a training."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from ai import catalogue, kernels
from ai.agent import Thinking
from ai.sokoban import dqn_dense, dqn_model, moves
from ai.sokoban.dqn_agent import Dqn
from ai.sokoban.warm import warm
from game.rules import sokoban

MODELS = Path(__file__).resolve().parents[2] / "saves" / "models"


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Which modules were asked to compile: of a game with one training that has kernels of its own."""
    asked: list[str] = []
    for name in ("play", "learn"):
        module = ModuleType(f"probe_{name}")
        setattr(module, "warm", lambda name=name: asked.append(name))  # noqa: B010 (mypy knows no such name)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(kernels, "FAMILIES", {"sokoban": "probe_play"})
    monkeypatch.setattr(kernels, "TRAININGS", {("sokoban", "dqn"): "probe_learn"})
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path / family)
    monkeypatch.setenv("TRILOGIC_CACHE", str(tmp_path / "cache"))
    return asked


def test_the_first_start_leaves_out_what_only_a_training_needs(warmed: list[str]) -> None:
    assert not kernels.ready("sokoban")
    assert kernels.main() == 0
    assert warmed == ["play"] and kernels.all_ready() and not kernels.ready("sokoban", "dqn")


def test_a_training_compiles_its_own(warmed: list[str]) -> None:
    kernels.warm("sokoban", "dqn")
    assert warmed == ["learn"] and kernels.ready("sokoban", "dqn") and not kernels.ready("sokoban")
    assert kernels.ready("sokoban", "policy"), "it has none of its own"


def test_with_the_trainings_each_once(warmed: list[str]) -> None:
    assert kernels.main(["trainings"]) == 0 == kernels.main(["trainings"])
    assert warmed == ["play", "learn"]


def test_every_training_with_kernels_exists() -> None:
    for game, agent in kernels.TRAININGS:
        assert catalogue.trainer(game, agent).id == agent


@pytest.mark.parametrize("name", ["one-box", "two-boxes", "report"])
def test_playing_with_a_q_network_compiles_nothing(name: str) -> None:
    warm()
    used = [dqn_dense.see, dqn_dense.add_rows, moves.mark_alive]
    before = [list(kernel.signatures) for kernel in used]
    assert all(before)
    path = MODELS / f"sokoban-dqn-{name}.safetensors"
    level = dqn_model.load(path).level
    assert level is not None
    plan = Dqn(path, 50, "game", True).plan(level, Thinking())
    print(name, plan.note)
    assert plan.values and not sokoban.is_solved(level)
    assert [list(kernel.signatures) for kernel in used] == before
