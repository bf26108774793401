"""A window on SDL's dummy driver with nothing of the app in it, and a hand that posts events as a person makes them."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from collections.abc import Callable, Iterator

import pygame
import pytest

from game.ui.display import Look
from game.ui.scene import Scene
from game.ui.window import Window


class Room(Scene):
    """A scene that remembers what reached it."""

    name = "room"

    def __init__(self, window: Window, furnish: Callable[["Room"], None] = lambda _room: None) -> None:
        super().__init__(window)
        self.furnish = furnish
        self.events: list[pygame.event.Event] = []
        self.commands: list[str] = []
        self.calls: list[str] = []
        self.taken: set[str] = set()
        """Commands it answers; the others go the usual way."""

    def build(self) -> None:
        self.calls.append("build")
        self.furnish(self)

    def enter(self) -> None:
        self.calls.append("enter")

    def leave(self) -> None:
        self.calls.append("leave")

    def rest(self) -> None:
        self.calls.append("rest")

    def close(self) -> None:
        self.calls.append("close")

    def update(self, dt: float) -> None:
        self.calls.append("update")

    def draw(self, surface: pygame.Surface) -> None:
        self.calls.append("draw")

    def handle(self, event: pygame.event.Event) -> bool:
        self.events.append(event)
        return True

    def command(self, command: str) -> bool:
        self.commands.append(command)
        return command in self.taken or super().command(command)

    def saw(self, kind: int) -> int:
        """How many events of a kind reached the scene itself."""
        return sum(event.type == kind for event in self.events)


class Hand:
    """Uses a window by posted events only."""

    def __init__(self, look: Look, size: tuple[int, int]) -> None:
        self.window = Window(look, "test", None, size)
        self.window.running = True

    def show(self, furnish: Callable[[Room], None] = lambda _room: None) -> Room:
        """Put a room with controls on top."""
        room = Room(self.window, furnish)
        self.window.push(room)
        self.frames(2)
        return room

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.window.frame(1 / 60)

    def post(self, kind: int, **values: object) -> None:
        pygame.event.post(pygame.event.Event(kind, **values))
        self.frames(1)

    def down(self, key: int, mod: int = 0) -> None:
        self.post(pygame.KEYDOWN, key=key, mod=mod, unicode="")

    def key(self, key: int, mod: int = 0) -> None:
        self.down(key, mod)
        self.post(pygame.KEYUP, key=key, mod=mod, unicode="")

    def move(self, position: tuple[int, int], held: int = 0) -> None:
        self.post(pygame.MOUSEMOTION, pos=position, rel=(0, 0), buttons=(held, 0, 0))

    def press(self, position: tuple[int, int], button: int = 1) -> None:
        self.move(position)
        self.post(pygame.MOUSEBUTTONDOWN, pos=position, button=button)

    def release(self, position: tuple[int, int], button: int = 1) -> None:
        self.post(pygame.MOUSEBUTTONUP, pos=position, button=button)

    def click(self, position: tuple[int, int]) -> None:
        self.press(position)
        self.release(position)

    def wheel(self, lines: int, position: tuple[int, int]) -> None:
        """As SDL does it: the old button events and the new one together."""
        self.move(position)
        self.post(pygame.MOUSEBUTTONDOWN, pos=position, button=4 if lines > 0 else 5)
        self.post(pygame.MOUSEBUTTONUP, pos=position, button=4 if lines > 0 else 5)
        self.post(pygame.MOUSEWHEEL, x=0, y=lines, precise_x=0.0, precise_y=float(lines), flipped=False)

    def pad(self, button: int) -> None:
        self.post(pygame.CONTROLLERBUTTONDOWN, button=button, instance_id=0)
        self.post(pygame.CONTROLLERBUTTONUP, button=button, instance_id=0)

    def said(self) -> list[str]:
        return [toast.text for toast in self.window.toasts.items]


@pytest.fixture
def open_hand() -> Iterator[Callable[..., Hand]]:
    """Opens windows; they are closed at the end."""
    opened: list[Hand] = []
    pygame.display.init()
    pygame.event.clear()

    def open_one(look: Look | None = None, size: tuple[int, int] = (1280, 800)) -> Hand:
        opened.append(Hand(look or Look(animated=False), size))
        pygame.event.clear()
        return opened[-1]

    yield open_one
    for hand in opened:
        hand.window.close()
    pygame.event.clear()


@pytest.fixture
def hand(open_hand: Callable[..., Hand]) -> Hand:
    """One window of 1280×800."""
    return open_hand()
