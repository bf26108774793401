"""The report's network on the command line: trained, gone on with, measured, matched; what it refuses."""

import pytest

from ai import models

TRAIN = ("train", "2048", "ntuple-report")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Names of models mean this folder."""
    before = list(models.FOLDERS)
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", tmp_path / "saves")
    monkeypatch.setattr("game.cli.main.user_folder", lambda: tmp_path / "user")
    yield tmp_path / "saves" / "models"
    models.use_folders(*before)


def test_it_is_trained_gone_on_with_measured_and_played(run, folder):
    settings = "games=30,alpha=0.02,rule=correct,symmetries=true"
    first = run(*TRAIN, "--set", settings, "--seed", 4, "--out", "tiny", "--json").json
    print(first)
    assert (first["games"], first["stopped"]) == (30, False) and first["mean_score"] > 0
    assert {path.name for path in folder.iterdir()} >= {
        "tiny.safetensors", "tiny.checkpoint.safetensors", "tiny.csv",
    }  # fmt: skip
    card = models.card(folder / "tiny.safetensors")
    assert (card.problem, card.agent, card.rule, card.seed) == (None, "ntuple-report", "TD(0), alpha 0.02", 4)
    assert run(*TRAIN, "--set", "games=5", "--resume", "tiny", "--json").json["games"] == 35
    found = run("models", "measure", "tiny", "--games", 4, "--json").json
    match = run("match", "2048", "--agent", "ntuple-report:tiny", "--games", 4, "--json").json["agents"][0]
    assert found["agent"] == match["agent"] == "ntuple-report:tiny"
    assert (found["mean"], found["max_tile"]) == (match["mean"], match["max_tile"])
    assert models.card(folder / "tiny.safetensors").strength[1].games == 4


def test_what_it_cannot_do_gets_one_line(run, folder):
    run(*TRAIN, "--set", "games=2", "--out", "tiny")
    for words, reason in (
        (("models", "measure", "tiny", "--plies", 2), "agent 'ntuple-report' looks at most one move ahead"),
        (
            ("match", "2048", "--agent", "ntuple:tiny"),
            "model 'tiny' is for ntuple-report in twenty48, not for ntuple",
        ),
        (("match", "2048", "--agent", "ntuple-report:tiny", "--size", 5), "this one is 5x5"),
        (("match", "2048", "--agent", "ntuple-report"), "needs a model: write ntuple-report:MODEL"),
        ((*TRAIN, "--out", "x", "--set", "rule=tc"), "rule=tc: expected one of report, correct"),
        ((*TRAIN, "--out", "x", "--set", "symmetries=some"), "symmetries=some: expected true or false"),
        ((*TRAIN, "--set", "rule=correct", "--resume", "tiny"), "was begun with rule=report and keeps it"),
    ):
        ran = run(*words)
        print(ran.err)
        assert (ran.code, ran.out) == (2, "")
        assert reason in ran.err and "Traceback" not in ran.err and len(ran.err.splitlines()[-1]) < 200
