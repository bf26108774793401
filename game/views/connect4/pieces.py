"""The small drawn things that all views of the board share: stones in their looks, rings, shadows, labels.

Everything is kept by size and colour (`game.ui.surfaces.kept`); diameters are whole pixels, so a turning board needs
a few dozen sizes and no scaling in a frame.
"""

import pygame

from game.ui import shapes, text
from game.ui.surfaces import hexadecimal, kept
from game.ui.svg import rasterise
from game.ui.theme import FONT_SMALL, Colour, Theme
from game.views.connect4 import stones
from game.views.connect4.stones import STONES

FOG_LEVELS = 4
"""Steps by which far stones fade into the ground."""
FOG_STEP = 0.085
FAINT = {"dark": 74, "light": 88}
"""Opacity of stones that are set aside, 0 to 255."""
GHOST = 150


def stone_colour(seat: int) -> Colour:
    """A player's colour."""
    return pygame.Color(STONES[seat].colour)


def stone(theme: Theme, seat: int, diameter: int, look: str, fog: int = 0) -> pygame.Surface:
    """One stone of a player (from 0), in a look of `picture.Look`; `fog` is 0 (near) to `FOG_LEVELS` - 1 (far)."""
    if look == "full" and not fog:
        return stones.sphere(diameter, STONES[seat].colour, STONES[seat].mark)
    opacity = 255 if look == "full" else GHOST if look == "ghost" else FAINT[theme.name]
    return _stone(seat, diameter, opacity, fog * FOG_STEP, hexadecimal(theme.ground))


@kept
def _stone(seat: int, diameter: int, opacity: int, share: float, ground: str) -> pygame.Surface:
    image = stones.sphere(diameter, STONES[seat].colour, STONES[seat].mark).copy()
    if share:
        keep = round(255 * (1 - share))
        fog = pygame.Color(ground)
        image.fill((keep, keep, keep), special_flags=pygame.BLEND_RGB_MULT)
        image.fill([round(part * share) for part in (fog.r, fog.g, fog.b)], special_flags=pygame.BLEND_RGB_ADD)
    if opacity < 255:
        image.fill((255, 255, 255, opacity), special_flags=pygame.BLEND_RGBA_MULT)
    return image


def winner(seat: int, diameter: int) -> pygame.Surface:
    """A stone of a winning line: larger than `diameter` by its glow."""
    return stones.winning(diameter, STONES[seat].colour, STONES[seat].mark)


@kept
def last_ring(diameter: int, colour: Colour, opacity: int = 255) -> pygame.Surface:
    """What marks the last move: a ring just outside a stone of `diameter` pixels."""
    width = max(2.0, diameter * 0.045)
    ink = pygame.Color(colour)
    return shapes.ring(diameter + 2 + round(2 * width), width, (ink.r, ink.g, ink.b, opacity))


@kept
def hint_ring(diameter: int, colour: Colour) -> pygame.Surface:
    """A dashed, lightly filled circle: where an agent would play."""
    image = shapes.disc(diameter, colour).copy()
    image.fill((255, 255, 255, 84), special_flags=pygame.BLEND_RGBA_MULT)
    image.blit(shapes.ring(diameter, max(2.0, diameter * 0.04), colour, 14), (0, 0))
    return image


def ahead(theme: Theme, seat: int, number: int, diameter: int) -> pygame.Surface:
    """The ghost of a stone that may be played as the `number`th from now."""
    ink, ground = pygame.Color(STONES[seat].colour), theme.ground
    image = shapes.disc(diameter, ground.lerp(ink, 0.35)).copy()
    image.blit(shapes.ring(diameter, max(2.0, diameter * 0.08), ink), (0, 0))
    words = text.render(theme, str(number), FONT_SMALL, theme.text, "bold")
    image.blit(words, words.get_rect(center=(diameter // 2, diameter // 2)))
    return image


@kept
def oval(width: int, height: int, colour: Colour, stroke: float) -> pygame.Surface:
    """A ring that lies flat, lightly filled: where a stone will land."""
    ink = hexadecimal(colour)
    return rasterise(
        f'{shapes.svg_open(width, height)}<ellipse cx="{width / 2}" cy="{height / 2}" rx="{(width - stroke) / 2}" '
        f'ry="{max(0.5, (height - stroke) / 2)}" fill="{ink}" fill-opacity="0.24" stroke="{ink}" stroke-width="{stroke}"/></svg>',
        (width, height),
    )


@kept
def spot(width: int, height: int, opacity: int) -> pygame.Surface:
    """A soft contact shadow, 0 to 255 in its middle."""
    return shapes.contact_shadow((max(3, width), max(3, height)), opacity)


@kept
def pointer(size: int, colour: Colour) -> pygame.Surface:
    """A small triangle that points down."""
    ink = hexadecimal(colour)
    return rasterise(
        f'{shapes.svg_open(16, 16)}<path d="M2.6 3.6H13.4L8 12.6Z" fill="{ink}" stroke="{ink}" stroke-width="2.4" '
        'stroke-linejoin="round"/></svg>',
        (size, size),
    )


def pill(theme: Theme, label: str, best: bool, narrow: bool = False, proved: int | None = None) -> pygame.Surface:
    """The agent's value of an action: an estimate in the thinking colour, what is proved (1, 0, -1) in that of its result.

    The best one is filled, a proved one has a rim. `narrow`: bare text, a proved one underlined.
    """
    known = proved is not None
    tone = theme.thinking if proved is None else (theme.muted, theme.good, theme.bad)[proved]
    font = theme.font(FONT_SMALL, "bold" if best or known else "medium")
    if best:
        return _pill(label, font, tone, theme.ink_on(tone), theme.px(20), narrow)
    if narrow:
        return _bare(label, font, tone if known else tone.lerp(theme.text, 0.35), known)
    fill = theme.ground.lerp(tone, 0.24 if theme.dark else 0.14)
    return _pill(label, font, fill, theme.text, theme.px(20), narrow, tone if known else None)


def shade(theme: Theme, across: int, high: int, worth: float) -> pygame.Surface:
    """A flat oval where a stone would land, the fuller the better (`worth` 0 to 1)."""
    return _shade(across, high, theme.thinking, round(40 + 170 * worth))


@kept
def _shade(across: int, high: int, colour: Colour, opacity: int) -> pygame.Surface:
    image = pygame.Surface((across, high), pygame.SRCALPHA)
    pygame.draw.ellipse(image, (*pygame.Color(colour)[:3], opacity), image.get_rect())
    return image


@kept
def _bare(label: str, font: pygame.font.Font, ink: Colour, underlined: bool) -> pygame.Surface:
    """A word without anything around it."""
    image = font.render(label, True, ink)
    if underlined:
        image.fill(ink, (0, image.get_height() - 2, image.get_width(), 2))
    return image


@kept
def _pill(
    label: str,
    font: pygame.font.Font,
    fill: Colour,
    ink: Colour,
    height: int,
    narrow: bool,
    rim: Colour | None = None,
) -> pygame.Surface:
    words = font.render(label, True, ink)
    width = words.get_width() + 4 if narrow else max(words.get_width() + round(height * 0.7), round(height * 1.3))
    image = shapes.rounded((width, height), height * (0.25 if narrow else 0.5), fill if rim is None else rim).copy()
    if rim is not None:
        edge = max(1, round(height * 0.08))
        image.blit(shapes.rounded((width - 2 * edge, height - 2 * edge), height * 0.5 - edge, fill), (edge, edge))
    image.blit(words, words.get_rect(center=(width / 2, height / 2)))
    return image


def place(surface: pygame.Surface, image: pygame.Surface, centre: tuple[float, float]) -> None:
    """Draw `image` with its middle at `centre`."""
    surface.blit(image, (round(centre[0] - image.get_width() / 2), round(centre[1] - image.get_height() / 2)))


def number(surface: pygame.Surface, theme: Theme, value: int, centre: tuple[float, float], strong: bool) -> None:
    """A coordinate beside the board; `strong` for the chosen column."""
    colour, weight = (theme.text, "bold") if strong else (theme.muted, "regular")
    text.draw(surface, theme, str(value), centre, size=FONT_SMALL, colour=colour, weight=weight, anchor="center")  # type: ignore[arg-type]


def line_through(
    surface: pygame.Surface, start: tuple[float, float], end: tuple[float, float], drawn: float, width: float
) -> None:
    """A winning line: from the first stone to the last, as much of it as `drawn` (0 to 1) says, with a dark edge."""
    reach = (start[0] + (end[0] - start[0]) * drawn, start[1] + (end[1] - start[1]) * drawn)
    narrow = max(3, round(width))
    for colour, thickness in ((pygame.Color("#14161c"), narrow + 3), (pygame.Color("#ffffff"), narrow)):
        pygame.draw.aaline(surface, colour, start, reach, thickness)
        for point in (start, reach):
            pygame.draw.aacircle(surface, colour, point, thickness / 2)
