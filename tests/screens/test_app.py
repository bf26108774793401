"""Starting: what is imported for the first picture, and a sentence for everything that may be wrong with the saves."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from ai import kernels
from game.screens import app, navigation
from game.screens.jobs.warming import Warming
from game.screens.menu import MenuScene

ROOT = Path(__file__).parents[2]


def start(saves, *arguments, frames=3, **environment):
    """Run the app in a process of its own for some frames; (exit code, standard output, standard error)."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER", "SDL_AUDIODRIVER"}
    kept = {key: value for key, value in os.environ.items() if key not in hidden}
    dummy = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "TRILOGIC_EXIT_AFTER_FRAMES": str(frames)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "--saves", str(saves), *arguments],
        env={**kept, **dummy, **environment}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_menu_needs_no_heavy_library_and_little_time(tmp_path):
    code, output, errors = start(tmp_path)
    assert (code, errors) == (0, "")
    report = json.loads(output)
    assert report["modules"] == []
    assert len(report["frame_ms"]) == 3
    assert (
        report["menu_seconds"] < 10
    )  # the budget is measured by `bench`; this is a machine that does other things too


def test_no_audio_device_is_no_failure(tmp_path):
    code, output, errors = start(tmp_path, frames=40, SDL_AUDIODRIVER="none-such")
    assert (code, errors) == (0, "")
    assert json.loads(output)["modules"] == []
    assert "no sound" in (tmp_path / "log" / "trilogic.log").read_text()


def test_no_display_is_one_line(tmp_path):
    code, output, errors = start(tmp_path, SDL_VIDEODRIVER="")
    assert (code, output) == (2, "")
    (line,) = errors.splitlines()
    assert "screen" in line
    assert "solve" in line


def test_settings_that_are_torn_are_put_aside(visit, tmp_path):
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "settings.json").write_text('{"version": 1, "theme": "li')
    visitor = visit()
    assert any("settings.json" in words for words in visitor.said()), visitor.said()
    assert isinstance(visitor.window.top, MenuScene)
    assert [path.read_text() for path in (saves / "damaged").iterdir()] == ['{"version": 1, "theme": "li']


def test_settings_out_of_range_fall_back_with_a_sentence(visit, tmp_path):
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "settings.json").write_text(json.dumps({"version": 1, "ui_scale": 900, "theme": "light"}))
    visitor = visit()
    assert any("Size of text" in words for words in visitor.said()), visitor.said()
    assert visitor.window.look.ui_scale == 1.0
    assert visitor.window.look.theme == "light"


def test_torn_progress_is_a_sentence(visit, tmp_path):
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "progress.json").write_bytes(b"\x00\xff")
    visitor = visit()
    assert any("progress.json" in words for words in visitor.said()), visitor.said()


def test_second_window_is_told_and_saves_nothing(visit, tmp_path):
    first = visit()
    second = visit()
    assert any("Another window" in words for words in second.said())
    assert second.window.screenshots is None
    second.context.set("theme", "light")
    second.close()
    first.close()
    assert visit().window.look.theme == "dark"


def test_saves_that_cannot_be_made_are_a_sentence(visit, tmp_path):
    (tmp_path / "saves").write_text("a file where the folder should be")
    visitor = visit()
    assert any("cannot be written" in words for words in visitor.said()), visitor.said()
    visitor.key(pygame.K_F12)
    assert any("no screenshot was kept" in words for words in visitor.said())
    assert (tmp_path / "saves").read_text() == "a file where the folder should be"


def test_the_window_comes_back_where_it_was(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"version": 1, "window": {"x": 3, "y": 5, "w": 900, "h": 650}}))
    assert start(tmp_path)[0] == 0
    kept = json.loads(settings.read_text())["window"]
    assert (kept["w"], kept["h"]) == (900, 650)


@pytest.mark.parametrize("scene", ["settings", "2048"])
def test_a_scene_asked_for_has_the_menu_below(tmp_path, monkeypatch, scene):
    seen = []

    def run(window, first, _frames):
        window.push(first)
        seen.extend(type(scene).__name__ for scene in window.scenes)

    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    monkeypatch.setattr("game.ui.window.Window.run", run)
    assert app.run(scene, None, tmp_path) == 0
    assert len(seen) == 2
    assert seen[0] == "MenuScene"


def test_a_scene_that_cannot_be_made_leaves_the_menu(tmp_path, monkeypatch):
    seen = []

    def fail(*_arguments):
        raise RuntimeError("no levels")

    def run(window, first, _frames):
        window.push(first)
        seen.extend([type(scene).__name__ for scene in window.scenes])
        seen.extend(toast.text for toast in window.toasts.items)

    monkeypatch.setattr(navigation, "game_scene", fail)
    monkeypatch.setattr(Warming, "_begin", lambda *_words: None)
    monkeypatch.setattr("game.ui.window.Window.run", run)
    assert app.run("sokoban", None, tmp_path) == 0
    assert seen == ["MenuScene", "The screen could not be opened: no levels."]


def test_problems_of_writing_and_preparing_are_said_once(visit, monkeypatch):
    visitor = visit()
    monkeypatch.setattr(visitor.context.writer, "problems", lambda: ["settings.json could not be saved: disk full."])
    monkeypatch.setattr(kernels, "all_ready", lambda: False)
    monkeypatch.setattr(Warming, "command", [sys.executable, "-c", "raise SystemExit(2)"])
    warming = Warming()
    visitor.context.jobs.add(warming)
    assert visitor.context.preparing.startswith("Preparing agents once for this machine")
    assert warming._process is not None and warming._process.wait(20)
    visitor.frames(5)
    assert (visitor.context.preparing, visitor.context.unprepared) == ("", warming.problem)
    assert sorted(visitor.said()) == [
        "Preparing the agents failed; you can still play without them. The log has the details.",
        "settings.json could not be saved: disk full.",
    ]
    visitor.window.toasts.items.clear()
    visitor.frames(5)
    assert visitor.said() == []
