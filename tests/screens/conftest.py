"""The app's window on SDL's dummy driver, driven by posted events, with no agent ready: nothing is compiled or started."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from ai import kernels
from game.rules.games import GAMES
from game.screens import app
from game.screens.navigation import make_scene
from game.screens.play.panel import SHOWN
from game.screens.play.screen import GameScreen
from game.ui import reading, text


class Visitor:
    """A person before one window."""

    def __init__(
        self, saves: Path, scene: str, size: tuple[int, int], page: str, newcomer: bool, settings: dict[str, object]
    ) -> None:
        self.window, self.context = app.open_window(saves, size)
        if page:
            self.context.remember(SHOWN, page)
        if not newcomer:
            for game in GAMES:
                self.context.remember(f"{game}/lesson", "over")
        for name, value in settings.items():
            self.context.set(name, value)
        self.scene = make_scene(scene, self.window, self.context)
        self.window.push(self.scene)
        self.window.running = True
        if not newcomer and isinstance(self.scene, GameScreen):
            self.scene.session.skip_lesson()
        pygame.event.clear()
        self.frames(2)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.window.frame(1 / 60)

    def post(self, kind: int, **values: object) -> None:
        pygame.event.post(pygame.event.Event(kind, **values))
        self.frames(1)

    def key(self, key: int, words: str = "", mod: int = 0) -> None:
        self.post(pygame.KEYDOWN, key=key, mod=mod, unicode=words)
        self.post(pygame.KEYUP, key=key, mod=mod, unicode=words)

    def pad(self, button: int) -> None:
        self.post(pygame.CONTROLLERBUTTONDOWN, button=button, instance_id=0)
        self.post(pygame.CONTROLLERBUTTONUP, button=button, instance_id=0)

    def click(self, position: tuple[int, int]) -> None:
        self.post(pygame.MOUSEMOTION, pos=position, rel=(0, 0), buttons=(0, 0, 0))
        self.post(pygame.MOUSEBUTTONDOWN, pos=position, button=1)
        self.post(pygame.MOUSEBUTTONUP, pos=position, button=1)

    def said(self) -> list[str]:
        return [toast.text for toast in self.window.toasts.items]

    def words(self) -> list[tuple[str, pygame.Rect]]:
        """Every line of text of one frame as it was drawn, with its place; controls and cards are painted afresh."""
        drawn: list[tuple[str, pygame.Rect]] = []
        real = text._rendered

        def noted(font, words, colour):
            drawn.append((words, pygame.Rect((0, 0), font.size(words))))
            return real(font, words, colour)

        text._rendered = noted
        try:
            for scene in self.window.scenes:
                for control in scene.kit.controls:
                    control.repaint()
            self.window.draw()
        finally:
            text._rendered = real
        return drawn

    def close(self) -> None:
        self.window.close()
        app.close_context(self.context)


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Visitor]]:
    """`visit(scene, size, page, newcomer, **settings)` opens the window at a scene, a game's panel on `page` where one is named.

    A newcomer is taught the game first.
    """
    monkeypatch.setattr(kernels, "ready", lambda units: not tuple(units))
    monkeypatch.setattr(kernels, "all_ready", lambda: False)
    opened: list[Visitor] = []

    def open_one(
        scene: str = "menu",
        size: tuple[int, int] = (1280, 800),
        page: str = "",
        newcomer: bool = False,
        **settings: object,
    ) -> Visitor:
        opened.append(Visitor(tmp_path / "saves", scene, size, page, newcomer, settings))
        return opened[-1]

    yield open_one
    for visitor in opened:
        visitor.close()
    pygame.event.clear()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame waits for what is read, however busy the machine is, so that what is read is there in the next line."""
    monkeypatch.setattr(reading, "GRACE", 20.0)
