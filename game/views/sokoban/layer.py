"""What never moves on a board: floor, targets and walls, drawn once into one surface that is clear outside.

In a level that is played backwards a sign stands where the player has to be able to walk in the end.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import pygame

from game.rules.sokoban import Warehouse
from game.ui import shapes
from game.ui.surfaces import Colour, for_display, kept
from game.ui.svg import icon
from game.ui.theme import Theme, ThemeName
from game.views.sokoban import letters as board_letters
from game.views.sokoban.walls import AROUND, floor_shade, floor_surface, target_surface, wall_surface

SMALL_CELL = 18
"""Pixels below which the mark of a target fills its square, to stay readable."""


def static_layer(warehouse: Warehouse, cell: int, theme: Theme) -> pygame.Surface:
    """Floor, targets and walls of a warehouse with squares of `cell` pixels; squares outside stay clear."""
    rows, cols = warehouse.rows, warehouse.cols
    name = theme.name
    walls, floors = _masks(warehouse.walls, rows, cols), _masks(warehouse.floor, rows, cols)
    layer = pygame.Surface((cols * cell, rows * cell), pygame.SRCALPHA)
    placed: list[tuple[pygame.Surface, tuple[int, int]]] = []
    for square in warehouse.floor:
        row, col = divmod(square, cols)
        place = col * cell, row * cell
        placed.append((floor_surface(cell, (row + col) % 2 == 1, name), place))
        if walls[square]:
            placed.append((floor_shade(walls[square], cell, name), place))
    for square in warehouse.walls:
        row, col = divmod(square, cols)
        placed.append((wall_surface(walls[square], cell, name, floors[square]), (col * cell, row * cell)))
    letters = dict(zip(warehouse.homes, warehouse.letters, strict=True))
    for square in warehouse.targets:
        image = target_picture(cell, letters.get(square, ""), name)
        inset = (cell - image.get_width()) // 2
        placed.append((image, (square % cols * cell + inset, square // cols * cell + inset)))
    if warehouse.entry >= 0:
        side = max(4, round(cell * 0.56))
        inset = (cell - side) // 2
        place = warehouse.entry % cols * cell + inset, warehouse.entry // cols * cell + inset
        placed.append((icon("flag", side, theme.muted), place))
    layer.fblits(placed)
    return for_display(layer)


@kept
def flag(size: int, ground: Colour, ink: Colour) -> pygame.Surface:
    """The sign of where the player has to be in the end, on a disc of `size` pixels: it stands beside him there."""
    image = shapes.disc(size, ground).copy()
    glyph = round(size * 0.7)
    image.blit(icon("flag", glyph, ink), ((size - glyph) // 2, (size - glyph) // 2))
    return image


def target_picture(cell: int, letter: str, name: ThemeName) -> pygame.Surface:
    """The mark of a target, with its letter where it has one."""
    if letter:
        return board_letters.target(cell, letter, name)
    return target_surface(cell if cell >= SMALL_CELL else round(cell * 1.5), name)


def _masks(members: Collection[int], rows: int, cols: int) -> list[int]:
    """For every square which of its eight neighbours are members, as `game.views.sokoban.walls` counts them."""
    padded = np.zeros((rows + 2, cols + 2), dtype=np.uint8)
    padded[1:-1, 1:-1].flat[list(members)] = 1
    mask: npt.NDArray[np.uint8] = np.zeros((rows, cols), dtype=np.uint8)
    for bit, (down, right) in enumerate(AROUND):
        mask |= padded[1 + down : 1 + down + rows, 1 + right : 1 + right + cols] << bit
    return mask.ravel().tolist()
