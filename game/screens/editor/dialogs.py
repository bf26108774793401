"""The questions of the level editor: size, what to save where, how to export, which of several levels to open."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame
from typing_extensions import override

from game.rules.editing import drawings
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import MAX_COMMENT, MAX_TITLE, Document
from game.rules.sokoban import Rules
from game.saves.user_packs import FIRST_TITLE, PackError, UserPacks
from game.screens.editor.export import FORMS, Form
from game.ui import text
from game.ui.controls import Button, Stepper, Toggle
from game.ui.dialog import Answer, Dialog
from game.ui.field import TextField
from game.ui.lines import Line, Lines
from game.ui.scene import Host
from game.ui.select import Option, Select
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL
from game.views.sokoban.accent import ACCENT

NEW_PACK = "+"
"""The option of the list of packs that makes a new one; no file has this name."""
LINE = CONTROL_HEIGHT + 10
RULE_LINE = 62
LABEL = 92
MOST_OPTIONS = 300


class SizeDialog(Dialog):
    """Rows, columns, and where the drawing stays."""

    def __init__(self, window: Host, drawing: Drawing, on_done: Callable[[Drawing], None]) -> None:
        """`on_done` gets the drawing in its new size."""
        answers = (Answer("Resize", self._finish, "primary"), Answer("Cancel"))
        super().__init__(window, "Size of the map", "", answers, 440, 150)
        self.drawing, self.on_done = drawing, on_done
        self.rows, self.cols = drawing.rows, drawing.cols
        self.anchor = (0, 0)
        """(down, across): where the drawing stays, 0 to 2 each."""
        self._anchors: dict[tuple[int, int], Button] = {}
        self._note_at = (0, 0)

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """Two steppers on the left, nine places on the right."""
        theme, high = self.theme, self.theme.px(CONTROL_HEIGHT)
        wide = rect.width - theme.px(150)
        for number, (label, name) in enumerate((("Rows", "rows"), ("Columns", "cols"))):
            place = pygame.Rect(rect.left, rect.top + number * (high + theme.px(10)), wide, high)
            Stepper(self.kit, place, label, str(getattr(self, name)), on_step=partial(self._step, name))
        side, gap = theme.px(32), theme.px(4)
        left = rect.right - 3 * side - 2 * gap
        self._anchors = {}
        for down in range(3):
            for across in range(3):
                place = pygame.Rect(left + across * (side + gap), rect.top + down * (side + gap), side, side)
                where = f"{('top', 'middle', 'bottom')[down]}, {('left', 'centre', 'right')[across]}"
                self._anchors[down, across] = Button(
                    self.kit, place, "•", on_press=partial(self._stay, (down, across)), accent=ACCENT.on(theme),
                    selected=(down, across) == self.anchor, tip=f"The drawing stays at the {where}",
                )  # fmt: skip
        self._note_at = (rect.left, rect.top + 2 * high + theme.px(32))

    def _step(self, name: str, by: int) -> str:
        setattr(self, name, min(drawings.MOST, max(drawings.LEAST, getattr(self, name) + by)))
        return str(getattr(self, name))

    def _stay(self, at: tuple[int, int]) -> None:
        self.anchor = at
        for place, button in self._anchors.items():
            button.set_selected(place == at)

    @property
    def resized(self) -> Drawing:
        """What would come out."""
        return drawings.resize(self.drawing, self.rows, self.cols, *self.anchor)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What would be cut off."""
        before, after = self.drawing, self.resized
        lost = (
            sum(map(bool, before.cells))
            - before.cells.count(1)
            - (sum(map(bool, after.cells)) - after.cells.count(1))
        )
        said, ink = "Walls all round move with the edge.", self.theme.muted
        if lost:
            said, ink = (
                f"{lost} {'piece is' if lost == 1 else 'pieces are'} cut off; undo brings them back.",
                self.theme.bad,
            )
        text.draw(surface, self.theme, said, self._note_at, size=FONT_SMALL, colour=ink)

    def _finish(self) -> None:
        self.on_done(self.resized)


RULES = (
    ("pull", "Boxes can be pulled", "A player may pull the box behind him (Shift and an arrow)."),
    ("fixed", "Fixed targets", "Every box has a letter and a target of its own; 26 at most."),
    ("two", "Two players", "A second player; either may act at every step."),
)


class RulesDialog(Dialog):
    """Which of the rule variants the level has; they go together."""

    def __init__(self, window: Host, rules: Rules, on_done: Callable[[Rules], None]) -> None:
        """`on_done` gets the rules that were chosen."""
        answers = (Answer("Use these rules", self._finish, "primary"), Answer("Cancel"))
        super().__init__(window, "Rules of the level", "", answers, 460, len(RULES) * RULE_LINE)
        self.on_done = on_done
        self.chosen = {"pull": rules.pull, "fixed": rules.fixed, "two": rules.players == 2}
        self._helps: list[tuple[str, tuple[int, int]]] = []

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """A switch for each, with what it means below it."""
        theme = self.theme
        self._helps = []
        for number, (name, title, meaning) in enumerate(RULES):
            top = rect.top + number * theme.px(RULE_LINE)
            place = pygame.Rect(rect.left, top, rect.width, theme.px(30))
            Toggle(
                self.kit, place, title, self.chosen[name],
                on_change=partial(self.chosen.__setitem__, name),
            )  # fmt: skip
            self._helps.append((meaning, (rect.left, place.bottom)))

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What each means."""
        for meaning, place in self._helps:
            text.draw(surface, self.theme, meaning, place, size=FONT_SMALL, colour=self.theme.muted)

    def _finish(self) -> None:
        self.on_done(Rules(self.chosen["pull"], self.chosen["fixed"], 2 if self.chosen["two"] else 1))


class SaveDialog(Dialog):
    """Title, author, comment and the pack."""

    keeps_text = True

    def __init__(
        self,
        window: Host,
        document: Document,
        packs: UserPacks,
        number: int | None,
        on_done: Callable[[Document, str, bool], None],
        last: str = "",
    ) -> None:
        """`on_done(document, stem, as_new)`; `number` is the level's place in its pack, None for a new level.

        `last` is the pack that was saved into last. A new level is proposed for that one, else for the pack of the
        user's own drawings: never for one that only holds levels from elsewhere.
        """
        answers = [Answer("Save", lambda: self._finish(False), "primary", "save"), Answer("Cancel")]
        if number is not None:
            answers.insert(1, Answer("Save as a new level", lambda: self._finish(True)))
        super().__init__(window, "Save the level", "", answers, 520, 5 * LINE)
        self.document, self.packs, self.on_done = document, packs, on_done
        own = next((each.stem for each in packs.packs if each.title == FIRST_TITLE), NEW_PACK)
        self.stem = next((stem for stem in (document.pack, last) if stem and packs.get(stem)), own)
        self._shown_comment = document.comment.replace("\n", " / ")
        self._texts = [document.title, document.author, self._shown_comment, ""]
        self._fields: list[TextField] = []
        self._labels: list[tuple[str, int]] = []

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """One line each; the name of a new pack only where one is made."""
        if self._fields:
            self._texts = [field.text for field in self._fields] + self._texts[len(self._fields) :]
        theme, high = self.theme, self.theme.px(CONTROL_HEIGHT)
        left, wide = rect.left + theme.px(LABEL), rect.width - theme.px(LABEL)
        names = ["Title", "Author", "Comment", "Pack"] + (["New pack"] if self.stem == NEW_PACK else [])
        self._fields, self._labels = [], []
        for row, name in enumerate(names):
            place = pygame.Rect(left, rect.top + row * theme.px(LINE), wide, high)
            self._labels.append((name, place.centery))
            if name == "Pack":
                options = [Option(own.stem, own.title, f"{len(own.pack.levels)} levels") for own in self.packs.packs]
                options = [*options[-MOST_OPTIONS:], Option(NEW_PACK, "A new pack …")]
                Select(self.kit, place, options, self.stem, on_choose=self._choose)
                continue
            at = min(row, 3)
            longest = MAX_COMMENT if name == "Comment" else MAX_TITLE
            hint = {"Title": "Untitled", "New pack": FIRST_TITLE}.get(name, "")
            self._fields.append(
                TextField(self.kit, place, self._texts[at], placeholder=hint, longest=longest,
                          on_done=lambda _text: self.answer(self.answers[0]))
            )  # fmt: skip
        if self.kit.focused is None:
            self.kit.focus(self._fields[0])

    def _choose(self, stem: str) -> None:
        self.stem = stem
        self.rebuild()

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """The names of the lines."""
        for name, y in self._labels:
            text.draw(surface, self.theme, name, (self.card.left + self.theme.px(24), y), colour=self.theme.muted,
                      anchor="midleft")  # fmt: skip

    def _finish(self, as_new: bool) -> None:
        title, author, comment, *rest = [" ".join(field.text.split()) for field in self._fields]
        if comment == " ".join(self._shown_comment.split()):
            comment = self.document.comment
        try:
            stem = self.packs.make(rest[0] or FIRST_TITLE) if self.stem == NEW_PACK else self.stem
        except PackError as error:
            self.window.say(str(error), "bad")
            return
        old = self.document
        changed = replace(old, title=title, author=author, comment=comment)
        self.on_done(changed, stem, as_new)


class ExportDialog(Dialog):
    """Every form with what it is for, to copy or to save."""

    def __init__(self, window: Host, on_copy: Callable[[Form], None], on_save: Callable[[Form], None]) -> None:
        """The two are called after the dialog closed."""
        super().__init__(window, "Export", "", (Answer("Close"),), 520, len(FORMS) * LINE)
        self.on_copy, self.on_save = on_copy, on_save
        self._lines: list[tuple[Form, pygame.Rect]] = []

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """A line each."""
        theme, high, wide = self.theme, self.theme.px(CONTROL_HEIGHT), self.theme.px(84)
        self._lines = []
        for row, form in enumerate(FORMS):
            place = pygame.Rect(rect.left, rect.top + row * theme.px(LINE), rect.width, high)
            self._lines.append((form, place))
            save = pygame.Rect(place.right - wide, place.top, wide, high)
            if form.text is not None:
                copy = save.move(-wide - theme.px(8), 0)
                Button(self.kit, copy, "Copy", icon="copy", on_press=partial(self._do, self.on_copy, form))
            Button(self.kit, save, "Save", icon="download", on_press=partial(self._do, self.on_save, form))

    def _do(self, action: Callable[[Form], None], form: Form) -> None:
        self.window.pop()
        action(form)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What each form is."""
        theme = self.theme
        for form, place in self._lines:
            text.draw(
                surface, theme, form.title, (place.left, place.centery - theme.px(9)), weight="bold", anchor="midleft"
            )
            text.draw(surface, theme, form.help, (place.left, place.centery + theme.px(10)), size=FONT_SMALL,
                      colour=theme.muted, anchor="midleft", limit=place.width - theme.px(190))  # fmt: skip


class ChooseDialog(Dialog):
    """Which of several levels to open; or all of them as a pack."""

    def __init__(
        self,
        window: Host,
        source: str,
        found: Sequence[Document],
        on_one: Callable[[Document], None],
        on_all: Callable[[], None],
    ) -> None:
        """`source` is the name of the file."""
        answers = (
            Answer("Edit this one", self._finish, "primary", "edit"),
            Answer("Keep all as a pack", on_all, icon="layers"),
            Answer("Cancel"),
        )
        super().__init__(window, source, f"There are {len(found)} levels in it.", answers, 540, 250)
        self.found, self.on_one = tuple(found), on_one
        self.at = 0

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The list."""
        place = pygame.Rect(rect.left, rect.top, rect.width, rect.height - self.theme.px(12))
        lines = [
            Line(f"{number}  {document.title or 'Untitled'}", f"{document.drawing.rows} × {document.drawing.cols}")
            for number, document in enumerate(self.found, 1)
        ]
        chosen = Lines(self.kit, place, lines, self.at, on_choose=self._choose, on_open=self._open)
        self.kit.focus(chosen)

    def _choose(self, at: int) -> None:
        self.at = at

    def _open(self, at: int) -> None:
        self.at = at
        self.answer(self.answers[0])

    def _finish(self) -> None:
        self.on_one(self.found[self.at])
