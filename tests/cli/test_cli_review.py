"""`review`: grades of a whole game, and one sentence for what cannot be reviewed."""

import json

import pytest

from game.rules import connect4, levels, replay
from game.rules.connect4 import Shape
from game.rules.replay import Step


def played(columns):
    steps = [Step(int(column) - 1) for column in columns]
    return replay.record(connect4.start(Shape(4, 5, 1, 4)), steps, seats=("person", "random"))


def test_every_move_is_graded_and_the_mistake_explained(run, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(played("1212131")), "utf-8")
    found = run("review", path, "--json").json
    assert found["game"] == "connect4" and found["oracle"] == "perfect"
    assert [move["ply"] for move in found["moves"]] == list(range(1, 8))
    assert [move["seat"] for move in found["moves"]] == [1, 2, 1, 2, 1, 2, 1]
    assert all(move["exact"] for move in found["moves"])
    last_of_two = found["moves"][5]
    assert last_of_two["action"] == "3" and last_of_two["best"] == "1"
    assert last_of_two["why"] == "Coral now wins at once in column 1."
    assert last_of_two["grade"] in ("inaccuracy", "mistake", "blunder") and last_of_two["loss"] > 0
    assert found["moves"][6]["grade"] == "best"
    assert all(turned in range(1, 8) for turned in found["turning_points"])
    assert sum(found["seats"][0]["counts"].values()) == 4 and sum(found["seats"][1]["counts"].values()) == 3
    assert all(0 <= seat["accuracy"] <= 100 for seat in found["seats"])
    text = run("review", path, "--seat", "2")
    assert text.code == 0 and "seat 2: accuracy" in text.out and "seat 1" not in text.out
    assert "Coral now wins at once in column 1." in " ".join(text.out.split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda head: head | {"seats": ["person"]}, "seat"),
        (lambda head: head | {"game": "chess"}, "game this app does not know"),
    ],
)
def test_a_damaged_replay_is_one_sentence(run, tmp_path, change, said):
    path = tmp_path / "game.json"
    document = json.loads(replay.dumps(played("4453")))
    path.write_text(json.dumps(change(document)), "utf-8")
    found = run("review", path)
    assert found.code == 2 and said in found.err and "Traceback" not in found.err


def test_what_cannot_be_reviewed_is_said(run, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(played("")), "utf-8")
    assert "nothing was played" in run("review", path).err
    state = levels.parse("######\n#@$ .#\n######", "test").levels[0].state
    path.write_text(replay.dumps(replay.record(state, [Step(1), Step(1)])), "utf-8")
    found = run("review", path)
    assert found.code == 2 and "no oracle judges games of Sokoban" in found.err
    path.write_text(replay.dumps(played("44")), "utf-8")
    assert "--seat 3" in run("review", path, "--seat", "3").err
    assert run("review", tmp_path / "none.json").code == 2
