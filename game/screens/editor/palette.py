"""What is painted with: the palette of tiles on the left, the bar of tools above the board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame
from typing_extensions import override

from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing
from game.rules.sokoban import KIND, SECOND, Rules
from game.rules.sokoban.array import PLAYER_ON_TARGET, PLAYERS
from game.screens.editor.canvas import Tiles
from game.screens.editor.stroke import TOOLS
from game.screens.keys import DRAWING, LEVEL
from game.ui import shapes, text
from game.ui.controls import Button
from game.ui.kit import CLICK, Control, Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import FONT_SMALL, RADIUS_CARD, Theme, blend
from game.views.sokoban.accent import ACCENT

PALETTE_WIDTH = 112
TOOLBAR_HEIGHT = 36
LEAST_SIDE = 26
"""Buttons of the bar are never narrower, in units."""
SIZE_WIDTH, RULES_WIDTH, BUTTON_GAP, GROUP_GAP = 92, 150, 4, 10
ASIDE = 0.72
"""How large a player on a target is drawn on its card, of a square."""


class Tile(Control):
    """A kind of square to paint with."""

    radius = RADIUS_CARD

    def __init__(self, kit: Kit, rect: pygame.Rect, number: int, kind: int, on_press: Callable[[int], None]) -> None:
        """`number` counts from 1 and is the key that chooses it; `on_press` gets the kind."""
        self.number, self.kind, self.on_press = number, kind, on_press
        self.cell = kind
        """What it would paint now: the kind with its letter."""
        self.selected = False
        self.missing = 0
        """How many of it the drawing lacks."""
        super().__init__(kit, rect)

    def show_missing(self, count: int) -> None:
        """Say how many of it the drawing lacks; 0 says nothing."""
        if count != self.missing:
            self.missing = count
            self.repaint()

    def show_cell(self, cell: int) -> None:
        """Another letter."""
        if cell != self.cell:
            self.cell = cell
            self.repaint()

    def select(self, on: bool) -> None:
        """Mark as the one in hand."""
        if on != self.selected:
            self.selected = on
            self.repaint()

    @override
    def press(self) -> None:
        """Take it."""
        self.kit.sound(CLICK)
        self.on_press(self.kind)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Card, picture, name, key."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.surface, theme.text, 0.08 if self.lit else 0.0)
        edge, edge_width = (ACCENT.on(theme), theme.px(2)) if self.selected else (theme.line, 1)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CARD), fill, edge, edge_width), (0, 0))
        line = theme.px(20)
        side = max(theme.px(18), min(theme.px(48), height - line - theme.px(14)))
        top = (height - line - side) // 2
        picture = _tile_picture(self.cell, side, theme)
        surface.blit(picture, ((width - side) // 2, top))
        ink = theme.text if self.selected else theme.muted
        name = drawings.name_of(self.kind)
        if self.missing:
            ink = theme.bad
            room = width - theme.px(8)
            name = text.fitting(
                theme, (f"{name}: {self.missing} missing", f"{self.missing} missing"), room, FONT_SMALL
            )
        text.draw(surface, theme, name, (width // 2, top + side + line // 2 + theme.px(1)), size=FONT_SMALL, colour=ink,
                  anchor="center", limit=width - theme.px(4))  # fmt: skip
        text.draw(surface, theme, str(self.number), (theme.px(9), theme.px(6)), size=FONT_SMALL, colour=theme.muted)


@dataclass(frozen=True, slots=True)
class _Change:
    """A button that changes the whole map."""

    command: str
    icon: str
    title: str


CHANGES: tuple[tuple[_Change, ...], ...] = (
    (
        _Change("mirror", "mirror", "Mirror left and right"),
        _Change("mirror_upright", "mirror-upright", "Mirror top and bottom"),
        _Change("rotate", "rotate", "Rotate by a quarter turn"),
    ),
    (
        _Change("shift_left", "arrow-left", "Shift everything left"),
        _Change("shift_up", "arrow-up", "Shift everything up"),
        _Change("shift_down", "arrow-down", "Shift everything down"),
        _Change("shift_right", "arrow-right", "Shift everything right"),
    ),
    (_Change("crop", "crop", "Crop to what is needed"),),
)


def build_palette(
    kit: Kit, rect: pygame.Rect, kinds: Sequence[int], on_press: Callable[[int], None]
) -> dict[int, Tile]:
    """The cards of the tiles, one below the other; by kind."""
    gap = kit.theme.px(8)
    count = len(kinds)
    high = min(kit.theme.px(92), (rect.height - gap * (count - 1)) // count)
    tiles = {}
    for number, kind in enumerate(kinds, 1):
        place = pygame.Rect(rect.left, rect.top + (number - 1) * (high + gap), rect.width, high)
        tiles[kind] = Tile(kit, place, number, kind, on_press)
    return tiles


def toolbar_height(theme: Theme, width: int) -> int:
    """Pixels that the bar of tools takes: two lines where one is too narrow."""
    lines = 1 if _side(theme, width, _groups(False)[0]) >= theme.px(LEAST_SIDE) else 2
    return lines * theme.px(TOOLBAR_HEIGHT) + (lines - 1) * theme.px(8)


def build_toolbar(
    kit: Kit, rect: pygame.Rect, size: str, rules: Rules, command: Callable[[str], object]
) -> tuple[dict[str, Button], Button, Button]:
    """The bar of tools in the middle of `rect`; returns the tools' buttons, and those that show size and rules."""
    theme = kit.theme
    lines = _groups(rect.height > theme.px(TOOLBAR_HEIGHT) + 1)
    gap, group, high = theme.px(BUTTON_GAP), theme.px(GROUP_GAP), theme.px(TOOLBAR_HEIGHT)
    made: dict[str, Button] = {}
    for number, groups in enumerate(lines):
        side = _side(theme, rect.width, groups)
        count = sum(map(len, groups))
        wide = count * (side + gap) + (len(groups) - 1) * group - gap
        wide += 0 if number else theme.px(SIZE_WIDTH) + theme.px(RULES_WIDTH) + group + gap
        left = rect.left + max(0, (rect.width - wide) // 2)
        top = rect.top + number * (high + theme.px(8)) + (high - side) // 2
        for commands in groups:
            for change in commands:
                tip = f"{change.title} ({keys_shown(change.command, (DRAWING,))})"
                made[change.command] = Button(kit, pygame.Rect(left, top, side, side), icon=change.icon, accent=ACCENT.on(theme),
                                              on_press=partial(command, change.command), tip=tip)  # fmt: skip
                left += side + gap
            left += group
        if number == 0:
            tip = f"Rows × columns: another size ({keys_shown('resize', (DRAWING,))})"
            place = pygame.Rect(left - gap, top, theme.px(SIZE_WIDTH), side)
            sizer = Button(kit, place, size, icon="resize", on_press=partial(command, "resize"), tip=tip)
            tip = f"Rules of the level: pulls, fixed targets, two players ({keys_shown('rules', (LEVEL,))})"
            place = pygame.Rect(place.right + gap, top, theme.px(RULES_WIDTH), side)
            ruler = Button(
                kit, place, rules_label(rules), icon="settings", on_press=partial(command, "rules"), tip=tip
            )
    return {tool.id: made[f"tool_{tool.id}"] for tool in TOOLS}, sizer, ruler


def rules_label(rules: Rules) -> str:
    """The rules on their button: 'Rules: push'."""
    return f"Rules: {rules.brief}"


def _groups(two_lines: bool) -> list[tuple[tuple[_Change, ...], ...]]:
    """What stands in each line of the bar, in groups."""
    tools = tuple(_Change(f"tool_{tool.id}", tool.icon, tool.title) for tool in TOOLS)
    return [(tools,), CHANGES] if two_lines else [(tools, *CHANGES)]


def _side(theme: Theme, width: int, groups: tuple[tuple[_Change, ...], ...]) -> int:
    """The side of the buttons of a line, in pixels."""
    count = sum(map(len, groups))
    room = width - theme.px(SIZE_WIDTH) - theme.px(RULES_WIDTH) - count * theme.px(BUTTON_GAP)
    room -= (len(groups) + 1) * theme.px(GROUP_GAP)
    return min(theme.px(TOOLBAR_HEIGHT), room // count)


def _tile_picture(kind: int, side: int, theme: Theme) -> pygame.Surface:
    """One square on a piece of floor, as it looks on the board; a player beside his target."""
    tiles, drawing = Tiles(side, theme), Drawing(3, 3, (0, 0, 0, 0, kind, 0, 0, 0, 0))
    whole = tiles.picture(drawing)
    square = whole.subsurface((side, side, side, side))
    if kind & KIND == PLAYER_ON_TARGET:  # small and aside, so that the target can be seen as well
        small = round(side * ASIDE)
        square.blit(*Tiles(small, theme).keeper_at((0, side - small), kind & SECOND > 0))
    elif kind & KIND in PLAYERS:
        whole.blit(*tiles.keeper_at((side, side), kind & SECOND > 0))
    return square
