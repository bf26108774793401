"""Text on surfaces: cached rendering, anchors, ellipsis.

Rendered lines are kept (a few thousand), so live numbers cost microseconds.
"""

from functools import lru_cache
from typing import Literal

import pygame

from game.ui.theme import FONT_BODY, Colour, Theme, Weight

Anchor = Literal["topleft", "topright", "midleft", "midright", "center", "midtop", "midbottom", "bottomleft"]


@lru_cache(maxsize=4096)
def _rendered(font: pygame.font.Font, text: str, colour: tuple[int, int, int, int]) -> pygame.Surface:
    surface = font.render(text, True, colour[:3])
    if colour[3] < 255:
        surface.set_alpha(colour[3])
    return surface


def render(theme: Theme, text: str, size: float, colour: Colour, weight: Weight = "regular") -> pygame.Surface:
    """One line of text as a (shared: do not draw on it) surface."""
    return _rendered(theme.font(size, weight), text, tuple(colour))  # type: ignore[arg-type]


def width(theme: Theme, text: str, size: float = FONT_BODY, weight: Weight = "regular") -> int:
    """Width of a line in pixels."""
    return theme.font(size, weight).size(text)[0]


@lru_cache(maxsize=4096)
def _fitted(font: pygame.font.Font, text: str, limit: int) -> str:
    if font.size(text)[0] <= limit:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if font.size(text[:middle].rstrip() + "…")[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def draw(
    surface: pygame.Surface,
    theme: Theme,
    text: str,
    position: tuple[float, float],
    *,
    size: float = FONT_BODY,
    colour: Colour | None = None,
    weight: Weight = "regular",
    anchor: Anchor = "topleft",
    limit: int | None = None,
) -> pygame.Rect:
    """Draw one line; `limit` is the width in pixels beyond which it ends in an ellipsis. Returns its place."""
    font = theme.font(size, weight)
    if limit is not None:
        text = _fitted(font, text, max(0, limit))
    image = _rendered(font, text, tuple(colour if colour is not None else theme.text))  # type: ignore[arg-type]
    place = image.get_rect(**{anchor: (round(position[0]), round(position[1]))})
    surface.blit(image, place)
    return place


def wrap(theme: Theme, text: str, limit: int, size: float = FONT_BODY, weight: Weight = "regular") -> list[str]:
    """`text` in lines no wider than `limit` pixels, broken at spaces and at line ends."""
    font = theme.font(size, weight)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and font.size(longer)[0] > limit:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def short(number: float) -> str:
    """A count for people: 1.2 M, 340 k, 12."""
    if number >= 1e6:
        return f"{number / 1e6:.1f} M"
    return f"{number / 1e3:.0f} k" if number >= 1e3 else f"{number:.0f}"
