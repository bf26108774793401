"""Small still pictures of boards for lists: sharp sprites where squares are large enough, else one tone a square."""

import numpy as np
import pygame

from game.rules.sokoban import (
    BOX,
    BOX_ON_TARGET,
    PLAYER,
    PLAYER_ON_TARGET,
    TARGET,
    WALL,
    State,
    to_array,
)
from game.screens.sokoban.board_layer import static_layer
from game.screens.sokoban.board_pieces import Pieces
from game.ui.surfaces import kept
from game.ui.theme import Theme, ThemeName
from game.ui.walls import MASONRY

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
    for box in state.boxes:
        image = pieces.home if box in state.warehouse.targets else pieces.box
        board.blit(image, (box % cols * cell, box // cols * cell))
    keeper = pieces.keeper(2, None, 0, False)
    row, col = divmod(state.player, cols)
    board.blit(keeper, keeper.get_rect(midbottom=(col * cell + cell // 2, (row + 1) * cell)))
    return board


def _tones(state: State, name: ThemeName, size: tuple[int, int]) -> pygame.Surface:
    """One pixel a square, brought to `size`: enlarged by whole steps first, so that edges stay crisp."""
    stone, warehouse = MASONRY[name], state.warehouse
    theme = Theme(name)
    kinds = to_array(state)
    colours = np.zeros((*kinds.shape, 4), dtype=np.uint8)
    colours.reshape(-1, 4)[list(warehouse.floor)] = tuple(pygame.Color(stone.floor))
    keeper = pygame.Color("#e5484d")
    for kind, colour in (
        (WALL, pygame.Color(stone.top)),
        (BOX, pygame.Color("#cf9047")),
        (BOX_ON_TARGET, theme.good),
        (TARGET, pygame.Color(stone.floor).lerp(pygame.Color(stone.ring), 0.6)),
        (PLAYER, keeper),
        (PLAYER_ON_TARGET, keeper),
    ):
        colours[kinds == kind] = tuple(colour)
    small = pygame.image.frombuffer(colours.tobytes(), (warehouse.cols, warehouse.rows), "RGBA")
    share = min(size[0] / warehouse.cols, size[1] / warehouse.rows)
    whole = pygame.transform.scale_by(small, max(1, int(np.ceil(share))))
    return pygame.transform.smoothscale(
        whole, (max(1, round(warehouse.cols * share)), max(1, round(warehouse.rows * share)))
    )
