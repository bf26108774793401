"""The panel's list of seats: who sits where, how often they won, whose turn it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.ui import shapes, text
from game.ui.chrome import draw_card, draw_heading
from game.ui.theme import FONT_BODY, FONT_SMALL, Colour, Theme

MOST_LINES = 3
"""More seats than this stand in two columns."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A line of the card."""

    icon: pygame.Surface
    name: str
    note: str
    active: bool


def places(
    theme: Theme, seats: int, panel: pygame.Rect, top: int, head: int, dense: bool
) -> tuple[pygame.Rect, list[pygame.Rect]]:
    """The card and the place of each seat in it; two columns are read downwards, as turns go."""
    many = seats > MOST_LINES
    line = theme.px(30 if dense or many else 36)
    lines = (seats + 1) // 2 if many else seats
    card = pygame.Rect(panel.left, top, panel.width, head + lines * line + theme.px(8))
    wide = card.width - theme.px(16)
    found = []
    for number in range(seats):
        column, at = divmod(number, lines)
        place = pygame.Rect(card.left + theme.px(8), card.top + head - theme.px(2) + at * line, wide, line)
        if many:
            place.width = wide // 2 - theme.px(2)
            place.left += column * (wide - place.width)
        found.append(place)
    return card, found


def draw(
    surface: pygame.Surface, theme: Theme, colours: Sequence[Colour], card: pygame.Rect, head: int, note: str,
    seats: Sequence[Seat], lines: Sequence[pygame.Rect], chosen: int,
) -> None:  # fmt: skip
    """The seat in the form stands out, the one to move has a bar of its colour, one of `colours`, beside it.

    `note` stands beside the heading.
    """
    draw_card(surface, theme, card)
    draw_heading(surface, theme, head, card, "Seats", note)
    gap, size = (theme.px(6), FONT_SMALL) if len(lines) > MOST_LINES else (theme.px(10), FONT_BODY)
    for number, (seat, place) in enumerate(zip(seats, lines, strict=True)):
        if number == chosen:
            surface.blit(shapes.rounded(place.size, theme.px(8), theme.raised), place)
        if seat.active:
            mark = pygame.Rect(place.left - theme.px(1), 0, theme.px(4), place.height - theme.px(12))
            mark.centery = place.centery
            surface.blit(shapes.rounded(mark.size, theme.px(2), colours[number]), mark)
        icon = seat.icon.get_rect(midleft=(place.left + theme.px(8), place.centery))
        surface.blit(seat.icon, icon)
        at = (place.right - gap, place.centery)
        left = text.draw(surface, theme, seat.note, at, size=size, colour=theme.muted, anchor="midright")
        text.draw(
            surface, theme, seat.name, (icon.right + gap, place.centery), size=size, anchor="midleft",
            weight="bold" if seat.active else "regular", limit=left.left - icon.right - 2 * gap,
        )  # fmt: skip
