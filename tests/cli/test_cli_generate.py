"""`generate`: files of rooms that can be read and solved, and one line for everything that cannot be."""

import re
import signal

import pytest

from ai import stopping
from ai.sokoban.rooms.maker import RoomMaker
from game.rules import levels, sokoban


@pytest.fixture
def out(tmp_path):
    return tmp_path / "rooms.xsb"


def test_the_file_has_as_many_rooms_with_solutions(run, out):
    words = ("generate", "--size", "9x8", "--boxes", 3, "--count", 30, "--mode", "fast", "--seed", 5, "--out", out)
    found = run(*words, "--json").json
    text = out.read_text()
    pack = levels.parse(text, "rooms")
    print(text[:900])
    assert (found["rooms"], found["rows"], found["cols"], found["boxes"], found["file"]) == (30, 9, 8, 3, str(out))
    assert (
        pack.title == "Rooms 9x8, 3 boxes" and "--size 9x8 --boxes 3 --count 30 --mode fast --seed 5" in pack.comment
    )
    assert len(pack.levels) == 30 == len(found["results"])
    for level, said in zip(pack.levels, found["results"], strict=True):
        state, actions = level.state, sokoban.from_lurd(level.solution)
        assert (state.warehouse.rows, state.warehouse.cols, len(state.boxes)) == (9, 8, 3)
        assert sum(map(str.isupper, level.solution)) == said["pushes"] and len(actions) == said["moves"]
        for action in actions:
            state = sokoban.apply(state, action)
        assert sokoban.is_solved(state)
    assert run(*words).code == 0
    assert out.read_text() == text, "the same seed makes the same file"
    assert run(*words, "--seed", 6).code == 0
    assert levels.parse(out.read_text(), "rooms").levels[0].state != pack.levels[0].state


def test_rooms_of_a_difficulty_are_graded(run, out):
    found = run(
        "generate", "--size", "10X10", "--boxes", 3, "--count", 4, "--difficulty", "16-20", "--out", out, "--json"
    ).json
    print(found["results"])
    assert [16 <= each["difficulty"] <= 20 for each in found["results"]] == [True] * 4
    for level, said in zip(levels.parse(out.read_text(), "rooms").levels, found["results"], strict=True):
        assert level.comment.startswith(f"Difficulty {said['difficulty']}: {said['pushes']} pushes")
    solved = run("solve", out, "--agent", "astar", "--json").json
    assert [each["pushes"] for each in solved["results"]] == [each["pushes"] for each in found["results"]]


@pytest.mark.parametrize("more", [(), ("--difficulty", "0-100")])
def test_ctrl_c_keeps_what_is_made(run, out, monkeypatch, more):
    make, calls = RoomMaker.make, []

    def made(self, count, thinking=None):
        calls.append(count)
        if len(calls) == 3:
            stopping.receive(signal.SIGINT)
        return make(self, min(count, 2), thinking)

    monkeypatch.setattr(RoomMaker, "make", made)
    found = run("generate", "--size", "8x8", "--boxes", 2, "--count", 500, "--mode", "fast", "--out", out, *more)
    kept = levels.parse(out.read_text(), "rooms").levels
    print(found, len(kept))
    assert found.code == 130 and 2 <= len(kept) <= 4 and f"{len(kept)} rooms" in found.out


def test_where_there_are_fewer_it_says_so(run, out):
    found = run("generate", "--size", "5x5", "--boxes", 1, "--count", 100, "--mode", "fast", "--out", out)
    print(found)
    assert found.code == 0 and "there are 64 now" in found.err
    assert len(levels.parse(out.read_text(), "rooms").levels) == 64


def test_one_room_is_printed(run, out):
    found = run("generate", "--size", "7x7", "--boxes", 1, "--out", out)
    print(found.out)
    board = "\n".join(levels.board(levels.parse(out.read_text(), "rooms").levels[0].state))
    assert found.code == 0 and "1 room of 7x7 squares" in found.out and board in found.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--size", "10", "--boxes", 2), "expected rows x columns such as 10x10, not '10'"),
        (("--size", "4x10", "--boxes", 2), "5 to 20 rows and columns, not 4 and 10"),
        (("--size", "10x10", "--boxes", 11), "a whole number from 1 to 10"),
        (("--size", "5x5", "--boxes", 5), "5 boxes off their targets have no room"),
        (("--size", "5x5", "--boxes", 4, "--mode", "fast"), "could not be found in 50,000"),
        (("--size", "9x9", "--boxes", 2, "--mode", "best"), "there is no mode 'best'"),
        (("--size", "9x9", "--boxes", 2, "--difficulty", "20"), "two numbers from 0 to 100 such as 15-25"),
        (("--size", "9x9", "--boxes", 2, "--difficulty", "30-20"), "two numbers from 0 to 100"),
        (("--size", "9x9", "--boxes", 2, "--count", 0), "a whole number from 1 to 10000"),
        (("--size", "5x5", "--boxes", 1, "--difficulty", "99-100"), "no room of difficulty 99-100.*the nearest has"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_line(run, out, words, said):
    found = run("generate", *words, "--out", out)
    print(found.err)
    assert found.code == 2 and found.err.count("\n") == 1
    assert re.search(said, found.err)
    assert not out.exists()


def test_where_nothing_can_be_written(run, tmp_path):
    (tmp_path / "file").write_text("")
    for place, words in ((tmp_path, "this is a folder"), (tmp_path / "file" / "rooms.xsb", "rooms.xsb: ")):
        found = run("generate", "--size", "6x6", "--boxes", 1, "--out", place)
        print(found.err)
        assert found.code == 2 and words in found.err and found.err.count("\n") == 1
