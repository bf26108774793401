"""The marks drawn over a board: dots, outlines, arrows, dead squares, confetti; each a small cached drawing.

Every mark is a shape of its own, so that none is told by its colour alone. Sizes are in pixels, `cell` is the side
of a square.
"""

import pygame

from game.ui.surfaces import Colour, hexadecimal, kept
from game.ui.svg import rasterise


def _svg(width: float, height: float, body: str) -> pygame.Surface:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{body}</svg>'
    return rasterise(text, (round(width), round(height)))


def _stroke(cell: int, share: float, least: float = 1.0) -> float:
    """A line width: `share` of the cell, whole pixels once it is wide enough to look even."""
    width = max(least, cell * share)
    return round(width) if width >= 2 else width


@kept
def dot(cell: int, colour: Colour, radius: float) -> pygame.Surface:
    """A disc of `radius` cells in the middle of a square."""
    pixels = max(1.1, radius * cell)
    return _svg(
        cell,
        cell,
        f'<circle cx="{cell / 2}" cy="{cell / 2}" r="{pixels:.2f}" fill="{hexadecimal(colour)}"/>',
    )


@kept
def landing(cell: int, colour: Colour, dotted: bool = True) -> pygame.Surface:
    """A square that the selected box can be pushed to: a tinted plate with a dot, or where that hides something a frame."""
    inset, hue = max(1.0, cell * 0.07), hexadecimal(colour)
    side, width = cell - 2 * inset, _stroke(cell, 0.05)
    plate = f'<rect x="{inset}" y="{inset}" width="{side}" height="{side}" rx="{cell * 0.14}"'
    dot = f'<circle cx="{cell / 2}" cy="{cell / 2}" r="{max(1.4, cell * 0.12)}" fill="{hue}"/>'
    frame = f'{plate} fill="{hue}" fill-opacity="0" stroke="{hue}" stroke-width="{width}"/>'
    return _svg(cell, cell, f'{plate} fill="{hue}" fill-opacity="0.2"/>{dot if dotted else frame}')


@kept
def lost(cell: int, colour: Colour) -> pygame.Surface:
    """A square on which the selected box would be lost: a tinted plate with a cross."""
    inset, hue = max(1.0, cell * 0.07), hexadecimal(colour)
    side, near, far = cell - 2 * inset, cell * 0.34, cell * 0.66
    return _svg(
        cell,
        cell,
        f'<rect x="{inset}" y="{inset}" width="{side}" height="{side}" rx="{cell * 0.14}" fill="{hue}" fill-opacity="0.16"/>'
        f'<path d="M{near} {near}L{far} {far}M{far} {near}L{near} {far}" fill="none" stroke="{hue}" '
        f'stroke-width="{_stroke(cell, 0.07, 1.4)}" stroke-linecap="round"/>',
    )


@kept
def outline(cell: int, colour: Colour, share: float, fill: float = 0.0) -> pygame.Surface:
    """A rounded frame round a square, `share` of the cell wide, filled to the opacity `fill`."""
    width = _stroke(cell, share)
    inset = width / 2
    side, hue = cell - width, hexadecimal(colour)
    return _svg(
        cell,
        cell,
        f'<rect x="{inset}" y="{inset}" width="{side}" height="{side}" rx="{cell * 0.14}" fill="{hue}" fill-opacity="{fill}" '
        f'stroke="{hue}" stroke-width="{width}"/>',
    )


@kept
def brackets(cell: int, colour: Colour, ground: Colour) -> pygame.Surface:
    """The keyboard's cursor: four corners, with a halo of `ground` so that they show on boxes and walls."""
    width = _stroke(cell, 0.07, 1.5)
    near, far, arm, bend = width, cell - width, cell * 0.28, cell * 0.1
    corners = "".join(
        f"M{x} {y + sy * arm}V{y + sy * bend}Q{x} {y} {x + sx * bend} {y}H{x + sx * arm}"
        for x, sx in ((near, 1), (far, -1))
        for y, sy in ((near, 1), (far, -1))
    )
    return _svg(
        cell,
        cell,
        f'<path d="{corners}" fill="none" stroke="{hexadecimal(ground)}" stroke-width="{width * 1.9}" stroke-linecap="round" '
        f'stroke-opacity="0.75"/><path d="{corners}" fill="none" stroke="{hexadecimal(colour)}" stroke-width="{width}" '
        'stroke-linecap="round"/>',
    )


@kept
def arrow(cell: int, direction: int, colour: Colour, ground: Colour, start: float = 0.0) -> pygame.Surface:
    """A thick arrow from `start` cells beside the middle of a square to the middle of the next, on three by three cells."""
    width, middle, reach, head = max(2.0, cell * 0.12), cell * 1.5, cell * 1.0, cell * 0.25
    shape = f"M{start * cell} 0H{reach}M{reach - head} {-head}L{reach} 0L{reach - head} {head}"
    turn = (direction - 1) * 90
    halo, hue = width + max(2.0, cell * 0.09), hexadecimal(colour)
    style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return _svg(
        3 * cell,
        3 * cell,
        f'<g transform="translate({middle} {middle}) rotate({turn})"><path d="{shape}" {style} stroke="{hexadecimal(ground)}" '
        f'stroke-width="{halo}" stroke-opacity="0.8"/><path d="{shape}" {style} stroke="{hue}" stroke-width="{width}"/></g>',
    )


@kept
def ghost(cell: int, colour: Colour, ground: Colour, home: bool) -> pygame.Surface:
    """A box of a position that is only thought of: a dashed frame, with a disc in it where that is a target."""
    width, inset = _stroke(cell, 0.055, 1.2), max(1.5, cell * 0.15)
    side, hue = cell - 2 * inset, hexadecimal(colour)
    frame = f'<rect x="{inset}" y="{inset}" width="{side}" height="{side}" rx="{cell * 0.1}" fill="{hue}"'
    disc = f'<circle cx="{cell / 2}" cy="{cell / 2}" r="{cell * 0.1}" fill="{hue}"/>' if home else ""
    return _svg(
        cell,
        cell,
        f'{frame} fill-opacity="0.22" stroke="{hexadecimal(ground)}" stroke-opacity="0.7" stroke-width="{width * 2}"/>'
        f'{frame} fill-opacity="0" stroke="{hue}" stroke-width="{width}" '
        f'stroke-dasharray="{cell * 0.16} {cell * 0.1}"/>{disc}',
    )


@kept
def dead(cell: int, hatch: Colour, dim: float) -> pygame.Surface:
    """A square from which a box never reaches a target: dimmed by `dim` (0 to 1) and hatched aslant."""
    lines = "".join(f"M{-1 + shift * cell / 2} {cell + 1}L{cell + 1 + shift * cell / 2} {-1}" for shift in (-1, 0, 1))
    return _svg(
        cell,
        cell,
        f'<rect width="{cell}" height="{cell}" fill="#000000" fill-opacity="{dim}"/>'
        f'<path d="{lines}" stroke="{hexadecimal(hatch)}" stroke-width="{max(0.8, cell * 0.04)}" stroke-opacity="0.24"/>',
    )


@kept
def ripple(cell: int, colour: Colour, step: int, steps: int) -> pygame.Surface:
    """Frame `step` of `steps` of a frame that spreads from a box and fades, on two by two cells."""
    share = (step + 1) / steps
    half = cell * (0.42 + 0.4 * share)
    width = max(1.0, cell * 0.1 * (1 - share))
    return _svg(
        2 * cell,
        2 * cell,
        f'<rect x="{cell - half}" y="{cell - half}" width="{2 * half}" height="{2 * half}" rx="{cell * (0.14 + 0.25 * share)}" '
        f'fill="none" stroke="{hexadecimal(colour)}" stroke-width="{width}" stroke-opacity="{0.9 * (1 - share):.3f}"/>',
    )


@kept
def paper(size: int, colour: Colour, turn: int, turns: int) -> pygame.Surface:
    """A piece of confetti at `turn` of `turns` of its tumbling."""
    width, height = size * 0.9, size * (0.2 + 0.4 * abs(turn / turns * 2 - 1))
    return _svg(
        2 * size,
        2 * size,
        f'<g transform="translate({size} {size}) rotate({turn * 180 / turns})"><rect x="{-width / 2}" y="{-height / 2}" '
        f'width="{width}" height="{height}" rx="{size * 0.12}" fill="{hexadecimal(colour)}"/></g>',
    )
