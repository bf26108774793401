"""Small still pictures of boards for lists: sharp sprites where squares are large enough, else one tone a square."""

import numpy as np
import pygame

from game.rules.sokoban import (
    BOX,
    BOX_ON_TARGET,
    KIND,
    PLAYER,
    PLAYER_ON_TARGET,
    SECOND,
    TARGET,
    WALL,
    State,
    at_home,
    to_array,
)
from game.ui.surfaces import kept
from game.ui.theme import Theme, ThemeName
from game.views.sokoban.layer import static_layer
from game.views.sokoban.letters import hue
from game.views.sokoban.pieces import Pieces
from game.views.sokoban.walls import MASONRY

LEAST_SPRITE_CELL = 6
"""Pixels a square from which on sprites can be told apart."""
LARGEST_CELL = 40


def thumbnail(state: State, theme: Theme, size: tuple[int, int]) -> pygame.Surface:
    """A still picture of a position, exactly `size` pixels with the board in the middle and clear round it.

    The surface is shared and kept: do not draw on it.
    """
    return _thumbnail(state, theme.name, size)


@kept
def _thumbnail(state: State, name: ThemeName, size: tuple[int, int]) -> pygame.Surface:
    warehouse = state.warehouse
    cell = min(size[0] // warehouse.cols, size[1] // warehouse.rows, LARGEST_CELL)
    board = _sprites(state, Theme(name), cell) if cell >= LEAST_SPRITE_CELL else _tones(state, name, size)
    picture = pygame.Surface(size, pygame.SRCALPHA)
    picture.blit(board, board.get_rect(center=(size[0] // 2, size[1] // 2)))
    return picture


def _sprites(state: State, theme: Theme, cell: int) -> pygame.Surface:
    board, pieces, cols = static_layer(state.warehouse, cell, theme), Pieces(cell), state.warehouse.cols
    home = at_home(state)
    letters = dict(zip(state.placed, state.warehouse.letters, strict=True))
    for box in state.boxes:
        image = pieces.box("home" if box in home else "box", letters.get(box, ""))
        board.blit(image, (box % cols * cell, box // cols * cell))
    for square, second in ((state.player, False), (state.second, True)):
        if square >= 0:
            keeper = pieces.keeper(2, None, 0, False, second)
            row, col = divmod(square, cols)
            board.blit(keeper, keeper.get_rect(midbottom=(col * cell + cell // 2, (row + 1) * cell)))
    return board


def _tones(state: State, name: ThemeName, size: tuple[int, int]) -> pygame.Surface:
    """One pixel a square, brought to `size`: enlarged by whole steps first, so that edges stay crisp."""
    stone, warehouse = MASONRY[name], state.warehouse
    theme = Theme(name)
    kinds = to_array(state) & (KIND + SECOND)
    colours = np.zeros((*kinds.shape, 4), dtype=np.uint8)
    colours.reshape(-1, 4)[list(warehouse.floor)] = tuple(pygame.Color(stone.floor))
    keeper, second = pygame.Color("#1fb0c4"), pygame.Color("#c25b7c")
    for kind, colour in (
        (WALL, pygame.Color(stone.top)),
        (BOX, pygame.Color("#cf9047")),
        (BOX_ON_TARGET, theme.good),
        (TARGET, pygame.Color(stone.floor).lerp(pygame.Color(stone.ring), 0.6)),
        (PLAYER, keeper),
        (PLAYER_ON_TARGET, keeper),
        (PLAYER + SECOND, second),
        (PLAYER_ON_TARGET + SECOND, second),
    ):
        colours[kinds == kind] = tuple(colour)
    home, cells = at_home(state), colours.reshape(-1, 4)
    for box, target, letter in zip(state.placed, warehouse.homes, warehouse.letters, strict=True):
        ink = pygame.Color(hue(letter))
        if target not in state.boxes and target not in (state.player, state.second):
            cells[target] = tuple(pygame.Color(stone.floor).lerp(ink, 0.55))
        if box not in home:
            cells[box] = tuple(ink)
    small = pygame.image.frombuffer(colours.tobytes(), (warehouse.cols, warehouse.rows), "RGBA")
    share = min(size[0] / warehouse.cols, size[1] / warehouse.rows)
    whole = pygame.transform.scale_by(small, max(1, int(np.ceil(share))))
    return pygame.transform.smoothscale(
        whole, (max(1, round(warehouse.cols * share)), max(1, round(warehouse.rows * share)))
    )
