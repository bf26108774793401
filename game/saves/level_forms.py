"""The forms a level leaves and enters the editor in: XSB text, an array as Python text or `.npy`, JSON, PNG.

`documents` recognises a form by its content, never runs any of it, and raises only `LevelError`. Every form that
is written here is read back as the same level.
"""

import io
import json
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from game.rules import editing, levels
from game.rules.editing import Drawing
from game.rules.editing_history import MAX_COMMENT, MAX_TITLE, Document
from game.rules.levels import LevelError, Sketch
from game.saves import png
from game.saves.files import clean

SUFFIXES = (".xsb", ".sok", ".txt", ".py", ".npy", ".json", ".png")
"""Endings of files that may hold a level."""
MAX_BYTES = levels.MAX_BYTES

PNG_KEYWORD = "trilogic-level"
_NPY = b"\x93NUMPY"
_MAX_NPY_HEAD = 4096
_NPY_KIND = re.compile(r"'descr':\s*'([<>|=]?[iu][1248])'")
_NPY_ORDER = re.compile(r"'fortran_order':\s*(True|False)")
_NPY_SHAPE = re.compile(r"'shape':\s*\((\d{1,9}),\s*(\d{1,9}),?\s*\)")
_MAX_ARRAY_BYTES = 1_000_000
_ARRAY = re.compile(r"\[\s*\[[\s\d]")
_IN_ARRAY = re.compile(r"[\[\]\d,\s]*")
_Row = Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=6)]], msgspec.Meta(min_length=1, max_length=editing.MOST)]


class _Json(msgspec.Struct, frozen=True):
    format: Literal["trilogic level"]
    version: Literal[1]
    board: Annotated[list[_Row], msgspec.Meta(min_length=1, max_length=editing.MOST)]
    title: str = ""
    author: str = ""
    comment: str = ""


# Out


def as_xsb(document: Document) -> str:
    """XSB text with title, author and comment, without margins of nothing but floor.

    Raises:
        ValueError: the drawing is unfinished in a way that XSB text cannot hold (rows at the edge without a wall).
    """
    board = editing.trim(document.drawing).array
    text = levels.dump_sketch(Sketch(board, document.title, document.author, document.comment))
    try:
        (found,) = levels.sketches(text, "")
        same = editing.trim(editing.of_array(found.board)) == editing.trim(document.drawing)
    except (LevelError, ValueError):
        same = False
    if not same:
        raise ValueError("XSB text needs walls all round; the array and JSON hold any drawing")
    return text


def as_python(document: Document) -> str:
    """Python text that makes the array: ready to paste."""
    said = " ".join(f"{document.title} {document.author and 'by ' + document.author}".split())
    rows = ",\n".join(f"    [{', '.join(map(str, row))}]" for row in document.drawing.array.tolist())
    return (
        "import numpy as np\n\n"
        + (f"# {said}\n" if said else "")
        + "# 0 floor, 1 wall, 2 box, 3 target, 4 player, 5 box on target, 6 player on target\n"
        + f"initial_state = np.array([\n{rows},\n])\n"
    )


def as_npy(document: Document) -> bytes:
    """A NumPy file: shape (rows, cols), int8."""
    file = io.BytesIO()
    np.save(file, document.drawing.array, allow_pickle=False)
    return file.getvalue()


def as_json(document: Document) -> str:
    """JSON with the board, title, author and comment."""
    board = document.drawing.array.tolist()
    said = _Json("trilogic level", 1, board, document.title, document.author, document.comment)
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
        if not path.is_file():  # a pipe would wait for ever
            raise LevelError(path.name, None, "there is no such file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise LevelError(path.name, None, error.strerror or "the file cannot be opened") from None
    return documents(data, path.name)


def documents(data: bytes | str, source: str) -> tuple[Document, ...]:
    """The levels in the content of a file or the clipboard, finished or not; `source` is its name in messages.

    Raises:
        LevelError: there is no level in it, or it is damaged; says where.
    """
    if len(data) > MAX_BYTES:
        raise LevelError(source, None, f"it is larger than {MAX_BYTES // 1_000_000} MB")
    if isinstance(data, bytes):
        if data.startswith(_NPY):
            return (_from_npy(data, source),)
        if data.startswith(png.SIGNATURE):
            return (_from_png(data, source),)
        if b"\0" in data:
            raise LevelError(source, None, "this is no text, and no form that a level has")
    text = data if isinstance(data, str) else data.decode("utf-8-sig", "replace")
    if text.lstrip().startswith("{"):
        return (_from_json(text, source),)
    if _ARRAY.search(text):
        return (_from_text_array(text, source),)
    return tuple(_from_sketch(sketch, source) for sketch in levels.sketches(data, source))


def _from_sketch(sketch: Sketch, source: str) -> Document:
    drawing = _checked(sketch.board, source, sketch.line)
    return _document(drawing, sketch.title, sketch.author, sketch.comment)


def _from_json(text: str, source: str) -> Document:
    try:
        found = msgspec.json.decode(text, type=_Json)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise LevelError(source, None, f"this JSON is no level: {error}") from None
    return _document(_rectangle(found.board, source, None), found.title, found.author, found.comment)


def _from_png(data: bytes, source: str) -> Document:
    text = png.text_of(data, PNG_KEYWORD)
    if text is None:
        raise LevelError(source, None, "this picture has no level in it")
    return _from_json(text, source)


def _from_text_array(text: str, source: str) -> Document:
    """The first table of whole numbers in a Python text, with or without commas."""
    found = _ARRAY.search(text)
    assert found is not None
    start = found.start()
    line = text.count("\n", 0, start) + 1
    if text[max(0, start - 100) : start].rstrip().endswith("["):
        raise LevelError(source, line, "a board is a list of rows, each a list of whole numbers")
    rows = _rows_of(text[start : start + _MAX_ARRAY_BYTES])
    if rows is None:
        raise LevelError(source, line, "a board is a list of rows, each a list of whole numbers")
    if any(len(number) > 3 for row in rows for number in row):
        raise LevelError(source, line, "a board holds the whole numbers 0 to 6 only")
    return _document(_rectangle([[int(number) for number in row] for row in rows], source, line))


def _rows_of(text: str) -> list[list[str]] | None:
    """The numbers between the outer brackets at the start of `text`, by row; None where they are not two deep."""
    inside = _IN_ARRAY.match(text)
    depth = 0
    for at, letter in enumerate(inside.group() if inside else ""):
        depth += (letter == "[") - (letter == "]")
        if depth > 2:
            return None
        if depth == 0:
            return [row.replace(",", " ").split() for row in re.findall(r"\[([^\[\]]*)\]", text[1:at])]
    return None


def _from_npy(data: bytes, source: str) -> Document:
    """A NumPy file, versions 1 to 3, of which only tables of whole numbers are read: never an object, never a pickle."""
    wide = 2 if data[6:7] == b"\x01" else 4
    length = int.from_bytes(data[8 : 8 + wide], "little")
    head = data[8 + wide : 8 + wide + min(length, _MAX_NPY_HEAD)].decode("latin-1")
    kind, order, shape = (pattern.search(head) for pattern in (_NPY_KIND, _NPY_ORDER, _NPY_SHAPE))
    if kind is None or order is None or shape is None:
        raise LevelError(source, None, f"a level is a table of whole numbers, not {head.strip()[:80] or 'this'}")
    rows, cols = int(shape[1]), int(shape[2])
    dtype = np.dtype(kind[1])
    body = data[8 + wide + length :]
    if not (1 <= rows <= editing.MOST and 1 <= cols <= editing.MOST):
        raise LevelError(
            source, None, f"the table has {rows} rows and {cols} columns; {editing.MOST} of each is the most"
        )
    if len(body) != rows * cols * dtype.itemsize:
        raise LevelError(source, None, "the end of this array is missing, or there is more behind it")
    table = np.frombuffer(body, dtype).reshape((rows, cols), order="F" if order[1] == "True" else "C")
    return _document(_checked(table, source, None))


def _rectangle(rows: list[list[int]], source: str, line: int | None) -> Drawing:
    if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
        raise LevelError(source, line, "the rows of the board are not equally long")
    return _checked(np.array(rows), source, line)


def _checked(board: "np.typing.NDArray[np.integer]", source: str, line: int | None) -> Drawing:
    try:
        return editing.of_array(board)
    except ValueError as error:
        raise LevelError(source, line, str(error)) from None


def _document(drawing: Drawing, title: str = "", author: str = "", comment: str = "") -> Document:
    title, author, comment = (
        "".join(letter for letter in text if letter.isprintable() or letter == "\n")
        for text in (" ".join(title.split()), " ".join(author.split()), comment.strip("\n"))
    )
    return Document(drawing, clean(title, MAX_TITLE), clean(author, MAX_TITLE), clean(comment, MAX_COMMENT))
