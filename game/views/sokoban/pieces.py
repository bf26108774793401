"""The sprites of one board at one size: keepers, boxes and their marks."""

import pygame

from game.ui.svg import sprite
from game.views.sokoban import letters
from game.views.sokoban.letters import Look

_FACINGS = ("up", "right", "down", "left")
_READABLE = 22
"""Pixels that the keeper wants at least; on smaller squares he is drawn up to 1.6 times as large as one."""


class Pieces:
    """Sprites for squares of `cell` pixels. Shared surfaces: not to be drawn on."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        self.keeper_size = max(cell, min(_READABLE, round(cell * 1.6)))
        self._faded: dict[tuple[str, str], pygame.Surface] = {}

    def box(self, look: Look = "box", letter: str = "", scale: float = 1.0) -> pygame.Surface:
        """A box, with its letter where it has one, at `scale` times its size."""
        size = max(1, round(self.cell * scale))
        if letter:
            return letters.box(size, letter, look)
        return sprite(f"sokoban/{'box' if look == 'box' else f'box-{look}'}", size)

    def faded(self, look: Look, letter: str, alpha: int) -> pygame.Surface:
        """A box that shines through; the same surface every time, with another opacity."""
        image = self._faded.get((look, letter))
        if image is None:
            image = self._faded[look, letter] = self.box(look, letter).copy()
        image.set_alpha(alpha)
        return image

    def keeper(
        self, facing: int, progress: float | None, paces: int, pushing: bool, second: bool = False
    ) -> pygame.Surface:
        """A keeper standing (`progress` None) or on the way, left and right foot taking turns with `paces`."""
        if pushing:
            frame = "push"
        elif progress is None or not 0.12 < progress < 0.8:
            frame = "stand"
        else:
            frame = "step-a" if paces % 2 else "step-b"
        name = f"keeper-{_FACINGS[facing]}-{frame}"
        if second:
            return letters.second_keeper(name, self.keeper_size)
        return sprite(f"sokoban/{name}", self.keeper_size)
