"""A card beside the board, or below it in a high window: why a move is good, or how a game ended. It covers no tile."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pygame

from game.ui import text
from game.ui.chrome import draw_card
from game.ui.theme import FONT_BODY, FONT_SMALL, Colour, Theme, Weight

LEAST_WIDE, MOST_WIDE = 196, 300
LOW = 190
"""Height below the board."""
GAP, PAD = 16, 16

Tone = Literal["text", "muted", "thinking", "good"]


@dataclass(frozen=True, slots=True)
class Line:
    """Words on the left, broken into lines where they are long, or with a value on the right."""

    words: str
    value: str = ""
    size: int = FONT_BODY
    tone: Tone = "text"
    weight: Weight = "regular"
    above: int = 6
    """Units of room above it."""


def places(theme: Theme, area: pygame.Rect, high: int) -> tuple[pygame.Rect, pygame.Rect]:
    """Where the board and the card go; beside the board the card is `high` units high, if there is room for that."""
    gap = theme.px(GAP)
    if area.width >= area.height:
        spare = area.width - area.height - gap
        wide = min(max(spare, theme.px(LEAST_WIDE)), theme.px(MOST_WIDE))
        board = pygame.Rect(area.left, area.top, area.width - wide - gap, area.height)
        side = min(board.size)
        shown = pygame.Rect(0, 0, wide, min(side, theme.px(high)))
        # the two stand together in the middle
        left = area.left + (area.width - side - gap - wide) // 2
        board = pygame.Rect(left, area.top, side, area.height)
        shown.midleft = (board.right + gap, area.centery)
        return board, shown
    low = theme.px(LOW)
    board = pygame.Rect(area.left, area.top, area.width, area.height - low - gap)
    side = min(board.size)
    return board, pygame.Rect(board.centerx - side // 2, board.centery + side // 2 + gap, side, low)


def draw(surface: pygame.Surface, theme: Theme, card: pygame.Rect, lines: Sequence[Line], bottom: int) -> None:
    """The card with its lines, as many as fit above the pixel `bottom`."""
    draw_card(surface, theme, card)
    pad = theme.px(PAD)
    left, wide, y = card.left + pad, card.width - 2 * pad, card.top + theme.px(10)
    for line in lines:
        room = wide - (text.width(theme, line.value, line.size, line.weight) + theme.px(8) if line.value else 0)
        parts = text.wrap(theme, line.words, room, line.size, line.weight)
        high = theme.font(line.size, line.weight).get_linesize()
        y += theme.px(line.above)
        if y + high * len(parts) > bottom:
            return
        colour = _ink(theme, line.tone)
        if line.value:
            text.draw(
                surface, theme, line.value, (left + wide, y), size=line.size, weight=line.weight, anchor="topright"
            )
            colour = theme.muted if line.tone == "text" else colour
        for part in parts:
            text.draw(surface, theme, part, (left, y), size=line.size, weight=line.weight, colour=colour)
            y += high


def heading(words: str, tone: Tone = "muted") -> Line:
    """The first line of a card."""
    return Line(words.upper(), size=FONT_SMALL, tone=tone, above=4)


def _ink(theme: Theme, tone: Tone) -> Colour:
    return {"text": theme.text, "muted": theme.muted, "thinking": theme.thinking, "good": theme.good}[tone]
