#!/usr/bin/env python3
"""Takes the pictures of docs/screenshots again, without a display: every screen, dark and light.

    python scripts/screenshots.py [--out DIR] [NAME ...]

NAME is the beginning of a picture's name: `menu`, `2048-why`. It takes a few minutes; agents think in them, so their
kernels have to be prepared (start the window once).
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pygame

from ai import kernels, threads
from ai.entries import Spec
from game.rules import connect4, twenty48
from game.rules.connect4 import Shape
from game.screens import app
from game.screens.navigation import make_scene
from game.ui.window import SWITCH_SECONDS

ROOT = Path(__file__).resolve().parents[1]
SIZES = ((1024, 640), (1280, 800), (1920, 1080))
USUAL = SIZES[1]
THEMES = ("dark", "light")
FRAME = 1 / 60
CUBE = "2.2 3.3 2.3 3.2 2.2 2.2 1.1 4.4 3.3 3.3 2.3 1.4 4.1 2.3"


class Camera:
    """One window at a screen, with what is needed to bring it into the state of a picture."""

    def __init__(self, scene: str, size: tuple[int, int], theme: str, saves: Path) -> None:
        self.window, self.context = app.open_window(saves, size)
        self.context.set("theme", theme)
        self.window.scenes.append(make_scene("menu", self.window, self.context))
        self.scene: Any = self.window.scenes[0] if scene == "menu" else make_scene(scene, self.window, self.context)
        if scene == "menu":
            self.window.scenes.clear()
        self.window.push(self.scene)
        self.window.running = True
        if hasattr(self.scene, "session"):
            self.scene.session.skip_lesson()
        self.wait(0.2)

    @property
    def top(self) -> Any:
        """The scene on top."""
        return self.window.top

    def wait(self, seconds: float, until: Callable[[], object] = lambda: False) -> None:
        """Let the window run for so long, or until something is so."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not until():
            self.window.frame(FRAME)
            time.sleep(FRAME / 2)

    def work(self, seconds: float) -> None:
        """Wait until what was started is done, which the status bar shows."""
        self.wait(20, lambda: self.top.status[2])
        self.wait(seconds, lambda: not self.top.status[2])

    def do(self, *commands: str) -> None:
        """What keys and buttons ask for."""
        for command in commands:
            self.window.command(command)
            self.wait(0.4)

    def point(self, place: tuple[int, int]) -> None:
        """Move the pointer."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0)))
        self.wait(0.1)


def menu(camera: Camera) -> None:
    """Its boards are alive."""
    camera.wait(6)


def sokoban(camera: Camera) -> None:
    """A hint, and boxes home along its plan."""
    scene = camera.scene
    scene.session.open_level(scene.session.course.packs.get("2-depot"), 4)
    camera.do("hint")
    camera.wait(20, lambda: scene.session.driver.hint)
    camera.wait(0.3)


def levels(camera: Camera) -> None:
    """The list of levels."""
    camera.scene.session.open_level(camera.scene.session.course.packs.get("2-depot"), 4)
    camera.do("list")
    camera.wait(1.5)


def keys(camera: Camera) -> None:
    """The list of keys of Sokoban."""
    camera.do("help")
    camera.wait(0.5)


def play_2048(camera: Camera, moves: int = 400) -> None:
    """So many moves of the agent, then a pause."""
    scene = camera.scene
    scene.session.put_on(twenty48.start(4, 2026), 2026)
    scene.session.set_speed(60.0)
    camera.do("run")
    camera.wait(60, lambda: scene.session.timeline.cursor >= moves)
    scene.session.set_speed(6.0)
    camera.wait(0.5)


def running_2048(camera: Camera) -> None:
    """The network plays."""
    play_2048(camera)
    camera.wait(3)


def why(camera: Camera) -> None:
    """Why this move, by a network that looks one move ahead."""
    camera.scene.session.choose_agent(0, Spec("ntuple", {"plies": 1}, "2048-strong"))
    play_2048(camera)
    camera.do("run", "hint")
    camera.wait(20, lambda: camera.scene.session.driver.hint)
    camera.do("why")
    camera.wait(20, lambda: camera.scene.looks_ahead)
    camera.wait(0.5)


def arrange(camera: Camera) -> None:
    """A board being arranged."""
    play_2048(camera, 150)
    camera.do("run", "arrange")


def side_by_side(camera: Camera) -> None:
    """Two agents on the same tiles."""
    camera.do("duel")
    camera.top.duel.set_speed(30.0)
    camera.do("run")
    camera.wait(40, lambda: camera.top.duel.sides[1].moves >= 250)


def many_games(camera: Camera) -> None:
    """A hundred games of the small network."""
    camera.scene.session.choose_agent(0, Spec("ntuple", model="2048-small"))
    camera.do("series", "series_run")
    camera.work(120)
    camera.wait(0.5)


def flat(camera: Camera) -> None:
    """The classic board, with the value of every column."""
    play_connect4(camera, Shape(6, 7, 1, 4, 2), "4 4 4 4 4 5", Spec("perfect"))


def deep(camera: Camera) -> None:
    """A cube, with the value of every column."""
    play_connect4(camera, Shape(4, 4, 4, 4, 2), CUBE, Spec("alphabeta"))


def play_connect4(camera: Camera, shape: Shape, moves: str, spec: Spec) -> None:
    """A game up to a person's move, an agent thinking along."""
    scene = camera.scene
    scene.session.set_up(shape, [None, None])
    scene.session.adviser.set_along(False, scene.session.driver)
    for move in moves.split():
        column, _, slab = move.partition(".")
        action = (int(slab or 1) - 1) * shape.cols + int(column) - 1
        if action in connect4.legal_actions(scene.session.state):
            scene.session.play(action)
            camera.wait(0.4)
    scene.session.choose_agent(1, spec)
    scene.session.adviser.set_along(True, scene.session.driver)
    camera.wait(
        15,
        lambda: (
            scene.session.driver.thought.plan and scene.session.driver.thought.ply == scene.session.timeline.cursor
        ),
    )
    camera.wait(0.5)


def tournament(camera: Camera) -> None:
    """Three agents on the classic board."""
    camera.scene.session.set_up(Shape(6, 7, 1, 4, 2), [None, None])
    camera.do("tournament")
    camera.top.specs, camera.top.games = [Spec("perfect"), Spec("alphabeta"), Spec("minimax")], 4
    camera.top.rebuild()
    camera.do("tournament_run")
    camera.work(200)
    camera.wait(0.5)


def editor(camera: Camera) -> None:
    """A level that can be solved."""
    camera.scene.session.open_level(camera.scene.session.course.packs.get("2-depot"), 4)
    camera.do("edit")
    camera.wait(0.5)
    camera.do("hint")
    camera.work(30)
    camera.wait(0.5)


def lab(camera: Camera) -> None:
    """A deep Q-network after half a minute."""
    form = camera.scene.form
    form.choose("sokoban")
    form._set(form.request.trainer.parameter("number"), 2)
    camera.do("run")
    camera.wait(90, lambda: camera.scene.job is not None and camera.scene.job.seconds > 30)


def theatre(camera: Camera) -> None:
    """The first example, in its middle."""
    camera.wait(2)
    camera.do("accept")
    camera.wait(1)
    camera.do("right", "right", "right", "right")


def rest(camera: Camera) -> None:
    """As it is."""
    camera.wait(2)


PICTURES: dict[str, tuple[str, Callable[[Camera], None], bool]] = {
    "menu": ("menu", menu, True),
    "sokoban": ("sokoban", sokoban, True),
    "2048": ("2048", running_2048, True),
    "connect4": ("connect4", flat, True),
    "2048-why": ("2048", why, False),
    "2048-arrange": ("2048", arrange, False),
    "2048-side-by-side": ("2048", side_by_side, False),
    "2048-many-games": ("2048", many_games, False),
    "connect4-deep": ("connect4", deep, False),
    "tournament": ("connect4", tournament, False),
    "editor": ("sokoban", editor, False),
    "keys": ("sokoban", keys, False),
    "levels": ("sokoban", levels, False),
    "lab": ("lab", lab, False),
    "models": ("models", rest, False),
    "replays": ("replays", rest, False),
    "theatre": ("replays", theatre, False),
    "settings": ("settings", rest, False),
}
"""Name -> the screen it begins at, what is done there, and whether it is taken at every size."""


@contextmanager
def opened(scene: str, size: tuple[int, int], theme: str) -> Iterator[Camera]:
    """A camera with saves of its own."""
    saves = Path(tempfile.mkdtemp())
    camera = Camera(scene, size, theme, saves)
    try:
        yield camera
    finally:
        camera.window.close()
        app.close_context(camera.context)
        shutil.rmtree(saves, ignore_errors=True)


def main() -> int:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    arguments = parser.parse_args()
    threads.hold()
    if not kernels.all_ready():
        print("The agents are not prepared yet: start the window once.", file=sys.stderr)
        return 2
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    sys.setswitchinterval(SWITCH_SECONDS)
    for name, (scene, prepare, every_size) in PICTURES.items():
        for size in SIZES if every_size else (USUAL,):
            for theme in THEMES:
                file = arguments.out / f"{name}-{theme}-{size[0]}x{size[1]}.png"
                if arguments.names and not file.name.startswith(tuple(arguments.names)):
                    continue
                with opened(scene, size, theme) as camera:
                    prepare(camera)
                    camera.window.frame(FRAME)
                    pygame.image.save(camera.window.surface, file)
                print(file.name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
