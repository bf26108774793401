"""A window on SDL's dummy driver and a person at it, for the tests of replays; and games to watch."""

import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from game.rules import connect4, levels, replay, twenty48
from game.rules.connect4 import Shape
from game.rules.replay import Replay, Step
from game.screens import app
from game.screens.navigation import make_scene
from game.ui.kit import Control
from game.ui.scene import Scene

STARTED = "2026-01-02T03:04:05+00:00"
LEVEL = "########\n#@ $  .#\n#  $  .#\n########"


def sokoban_game(seats: tuple[str, ...] = ("person",)) -> Replay:
    """Two boxes pushed home: rrrrr, back, and the other one."""
    state = levels.parse(LEVEL, "test").levels[0].state
    steps = [Step(action) for action in (1, 1, 1, 1, 3, 3, 3, 3, 2, 1, 1, 1, 1)]
    return replay.record(state, steps, seats=seats, started=STARTED, seconds=12, title="Depot 12")


def twenty48_game(moves: int = 40, seed: int = 9, seat: str = "expectimax,depth=2", valued: bool = True) -> Replay:
    """A game of so many moves at most."""
    state, steps = twenty48.start(4, seed), []
    first = state
    while len(steps) < moves and twenty48.legal_actions(state):
        step, state = replay.chosen(state, twenty48.legal_actions(state)[-1], float(len(steps)) if valued else None)
        steps.append(step)
    return replay.record(first, steps, seats=(seat,), seed=seed, started=STARTED)


def connect4_game(depth: int = 1, seats: tuple[str, ...] = ("person", "alphabeta,time=0.5")) -> Replay:
    """The first seat wins upright."""
    shape = Shape(6, 7, 1, 4, len(seats)) if depth == 1 else Shape(4, 4, depth, 4, len(seats))
    steps = [Step(action, value=None if n % 2 == 0 else -12.0 - n) for n, action in enumerate((0, 1, 0, 1, 0, 1, 0))]
    return replay.record(connect4.start(shape), steps, seats=seats, started=STARTED, title="Quick")


def put(saves: Path, **games: Replay | bytes) -> None:
    """Files in the library's folder, by name."""
    folder = saves / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    for name, game in games.items():
        data = game if isinstance(game, bytes) else replay.dumps(game).encode()
        (folder / f"{name}.json").write_bytes(data)


class Person:
    """Drives one window with events and frames."""

    def __init__(self, saves: Path, size: tuple[int, int] = (1280, 800)) -> None:
        self.window, self.context = app.open_window(saves, size)
        self.window.push(make_scene("settings", self.window, self.context))
        self.window.running = True
        self.frames(2)

    @property
    def top(self) -> Scene:
        """The screen in front."""
        return self.window.top

    def show(self, scene: Scene) -> Scene:
        """Open a screen."""
        self.window.push(scene)
        self.frames(3)
        return scene

    def frames(self, count: int = 1, dt: float = 1 / 60) -> None:
        """Let the app run for so many frames."""
        for _ in range(count):
            self.window.frame(dt)

    def key(self, key: int, text: str = "", mod: int = 0) -> None:
        """Press and release a key."""
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode=text))
        self.frames(2)

    def type(self, words: str) -> None:
        """Type into the field that has the keyboard."""
        for letter in words:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), mod=0, unicode=letter))
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=ord(letter.lower()), mod=0, unicode=letter))
        self.frames(2)

    def mouse(self, kind: int, position: tuple[int, int]) -> None:
        """Move the pointer, press or release the left button."""
        down = 1 if kind == pygame.MOUSEMOTION and self.held else 0
        more = {"rel": (0, 0), "buttons": (down, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
        self.held = kind == pygame.MOUSEBUTTONDOWN or (self.held and kind != pygame.MOUSEBUTTONUP)
        pygame.event.post(pygame.event.Event(kind, pos=position, **more))
        self.frames(1)

    held = False

    def click(self, position: tuple[int, int]) -> None:
        """Press and release the left button there."""
        self.mouse(pygame.MOUSEMOTION, position)
        self.mouse(pygame.MOUSEBUTTONDOWN, position)
        self.mouse(pygame.MOUSEBUTTONUP, position)
        self.frames(1)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press at `start`, release at `end`."""
        self.mouse(pygame.MOUSEMOTION, start)
        self.mouse(pygame.MOUSEBUTTONDOWN, start)
        for share in (0.3, 0.7, 1.0):
            there = (round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share))
            self.mouse(pygame.MOUSEMOTION, there)
        self.mouse(pygame.MOUSEBUTTONUP, end)

    def labels(self) -> list[str]:
        """What stands on the controls of the screen in front."""
        return [getattr(control, "label", "") for control in self.top.kit.controls]

    def press(self, label: str) -> None:
        """Click the button of that label."""
        self.click(self.button(label).rect.center)

    def button(self, label: str) -> Control:
        """The button of that label on the screen in front."""
        found = [control for control in self.top.kit.controls if getattr(control, "label", None) == label]
        assert found, (label, [getattr(control, "label", "") for control in self.top.kit.controls])
        return found[0]

    def until(self, what: Callable[[], bool], seconds: float = 30.0) -> bool:
        """Let the app run until something is so."""
        end = time.perf_counter() + seconds
        while not what() and time.perf_counter() < end:
            self.frames(1)
            pygame.time.wait(2)
        return what()

    def said(self) -> list[str]:
        """The messages in sight."""
        return [toast.text for toast in self.window.toasts.items]

    def close(self) -> None:
        """Close the window."""
        self.window.close()
        app.close_context(self.context)
