"""Files and texts that come in while the window goes on: read on a thread, shown in the status bar, given up by leaving."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from game.rules import levels
from game.rules.editing import checks
from game.rules.editing.history import Document
from game.saves import level_forms
from game.saves.user_packs import UserPacks
from game.screens.editor.dialogs import ChooseDialog
from game.screens.editor.scene import EditorScene
from game.ui import reading
from game.ui.dialog import Answer, Dialog

SECONDS = 30.0
LEVEL = "#####\n#@$.#\n#####\nTitle: One\n"


class Gate:
    """Holds a reader until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.threads: list[threading.Thread] = []
        real: Callable[..., object] = getattr(level_forms, name)

        def held(*arguments: object) -> object:
            self.threads.append(threading.current_thread())
            self.reached.set()
            assert self.opened.wait(SECONDS)
            return real(*arguments)

        monkeypatch.setattr(level_forms, name, held)


@pytest.fixture
def visitor(visit, monkeypatch: pytest.MonkeyPatch):
    made = visit("editor")
    until(made, lambda: made.scene.exchange.packs.known, "the packs are read")
    monkeypatch.setattr(reading, "GRACE", 0.0)
    return made


def until(visitor, done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < end, f"{what}: {visitor.said()}"
        visitor.frames()


def drop(visitor, path: Path, text: str = LEVEL) -> None:
    path.write_text(text)
    visitor.post(pygame.DROPFILE, file=str(path))


def drawn_words(visitor) -> str:
    return "\n".join(words for words, _place in visitor.words())


def test_the_window_goes_on_while_a_dropped_file_is_read(visitor, tmp_path, monkeypatch) -> None:
    gate = Gate(monkeypatch, "documents")
    before = visitor.scene.document
    drop(visitor, tmp_path / "slow.xsb")
    assert gate.reached.wait(SECONDS)
    frames = visitor.window.frames
    visitor.frames(5)
    assert visitor.window.frames == frames + 5 and visitor.scene.document == before
    assert gate.threads[0] is not threading.main_thread()
    assert "Reading slow.xsb" in drawn_words(visitor), "the status bar shows it"
    gate.opened.set()
    until(visitor, lambda: visitor.scene.document.title == "One", "the level is open")
    assert "Reading slow.xsb" not in drawn_words(visitor)


def test_whoever_leaves_the_screen_gives_the_reading_up(visitor, tmp_path, monkeypatch) -> None:
    gate = Gate(monkeypatch, "documents")
    scene = visitor.scene
    before = scene.document
    drop(visitor, tmp_path / "slow.xsb")
    assert gate.reached.wait(SECONDS)
    visitor.window.command("settings")
    visitor.frames(2)
    assert visitor.window.top is not scene and not visitor.window.readings.busy
    assert any("Reading slow.xsb: stopped" in said for said in visitor.said())
    gate.opened.set()
    visitor.window.pop()
    visitor.frames(5)
    assert visitor.window.top is scene and scene.document == before


def test_a_click_on_the_chip_gives_it_up(visitor, tmp_path, monkeypatch) -> None:
    gate = Gate(monkeypatch, "documents")
    drop(visitor, tmp_path / "slow.xsb")
    assert gate.reached.wait(SECONDS)
    visitor.frames(1)
    place = visitor.window._chip_at
    assert place is not None
    visitor.click(place.center)
    assert not visitor.window.readings.busy
    gate.opened.set()


def test_nothing_changes_under_an_open_dialog(visitor, tmp_path, monkeypatch) -> None:
    gate = Gate(monkeypatch, "documents")
    drop(visitor, tmp_path / "slow.xsb")
    assert gate.reached.wait(SECONDS)
    visitor.window.push(Dialog(visitor.window, "A question", "", (Answer("Yes"),)))
    gate.opened.set()
    until(visitor, lambda: visitor.window.readings._open[0].future.done(), "it is read")
    visitor.frames(3)
    assert visitor.scene.document.title != "One"
    visitor.key(pygame.K_ESCAPE)
    until(visitor, lambda: visitor.scene.document.title == "One", "the level is open")


def test_pasted_text_is_read_on_a_thread_too(visitor, monkeypatch) -> None:
    gate = Gate(monkeypatch, "documents")
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: LEVEL)
    visitor.window.command("paste")
    assert gate.reached.wait(SECONDS)
    assert gate.threads[0] is not threading.main_thread()
    gate.opened.set()
    until(visitor, lambda: visitor.scene.document.title == "One", "the level is open")


def test_a_model_that_is_dropped_on_the_editor_goes_to_its_screen(visitor, tmp_path) -> None:
    path = tmp_path / "some.safetensors"
    path.write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    visitor.post(pygame.DROPFILE, file=str(path))
    until(visitor, lambda: visitor.window.top.name == "models", "the models are open")


def test_the_packs_of_the_editor_are_read_on_a_thread(visit, monkeypatch) -> None:
    threads = []
    real = UserPacks.look

    def look(packs: UserPacks):
        threads.append(threading.current_thread())
        return real(packs)

    monkeypatch.setattr(UserPacks, "look", look)
    monkeypatch.setattr(reading, "GRACE", 0.0)
    visitor = visit("editor")
    until(visitor, lambda: visitor.scene.exchange.packs.known, "the packs are read")
    visitor.window.command("packs")
    until(visitor, lambda: visitor.window.top.name == "packs", "My packs")
    assert len(threads) == 2 and threading.main_thread() not in threads


def test_many_levels_are_sorted_out_once_each(visitor, monkeypatch) -> None:
    (level,) = levels.parse(LEVEL, "it").levels
    good = checks.document_of(level)
    raw = Document(good.drawing.__class__(3, 3, (0,) * 9), "raw")
    asked = []
    real = checks.level_of
    monkeypatch.setattr(checks, "level_of", lambda *given: (asked.append(given), real(*given))[1])
    scene: EditorScene = visitor.scene
    scene.exchange.take([good, raw] * 150, "it", "many-levels")
    assert isinstance(visitor.window.top, ChooseDialog)
    asked.clear()
    visitor.window.top.answer(visitor.window.top.answers[1])
    until(visitor, lambda: bool(scene.exchange.packs.drawings), "they are kept")
    assert len(asked) == 300
    (own,) = scene.exchange.packs.packs
    assert (own.title, len(own.pack.levels), len(scene.exchange.packs.drawings)) == ("Many levels", 150, 150)
