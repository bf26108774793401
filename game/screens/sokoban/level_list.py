"""The list of levels: one pack at a time as cards with thumbnails, solved marks and best results.

Thumbnails are drawn only for cards in view, for a few milliseconds a frame, so that a pack of any size scrolls
smoothly.
"""

import time
from collections.abc import Callable

import pygame

from game.rules.sokoban import PUSH_ONLY
from game.screens.context import Context
from game.screens.sokoban import plans, results
from game.screens.sokoban.board import thumbnail
from game.screens.sokoban.editing import open_in_editor
from game.screens.sokoban.packs import LevelPack, Packs
from game.screens.sokoban.room_dialog import RoomDialog
from game.ui import shapes, svg, text
from game.ui.chrome import Action, TopBar, draw_bar
from game.ui.controls import Button
from game.ui.layout import layout
from game.ui.scene import Scene
from game.ui.select import Option, Select
from game.ui.theme import CONTROL_HEIGHT, FONT_BODY, FONT_SMALL, RADIUS_CARD, blend
from game.ui.window import Window

CARD, CARD_HEIGHT, GAP = 176, 168, 14
PICTURE = 112
HEAD = 52
WHEEL = 90
"""Units that one notch of the wheel scrolls."""
PICTURE_SECONDS = 0.004
TOP_ACTIONS = (Action("edit", "Edit this level", "edit"),)
GLIDE = 14.0
"""How quickly the list glides to where it was scrolled, per second."""


class LevelListScene(Scene):
    """Choose a level with the mouse or the arrows."""

    name = "levels"
    groups = ("Moves", "Game", "Rooms", "Window")
    without = frozenset({"undo", "redo", "restart", "new", "view", "reset_view", "list"})
    gestures = (("click", "Open a level"), ("wheel", "Scroll"))

    def __init__(
        self,
        window: Window,
        context: Context,
        packs: Packs,
        pack_id: str,
        level_id: str,
        on_choose: Callable[[LevelPack, int], None],
    ) -> None:
        """Opens at the given level; `on_choose(pack, number)` is called after the list closed."""
        super().__init__(window)
        self.context, self.packs, self.on_choose = context, packs, on_choose
        packs.refresh()
        self.pack_id = pack_id if packs.file(pack_id) is not None else (packs.files[0].id if packs.files else "")
        self.level_id = level_id
        self.pack: LevelPack | None = None
        self.at = 0
        """The card with the keyboard's cursor."""
        self.hover: int | None = None
        self.scroll = 0.0
        """Pixels that the list is scrolled by, on its way to `target`."""
        self.target = 0.0
        self.view = pygame.Rect(0, 0, 0, 0)
        self.columns = 1
        self.top_bar: TopBar | None = None
        self._size = (CARD, CARD_HEIGHT)
        self._drawn: set[int] = set()
        self._options: tuple[Option, ...] = ()
        self._solved = 0
        self._bar_at: pygame.Rect | None = None
        self._grabbed: int | None = None

    # Lay out

    def build(self) -> None:
        """Pack selector above, as many columns as fit below."""
        theme = self.theme
        areas = layout(self.size, theme, panel=False)
        self.top_bar = TopBar(self.kit, self.size[0], "Levels", theme.sokoban, TOP_ACTIONS, self.window.command)
        wide = min(theme.px(340), areas.board.width // 2)
        self._options = self._list_packs()
        Select(self.kit, pygame.Rect(areas.board.left, areas.board.top, wide, theme.px(CONTROL_HEIGHT)), self._options,
               self.pack_id, on_choose=self.choose_pack, label="Pack")  # fmt: skip
        button = pygame.Rect(
            areas.board.left + wide + theme.px(8), areas.board.top, theme.px(148), theme.px(CONTROL_HEIGHT)
        )
        Button(
            self.kit,
            button,
            "Make a room",
            icon="plus",
            on_press=self.make_room,
            tip="Of any size and difficulty (G)",
        )
        self.head = pygame.Rect(button.right, areas.board.top, 0, theme.px(CONTROL_HEIGHT))
        self.head.width = areas.board.right - self.head.left
        top = areas.board.top + theme.px(HEAD)
        self.view = pygame.Rect(areas.board.left, top, areas.board.width, areas.body.bottom - top)
        gap = theme.px(GAP)
        room = self.view.width - theme.px(14)
        self.columns = max(1, (room + gap) // (theme.px(CARD) + gap))
        self._size = ((room + gap) // self.columns - gap, theme.px(CARD_HEIGHT))
        self._drawn.clear()
        if self.pack is None:
            self._find_pack()
        else:
            self.show_card(self.at, at_once=True)

    def _list_packs(self) -> tuple[Option, ...]:
        options = []
        for file in self.packs.files:
            pack = self.packs.peek(file.id)
            note = "" if pack is None else f"{plans.counted(len(pack.levels), 'level')}, {self._count(pack)} solved"
            reason = f"cannot be read: {self.packs.trouble(file.id)}" if self.packs.trouble(file.id) else ""
            options.append(Option(file.id, pack.title if pack is not None else file.title, note, reason))
        return tuple(options)

    def _count(self, pack: LevelPack) -> int:
        return sum(self.context.progress.solved(level_id) for level_id in pack.ids)

    def choose_pack(self, pack_id: str) -> None:
        """Show another pack, at the level that was open there last."""
        self.pack_id, self.level_id = pack_id, self.context.progress.last_level(pack_id) or ""
        self.pack = None
        self.scroll = self.target = 0.0
        self._find_pack()

    def _find_pack(self) -> None:
        """Take the pack as soon as it is read."""
        self.pack = self.packs.peek(self.pack_id)
        self._drawn.clear()
        self.hover = None
        if self.pack is not None:
            self._solved = self._count(self.pack)
            self.show_card(self.pack.number_of(self.level_id) or 0, at_once=True)

    @property
    def count(self) -> int:
        """Levels of the pack; 0 while it is being read."""
        return len(self.pack.levels) if self.pack is not None else 0

    @property
    def line(self) -> int:
        """Height of a row of cards with its gap, in pixels."""
        return self._size[1] + self.theme.px(GAP)

    @property
    def most(self) -> int:
        """How far the list can be scrolled, in pixels."""
        rows = -(-self.count // self.columns)
        return max(0, rows * self.line + self.theme.px(4) - self.view.height)

    def card(self, number: int) -> pygame.Rect:
        """Where a card is on the screen now."""
        row, column = divmod(number, self.columns)
        left = self.view.left + column * (self._size[0] + self.theme.px(GAP))
        return pygame.Rect(
            (left, self.view.top + self.theme.px(4) + row * self.line - round(self.scroll)), self._size
        )

    def card_at(self, position: tuple[int, int]) -> int | None:
        """The card under a point."""
        if not self.view.collidepoint(position):
            return None
        down = position[1] - self.view.top - self.theme.px(4) + round(self.scroll)
        across = position[0] - self.view.left
        column = across // (self._size[0] + self.theme.px(GAP))
        number = down // self.line * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.card(number).collidepoint(position) else None

    def show_card(self, number: int, at_once: bool = False) -> None:
        """Move the cursor to a card and scroll it into view."""
        self.at = min(max(0, number), max(0, self.count - 1))
        top = self.at // self.columns * self.line
        if at_once:
            self.target = top - (self.view.height - self.line) / 2
        else:
            self.target = min(self.target, float(top))
            self.target = max(self.target, float(top + self.line + self.theme.px(8) - self.view.height))
        self.target = min(max(0.0, self.target), float(self.most))
        if at_once or not self.window.look.animated:
            self.scroll = self.target

    def scroll_by(self, pixels: float) -> None:
        """Scroll the list; the cursor stays where it is."""
        self.target = min(max(0.0, self.target + pixels), float(self.most))
        if not self.window.look.animated:
            self.scroll = self.target

    def choose(self, number: int) -> None:
        """Close the list and open a level."""
        pack = self.pack
        if pack is not None and 0 <= number < self.count:
            self.window.pop()
            self.on_choose(pack, number)

    def edit(self, number: int) -> None:
        """Close the list and open a level in the editor."""
        pack = self.pack
        if pack is not None and 0 <= number < self.count:
            self.window.pop()
            open_in_editor(self.window, self.context, pack.levels[number], pack.own_stem)

    def make_room(self) -> None:
        """Ask for a new room; the list closes when it is there."""
        self.window.push(RoomDialog(self.window, self.context, self.packs, self._take_room))

    def _take_room(self, pack: LevelPack, number: int) -> None:
        self.window.pop()
        self.on_choose(pack, number)

    # Input

    def command(self, command: str) -> bool:
        """Arrows, Home, End and the page keys move the cursor; Enter opens."""
        page = max(1, self.view.height // self.line) * self.columns
        steps = {"left": -1, "right": 1, "up": -self.columns, "down": self.columns, "previous": -page, "next": page}
        if command in steps:
            to = self.at + steps[command]
            if command == "up" and to < 0:
                to = self.at
            self.show_card(to)
        elif command in ("first", "last"):
            self.show_card(0 if command == "first" else self.count)
        elif command == "accept":
            self.choose(self.at)
        elif command == "edit":
            self.edit(self.at)
        elif command == "make_room":
            self.make_room()
        elif command == "list" or (command == "back" and self.kit.focused is None):
            self.window.pop()
        elif command == "back":
            self.kit.focus(None)
        else:
            return False
        return True

    def handle(self, event: pygame.event.Event) -> bool:
        """Click, wheel, and the bar on the right."""
        if event.type == pygame.MOUSEMOTION:
            if self._grabbed is not None:
                self._drag_bar(event.pos[1])
                return True
            self.hover = self.card_at(event.pos)
        elif event.type == pygame.MOUSEWHEEL:
            self.scroll_by(-event.y * self.theme.px(WHEEL))
            return True
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if self._bar_at is not None and event.pos[0] >= self._bar_at.left - self.theme.px(4):
                inside = self._bar_at.collidepoint(self._bar_at.left, event.pos[1])
                self._grabbed = event.pos[1] - self._bar_at.top if inside else self._bar_at.height // 2
                self._drag_bar(event.pos[1])
                return True
            number = self.card_at(event.pos)
            if number is not None:
                self.window.play("click")
                self.choose(number)
                return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._grabbed = None
        return False

    def _drag_bar(self, y: int) -> None:
        if self._bar_at is not None and self._grabbed is not None:
            way = max(1, self.view.height - self._bar_at.height)
            share = (y - self._grabbed - self.view.top) / way
            self.target = self.scroll = min(1.0, max(0.0, share)) * self.most

    # Frame

    def update(self, dt: float) -> None:
        """Glide; take a pack that has been read; tell about damaged ones."""
        if self.pack is None and self.pack_id:
            self._find_pack()
        for sentence in self.packs.news():
            self.window.say(sentence, "bad")
        self.scroll += (self.target - self.scroll) * min(1.0, GLIDE * dt)
        if abs(self.target - self.scroll) < 0.5:
            self.scroll = self.target
        if self.kit.popup is None and self._list_packs_changed():
            self.rebuild()

    def _list_packs_changed(self) -> bool:
        """Reads one pack more at a time, so that the selector can say what is in each."""
        waiting = next(
            (
                file.id
                for file in self.packs.files
                if self.packs.peek(file.id) is None and not self.packs.trouble(file.id)
            ),
            None,
        )
        return waiting is None and any(not option.note and not option.reason for option in self._options)

    def draw(self, surface: pygame.Surface) -> None:
        """Head and cards."""
        theme = self.theme
        clip = surface.get_clip()
        surface.set_clip(self.view)
        if self.pack is None:
            trouble = self.packs.trouble(self.pack_id)
            words = f"This pack cannot be read: {trouble}." if trouble else "Reading the levels …"
            if not self.packs.files:
                words = "There are no packs of levels."
            text.draw(
                surface, theme, words, self.view.center, colour=theme.muted, anchor="center", limit=self.view.width
            )
        else:
            self._draw_cards(surface, self.pack)
        surface.set_clip(clip)
        surface.fill(
            theme.ground, (0, self.head.top - theme.px(8), self.size[0], self.view.top - self.head.top + theme.px(4))
        )
        self._draw_head(surface)
        if self.top_bar is not None:
            self.top_bar.draw(surface)

    def _draw_head(self, surface: pygame.Surface) -> None:
        """How much of the pack is solved."""
        theme, pack = self.theme, self.pack
        if pack is None:
            return
        middle, right = self.head.centery, self.head.right
        words = f"{self._solved} of {plans.counted(self.count, 'level')} solved"
        place = text.draw(surface, theme, words, (right, middle), colour=theme.muted, anchor="midright")
        bar = pygame.Rect(0, 0, theme.px(140), theme.px(8))
        bar.midright = (place.left - theme.px(14), middle)
        if bar.left > self.head.left + theme.px(16):
            draw_bar(
                surface, bar, self._solved / max(1, self.count), theme.good, blend(theme.raised, theme.line, 0.5)
            )
        left = self.head.left + theme.px(18)
        if pack.author and bar.left - left > theme.px(80):
            text.draw(surface, theme, f"by {pack.author}", (left, middle), colour=theme.muted, anchor="midleft",
                      limit=bar.left - theme.px(16) - left)  # fmt: skip

    def _draw_cards(self, surface: pygame.Surface, pack: LevelPack) -> None:
        """The cards in view; pictures that are missing are drawn while there is time in this frame."""
        first = max(0, int(self.scroll) // self.line) * self.columns
        last = min(self.count, (int(self.scroll + self.view.height) // self.line + 1) * self.columns)
        until = time.perf_counter() + PICTURE_SECONDS
        for number in range(first, last):
            self._draw_card(surface, pack, number, until)
        self._bar_at = None
        if self.most:
            theme, track = self.theme, self.view.height
            high = max(theme.px(28), round(track * track / (track + self.most)))
            top = self.view.top + round((track - high) * self.scroll / self.most)
            self._bar_at = pygame.Rect(self.view.right - theme.px(6), top, theme.px(6), high)
            ink = blend(theme.line, theme.text, 0.35 if self._grabbed is not None else 0.1)
            surface.blit(shapes.rounded(self._bar_at.size, theme.px(3), ink), self._bar_at)

    def _draw_card(self, surface: pygame.Surface, pack: LevelPack, number: int, until: float) -> None:
        theme, level = self.theme, pack.levels[number]
        rect = self.card(number)
        lit, current = number == self.hover, pack.ids[number] == self.level_id
        fill = blend(theme.surface, theme.text, 0.06) if lit else theme.surface
        edge, width = (theme.sokoban, theme.px(2)) if number == self.at else (theme.line, 1)
        surface.blit(shapes.rounded(rect.size, theme.px(RADIUS_CARD), fill, edge, width), rect)
        pad = theme.px(12)
        room = (rect.width - 2 * pad, theme.px(PICTURE) - pad)
        if number in self._drawn or time.perf_counter() < until:
            self._drawn.add(number)
            surface.blit(thumbnail(level.state, theme, room), (rect.left + pad, rect.top + pad))
        record = self.context.progress.level(pack.ids[number])
        y = rect.top + theme.px(PICTURE) + theme.px(17)
        ink = theme.sokoban if current else theme.text
        name = results.name_of(level, number)
        fits = text.width(theme, name, FONT_BODY, "bold") <= room[0]
        text.draw(surface, theme, name, (rect.left + pad, y), size=FONT_BODY if fits else FONT_SMALL, weight="bold",
                  colour=ink, anchor="midleft", limit=room[0])  # fmt: skip
        y += theme.px(22)
        left = rect.left + pad
        if record is not None:
            glyph = theme.px(15)
            icon, ink = ("check", theme.good) if record.person else ("robot", theme.thinking)
            surface.blit(svg.icon(icon, glyph, ink), (left, y - glyph // 2))
            left += glyph + theme.px(6)
            text.draw(surface, theme, results.short(record), (left, y), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft", limit=room[0] - theme.px(60))  # fmt: skip
        elif current or level.state.warehouse.rules != PUSH_ONLY:
            rules = level.state.warehouse.rules
            fits = text.width(theme, rules.name, FONT_SMALL) <= room[0] - theme.px(28)
            words = "on the board" if current else rules.name if fits else rules.brief
            text.draw(surface, theme, words, (left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft")
        text.draw(surface, theme, str(number + 1), (rect.right - pad, y), size=FONT_SMALL, colour=theme.muted,
                  anchor="midright")  # fmt: skip

    @property
    def status(self) -> tuple[str, str, bool]:
        """How to choose."""
        if self.pack is None or not self.count:
            return "Esc goes back", "", False
        number = self.hover if self.hover is not None else self.at
        state = self.pack.levels[number].state
        size = f"{state.warehouse.rows} × {state.warehouse.cols} squares, {plans.counted(len(state.boxes), 'box')}"
        if state.warehouse.rules != PUSH_ONLY:
            size += f", {state.warehouse.rules.name}"
        return "Arrows and Enter, or a click, open a level · Esc goes back", f"Level {number + 1}: {size}", False
