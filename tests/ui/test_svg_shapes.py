"""Drawn shapes, walls and stones: smooth edges, soft shadows, walls without seams, stones told apart by mark and by colour."""

from itertools import combinations, pairwise

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui import shapes, surfaces
from game.views.connect4 import stones
from game.views.sokoban import walls


@pytest.fixture(autouse=True)
def empty_store():
    surfaces.clear()
    yield
    surfaces.clear()


def alphas(surface: pygame.Surface) -> np.ndarray:
    return pygame.surfarray.array_alpha(surface).astype(int)


def test_round_boxes_have_smooth_corners_and_full_middles():
    alpha = alphas(shapes.rounded((60, 40), 12, "#336699"))
    print(alpha[:14, :14])
    assert alpha.shape == (60, 40)
    assert alpha[0, 0] == 0 and alpha[30, 20] == 255 and alpha[0, 20] == 255
    assert len(set(alpha[:12, :12].flat)) > 6


def test_a_border_lies_inside_the_box():
    surface = shapes.rounded((60, 40), 12, "#000000", "#ff0000", 2)
    assert surface.get_at((0, 20)) == pygame.Color("#ff0000")
    assert surface.get_at((1, 20)) == pygame.Color("#ff0000")
    assert surface.get_at((3, 20)) == pygame.Color("#000000")


def test_gradients_run_the_way_they_are_told():
    down, right = (
        shapes.gradient_rounded((40, 40), 4, "#000000", "#ffffff", horizontal) for horizontal in (False, True)
    )
    assert down.get_at((20, 4)).r + 100 < down.get_at((20, 35)).r
    assert right.get_at((4, 20)).r + 100 < right.get_at((35, 20)).r


def test_shadows_fade_outwards_to_nothing():
    alpha = alphas(shapes.shadow((80, 50), 10, 16, 120))
    line = alpha[:, 16 + 25]
    print(line)
    assert alpha.shape == (112, 82)
    assert line[0] <= 2 and 100 <= line.max() <= 120
    assert all(a <= b for a, b in pairwise(line[:31]))
    assert np.abs(np.diff(line)).max() <= 12
    assert (alpha == alpha[::-1, ::-1]).all()


@given(st.integers(-60, 60), st.integers(-60, 60), st.integers(2, 9))
def test_an_arrow_lies_wholly_on_its_surface_with_its_tip_at_the_end(dx, dy, width):
    if abs(dx) + abs(dy) < 4:
        dx = 20
    surface, (left, top) = shapes.arrow([(100, 100), (100 + dx, 100 + dy)], width, "#8b7cf6")
    box = surface.get_bounding_rect()
    print(dx, dy, width, surface.get_size(), box)
    assert box.left > 0 and box.top > 0 and box.right < surface.get_width() and box.bottom < surface.get_height()
    assert surface.get_at((100 + dx - left, 100 + dy - top)).a > 100


def test_an_arrow_needs_a_direction():
    for points in ([(1, 1)], [(0, 0), (5, 5), (5, 5)]):
        with pytest.raises(ValueError, match="at least two points"):
            shapes.arrow(points, 4, "#ffffff")


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


def test_every_seat_has_its_own_stone():
    assert len(stones.STONES) == 6
    for part in zip(*stones.STONES, strict=True):
        assert len(set(part)) == 6


@pytest.mark.parametrize("draw", [stones.sphere, stones.flat_stone, stones.ghost, stones.winning])
def test_marks_alone_tell_stones_apart(draw):
    drawn = []
    for stone in stones.STONES:
        ground = pygame.Surface((stones.winning_size(48),) * 2)
        ground.blit(draw(48, "#777777", stone.mark), (0, 0))
        drawn.append(pygame.surfarray.array3d(ground).astype(int))
    for (i, one), (j, other) in combinations(enumerate(drawn), 2):
        changed = (np.abs(one - other).max(axis=2) > 50).sum()
        print(draw.__name__, stones.MARKS[i], stones.MARKS[j], changed)
        assert changed > 40


def test_winning_stones_are_as_large_as_announced():
    for diameter in (16, 47, 96):
        side = stones.winning_size(diameter)
        assert stones.winning(diameter, "#35b8a6", "plus").get_size() == (side, side)


def test_a_mark_must_be_known():
    with pytest.raises(ValueError, match="No stone has the mark 'heart'; there are circle"):
        stones.sphere(40, "#ffffff", "heart")


# Machado, Oliveira, Fernandes (2009), severity 1; rows act on linear RGB
SIGHT = {
    "common": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def oklab(colour: str, sight: np.ndarray) -> np.ndarray:
    """OKLab (Ottosson 2020) of a colour as an eye of this kind sees it."""
    part = np.array(pygame.Color(colour)[:3]) / 255
    linear = np.clip(sight @ np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4), 0, 1)
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    axes = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return axes @ np.cbrt(cones @ linear)


@pytest.mark.parametrize("sight", SIGHT)
def test_stone_colours_stay_apart_for_every_eye(sight):
    for one, other in combinations(stones.STONES, 2):
        apart = 100 * np.linalg.norm(oklab(one.colour, SIGHT[sight]) - oklab(other.colour, SIGHT[sight]))
        print(sight, one.name, other.name, round(apart, 1))
        assert apart >= 10


@pytest.mark.parametrize("colour", ["#1d2029", "#ffffff"])
def test_a_box_with_its_shadow_looks_like_a_shadow_with_a_box_on_it(colour: str) -> None:
    size, radius, spread, drop = (90, 50), 12, 10, 3
    pictures = []
    for together in (True, False):
        ground = pygame.Surface((130, 90))
        ground.fill("#f5f3ee")
        if together:
            card = shapes.shadowed(size, radius, pygame.Color(colour), spread, drop, 120)
            ground.blit(card, (20 - spread, 20 - spread), special_flags=pygame.BLEND_PREMULTIPLIED)
        else:
            ground.blit(shapes.shadow(size, radius, spread, 120), (20 - spread, 20 - spread + drop))
            ground.blit(shapes.rounded(size, radius, pygame.Color(colour)), (20, 20))
        pictures.append(pygame.surfarray.array3d(ground).astype(int))
    apart = abs(pictures[0] - pictures[1]).max(axis=2)
    print(f"{(apart > 0).sum()} pixels differ, by {apart.max()} of 255 at most")
    assert len(set(map(tuple, pictures[0].reshape(-1, 3).tolist()))) > 20, "a shadow has many shades"
    assert apart.max() <= 2
