"""Stones for board games: shaded balls, each player's with its own colour and its own mark.

Any two colours stay apart in the three kinds of colour blindness as well (``tests/ui`` measures it), and the marks say the
same without any colour.
"""

from typing import NamedTuple

import pygame

from game.ui.shapes import glow, paint, ring, svg_open
from game.ui.surfaces import Colour, hexadecimal, kept, mixed
from game.ui.svg import rasterise


class Stone(NamedTuple):
    """How one player's stones look."""

    name: str
    colour: str
    mark: str


STONES: tuple[Stone, ...] = (
    Stone("coral", "#e95f4f", "circle"),
    Stone("teal", "#38bfad", "plus"),
    Stone("gold", "#f7d354", "triangle"),
    Stone("blue", "#2f62cf", "square"),
    Stone("brown", "#8a4b2a", "bars"),
    Stone("ivory", "#f1f2f5", "diamond"),
)
"""One for each of up to six players, by seat."""

_MARKS = {
    "circle": '<circle cx="50" cy="50" r="15.5"/>',
    "plus": '<path d="M50 31V69M31 50H69"/>',
    "triangle": '<path d="M50 31L69 64H31z"/>',
    "square": '<rect x="32.5" y="32.5" width="35" height="35" rx="1"/>',
    "bars": '<path d="M36 34V66M50 34V66M64 34V66"/>',
    "diamond": '<path d="M50 26L72 50L50 74L28 50z"/>',
}
MARKS: tuple[str, ...] = tuple(_MARKS)


@kept
def sphere(diameter: int, colour: Colour, mark: str) -> pygame.Surface:
    """A shaded ball lit from the upper left, with its mark in white, or dark on a light ball.

    Raises:
        ValueError: no such mark.
    """
    lit, full = mixed(colour, "#ffffff", 0.5), hexadecimal(colour)
    red, _, blue, _ = pygame.Color(full)
    night = "#5c1a00" if red > blue else "#0b0d20"  # a yellow shaded with black would turn olive
    dark, rim = mixed(colour, night, 0.42), mixed(mixed(colour, night, 0.6), "#0b0d14", 0.3)
    stops = ((0, lit), (38, full), (76, dark), (100, rim))
    ramp = "".join(f'<stop offset="{offset}%" stop-color="{shade}"/>' for offset, shade in stops)
    text = (
        f'{svg_open(100, 100)}<defs><radialGradient id="ball" cx="38%" cy="33%" r="68%">{ramp}</radialGradient>'
        '<radialGradient id="shine" cx="50%" cy="50%" r="50%"><stop offset="0%" stop-color="#ffffff" stop-opacity="0.62"/>'
        '<stop offset="100%" stop-color="#ffffff" stop-opacity="0"/></radialGradient></defs>'
        '<circle cx="50" cy="50" r="49.5" fill="url(#ball)"/>'
        '<ellipse cx="35" cy="25" rx="21" ry="14" fill="url(#shine)"/>'
        f"{_mark(mark, colour)}</svg>"
    )
    return rasterise(text, (diameter, diameter))


@kept
def flat_stone(diameter: int, colour: Colour, mark: str) -> pygame.Surface:
    """The same stone as a flat disc: for lists, legends and slices.

    Raises:
        ValueError: no such mark.
    """
    text = (
        f'{svg_open(100, 100)}<circle cx="50" cy="50" r="48" {paint("fill", colour)} '
        f'{paint("stroke", mixed(colour, "#14161c", 0.3))} stroke-width="4"/>'
        f'<g transform="translate(-10 -10) scale(1.2)">{_mark(mark, colour)}</g></svg>'
    )
    return rasterise(text, (diameter, diameter))


@kept
def ghost(diameter: int, colour: Colour, mark: str) -> pygame.Surface:
    """A stone that is not there yet: clear, with a dashed rim.

    Raises:
        ValueError: no such mark.
    """
    line = mixed(colour, "#14161c", 0.28) if _is_light(colour) else hexadecimal(colour)
    body = f'<circle cx="50" cy="50" r="48" fill="{line}" fill-opacity="0.25"/>'
    drawn = f'<g opacity="0.8">{_strokes(mark, line)}</g>'
    surface = rasterise(f"{svg_open(100, 100)}{body}{drawn}</svg>", (diameter, diameter))
    surface.blit(ring(diameter, max(2.0, diameter / 24), line, dashes=14), (0, 0))
    return surface


def winning_size(diameter: int) -> int:
    """Side of the surface that ``winning`` draws for a stone of ``diameter`` pixels."""
    return diameter + 2 * max(4, diameter // 5)


@kept
def winning(diameter: int, colour: Colour, mark: str) -> pygame.Surface:
    """A stone in a winning line: a white rim and light round it; centred on a square of side ``winning_size(diameter)``.

    Raises:
        ValueError: no such mark.
    """
    side = winning_size(diameter)
    reach = (side - diameter) // 2
    surface = glow(diameter, reach, mixed(colour, "#ffffff", 0.4)).copy()
    surface.blit(sphere(diameter, colour, mark), (reach, reach))
    # white inside dark, so that the rim is seen on either theme's ground
    wide = max(2, round(diameter / 18))
    surface.blit(ring(diameter + 4, wide + 2, "#14161c"), (reach - 2, reach - 2))
    surface.blit(ring(diameter + 2, wide, "#ffffff"), (reach - 1, reach - 1))
    return surface


def _is_light(colour: Colour) -> bool:
    red, green, blue, _ = pygame.Color(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue > 185


def _mark(mark: str, ground: Colour) -> str:
    return f'<g opacity="0.9">{_strokes(mark, "#3a2f1c" if _is_light(ground) else "#ffffff")}</g>'


def _strokes(mark: str, colour: str) -> str:
    if mark not in _MARKS:
        raise ValueError(f"No stone has the mark {mark!r}; there are {', '.join(MARKS)}.")
    shape = _MARKS[mark].replace("/>", f'{paint("stroke", colour)} stroke-width="7.5"/>')
    return shape.replace("/>", ' fill="none" stroke-linecap="round" stroke-linejoin="round"/>')
