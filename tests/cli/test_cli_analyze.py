"""`analyze`: scores in the documented conventions, one position or a file of them."""

import json

import pytest

KEYS = {"position", "score", "best", "exact", "actions", "nodes", "seconds"}


@pytest.mark.parametrize(
    ("moves", "score", "best"),
    [
        ("112233", 18, "4"),  # wins with its 4th stone: 22 - 4
        ("4455667", 18, None),  # over: the other side has just won with its 4th
        ("121212", 18, "1"),
    ],
)
def test_exact_connect4_scores_count_stones(run, moves, score, best):
    found = run("analyze", "connect4", "--position", moves, "--agent", "alphabeta", "--json").json
    print(found)
    assert set(found) >= KEYS
    assert found["position"] == moves
    assert found["score"] == (score if best else -score)
    assert found["best"] == best
    assert found["exact"] is True
    assert [each["action"] for each in found["actions"]] == (list("1234567") if best else [])


def test_a_forced_loss_is_negative(run):
    # 4 and 5 stand free at the bottom with room on both sides: whoever answers, the third and fourth follow
    found = run("analyze", "connect4", "--position", "4151", "--agent", "alphabeta", "--json").json
    print(found)
    assert found["exact"] is True
    assert found["score"] == 18  # 3 or 6 makes an open row of three: wins with the 4th stone
    after = run("analyze", "connect4", "--position", "41513", "--agent", "alphabeta", "--json").json
    print(after)
    assert after["score"] == -18


def test_many_positions_give_the_same_as_one(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("112233\n\n4455667\n")
    words = ("--agent", "alphabeta", "--score-only", "--json")
    results = run("analyze", "connect4", "--positions", path, *words).json["results"]
    assert [each["score"] for each in results] == [18, -18]
    assert all("actions" not in each for each in results)
    single = run("analyze", "connect4", "--position", "112233", *words).json
    assert {**single, "seconds": 0} == {**results[0], "seconds": 0}


def test_deep_boards_name_column_and_depth(run):
    words = ("--board", "3,3,2,3", "--players", 3, "--agent", "alphabeta,depth=3", "--json")
    found = run("analyze", "connect4", "--position", "1.1 2.2", *words).json
    print(found)
    assert [each["action"] for each in found["actions"]] == ["1.1", "2.1", "3.1", "1.2", "2.2", "3.2"]
    assert [each["index"] for each in found["actions"]] == list(range(6))


def test_twenty48(run):
    position = "2 4 8 16/0 0 0 0/0 0 0 0/0 0 0 2"
    found = run("analyze", "2048", "--position", position, "--agent", "expectimax", "--json").json
    print(found)
    assert found["position"] == position
    values = {each["action"]: each["value"] for each in found["actions"]}
    assert set(values) == {"up", "down", "left"}
    assert values[found["best"]] == max(values.values()) == found["score"]
    over = run("analyze", "2048", "--position", "2 4 2/4 2 4/2 4 2", "--agent", "expectimax", "--json").json
    assert (over["score"], over["best"], over["exact"], over["actions"]) == (None, None, True, [])


@pytest.mark.parametrize("separator", ["|", "\n"])
def test_sokoban(run, separator):
    rows = ["#######", "#@    #", "# $ . #", "#     #", "#######"]
    words = ("analyze", "sokoban", "--agent", "astar")
    found = run(*words, "--position", separator.join(rows), "--json").json
    print(found)
    assert found["position"] == "\n".join(rows)
    assert (found["score"], found["best"], found["exact"], found["solution"]) == (-2, "d", True, "dRR")
    assert {each["action"]: each["value"] for each in found["actions"]} == {"d": -2, "r": None}
    text = run(*words, "--position", separator.join(rows))
    assert "score -2 (exact), best d" in text.out
    assert "\n".join(rows) in text.out


def test_sokoban_from_a_file_and_without_a_solution(run, tmp_path):
    path = tmp_path / "never.xsb"
    path.write_text("######\n#@ $.#\n#    #\n#$  .#\n######\n\n######\n#@$ .#\n######\n")
    found = run("analyze", "sokoban", "--position", path, "--agent", "astar", "--json").json
    assert (found["score"], found["status"], found["solution"]) == (None, "unsolvable", None)
    results = run("analyze", "sokoban", "--positions", path, "--agent", "astar", "--json").json["results"]
    assert [each["score"] for each in results] == [None, -2]


def test_text_for_many(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("112233\n4455667\n")
    ran = run("analyze", "connect4", "--positions", path, "--agent", "alphabeta")
    print(ran.out)
    assert len(ran.out.splitlines()) == 3


def test_scores_behind_positions_are_checked(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("112233 18\n7422341735647741166133573473242566 1\n112233 -3\n")
    ran = run("analyze", "connect4", "--positions", path, "--agent", "perfect", "--score-only", "--json")
    print(ran.out)
    found = json.loads(ran.out)
    assert (found["expected"], found["wrong"]) == (3, 1)
    assert found["results"][0]["score"] == found["results"][2]["score"] == 18
    assert [each["expected"] for each in found["results"]] == [18, 1, -3]


def test_a_bad_line_of_scores_is_named(run, tmp_path):
    path = tmp_path / "positions.txt"
    path.write_text("44 1\n4444444 0\n")
    ran = run("analyze", "connect4", "--positions", path, "--agent", "perfect", "--score-only")
    assert ran.code == 2
    assert ran.err.strip().count("\n") == 0
    assert f"{path}:2: " in ran.err
    assert "column 4 is full" in ran.err
