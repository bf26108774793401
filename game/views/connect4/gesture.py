"""Telling a click from a drag, so that turning the board never drops a stone."""

from math import hypot

THRESHOLD = 6.0
"""Units the pointer may wander while the button is down before a click becomes a drag."""


class Gesture:
    """One press of the mouse button over the board, from down to up."""

    def __init__(self, threshold: float = THRESHOLD) -> None:
        """`threshold` is in pixels."""
        self.threshold = threshold
        self._start: tuple[float, float] | None = None
        self._last = (0.0, 0.0)
        self.dragging = False

    @property
    def pressed(self) -> bool:
        """Whether the button is down."""
        return self._start is not None

    def press(self, pos: tuple[float, float]) -> None:
        """The button goes down."""
        self._start = self._last = pos
        self.dragging = False

    def move(self, pos: tuple[float, float]) -> tuple[float, float] | None:
        """The pointer moves: how far to turn the board, None while this may still be a click."""
        if self._start is None:
            return None
        if not self.dragging and hypot(pos[0] - self._start[0], pos[1] - self._start[1]) < self.threshold:
            return None
        self.dragging = True
        step = pos[0] - self._last[0], pos[1] - self._last[1]
        self._last = pos
        return step

    def release(self) -> bool:
        """The button goes up: True when it was a click."""
        click = self._start is not None and not self.dragging
        self._start, self.dragging = None, False
        return click
