"""Choosing a file: a folder as a list, a line to type into, by mouse or keyboard.

The same dialog opens and saves. A name typed may be a whole path, `~` included; a folder typed or chosen is entered.
"""

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame
from typing_extensions import override

from game.ui import text
from game.ui.controls import Button
from game.ui.dialog import Answer, Dialog
from game.ui.field import TextField
from game.ui.lines import Line, Lines
from game.ui.scene import Host
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL

WIDTH, INSIDE = 760, 380
"""Wide enough for the name of a recorded game, to its ending."""
MOST_ENTRIES = 2000


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list."""

    name: str
    folder: bool


def entries(folder: Path, suffixes: Sequence[str]) -> list[Entry]:
    """The folders and the files with one of the endings, hidden ones left out; raises OSError."""
    found = []
    with os.scandir(folder) as listing:
        for item in listing:
            if item.name.startswith("."):
                continue
            is_folder = item.is_dir()
            if is_folder or item.name.lower().endswith(tuple(suffixes)):
                found.append(Entry(item.name, is_folder))
            if len(found) >= MOST_ENTRIES:
                break
    return sorted(found, key=lambda entry: (not entry.folder, entry.name.lower()))


class FileDialog(Dialog):
    """Asks for a file; `on_choose(path)` is called after it closed."""

    def __init__(
        self,
        window: Host,
        title: str,
        folder: Path,
        suffixes: Sequence[str],
        on_choose: Callable[[Path], None],
        save_as: str | None = None,
    ) -> None:
        """`save_as` is the name proposed for a new file; without it an existing one is chosen."""
        self.saving = save_as is not None
        label = "Save" if self.saving else "Open"
        super().__init__(window, title, "", (Answer(label, style="primary"), Answer("Cancel")), WIDTH, INSIDE)
        self.suffixes, self.on_choose = tuple(suffixes), on_choose
        self.folder = _nearest(folder)
        self.name = save_as or ""
        self.problem = ""
        self.found: list[Entry] = []
        self.field: TextField | None = None
        self.list: Lines | None = None
        self._look()

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """Folder above, list, name below."""
        high, gap = self.theme.px(CONTROL_HEIGHT), self.theme.px(10)
        up = pygame.Rect(rect.left, rect.top, high, high)
        Button(
            self.kit, up, icon="arrow-up", on_press=lambda: self.enter_folder(self.folder.parent), tip="Parent folder"
        )
        self.head = pygame.Rect(up.right + gap, rect.top, rect.right - up.right - gap, high)
        self.field = TextField(
            self.kit, pygame.Rect(rect.left, rect.bottom - high, rect.width, high), self.name,
            on_done=lambda _text: self.answer(self.answers[0]), longest=400,
            placeholder="Name of the file, or a path",
        )  # fmt: skip
        top = up.bottom + gap
        place = pygame.Rect(rect.left, top, rect.width, rect.bottom - high - gap - top)
        lines = [Line(entry.name, icon="folder" if entry.folder else "grid") for entry in self.found]
        self.list = Lines(
            self.kit,
            place,
            lines,
            on_choose=self.choose,
            on_open=self.open,
            on_back=lambda: self.enter_folder(self.folder.parent),
            empty="No matching files here",
        )
        self.kit.focus(self.field if self.saving else self.list)

    def enter_folder(self, folder: Path) -> None:
        """Show another folder."""
        self.name = self.field.text if self.field is not None and self.saving else ""
        self.folder = folder
        self._look()
        self.rebuild()

    def _look(self) -> None:
        try:
            self.found, self.problem = entries(self.folder, self.suffixes), ""
        except OSError as error:
            self.found, self.problem = [], f"This folder cannot be opened: {error.strerror or error}."

    def choose(self, at: int) -> None:
        """A line of the list was chosen: a file's name goes into the line below."""
        if self.field is not None and not self.found[at].folder:
            self.field.entry.set_text(self.found[at].name)

    def open(self, at: int) -> None:
        """A line of the list was opened."""
        if self.found[at].folder:
            self.enter_folder(self.folder / self.found[at].name)
        else:
            self.choose(at)
            self.answer(self.answers[0])

    @override
    def answer(self, answer: Answer) -> None:
        """Save and Open go on only with a file that makes sense."""
        if answer is not self.answers[0]:
            super().answer(answer)
            return
        typed = self.field.text.strip() if self.field is not None else ""
        if not typed:
            self.problem = "Choose a file, or type its name."
            return
        path = self.folder / Path(typed).expanduser()
        try:
            if path.is_dir():
                self.enter_folder(path.resolve())
            elif self.saving:
                self._save(path if path.suffix else path.with_suffix(self.suffixes[0]))
            elif path.exists():
                self._done(path)
            else:
                self.problem = f"There is no {path.name} here."
        except (OSError, ValueError) as error:
            self.problem = f"This name cannot be used: {getattr(error, 'strerror', None) or error}."

    def _save(self, path: Path) -> None:
        if path.exists():
            answers = (Answer("Replace", lambda: self._done(path), "danger"), Answer("Cancel"))
            self.window.push(Dialog(self.window, f"Replace {path.name}?", "The file is there already.", answers))
        else:
            self._done(path)

    def _done(self, path: Path) -> None:
        self.window.pop()
        self.on_choose(path)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """Which folder this is, and what is wrong."""
        theme = self.theme
        shown = str(self.folder)
        while len(shown) > 8 and text.width(theme, shown) > self.head.width:
            shown = "…" + shown[2:]
        text.draw(surface, theme, shown, self.head.midleft, colour=theme.muted, anchor="midleft")
        if self.problem:
            place = (self.card.left + theme.px(24), self.card.bottom - theme.px(24 + CONTROL_HEIGHT // 2))
            text.draw(surface, theme, self.problem, place, size=FONT_SMALL, colour=theme.bad, anchor="midleft",
                      limit=self.card.width - theme.px(240))  # fmt: skip


def _nearest(folder: Path) -> Path:
    """The folder, made if it is missing; where that cannot be, the first one above that is there."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder
