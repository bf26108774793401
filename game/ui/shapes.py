"""Smooth shapes for everyone: round boxes, soft shadows, discs, rings and arrows, drawn once per size and colour.

pygame's own circles and round rectangles have rough edges, so these go through the SVG rasteriser. Every function answers from
``game.ui.surfaces``; copy a surface before drawing on it.
"""

from collections.abc import Sequence
from math import ceil, hypot

import numpy as np
import pygame

from game.ui.surfaces import Colour, hexadecimal, kept, opacity
from game.ui.svg import rasterise

Size = tuple[int, int]


def svg_open(width: float, height: float) -> str:
    """The opening tag of a drawing ``width`` × ``height`` units large."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    )


def paint(kind: str, colour: Colour) -> str:
    """Attributes that give an element a colour with its opacity; ``kind`` is ``"fill"`` or ``"stroke"``."""
    return f'{kind}="{hexadecimal(colour)}" {kind}-opacity="{opacity(colour):.3f}"'


@kept
def rounded(
    size: Size, radius: float, colour: Colour, border: Colour | None = None, border_width: float = 0
) -> pygame.Surface:
    """A box with round corners, filled, with a border drawn inside its edge if one is given."""
    return _box(size, radius, paint("fill", colour), "", border, border_width)


@kept
def gradient_rounded(
    size: Size,
    radius: float,
    first: Colour,
    second: Colour,
    horizontal: bool = False,
    border: Colour | None = None,
    border_width: float = 0,
) -> pygame.Surface:
    """A round box whose colour runs from ``first`` above (or on the left) to ``second`` below (or on the right)."""
    across, down = (100, 0) if horizontal else (0, 100)
    stops = "".join(
        f'<stop offset="{offset}%" stop-color="{hexadecimal(colour)}" stop-opacity="{opacity(colour):.3f}"/>'
        for offset, colour in ((0, first), (100, second))
    )
    ramp = f'<defs><linearGradient id="g" x1="0%" y1="0%" x2="{across}%" y2="{down}%">{stops}</linearGradient></defs>'
    return _box(size, radius, 'fill="url(#g)"', ramp, border, border_width)


def _box(
    size: Size, radius: float, fill: str, ramp: str, border: Colour | None, border_width: float
) -> pygame.Surface:
    width, height = size
    edge = border_width if border is not None else 0
    corner = max(0.0, min(radius, width / 2, height / 2) - edge / 2)
    stroke = f'{paint("stroke", border)} stroke-width="{edge}"' if border is not None and edge else ""
    return rasterise(
        f'{svg_open(width, height)}{ramp}<rect x="{edge / 2}" y="{edge / 2}" width="{width - edge}" '
        f'height="{height - edge}" rx="{corner}" {fill} {stroke}/></svg>',
        size,
    )


@kept
def shadow(size: Size, radius: float, spread: int, alpha: int) -> pygame.Surface:
    """The soft shadow of a round box, ``spread`` pixels larger on every side: draw it that much above and left of the box.

    Args:
        size: width and height of the box in pixels.
        radius: of its corners.
        spread: how far the shadow fades out beyond the box, in pixels.
        alpha: how dark it is under the box, 0 to 255.
    """
    distance = _distances(size, radius, spread)
    depth = np.clip(0.5 - distance / (2 * max(1, spread)), 0, 1)
    return _black(alpha * depth * depth * (3 - 2 * depth))


@kept
def shadowed(size: Size, radius: float, colour: Colour, spread: int, drop: int, alpha: int) -> pygame.Surface:
    """A round box with its soft shadow ``drop`` pixels below it; ``spread`` pixels of shadow stand out on every side.

    Its colours are multiplied by their opacity: blit it with ``BLEND_PREMULTIPLIED``.
    """
    box = pygame.Surface((size[0] + 2 * spread, size[1] + 2 * spread + drop), pygame.SRCALPHA, 32)
    box.fill((0, 0, 0, 0))
    box.blit(shadow(size, radius, spread, alpha), (0, drop), special_flags=pygame.BLEND_PREMULTIPLIED)  # it is black
    box.blit(rounded(size, radius, colour).premul_alpha(), (spread, spread), special_flags=pygame.BLEND_PREMULTIPLIED)
    return box


@kept
def contact_shadow(size: Size, alpha: int) -> pygame.Surface:
    """A soft ellipse of shadow, darkest in its middle (0 to 255): what lies under a stone or a box."""
    width, height = size
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = (np.arange(height) + 0.5) / height * 2 - 1
    depth = np.clip(1 - np.sqrt(x[:, None] ** 2 + y[None, :] ** 2), 0, 1)
    return _black(alpha * depth * (2 - depth))


def _black(alpha: np.ndarray) -> pygame.Surface:
    """A black surface with the given opacities (width × height, 0 to 255)."""
    surface = pygame.Surface(alpha.shape, pygame.SRCALPHA, 32)
    surface.fill((0, 0, 0, 0))
    pygame.surfarray.pixels_alpha(surface)[:] = np.round(alpha).astype(np.uint8)
    return surface


def _distances(size: Size, radius: float, margin: int) -> np.ndarray:
    """Signed distance in pixels from a round box with ``margin`` pixels round it (width × height, below 0 inside).

    The formula is the signed distance to a rounded box in Iñigo Quílez, "2D distance functions".
    """
    width, height = size
    x = np.abs(np.arange(width + 2 * margin, dtype=np.float32) + 0.5 - margin - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height + 2 * margin, dtype=np.float32) + 0.5 - margin - height / 2) - (height / 2 - radius)
    outside: np.ndarray = np.hypot(np.maximum(x, 0)[:, None], np.maximum(y, 0)[None, :])
    outside += np.minimum(np.maximum(x[:, None], y[None, :]), 0) - radius
    return outside


@kept
def disc(diameter: int, colour: Colour) -> pygame.Surface:
    """A filled circle."""
    half = diameter / 2
    text = f'<circle cx="{half}" cy="{half}" r="{half}" {paint("fill", colour)}/></svg>'
    return rasterise(svg_open(diameter, diameter) + text, (diameter, diameter))


@kept
def ring(diameter: int, width: float, colour: Colour, dashes: int = 0) -> pygame.Surface:
    """A circle's outline, ``width`` pixels wide, inside ``diameter``; with ``dashes``, broken into so many equal ones."""
    half, radius = diameter / 2, (diameter - width) / 2
    step = 2 * np.pi * radius / dashes if dashes else 0
    broken = f'stroke-dasharray="{step * 0.58:.3f} {step * 0.42:.3f}"' if dashes else ""
    text = (
        f'<circle cx="{half}" cy="{half}" r="{radius}" fill="none" {paint("stroke", colour)} '
        f'stroke-width="{width}" {broken}/></svg>'
    )
    return rasterise(svg_open(diameter, diameter) + text, (diameter, diameter))


@kept
def glow(diameter: int, reach: int, colour: Colour) -> pygame.Surface:
    """Light round a disc: brightest at its edge, gone ``reach`` pixels further out. Side: ``diameter + 2 * reach``."""
    side = diameter + 2 * reach
    middle = (np.arange(side) + 0.5) - side / 2
    out = np.hypot(middle[:, None], middle[None, :]) - diameter / 2
    light = np.where(out > 0, np.clip(1 - out / reach, 0, 1) ** 2, np.clip(1 + out / 2, 0, 1))
    surface = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    surface.fill(hexadecimal(colour))
    pygame.surfarray.pixels_alpha(surface)[:] = np.round(255 * opacity(colour) * light).astype(np.uint8)
    return surface


def arrow(
    points: Sequence[tuple[float, float]], width: float, colour: Colour, head: float = 3.0
) -> tuple[pygame.Surface, tuple[int, int]]:
    """A thick round arrow through ``points`` with its tip at the last.

    Args:
        points: at least two points in pixels.
        width: of the shaft in pixels.
        colour: of all of it; a translucent arrow is evenly so, head and shaft together.
        head: length of the head's two strokes, in shaft widths.

    Returns:
        The surface, and where its upper left corner belongs.

    Raises:
        ValueError: fewer than two points, or the last two are one.
    """
    if len(points) < 2 or points[-1] == points[-2]:
        raise ValueError("An arrow needs at least two points, and the last two apart.")
    margin = ceil(width * (1 + head))
    left = int(min(x for x, _ in points)) - margin
    top = int(min(y for _, y in points)) - margin
    inside = tuple((round(x - left, 1), round(y - top, 1)) for x, y in points)
    size = (ceil(max(x for x, _ in inside)) + margin, ceil(max(y for _, y in inside)) + margin)
    return _arrow(inside, size, width, colour, head), (left, top)


@kept
def _arrow(
    points: tuple[tuple[float, float], ...], size: Size, width: float, colour: Colour, head: float
) -> pygame.Surface:
    (before_x, before_y), (x, y) = points[-2:]
    length = hypot(x - before_x, y - before_y)
    back_x, back_y = (before_x - x) / length, (before_y - y) / length
    arm = head * width
    # the two strokes of the head stand at 40 degrees to the shaft
    along, aside = arm * 0.766, arm * 0.643
    first = (x + back_x * along - back_y * aside, y + back_y * along + back_x * aside)
    second = (x + back_x * along + back_y * aside, y + back_y * along - back_x * aside)
    shaft = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
    tip = f"M{first[0]:.1f} {first[1]:.1f}L{x:.1f} {y:.1f}L{second[0]:.1f} {second[1]:.1f}"
    # one path, so that a translucent arrow is not darker where head and shaft meet
    return rasterise(
        f'{svg_open(*size)}<path d="{shaft}{tip}" fill="none" {paint("stroke", colour)} stroke-width="{width}" '
        f'stroke-linecap="round" stroke-linejoin="round"/></svg>',
        size,
    )
