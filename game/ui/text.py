"""Text on surfaces: cached rendering, anchors, ellipsis.

Rendered lines are kept (some hundreds, about ten megabytes at most), so that most text costs microseconds.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import pygame

from game.ui.theme import FONT_BODY, Colour, Theme, Weight

LINES_KEPT = 1024
Anchor = Literal["topleft", "topright", "midleft", "midright", "center", "midtop", "midbottom", "bottomleft"]


def printable(text: str) -> str:
    """One line that a font can draw: file names and titles may hold anything."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "�" for sign in text)


def typed(theme: Theme, text: str) -> str:
    """One line as a field takes it: without signs that nobody sees, whose width is none."""
    font = theme.font(FONT_BODY)
    return "".join(sign for sign in " ".join(text.splitlines()) if sign.isprintable() and font.size(sign)[0])


@lru_cache(maxsize=LINES_KEPT)
def _rendered(font: pygame.font.Font, text: str, colour: tuple[int, int, int, int]) -> pygame.Surface:
    shown = printable(text)
    if shown and not font.size(shown)[0]:  # signs that nobody sees: the font refuses to draw them
        shown = ""
    surface = font.render(shown, True, colour[:3])
    if colour[3] < 255:
        surface.set_alpha(colour[3])
    return surface


def render(theme: Theme, text: str, size: float, colour: Colour, weight: Weight = "regular") -> pygame.Surface:
    """One line of text as a (shared: do not draw on it) surface."""
    return _rendered(theme.font(size, weight), text, tuple(colour))


def width(theme: Theme, text: str, size: float = FONT_BODY, weight: Weight = "regular") -> int:
    """Width of a line in pixels."""
    return theme.font(size, weight).size(printable(text))[0]


@lru_cache(maxsize=LINES_KEPT)
def _fitted(font: pygame.font.Font, text: str, limit: int) -> str:
    text = printable(text)
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
    image = _rendered(font, text, tuple(colour if colour is not None else theme.text))
    place = image.get_rect(**{anchor: (round(position[0]), round(position[1]))})
    surface.blit(image, place)
    return place


def shortened(theme: Theme, text: str, limit: int, size: float = FONT_BODY) -> str:
    """`text` no wider than `limit` pixels, cut in its middle: a file keeps the beginning and the ending of its name."""
    font, text = theme.font(size), printable(text)
    if font.size(text)[0] <= limit:
        return text
    low, high = 0, len(text) - 1
    while low < high:
        kept = (low + high + 1) // 2
        if font.size(_cut(text, kept))[0] <= limit:
            low = kept
        else:
            high = kept - 1
    return _cut(text, low)


def _cut(text: str, kept: int) -> str:
    """So many of its signs, half of them from its end."""
    return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"


def fitting(theme: Theme, choices: Sequence[str], limit: int, size: float = FONT_BODY) -> str:
    """The first of some ways to say the same that is no wider than `limit` pixels; the last one where none is."""
    return next((words for words in choices if width(theme, words, size) <= limit), choices[-1])


def wrap(theme: Theme, text: str, limit: int, size: float = FONT_BODY, weight: Weight = "regular") -> list[str]:
    """`text` in lines no wider than `limit` pixels, broken at spaces and line ends, within a word where it must be."""
    font = theme.font(size, weight)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in printable(paragraph).split():
            longer = f"{line} {word}" if line else word
            if line and font.size(longer)[0] > limit:
                lines.append(line)
                longer = word
            while font.size(longer)[0] > limit and len(longer) > 1:
                fits = _fits(font, longer, limit)
                lines.append(longer[:fits])
                longer = longer[fits:]
            line = longer
        lines.append(line)
    return lines


def _fits(font: pygame.font.Font, text: str, limit: int) -> int:
    """How many characters fit into `limit` pixels, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if font.size(text[:middle])[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def short(number: float) -> str:
    """A number for people: 1.2 M, 340 k, -12."""
    size = abs(number)
    if size >= 1e6:
        return f"{number / 1e6:.1f} M"
    return f"{number / 1e3:.0f} k" if size >= 1e3 else f"{number:.0f}"
