"""The list of keys, drawn over whatever is on screen."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import pygame

from game.ui import shapes, text
from game.ui.chrome import draw_card, draw_veil
from game.ui.shortcuts import Group, pad_lines
from game.ui.theme import FONT_HEADING, FONT_SMALL, Theme, ThemeName

LINE, FRAME = 24, 104
"""Height of a line, and what the card takes in height besides its lines."""
Block = tuple[str, list[tuple[str, str]]]
"""A heading and its (key, meaning) lines."""


def draw_keys(
    surface: pygame.Surface,
    theme: Theme,
    groups: Sequence[Group],
    without: frozenset[str],
    meanings: Mapping[str, str],
    notes: Sequence[tuple[str, str]],
    keys: Mapping[str, str] = MappingProxyType({}),
    gamepad: bool = False,
) -> None:
    """Columns of `key  what it does`, three where two are not enough.

    `meanings` are what commands do on the present screen, `notes` its (gesture, meaning) lines, `keys` other keys than
    the table's, `gamepad` whether there is one whose buttons should be told.
    """
    width, height = surface.get_size()
    draw_veil(surface, theme, 190)
    blocks: list[Block] = [
        (
            group.title,
            [
                (keys.get(each.command, each.shown), meanings.get(each.command, each.title))
                for each in group.shortcuts
                if each.shown and each.command not in without
            ],
        )
        for group in groups
    ]
    if notes:
        blocks.append(("Mouse", list(notes)))
    if gamepad:
        blocks.append(("Gamepad", pad_lines(groups, without, meanings)))
    scale, most = _fitting(
        theme.name, theme.scale, (width, height), tuple((title, tuple(rows)) for title, rows in blocks)
    )
    theme = Theme(theme.name, scale)
    columns, high = _columns(blocks, most)
    line = theme.px(LINE)
    if high * line > height - theme.px(FRAME):
        line = max(theme.px(17), round((height - theme.px(FRAME)) / high))
    shown = len(columns)
    card = pygame.Rect(0, 0, _card_width(theme, width, shown), 0)
    card.height = min(height - theme.px(32), round(high * line) + theme.px(72))
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
        surface, theme, "press any key to close", (card.right - pad, card.top + theme.px(28)), size=FONT_SMALL,
        colour=theme.muted, anchor="midright",
    )  # fmt: skip
    wide = (card.width - (shown + 1) * pad) // shown
    for number, column in enumerate(columns):
        left, y = card.left + pad + number * (wide + pad), card.top + theme.px(64)
        for group, rows in column:
            text.draw(surface, theme, group.upper(), (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft")
            y += line
            for pressed, title in rows:
                cap = shapes.rounded((theme.px(96), min(theme.px(20), line - theme.px(3))), theme.px(5), theme.raised)
                surface.blit(cap, (left, y - cap.get_height() // 2))
                text.draw(
                    surface,
                    theme,
                    pressed,
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


def _card_width(theme: Theme, width: int, columns: int) -> int:
    return min(width - theme.px(48), theme.px((440, 820, 1180, 1540)[columns - 1]))


@lru_cache(maxsize=8)
def _fitting(
    name: ThemeName, scale: float, size: tuple[int, int], blocks: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
) -> tuple[float, int]:
    """The largest scale with which every word and line has room, and the columns for it; at least 1 or the window's."""
    shares = [scale * part / 20 for part in range(20, 9, -1)]
    for tried in [share for share in shares if share >= min(1.0, scale)] + [min(1.0, scale)]:
        theme = Theme(name, tried)
        for most in (2, 3, 4):
            columns, high = _columns([(title, list(rows)) for title, rows in blocks], most)
            wide = (_card_width(theme, size[0], len(columns)) - (len(columns) + 1) * theme.px(24)) // len(columns)
            longest = max((text.width(theme, words) for _, rows in blocks for _, words in rows), default=0)
            if high * theme.px(LINE) <= size[1] - theme.px(FRAME) and longest <= wide - theme.px(108):
                return tried, most
    return min(1.0, scale), 3 if size[0] >= 1000 * min(1.0, scale) else 2


def _columns(blocks: Sequence[Block], most: int) -> tuple[list[list[Block]], float]:
    """The blocks shared out among at most so many columns, and the lines of the longest one.

    The longest block first, each into the shortest column; then in their own order again.
    """
    columns: list[list[int]] = [[] for _ in range(most)]
    heights = [0.0] * most
    for number in sorted(range(len(blocks)), key=lambda number: -len(blocks[number][1])):
        shorter = heights.index(min(heights))
        columns[shorter].append(number)
        heights[shorter] += len(blocks[number][1]) + 1.5
    used = sorted(sorted(column) for column in columns if column)
    return [[blocks[number] for number in column] for column in used], max(heights)
