"""The level editor's work in progress: its whole undo history, saved with every stroke.

One JSON file under `resume/`. Its first step holds a whole drawing, every later one what changed, so that thousands
of strokes stay small; each step is encoded once, when it is made. What cannot be read is set aside.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from game.rules.editing import drawings
from game.rules.editing.drawings import MOST, Drawing
from game.rules.editing.history import MAX_COMMENT, MAX_TITLE, Document, History, Step
from game.rules.sokoban import rules_of
from game.saves.files import MAX_RECORDS, DamagedFile, Loaded, clean, put_away, read
from game.saves.folder import Saves
from game.saves.writer import Writer

VERSION = 1
MOST_STEPS = 20_000
"""Steps kept in the file; older ones are left out of it."""
MOST_BYTES = MAX_RECORDS - 1_000_000
"""Bytes of them, likewise; what else is in the file has room enough in the rest."""
_MOST_CHANGES = 1024
"""Squares that may change in a step before the whole drawing is written instead."""

_Text = Annotated[str, msgspec.Meta(max_length=MAX_TITLE)]
_Square = Annotated[int, msgspec.Meta(ge=0, lt=MOST * MOST)]
_Kind = Annotated[int, msgspec.Meta(ge=0, le=2**15)]


class _Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    what: _Text
    rows: Annotated[int, msgspec.Meta(ge=0, le=MOST)] = 0
    """0: the drawing is the one before, with `changes`."""
    cells: Annotated[str, msgspec.Meta(max_length=6 * MOST * MOST)] = ""
    changes: Annotated[list[tuple[_Square, _Kind]], msgspec.Meta(max_length=_MOST_CHANGES)] = []
    title: _Text | None = None
    author: _Text | None = None
    comment: Annotated[str, msgspec.Meta(max_length=MAX_COMMENT)] | None = None
    pack: _Text | None = None
    level: _Text | None = None
    draft: _Text | None = None
    variant: _Text | None = None


_TEXTS = dict.fromkeys(("title", "author", "pack", "level", "draft"), MAX_TITLE) | {"comment": MAX_COMMENT}
"""What a document says of its drawing, and how many characters of it are kept."""


class _Draft(msgspec.Struct, frozen=True):
    version: int
    cursor: Annotated[int, msgspec.Meta(ge=0)]
    steps: Annotated[list[_Entry], msgspec.Meta(min_length=1, max_length=MOST_STEPS)]


class Draft:
    """The file behind one history. `save` after every change."""

    def __init__(self, saves: Saves, writer: Writer) -> None:
        """Reads the history that was left, or begins a new one; `notice` says so where it was damaged."""
        self._path = saves.resume("editor")
        self._writer = writer
        loaded = load(saves)
        self.found = loaded.value is not None
        """Whether there was work in progress."""
        self.notice = loaded.notice
        self.history = loaded.value or History()
        self._steps: list[Step] = []
        self._lines: list[bytes] = []

    def save(self, under_way: Document | None = None) -> None:
        """Write the history soon; `under_way` is the drawing of a stroke that is not finished yet."""
        steps = self.history.steps
        while self._lines and (len(self._lines) > len(steps) or self._steps[-1] is not steps[len(self._lines) - 1]):
            self._lines.pop()
            self._steps.pop()
        for number in range(len(self._lines), len(steps)):
            before = steps[number - 1].document if number else None
            self._lines.append(encode(steps[number], before))
            self._steps.append(steps[number])
        lines, cursor = list(self._lines), self.history.cursor
        if under_way is not None and under_way != self.history.document:
            del lines[cursor + 1 :]
            lines.append(encode(Step("stroke", under_way), self.history.document))
            cursor += 1
        first = _first(lines)
        if first:
            lines = [encode(steps[first], None), *lines[first + 1 :]]
        self._writer.put(self._path, lambda: _file(lines, max(0, cursor - first)))


def load(saves: Saves) -> Loaded[History]:
    """The history that was left; a damaged file is set aside. Never raises."""
    path = saves.resume("editor")
    try:
        draft = read(path, _Draft, VERSION)
        try:
            return Loaded(_history(draft))
        except ValueError as error:
            raise DamagedFile(path, str(error)) from None
    except FileNotFoundError:
        return Loaded()
    except DamagedFile as error:
        return Loaded(notice=put_away(saves, error))


def encode(step: Step, before: Document | None) -> bytes:
    """One step as JSON: what changed since `before`, or all of it."""
    now, was = step.document, before or Document(step.document.drawing)
    drawing = now.drawing
    changed = {
        name: clean(getattr(now, name), limit)
        for name, limit in _TEXTS.items()
        if before is None or getattr(now, name) != getattr(was, name)
    }
    variant = None if before is not None and now.rules.name == was.rules.name else now.rules.name
    rows, cells, changes = drawing.rows, drawings.written(drawing), []
    if before is not None and (was.drawing.rows, was.drawing.cols) == (drawing.rows, drawing.cols):
        pairs = zip(drawing.cells, was.drawing.cells, strict=True)
        differ = [square for square, (new, old) in enumerate(pairs) if new != old]
        if len(differ) <= _MOST_CHANGES:
            rows, cells = 0, ""
            changes = [(square, drawing.cells[square]) for square in differ]
    return msgspec.json.encode(_Entry(clean(step.what, MAX_TITLE), rows, cells, changes, variant=variant, **changed))


def _first(lines: Sequence[bytes]) -> int:
    """The oldest step that is kept in the file."""
    first = max(0, len(lines) - MOST_STEPS)
    room = MOST_BYTES - sum(map(len, lines[first:]))
    while room < 0 and first < len(lines) - 1:
        room += len(lines[first])
        first += 1
    return first


def _file(lines: Sequence[bytes], cursor: int) -> bytes:
    return b'{"version":%d,"cursor":%d,"steps":[\n%b\n]}\n' % (VERSION, cursor, b",\n".join(lines))


def _history(draft: _Draft) -> History:
    """Raises ValueError where a step does not fit the one before."""
    steps: list[Step] = []
    for entry in draft.steps:
        steps.append(Step(entry.what, _after(entry, steps[-1].document if steps else None)))
    if draft.cursor >= len(steps):
        raise ValueError("its cursor is beyond its steps")
    return History(steps, draft.cursor)


def _after(entry: _Entry, before: Document | None) -> Document:
    if entry.rows:
        cells = drawings.cells_of(entry.cells)
        drawing = Drawing(entry.rows, len(cells) // entry.rows, cells)
    elif before is None:
        raise ValueError("its first step has no drawing")
    else:
        old = list(before.drawing.cells)
        for square, kind in entry.changes:
            if square >= len(old):
                raise ValueError(f"square {square} is off the map")
            old[square] = kind
        drawing = (
            before.drawing if not entry.changes else Drawing(before.drawing.rows, before.drawing.cols, tuple(old))
        )
    was = before or Document(drawing)
    said = {name: getattr(was, name) if (text := getattr(entry, name)) is None else text for name in _TEXTS}
    return Document(drawing, **said, rules=was.rules if entry.variant is None else rules_of(entry.variant))
