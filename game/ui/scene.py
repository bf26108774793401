"""What a screen is, what it may ask of the window, and the cross-fade from one screen to the next."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

import pygame

from game.ui.display import Look
from game.ui.kit import Kit
from game.ui.shortcuts import EVERYWHERE, Group
from game.ui.theme import Theme
from game.ui.toast import Kind
from game.ui.tween import smooth

T = TypeVar("T")

FADE_SECONDS = 0.16
TURNS = 5
"""What may be a moment old takes turns at being drawn anew, each in one of so many frames, twelve times a second."""
LAST_TURN = TURNS - 1
"""The bars' at the top and at the bottom."""
DIRECTIONS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
"""Command -> (dx, dy)."""


class Host(Protocol):
    """What the window is to its scenes and to whoever acts for one of them."""

    showing_keys: bool
    """Whether the list of keys lies over the screen."""
    on_drop: Callable[[Path], None]
    """Shows a file from outside on the screen that it belongs to."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    @property
    def theme(self) -> Theme:
        """Colours, fonts and lengths for the present size."""

    @property
    def look(self) -> Look:
        """Theme, scale, sound and movement as a person has chosen them."""

    @property
    def frames(self) -> int:
        """Frames since the window was opened."""

    @property
    def scenes(self) -> Sequence["Scene"]:
        """All open scenes; the last one is `top`."""

    @property
    def top(self) -> "Scene":
        """The scene that has the keyboard."""

    def visible(self) -> "list[Scene]":
        """The scenes that can be seen: the topmost full one and the overlays above it."""

    def push(self, scene: "Scene") -> None:
        """Show a scene over the present one."""

    def pop(self) -> None:
        """Back to the scene below; closing the last one ends the app."""

    def swap(self, scene: "Scene") -> None:
        """Put a scene in the place of the top one."""

    def quit(self) -> None:
        """End the app after this frame."""

    def new_kit(self, pointer: tuple[int, int] | None = None) -> Kit:
        """Controls for a scene at the present size and theme; `pointer` is where the mouse was last seen."""

    def command(self, command: str) -> bool:
        """Act as if a key of the shortcut table had been pressed; True when it was used."""

    def say(self, message: str, kind: Kind = "info", holds: Callable[[], bool] | None = None) -> None:
        """Show a message for a few seconds, no longer than it `holds`: what is mended is no longer said."""

    def play(self, sound: str, pitch: float = 1.0) -> None:
        """Play a sound by name."""

    def read(self, words: str, read: Callable[[], T], take: Callable[[T], object], quiet: bool = False) -> None:
        """Read something from outside on a thread of its own (`game.ui.reading.Readings.start`)."""

    def guard(self, scene: "Scene | None", action: Callable[[], object]) -> None:
        """Run a scene's code; an exception becomes a message and a line in the log."""


class Scene:
    """One full screen. The window calls, in this order each frame: `handle` per event, `update`, `draw`.

    `build` makes the controls for the present size, theme and scale; it is called when the scene is first shown
    and after any of these changed.
    """

    name = "scene"
    groups: tuple[Group, ...] = EVERYWHERE
    """Groups of shortcuts that mean something here, for the key overlay; the screen's own are heard before all others."""
    without: frozenset[str] = frozenset()
    """Commands of those groups that mean nothing here."""
    meanings: Mapping[str, str] = MappingProxyType({})
    """Command -> what it does here, where the shortcut table is not exact enough for the key overlay."""
    keys: Mapping[str, str] = MappingProxyType({})
    """Command -> its keys here as people write them, where the screen's own keys take some of them away."""
    gestures: tuple[tuple[str, str], ...] = ()
    """(gesture, meaning) of the mouse, for the key overlay."""
    below = "Menu"
    """Name of the screen that Back leads to; the window sets it."""
    overlay = False
    """Whether the scene below stays visible and goes on (a dialog)."""
    keeps_picture = False
    """Whether `redraw` draws only what has changed since the last frame; else everything is drawn in every frame."""
    trouble = ""
    """What went wrong in it last, in one sentence."""

    def __init__(self, window: Host) -> None:
        """Make the scene's state; controls are made in `build`."""
        self.window = window
        self.kit = window.new_kit()

    @property
    def theme(self) -> Theme:
        """The window's present theme."""
        return self.window.theme

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window in pixels."""
        return self.window.size

    @property
    def heading(self) -> str:
        """The screen's name, for the way back of the screen above it."""
        bar = getattr(self, "top_bar", None)
        return str(bar.title) if bar is not None else "Menu"

    def rebuild(self) -> None:
        """Throw the controls away and make them again; the keyboard's focus stays where it was."""
        before = self.kit
        place = before.focus_place()
        self.kit = self.window.new_kit(before.pointer)
        self.kit.below = self.below
        self.build()
        self.kit.restore_focus(place, before)
        before.close()

    def build(self) -> None:
        """Make controls with `self.kit` for `self.size` and `self.theme`."""

    def enter(self) -> None:
        """The scene came to the top of the stack."""

    def leave(self) -> None:
        """Another scene covers this one, or it is gone: stop what works in the background."""

    def rest(self) -> None:
        """The window was minimised: stop thinking. `update` is called again when it is back."""

    def again(self) -> "Scene":
        """A fresh scene of this kind, for when this one is broken."""
        return type(self)(self.window)

    def close(self) -> None:
        """The scene will not come back: give up threads and save."""

    def handle(self, event: pygame.event.Event) -> bool:
        """An event that was neither a control's nor a command; True when used."""
        return False

    def command(self, command: str) -> bool:
        """A command of the shortcut table; True when used.

        By default 'back' leaves the scene and the directions walk through its controls.
        """
        if command == "back":
            self.window.pop()
        elif command in DIRECTIONS:
            self.kit.walk(DIRECTIONS[command])
        else:
            return False
        return True

    def update(self, dt: float) -> None:
        """`dt` seconds passed."""

    @property
    def covered(self) -> pygame.Rect:
        """A place that `draw` fills by itself, so that nobody else need do it; none by default."""
        return pygame.Rect(0, 0, 0, 0)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything but the controls."""

    def redraw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw anew what has changed since the last frame, which is still there, without the controls; answers the places.

        Called in place of `draw` where `keeps_picture` is set, nothing lies above and nothing was pressed.
        """
        raise NotImplementedError

    def draw_over(self, surface: pygame.Surface) -> None:
        """Draw what lies above the controls (dialogs)."""

    @property
    def status(self) -> tuple[str, str, bool]:
        """(left text, right text, whether something is thinking) for the status bar."""
        return "", "", False


class Fade:
    """The picture of the scene before, fading away."""

    def __init__(self) -> None:
        """No fade under way."""
        self._before: pygame.Surface | None = None
        self._age = 0.0

    def start(self, before: pygame.Surface) -> None:
        """Fade from this picture to whatever is drawn from now on."""
        self._before = before.copy()
        self._age = 0.0

    @property
    def active(self) -> bool:
        """Whether a fade is under way."""
        return self._before is not None

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._age += dt
        if self._age >= FADE_SECONDS:
            self._before = None

    def draw(self, surface: pygame.Surface) -> None:
        """Lay the old picture over the new one."""
        if self._before is not None and self._before.get_size() == surface.get_size():
            self._before.set_alpha(round(255 * (1 - smooth(self._age / FADE_SECONDS))))
            surface.blit(self._before, (0, 0))
