"""The list of levels: one pack at a time as cards with thumbnails, solved marks and best results.

Thumbnails are drawn only for cards in view, for a few milliseconds a frame, so that a pack of any size scrolls
smoothly.
"""

import time
from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.sokoban import results
from game.play.sokoban.packs import LevelPack, Packs
from game.play.words import counted
from game.rules.sokoban import PUSH_ONLY
from game.screens.context import Context
from game.screens.sokoban.editing import open_in_editor
from game.screens.sokoban.room_dialog import RoomDialog
from game.ui import shapes, svg, text
from game.ui.card_grid import CardGrid
from game.ui.chrome import Action, TopBar, draw_bar
from game.ui.controls import Button
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.select import Option, Select
from game.ui.shortcuts import MOVES, THIS_GAME, WINDOW
from game.ui.theme import CONTROL_HEIGHT, FONT_BODY, FONT_SMALL, RADIUS_CARD, blend
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.board import thumbnail
from game.views.sokoban.keys import ROOMS

CARD, CARD_HEIGHT = 176, 168
PICTURE = 112
HEAD = 52
PICTURE_SECONDS = 0.004
TOP_ACTIONS = (Action("edit", "Edit this level", "edit"),)


class LevelListScene(Scene):
    """Choose a level with the mouse or the arrows."""

    name = "levels"
    groups = (MOVES, THIS_GAME, ROOMS, WINDOW)
    without = frozenset({"undo", "redo", "restart", "new", "view", "reset_view", "list"})
    gestures = (("click", "Open a level"), ("wheel", "Scroll"))

    def __init__(
        self,
        window: Host,
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
        self.grid = CardGrid()
        self.top_bar: TopBar | None = None
        self._drawn: set[int] = set()
        self._options: tuple[Option, ...] = ()
        self._solved = 0

    # Lay out

    @override
    def build(self) -> None:
        """Pack selector above, as many columns as fit below."""
        theme = self.theme
        areas = layout(self.size, theme, panel=False)
        self.top_bar = TopBar(self.kit, self.size[0], "Levels", ACCENT.on(theme), TOP_ACTIONS, self.window.command)
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
        view = pygame.Rect(areas.board.left, top, areas.board.width, areas.body.bottom - top)
        self.grid.layout(theme, view, self.count, CARD, CARD_HEIGHT, self.window.look.animated)
        self._drawn.clear()
        if self.pack is None:
            self._find_pack()
        else:
            self.grid.show(self.grid.at, at_once=True)

    def _list_packs(self) -> tuple[Option, ...]:
        options = []
        for file in self.packs.files:
            pack = self.packs.peek(file.id)
            note = "" if pack is None else f"{counted(len(pack.levels), 'level')}, {self._count(pack)} solved"
            reason = f"cannot be read: {self.packs.trouble(file.id)}" if self.packs.trouble(file.id) else ""
            options.append(Option(file.id, pack.title if pack is not None else file.title, note, reason))
        return tuple(options)

    def _count(self, pack: LevelPack) -> int:
        return sum(self.context.progress.solved(level_id) for level_id in pack.ids)

    def choose_pack(self, pack_id: str) -> None:
        """Show another pack, at the level that was open there last."""
        self.pack_id, self.level_id = pack_id, self.context.progress.last_level(pack_id) or ""
        self.pack = None
        self._find_pack()

    def _find_pack(self) -> None:
        """Take the pack as soon as it is read."""
        self.pack = self.packs.peek(self.pack_id)
        self._drawn.clear()
        self.grid.hover = None
        self.grid.set_count(self.count)
        if self.pack is not None:
            self._solved = self._count(self.pack)
            self.grid.show(self.pack.number_of(self.level_id) or 0, at_once=True)

    @property
    def count(self) -> int:
        """Levels of the pack; 0 while it is being read."""
        return len(self.pack.levels) if self.pack is not None else 0

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

    @override
    def command(self, command: str) -> bool:
        """Arrows, Home, End and the page keys move the cursor; Enter opens."""
        if self.grid.command(command):
            return True
        if command == "accept":
            self.choose(self.grid.at)
        elif command == "edit":
            self.edit(self.grid.at)
        elif command == "make_room":
            self.make_room()
        elif command == "list" or (command == "back" and self.kit.focused is None):
            self.window.pop()
        elif command == "back":
            self.kit.focus(None)
        else:
            return False
        return True

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """Click, wheel, and the bar on the right."""
        if self.grid.handle(event):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            number = self.grid.card_at(event.pos)
            if number is not None:
                self.window.play("click")
                self.choose(number)
                return True
        return False

    # Frame

    @override
    def update(self, dt: float) -> None:
        """Glide; take a pack that has been read; tell about damaged ones."""
        if self.pack is None and self.pack_id:
            self._find_pack()
        for sentence in self.packs.news():
            self.window.say(sentence, "bad")
        self.grid.update(dt)
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

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Head and cards."""
        theme = self.theme
        clip = surface.get_clip()
        surface.set_clip(self.grid.view)
        if self.pack is None:
            trouble = self.packs.trouble(self.pack_id)
            words = f"This pack cannot be read: {trouble}." if trouble else "Reading the levels …"
            if not self.packs.files:
                words = "There are no packs of levels."
            text.draw(
                surface,
                theme,
                words,
                self.grid.view.center,
                colour=theme.muted,
                anchor="center",
                limit=self.grid.view.width,
            )
        else:
            self._draw_cards(surface, self.pack)
        surface.set_clip(clip)
        surface.fill(
            theme.ground,
            (0, self.head.top - theme.px(8), self.size[0], self.grid.view.top - self.head.top + theme.px(4)),
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
        words = f"{self._solved} of {counted(self.count, 'level')} solved"
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
        until = time.perf_counter() + PICTURE_SECONDS
        for number in self.grid.visible():
            self._draw_card(surface, pack, number, until)
        self.grid.draw_bar(surface)

    def _draw_card(self, surface: pygame.Surface, pack: LevelPack, number: int, until: float) -> None:
        theme, level = self.theme, pack.levels[number]
        rect = self.grid.card(number)
        lit, current = number == self.grid.hover, pack.ids[number] == self.level_id
        fill = blend(theme.surface, theme.text, 0.06) if lit else theme.surface
        edge, width = (ACCENT.on(theme), theme.px(2)) if number == self.grid.at else (theme.line, 1)
        surface.blit(shapes.rounded(rect.size, theme.px(RADIUS_CARD), fill, edge, width), rect)
        pad = theme.px(12)
        room = (rect.width - 2 * pad, theme.px(PICTURE) - pad)
        if number in self._drawn or time.perf_counter() < until:
            self._drawn.add(number)
            surface.blit(thumbnail(level.state, theme, room), (rect.left + pad, rect.top + pad))
        record = self.context.progress.level(pack.ids[number])
        y = rect.top + theme.px(PICTURE) + theme.px(17)
        ink = ACCENT.on(theme) if current else theme.text
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
    @override
    def status(self) -> tuple[str, str, bool]:
        """How to choose."""
        if self.pack is None or not self.count:
            return "Esc goes back", "", False
        number = self.grid.hover if self.grid.hover is not None else self.grid.at
        state = self.pack.levels[number].state
        size = f"{state.warehouse.rows} × {state.warehouse.cols} squares, {counted(len(state.boxes), 'box')}"
        if state.warehouse.rules != PUSH_ONLY:
            size += f", {state.warehouse.rules.name}"
        return "Arrows and Enter, or a click, open a level · Esc goes back", f"Level {number + 1}: {size}", False
