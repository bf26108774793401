"""Tables of numbers: Python and NumPy text and `.npy` files, one board or many; nothing of them is run."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_levels import packs

from game.rules import levels, sokoban
from game.rules.levels import LevelError, Pack, Sketch

ROOM = [[1, 1, 1, 1, 1], [1, 4, 2, 3, 1], [1, 1, 1, 1, 1]]


def npy(array: object, **more: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(array, **more))
    return file.getvalue()


@given(packs())
def test_python_text_keeps_every_word(pack: Pack) -> None:
    for level in pack.levels:
        said = (level.title, level.author, level.comment, level.solution)
        text = levels.dump_text(Sketch(sokoban.to_array(level.state), *said))
        print(text)
        (again,) = levels.parse(text, "a.py").levels
        assert again.state == level.state
        assert (again.title, again.author, again.comment, again.solution) == said


@given(packs(), st.sampled_from(["int8", "uint8", "<i4", ">i4", "int64"]), st.booleans())
def test_npy_files_of_every_kind_of_whole_number(pack: Pack, kind: str, fortran: bool) -> None:
    for level in pack.levels:
        array = sokoban.to_array(level.state).astype(kind)
        (again,) = levels.parse(npy(np.asfortranarray(array) if fortran else array), "a.npy").levels
        assert again.state == level.state
        assert again.line is None


def test_many_boards_in_one_file() -> None:
    solved = [[1, 1, 1, 1, 1], [1, 4, 0, 5, 1], [1, 1, 1, 1, 1]]
    pack, errors = levels.parse_lenient(npy([ROOM, solved, ROOM], dtype="int8"), "a.npy")
    assert len(pack.levels) == 2
    assert [str(error) for error in errors] == ["a.npy: it is already solved"]
    text = f"one = {ROOM}\n\n# Title: Second\ntwo = np.array({ROOM})\nprint({solved})\n"
    pack, errors = levels.parse_lenient(text, "a.py")
    assert [(level.title, level.line) for level in pack.levels] == [("", 1), ("Second", 4)]
    assert [error.line for error in errors] == [5]
    assert len(levels.parse(repr(np.array([ROOM, ROOM])), "printed").levels) == 2


def test_boards_with_walls_of_hashes_are_no_table() -> None:
    text = "; see [[1, 2]]\n#####\n#@$.#\n#####\n"
    assert levels.parse(text, "a").levels[0].title == "see [[1, 2]]"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("\na = [[1, 1], [1]]", 2, "not equally long"),
        ("a = [[1, 7], [1, 1]]", 1, "0 to 6 only"),
        ("a = [[1, 0.5], [1, 1]]", 1, "list of rows"),
        ("a = [[1, 1], [1, 1]", 1, "list of rows"),
        ("a = [[1, f(1)]]", 1, "list of rows"),
        ("a = [" + "[1, 1]," * 65 + "]", 1, "more than 64 rows"),
        ("a = [[" + "1," * 70 + "]]", 1, "70 columns"),
        ("a = [[" + "1," * 9000 + "]]", 1, "more than 64 numbers"),
        ("a = [[1, 1], [1, 1]]", 1, "exactly one player"),
    ],
)
def test_refused_tables(text: str, line: int, reason: str) -> None:
    with pytest.raises(LevelError, match=reason) as caught:
        levels.parse(text, "a.py")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (npy([[1, 7]]), "0 to 6 only"),
        (npy([[1, -1]]), "0 to 6 only"),
        (npy([[1.0, 2.0]]), "table of whole numbers"),
        (npy([1, 2]), "table of whole numbers"),
        (npy([[object()]], dtype=object), "table of whole numbers"),
        (npy(np.ones((65, 3), dtype="int8")), "65 rows"),
        (npy([ROOM])[:-1], "end of this array is missing"),
        (npy([ROOM]) + b"\0", "end of this array is missing"),
        (npy(np.zeros((0, 3, 3), dtype="int8")), "0 boards"),
        (npy([ROOM])[:20], "table of whole numbers"),
    ],
)  # fmt: skip
def test_refused_files(data: bytes, reason: str) -> None:
    with pytest.raises(LevelError, match=reason) as caught:
        levels.parse(data, "a.npy")
    assert caught.value.line is None
    assert "\n" not in str(caught.value)
