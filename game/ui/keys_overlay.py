"""The list of keys, drawn from the shortcut table over whatever is on screen."""

from collections.abc import Sequence

import pygame

from game.ui import shapes, text
from game.ui.chrome import draw_card, draw_veil
from game.ui.shortcuts import SHORTCUTS
from game.ui.theme import FONT_HEADING, FONT_SMALL, Theme


def draw_keys(
    surface: pygame.Surface,
    theme: Theme,
    groups: Sequence[str],
    without: frozenset[str],
    notes: Sequence[tuple[str, str]],
) -> None:
    """Two columns of `key  what it does`; `notes` are (gesture, meaning) lines of the present screen."""
    width, height = surface.get_size()
    draw_veil(surface, theme, 190)
    known = [shortcut for shortcut in SHORTCUTS if shortcut.command not in without]
    blocks: list[tuple[str, list[tuple[str, str]]]] = [
        (group, [(shortcut.shown, shortcut.title) for shortcut in known if shortcut.group == group])
        for group in groups
    ]
    if notes:
        blocks.append(("Mouse", list(notes)))
    line = theme.px(24)
    columns: list[list[tuple[str, list[tuple[str, str]]]]] = [[], []]
    heights = [0, 0]
    for block in blocks:
        shorter = heights.index(min(heights))
        columns[shorter].append(block)
        heights[shorter] += line * (len(block[1]) + 2)
    card = pygame.Rect(0, 0, min(width - theme.px(48), theme.px(820)), 0)
    card.height = min(height - theme.px(32), max(heights) + theme.px(72))
    card.center = (width // 2, height // 2)
    draw_card(surface, theme, card)
    pad = theme.px(24)
    text.draw(
        surface,
        theme,
        "Keys",
        (card.left + pad, card.top + theme.px(28)),
        size=FONT_HEADING,
        weight="bold",
        anchor="midleft",
    )
    text.draw(
        surface, theme, "any key closes", (card.right - pad, card.top + theme.px(28)), size=FONT_SMALL,
        colour=theme.muted, anchor="midright",
    )  # fmt: skip
    wide = (card.width - 3 * pad) // 2
    for number, column in enumerate(columns):
        left, y = card.left + pad + number * (wide + pad), card.top + theme.px(64)
        for group, rows in column:
            text.draw(surface, theme, group.upper(), (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft")
            y += line
            for shown, title in rows:
                cap = shapes.rounded((theme.px(96), theme.px(20)), theme.px(5), theme.raised)
                surface.blit(cap, (left, y - theme.px(10)))
                text.draw(
                    surface,
                    theme,
                    shown,
                    (left + theme.px(48), y),
                    size=FONT_SMALL,
                    anchor="center",
                    limit=theme.px(92),
                )
                text.draw(
                    surface, theme, title, (left + theme.px(108), y), anchor="midleft", limit=wide - theme.px(108)
                )
                y += line
            y += line // 2
