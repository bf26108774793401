"""Which position a video shows when: frames of equal length, moves at an even speed, a rest at both ends.

A game too long for the video is played faster, so that some positions are never seen.
"""

from dataclasses import dataclass
from math import ceil

REST_BEFORE, REST_AFTER = 0.6, 2.0
"""Seconds for which the first and the last position stand still."""


@dataclass(frozen=True, slots=True)
class FramePlan:
    """`frames` frames, `rate` of them a second."""

    length: int
    """Moves of the game."""
    speed: float
    """Moves a second."""
    rate: float
    frames: int

    @property
    def seconds(self) -> float:
        """How long the video is."""
        return self.frames / self.rate

    def ply(self, frame: int) -> int:
        """Moves played in a frame (from 0)."""
        played = (frame / self.rate - REST_BEFORE) * self.speed
        return min(self.length, max(0, int(played + 1e-6) + (1 if played >= -1e-6 else 0)))


def plan_frames(length: int, speed: float, rate: float, most_seconds: float) -> FramePlan:
    """The video of a game of `length` moves, no longer than `most_seconds`."""
    moving = most_seconds - REST_BEFORE - REST_AFTER
    speed = max(speed, length / moving)
    return FramePlan(length, speed, rate, max(1, ceil((REST_BEFORE + length / speed + REST_AFTER) * rate - 1e-6)))


def spread(length: int, pictures: int) -> list[int]:
    """Plies for so many pictures, evenly from the first position to the last; fewer for a short game."""
    pictures = min(max(1, pictures), length + 1)
    if pictures == 1:
        return [length]
    return [round(number * length / (pictures - 1)) for number in range(pictures)]
