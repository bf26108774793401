"""Levels into the editor and out of it: files, the clipboard, and the user's own packs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from game.play.words import counted
from game.rules import levels
from game.rules.editing import checks
from game.rules.editing.history import MAX_TITLE, Document
from game.rules.levels import Level, LevelError
from game.saves import level_forms
from game.saves.user_packs import Look, OwnPack, PackError, UserPacks
from game.screens.context import Context
from game.screens.editor import export
from game.screens.editor.dialogs import ChooseDialog, ExportDialog, SaveDialog
from game.screens.editor.export import Form
from game.screens.editor.work import Work
from game.screens.jobs.files import Files
from game.screens.kinds import kind_of_file
from game.ui import clipboard
from game.ui.file_dialog import FileDialog
from game.ui.name_dialog import NameDialog
from game.ui.reading import Unreadable
from game.ui.scene import Host

LAST_PACK = "editor/pack"
"""Under which the pack is remembered that a drawing was saved into last."""


class Exchange:
    """Imports, exports and saves for one editor."""

    def __init__(self, window: Host, context: Context, work: Work) -> None:
        """The user's packs are read when the screen is there: see `open`."""
        self.window, self.context, self.work = window, context, work
        self.packs = UserPacks(context.saves, context.writer, read=False)
        self.exports = Files[Path]()
        self._folder: Path | None = None
        """Where a file was opened or saved last."""
        self._placed: tuple[object, object, OwnPack | None, int | None] = (None, None, None, None)

    def open(self) -> None:
        """The screen is in front: read the user's packs, unless that is done."""
        if not self.packs.known:
            self.with_packs(lambda: None, quiet=True)

    def with_packs(self, action: Callable[[], object], quiet: bool = False) -> None:
        """Look at the files of the user's packs, off the drawing thread, and go on with `action`."""

        def take(found: Look) -> None:
            self.packs.take(found)
            action()

        self.window.read("Reading My packs", self.packs.look, take, quiet)

    def update(self) -> None:
        """Tell what was written and what could not be read."""
        for name, writing in self.exports.ended():
            error = writing.exception()
            if error is None:
                self.window.say(f"Saved as {name} in {writing.result().parent}.", "good")
            else:
                reason = getattr(error, "strerror", None) or str(error)
                self.window.say(f"{name} could not be written: {reason}.", "bad")
        for sentence in self.packs.notices:
            self.window.say(sentence, "bad")
        self.packs.notices.clear()

    def close(self) -> None:
        """Finish what is being written."""
        self.exports.close(finish=True)

    # In

    def open_file(self) -> None:
        """Ask for a file."""
        folder = self._folder or export.default_folder(self.context.saves)
        dialog = FileDialog(self.window, "Import a level", folder, level_forms.SUFFIXES, self.import_path)
        self.window.push(dialog)

    def import_path(self, path: Path) -> None:
        """Open the level of a file, or ask which of several."""
        self._folder = path.parent
        self._read(path.name, path.stem, lambda: level_forms.read(path))

    def drop(self, path: Path) -> None:
        """Open the level of a dropped file; a replay or a model goes to the screen that it belongs to."""

        def read() -> tuple[Document, ...] | None:
            return level_forms.read(path) if kind_of_file(path) == "levels" else None

        self._read(path.name, path.stem, read, elsewhere=lambda: self.window.on_drop(path))

    def _read(
        self,
        source: str,
        title: str,
        read: Callable[[], Sequence[Document] | None],
        elsewhere: Callable[[], object] = lambda: None,
    ) -> None:
        """Read levels off the drawing thread and open them; `elsewhere` is for what `read` answers None to."""

        def documents() -> Sequence[Document] | None:
            try:
                return read()
            except LevelError as error:
                raise Unreadable(f"This cannot be imported: {error}.") from None

        def take(found: Sequence[Document] | None) -> None:
            if found is None:
                elsewhere()
            else:
                self.take(found, source, title)

        self.window.read(f"Reading {source}", documents, take)

    def paste(self) -> None:
        """Open what is on the clipboard."""
        text = clipboard.read()
        if not text.strip():
            self.window.say("There is no text on the clipboard.")
        else:
            self.import_text(text, "the clipboard")

    def import_text(self, text: str, source: str) -> None:
        """Open the level of a text in any form."""
        self._read(source, "Pasted levels", lambda: level_forms.documents(text, source))

    def take(self, found: Sequence[Document], source: str, title: str) -> None:
        """Open a level, finished or not, or ask which of several; `title` is for a pack of all of them."""

        def one(document: Document) -> None:
            self.work.change(f"import from {source}", document)
            name = document.title or "Untitled"
            if self.work.problem:
                said = f"“{name}” is unfinished: {self.work.problem}. Undo brings back the drawing you had."
                self.window.say(said, holds=self.work.unchanged())
            else:
                said = f"Imported “{name}”. Undo brings back the drawing you had."
                self.window.say(said, "good", self.work.unchanged())

        if len(found) == 1:
            one(found[0])
        else:
            self.window.push(ChooseDialog(self.window, source, found, one, lambda: self._keep_all(found, title)))

    def _keep_all(self, found: Sequence[Document], title: str) -> None:
        """All finished levels as a pack, the others among the unfinished drawings."""

        def keep(sorted_out: tuple[list[Level], list[Document]]) -> None:
            good, raw = sorted_out
            said = []
            try:
                if good:
                    stem = self.packs.make(title.replace("-", " ").replace("_", " ").strip().capitalize())
                    self.packs.add(stem, good)
                    own = self.packs.get(stem)
                    said.append(f"{counted(len(good), 'level')} kept as “{own.title if own else title}”.")
                if raw:
                    self.packs.keep_all(raw)
                    said.append(f"{counted(len(raw), 'unfinished drawing')} kept in My packs.")
            except PackError as error:
                self.window.say(" ".join([*said, str(error)]), "bad")
                return
            self.window.say(" ".join(said), "good")

        words = f"Looking at {counted(len(found), 'level')}"
        self.window.read(words, lambda: _sorted_out(found), lambda both: self.with_packs(lambda: keep(both)))

    # Out

    def export(self) -> None:
        """Show every form."""
        self.window.push(ExportDialog(self.window, self.copy, self.save_file))

    def copy(self, form: Form) -> None:
        """Put a form on the clipboard."""
        try:
            self.window.say(export.copy(form, self.work.document), "good")
        except ValueError as error:
            self.window.say(f"This cannot be copied: {error}.", "bad")

    def save_file(self, form: Form) -> None:
        """Ask where a form goes, and write it."""
        try:
            make = export.content(form, self.work.document, self.window.theme)
        except ValueError as error:
            self.window.say(f"This cannot be exported: {error}.", "bad")
            return

        def write(path: Path) -> None:
            self._folder = path.parent
            self.exports.add(path.name, partial(export.write, path, make))

        folder = self._folder or export.default_folder(self.context.saves)
        name = export.file_name(self.work.document, form.suffix)
        self.window.push(FileDialog(self.window, f"Export: {form.title}", folder, (form.suffix,), write, name))

    # Own packs

    def place(self) -> tuple[OwnPack | None, int | None]:
        """The pack that the document belongs to, and its number there (from 0)."""
        document = self.work.document
        key = ((document.pack, document.level), self.packs.packs)
        if self._placed[0] != key[0] or self._placed[1] is not key[1]:
            own = self.packs.get(document.pack) if document.pack else None
            number = own.number_of(document.level) if own is not None and document.level else None
            self._placed = (*key, own if number is not None else None, number)
        return self._placed[2], self._placed[3]

    @property
    def where(self) -> str:
        """Which level of which pack the document is, in words."""
        document = self.work.document
        if not self.packs.known:
            return "…"
        kept = self.packs.drawing(document.draft)
        if kept is not None:
            return f"unfinished{' · changed' if alone(kept) != alone(document) else ''}"
        own, number = self.place()
        if own is None or number is None:
            return "in no pack yet"
        return f"{own.title} {number + 1}{' · changed' if self.unsaved else ''}"

    @property
    def unsaved(self) -> bool:
        """Whether the document differs from the level in its pack, or is in none."""
        own, number = self.place()
        if own is None or number is None:
            return True
        level, document = own.pack.levels[number], self.work.document
        said = (level.title, level.author, level.comment) != (document.title, document.author, document.comment)
        return said or self._level_id() != document.level

    def _level_id(self) -> str:
        """Of the drawing as it is; empty while it is no level."""
        level = self.work.level
        return levels.level_id(level) if level is not None else ""

    def save(self) -> None:
        """Save where the level or the drawing belongs, or ask."""
        if not self.packs.known:
            self.with_packs(self.save)
            return
        own, number = self.place()
        if self.work.level is None and self.packs.drawing(self.work.document.draft) is not None:
            self._keep(self.work.document)
        elif self.work.level is None or own is None or number is None:
            self.save_as()
        else:
            self._put(self.work.document, own.stem, False)

    def save_as(self) -> None:
        """Ask for title, author, comment and pack; for a drawing that is no level yet only for its title."""
        self.with_packs(self._save_as)

    def _save_as(self) -> None:
        window, document = self.window, self.work.document
        if self.work.level is not None:
            window.push(SaveDialog(window, document, self.packs, self.place()[1], self._put, self._last))
            return
        words = f"This is no level yet: {self.work.problem}. It is kept in My packs, to be finished later."
        name = document.title or f"Drawing {len(self.packs.drawings) + 1}"
        done = lambda title: self._keep(replace(document, title=" ".join(title.split())))  # noqa: E731
        title = "Keep an unfinished drawing"
        window.push(NameDialog(window, title, "Keep it", name, done, words=words, longest=MAX_TITLE))

    @property
    def _last(self) -> str:
        """The pack that a drawing was saved into last; empty where there is none."""
        return str(self.context.settings.remembered.get(LAST_PACK, ""))

    def _keep(self, document: Document) -> None:
        """Among the unfinished drawings, in the place of the one that it came from or as a new one."""
        try:
            kept = self.packs.keep(document)
        except PackError as error:
            self.window.say(str(error), "bad")
            return
        self.work.change("save", kept)
        said = f"Kept as an unfinished drawing: {self.work.problem}."
        own, number = self.place()
        if own is not None and number is not None:
            said += f" Level {number + 1} of “{own.title}” stays as it is."
        self.window.say(said, "good", self.work.unchanged())

    def _put(self, document: Document, stem: str, as_new: bool) -> None:
        """Write the level into a pack, in the place of the one it came from unless it is to be a new one."""
        level = checks.level_of(document, self.work.solving.solution)
        own, number = self.place()
        try:
            if own is not None and number is not None and own.stem == stem and not as_new:
                self.packs.replace_level(stem, number, level, document.draft)
            else:
                number = self.packs.add(stem, (level,), document.draft)
        except PackError as error:
            self.window.say(str(error), "bad")
            return
        self.work.change("save", replace(document, pack=stem, level=levels.level_id(level), draft=""))
        self.context.remember(LAST_PACK, stem)
        kept = self.packs.get(stem)
        self.window.say(f"Saved as level {number + 1} of “{kept.title if kept else stem}”.", "good")


def alone(document: Document) -> Document:
    """A document without where it belongs."""
    return replace(document, pack="", level="", draft="")


def _sorted_out(found: Sequence[Document]) -> tuple[list[Level], list[Document]]:
    """The documents that are levels, as levels, and those that are none yet."""
    good: list[Level] = []
    raw: list[Document] = []
    for document in found:
        try:
            level = checks.level_of(document)
        except ValueError:
            raw.append(document)
            continue
        levels.level_id(level)  # worked out here, where nobody waits for it
        good.append(level)
    return good, raw
