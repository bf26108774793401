"""Several moves that were asked for at once (a clicked walk, a push, a hint, a redo), played one after the other."""

from collections import deque
from collections.abc import Callable, Sequence

LONGEST, SLOWEST, FASTEST = 1.0, 0.085, 0.02
"""A walk takes at most about `LONGEST` seconds; `SLOWEST` and `FASTEST` are the seconds of one step."""


class Walk:
    """The moves that are left, and the clock that plays them."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._play: Callable[[int, float], bool] = lambda _action, _seconds: False
        self._left: deque[int] = deque()
        self._step = SLOWEST
        self._wait = 0.0

    def __bool__(self) -> bool:
        return bool(self._left)

    def start(self, actions: Sequence[int], play: Callable[[int, float], bool]) -> None:
        """Begin with new moves; `finish` what was under way before.

        `play(action, seconds)` makes one move; False ends the walk.
        """
        self._left, self._play = deque(actions), play
        self._step = max(FASTEST, min(SLOWEST, LONGEST / max(1, len(actions))))
        self._wait = 0.0

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        if self._left:
            self._wait -= dt
            while self._left and self._wait <= 0:
                self._wait += self._step
                self._next(self._step)

    def finish(self) -> None:
        """Play what is left at once."""
        while self._left:
            self._next(FASTEST)

    def clear(self) -> None:
        """Forget what is left."""
        self._left.clear()

    def _next(self, seconds: float) -> None:
        if not self._play(self._left.popleft(), seconds):
            self._left.clear()
