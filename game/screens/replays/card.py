"""One card of the library: the last position, what the game is called, how it ended, who played, when."""

import pygame

from game.play.words import recent
from game.rules.game import PERSON
from game.screens.replays.shelf import Item
from game.screens.replays.words import title_of
from game.ui import shapes, svg, text
from game.ui.theme import FONT_SMALL, RADIUS_CARD, Theme, blend
from game.views.view import accent_of


def draw_game_card(
    surface: pygame.Surface,
    theme: Theme,
    rect: pygame.Rect,
    item: Item,
    picture: pygame.Surface | None,
    high: int,
    lit: bool,
    chosen: bool,
) -> None:
    """`high` is the height of the picture's part in pixels."""
    head = item.entry.head
    accent = accent_of(theme, head.game)
    fill = blend(theme.surface, theme.text, 0.06) if lit else theme.surface
    edge, width = (accent, max(2, theme.px(2))) if chosen else (theme.line, 1)
    surface.blit(shapes.rounded(rect.size, theme.px(RADIUS_CARD), fill, edge, width), rect)
    if picture is not None:
        surface.blit(picture, picture.get_rect(midtop=(rect.centerx, rect.top + theme.px(8))))
    else:  # it is being drawn
        waiting = svg.icon("replay", theme.px(28), theme.line)
        surface.blit(waiting, waiting.get_rect(center=(rect.centerx, rect.top + high // 2)))
    if lit:
        badge, glyph = theme.px(44), theme.px(22)
        middle = (rect.centerx, rect.top + high // 2)
        disc = shapes.disc(badge, theme.thinking)
        surface.blit(disc, disc.get_rect(center=middle))
        icon = svg.icon("play", glyph, theme.thinking_ink)
        surface.blit(icon, icon.get_rect(center=middle))
    pad = theme.px(12)
    left, room = rect.left + pad, rect.width - 2 * pad
    y = rect.top + high + theme.px(14)
    dot = theme.px(8)
    surface.blit(shapes.disc(dot, accent), (left, y - dot // 2))
    text.draw(surface, theme, title_of(head), (left + dot + theme.px(8), y), weight="bold", anchor="midleft",
              limit=room - dot - theme.px(8))  # fmt: skip
    y += theme.px(21)
    text.draw(surface, theme, item.ended, (left, y), size=FONT_SMALL, anchor="midleft", limit=room)
    y += theme.px(21)
    person = item.agents == {PERSON}
    glyph = theme.px(14)
    ink = theme.muted if person else theme.thinking
    surface.blit(svg.icon("person" if person else "robot", glyph, ink), (left, y - glyph // 2))
    room -= glyph + theme.px(6)
    who = text.fitting(theme, (item.who, item.who.rpartition(" · ")[2]), room, FONT_SMALL)  # the model says enough
    place = text.draw(surface, theme, who, (left + glyph + theme.px(6), y), size=FONT_SMALL, colour=ink,
                      anchor="midleft", limit=room)  # fmt: skip
    when = "example" if item.example else recent(head.started)
    if text.width(theme, when, FONT_SMALL) <= rect.right - pad - place.right - theme.px(8):
        text.draw(surface, theme, when, (rect.right - pad, y), size=FONT_SMALL, colour=theme.muted, anchor="midright")
