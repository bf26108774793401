"""Opens the window: saves, settings, log, the menu, and the way out."""

import json
import logging
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ai import models, stopping, temporary
from ai.worker import wait_for_all
from game.rules.games import GAMES
from game.saves import log as log_file
from game.saves import settings as settings_file
from game.saves.folder import open_saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.settings import Settings
from game.saves.writer import Writer
from game.screens.context import Context
from game.screens.jobs.warming import Warming
from game.screens.models.shelf import folders as model_folders
from game.screens.navigation import make_scene, open_scene, show
from game.ui import heap
from game.ui.display import Look, NoDisplay
from game.ui.scene import Scene
from game.ui.window import Window
from game.views.view import view_of

if TYPE_CHECKING:
    from game.screens.opening import Found

ENDING_SECONDS = 0.2
"""How long closing waits for threads that still think or read: they have nothing to save, and the process ends without them."""
STARTED = time.perf_counter()
WITHOUT_DISPLAY = "agents, solve, match, analyze, train, models, generate, replay, bench"
LATE_MODULES = ("numba", "torch", "matplotlib")

log = logging.getLogger("trilogic.app")


def _open_context(saves_folder: Path | None) -> tuple[Context, list[str]]:
    saves = open_saves(saves_folder)
    models.use_folders(*model_folders(saves))
    log_file.set_up(saves)
    temporary.sweep_folders()
    writer = Writer(saves)
    settings, notices = settings_file.load(saves)
    progress = Progress(saves, writer)
    context = Context(saves, writer, settings, progress, Library(saves, writer))
    said = [*saves.notices, *notices]
    if progress.notice:
        said.append(progress.notice)
    return context, said


def open_window(saves_folder: Path | None = None, size: tuple[int, int] | None = None) -> tuple[Window, Context]:
    """The window and what its screens share; raises NoDisplay where there is no screen.

    `size` overrides the remembered one, for pictures and measurements.
    """
    heap.keep_small()
    context, notices = _open_context(saves_folder)
    shots = context.saves.root / "screenshots" if context.saves.writable else None
    try:
        window = Window(context.look(), "Trilogic", shots, size)
    except NoDisplay:
        close_context(context)
        raise
    for game in GAMES:
        window.sounds.learn(view_of(game).sounds)
    for notice in notices:
        window.say(notice, "bad")
    _connect(window, context)
    return window, context


def _connect(window: Window, context: Context) -> None:
    """Keys change the look and settings change it too; both are saved. Files dropped on the window are opened."""

    def from_keys(look: Look) -> None:
        context.set("fullscreen", look.fullscreen)
        context.set("mute", look.mute)

    def from_settings(_settings: Settings) -> None:
        look = context.look()
        if look != window.look:
            window.set_look(look)

    said: set[str] = set()

    def every_frame(_dt: float) -> None:
        if stopping.received():  # all is saved on the way out
            window.quit()
        for problem in context.writer.problems():
            if problem not in said:
                said.add(problem)
                window.say(problem, "bad")
        _follow(window, context)

    def open_file(path: Path) -> None:
        def read() -> "Found":
            from game.screens import opening  # where nobody waits for it: it brings most screens with it

            return opening.read_any(path)

        def show(found: "Found") -> None:
            from game.screens.opening import Opener

            Opener(window, context).show(found, path, path.name)

        window.read(f"Reading {path.name}", read, show)

    def on_command(command: str) -> bool:
        if command == "settings" and command not in window.top.without:
            open_scene(command, window, context)
        elif command == "lab":
            show(command, window, context)
        else:
            job = context.jobs.at(command)
            if job is None or job.show is None:
                return False
            job.show()
        return True

    window.on_command = on_command
    window.on_drop = open_file
    window.on_look = from_keys
    context.on_settings = from_settings
    window.on_frame = every_frame


def _follow(window: Window, context: Context) -> None:
    """Say how jobs ended; the status bar says what goes on behind the screen."""
    place = window.top.name if window.scenes else ""
    for job in context.jobs.update():
        if job.outcome and job.place != place:
            window.say(job.outcome, job.mood)
    window.chip = context.jobs.chip(place)


def close_context(context: Context) -> None:
    """Write what is left, wait for whoever still thinks, and let go of the saves."""
    context.jobs.close()
    context.writer.close()
    wait_for_all(ENDING_SECONDS)
    context.saves.close()


def run(scene: str | None = None, open_file: Path | None = None, saves: Path | None = None) -> int:
    """Show the window until it is closed; returns the exit code."""
    try:
        window, context = open_window(saves)
    except NoDisplay as error:
        print(
            f"Trilogic needs a screen: {error}. These commands work without one: {WITHOUT_DISPLAY}.", file=sys.stderr
        )
        return 2
    with stopping.politely(firm=True):
        return _run(window, context, scene, open_file)


def _run(window: Window, context: Context, scene: str | None, open_file: Path | None) -> int:
    frames = int(os.environ.get("TRILOGIC_EXIT_AFTER_FRAMES", "0")) or None
    at_first_frame: list[str] = []
    window.on_first_frame = lambda: at_first_frame.extend(sys.modules)
    context.jobs.add(Warming())  # before any screen: each asks for its own agents first
    first = make_scene("menu", window, context)
    try:
        if scene is not None and scene != "menu":
            first = _over_menu(scene, first, window, context)
        if open_file is not None:
            window.on_drop(open_file)
        window.run(first, frames)
        place = window.geometry()
        if place is not None:
            context.put(settings_file.with_window(context.settings, *place))
    finally:
        window.close()
        close_context(context)
    if frames is not None:
        _report(window, at_first_frame)
    return 0


def _over_menu(name: str, menu: Scene, window: Window, context: Context) -> Scene:
    """The scene asked for, with the menu below it; the menu itself when that scene cannot be made."""
    try:
        scene = make_scene(name, window, context)
    except Exception as error:
        log.exception("the scene %s could not be made", name)
        window.say(f"The screen could not be opened: {error or type(error).__name__}.", "bad")
        return menu
    window.scenes.append(menu)
    return scene


def _report(window: Window, modules: Iterable[str]) -> None:
    """One line of JSON about the start and the frames, for the benches; `modules` are those at the first picture."""
    shown = (window.first_frame or time.perf_counter()) - STARTED
    late = sorted({name.split(".")[0] for name in modules} & set(LATE_MODULES))
    frame_ms = [round(value, 3) for value in window.work_ms]
    print(json.dumps({"menu_seconds": round(shown, 3), "modules": late, "frame_ms": frame_ms}))
