"""What is painted with: the palette of tiles on the left, the bar of tools above the board."""

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from game.rules import editing
from game.rules.editing import Drawing
from game.screens.editor.canvas import Tiles
from game.screens.editor.stroke import TOOLS
from game.ui import shapes, text
from game.ui.controls import Button
from game.ui.kit import CLICK, Control, Kit
from game.ui.shortcuts import keys_shown
from game.ui.theme import FONT_SMALL, RADIUS_CARD, blend

PALETTE_WIDTH = 112
TOOLBAR_HEIGHT = 36


class Tile(Control):
    """A kind of square to paint with."""

    radius = RADIUS_CARD

    def __init__(self, kit: Kit, rect: pygame.Rect, number: int, on_press: Callable[[int], None]) -> None:
        """`number` counts from 1 and is the key that chooses it; `on_press` gets the kind."""
        self.number, self.kind, self.on_press = number, editing.KINDS[number - 1], on_press
        self.selected = False
        super().__init__(kit, rect)

    def select(self, on: bool) -> None:
        """Mark as the one in hand."""
        if on != self.selected:
            self.selected = on
            self.repaint()

    def press(self) -> None:
        """Take it."""
        self.kit.sound(CLICK)
        self.on_press(self.kind)

    def paint(self, surface: pygame.Surface) -> None:
        """Card, picture, name, key."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.surface, theme.text, 0.08 if self.lit else 0.0)
        edge, edge_width = (theme.sokoban, theme.px(2)) if self.selected else (theme.line, 1)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CARD), fill, edge, edge_width), (0, 0))
        line = theme.px(20)
        side = max(theme.px(20), min(theme.px(48), height - line - theme.px(16)))
        top = (height - line - side) // 2
        picture = _tile_picture(self.kind, side, Tiles(side, theme))
        surface.blit(picture, ((width - side) // 2, top))
        ink = theme.text if self.selected else theme.muted
        text.draw(surface, theme, editing.NAMES[self.kind], (width // 2, top + side + line // 2 + theme.px(1)), size=FONT_SMALL,
                  colour=ink, anchor="center", limit=width - theme.px(4))  # fmt: skip
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
        _Change("rotate", "rotate", "Turn by a quarter"),
    ),
    (
        _Change("shift_left", "arrow-left", "Shift everything left"),
        _Change("shift_up", "arrow-up", "Shift everything up"),
        _Change("shift_down", "arrow-down", "Shift everything down"),
        _Change("shift_right", "arrow-right", "Shift everything right"),
    ),
    (_Change("crop", "crop", "Crop to what is needed"),),
)


def build_palette(kit: Kit, rect: pygame.Rect, on_press: Callable[[int], None]) -> dict[int, Tile]:
    """The cards of the seven tiles, one below the other; by kind."""
    gap = kit.theme.px(8)
    count = len(editing.KINDS)
    high = min(kit.theme.px(92), (rect.height - gap * (count - 1)) // count)
    tiles = {}
    for number in range(1, count + 1):
        place = pygame.Rect(rect.left, rect.top + (number - 1) * (high + gap), rect.width, high)
        tile = Tile(kit, place, number, on_press)
        tiles[tile.kind] = tile
    return tiles


def build_toolbar(
    kit: Kit, rect: pygame.Rect, size: str, command: Callable[[str], object]
) -> tuple[dict[str, Button], Button]:
    """The bar of tools in the middle of `rect`; returns the tools' buttons and the one that shows the map's size."""
    theme = kit.theme
    count = len(TOOLS) + sum(map(len, CHANGES))
    size_wide = theme.px(92)
    gap, group = theme.px(4), theme.px(10)
    side = min(theme.px(TOOLBAR_HEIGHT), (rect.width - size_wide - count * gap - len(CHANGES) * group) // count)
    wide = count * (side + gap) + len(CHANGES) * group + size_wide
    left = rect.left + max(0, (rect.width - wide) // 2)
    top = rect.top + (rect.height - side) // 2

    def button(name: str, icon: str, title: str) -> Button:
        nonlocal left
        place = pygame.Rect(left, top, side, side)
        left += side + gap
        return Button(kit, place, icon=icon, on_press=lambda: (command(name), None)[1], accent=theme.sokoban,
                      tip=f"{title} ({keys_shown(name)})")  # fmt: skip

    tools = {tool.id: button(f"tool_{tool.id}", tool.icon, tool.title) for tool in TOOLS}
    for changes in CHANGES:
        left += group
        for change in changes:
            button(change.command, change.icon, change.title)
    tip = f"Rows × columns: another size ({keys_shown('resize')})"
    place = pygame.Rect(left, top, size_wide, side)
    sizer = Button(kit, place, size, icon="resize", on_press=lambda: (command("resize"), None)[1], tip=tip)
    return tools, sizer


def _tile_picture(kind: int, side: int, tiles: Tiles) -> pygame.Surface:
    """One square as it looks on the board, on a piece of floor."""
    drawing = Drawing(3, 3, bytes((0, 0, 0, 0, kind, 0, 0, 0, 0)))
    whole = tiles.picture(drawing)
    if kind in editing.PLAYERS:
        whole.blit(*tiles.keeper_at((side, side)))
    return whole.subsurface((side, side, side, side))
