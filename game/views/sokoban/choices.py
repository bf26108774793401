"""How likely each push is to an agent: an arrow for every push, the wider and fuller the likelier, and a label on one."""

from collections.abc import Mapping

import pygame

from game.ui.surfaces import Colour, hexadecimal, kept
from game.ui.svg import rasterise
from game.ui.theme import font_of

Choices = Mapping[tuple[int, int], float]
"""(square of a box, direction) -> how likely it is that the agent pushes it there, 0 to 1."""

LEAST = 0.02
"""Less likely pushes are not drawn."""
_STEPS = 12
_SMALLEST_LABEL = 22
"""Pixels of a cell below which there is no room for a label."""


def percent(likelihood: float) -> str:
    """'62 %'; nothing is told as quite certain that is not."""
    whole = round(100 * likelihood)
    return f"{min(whole, 99) if likelihood < 0.9995 else whole} %"


def arrow(cell: int, direction: int, likelihood: float, colour: Colour, ground: Colour) -> pygame.Surface:
    """An arrow from the edge of a box into the next square in `direction`, on three by three cells."""
    return _arrow(cell, direction, max(1, round(likelihood * _STEPS)), colour, ground)


@kept
def _arrow(cell: int, direction: int, step: int, colour: Colour, ground: Colour) -> pygame.Surface:
    share = step / _STEPS
    width = max(1.5, cell * (0.045 + 0.085 * share))
    middle, start, reach = cell * 1.5, cell * 0.3, cell * (0.72 + 0.28 * share)
    head = cell * (0.13 + 0.12 * share)
    shape = f"M{start} 0H{reach}M{reach - head} {-head}L{reach} 0L{reach - head} {head}"
    style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    halo, hue, opacity = width + max(1.5, cell * 0.08), hexadecimal(colour), 0.5 + 0.5 * share
    turned = f"translate({middle} {middle}) rotate({(direction - 1) * 90})"
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{3 * cell}" height="{3 * cell}"><g transform="{turned}">'
        f'<path d="{shape}" {style} stroke="{hexadecimal(ground)}" stroke-width="{halo}" stroke-opacity="{0.8 * opacity}"/>'
        f'<path d="{shape}" {style} stroke="{hue}" stroke-width="{width}" stroke-opacity="{opacity}"/></g></svg>'
    )
    return rasterise(text, (3 * cell, 3 * cell))


@kept
def label(cell: int, text: str, pixels: int, colour: Colour, ink: Colour) -> pygame.Surface:
    """A plate with the likelihood of the likeliest push, its letters `pixels` high; empty on very small squares."""
    if cell < _SMALLEST_LABEL:
        return pygame.Surface((1, 1), pygame.SRCALPHA)
    words = font_of(pixels, "bold").render(text, True, ink)
    width, height = words.get_width() + round(pixels * 0.7), words.get_height() + 2
    plate = rasterise(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><rect width="{width}" height="{height}" '
        f'rx="{height * 0.35}" fill="{hexadecimal(colour)}"/></svg>',
        (width, height),
    ).copy()
    plate.blit(words, words.get_rect(center=plate.get_rect().center))
    return plate
