"""The forms a level leaves and enters the app in: those of `game.rules.levels`, and JSON and PNG, which are its own.

`documents` and `boards` recognise a form by its content, never run any of it, and raise only `LevelError`. Every form
that is written here is read back as the same level.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from game.rules import levels
from game.rules.editing import checks, drawings
from game.rules.editing.drawings import Drawing
from game.rules.editing.history import MAX_COMMENT, MAX_TITLE, Document
from game.rules.files import read_regular
from game.rules.levels import Level, LevelError, Pack, Sketch
from game.rules.sokoban import PUSH_ONLY, SECOND, Rules, rules_of
from game.rules.sokoban.array import KINDS_ONLY, is_cell
from game.saves import png
from game.saves.files import clean

SUFFIXES = (".xsb", ".sok", ".txt", ".slc", ".xml", ".py", ".npy", ".json", ".png")
"""Endings of files that may hold a level."""
MAX_BYTES = levels.MAX_BYTES

PNG_KEYWORD = "trilogic-level"
_MOST_READ = 2 * MAX_COMMENT
"""Characters of a text that are looked at: what is left of them is cut to what a document may have."""
_BYTE = re.compile(r"\(byte (\d+)\)")
_Row = Annotated[
    list[Annotated[int, msgspec.Meta(ge=0, le=2**15)]], msgspec.Meta(min_length=1, max_length=drawings.MOST)
]


class _Json(msgspec.Struct, frozen=True):
    format: Literal["trilogic level"]
    version: Literal[1]
    board: Annotated[list[_Row], msgspec.Meta(min_length=1, max_length=drawings.MOST)]
    title: str = ""
    author: str = ""
    comment: str = ""
    variant: str = ""


# Out


def as_xsb(document: Document) -> str:
    """XSB text with title, author and comment, without margins of nothing but floor.

    Raises:
        ValueError: the drawing is unfinished in a way that XSB text cannot hold (rows at the edge without a wall).
    """
    return _as_text(document, False)


def as_runs(document: Document) -> str:
    """The same with the board in run-length form, on one line; raises ValueError likewise."""
    return _as_text(document, True)


def _as_text(document: Document, runs: bool) -> str:
    board = drawings.trim(document.drawing).array
    said = (document.title, document.author, document.comment)
    text = levels.dump_sketch(Sketch(board, *said, rules=document.rules), runs)
    try:
        (found,) = levels.sketches(text, "")
        same = drawings.trim(_from_sketch(found, "").drawing) == drawings.trim(document.drawing)
    except (LevelError, ValueError):
        same = False
    if not same:
        raise ValueError("text needs walls all round; the array and JSON hold any drawing")
    return text


def as_python(document: Document) -> str:
    """Python text that makes the array, with title, author and comment: ready to paste."""
    said = (document.title, document.author, document.comment)
    return levels.dump_text(Sketch(document.drawing.array, *said, rules=document.rules))


def as_npy(document: Document) -> bytes:
    """A NumPy file: shape (rows, cols), int8 or, with letters, int16. It says nothing of pulls."""
    return levels.dump_npy(document.drawing.array)


def as_json(document: Document) -> str:
    """JSON with the board, title, author and comment."""
    board = document.drawing.array.tolist()
    variant = "" if document.rules == PUSH_ONLY else document.rules.name
    said = _Json("trilogic level", 1, board, document.title, document.author, document.comment, variant)
    fields = msgspec.to_builtins(said)
    rows = ",\n    ".join(msgspec.json.encode(row).decode() for row in fields.pop("board"))
    head = msgspec.json.format(msgspec.json.encode(fields)).decode().rstrip().removesuffix("}").rstrip()
    return f'{head},\n  "board": [\n    {rows}\n  ]\n}}\n'


def as_png(document: Document, width: int, height: int, rgb: bytes) -> bytes:
    """A PNG picture (three bytes a pixel, row by row) with the level inside as a text."""
    return png.encode(width, height, rgb, {PNG_KEYWORD: json.dumps(json.loads(as_json(document)))})


# In


def read(path: Path) -> tuple[Document, ...]:
    """The levels of a file of any of the forms; raises LevelError, also where it cannot be opened."""
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise LevelError(path.name, None, error.strerror or "the file cannot be opened") from None
    return documents(data, path.name)


def documents(data: bytes | str, source: str) -> tuple[Document, ...]:
    """The levels in the content of a file or the clipboard, finished or not; `source` is its name in messages.

    Raises:
        LevelError: there is no level in it, or it is damaged; says where.
    """
    own = _own_form(data, source)
    if own is not None:
        return (own,)
    return tuple(_from_sketch(sketch, source) for sketch in levels.sketches(data, source))


def boards(data: bytes | str, source: str) -> tuple[Pack, tuple[Level | LevelError, ...]]:
    """The pack of the good levels in a content of any form, and every board, refused ones as their errors.

    Raises:
        LevelError: there is no board in it, or the whole is damaged.
    """
    own = _own_form(data, source)
    if own is None:
        return levels.parse_boards(data, source)
    try:
        level = checks.level_of(own)
    except ValueError as error:
        return Pack(()), (LevelError(source, None, str(error)),)
    return Pack((level,)), (level,)


def _own_form(data: bytes | str, source: str) -> Document | None:
    """The level in JSON or in a picture; None for all forms of the rules."""
    if len(data) > MAX_BYTES:
        raise LevelError(source, None, f"it is larger than {MAX_BYTES // 1_000_000} MB")
    if isinstance(data, bytes) and data.startswith(png.SIGNATURE):
        return _from_png(data, source)
    head = data[:200] if isinstance(data, str) else data[:200].decode("utf-8-sig", "replace")
    if not head.lstrip().startswith("{"):
        return None
    return _from_json(data if isinstance(data, str) else data.decode("utf-8-sig", "replace"), source)


def _from_sketch(sketch: Sketch, source: str) -> Document:
    drawing = _checked(sketch.board, source, sketch.line)
    return _document(drawing, source, sketch.line, sketch.rules, sketch.title, sketch.author, sketch.comment)


def _from_json(text: str, source: str) -> Document:
    """A JSON text; where it is no JSON at all, the error names the line."""
    try:
        found = msgspec.json.decode(text, type=_Json)
        rules = rules_of(found.variant)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        place = _BYTE.search(str(error))
        line = text.encode("utf-8", "replace").count(b"\n", 0, int(place[1])) + 1 if place else None
        raise LevelError(source, line, f"this JSON is no level: {error}") from None
    drawing = _rectangle(found.board, source, None)
    return _document(drawing, source, None, rules, found.title, found.author, found.comment)


def _from_png(data: bytes, source: str) -> Document:
    text = png.text_of(data, PNG_KEYWORD)
    if text is None:
        raise LevelError(source, None, "this picture has no level in it")
    try:
        return _from_json(text, source)
    except LevelError as error:  # its lines are nowhere to be seen
        raise LevelError(source, None, error.reason) from None


def _rectangle(rows: list[list[int]], source: str, line: int | None) -> Drawing:
    if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
        raise LevelError(source, line, "the rows of the board are not equally long")
    if not all(is_cell(cell) for row in rows for cell in row):
        raise LevelError(source, line, f"this JSON is no level: {KINDS_ONLY}")
    return _checked(np.array(rows), source, line)


def _checked(board: "np.typing.NDArray[np.integer]", source: str, line: int | None) -> Drawing:
    try:
        return drawings.of_array(board)
    except ValueError as error:
        raise LevelError(source, line, str(error)) from None


def _document(
    drawing: Drawing, source: str, line: int | None, rules: Rules, title: str, author: str, comment: str
) -> Document:
    """What letters and a second player in the drawing say of the rules holds, whatever the file says."""
    title, author, comment = (
        text if text.isprintable() else "".join(letter for letter in text if letter.isprintable() or letter == "\n")
        for text in (
            " ".join(title[:_MOST_READ].split()), " ".join(author[:_MOST_READ].split()), comment[:_MOST_READ].strip("\n"),
        )
    )  # fmt: skip
    two = rules.players == 2 or any(cell & SECOND for cell in drawing.cells)
    rules = Rules(rules.pull, rules.fixed or drawing.lettered, 2 if two else 1, rules.push)
    try:
        drawing = drawings.with_rules(drawing, rules)
    except ValueError as error:
        raise LevelError(source, line, str(error)) from None
    said = clean(title, MAX_TITLE), clean(author, MAX_TITLE), clean(comment, MAX_COMMENT)
    return Document(drawing, *said, rules=rules)
