"""The editor's work in progress: its history survives, also when the app dies; a damaged file is set aside."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from game.rules.editing import drawings
from game.rules.editing.history import Document, History
from game.saves import draft as drafts
from game.saves.draft import Draft
from game.saves.folder import Saves
from game.saves.writer import Writer


def open_draft(root: Path) -> tuple[Draft, Writer]:
    saves = Saves(root, True)
    writer = Writer(saves, interval=0.0)
    return Draft(saves, writer), writer


def scribble(history: History, count: int, seed: int) -> None:
    """Random strokes, turns, sizes, titles, undos."""
    chance = random.Random(seed)
    for number in range(count):
        document = history.document
        drawing = document.drawing
        choice = chance.random()
        if choice < 0.7:
            squares = [chance.randrange(len(drawing.cells)) for _ in range(chance.randrange(1, 9))]
            history.do("paint", replace(document, drawing=drawings.paint(drawing, squares, chance.randrange(7))))
        elif choice < 0.78:
            history.do("turn", replace(document, drawing=drawings.rotate(drawing)))
        elif choice < 0.84:
            size = chance.randrange(3, 65), chance.randrange(3, 65)
            history.do("resize", replace(document, drawing=drawings.resize(drawing, *size)))
        elif choice < 0.9:
            history.do("words", replace(document, title=f"Title {number}", comment="two\nlines ü", pack="mine"))
        else:
            history.undo()


def same(one: History, other: History) -> None:
    assert [(step.what, step.document) for step in one.steps] == [(step.what, step.document) for step in other.steps]
    assert one.cursor == other.cursor


@pytest.mark.parametrize("seed", range(5))
def test_the_whole_history_comes_back(tmp_path: Path, seed: int) -> None:
    draft, writer = open_draft(tmp_path)
    for part in range(4):
        scribble(draft.history, 60, seed * 10 + part)
        draft.save()
        writer.flush()  # and here the app dies
        again, _ = open_draft(tmp_path)
        assert again.found
        assert again.notice is None
        same(again.history, draft.history)


def test_a_history_that_came_back_goes_on(tmp_path: Path) -> None:
    draft, writer = open_draft(tmp_path)
    scribble(draft.history, 50, 1)
    draft.save()
    writer.flush()
    second, writer = open_draft(tmp_path)
    for _ in range(10):
        second.history.undo()
    scribble(second.history, 20, 2)
    second.save()
    writer.flush()
    third, _ = open_draft(tmp_path)
    same(third.history, second.history)


def test_a_stroke_under_way_is_kept_without_ending_it(tmp_path: Path) -> None:
    draft, writer = open_draft(tmp_path)
    half = replace(draft.history.document, drawing=drawings.paint(drawings.blank(), (20, 21), 2))
    draft.save(half)
    writer.flush()
    again, _ = open_draft(tmp_path)
    assert again.history.document == half
    assert again.history.can_undo
    assert len(draft.history.steps) == 1
    draft.save()
    writer.flush()
    assert len(open_draft(tmp_path)[0].history.steps) == 1


def test_only_so_many_steps_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_STEPS", 30)
    draft, writer = open_draft(tmp_path)
    scribble(draft.history, 200, 4)
    draft.save()
    writer.flush()
    again, _ = open_draft(tmp_path)
    assert len(again.history.steps) == 30
    assert again.history.document == draft.history.document


def test_only_so_many_bytes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft, writer = open_draft(tmp_path)
    scribble(draft.history, 200, 4)
    draft.save()
    writer.flush()
    path = tmp_path / "resume" / "editor.json"
    size = path.stat().st_size
    monkeypatch.setattr(drafts, "MOST_BYTES", size // 2)
    draft.save()
    writer.flush()
    assert path.stat().st_size < 0.6 * size
    again, _ = open_draft(tmp_path)
    assert again.notice is None
    assert 10 < len(again.history.steps) < 200
    assert again.history.document == draft.history.document
    monkeypatch.setattr(drafts, "MOST_BYTES", 1)
    draft.save()
    writer.flush()
    assert open_draft(tmp_path)[0].history.document == draft.history.steps[-1].document


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data.replace(b'"version":1', b'"version":9'),
        lambda data: data.replace(b'"cursor":0', b'"cursor":7'),
        lambda data: data.replace(b'"rows":9', b'"rows":8'),
        lambda data: data.replace(b'"cells":"1', b'"cells":"9'),
        lambda data: data.replace(b'"cells":"', b'"cells":"x'),
        lambda data: json.dumps({"version": 1, "cursor": 0, "steps": [{"what": "x"}]}).encode(),
        lambda data: json.dumps({"version": 1, "cursor": 0, "steps": []}).encode(),
        lambda data: data.replace(b"\n]}", b',\n{"what":"x","changes":[[4000,1]]}\n]}'),
    ],
)
def test_a_damaged_draft_is_set_aside(tmp_path: Path, change) -> None:
    draft, writer = open_draft(tmp_path)
    draft.save()
    writer.flush()
    path = tmp_path / "resume" / "editor.json"
    before = path.read_bytes()
    data = change(before)
    assert data != before
    path.write_bytes(data)
    again, _ = open_draft(tmp_path)
    assert again.notice is not None
    assert "editor" in again.notice
    assert again.history.document == Document(drawings.blank())
    assert [kept.read_bytes() for kept in (tmp_path / "damaged").iterdir()] == [data]
