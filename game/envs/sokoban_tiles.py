"""How Sokoban's environments look: tiny pictures in the colours of gym-sokoban, and the app's own sprites.

A tiny picture has one colour for a square, `scale` pixels wide. A large one is drawn in squares of 16 pixels, or of any
other size, from the ground of its room and sprites. pygame is imported when the first large one is drawn.
"""

import os
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.sokoban.batch.cells import (
    BOX_THING,
    LOOKS,
    PLAYER_THING,
    SECOND_THING,
    TARGET_GROUND,
    WALL_GROUND,
    paint_sprites,
)
from game.rules import sokoban

Pixels = npt.NDArray[np.uint8]
SIDE = 16
"""Pixels of a square in large pictures."""
MAX_SCALE = 64

_WALL, _FLOOR, _TARGET, _BOX_HOME, _BOX = (0, 0, 0), (243, 248, 238), (254, 126, 125), (254, 95, 56), (142, 121, 56)
_PLAYER, _PLAYER_ON_TARGET = (160, 212, 56), (219, 212, 56)
_SECOND, _SECOND_ON_TARGET = (96, 5, 145), (195, 127, 232)

# (target, box, box at home, box on another's target); the first four are gym-sokoban's.
_FIXED = (
    ((111, 127, 232), (11, 60, 237), (6, 33, 130), (69, 81, 122)),
    ((195, 127, 232), (145, 17, 214), (96, 5, 145), (96, 63, 114)),
    ((221, 113, 167), (239, 0, 55), (140, 5, 72), (109, 60, 71)),
    ((247, 193, 145), (239, 111, 0), (132, 64, 3), (94, 68, 46)),
    ((140, 214, 140), (20, 160, 40), (8, 90, 24), (62, 92, 66)),
    ((130, 215, 225), (0, 165, 190), (0, 92, 110), (56, 92, 100)),
    ((226, 217, 112), (205, 178, 0), (118, 100, 0), (98, 92, 48)),
    ((200, 160, 130), (140, 84, 44), (84, 46, 20), (84, 70, 60)),
    ((176, 176, 176), (104, 104, 104), (52, 52, 52), (76, 76, 76)),
    ((180, 235, 90), (128, 200, 0), (70, 112, 0), (80, 96, 48)),
)
"""Colours of ten boxes with targets of their own."""
_HUES = ("#3b6cf0", "#a436dc", "#ef3b66", "#f08a1d", "#2fae4f", "#1fb4cc", "#d8bd1f", "#9c6238", "#8b93a3", "#93cf1c")
"""Of the same ten as sprites."""


def tiny_tiles(scale: int, fixed: bool) -> Pixels:
    """A tile for every byte of a square, uint8 (256, scale, 3 * scale).

    Raises:
        ValueError: the scale is not 1 to 64.
    """
    if not 1 <= scale <= MAX_SCALE:
        raise ValueError(f"Tiny pictures have a scale of 1 to {MAX_SCALE}, not {scale}.")
    colours = np.zeros((LOOKS, 3), np.uint8)
    for look in range(LOOKS):
        colours[look] = _tiny(look >> 4, look & 15, fixed)
    return np.tile(colours[:, np.newaxis], (1, scale, scale))


def _tiny(ground: int, thing: int, fixed: bool) -> tuple[int, int, int]:
    number, box = min(max(0, ground - TARGET_GROUND), 9), min(max(0, thing - BOX_THING), 9)
    if ground == WALL_GROUND:
        return _WALL
    on_target = ground >= TARGET_GROUND
    if thing == PLAYER_THING:
        return _PLAYER_ON_TARGET if on_target else _PLAYER
    if thing == SECOND_THING:
        return _SECOND_ON_TARGET if on_target else _SECOND
    if thing >= BOX_THING:
        if fixed:
            _, plain, home, astray = _FIXED[box]
            return home if on_target and number == box else astray if on_target else plain
        return _BOX_HOME if on_target else _BOX
    if on_target:
        return _FIXED[number][0] if fixed else _TARGET
    return _FLOOR


class Painter:
    """A large picture of one game. Call `begin` for every room, `change` after every step."""

    def __init__(self, rows: int, cols: int, fixed: bool, side: int = SIDE) -> None:
        """Imports pygame and the app's drawing."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from game.ui.theme import Theme

        self.rows, self.cols, self.side, self.fixed = rows, cols, side, fixed
        self._theme = Theme()
        self._ground: Pixels = np.zeros((rows * side, cols * side, 3), np.uint8)
        self._sprites = _sprites(side, fixed)
        self.pixels: Pixels = np.zeros_like(self._ground)
        """uint8 (rows * side, cols * side, 3); changed by every step."""

    def begin(self, cells: Pixels) -> None:
        """Draw a room and what stands in it; `cells` as `ai.sokoban.batch.cells` describes them."""
        import pygame

        from game.views.sokoban.layer import static_layer

        grounds = (cells >> 4).tolist()
        walls = frozenset(square for square, ground in enumerate(grounds) if ground == WALL_GROUND)
        targets = frozenset(square for square, ground in enumerate(grounds) if ground >= TARGET_GROUND)
        warehouse = sokoban.Warehouse(self.rows, self.cols, walls, frozenset() if self.fixed else targets)
        canvas = pygame.Surface((self.cols * self.side, self.rows * self.side))
        canvas.fill(self._theme.ground)
        canvas.blit(static_layer(warehouse, self.side, self._theme), (0, 0))
        if self.fixed:
            for square in targets:
                ring = _ring(self.side, grounds[square] - TARGET_GROUND)
                place = pygame.Rect(
                    square % self.cols * self.side, square // self.cols * self.side, self.side, self.side
                )
                canvas.blit(ring, ring.get_rect(center=place.center))
        self._ground[:] = pygame.surfarray.array3d(canvas).transpose(1, 0, 2)
        self.change(cells, np.arange(len(cells), dtype=np.int32))

    def change(self, cells: Pixels, squares: npt.NDArray[np.int32]) -> None:
        """Draw some squares again; negative ones are left out."""
        paint_sprites(self.pixels, self._ground, self._sprites, cells, squares, self.cols)


@lru_cache(maxsize=8)
def _sprites(side: int, fixed: bool) -> Pixels:
    """Every thing, then every thing at home, uint8 (32, side, side, 4) with opacity last; not to be written on."""
    from game.ui.svg import sprite

    found: Pixels = np.zeros((32, side, side, 4), np.uint8)
    found[[PLAYER_THING, PLAYER_THING + 16]] = _pixels(sprite("sokoban/keeper-down-stand", side))
    second = {"cap": "#2f6fe0", "cap_light": "#78a5f5", "cap_shade": "#2450a8"}
    second |= {"overalls": "#7c8494", "overalls_light": "#a4abb9", "overalls_shade": "#565d6b"}
    found[[SECOND_THING, SECOND_THING + 16]] = _pixels(sprite("sokoban/keeper-down-stand", side, **second))
    for number in range(16 - BOX_THING):
        wood = _wood(number) if fixed else {}
        found[BOX_THING + number] = _pixels(sprite("sokoban/box", side, **wood))
        found[BOX_THING + number + 16] = _pixels(sprite("sokoban/box-home", side, **wood))
    return found


def _wood(number: int) -> dict[str, Any]:
    """The colours of a box's wood."""
    import pygame

    hue = pygame.Color(_HUES[number % len(_HUES)])
    black, white = pygame.Color("#000000"), pygame.Color("#ffffff")
    shades = {"wood": hue, "wood_light": hue.lerp(white, 0.45), "wood_shade": hue.lerp(black, 0.25)}
    return {**shades, "wood_dark": hue.lerp(black, 0.6)}


def _ring(side: int, number: int) -> Any:
    """The mark of a box's own target, as large as the app's on small squares."""
    from game.ui.svg import sprite

    return sprite("sokoban/target", round(side * 1.5) if side < 18 else side, ring=_HUES[number % len(_HUES)])


def _pixels(surface: Any) -> Pixels:
    """A surface as uint8 (height, width, 4)."""
    import pygame

    colours, opacity = pygame.surfarray.array3d(surface), pygame.surfarray.array_alpha(surface)
    return np.dstack([colours, opacity]).transpose(1, 0, 2)
