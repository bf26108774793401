"""What a file of levels may ask of the reader: lines, brackets, elements and squares are bounded before anything is expanded."""

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.cli.arguments import read_bytes
from game.cli.errors import CliError
from game.rules import levels
from game.rules.levels import LevelError, rle
from game.rules.levels.data import MAX_COMMENT, MAX_SQUARES, MAX_TITLE
from game.rules.levels.slc import MAX_ELEMENTS

LEVEL = "#####\n#@$.#\n#####"
MEGABYTES = 100
SLC = '<?xml version="1.0"?><SokobanLevels><LevelCollection>{}</LevelCollection></SokobanLevels>'


def refused(text: str | bytes) -> LevelError:
    """The error for a file; it must not have taken much memory to find it."""
    tracemalloc.start()
    try:
        with pytest.raises(LevelError) as caught:
            levels.sketches(text, "file")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEGABYTES * 1_000_000, f"{peak / 1e6:.0f} MB"
    return caught.value


def test_a_line_of_brackets_is_refused_by_its_length() -> None:
    error = refused(f"{LEVEL}\n\n#" + "(" * 3_000_000)
    assert error.line == 5 and "the line has 3,000,001 characters" in error.reason


def test_a_row_longer_than_any_board_is_refused_before_it_is_written_out() -> None:
    text = "#" + "1#" * 10_000  # one row of 10,001 walls
    error = refused(text)
    assert (error.line, error.reason) == (1, "the line has 20,001 characters; 10,000 of a board is the most")


def test_a_row_of_brackets_in_slc_is_no_board_and_takes_no_memory() -> None:
    error = refused(SLC.format("<Level><L>#" + "(" * 3_000_000 + "</L></Level>"))
    assert "the level has 3,000,001 characters in its rows" in error.reason


def test_more_elements_than_any_pack_needs_are_refused() -> None:
    assert MAX_ELEMENTS > levels.MAX_LEVELS * 65  # a full pack of the largest levels
    error = refused(SLC.format("<Level>" + "<L/>" * (MAX_ELEMENTS + 1) + "</Level>"))
    assert f"more than {MAX_ELEMENTS:,} elements" in error.reason


def test_rows_beyond_the_largest_board_are_not_kept() -> None:
    good = "".join(f"<L>{row}</L>" for row in LEVEL.split("\n"))
    text = SLC.format("<Level>" + "<L>#</L>" * 5_000 + f"</Level><Level>{good}</Level>")
    pack, boards = levels.parse_boards(text, "file")
    assert len(boards) == 2 and len(pack.levels) == 1
    assert isinstance(boards[0], LevelError) and "64 of each is the most" in boards[0].reason


@pytest.mark.parametrize("letters", ["#", "l"])
def test_brackets_are_nested_only_so_deep(letters: str) -> None:
    deep = rle.MAX_DEPTH
    assert rle.expand("(" * deep + letters + ")" * deep, 10) == letters
    with pytest.raises(ValueError, match="nested more than"):
        rle.expand("(" * (deep + 1) + letters + ")" * (deep + 1), 10)


def test_brackets_with_nothing_between_them_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing in it"):
        rle.expand("l()r", 10)


def boards_in_runs(count: int) -> Iterator[str]:
    """Levels of 64×64 squares in 40 letters each."""
    for _ in range(count):
        yield "64#|#@$.60#|62(64#|)"


def test_a_few_letters_cannot_stand_for_millions_of_squares() -> None:
    allowed = MAX_SQUARES // 64**2
    text = "\n\n".join(boards_in_runs(allowed + 10))
    assert len(text) < 50_000
    error = refused(text)
    assert f"more than {MAX_SQUARES:,} squares" in error.reason


def test_titles_and_comments_are_cut_to_what_is_kept() -> None:
    text = f"{LEVEL}\nTitle: {'t' * 5000}\nAuthor: {'a' * 5000}\nComment: {'c' * 50_000}\n"
    (level,) = levels.parse(text, "file").levels
    assert (len(level.title), len(level.author), len(level.comment)) == (MAX_TITLE, MAX_TITLE, MAX_COMMENT)


def test_a_line_of_runs_keeps_its_number_for_all_its_rows() -> None:
    text = f"{LEVEL}\n\n5#|#@$.#|#3x#|5#"
    _pack, boards = levels.parse_boards(text, "file")
    assert isinstance(boards[1], LevelError)
    assert (boards[1].line, boards[1].reason) == (5, "'x' means nothing on a board")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.xsb"
    os.mkfifo(pipe)
    with pytest.raises(LevelError, match=r"pipe\.xsb: this is a pipe"):
        levels.read(pipe)
    with pytest.raises(CliError, match="this is a pipe"):
        read_bytes(pipe, 1000)
