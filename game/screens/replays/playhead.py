"""Where a theatre is: which move of each game is shown, and how time moves it on.

One place serves one game or two side by side: it counts moves of the longer one. The other game is at the same move,
or, by share, as far through as the longer one.
"""

from collections.abc import Sequence

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Moves a second."""
FIRST_SPEED = 4.0


class Playhead:
    """`at` moves of the longest game are played, a whole number from 0 to `longest`."""

    def __init__(self, lengths: Sequence[int], speed: float = FIRST_SPEED) -> None:
        """Stands at the start; `lengths` are the moves of each game."""
        self.lengths = list(lengths)
        self.at = 0
        self.playing = False
        self.by_share = False
        self.speed = min(SPEEDS, key=lambda known: abs(known - speed))
        self._clock = 0.0

    @property
    def longest(self) -> int:
        """Moves of the longest game."""
        return max(self.lengths)

    def ply(self, game: int, at: int | None = None) -> int:
        """Moves of one game that are played when the place is `at` (now)."""
        at = self.at if at is None else at
        length = self.lengths[game]
        if self.by_share and self.longest:
            return (at * length + self.longest // 2) // self.longest
        return min(at, length)

    def limit(self, known: Sequence[int]) -> int:
        """The furthest place at which every game's position is among the first `known` ones."""
        furthest = self.longest
        for length, moves in zip(self.lengths, known, strict=True):
            if moves < length:
                furthest = min(furthest, moves * self.longest // length if self.by_share else moves)
        return furthest

    def go(self, at: int) -> None:
        """Move the place."""
        self.at = min(max(0, at), self.longest)
        self._clock = 0.0

    def go_to_share(self, share: float) -> None:
        """Move the place to a share (0 to 1) of the way."""
        self.go(round(share * self.longest))

    @property
    def share(self) -> float:
        """How far through the place is, 0 to 1."""
        return self.at / self.longest if self.longest else 1.0

    def toggle(self) -> None:
        """Play or pause; at the end, play again from the start."""
        if not self.playing and self.at >= self.longest:
            self.go(0)
        self.playing = not self.playing and self.longest > 0
        self._clock = 0.0

    def change_speed(self, by: int) -> None:
        """The next speed up or down."""
        at = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[min(max(0, at), len(SPEEDS) - 1)]

    def update(self, dt: float, limit: int) -> None:
        """Let `dt` seconds pass; the place does not go beyond `limit`, where it waits."""
        if not self.playing:
            return
        self._clock += dt * self.speed
        moves = int(self._clock)
        self._clock -= moves
        self.at = min(self.at + moves, max(limit, self.at), self.longest)
        if self.at >= self.longest:
            self.playing = False


def speed_words(speed: float) -> str:
    """'½ a second', '4 a second'."""
    return "½/s" if speed == 0.5 else f"{speed:,.0f}/s"
