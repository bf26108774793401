"""The level editor: draw a level with mouse or keys, see at once what is wrong with it, try it, save it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
from typing_extensions import override

from ai import kernels
from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import Document
from game.rules.sokoban import EMPTY, WALL, Rules
from game.rules.sokoban.game import GAME
from game.saves.draft import Draft
from game.screens.context import Context
from game.screens.editor.canvas import Canvas, Marks
from game.screens.editor.cards import Cards
from game.screens.editor.dialogs import RulesDialog, SizeDialog
from game.screens.editor.exchange import Exchange, alone
from game.screens.editor.export import FORM
from game.screens.editor.hand import WAYS, Hand
from game.screens.editor.model_training import Learning
from game.screens.editor.packs_scene import UNFINISHED, PacksScene
from game.screens.editor.palette import PALETTE_WIDTH, Tile, build_palette, build_toolbar, rules_label, toolbar_height
from game.screens.editor.rail import build_rail
from game.screens.editor.review import Review
from game.screens.editor.solving import SOLVER
from game.screens.editor.stroke import TOOL
from game.screens.editor.work import Work
from game.screens.keys import DRAWING, LEVEL
from game.screens.sokoban.screen import SokobanScreen
from game.ui.chrome import Action, TopBar
from game.ui.controls import Button
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.shortcuts import MOVES, ONLY_HISTORY, THIS_GAME, WINDOW
from game.ui.theme import GUTTER
from game.ui.toast import Kind
from game.views.sokoban.accent import ACCENT

ZOOM = 1.25
KEEPS_STROKE = frozenset({"draw", "accept", "back", "undo", "redo", "closer", "further"})
"""Commands that do not break off the keyboard's stroke."""
KEEP_SECONDS = 0.4
"""A stroke that lasts is saved this often."""
TOP_ACTIONS = (
    Action("undo", "Undo", "undo"),
    Action("redo", "Redo", "redo"),
    Action("hint", "Is it solvable?", "solvable", accent=True),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)


class EditorScene(Scene):
    """One drawing with its whole history, which goes on where it was."""

    name = "editor"
    groups = (MOVES, THIS_GAME, DRAWING, LEVEL, WINDOW)
    without = ONLY_HISTORY
    gestures = (
        ("drag", "Paint with the tool"),
        ("right button", "Pick the tile of a square"),
        ("Shift drag", "A straight line"),
        ("wheel", "Another tile"),
        ("Ctrl wheel  + -", "Zoom; middle button moves"),
        ("digits", "Choose a tile"),
        ("drop a file", "Import it"),
    )

    def __init__(self, window: Host, context: Context, opened: Document | None = None) -> None:
        """Goes on with the drawing that was left; `opened` comes on top of it, and undo brings it back."""
        super().__init__(window)
        self.context = context
        draft = Draft(context.saves, context.writer)
        if draft.notice:
            window.say(draft.notice, "bad")
        self.work = Work(draft, self._shown)
        self.canvas = Canvas(window.theme)
        self.hand = Hand(self.canvas, lambda: self.document.drawing, lambda: self.document.rules, self.work.redraw)
        self.review = Review()
        self.learning = Learning(window, context, self.work)
        self.exchange = Exchange(window, context, self.work)
        self.cards = Cards(self.work, self.review, self.exchange)
        self.top_bar: TopBar | None = None
        self._tiles: dict[int, Tile] = {}
        self._tools: dict[str, Button] = {}
        self._sizer: Button | None = None
        self._ruler: Button | None = None
        self._since_kept = 0.0
        self._folded = False
        self._shown()
        if opened is not None and alone(opened) != alone(self.document):
            self.open_document(opened)

    @override
    def again(self) -> "EditorScene":
        """The same, from its save."""
        return EditorScene(self.window, self.context)

    def _say(self, message: str, kind: Kind = "info") -> None:
        """A sentence about the drawing as it is: it goes when that changes."""
        self.window.say(message, kind, self.work.unchanged())

    # The document

    @property
    def document(self) -> Document:
        """What is being edited."""
        return self.work.document

    @property
    def drawing(self) -> Drawing:
        """What is on the board, with the stroke under way."""
        return self.hand.stroke.drawing if self.hand.stroke is not None else self.document.drawing

    def _shown(self) -> None:
        """Everything follows the document."""
        drawing = self.document.drawing
        self.canvas.show(drawing)
        self.hand.look_again()
        if self._sizer is not None and self._ruler is not None:
            self._sizer.set(label=f"{drawing.rows}×{drawing.cols}")
            self._ruler.set(label=rules_label(self.document.rules))
        if self._tiles and tuple(self._tiles) != self.hand.kinds:
            if self.hand.kind not in self.hand.kinds:
                self.hand.take(WALL)
            self.rebuild()

    def _travel(self, step: Callable[[], str]) -> None:
        if self.hand.stroke is not None:
            self.hand.end(keep=False)
        elif self.work.travel(step):
            self.window.play("undo")

    # Layout

    @override
    def build(self) -> None:
        """Palette, tools, board, cards."""
        theme = self.theme
        areas = layout(self.size, theme)
        self._folded = areas.folded
        self.top_bar = TopBar(
            self.kit, self.size[0], "Level editor", ACCENT.on(theme), TOP_ACTIONS, self.window.command, self.groups
        )
        rect = areas.board
        palette = pygame.Rect(rect.left, rect.top, theme.px(PALETTE_WIDTH), rect.height)
        self._tiles = build_palette(self.kit, palette, self.hand.kinds, self.take)
        left = palette.right + theme.px(GUTTER)
        tools = pygame.Rect(left, rect.top, rect.right - left, 0)
        tools.height = toolbar_height(theme, tools.width)
        drawing = self.document.drawing
        size, rules = f"{drawing.rows}×{drawing.cols}", self.document.rules
        self._tools, self._sizer, self._ruler = build_toolbar(self.kit, tools, size, rules, self.window.command)
        top = tools.bottom + theme.px(GUTTER)
        self.canvas.layout(pygame.Rect(left, top, rect.right - left, rect.bottom - top), theme)
        if areas.folded:
            build_rail(self.kit, areas.panel, self.window.command)
        else:
            self.cards.build(self.kit, areas.panel, self.window.command)
        self._show_hand()

    def take(self, kind: int) -> None:
        """Paint with another kind of square."""
        self.hand.take(kind)

    def use(self, tool: str) -> None:
        """Paint with another tool."""
        self.hand.end(keep=False)
        self.hand.tool = tool

    def _show_hand(self) -> None:
        """The palette and the bar follow what the hand holds."""
        for kind, tile in self._tiles.items():
            taken = kind == self.hand.kind
            tile.select(taken)
            tile.show_cell(self.hand.cell if taken else self.hand.cell_of(kind))
            tile.show_missing(self.review.missing.get(kind, 0))
        for tool, button in self._tools.items():
            button.set_selected(tool == self.hand.tool)

    # Commands

    @override
    def command(self, command: str) -> bool:
        """Everything that keys and buttons ask for."""
        verb, _, rest = command.partition("_")
        drawing = self.document.drawing
        plain: dict[str, Callable[[], object]] = {
            "undo": lambda: self._travel(self.work.history.undo),
            "redo": lambda: self._travel(self.work.history.redo),
            "draw": self.hand.press, "accept": self.hand.press, "run": lambda: self.hand.next_tile(1),
            "erase": lambda: self.work.redraw("erase", drawings.paint(drawing, (self.hand.place(),), EMPTY)),
            "mirror": lambda: self.work.redraw("mirror", drawings.mirror(drawing)),
            "mirror_upright": lambda: self.work.redraw("mirror", drawings.mirror(drawing, upright=True)),
            "rotate": lambda: self.work.redraw("turn", drawings.rotate(drawing)),
            "rotate_back": lambda: self.work.redraw("turn back", drawings.rotate(drawing, back=True)),
            "crop": self._crop, "resize": self._resize, "rules": self._rule, "new_map": self.new_map, "try": self.try_it,
            "solvable": self.ask, "hint": self.ask, "watch": self.watch,
            "train_map": self.learning.ask, "save": self.exchange.save,
            "save_as": self.exchange.save_as, "packs": self.open_packs, "open_file": self.exchange.open_file,
            "export": self.exchange.export, "copy": lambda: self.exchange.copy(FORM["xsb"]),
            "copy_array": lambda: self.exchange.copy(FORM["python"]), "paste": self.exchange.paste,
            "back": self._back, "closer": lambda: self.canvas.zoom_by(ZOOM), "further": lambda: self.canvas.zoom_by(1 / ZOOM),
        }  # fmt: skip
        if command in plain:
            if command not in KEEPS_STROKE:
                self.hand.end(keep=False)
            plain[command]()
        elif command in WAYS:
            self.hand.walk(command)
        elif verb == "draw" and rest in WAYS:
            self.hand.walk(rest, paint=True)
        elif verb == "shift" and rest in WAYS:
            self.work.redraw(f"shift {rest}", drawings.shift(drawing, WAYS[rest]))
        elif verb == "tool" and rest in TOOL:
            self.use(rest)
        else:
            return False
        return True

    def _back(self) -> None:
        if self.hand.stroke is not None:
            self.hand.end(keep=False)
        elif self.kit.focused is not None:
            self.kit.focus(None)
        elif self.work.solving.busy:
            self.work.solving.forget()
        else:
            self.window.pop()

    def _crop(self) -> None:
        before = self.document.drawing
        after = drawings.crop(before)
        if after == before:
            self._say("There is nothing to crop.")
        self.work.redraw("crop", after)

    def _resize(self) -> None:
        def done(drawing: Drawing) -> None:
            self.work.redraw(f"resize to {drawing.rows} × {drawing.cols}", drawing)

        self.window.push(SizeDialog(self.window, self.document.drawing, done))

    def _rule(self) -> None:
        def done(rules: Rules) -> None:
            document = self.document
            try:
                drawing = drawings.with_rules(document.drawing, rules)
            except ValueError as error:
                self.window.say(f"These rules cannot be: {error}.", "bad")
            else:
                self.work.change(f"rules: {rules.name}", replace(document, drawing=drawing, rules=rules))

        self.window.push(RulesDialog(self.window, self.document.rules, done))

    def new_map(self) -> None:
        """A new map, with the same author; undo brings back the drawing there was."""
        before = self.document
        self.work.change("new map", Document(drawings.blank(), author=before.author))
        if self.document != before:
            self._say("A new map. Undo brings back the drawing you had.")

    def open_packs(self) -> None:
        """The user's own packs."""
        self.exchange.with_packs(self._show_packs)

    def _show_packs(self) -> None:
        packs = self.exchange.packs
        self.window.push(PacksScene(self.window, self.context, packs, self._shelf, self.open_document))

    @property
    def _shelf(self) -> str:
        """Where in the own packs the document is."""
        return UNFINISHED if self.exchange.packs.drawing(self.document.draft) is not None else self.document.pack

    def open_document(self, document: Document) -> None:
        """Edit a level of an own pack, or an unfinished drawing."""
        self.work.change(f"open “{document.title or 'Untitled'}”", document)

    # Playing and solving

    def try_it(self) -> None:
        """Play the level at once; the way back leads here."""
        if self.work.level is None:
            self._say(f"This cannot be played yet: {self.work.problem}.", "bad")
        else:
            self.window.push(SokobanScreen(self.window, self.context, self.work.level))

    def ask(self) -> None:
        """Ask the solver, or stop it."""
        if self.work.solving.busy:
            self.work.solving.forget()
        elif self.work.level is None:
            self._say(f"The solver needs a whole level: {self.work.problem}.", "bad")
        else:
            self.context.prepare_first(kernels.needed(GAME.id, SOLVER))
            self.work.solving.ask(self.work.level.state)

    def watch(self) -> None:
        """Let the solver show its solution."""
        if self.work.level is None or not self.work.solving.solution:
            holds = lambda: not self.work.solving.solution  # noqa: E731
            self.window.say("Ask first whether it is solvable (H).", holds=holds)
        else:
            plan = (SOLVER, self.work.solving.answer) if self.work.solving.answer is not None else None
            self.window.push(SokobanScreen(self.window, self.context, self.work.level, plan))

    # Events

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """The mouse on the board, digits, dropped files."""
        if event.type == pygame.MOUSEMOTION and event.buttons[1]:
            self.canvas.pan(*event.rel)
        elif event.type == pygame.MOUSEMOTION:
            self.hand.point_at(event.pos, _shift())
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3):
            return self.hand.press_at(event.pos, event.button == 3, _shift())
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.hand.release()
        elif event.type == pygame.MOUSEWHEEL and event.y and self.canvas.area.collidepoint(self.kit.pointer):
            self._wheel(event.y)
        elif event.type == pygame.KEYDOWN and event.unicode in self._digits and event.unicode:
            self.take(self.hand.kinds[int(event.unicode) - 1])
        elif event.type == pygame.DROPFILE:
            self.exchange.drop(Path(event.file))
        elif event.type == pygame.DROPTEXT:
            self.exchange.import_text(event.text, "the dropped text")
        else:
            return False
        return True

    @property
    def _digits(self) -> tuple[str, ...]:
        return tuple("12345678"[: len(self.hand.kinds)])

    def _wheel(self, notches: int) -> None:
        """Another tile; with Ctrl closer or further."""
        if pygame.key.get_mods() & pygame.KMOD_CTRL:
            self.canvas.zoom_by(ZOOM**notches, self.kit.pointer)
        else:
            self.hand.next_tile(-1 if notches > 0 else 1)

    # Frame

    @override
    def update(self, dt: float) -> None:
        """Checks, solver, files, and the stroke under way into the save."""
        self.review.look(self.drawing, self.document.rules)
        self.work.solving.update()
        if self.work.solving.problem:
            self.window.say(self.work.solving.problem, "bad")
            self.work.solving.problem = ""
        self.learning.update()
        self.exchange.update()
        if not self._folded:
            self.cards.update(dt)
        self._since_kept += dt
        if self.hand.stroke is not None and self._since_kept > KEEP_SECONDS:
            self._since_kept = 0.0
            self.work.draft.save(replace(self.document, drawing=self.drawing))
        self._show_hand()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Board, cards, bars."""
        hand = self.hand
        self.canvas.draw(surface, Marks(self.review.faults, self.review.notes, hand.touched, hand.cursor))
        if not self._folded:
            self.cards.draw(surface)
        if self.top_bar is not None:
            title = f"“{self.document.title}”" if self.document.title else "Untitled"
            drawing = self.document.drawing
            self.top_bar.subtitle = f"{title} · {drawing.rows} × {drawing.cols}"
            self.top_bar.buttons["undo"].set_enabled(self.work.history.can_undo or self.hand.stroke is not None)
            self.top_bar.buttons["redo"].set_enabled(self.work.history.can_redo)
            self.top_bar.draw(surface)

    @override
    def enter(self) -> None:
        """The screen is in front."""
        self.exchange.open()

    @override
    def leave(self) -> None:
        """Another screen covers this one: a solver without an answer stops, the drawing is kept."""
        self.hand.end()
        self.rest()
        self.work.draft.save()

    @override
    def rest(self) -> None:
        """Minimised: a solver without an answer stops."""
        if self.work.solving.busy:
            self.work.solving.forget()

    @override
    def close(self) -> None:
        """End the threads; the drawing was kept when the screen was left."""
        self.work.solving.close()
        self.review.close()
        self.exchange.close()

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What a click does, where the pointer is."""
        tool = TOOL[self.hand.tool]
        if self.work.solving.busy:
            left = "The solver is thinking · Esc stops it"
            if self.work.solving.waiting:
                left = self.context.preparing or "The solver is being prepared"
        elif self.hand.stroke is not None and self.hand.by_key:
            left = f"{tool.title}: arrows, then Space draws it · Esc cancels"
        else:
            bad = next((check.text for check in self.review.checks if check.verdict == "bad"), "")
            first = f"{bad[:1].upper()}{bad[1:]} · " if self._folded and bad else ""
            name = drawings.name_of(self.hand.cell)
            name = name[:1].upper() + name[1:]
            left = f"{first}{name} · {tool.verb} · right button picks"
            if self.hand.tool == "brush":
                left += " · Shift draws a line"
        square = self.hand.square
        kept = "saved as you draw" if self.context.saves.writable else "not saved: the saves folder is read-only"
        if square is not None:
            row, col = divmod(square, self.document.drawing.cols)
            kept = f"row {row + 1}, column {col + 1} · {kept}"
        return left, kept, self.work.solving.busy


def _shift() -> bool:
    return bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
