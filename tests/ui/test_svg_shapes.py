"""Drawn shapes: smooth edges, soft shadows."""

from itertools import pairwise

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui import shapes, surfaces


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
