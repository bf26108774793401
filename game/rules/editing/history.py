"""What the level editor works on, and its undo history without end.

A document is a drawing with what is said about it and where it belongs; opening another level or starting a new map
is one step of the same history, so nothing that was drawn is ever lost by a wrong click.
"""

from dataclasses import dataclass

from game.rules.editing.drawings import Drawing, blank
from game.rules.levels.data import MAX_COMMENT, MAX_TITLE
from game.rules.sokoban import PUSH_ONLY, Rules

__all__ = ["MAX_COMMENT", "MAX_TITLE", "Document", "History", "Step"]


@dataclass(frozen=True, slots=True)
class Document:
    """A drawing with its title, author and comment, and the level of the user's own packs that it is."""

    drawing: Drawing
    title: str = ""
    author: str = ""
    comment: str = ""
    pack: str = ""
    """File name, without its ending, of the own pack it was taken from or saved into; empty for none."""
    level: str = ""
    """`levels.level_id` of the level as it stands in that pack."""
    draft: str = ""
    """The name under which it is kept among the user's unfinished drawings; empty where it is not."""
    rules: Rules = PUSH_ONLY
    """What players may do; letters and a second player in the drawing belong to it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change: what was done, in a few words, and the document after it."""

    what: str
    document: Document


class History:
    """A line of steps with a cursor. There is always a first step, which cannot be undone."""

    def __init__(self, steps: list[Step] | None = None, cursor: int | None = None) -> None:
        """A new map, or the given steps (at least one) with the cursor on the last."""
        self.steps = steps or [Step("new map", Document(blank()))]
        self.cursor = len(self.steps) - 1 if cursor is None else cursor
        """Index of the present step."""

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self.steps[self.cursor].document

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self.cursor > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step that was taken back."""
        return self.cursor + 1 < len(self.steps)

    def do(self, what: str, document: Document) -> bool:
        """Add a step after the present one; steps that were taken back are forgotten. False where nothing changed."""
        if document == self.document:
            return False
        del self.steps[self.cursor + 1 :]
        self.steps.append(Step(what, document))
        self.cursor += 1
        return True

    def undo(self) -> str:
        """Take the present step back; says what it was, nothing at the very first."""
        if not self.can_undo:
            return ""
        self.cursor -= 1
        return self.steps[self.cursor + 1].what

    def redo(self) -> str:
        """Take a step again that was taken back; says what it is, nothing where there is none."""
        if not self.can_redo:
            return ""
        self.cursor += 1
        return self.steps[self.cursor].what
