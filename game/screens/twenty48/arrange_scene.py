"""Arranging a board of 2048 by hand, to go on from there: with the mouse, with keys, or from a written position."""

from collections.abc import Callable
from functools import partial
from types import MappingProxyType

import pygame
from typing_extensions import override

from game.play.words import counted
from game.rules.twenty48 import State
from game.screens import results
from game.screens.twenty48.arrangement import LARGEST, Arrangement, typed
from game.ui import clipboard, shapes, svg, text
from game.ui.chrome import Action, TopBar, draw_card, draw_heading
from game.ui.controls import Button, Stepper
from game.ui.field import TextField
from game.ui.kit import CLICK, Control, Kit
from game.ui.layout import Layout, layout
from game.ui.scene import DIRECTIONS, Host, Scene
from game.ui.shortcuts import MOVES, WINDOW
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL
from game.views.twenty48.accent import ACCENT
from game.views.twenty48.board import BoardView
from game.views.twenty48.keys import ARRANGING
from game.views.twenty48.tiles import tile

COLUMNS = 6
"""Of the palette: no tile, and the seventeen from 2 to 131072."""
TYPING_SECONDS = 1.5
"""A pause after which the next digit begins another number."""
LONGEST = 800
HELP = (
    "Click raises a tile, right click lowers it.",
    "Or pick a tile here, click the board.",
    "Keys: arrows, then type a number.",
)


class TileButton(Control):
    """One tile of the palette."""

    radius = 6

    def __init__(
        self, kit: Kit, rect: pygame.Rect, exponent: int, chosen: bool, on_press: Callable[[], None]
    ) -> None:
        """`exponent` 0 is the rubber."""
        self.exponent, self.chosen, self.on_press = exponent, chosen, on_press
        tip = "Choose this tile, then click on the board" if exponent else "Take tiles away"
        super().__init__(kit, rect, tip)

    @override
    def press(self) -> None:
        """Tell the owner."""
        self.kit.sound(CLICK)
        self.on_press()

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """The tile, with a line around it when it is the chosen one."""
        theme, (width, height) = self.theme, surface.get_size()
        edge = theme.px(3)
        side = min(width, height) - 2 * edge
        at = ((width - side) // 2, (height - side) // 2)
        if self.chosen:
            surface.blit(shapes.rounded((width, height), theme.px(8), theme.thinking), (0, 0))
        elif self.lit:
            surface.blit(shapes.rounded((width, height), theme.px(8), theme.line), (0, 0))
        if self.exponent:
            surface.blit(tile(self.exponent, side), at)
        else:
            surface.blit(shapes.rounded((side, side), theme.px(4), theme.raised), at)
            glyph = side // 2
            surface.blit(svg.icon("close", glyph, theme.muted), ((width - glyph) // 2, (height - glyph) // 2))


class ArrangeScene(Scene):
    """Pushed over the game; what was arranged is handed on with `on_done`."""

    name = "arrange"
    groups = (MOVES, ARRANGING, WINDOW)
    without = frozenset(("accept", "settings"))
    meanings = MappingProxyType(
        {"back": "Leave the game as it was", "up": "Cell above", "right": "Next cell", "down": "Cell below",
         "left": "Cell before"}
    )  # fmt: skip
    gestures = (
        ("click", "Larger tile, or the chosen one"), ("right click", "Smaller tile"), ("wheel", "Larger or smaller"),
    )  # fmt: skip

    def __init__(self, window: Host, state: State, on_done: Callable[[State], None]) -> None:
        """`on_done(position)` is called after the screen has closed; its seed is 0."""
        super().__init__(window)
        self.board = Arrangement(state)
        self.on_done = on_done
        self.brush: int | None = None
        self.view = BoardView(self.theme, animated=False)
        self.areas: Layout = layout(self.size, self.theme)
        self.top_bar: TopBar | None = None
        self.field: TextField | None = None
        self.cards: dict[str, pygame.Rect] = {}
        self._size: Stepper | None = None
        self._palette: list[TileButton] = []
        self._digits, self._since = "", 0.0

    # Lay out

    @override
    def build(self) -> None:
        """The board on the left; tiles, size, text and the way on in the panel."""
        theme, kit = self.theme, self.kit
        self.areas = layout(self.size, theme)
        panel = self.areas.panel
        if self.areas.folded:
            panel = pygame.Rect(panel.right - theme.px(240), panel.top, theme.px(240), panel.height)
            self.areas.board.width = panel.left - theme.px(16) - self.areas.board.left
        self.top_bar = TopBar(
            kit, self.size[0], "Arrange the board", ACCENT.on(theme),
            (Action("undo", "Undo", "arrange_undo"), Action("redo", "Redo", "arrange_redo"), Action("help", "Keys", "help")),
            self.window.command, self.groups,
        )  # fmt: skip
        pad, gap, high = theme.px(16), theme.px(8), theme.px(CONTROL_HEIGHT)
        inner = panel.inflate(-2 * pad, 0)
        top = panel.top + theme.px(38)
        side = min(inner.width // COLUMNS, theme.px(46))
        self._palette = []
        for exponent in range(LARGEST + 1):
            row, col = divmod(exponent, COLUMNS)
            left = inner.left + round(col * (inner.width - side) / (COLUMNS - 1))
            rect = pygame.Rect(left, top + row * (side + theme.px(2)), side, side)
            self._palette.append(
                TileButton(kit, rect, exponent, exponent == self.brush, partial(self.choose, exponent))
            )
        top += -(-(LARGEST + 1) // COLUMNS) * (side + theme.px(2)) + theme.px(8)
        low = panel.height < theme.px(500)
        self._words_at = (inner.left, top)
        if not low:
            top += len(HELP) * theme.px(20) + theme.px(6)
        self.cards["tiles"] = pygame.Rect(panel.left, panel.top, panel.width, top - panel.top)
        top += theme.px(12)
        second = top
        top += theme.px(38)
        half = (inner.width - gap) // 2
        self._size = Stepper(kit, pygame.Rect(inner.left, top, half, high), "Size", self._size_words(),
                             on_step=self._resize, tip="Edge of the board, 3 to 8")  # fmt: skip
        Button(kit, pygame.Rect(inner.left + half + gap, top, half, high), "Clear", icon="trash",
               on_press=lambda: self._command("arrange_clear"), tip="Take all tiles away (X)")  # fmt: skip
        top += high + gap
        self.field = TextField(kit, pygame.Rect(inner.left, top, inner.width, high), self.board.written(),
                               on_done=self._read, longest=LONGEST,
                               tip="The board as text, rows from the top with / between them; Enter takes it")  # fmt: skip
        top += high + gap
        Button(kit, pygame.Rect(inner.left, top, half, high), "Copy", icon="copy",
               on_press=lambda: self._command("arrange_copy"), tip="Copy the board as text (Ctrl C)")  # fmt: skip
        Button(kit, pygame.Rect(inner.left + half + gap, top, half, high), "Paste", icon="download",
               on_press=lambda: self._command("arrange_paste"), tip="Take a board from the clipboard (Ctrl V)")  # fmt: skip
        top += high + theme.px(14)
        self.cards["board"] = pygame.Rect(panel.left, second, panel.width, top - second)
        top += theme.px(12)
        Button(kit, pygame.Rect(panel.left, top, panel.width, theme.px(44)), "Continue from here", icon="play",
               style="primary", on_press=self.done, tip="Play on from this board (Enter)")  # fmt: skip
        self.view.set_theme(theme, False)
        self._show()

    def _size_words(self) -> str:
        return f"{self.board.now.size}×{self.board.now.size}"

    def _resize(self, by: int) -> str:
        self.board.resize(self.board.now.size + by)
        self._show()
        return self._size_words()

    def choose(self, exponent: int) -> None:
        """Take a tile of the palette, or put it back when it was the chosen one."""
        self.brush = None if exponent == self.brush else exponent
        for button in self._palette:
            button.chosen = button.exponent == self.brush
            button.repaint()

    def _show(self) -> None:
        self.view.show(self.board.state(0))
        self.view.layout(self.areas.board)
        if self._size is not None and self._size.value != self._size_words():
            self._size.value = self._size_words()
            self._size.repaint()
        if self.field is not None and not self.kit.typing:
            self.field.entry.set_text(self.board.written())

    # What is asked for

    def done(self) -> None:
        """Close, and play on from the board."""
        problem = self.board.problem()
        if problem:
            self.window.say(problem, "bad")
            return
        state = self.board.state(0)
        self.window.pop()
        self.on_done(state)

    def _read(self, words: str) -> None:
        try:
            self.board.read(words)
        except ValueError as error:
            self.window.say(str(error), "bad")
            return
        self.kit.focus(None)
        self._show()

    def _paste(self) -> None:
        words = clipboard.read()[:LONGEST]
        if not words.strip():
            self.window.say("There is no text on the clipboard.")
            return
        self._read(words)

    def _copy(self) -> None:
        results.put(self.window, self.board.written(), "The board is on the clipboard.")

    def _type(self, digit: str) -> None:
        before = self._digits if self._since < TYPING_SECONDS else ""
        self._digits, exponent = typed(before, digit)
        self._since = 0.0
        if exponent is not None:
            self.board.put(self.board.cursor, exponent)

    def _command(self, command: str) -> bool:
        board, cell = self.board, self.board.cursor
        actions: dict[str, Callable[[], object]] = {
            "arrange_raise": lambda: board.change(cell, 1), "arrange_lower": lambda: board.change(cell, -1),
            "arrange_erase": lambda: board.put(cell, 0), "arrange_clear": board.clear,
            "arrange_larger": lambda: board.resize(board.now.size + 1),
            "arrange_smaller": lambda: board.resize(board.now.size - 1), "arrange_undo": board.undo,
            "arrange_redo": board.redo, "arrange_copy": self._copy, "arrange_paste": self._paste,
            "reset_view": lambda: self._type("0"),
        }  # fmt: skip
        if command not in actions:
            return False
        actions[command]()
        self._show()
        return True

    @override
    def command(self, command: str) -> bool:
        """Move the cursor, change its cell, go on."""
        if command in DIRECTIONS:
            cols, rows = DIRECTIONS[command]
            self.board.move(rows, cols)
            self._digits = ""
            return True
        if command in ("accept", "arrange_done"):
            self.done()
            return True
        return self._command(command) or super().command(command)

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """Clicks, the wheel and digits."""
        if event.type == pygame.KEYDOWN and event.unicode.isdecimal() and event.unicode.isascii():
            self._type(event.unicode)
            self._show()
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3):
            cell = self.view.cell_at(event.pos)
            if cell is None:
                return False
            self.board.cursor = cell
            if event.button == 3:
                self.board.change(cell, -1)
            elif self.brush is None:
                self.board.change(cell, 1)
            else:
                self.board.put(cell, 0 if self.board.now.cells[cell] == self.brush else self.brush)
            self._show()
            return True
        if event.type == pygame.MOUSEWHEEL and event.y:
            cell = self.view.cell_at(self.kit.pointer)
            if cell is not None:
                self.board.cursor = cell
                self.board.change(cell, 1 if event.y > 0 else -1)
                self._show()
            return cell is not None
        return False

    # Scene

    @override
    def update(self, dt: float) -> None:
        """The pause between digits."""
        self._since += dt

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Board with its cursor, cards, bars."""
        theme = self.theme
        if self.top_bar is not None:
            self.top_bar.subtitle = self._size_words().replace("×", " × ")
            self.top_bar.buttons["arrange_undo"].set_enabled(self.board.can_undo)
            self.top_bar.buttons["arrange_redo"].set_enabled(self.board.can_redo)
            self.top_bar.draw(surface)
        self.view.draw(surface)
        place, edge = self.view.cell_rect(self.board.cursor), max(2, self.view.gap // 3)
        place.inflate_ip(2 * edge, 2 * edge)
        clear = pygame.Color(theme.text.r, theme.text.g, theme.text.b, 0)
        radius = max(4, round(self.view.side * 0.1))
        surface.blit(shapes.rounded(place.size, radius, clear, theme.text, max(2, theme.px(3))), place)
        head = theme.px(38)
        draw_card(surface, theme, self.cards["tiles"])
        draw_heading(surface, theme, head, self.cards["tiles"], "Tiles", "chosen" if self.brush is not None else "")
        left, top = self._words_at
        if self.cards["tiles"].bottom - top > theme.px(40):
            for words in HELP:
                text.draw(surface, theme, words, (left, top), size=FONT_SMALL, colour=theme.muted,
                          limit=self.cards["tiles"].right - left - theme.px(8))  # fmt: skip
                top += theme.px(20)
        draw_card(surface, theme, self.cards["board"])
        draw_heading(surface, theme, head, self.cards["board"], "Board")

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is wrong, or how to go on."""
        count = sum(1 for exponent in self.board.now.cells if exponent)
        problem = self.board.problem()
        words = problem or "Enter continues from here · Esc leaves the game as it was"
        return words, counted(count, "tile"), False
