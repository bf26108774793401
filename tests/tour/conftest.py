"""A window on SDL's dummy driver, driven by posted events as a person would; kernels are compiled once beforehand."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest

from ai import kernels
from game.rules.games import GAMES
from game.screens import app
from game.screens.context import Context
from game.screens.navigation import make_scene
from game.ui import reading
from game.ui.scene import Scene
from game.ui.window import Window


@pytest.fixture(scope="session", autouse=True)
def warm_kernels() -> None:
    """Agents play at once, as on any start but the first."""
    for game in GAMES:
        kernels.warm(kernels.units(game))


class Person:
    """Drives one window with events and frames, never with the scene's own methods."""

    def __init__(self, saves: Path, size: tuple[int, int] = (1280, 800)) -> None:
        self.window: Window
        self.context: Context
        self.window, self.context = app.open_window(saves, size)
        self.window.push(make_scene("menu", self.window, self.context))
        self.window.running = True
        self.frames(3)

    @property
    def top(self) -> Scene:
        """The screen in front."""
        return self.window.top

    def frames(self, count: int = 1) -> None:
        """Let the app run for so many frames."""
        for _ in range(count):
            self.window.frame(1 / 60)

    def key(self, key: int, text: str = "", mod: int = 0) -> None:
        """Press and release a key, and let two frames pass."""
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode=text))
        self.frames(2)

    def click(self, position: tuple[int, int]) -> None:
        """Press and release the left button."""
        self._mouse(pygame.MOUSEMOTION, position)
        self._mouse(pygame.MOUSEBUTTONDOWN, position)
        self._mouse(pygame.MOUSEBUTTONUP, position)

    def _mouse(self, kind: int, position: tuple[int, int]) -> None:
        if kind == pygame.MOUSEMOTION:
            event = pygame.event.Event(kind, pos=position, rel=(0, 0), buttons=(0, 0, 0))
        else:
            event = pygame.event.Event(kind, pos=position, button=1)
        pygame.event.post(event)
        self.frames(1)

    def labels(self) -> list[str]:
        """What stands on the controls of the screen in front."""
        return [getattr(control, "label", "") for control in self.top.kit.controls]

    def press(self, label: str) -> None:
        """Click the control of the front screen that is called so."""
        found = [
            control
            for control in self.top.kit.controls
            if control.alive() and control.visible and label in (getattr(control, "label", None), _tool(control))
        ]
        assert found, (label, [getattr(control, "label", type(control)) for control in self.top.kit.controls])
        assert found[0].is_enabled, f"{label} is greyed"
        self.click(found[0].rect.center)

    def write(self, words: str) -> None:
        """Type into the field that has the keyboard."""
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=words))
        self.frames(2)

    def until(self, what: Callable[[], bool], seconds: float = 60.0) -> bool:
        """Let the app run until something is so."""
        end = time.perf_counter() + seconds
        while not what() and time.perf_counter() < end:
            self.frames(1)
            pygame.time.wait(2)  # the agent's thread needs the processor as well
        return what()

    def say(self) -> list[str]:
        """The messages in sight."""
        return [toast.text for toast in self.window.toasts.items]

    def leave(self) -> None:
        """Close the window as its button does."""
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        self.frames(1)
        assert not self.window.running
        self.drop()

    def drop(self) -> None:
        """Close everything."""
        self.window.close()
        app.close_context(self.context)


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Opens the app on one saves folder, as often as wanted."""
    opened: list[Person] = []

    def open_one(**options: object) -> Person:
        opened.append(Person(tmp_path, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_one
    for person in opened:
        person.drop()


def _tool(control: object) -> str | None:
    """Title of a small card of the menu."""
    tool = getattr(control, "tool", None)
    return str(tool.title) if tool is not None else None


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame waits for what is read, however busy the machine is, so that what is read is there in the next line."""
    monkeypatch.setattr(reading, "GRACE", 20.0)
