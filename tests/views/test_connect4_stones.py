"""Stones are told apart by mark and by colour, by every eye."""

from itertools import combinations

import numpy as np
import pygame
import pytest

from game.ui import surfaces
from game.views.connect4 import stones


@pytest.fixture(autouse=True)
def empty_store():
    surfaces.clear()
    yield
    surfaces.clear()


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
