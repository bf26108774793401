"""Every form a level leaves in comes back as the same level; mutated files are refused in one sentence."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import levels
from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import Document
from game.rules.levels import LevelError
from game.saves import level_forms, png

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=30).map(
    lambda text: " ".join(text.split())
)


@st.composite
def levels_drawn(draw: st.DrawFn) -> Document:
    """Anything with walls all round."""
    rows, cols = draw(st.integers(3, 10)), draw(st.integers(3, 10))
    count = (rows - 2) * (cols - 2)
    array = drawings.blank(rows, cols).array
    cells = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    array[1:-1, 1:-1] = np.array(cells, dtype=np.int8).reshape(rows - 2, cols - 2)
    return Document(
        drawings.of_array(array), draw(NAMES), draw(NAMES), "\n".join(draw(st.lists(NAMES.filter(bool), max_size=3)))
    )


def only(found: tuple[Document, ...]) -> Document:
    (document,) = found
    return document


@given(levels_drawn())
def test_xsb_comes_back(document):
    text = level_forms.as_xsb(document)
    assert only(level_forms.documents(text, "it")).drawing == document.drawing, text
    assert only(level_forms.documents(text.encode(), "it")).drawing == document.drawing, text


@given(levels_drawn())
def test_json_comes_back_with_its_words(document):
    text = level_forms.as_json(document)
    assert only(level_forms.documents(text, "it")) == document, text
    assert json.loads(text)["board"] == document.drawing.array.tolist()


@given(levels_drawn())
def test_arrays_come_back(document):
    assert only(level_forms.documents(level_forms.as_python(document), "it")).drawing == document.drawing
    assert only(level_forms.documents(level_forms.as_npy(document), "it")).drawing == document.drawing
    printed = f"{document.drawing.array}"  # as NumPy prints it, without commas
    assert only(level_forms.documents(printed, "it")).drawing == document.drawing, printed


@given(levels_drawn())
def test_runs_and_python_text_come_back_with_their_words(document):
    for text in (level_forms.as_runs(document), level_forms.as_python(document)):
        again = only(level_forms.documents(text, "it"))
        assert again.drawing == document.drawing, text
        assert (again.title, again.author) == (document.title, document.author), text
    assert len(level_forms.as_runs(document).splitlines()[0]) < document.drawing.rows * document.drawing.cols * 2


@given(levels_drawn())
def test_a_picture_brings_its_level_back(document):
    data = level_forms.as_png(document, 2, 1, b"\x00\x10\x20\x30\x40\x50")
    assert only(level_forms.documents(data, "it")) == document


def test_a_picture_is_a_picture(tmp_path):
    import pygame

    path = tmp_path / "level.png"
    path.write_bytes(png.encode(3, 2, bytes(range(18)), {"key": "text"}))
    surface = pygame.image.load(path)
    assert surface.get_size() == (3, 2)
    assert tuple(surface.get_at((2, 1)))[:3] == (15, 16, 17)
    assert png.text_of(path.read_bytes(), "key") == "text"
    assert png.text_of(path.read_bytes()[:-30], "other") is None


def test_the_python_text_makes_the_array_in_a_clean_interpreter():
    drawing = drawings.of_array(np.random.default_rng(5).integers(0, 7, (7, 9)))
    document = Document(drawing, "A title\nimport os", 'somebody """ # \\')
    program = level_forms.as_python(document) + "import json\nprint(json.dumps(initial_state.tolist()))\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout) == drawing.array.tolist(), program
    assert "initial_state = np.array([" in program


def test_unfinished_drawings_leave_as_array_and_json_but_not_as_broken_xsb():
    open_above = Document(drawings.of_array([[0, 4, 2], [1, 0, 1], [1, 1, 1]]))
    with pytest.raises(ValueError, match="walls"):
        level_forms.as_xsb(open_above)
    for text in (level_forms.as_json(open_above), level_forms.as_python(open_above)):
        assert only(level_forms.documents(text, "it")).drawing == open_above.drawing
    two_players = Document(drawings.of_array([[1, 1, 1, 1], [1, 4, 4, 1], [1, 1, 1, 1]]))
    assert only(level_forms.documents(level_forms.as_xsb(two_players), "it")).drawing == two_players.drawing


def test_margins_are_left_out_of_xsb():
    document = Document(
        drawings.resize(drawings.of_array([[1, 1, 1, 1, 1], [1, 4, 2, 3, 1], [1, 1, 1, 1, 1]]), 9, 9, 1, 1)
    )
    back = only(level_forms.documents(level_forms.as_xsb(document), "it"))
    assert back.drawing == drawings.trim(document.drawing), str(back.drawing)


def test_a_file_of_several_levels_gives_them_all(tmp_path):
    path = tmp_path / "some.xsb"
    path.write_text("#####\n#@$.#\n#####\nTitle: One\n\n#####\n#@ .#\n#####\nTitle: Unfinished\n")
    assert [found.title for found in level_forms.read(path)] == ["One", "Unfinished"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "no level"),
        ("hello", "no level"),
        ("#####\n#@x.#\n#####", "means nothing"),
        ("[[1, 1], [1]]", "equally long"),
        ("[[1, 7], [1, 2]]", "0 to 6"),
        ("[[1, 2", "list of rows"),
        ("[[1, [2]], [3, 4]]", "list of rows"),
        ("np.array([[1, 2], [9999999999, 4]])", "0 to 6"),
        ("[[__import__('os').system('touch pwned'), 1]]", "no level"),
        ("[[1, __import__('os').system('touch pwned')]]", "list of rows"),
        ('{"format": "trilogic level"}', "no level"),
        ('{"format": "trilogic level", "version": 1, "board": [[1, 8]]}', "no level"),
        ('{"a": ' * 5000, "no level"),
        (
            b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, 'shape': (100000, 100000), }",
            "100000 rows",
        ),
        (b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (3, 3), }", "table"),
        (b"\x93NUMPY", "table"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "no level"),
        (b"\x00\x01\x02", "no text"),
        ("#" * 9_000_000, "larger"),
    ],
)
def test_bad_content_is_refused_in_one_sentence(data, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if isinstance(data, bytes) and b"descr" in data:
        head = data[10:].ljust(117) + b"\n"
        data = data[:8] + len(head).to_bytes(2, "little") + head
    with pytest.raises(LevelError, match=reason) as caught:
        level_forms.documents(data, "it.txt")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("it.txt")
    assert list(tmp_path.iterdir()) == []


def test_pickled_arrays_are_never_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "evil.npy"

    class Evil:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "pwned",))

    np.save(path, np.array([[Evil(), 1], [1, 1]], dtype=object), allow_pickle=True)
    with pytest.raises(LevelError):
        level_forms.read(path)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("kind", ["pipe", "folder", "nothing"])
def test_what_is_no_file_is_refused_at_once(kind, tmp_path):
    path = tmp_path / "level.xsb"
    if kind == "pipe":
        import os

        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    reason = {"pipe": "pipe or a device", "folder": "a folder", "nothing": "No such file"}[kind]
    with pytest.raises(LevelError, match=reason):
        level_forms.read(path)


def test_mutated_files_never_raise_anything_else():
    chance = random.Random(8)
    document = Document(Drawing(3, 5, (1, 1, 1, 1, 1, 1, 4, 2, 3, 1, 1, 1, 1, 1, 1)), "A level", "Me", "Words")
    seeds = [
        level_forms.as_xsb(document).encode(), level_forms.as_python(document).encode(), level_forms.as_npy(document),
        level_forms.as_json(document).encode(), level_forms.as_png(document, 1, 1, b"123"),
    ]  # fmt: skip
    slowest, good = 0.0, 0
    for number in range(2000):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(data))
            change = chance.randrange(4)
            if change == 0:
                data[at] = chance.randrange(256)
            elif change == 1:
                del data[at : at + chance.randrange(1, 20)]
            elif change == 2:
                data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 20)))
            else:
                data[at:at] = data[:at]
            if not data:
                data = bytearray(b"#")
        began = time.perf_counter()
        try:
            for found in level_forms.documents(bytes(data), "mutated"):
                assert max(found.drawing.rows, found.drawing.cols) <= 64
                good += 1
        except LevelError as error:
            assert error.source == "mutated"
            assert error.reason
        slowest = max(slowest, time.perf_counter() - began)
    assert slowest < 2.0
    assert good > 50, "the mutations never left anything readable, so they test little"


def test_levels_of_the_editor_are_levels_of_the_game():
    document = Document(Drawing(3, 5, (1, 1, 1, 1, 1, 1, 4, 2, 3, 1, 1, 1, 1, 1, 1)), "A level")
    (level,) = levels.parse(level_forms.as_xsb(document), "it").levels
    assert level.title == "A level"


def test_levels_of_every_form_are_read_for_play():
    document = Document(Drawing(3, 5, (1, 1, 1, 1, 1, 1, 4, 2, 3, 1, 1, 1, 1, 1, 1)), "A level")
    found = {
        "xsb": level_forms.as_xsb(document), "runs": level_forms.as_runs(document), "json": level_forms.as_json(document),
        "python": level_forms.as_python(document), "npy": level_forms.as_npy(document),
        "png": level_forms.as_png(document, 1, 1, b"123"),
        "slc": "<SokobanLevels><Level Id='A level'><L>#####</L><L>#@$.#</L><L>#####</L></Level></SokobanLevels>",
    }  # fmt: skip
    for form, data in found.items():
        pack, boards = level_forms.boards(data, form)
        assert pack.levels == boards, form
        assert [levels.board(level.state) for level in pack.levels] == [["#####", "#@$.#", "#####"]], form
        assert pack.levels[0].title == ("" if form == "npy" else "A level"), form


def test_an_unfinished_level_of_a_form_of_the_app_is_a_refused_board():
    text = level_forms.as_json(Document(Drawing(3, 5, (1, 1, 1, 1, 1, 1, 4, 2, 0, 1, 1, 1, 1, 1, 1))))
    pack, (error,) = level_forms.boards(text, "it.json")
    assert pack.levels == ()
    assert isinstance(error, LevelError)
    assert "as many boxes as targets" in error.reason


def test_broken_json_names_its_line():
    with pytest.raises(LevelError, match="JSON") as caught:
        level_forms.boards('{\n "format": "trilogic level",\n "board": [[1, 1],, [1]]\n}', "it.json")
    assert caught.value.line == 3
