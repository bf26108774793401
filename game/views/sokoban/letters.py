"""Boxes and targets with letters, for levels where every box has a target of its own, and the second keeper.

A letter has a colour, and the colours come again after thirteen letters: it is the letter that tells which is which. So
every box and every target wears its own, as large as its square allows.
"""

from typing import Literal

import pygame

from game.ui import svg
from game.ui.surfaces import hexadecimal, kept, mixed
from game.ui.svg import sprite
from game.ui.theme import ThemeName, font_of

Look = Literal["box", "home", "stuck"]

_HUES = (
    "#e5534b", "#3f83ee", "#e0a11b", "#9a5ee0", "#12a594", "#ef7d1a", "#e3539b", "#7aa51f", "#6b7a90", "#0ea5c6",
    "#a8642a", "#5b62d8", "#b3364f",
)  # fmt: skip
_SECOND = {
    "cap": "#5aa9e6", "cap_light": "#a8d6f7", "cap_shade": "#2f73a8",
    "overalls": "#c25b7c", "overalls_light": "#e48fab", "overalls_shade": "#8a3c57",
}  # fmt: skip
SMALL_LETTER = 8
"""Pixels that a letter on a box wants at least; on small boxes it takes a larger part of the box."""
_LEAST_LETTER = 4
"""Pixels below which a letter is left out: nobody could read it."""


def hue(letter: str) -> str:
    """The colour of a letter, `#rrggbb`."""
    return _HUES[(ord(letter.lower()) - ord("a")) % len(_HUES)]


@kept
def box(cell: int, letter: str, look: Look) -> pygame.Surface:
    """A box that wears its letter: as it is, on its own target, or stuck; `cell` pixels wide and high."""
    wood = hue(letter)
    name = {"box": "box-letter", "home": "box-letter-home", "stuck": "box-letter-stuck"}[look]
    image = sprite(
        f"sokoban/{name}", cell, wood=wood, wood_light=mixed(wood, "#ffffff", 0.4), wood_shade=mixed(wood, "#000000", 0.28),
        wood_dark=mixed(wood, "#000000", 0.62),
    ).copy()  # fmt: skip
    high = max(cell * 0.3, min(SMALL_LETTER, cell * 0.46))
    _write(image, letter.upper(), (cell * 0.5, cell * 45 / 96), high, mixed(wood, "#000000", 0.55))
    return image


@kept
def target(cell: int, letter: str, name: ThemeName) -> pygame.Surface:
    """The square that a box belongs to: a frame with its letter."""
    ink = mixed(hue(letter), "#ffffff", 0.25) if name == "dark" else mixed(hue(letter), "#000000", 0.25)
    image = sprite("sokoban/target-letter", cell, ring=ink).copy()
    _write(image, letter.upper(), (cell / 2, cell / 2), cell * 0.36, ink)
    return image


@kept
def tag(cell: int, letter: str) -> pygame.Surface:
    """The letter of a target under a box that does not belong there, for the upper left corner of the square."""
    side = max(4, round(cell * 0.36))
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"><rect width="{side}" height="{side}" '
        f'rx="{side * 0.28}" fill="#ffffff"/><rect x="{side * 0.08}" y="{side * 0.08}" width="{side * 0.84}" '
        f'height="{side * 0.84}" rx="{side * 0.22}" fill="{mixed(hue(letter), "#000000", 0.25)}"/></svg>'
    )
    image = svg.rasterise(text, (side, side))
    _write(image, letter.upper(), (side / 2, side / 2), side * 0.66, "#ffffff")
    return image


@kept
def second_keeper(name: str, size: int) -> pygame.Surface:
    """A picture of the keeper as the second player: other clothes, and a plate that says 2."""
    known = svg.placeholders(svg.ASSETS / "sokoban" / f"{name}.svg")
    clothes = {part: colour for part, colour in _SECOND.items() if part.replace("_", "-") in known}
    image = sprite(f"sokoban/{name}", size, **clothes).copy()
    side = max(4, round(size * 0.3))
    plate = pygame.Rect(size - side, size - side, side, side)
    disc = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"><circle cx="{side / 2}" cy="{side / 2}" '
        f'r="{side / 2}" fill="#ffffff"/><circle cx="{side / 2}" cy="{side / 2}" r="{side * 0.42}" '
        f'fill="{_SECOND["cap_shade"]}"/></svg>'
    )
    image.blit(svg.rasterise(disc, (side, side)), plate)
    _write(image, "2", plate.center, side * 0.66, "#ffffff")
    return image


def _write(image: pygame.Surface, letter: str, middle: tuple[float, float], height: float, colour: str) -> None:
    """Write one letter into a picture, its capital height about `height` pixels times 0.7."""
    if height < _LEAST_LETTER:
        return
    drawn = font_of(round(height * 1.25), "bold").render(letter, True, hexadecimal(colour))
    used = drawn.get_bounding_rect()
    place = used.copy()
    place.center = round(middle[0]), round(middle[1])
    image.blit(drawn, place, used)
