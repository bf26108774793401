"""Walls that join into one solid mass, and the floor between them, for any board of squares.

A wall square is drawn from its eight neighbours: a flat top, a lit edge where the square above is open, a darker front
where the square below is, and round corners where two open sides meet. Squares meet without a seam, so neighbouring
ones look like one block.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pygame

from game.ui.surfaces import kept
from game.ui.svg import rasterise, sprite

Theme = Literal["dark", "light"]

NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST = (1 << bit for bit in range(8))
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""(row, column) steps to the eight neighbours, in the order of the mask's bits from the lowest."""


@dataclass(frozen=True)
class Masonry:
    """Colours of one theme's walls, floor and targets, each ``#rrggbb``."""

    top: str
    lit: str
    front: str
    front_low: str
    edge: str
    floor: str
    floor_odd: str
    seam: str
    ring: str
    shade: float
    """Opacity of the shadow that a wall throws on the floor, 0 to 1."""


MASONRY: dict[Theme, Masonry] = {
    "dark": Masonry(
        top="#596379",
        lit="#8791aa",
        front="#414a5d",
        front_low="#343b4b",
        edge="#4b5468",
        floor="#252a34",
        floor_odd="#22262f",
        seam="#2a2f3a",
        ring="#f2a541",
        shade=0.34,
    ),
    "light": Masonry(
        top="#8f9bb3",
        lit="#bcc6d9",
        front="#727e98",
        front_low="#626d86",
        edge="#808ca5",
        floor="#e9e4d8",
        floor_odd="#e2dccf",
        seam="#dcd5c6",
        ring="#b86e00",
        shade=0.16,
    ),
}

_UNIT = 96
_RADIUS = 16
_FRONT = 24
_LIT = 6
_EDGE = 4


def neighbours(matches: Callable[[int, int], bool], row: int, column: int) -> int:
    """Mask of a square's eight neighbours for which ``matches(row, column)``; bit 0 is the one above, then clockwise."""
    return sum(1 << bit for bit, (down, right) in enumerate(AROUND) if matches(row + down, column + right))


def wall_surface(mask: int, size: int, theme: Theme, floor_mask: int = 0) -> pygame.Surface:
    """One wall square.

    Args:
        mask: which of the eight neighbours are walls too (see ``neighbours``); outside the board counts as no wall.
        size: side in pixels.
        theme: ``"dark"`` or ``"light"``.
        floor_mask: which of the eight neighbours are floor; the floor shows behind a corner rounded towards it.
    """
    corners = _open_corners(mask)
    behind = sum(1 << bit for bit, (_, bits) in enumerate(corners) if bits and bits & floor_mask)
    # only the four sides and, behind round corners, the floor change the picture: at most 81 drawings a size
    return _wall(mask & (NORTH | EAST | SOUTH | WEST), size, theme, behind)


def floor_surface(size: int, odd: bool, theme: Theme) -> pygame.Surface:
    """One floor square; ``odd`` (of row + column) chooses between two shades that make a faint chequer."""
    colours = MASONRY[theme]
    return sprite("sokoban/floor", size, floor=colours.floor_odd if odd else colours.floor, seam=colours.seam)


def target_surface(size: int, theme: Theme) -> pygame.Surface:
    """The ring and dot that mark a target, on a clear ground."""
    return sprite("sokoban/target", size, ring=MASONRY[theme].ring)


@kept
def floor_shade(mask: int, size: int, theme: Theme) -> pygame.Surface:
    """The shadow that walls above and to the left throw on one floor square; ``mask`` says which neighbours are walls."""
    depth = MASONRY[theme].shade
    parts = []
    if mask & NORTH:
        parts.append(f'<rect x="0" y="0" width="{_UNIT}" height="22" fill="url(#down)"/>')
    if mask & WEST:
        parts.append(f'<rect x="0" y="0" width="14" height="{_UNIT}" fill="url(#right)"/>')
    text = f"{_HEAD}<defs>{_fade('down', 0, 100, depth)}{_fade('right', 100, 0, depth * 0.6)}</defs>{''.join(parts)}</svg>"
    return rasterise(text, (size, size))


def _fade(name: str, across: int, along: int, opacity: float) -> str:
    return (
        f'<linearGradient id="{name}" x1="0%" y1="0%" x2="{across}%" y2="{along}%"><stop offset="0%" stop-color="#000000" '
        f'stop-opacity="{opacity}"/><stop offset="100%" stop-color="#000000" stop-opacity="0"/></linearGradient>'
    )


def _ramp(name: str, *stops: tuple[int, str]) -> str:
    shades = "".join(f'<stop offset="{offset}%" stop-color="{colour}"/>' for offset, colour in stops)
    return f'<linearGradient id="{name}" x1="0%" y1="0%" x2="0%" y2="100%">{shades}</linearGradient>'


_HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_UNIT} {_UNIT}" width="{_UNIT}" height="{_UNIT}">'


def _open_corners(mask: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """Each corner from the upper right clockwise: its place, and the bits of the three squares at it if it is round, else 0."""
    found = []
    for place, first, between, second in (
        ((_UNIT, 0), NORTH, NORTH_EAST, EAST),
        ((_UNIT, _UNIT), EAST, SOUTH_EAST, SOUTH),
        ((0, _UNIT), SOUTH, SOUTH_WEST, WEST),
        ((0, 0), WEST, NORTH_WEST, NORTH),
    ):
        is_open = not mask & (first | second)
        found.append((place, first | between | second if is_open else 0))
    return tuple(found)


def _block(left: float, top: float, right: float, bottom: float, radii: tuple[float, float, float, float]) -> str:
    """Path of a box with one radius for each corner, from the upper right clockwise."""
    upper_right, lower_right, lower_left, upper_left = radii
    return (
        f"M{left + upper_left} {top}H{right - upper_right}A{upper_right} {upper_right} 0 0 1 {right} {top + upper_right}"
        f"V{bottom - lower_right}A{lower_right} {lower_right} 0 0 1 {right - lower_right} {bottom}"
        f"H{left + lower_left}A{lower_left} {lower_left} 0 0 1 {left} {bottom - lower_left}"
        f"V{top + upper_left}A{upper_left} {upper_left} 0 0 1 {left + upper_left} {top}z"
    )


@kept
def _wall(mask: int, size: int, theme: Theme, behind: int) -> pygame.Surface:
    colours = MASONRY[theme]
    corners = _open_corners(mask)
    open_north, open_east, open_south, open_west = (not mask & side for side in (NORTH, EAST, SOUTH, WEST))
    radii = [float(_RADIUS) if bits else 0.0 for _, bits in corners]
    floors = "".join(
        f'<rect x="{max(0, x - _RADIUS)}" y="{max(0, y - _RADIUS)}" width="{_RADIUS}" height="{_RADIUS}" fill="{colours.floor}"/>'
        for bit, ((x, y), _) in enumerate(corners)
        if behind >> bit & 1
    )
    whole = _block(0, 0, _UNIT, _UNIT, (radii[0], radii[1], radii[2], radii[3]))
    lid_bottom = _UNIT - _FRONT if open_south else _UNIT
    lid = _block(0, 0, _UNIT, lid_bottom, (radii[0], radii[1], radii[2], radii[3]))
    # the flat top lies inside the lid: lit above, faintly edged at the sides
    left, right = (_EDGE if open_west else 0), (_UNIT - _EDGE if open_east else _UNIT)
    inner = tuple(max(0.0, radius - _EDGE) for radius in radii)
    top = _block(left, _LIT if open_north else 0, right, lid_bottom, (inner[0], inner[1], inner[2], inner[3]))
    text = (
        f"{_HEAD}<defs>{_ramp('front', (72, colours.front), (100, colours.front_low))}"
        f"{_ramp('lid', (0, colours.lit), (45, colours.edge), (100, colours.edge))}</defs>"
        f'{floors}<path d="{whole}" fill="url(#front)"/>'
        f'<path d="{lid}" fill="{"url(#lid)" if open_north else colours.edge}"/><path d="{top}" fill="{colours.top}"/></svg>'
    )
    return rasterise(text, (size, size))
