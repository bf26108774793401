"""What comes in from outside, files and texts, is read on threads of its own, so that no frame waits for it.

A reading belongs to the screen or dialog that had the keyboard when it began. What was read is handed over on the drawing
thread as soon as that one has the keyboard again; whoever leaves the screen gives the reading up. The status bar shows what
takes longer than a moment, and a click there gives it up too.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any, TypeVar

from game.ui.chrome import Chip
from game.ui.scene import Host, Scene

T = TypeVar("T")

GRACE = 0.03
"""Seconds that a frame waits for a new reading: what is ordinary is there at once, and nothing flickers."""
STOP = "stop_reading"
"""The command that gives up whatever is being read."""
MOST_SHOWN = 48
"""Characters of what is being read that the status bar shows."""


class Unreadable(Exception):
    """What was read cannot be used; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class _Reading:
    words: str
    owner: Scene | None
    """What had the keyboard when it began; None before there was anything."""
    future: "Future[Any]"
    take: Callable[[Any], object]
    quiet: bool

    def hand_over(self) -> None:
        """Give what was read to who asked; raises what reading raised."""
        self.take(self.future.result())


class Readings:
    """Everything that one window is reading, first come first served."""

    def __init__(self, window: Host) -> None:
        """The window calls `update` every frame."""
        self._window = window
        self._open: list[_Reading] = []

    def start(self, words: str, read: Callable[[], T], take: Callable[[T], object], quiet: bool = False) -> None:
        """Read on a thread of its own and hand over what was read, at once where that takes but a moment.

        Args:
            words: what goes on, for people, without a full stop: 'Reading depot.xsb'.
            read: must touch nothing that is drawn or changed elsewhere; raises Unreadable with a sentence.
            take: called on the drawing thread.
            quiet: nobody asked for it, so nothing is said where it is given up.
        """
        future: Future[T] = Future()
        self._open.append(_Reading(words, self._top, future, take, quiet))
        threading.Thread(target=_run, args=(future, read), name="reading", daemon=True).start()
        wait([future], GRACE)
        self.update()

    @property
    def busy(self) -> bool:
        """Whether anything is being read, or waits to be handed over."""
        return bool(self._open)

    @property
    def chip(self) -> Chip | None:
        """What is being read, for the status bar."""
        if not self._open:
            return None
        words = self._open[0].words
        words = words if len(words) <= MOST_SHOWN else words[: MOST_SHOWN - 1] + "…"
        return Chip(f"{words} · click to stop", STOP, None, True)

    def cancel(self) -> None:
        """Give up whatever is being read: its result will be dropped."""
        for reading in self._open:
            self._window.say(f"{reading.words}: stopped.")
        self._open.clear()

    def update(self) -> None:
        """Once a frame: hand over what has been read; give up what belongs to a screen that was left."""
        seen = self._window.visible()
        for reading in [each for each in self._open if each.owner is not None and each.owner not in seen]:
            self._open.remove(reading)
            if not reading.quiet:
                self._window.say(f"{reading.words}: stopped, because its screen was left.")
        while self._open and self._open[0].future.done():
            top, owner = self._top, self._open[0].owner
            if top is None or (owner is not None and top is not owner):
                return  # a dialog is open: nothing changes under it
            reading = self._open.pop(0)
            error = reading.future.exception()
            if isinstance(error, Unreadable):
                self._window.say(str(error), "bad")
            else:
                self._window.guard(top, reading.hand_over)

    @property
    def _top(self) -> Scene | None:
        return self._window.scenes[-1] if self._window.scenes else None


def _run(future: "Future[T]", read: Callable[[], T]) -> None:
    try:
        future.set_result(read())
    except BaseException as error:  # whatever it is, the drawing thread says it
        future.set_exception(error)
