"""Collections as programs write them: words above and below, solutions, boards in runs; and how runs are written out."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_levels import PUBLIC, ROOM, packs

from game.rules import levels, sokoban
from game.rules.levels import LevelError, Pack, rle

COLLECTION = """\
:::::::::::::::::::::::::
:: # is a wall, $ a box ::
:::::::::::::::::::::::::

Collection: Quiet aisles
Author: Ann
Date Created: 2021-04-05
Copyright: CC0

First

2_5#|3#3_#|#2_*#_2#|#_#2_*_#|#_*2_#_#|2#_#+2_#|_#3_$2#|_3#2_#|3_4#

Author: Bob
Email: bob@example.org
Comment:
Mind the gap.

Twice.
Comment-End:

Solution 33/8
lu2R
2(rU)
Saved Game 1
lll

Second
#####
#@$.#
#####
Best Solution (moves)

R
Easy, was it not?
"""


def read(text: str | bytes) -> Pack:
    return levels.parse(text, "pack.sok")


def test_a_collection_keeps_everything_that_is_said() -> None:
    pack = read(COLLECTION)
    assert (pack.title, pack.author, pack.licence) == ("Quiet aisles", "Ann", "CC0")
    assert pack.comment == "Date Created: 2021-04-05"
    first, second = pack.levels
    print("\n".join(levels.board(first.state)))
    assert (first.title, first.author, first.line) == ("First", "Bob", 12)
    assert first.comment == "Email: bob@example.org\nMind the gap.\n\nTwice."
    assert first.solution == "luRRrUrU", "runs and groups are written out, the saved game is no solution"
    assert (second.title, second.solution, second.comment) == ("Second", "R", "Easy, was it not?")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_line_ends_and_encodings(end: str, encoding: str) -> None:
    text = COLLECTION.replace("Quiet aisles", "Allées calmes").replace("\n", end)
    pack = read(text.encode(encoding))
    assert (pack.title, [level.title for level in pack.levels]) == ("Allées calmes", ["First", "Second"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ROOM}\nA\n\n{ROOM}\nB\n", ["A", "B"]),
        (f"{ROOM}\n\nA\nmore\n\n{ROOM}\n\nB\n", ["A", "B"]),
        (f"{ROOM}\nAuthor: x\n\n{ROOM}\nTitle: B\n", ["", "B"]),
        (f"A\n{ROOM}\nB\n{ROOM}\n", ["A", "B"]),
        (f"Words of the file\n\nA\n\n{ROOM}\n\nB\n\n{ROOM}\n\nThe end\n", ["A", "B"]),
        (f"Solution room\n{ROOM}\n", ["Solution room"]),
        (f"; #1\n{ROOM}\n; 2 #\n{ROOM}\n", ["#1", "2 #"]),
    ],
)
def test_titles_stand_above_or_below(text: str, expected: list[str]) -> None:
    pack = read(text)
    assert [level.title for level in pack.levels] == expected, pack


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Solution: rR", "rR"),
        ("Solution\nrR", "rR"),
        ("solution 1\n\nrR\nl", "rRl"),
        ("Solution (33 moves):\n2r", "rr"),
        ("Solution: easy\nSolution: rR", "rR"),
        ("Solution 1\nrR\n\nSolution 2\nlll", "rR"),
        ("Solution: 3(r", ""),
        ("Solution: 999999999r", ""),
        ("Snapshot 1\nlll", ""),
    ],
)
def test_solutions_in_every_spelling(text: str, moves: str) -> None:
    assert read(f"{ROOM}\n\n{text}\n").levels[0].solution == moves


@pytest.mark.parametrize(
    "board",
    [
        "5#|#@$.#|5#",
        "5#\n#@$.#\n5#",
        "5#|#@$.#|5#|||",
        "5#|\n#@$.#|\n5#",
        "5(#)|#@$.#|5#",
        "#####\n#@$.#  \n5#",
        "\xa0 #####\n\xa0 #@$.#\n\xa0 #####",
    ],
)
def test_boards_in_runs(board: str) -> None:
    (level,) = read(f"Title: Runs\n\n{board}\n").levels
    assert levels.level_id(level) == levels.level_id(read(ROOM).levels[0]), levels.board(level.state)


@pytest.mark.parametrize(
    ("board", "line", "reason"),
    [
        ("5#|#@$.#|5", 3, "nothing behind it"),
        ("5#|#@$.#|0#", 3, "a run of 0"),
        ("5#|#@$.#|(5#", 3, "not closed"),
        ("5#|#@$.#|5#)", 3, "never opened"),
        ("99999999999999#|#@$.#|5#", 3, "longer than"),
        ("64(64(64(#)))|#@$.#|5#", 3, "more than 4,160 letters"),
        ("65#|#@$.#|5#", 3, "65 columns"),
        ("5#\n#@$.#\n5#|5", 5, "nothing behind it"),
    ],
)
def test_runs_that_cannot_be_read_are_refused_with_their_line(board: str, line: int, reason: str) -> None:
    with pytest.raises(LevelError, match=reason) as caught:
        read(f"; a title\n\n{board}\n")
    assert caught.value.line == line, caught.value


@settings(deadline=None)
@given(packs())
def test_round_trip_in_runs(pack: Pack) -> None:
    text = levels.dump(pack, runs=True)
    print(text)
    again = levels.parse(text, "again")
    for one, two in zip(pack.levels, again.levels, strict=True):
        assert one.state == two.state
        assert (one.title, one.author, one.comment, one.solution) == (
            two.title,
            two.author,
            two.comment,
            two.solution,
        )
    assert (again.title, again.author, again.licence, again.comment) == (
        pack.title,
        pack.author,
        pack.licence,
        pack.comment,
    )


@given(st.text("lurdLURD#$.@|-", max_size=200))
def test_runs_come_back(text: str) -> None:
    assert rle.expand(rle.shorten(text), 200) == text


@given(st.text("0123456789()rU |", max_size=60), st.integers(0, 50))
def test_written_out_text_is_never_longer_than_allowed(text: str, most: int) -> None:
    try:
        assert len(rle.expand(text, most)) <= most
    except ValueError as error:
        assert str(error)


def test_a_file_of_boxoban_rooms() -> None:
    rooms = "\n\n".join(f"; {number}\n{ROOM}" for number in range(2000))
    pack = read(rooms)
    assert [level.title for level in pack.levels] == [str(number) for number in range(2000)]


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public level sets are not here")
@pytest.mark.parametrize("name", sorted(path.name for path in PUBLIC.glob("boxoban-*.txt")))
def test_public_boxoban_rooms(name: str) -> None:
    pack = levels.read(Path(PUBLIC) / name)
    assert [level.title for level in pack.levels] == [str(number) for number in range(1000)]
    assert {level.state.warehouse.rows for level in pack.levels} == {10}


def test_moves_are_replayed_whatever_their_case() -> None:
    (level,) = read("#######\n#@ $ .#\n#######").levels
    for text in ("rRR", "RRR", "rrr", "3r", "R r\nr", "3(r)", "rrrllll"):
        actions = levels.replayed(level.state, text, "it")
        assert sokoban.to_lurd(level.state, actions) == "rRR", text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rru", r"move 3 \(up\) runs into a wall"),
        ("ll", r"move 1 \(left\) runs into a wall"),
        ("rx", "'x' is none of the moves"),
        ("", "no move"),
        ("9", "no move"),
        ("2(r", "not closed"),
        ("999999r", "more than 100,000"),
    ],
)
def test_moves_that_do_not_fit_are_refused_with_their_number(text: str, reason: str) -> None:
    (level,) = read("#######\n#@ $ .#\n#######").levels
    with pytest.raises(LevelError, match=reason) as caught:
        levels.replayed(level.state, text, "the clipboard")
    assert str(caught.value).startswith("the clipboard: ")


def test_a_box_in_the_way_is_named() -> None:
    (level,) = read("########\n#@$$ ..#\n########").levels
    with pytest.raises(LevelError, match=r"move 1 \(right\) pushes a box into another box"):
        levels.replayed(level.state, "r", "it")
