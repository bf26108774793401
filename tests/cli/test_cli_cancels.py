"""Every agent with a model, and `optimise`, answers a cancel soon: while its model is read, at first and later."""

import pytest

from ai import kernels, models
from game.cli.benches import cancels
from game.play.asking import load_kernels
from game.saves.folder import PROGRAM_SAVES

CANCELS = 4
SOON_MS = 400.0
"""Of three in four; the budget is 50, but this machine may be doing anything else."""
models.use_folders(PROGRAM_SAVES / "models")
CASES = {case.name: case for case in cancels.cases() if case.spec.model or "optimise" in case.name}


def test_every_agent_with_a_model_is_there():
    agents = {(case.game, case.spec.id) for case in CASES.values()}
    print(*CASES, sep="\n")
    assert agents >= {
        ("twenty48", "ntuple"), ("twenty48", "ntuple-report"),
        ("connect4", "net"), ("connect4", "ntuple"), ("connect4", "qlearning"), ("connect4", "mcts"),
        ("sokoban", "dqn"), ("sokoban", "policy"), ("sokoban", "policy-search"), ("sokoban", "optimise"),
    }  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_cancel_is_answered_soon(name, monkeypatch):
    monkeypatch.setattr(cancels, "LATEST", 0.3)
    load_kernels(kernels.units(CASES[name].game))
    took = sorted(cancels.answers(CASES[name], CANCELS, seed=2))
    print(CASES[name].spec, *(f"{each:.1f}" for each in took))
    assert took[-2] < SOON_MS
