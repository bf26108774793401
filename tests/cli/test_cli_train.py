"""`train`: a model, its log and its checkpoint; going on; Ctrl-C; bad input in one line."""

import signal

import pytest

from ai import models, stopping
from game.cli import train

TINY = ("train", "2048", "ntuple", "--set", "games=60", "--seed", 3)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Names of models mean this folder."""
    before = list(models.FOLDERS)
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", tmp_path / "saves")
    monkeypatch.setattr("game.cli.main.user_folder", lambda: tmp_path / "user")
    yield tmp_path / "saves" / "models"
    models.use_folders(*before)


def test_a_named_model_goes_into_the_folder_of_models(run, folder):
    found = run(*TINY, "--set", "alpha=0.5,threads=1", "--out", "tiny", "--json").json
    print(found)
    assert {"game", "agent", "model", "checkpoint", "seconds", "stopped", "games", "moves", "mean_score"} <= set(
        found
    )
    assert (found["games"], found["stopped"], found["model"]) == (60, False, str(folder / "tiny.safetensors"))
    assert {path.name for path in folder.iterdir()} >= {
        "tiny.safetensors", "tiny.checkpoint.safetensors", "tiny.csv",
    }  # fmt: skip
    card = models.card(folder / "tiny.safetensors")
    assert (card.problem, card.seed, card.games) == (None, 3, 60)
    assert card.command == "train 2048 ntuple --set games=60 --set alpha=0.5,threads=1 --seed 3 --out tiny"
    assert run("agents", "2048", "--json").json["agents"][1]["models"] == ["tiny"]


def test_going_on_gives_the_model_of_one_long_training(run, folder):
    run(*TINY, "--out", "first")
    gone_on = run(*TINY[:3], "--set", "games=40", "--resume", "first", "--out", "second", "--json").json
    whole = run(*TINY[:3], "--set", "games=100", "--seed", 3, "--out", "whole", "--json").json
    assert (gone_on["games"], gone_on["moves"]) == (whole["games"], whole["moves"])
    one, other = (models.TensorFile(folder / f"{name}.safetensors") for name in ("second", "whole"))
    with one, other:
        assert one.arrays.keys() == other.arrays.keys()
        for name, declared in one.arrays.items():
            expected = other.array(name, declared.kind, declared.shape)
            assert (one.array(name, declared.kind, declared.shape) == expected).all(), name
    again = run(*TINY[:3], "--set", "games=1", "--resume", "first", "--json").json
    assert again["model"].endswith("first.safetensors") and again["games"] == 61


def test_a_model_without_its_checkpoint_is_trained_on(run, folder):
    run(*TINY, "--out", "first")
    (folder / "first.checkpoint.safetensors").unlink()
    ran = run(*TINY[:3], "--set", "games=5,stages=300,promote=false", "--resume", "first", "--out", "second")
    print(ran.err)
    assert "first.checkpoint.safetensors is not there: the training goes on from the model" in ran.err
    card = models.card(folder / "second.safetensors")
    assert card.games == 65 and card.command.startswith("train 2048 ntuple --set games=60")
    refused = run(*TINY[:3], "--set", "games=5,tuples=4x6", "--resume", "first", "--out", "third")
    assert refused.code == 2 and refused.err.splitlines()[-1].endswith("and keeps them")


def test_ctrl_c_saves_and_stops(run, folder, monkeypatch):
    hear = train._Watcher.hear

    def press(watcher, report):
        hear(watcher, report)
        stopping.receive(signal.SIGINT)

    monkeypatch.setattr(train._Watcher, "hear", press)
    ran = run("train", "2048", "ntuple", "--out", "cut")
    print(ran.out, ran.err)
    assert ran.code == 130 and "stopped; go on with --resume" in ran.out
    assert ran.err.splitlines()[-1] == "trilogic: stopped."
    games = models.card(folder / "cut.safetensors").games
    monkeypatch.undo()
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", folder.parent)
    found = run("train", "2048", "ntuple", "--set", "games=5", "--resume", "cut", "--json").json
    assert found["games"] == games + 5 and not found["stopped"]


def test_a_time_limit_ends_it(run):
    found = run("train", "2048", "ntuple", "--set", "seconds=0.2", "--out", "short", "--json").json
    print(found)
    assert found["games"] > 0 and 0.1 < found["seconds"] < 30 and not found["stopped"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("sokoban", "ntuple", "--out", "x"), "no training of 'ntuple' for Sokoban (there are: "),
        (
            ("2048", "alphabeta", "--out", "x"),
            "no training of 'alphabeta' for 2048 (there are: ntuple, ntuple-report)",
        ),
        (("2048", "ntuple"), "--out MODEL is missing"),
        (("2048", "ntuple", "--out", "x", "--set", "games"), "expected NAME=VALUE"),
        (
            ("2048", "ntuple", "--out", "x", "--set", "speed=9"),
            "has no parameter 'speed' (it has: size, tuples, rule",
        ),
        (("2048", "ntuple", "--out", "x", "--set", "tuples=9x9"), "expected 5x4, 4x5, 4x6, 5x6 or 8x6, or cells"),
        (("2048", "ntuple", "--out", "x", "--set", "alpha=0"), "expected a number from 0.0001 to 1"),
        (("2048", "ntuple", "--resume", "nothing"), "there is no checkpoint to go on from"),
    ],
)
def test_bad_input_gets_one_line(run, words, reason):
    ran = run("train", *words)
    print(ran.err)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err and ran.err.count("\n") == 1


def test_a_file_that_is_no_checkpoint_gets_one_line(run, folder):
    folder.mkdir(parents=True)
    (folder / "torn.checkpoint.safetensors").write_bytes(b"no safetensors")
    ran = run("train", "2048", "ntuple", "--resume", "torn")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == (
        "trilogic: torn.checkpoint.safetensors: it is no safetensors file, or only a part of one"
    )


def test_a_folder_that_cannot_be_written_gets_one_line(run, tmp_path):
    (tmp_path / "file").touch()
    ran = run(*TINY, "--out", tmp_path / "file" / "x")
    assert (ran.code, ran.out) == (2, "")
    assert "x.safetensors: " in ran.err.splitlines()[-1]


def test_where_the_program_cannot_write_a_named_model_goes_to_the_user(run, folder, tmp_path):
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("no folder")
    found = run(*TINY, "--out", "mine", "--json").json
    assert found["model"] == str(tmp_path / "user" / "models" / "mine.safetensors")
    assert [each["name"] for each in run("models", "--json").json["models"]] == ["mine"]
