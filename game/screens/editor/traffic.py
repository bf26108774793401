"""Levels into the editor and out of it: files, the clipboard, and the user's own packs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from game.rules import editing_checks, levels
from game.rules.editing_history import Document
from game.rules.levels import LevelError
from game.saves import level_forms
from game.saves.user_packs import OwnPack, PackError, UserPacks
from game.screens.editor import export
from game.screens.editor.dialogs import ChooseDialog, ExportDialog, SaveDialog
from game.screens.editor.export import Exports, Form
from game.ui.file_dialog import FileDialog

if TYPE_CHECKING:
    from game.screens.editor.scene import EditorScene


class Traffic:
    """Imports, exports and saves for one editor."""

    def __init__(self, scene: "EditorScene") -> None:
        """Reads the user's packs."""
        self.scene = scene
        context = scene.context
        self.packs = UserPacks(context.saves, context.writer)
        self.exports = Exports()
        self._folder: Path | None = None
        """Where a file was opened or saved last."""
        self._placed: tuple[object, object, OwnPack | None, int | None] = (None, None, None, None)

    def update(self) -> None:
        """Tell what was written and what could not be read."""
        for worked, sentence in self.exports.news():
            self.scene.window.say(sentence, "good" if worked else "bad")
        for sentence in self.packs.notices:
            self.scene.window.say(sentence, "bad")
        self.packs.notices.clear()

    def close(self) -> None:
        """Finish what is being written."""
        self.exports.close()

    # In

    def open_file(self) -> None:
        """Ask for a file."""
        folder = self._folder or export.default_folder(self.scene.context.saves)
        dialog = FileDialog(self.scene.window, "Import a level", folder, level_forms.SUFFIXES, self.import_path)
        self.scene.window.push(dialog)

    def import_path(self, path: Path) -> None:
        """Open the level of a file, or ask which of several."""
        self._folder = path.parent
        try:
            self._take(level_forms.read(path), path.name, path.stem)
        except LevelError as error:
            self.scene.window.say(f"This cannot be imported: {error}.", "bad")

    def paste(self) -> None:
        """Open what is on the clipboard."""
        text = export.clipboard()
        if not text.strip():
            self.scene.window.say("There is no text on the clipboard.")
        else:
            self.import_text(text, "the clipboard")

    def import_text(self, text: str, source: str) -> None:
        """Open the level of a text in any form."""
        try:
            self._take(level_forms.documents(text, source), source, "Pasted levels")
        except LevelError as error:
            self.scene.window.say(f"This cannot be imported: {error}.", "bad")

    def _take(self, found: Sequence[Document], source: str, title: str) -> None:
        def one(document: Document) -> None:
            self.scene.change(f"import from {source}", document)
            self.scene.window.say(
                f"Imported “{document.title or 'Untitled'}”. Undo brings the drawing before back.", "good"
            )

        if len(found) == 1:
            one(found[0])
        else:
            self.scene.window.push(
                ChooseDialog(self.scene.window, source, found, one, lambda: self._keep_all(found, title))
            )

    def _keep_all(self, found: Sequence[Document], title: str) -> None:
        """All finished levels as a pack."""
        good = []
        for document in found:
            try:
                good.append(editing_checks.level_of(document))
            except ValueError:
                continue
        if not good:
            self.scene.window.say("None of them is a finished level, so there is nothing to keep.", "bad")
            return
        try:
            stem = self.packs.make(title.replace("-", " ").replace("_", " ").strip().capitalize())
            self.packs.add(stem, good)
        except PackError as error:
            self.scene.window.say(str(error), "bad")
            return
        own = self.packs.get(stem)
        left_out = f" {len(found) - len(good)} unfinished ones are left out." if len(good) < len(found) else ""
        self.scene.window.say(f"{len(good)} levels are kept as “{own.title if own else title}”.{left_out}", "good")

    # Out

    def export(self) -> None:
        """Show every form."""
        self.scene.window.push(ExportDialog(self.scene.window, self.copy, self.save_file))

    def copy(self, form: Form) -> None:
        """Put a form on the clipboard."""
        try:
            self.scene.window.say(export.copy(form, self.scene.document), "good")
        except ValueError as error:
            self.scene.window.say(f"This cannot be copied: {error}.", "bad")

    def save_file(self, form: Form) -> None:
        """Ask where a form goes, and write it."""
        try:
            make = export.content(form, self.scene.document, self.scene.theme)
        except ValueError as error:
            self.scene.window.say(f"This cannot be exported: {error}.", "bad")
            return

        def write(path: Path) -> None:
            self._folder = path.parent
            self.exports.write(path, make)

        folder = self._folder or export.default_folder(self.scene.context.saves)
        name = export.file_name(self.scene.document, form.suffix)
        self.scene.window.push(
            FileDialog(self.scene.window, f"Export: {form.title}", folder, (form.suffix,), write, name)
        )

    # Own packs

    def place(self) -> tuple[OwnPack | None, int | None]:
        """The pack that the document belongs to, and its number there (from 0)."""
        document = self.scene.document
        key = ((document.pack, document.level), self.packs.packs)
        if self._placed[0] != key[0] or self._placed[1] is not key[1]:
            own = self.packs.get(document.pack) if document.pack else None
            number = own.number_of(document.level) if own is not None and document.level else None
            self._placed = (*key, own if number is not None else None, number)
        return self._placed[2], self._placed[3]

    @property
    def unsaved(self) -> bool:
        """Whether the document differs from the level in its pack, or is in none."""
        own, number = self.place()
        if own is None or number is None:
            return True
        level, document = own.pack.levels[number], self.scene.document
        said = (level.title, level.author, level.comment) != (document.title, document.author, document.comment)
        return said or self._level_id() != document.level

    def _level_id(self) -> str:
        """Of the drawing as it is; empty while it is no level."""
        level = self.scene.level
        return levels.level_id(level) if level is not None else ""

    def save(self) -> None:
        """Save where the level belongs, or ask."""
        own, number = self.place()
        if own is None or number is None:
            self.save_as()
        elif self._finished():
            self._put(self.scene.document, own.stem, False)

    def save_as(self) -> None:
        """Ask for title, author, comment and pack."""
        if self._finished():
            self.packs.refresh()
            number = self.place()[1]
            self.scene.window.push(SaveDialog(self.scene.window, self.scene.document, self.packs, number, self._put))

    def _finished(self) -> bool:
        """Whether the drawing is a level; says what is missing where it is not."""
        if self.scene.level is None:
            self.scene.window.say(f"This is no level yet: {self.scene.problem}. Your drawing is kept here.", "bad")
        return self.scene.level is not None

    def _put(self, document: Document, stem: str, as_new: bool) -> None:
        """Write the level into a pack, in the place of the one it came from unless it is to be a new one."""
        level = editing_checks.level_of(document, self.scene.solving.solution)
        own, number = self.place()
        try:
            if own is not None and number is not None and own.stem == stem and not as_new:
                self.packs.replace_level(stem, number, level)
            else:
                number = self.packs.add(stem, (level,))
        except PackError as error:
            self.scene.window.say(str(error), "bad")
            return
        self.scene.change("save", replace(document, pack=stem, level=levels.level_id(level)))
        kept = self.packs.get(stem)
        self.scene.window.say(f"Saved as level {number + 1} of “{kept.title if kept else stem}”.", "good")
