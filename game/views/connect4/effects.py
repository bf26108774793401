"""What the board does for joy and in protest: confetti from a winning line, a small shake for a full column."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sin

import pygame

from game.ui import shapes
from game.views.connect4.stones import STONES

JOY_SECONDS = 1.6
SHAKE_SECONDS = 0.28
SHAKES = 3
"""How often it goes to and fro."""
PIECES = 14
"""Of confetti from each stone of the line."""
GRAVITY = 9.0
"""In stones a second, a second."""
LATER = 0.07
"""Seconds from one stone of the line to the next."""
_SEED = 4


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lengths in stones, times in seconds."""

    start: tuple[float, float]
    """Pixels."""
    speed: tuple[float, float]
    begins: float
    life: float
    size: float
    colour: str


class Effects:
    """At rest until it is asked for something; `update` once a frame."""

    def __init__(self) -> None:
        """Nothing moves."""
        self._pieces: list[_Piece] = []
        self._stone = 1.0
        self._joy = JOY_SECONDS
        self._shake = SHAKE_SECONDS

    @property
    def busy(self) -> bool:
        """Whether anything moves."""
        return self._joy < JOY_SECONDS or self._shake < SHAKE_SECONDS

    @property
    def moment(self) -> tuple[float, float] | None:
        """How far both are; None at rest."""
        return (self._joy, self._shake) if self.busy else None

    def celebrate(self, seat: int, places: Sequence[tuple[float, float]], stone: float) -> None:
        """Confetti in the seat's colour from the pixels `places`, in turn; a stone is `stone` pixels wide."""
        luck = random.Random(_SEED)
        self._stone, self._joy = max(8.0, stone), 0.0
        colours = (STONES[seat].colour, "#f7d354", "#f1f2f5")
        self._pieces = [
            _Piece(
                place, (luck.uniform(-4.5, 4.5), luck.uniform(-7.5, -2.0)), number * LATER, luck.uniform(0.7, 1.2),
                luck.uniform(0.13, 0.26), luck.choice(colours),
            )
            for number, place in enumerate(places) for _ in range(PIECES)
        ]  # fmt: skip

    def shake(self) -> None:
        """To and fro."""
        self._shake = 0.0

    def stop(self) -> None:
        """At rest."""
        self._joy, self._shake = JOY_SECONDS, SHAKE_SECONDS

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._joy, self._shake = min(JOY_SECONDS, self._joy + dt), min(SHAKE_SECONDS, self._shake + dt)

    @property
    def aside(self) -> float:
        """How far the shake is to the right, -1 to 1."""
        share = self._shake / SHAKE_SECONDS
        return sin(share * SHAKES * 2 * pi) * (1 - share)

    def draw(self, surface: pygame.Surface) -> None:
        """The confetti where it is now."""
        if self._joy >= JOY_SECONDS:
            return
        for piece in self._pieces:
            age = self._joy - piece.begins
            if not 0 <= age < piece.life:
                continue
            x = piece.start[0] + self._stone * piece.speed[0] * age
            y = piece.start[1] + self._stone * (piece.speed[1] * age + GRAVITY * age * age / 2)
            left = 1 - max(0.0, age / piece.life - 0.6) / 0.4
            across = max(2, round(self._stone * piece.size * left))
            image = shapes.disc(across, pygame.Color(piece.colour))
            surface.blit(image, (round(x - across / 2), round(y - across / 2)))
