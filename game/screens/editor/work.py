"""What is being edited, without a window: the document with its history, what it is as a level, and what the solver says."""

from collections.abc import Callable
from dataclasses import replace

from game.rules.editing import checks
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import Document
from game.rules.levels import Level
from game.saves.draft import Draft
from game.screens.editor.solving import Solving


class Work:
    """One drawing; every change is a step of its history and is saved at once."""

    def __init__(self, draft: Draft, shown: Callable[[], None]) -> None:
        """`shown` is called after every change of the document."""
        self.draft, self.history = draft, draft.history
        self.solving = Solving()
        self.level: Level | None = None
        """The document as a level; None while it is none."""
        self.problem = ""
        """Why it is none, in words."""
        self._shown = shown
        self._look()

    @property
    def document(self) -> Document:
        """What is being edited."""
        return self.history.document

    def change(self, what: str, document: Document) -> None:
        """One step of the history."""
        if self.history.do(what, document):
            self._changed()

    def redraw(self, what: str, drawing: Drawing) -> None:
        """One step that changes only the drawing."""
        self.change(what, replace(self.document, drawing=drawing))

    def travel(self, step: Callable[[], str]) -> bool:
        """Undo or redo; whether there was anything."""
        if not step():
            return False
        self._changed()
        return True

    def unchanged(self) -> Callable[[], bool]:
        """Asks whether the document is still as it is now, for what is said about it."""
        document = self.document
        return lambda: self.document is document

    def _changed(self) -> None:
        self.draft.save()
        self._look()
        self._shown()
        if self.solving.state is not None and (self.level is None or self.level.state != self.solving.state):
            self.solving.forget()

    def _look(self) -> None:
        self.level, self.problem = None, ""
        try:
            self.level = checks.level_of(self.document)
        except ValueError:
            self.problem = checks.problem_of(self.document)
