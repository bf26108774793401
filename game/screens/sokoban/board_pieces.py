"""The sprites of one board at one size: keeper, boxes and their marks."""

import pygame

from game.ui.svg import sprite

_FACINGS = ("up", "right", "down", "left")
_READABLE = 22
"""Pixels that the keeper wants at least; on smaller squares he is drawn up to 1.6 times as large as one."""


class Pieces:
    """Sprites for squares of `cell` pixels. Shared surfaces: not to be drawn on."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        self.keeper_size = max(cell, min(_READABLE, round(cell * 1.6)))
        self.box, self.home, self.stuck = self._box("box"), self._box("box-home"), self._box("box-stuck")
        self.ghost = self.box.copy()
        self.ghost.set_alpha(140)
        # The only surface whose opacity changes while in use: a box on its way onto or off a target.
        self.lighting = self.home.copy()

    def _box(self, name: str, size: int | None = None) -> pygame.Surface:
        return sprite(f"sokoban/{name}", size or self.cell)

    def box_at(self, home: bool, scale: float) -> pygame.Surface:
        """A box, or one on its target, at `scale` times its size."""
        return self._box("box-home" if home else "box", max(1, round(self.cell * scale)))

    def keeper(self, facing: int, progress: float | None, paces: int, pushing: bool) -> pygame.Surface:
        """The keeper standing (`progress` None) or on the way, left and right foot taking turns with `paces`."""
        if pushing:
            frame = "push"
        elif progress is None or not 0.12 < progress < 0.8:
            frame = "stand"
        else:
            frame = "step-a" if paces % 2 else "step-b"
        return sprite(f"sokoban/keeper-{_FACINGS[facing]}-{frame}", self.keeper_size)
