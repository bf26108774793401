"""`models`: the list, and `measure`; matches and analyses with a model; bad input in one line."""

import pytest

from ai import models


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, run):
    """A folder of models with one tiny model and a damaged one."""
    before = list(models.FOLDERS)
    saves = tmp_path / "saves"
    monkeypatch.setattr("game.cli.main.PROGRAM_SAVES", saves)
    monkeypatch.setattr("game.cli.main.user_folder", lambda: tmp_path / "user")
    assert run("train", "2048", "ntuple", "--set", "games=60", "--out", "tiny").code == 0
    (saves / "models" / "torn.safetensors").write_bytes(b"torn")
    yield saves / "models"
    models.use_folders(*before)


def test_the_list_tells_what_the_headers_say(run):
    listed = run("models", "--json").json["models"]
    print(listed)
    assert [each["name"] for each in listed] == ["tiny", "torn"]
    assert (listed[0]["game"], listed[0]["agent"], listed[0]["board"], listed[0]["games"]) == (
        "twenty48", "ntuple", "4x4", 60,
    )  # fmt: skip
    assert listed[0]["problem"] is None and listed[0]["strength"] == {}
    assert listed[1]["problem"] == "it is no safetensors file, or only a part of one"
    shown = run("models").out
    print(shown)
    assert "ntuple, 2048 4x4" in shown and "part of one" in shown


def test_measuring_writes_the_strength_that_a_match_gives(run, folder):
    found = run("models", "measure", "tiny", "--games", 8, "--json").json
    match = run("match", "2048", "--agent", "ntuple:tiny,plies=1", "--games", 8, "--json").json["agents"][0]
    print(found)
    assert (found["mean"], found["stderr"], found["max_tile"]) == (match["mean"], match["stderr"], match["max_tile"])
    assert found["agent"] == "ntuple:tiny,plies=1"
    run("models", "measure", folder / "tiny.safetensors", "--plies", 2, "--games", 2)
    strength = models.card(folder / "tiny.safetensors").strength
    print(strength)
    assert set(strength) == {1, 2} and strength[2].games == 2
    assert (strength[1].mean, strength[1].stderr, strength[1].games) == (match["mean"], match["stderr"], 8)
    assert f"1-ply {match['mean']:,.0f} ±" in run("models").out


def test_a_position_is_analysed_with_a_model(run):
    found = run(
        "analyze", "2048", "--position", "0 2 4 2/0 0 0 0/0 0 0 2/0 0 0 0", "--agent", "ntuple:tiny", "--json"
    )
    values = {each["action"]: each["value"] for each in found.json["actions"]}
    print(values)
    assert set(values) == {"up", "down", "left"} and all(value > 0 for value in values.values())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("models", "measure"), "say which model to measure"),
        (("models", "measure", "none"), "there is no model 'none' (there are: tiny, torn)"),
        (("models", "measure", "torn"), "it is no safetensors file, or only a part of one"),
        (("models", "--games", "5"), "belong to: models measure MODEL"),
        (("models", "measure", "tiny", "--plies", "0"), "expected a whole number from 1 to 3"),
        (("match", "2048", "--agent", "ntuple"), "agent 'ntuple' needs a model: write ntuple:MODEL"),
        (("match", "2048", "--agent", "ntuple:none"), "there is no model 'none' for 2048 (there are: tiny)"),
        (("match", "2048", "--agent", "ntuple:torn"), "torn.safetensors: it is no safetensors file"),
        (
            ("match", "2048", "--agent", "ntuple:tiny", "--size", "5"),
            "was trained for boards of 4x4, this one is 5x5",
        ),
        (("match", "2048", "--agent", "ntuple:tiny,plies=99"), "plies=99: expected a whole number from 1 to 5"),
        (("match", "2048", "--agent", "ntuple:tiny,plies=0"), "plies=0: expected a whole number from 1 to 5"),
        (("match", "2048", "--agent", "ntuple:tiny,time=-1"), "time=-1.0: expected a number from 0 to 600"),
        (("match", "2048", "--agent", "ntuple:tiny,empties=17"), "empties=17: expected a whole number from 0 to 16"),
        (("match", "2048", "--agent", "expectimax,depth=0"), "depth=0: expected a whole number from 1 to 5"),
        (("match", "2048", "--agent", "expectimax,depth=99"), "depth=99: expected a whole number from 1 to 5"),
        (("match", "2048", "--agent", "random:tiny"), "takes no model"),
    ],
)
def test_bad_input_gets_one_line(run, words, reason):
    ran = run(*words)
    print(ran.err)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err and ran.err.count("\n") == 1
