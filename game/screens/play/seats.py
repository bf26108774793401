"""The panel's list of seats: who sits where, how often they won, whose turn it is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from game.ui import shapes, text
from game.ui.chrome import draw_card, draw_heading
from game.ui.theme import FONT_BODY, FONT_SMALL
from game.views.view import accent_of

if TYPE_CHECKING:
    from game.screens.play.screen import GameScene

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
    scene: "GameScene", panel: pygame.Rect, top: int, head: int, dense: bool
) -> tuple[pygame.Rect, list[pygame.Rect]]:
    """The card and the place of each seat in it; two columns are read downwards, as turns go."""
    theme, seats = scene.theme, len(scene.driver.seats)
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
    surface: pygame.Surface, scene: "GameScene", card: pygame.Rect, head: int, lines: list[pygame.Rect], chosen: int
) -> None:
    """The seat in the form stands out, the one to move has a bar beside it."""
    theme = scene.theme
    draw_card(surface, theme, card)
    draw_heading(surface, theme, head, card, "Seats", scene.seats_note())
    gap, size = (theme.px(6), FONT_SMALL) if len(lines) > MOST_LINES else (theme.px(10), FONT_BODY)
    for number, place in enumerate(lines):
        seat = scene.seat_line(number)
        if number == chosen:
            surface.blit(shapes.rounded(place.size, theme.px(8), theme.raised), place)
        if seat.active:
            mark = pygame.Rect(place.left - theme.px(1), 0, theme.px(4), place.height - theme.px(12))
            mark.centery = place.centery
            surface.blit(shapes.rounded(mark.size, theme.px(2), accent_of(theme, scene.game)), mark)
        icon = seat.icon.get_rect(midleft=(place.left + theme.px(8), place.centery))
        surface.blit(seat.icon, icon)
        at = (place.right - gap, place.centery)
        note = text.draw(surface, theme, seat.note, at, size=size, colour=theme.muted, anchor="midright")
        text.draw(
            surface, theme, seat.name, (icon.right + gap, place.centery), size=size, anchor="midleft",
            weight="bold" if seat.active else "regular", limit=note.left - icon.right - 2 * gap,
        )  # fmt: skip
