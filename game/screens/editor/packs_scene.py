"""The user's own packs: make, rename, reorder, delete; look at their levels, play, edit, move and delete them.

Every change can be undone, also a deleted pack. The packs are in Sokoban's list of levels as well. Drawings that are no
levels yet have a line of their own below the packs; they can be edited, moved and deleted, but not played.
"""

from collections.abc import Callable, Sequence
from functools import partial

import pygame
from typing_extensions import override

from game.play.words import counted
from game.rules.editing.checks import document_of, problem_of
from game.rules.editing.history import MAX_TITLE, Document
from game.rules.levels import Level
from game.saves.user_packs import FIRST_TITLE, OwnPack, PackError, UserPacks
from game.screens.context import Context
from game.screens.editor.level_grid import LevelGrid
from game.screens.sokoban.screen import SokobanScreen
from game.ui import text
from game.ui.chrome import Action, TopBar, draw_card
from game.ui.controls import Button, Style
from game.ui.layout import layout
from game.ui.lines import Line, Lines
from game.ui.name_dialog import NameDialog
from game.ui.scene import Host, Scene
from game.ui.shortcuts import MOVES, ONLY_HISTORY, THIS_GAME, WINDOW
from game.ui.theme import CONTROL_HEIGHT
from game.views.sokoban.accent import ACCENT

COLUMN, COLUMN_NARROW = 320, 280
SMALL = 44
"""Width of a button with nothing but an icon."""
LABELS_FROM = 420
"""Width in units of the levels' card from which its buttons have words."""
PAD = 14
UNFINISHED = "?"
"""Stands for the unfinished drawings among the names of packs; no file has this name."""
TOP_ACTIONS = (
    Action("undo", "Undo", "undo"),
    Action("redo", "Redo", "redo"),
    Action("help", "Keys", "help"),
)


class PacksScene(Scene):
    """Packs on the left, the levels of the chosen one on the right."""

    name = "packs"
    groups = (MOVES, THIS_GAME, WINDOW)
    without = ONLY_HISTORY
    gestures = (
        ("click", "Choose a pack or a level"),
        ("double click", "Edit a level"),
        ("Ctrl arrows", "Move the chosen level"),
        ("Del", "Delete the chosen level"),
    )

    def __init__(
        self, window: Host, context: Context, packs: UserPacks, stem: str, on_edit: Callable[[Document], None]
    ) -> None:
        """Opens at the pack `stem`, or at the drawings (`UNFINISHED`), if they are there.

        `on_edit` gets a level or a drawing as a document, after the screen closed.
        """
        super().__init__(window)
        self.context, self.packs, self.on_edit = context, packs, on_edit
        self.stem = stem if stem in self._stems else next(iter(self._stems), "")
        self.at = 0
        """The chosen level, from 0."""
        self.top_bar: TopBar | None = None
        self.grid: LevelGrid | None = None
        self._cards: tuple[pygame.Rect, pygame.Rect] = (pygame.Rect(0, 0, 0, 0), pygame.Rect(0, 0, 0, 0))

    @override
    def again(self) -> "PacksScene":
        """The same packs."""
        return PacksScene(self.window, self.context, self.packs, self.stem, self.on_edit)

    @property
    def _stems(self) -> list[str]:
        """The lines of the list."""
        return [own.stem for own in self.packs.packs] + [UNFINISHED] * bool(self.packs.drawings)

    @property
    def own(self) -> OwnPack | None:
        """The chosen pack; None while the drawings are chosen."""
        return self.packs.get(self.stem)

    @property
    def drawn(self) -> bool:
        """Whether the unfinished drawings are chosen."""
        return self.stem == UNFINISHED

    @property
    def shown(self) -> Sequence[Level | Document]:
        """The cards on the right."""
        return self.packs.drawings if self.drawn else self.own.pack.levels if self.own is not None else ()

    # Layout

    @override
    def build(self) -> None:
        """Two cards with a line of buttons each."""
        theme = self.theme
        areas = layout(self.size, theme, panel=False)
        self.top_bar = TopBar(self.kit, self.size[0], "My packs", ACCENT.on(theme), TOP_ACTIONS, self.window.command)
        wide = theme.px(COLUMN if areas.board.width > theme.px(1000) else COLUMN_NARROW)
        gap = theme.px(16)
        left = pygame.Rect(areas.board.left, areas.board.top, wide, areas.board.height)
        right = pygame.Rect(left.right + gap, left.top, areas.board.right - left.right - gap, left.height)
        self._cards = (left, right)
        self._build_packs(left.inflate(-2 * theme.px(PAD), -2 * theme.px(PAD)))
        self._build_levels(right.inflate(-2 * theme.px(PAD), -2 * theme.px(PAD)))

    def _build_packs(self, rect: pygame.Rect) -> None:
        theme, packs = self.theme, self.packs.packs
        high, gap = theme.px(CONTROL_HEIGHT), theme.px(8)
        stems = self._stems
        at = stems.index(self.stem) if self.stem in stems else 0
        lines = [Line(own.title, counted(len(own.pack.levels), "level"), "layers") for own in packs]
        if self.packs.drawings:
            lines.append(Line("Unfinished", counted(len(self.packs.drawings), "drawing"), "edit"))
        foot = 2 * high + 2 * gap
        Lines(
            self.kit, pygame.Rect(rect.left, rect.top, rect.width, rect.height - foot), lines, at, on_choose=self._choose_pack,
            on_open=lambda _at: self.kit.focus(self.grid), empty="No packs yet", accent=ACCENT.on(theme),
        )  # fmt: skip
        top = rect.bottom - 2 * high - gap
        half = (rect.width - gap) // 2
        Button(self.kit, pygame.Rect(rect.left, top, half, high), "New pack", icon="plus", on_press=self.make)
        rename = Button(
            self.kit, pygame.Rect(rect.right - half, top, half, high), "Rename", icon="edit", on_press=self.rename
        )
        top += high + gap
        third = theme.px(SMALL)
        up = Button(
            self.kit,
            pygame.Rect(rect.left, top, third, high),
            icon="arrow-up",
            on_press=lambda: self.move(-1),
            tip="Move up",
        )
        down = Button(self.kit, pygame.Rect(rect.left + third + gap, top, third, high), icon="arrow-down",
                      on_press=lambda: self.move(1), tip="Move down")  # fmt: skip
        wide = rect.width - 2 * third - 2 * gap
        delete = Button(self.kit, pygame.Rect(rect.right - wide, top, wide, high), "Delete pack", icon="trash", style="danger",
                        on_press=self.delete)  # fmt: skip
        for button in (rename, up, down, delete):
            button.set_enabled(self.own is not None)
        up.set_enabled(self.own is not None and at > 0)
        down.set_enabled(self.own is not None and at < len(packs) - 1)

    def _build_levels(self, rect: pygame.Rect) -> None:
        theme = self.theme
        levels = self.shown
        self.at = min(self.at, max(0, len(levels) - 1))
        high, gap = theme.px(CONTROL_HEIGHT), theme.px(8)
        left = rect.left
        buttons = []
        back, on = "Move towards the start (Ctrl ←)", "Move towards the end (Ctrl →)"
        what = "drawing" if self.drawn else "level"
        play = "A drawing is played as soon as it is finished" if self.drawn else "Play the level"
        for label, icon, action, wide, tip in (
            ("Edit", "edit", self.edit, 92, f"Edit the {what} (Enter)"),
            ("Play", "play", self.play, 92, play),
            ("", "arrow-left", lambda: self.move_level(self.at - 1), SMALL, back),
            ("", "arrow-right", lambda: self.move_level(self.at + 1), SMALL, on),
            ("Delete", "trash", self.delete_level, 104, f"Delete the {what} (Del)"),
        ):
            if rect.width < theme.px(LABELS_FROM):
                label, wide = "", SMALL
            place = pygame.Rect(left, rect.top, theme.px(wide), high)
            style: Style = "danger" if icon == "trash" else "plain"
            buttons.append(Button(self.kit, place, label, icon=icon, style=style, on_press=action, tip=tip))
            left = place.right + gap
        for button in buttons:
            button.set_enabled(bool(levels) and not (self.drawn and button.icon == "play"))
        top = rect.top + high + theme.px(PAD)
        self.grid = LevelGrid(
            self.kit, pygame.Rect(rect.left, top, rect.width, rect.bottom - top), levels, self.at, on_choose=self._choose_level,
            on_open=lambda _at: self.edit(), on_move=self.move_level, on_delete=self.delete_level,
        )  # fmt: skip

    def _choose_pack(self, at: int) -> None:
        stem = self._stems[at]
        if stem != self.stem:
            self.stem, self.at = stem, 0
            self.rebuild()

    def _choose_level(self, at: int) -> None:
        self.at = at

    # Changes

    def _try(self, change: Callable[[], object], said: str = "") -> bool:
        """Make a change and show it; says why where it cannot be."""
        try:
            change()
        except PackError as error:
            self.window.say(str(error), "bad")
            return False
        if self.stem not in self._stems:
            self.stem = next(iter(self._stems), "")
        if self.window.top is self:
            self.rebuild()
        if said:
            self.window.say(said)
        return True

    def make(self) -> None:
        """Ask for a name and make a pack."""

        def done(title: str) -> None:
            def change() -> None:
                self.stem, self.at = self.packs.make(title), 0

            self._try(change)

        self.window.push(NameDialog(self.window, "New pack", "Make it", FIRST_TITLE, done, longest=MAX_TITLE))

    def rename(self) -> None:
        """Ask for another name."""
        own = self.own
        if own is not None:

            def done(title: str) -> None:
                self._try(lambda: self.packs.rename(own.stem, title))

            self.window.push(NameDialog(self.window, "Rename the pack", "Rename", own.title, done, longest=MAX_TITLE))

    def move(self, by: int) -> None:
        """Move the pack in the list."""
        self._try(lambda: self.packs.move(self.stem, by))

    def delete(self) -> None:
        """Delete the pack; undo brings it back."""
        own = self.own
        if own is not None:
            self._try(lambda: self.packs.remove(own.stem), f"“{own.title}” is deleted. Undo (Z) brings it back.")

    def move_level(self, to: int) -> None:
        """Move the chosen level to another place."""

        def change() -> None:
            move = self.packs.move_drawing if self.drawn else partial(self.packs.move_level, self.stem)
            self.at = move(self.at, to)

        self._try(change)

    def delete_level(self) -> None:
        """Delete the chosen level; undo brings it back."""
        remove = self.packs.drop if self.drawn else partial(self.packs.remove_level, self.stem)
        what = "The drawing" if self.drawn else f"Level {self.at + 1}"
        self._try(lambda: remove(self.at), f"{what} is deleted. Undo (Z) brings it back.")

    @property
    def chosen(self) -> Level | Document | None:
        """The chosen level or drawing."""
        return self.shown[self.at] if self.at < len(self.shown) else None

    def edit(self) -> None:
        """Back to the editor with the chosen level or drawing."""
        chosen = self.chosen
        if chosen is not None:
            self.window.pop()
            self.on_edit(document_of(chosen, self.stem) if isinstance(chosen, Level) else chosen)

    def play(self) -> None:
        """Play the chosen level."""
        if isinstance(self.chosen, Level):
            self.window.push(SokobanScreen(self.window, self.context, self.chosen))

    # Scene

    @override
    def command(self, command: str) -> bool:
        """Undo, redo, and what every screen does."""
        if command in ("undo", "redo"):
            what = self.packs.undo() if command == "undo" else self.packs.redo()
            if what:
                self.window.play("undo")
                self._try(lambda: None, f"{'Undone' if command == 'undo' else 'Done again'}: {what}.")
            return True
        if command == "back" and self.kit.focused is not None:
            self.kit.focus(None)
            return True
        return super().command(command)

    @override
    def update(self, dt: float) -> None:
        """Thumbnails that are still missing."""
        if self.grid is not None and self.grid.unfinished:
            self.grid.repaint()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Cards and the bar."""
        theme = self.theme
        for card in self._cards:
            draw_card(surface, theme, card)
        right = self._cards[1]
        if not self.shown:
            words = "This pack is empty: save a level into it from the editor."
            if self.own is None:
                words = "No packs yet: make one, or save a level from the editor."
            text.draw(
                surface,
                theme,
                words,
                right.center,
                colour=theme.muted,
                anchor="center",
                limit=right.width - theme.px(32),
            )
        if self.top_bar is not None:
            own = self.own
            self.top_bar.subtitle = (
                f"{own.title} · {counted(len(own.pack.levels), 'level')}" if own is not None else ""
            )
            if self.drawn:
                self.top_bar.subtitle = f"Unfinished · {counted(len(self.packs.drawings), 'drawing')}"
            self.top_bar.buttons["undo"].set_enabled(self.packs.can_undo)
            self.top_bar.buttons["redo"].set_enabled(self.packs.can_redo)
            self.top_bar.draw(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """Where the packs are; what an unfinished drawing lacks."""
        if isinstance(self.chosen, Document):
            lacks = problem_of(self.chosen)
            said = f"no level yet: {lacks}" if lacks else "finished: save it into a pack"
            return f"“{self.chosen.title or 'Untitled'}” is {said} · Double click or Enter edits it", "", False
        return "Double click or Enter edits a level · Sokoban's list of levels shows these packs too", "", False
