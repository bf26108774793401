"""`train connect4 qlearning`, `models measure` of what it made, and matches with it."""

import pytest

from ai import models


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder of models."""
    before = list(models.FOLDERS)
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", tmp_path / "saves")
    monkeypatch.setattr("game.cli.main.user_folder", lambda: tmp_path / "user")
    yield tmp_path / "saves" / "models"
    models.use_folders(*before)


def test_a_table_is_trained_measured_and_played(run, folder):
    trained = run("train", "connect4", "qlearning", "--set", "games=500", "--seed", 2, "--out", "q", "--json")
    print(trained.out)
    assert trained.json["games"] == 500 and trained.json["exploration"] == 0 and trained.json["states"] > 100
    assert {path.name for path in folder.iterdir()} >= {"q.safetensors", "q.csv", "q.checkpoint.safetensors"}
    again = run("train", "connect4", "qlearning", "--set", "games=50", "--resume", "q", "--json").json
    assert again["games"] == 550
    found = run("models", "measure", "q", "--games", 20, "--json").json
    print(found)
    card = models.card(folder / "q.safetensors")
    assert card.strength[1].games == 20 and card.strength[1].mean == found["mean"] and 0 <= found["mean"] <= 100
    assert "of the points over 20 games" in run("models", "measure", "q", "--games", 20).out
    match = run("match", "connect4", "--agent", "qlearning:q", "--agent", "random", "--games", 4, "--json").json
    assert match["agents"][0]["games"] == 4


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--set", "board=6x7x1x9"), "win length is 2 to 8, not 9"),
        (("--set", "seat=3"), "no seat 3 among 2 players"),
        (("--set", "players=7"), "players=7: expected a whole number from 2 to 6"),
        (("--resume", "nothing"), "no checkpoint to go on from"),
    ],
)
def test_bad_settings_get_one_line(run, words, reason):
    ran = run("train", "connect4", "qlearning", "--out", "q", *words)
    print(ran.err)
    assert (ran.code, ran.out) == (2, "") and reason in ran.err and ran.err.count("\n") == 1


def test_measuring_looks_no_plies_ahead(run):
    run("train", "connect4", "qlearning", "--set", "games=5", "--out", "q")
    ran = run("models", "measure", "q", "--plies", 2)
    assert ran.code == 2 and "leave --plies out" in ran.err
