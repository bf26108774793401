"""Drawings of the level editor that are no levels yet: one JSON file beside the user's own packs.

No game and no solver ever sees this file; `user_packs` keeps it on the same shelf, with the same undo history.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from game.rules.editing import drawings as editing
from game.rules.editing.drawings import MOST, Drawing
from game.rules.editing.history import MAX_COMMENT, MAX_TITLE, Document
from game.rules.sokoban import PUSH_ONLY, rules_of
from game.saves.files import MAX_BYTES, DamagedFile, Loaded, clean, put_away, read
from game.saves.folder import Saves

VERSION = 1
MAX_DRAWINGS = 1000
FILE = "unfinished.json"

_Text = Annotated[str, msgspec.Meta(max_length=MAX_TITLE)]


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TITLE)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=MOST)]
    cells: Annotated[str, msgspec.Meta(max_length=6 * MOST * MOST, pattern="^[0-9,]+$")]
    title: _Text = ""
    author: _Text = ""
    comment: Annotated[str, msgspec.Meta(max_length=MAX_COMMENT)] = ""
    pack: _Text = ""
    level: _Text = ""
    variant: _Text = ""


class _File(msgspec.Struct, frozen=True):
    version: int
    drawings: Annotated[list[_Kept], msgspec.Meta(max_length=MAX_DRAWINGS)]


def load(saves: Saves, folder: Path) -> Loaded[tuple[Document, ...]]:
    """The drawings in their order, each with its `draft`; a damaged file is set aside. Never raises."""
    path = folder / FILE
    try:
        found = tuple(_document(kept) for kept in read(path, _File, VERSION, MAX_BYTES).drawings)
        if len({document.draft for document in found}) < len(found):
            raise DamagedFile(path, "two drawings have the same name")
        return Loaded(found)
    except FileNotFoundError:
        return Loaded()
    except DamagedFile as error:
        return Loaded(notice=put_away(saves, error))
    except ValueError as error:
        return Loaded(notice=put_away(saves, DamagedFile(path, str(error))))


def encode(drawings: Sequence[Document]) -> bytes:
    """The file's content."""
    kept = [
        _Kept(
            clean(document.draft, MAX_TITLE), document.drawing.rows, editing.written(document.drawing),
            clean(document.title, MAX_TITLE), clean(document.author, MAX_TITLE), clean(document.comment, MAX_COMMENT),
            clean(document.pack, MAX_TITLE), clean(document.level, MAX_TITLE),
            "" if document.rules == PUSH_ONLY else document.rules.name,
        )
        for document in drawings
    ]  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(_File(VERSION, kept)))


def _document(kept: _Kept) -> Document:
    """Raises ValueError where its squares make no rectangle."""
    cells = editing.cells_of(kept.cells)
    drawing = Drawing(kept.rows, len(cells) // kept.rows, cells)
    rules = rules_of(kept.variant)
    return Document(drawing, kept.title, kept.author, kept.comment, kept.pack, kept.level, kept.id, rules)
