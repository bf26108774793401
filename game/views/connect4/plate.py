"""The base plate that deep boards stand on: a rounded slab with faint squares, drawn in perspective."""

import numpy as np
import pygame

from game.ui.theme import Colour, Theme, blend
from game.views.connect4.camera import Camera

EDGE = 0.62
"""From the middle of the outer columns to the edge of the plate, in world units."""
THICK = 0.17
CORNER = 0.3
SHADE = (1.06, 1.045, 1.03, 1.015, 1.0, 0.985)
"""Sizes of the outlines that together make the soft shadow of the plate on the ground."""


class Plate:
    """The slab under the pegs, as polygons in pixels."""

    def shape(self, theme: Theme, camera: Camera, cols: int, depth: int) -> None:
        """Compute its outlines for a camera."""
        half_x, half_z = (cols - 1) / 2 + EDGE, (depth - 1) / 2 + EDGE
        outline = rounded(half_x, half_z, CORNER)
        self._top = _pixels(camera, outline, 0.0)
        self._below = hull(self._top + _pixels(camera, outline, -THICK))
        foot = rounded(half_x + 0.25, half_z + 0.25, CORNER + 0.25)
        self._shade = [_pixels(camera, foot * share, -THICK - 0.02) for share in SHADE]
        lines = [((x, -half_z), (x, half_z)) for x in np.arange(cols - 1) - (cols - 2) / 2]
        lines += [((-half_x, z), (half_x, z)) for z in np.arange(depth - 1) - (depth - 2) / 2]
        ends = _pixels(camera, np.array(lines).reshape(-1, 2), 0.0) if lines else []
        self._lines = list(zip(ends[::2], ends[1::2], strict=True))
        self._colours(theme)

    def _colours(self, theme: Theme) -> None:
        self._face = blend(theme.surface, theme.raised, 0.6) if theme.dark else blend(theme.raised, theme.line, 0.25)
        self._side = blend(theme.ground, theme.surface, 0.3) if theme.dark else blend(theme.line, theme.wall, 0.35)
        self._rim = blend(theme.line, theme.wall, 0.35 if theme.dark else 0.25)
        self._grid = blend(self._face, theme.line, 0.55 if theme.dark else 0.7)
        deep = 0.3 if theme.dark else 0.075
        black = pygame.Color(0, 0, 0)
        darker = [deep * (step + 1) / len(SHADE) for step in range(len(SHADE))]
        self._ground = [blend(theme.ground, black, share) for share in darker]
        self._film = [pygame.Color(0, 0, 0, round(255 * share)) for share in darker]

    def draw(self, surface: pygame.Surface) -> None:
        """Draw it; on a surface with transparency the shadow lets through whatever will be behind."""
        if surface.get_flags() & pygame.SRCALPHA:
            for outline, colour in zip(self._shade, self._film, strict=True):
                pygame.draw.polygon(surface, colour, outline)
        else:
            for outline, colour in zip(self._shade, self._ground, strict=True):
                filled(surface, colour, outline)
        filled(surface, self._side, self._below)
        filled(surface, self._face, self._top)
        for start, end in self._lines:
            pygame.draw.aaline(surface, self._grid, start, end)
        pygame.draw.aalines(surface, self._rim, True, self._top)


def filled(surface: pygame.Surface, colour: Colour, outline: list[tuple[float, float]]) -> None:
    """A polygon with smooth edges."""
    pygame.draw.polygon(surface, colour, outline)
    pygame.draw.aalines(surface, colour, True, outline)


def rounded(half_x: float, half_z: float, corner: float) -> np.ndarray:
    """Outline (n, 2) of a rectangle with round corners around the origin."""
    turn = np.linspace(0, np.pi / 2, 6)
    arcs = []
    for quarter, (sign_x, sign_z) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = turn + quarter * np.pi / 2
        middle = (sign_x * (half_x - corner), sign_z * (half_z - corner))
        arcs.append(np.stack([middle[0] + corner * np.cos(angle), middle[1] + corner * np.sin(angle)], axis=1))
    return np.concatenate(arcs)


def _pixels(camera: Camera, points: np.ndarray, height: float) -> list[tuple[float, float]]:
    world = np.stack([points[:, 0], np.full(len(points), height), points[:, 1]], axis=1)
    return [(x, y) for x, y, _ in camera.project(world).tolist()]


def hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted(points)
    chains = []
    for sequence in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], (x, y)) <= 0:
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
