"""Walls join without a seam and cast their shade on the floor below them."""

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui import surfaces
from game.views.sokoban import walls


@pytest.fixture(autouse=True)
def empty_store():
    surfaces.clear()
    yield
    surfaces.clear()


def alphas(surface: pygame.Surface) -> np.ndarray:
    return pygame.surfarray.array_alpha(surface).astype(int)


@pytest.mark.parametrize("theme", ["dark", "light"])
@given(mask=st.integers(0, 255))
def test_wall_squares_are_solid_but_for_round_corners(theme, mask):
    size = 48
    alpha = alphas(walls.wall_surface(mask, size, theme))
    print(f"{mask:08b}")
    joined = alpha[0, 0] == 255, alpha[-1, 0] == 255, alpha[-1, -1] == 255, alpha[0, -1] == 255
    north, east, south, west = (bool(mask & side) for side in (walls.NORTH, walls.EAST, walls.SOUTH, walls.WEST))
    assert joined == (north or west, north or east, south or east, south or west)
    assert alpha[size // 6 : -size // 6, :].min() == 255 and alpha[:, size // 6 : -size // 6].min() == 255


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_neighbouring_wall_squares_meet_without_a_seam(theme):
    inner = walls.wall_surface(255, 40, theme)
    assert len({tuple(inner.get_at((x, y))) for x in range(40) for y in range(40)}) == 1
    left = walls.wall_surface(walls.EAST, 40, theme)
    right = walls.wall_surface(walls.WEST, 40, theme)
    for y in range(40):
        print(y, left.get_at((39, y)), right.get_at((0, y)))
        assert left.get_at((39, y)) == right.get_at((0, y))


def test_the_top_edge_is_lit_only_under_an_open_square():
    def brightness(mask, y):
        return sum(walls.wall_surface(mask, 48, "dark").get_at((24, y))[:3])

    assert brightness(walls.SOUTH, 0) > brightness(walls.SOUTH, 24) + 60
    assert brightness(walls.NORTH | walls.SOUTH, 0) == brightness(walls.NORTH | walls.SOUTH, 24)
    assert brightness(walls.NORTH, 46) < brightness(walls.NORTH, 24) - 60


def test_the_floor_shows_behind_a_corner_rounded_towards_it():
    mask, floor = walls.SOUTH | walls.WEST, walls.NORTH | walls.NORTH_EAST | walls.EAST
    assert walls.wall_surface(mask, 48, "dark").get_at((47, 0)).a == 0
    assert walls.wall_surface(mask, 48, "dark", floor).get_at((47, 0)) == pygame.Color(walls.MASONRY["dark"].floor)


def test_neighbours_are_counted_clockwise_from_above():
    board = ["#..", "..#", ".#."]
    mask = walls.neighbours(lambda row, column: board[row][column] == "#", 1, 1)
    assert mask == walls.NORTH_WEST | walls.EAST | walls.SOUTH


def test_floor_shade_lies_below_walls_only():
    assert alphas(walls.floor_shade(0, 48, "dark")).max() == 0
    alpha = alphas(walls.floor_shade(walls.NORTH, 48, "dark"))
    assert alpha[24, 0] > 60 > alpha[24, 40]
