"""Boards as tables of whole numbers: Python or NumPy text, and `.npy` files. Nothing of them is ever run or unpickled.

The numbers are those of `sokoban.Board`: 0 empty, 1 wall, 2 box, 3 target, 4 player, 5 box on target, 6 player on
target, larger ones for letters and a second player. Comment lines `# Title: …`, `# Author: …`, `# Variant: …`,
`# Comment: …` and `# Solution: …` above a table are about it; a `.npy` file has nothing but the numbers.
"""

import io
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from game.rules import sokoban
from game.rules.levels import lurd
from game.rules.levels.data import MAX_LEVELS, Contents, LevelError, Sketch, too_large
from game.rules.sokoban.array import KINDS_ONLY, is_cell

NPY = b"\x93NUMPY"
"""The first bytes of a `.npy` file."""

_MAX_NPY_HEAD = 4096
_NPY_KIND = re.compile(r"'descr':\s*'([<>|=]?[iu][1248])'")
_NPY_ORDER = re.compile(r"'fortran_order':\s*(True|False)")
_NPY_SHAPE = re.compile(r"'shape':\s*\((?:(\d{1,6}),\s*)?(\d{1,9}),\s*(\d{1,9}),?\s*\)")
_TABLE = re.compile(r"\[\s*\[[\s\d]")
_PIECE = re.compile(r"[\[\]]|[^\[\]]+")
_NUMBERS = "0123456789, \t\r\n"
_MAX_ROW = 2000
"""Characters of a row at most; 64 numbers need 256."""
_SAID = re.compile(r"^[ \t]*#[ \t]*(title|author|variant|comment|solution):(.*)$", re.IGNORECASE | re.MULTILINE)
_MOST_DIGITS = 6
_NO_TABLE = "a board is a list of rows, each a list of whole numbers"


def has_table(text: str) -> bool:
    """Whether a text may hold a table of numbers."""
    return "[" in text and _TABLE.search(text) is not None


def read_text(text: str, source: str) -> Contents:
    """Every table in a text, with or without commas, each with the comments above it."""
    boards: list[Sketch | LevelError] = []
    line, counted, behind = 1, 0, 0
    while (found := _TABLE.search(text, behind)) is not None:
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if len(boards) >= MAX_LEVELS:
            raise LevelError(source, line, f"the file has more than {MAX_LEVELS:,} levels")
        said: dict[str, str] = {}
        for match in _SAID.finditer(text, behind, found.start()):
            key, value = match[1].lower(), match[2].strip()
            said[key] = f"{said[key]}\n{value}" if key == "comment" and key in said else value
        try:
            rows, behind = _rows(text, found.start())
            board = _board(rows)
            rules = sokoban.rules_of(said.get("variant", ""))
        except ValueError as error:
            boards.append(LevelError(source, line, str(error)))
            if behind <= found.start():
                break
            continue
        title, author, comment = (said.get(key, "") for key in ("title", "author", "comment"))
        try:
            solution = lurd.moves_of(said["solution"]) if "solution" in said else ""
        except ValueError:
            solution = ""
        boards.append(Sketch(board, title, author, comment, solution, line, rules))
    return Contents(tuple(boards))


def read_npy(data: bytes, source: str) -> Contents:
    """The board of a NumPy file of versions 1 to 3, or the boards where it has three dimensions.

    Only whole numbers are read: never an object, never a pickle, and no more than the file holds.

    Raises:
        LevelError: anything else.
    """
    wide = 2 if data[6:7] == b"\x01" else 4
    length = int.from_bytes(data[8 : 8 + wide], "little")
    head = data[8 + wide : 8 + wide + min(length, _MAX_NPY_HEAD)].decode("latin-1")
    kind, order, shape = (pattern.search(head) for pattern in (_NPY_KIND, _NPY_ORDER, _NPY_SHAPE))
    if kind is None or order is None or shape is None:
        shown = "".join(letter for letter in head.strip()[:80] if letter.isprintable())
        raise LevelError(source, None, f"a level is a table of whole numbers, not {shown or 'this'}")
    count, rows, cols = int(shape[1] or 1), int(shape[2]), int(shape[3])
    dtype = np.dtype(kind[1])
    body = data[8 + wide + length :]
    side = sokoban.MAX_SIDE
    if not (1 <= rows <= side and 1 <= cols <= side and 1 <= count <= MAX_LEVELS):
        many = f"{count:,} tables, each of " if shape[1] else ""
        raise LevelError(
            source, None, f"it has {many}{rows} rows and {cols} columns; {side} of each is the most"
            if 1 <= count <= MAX_LEVELS else f"it has {count:,} boards; {MAX_LEVELS:,} is the most",
        )  # fmt: skip
    if len(body) != count * rows * cols * dtype.itemsize:
        raise LevelError(source, None, "the end of this array is missing, or there is more behind it")
    tables = np.frombuffer(body, dtype).reshape((count, rows, cols) if shape[1] else (rows, cols),
                                                order="F" if order[1] == "True" else "C")  # fmt: skip
    boards: list[Sketch | LevelError] = []
    for number, table in enumerate(tables if shape[1] else (tables,), 1):
        if not all(map(is_cell, np.unique(table).tolist())):
            which = f"board {number}: " if shape[1] else ""
            boards.append(LevelError(source, None, f"{which}{KINDS_ONLY}"))
        else:
            boards.append(Sketch(_small(table), line=None))
    return Contents(tuple(boards))


def dump_text(sketch: Sketch) -> str:
    """Python text that makes the array: ready to paste, and read back with all its words."""
    variant = sketch.rules.name if sketch.rules != sokoban.PUSH_ONLY else ""
    words = [("Title", sketch.title), ("Author", sketch.author), ("Variant", variant)]
    words += [("Comment", line) for line in sketch.comment.splitlines()] + [("Solution", sketch.solution)]
    said = "".join(f"# {key}: {' '.join(value.split())}\n" for key, value in words if value.strip())
    rows = ",\n".join(f"    [{', '.join(map(str, row))}]" for row in sketch.board.tolist())
    more = int(sketch.board.max()) > sokoban.KIND
    return (
        "import numpy as np\n\n"
        + said
        + "# 0 floor, 1 wall, 2 box, 3 target, 4 player, 5 box on target, 6 player on target\n"
        + ("# + 8: the second player; + 16, 32, …: box a, b, …; + 512, 1024, …: target A, B, …\n" if more else "")
        + f"initial_state = np.array([\n{rows},\n])\n"
    )


def dump_npy(board: sokoban.Board) -> bytes:
    """A NumPy file: shape (rows, cols), int8, or int16 where boxes and targets have letters."""
    file = io.BytesIO()
    np.save(file, _small(board), allow_pickle=False)
    return file.getvalue()


def _rows(text: str, start: int) -> tuple[list[str], int]:
    """The rows of the table that begins at `start`, each as its text, and where the table ends; raises ValueError."""
    depth = 0
    rows: list[str] = []
    for piece in _PIECE.finditer(text, start):
        part = piece[0]
        if part == "[":
            depth += 1
            if depth > 2:
                break
            if depth == 2:
                rows.append("")
            if len(rows) > sokoban.MAX_SIDE:
                raise ValueError(f"the board has more than {sokoban.MAX_SIDE} rows")
        elif part == "]":
            depth -= 1
            if depth == 0:
                return rows, piece.end()
        elif part.strip(_NUMBERS):
            break
        elif len(part) > _MAX_ROW:
            raise ValueError(f"a row of the board has more than {sokoban.MAX_SIDE} numbers")
        elif depth == 2:
            rows[-1] += part
        elif part.strip(", \t\r\n"):
            break
    raise ValueError(_NO_TABLE)


def _board(rows: list[str]) -> sokoban.Board:
    table = [row.replace(",", " ").split() for row in rows]
    if not table[0] or len({len(row) for row in table}) != 1:
        raise ValueError("the rows of the board are not equally long")
    if len(table[0]) > sokoban.MAX_SIDE:
        raise ValueError(too_large(len(table), len(table[0])))
    numbers = {
        number: int(number) if len(number.lstrip("0")) < _MOST_DIGITS else -1 for row in table for number in row
    }
    if not all(map(is_cell, numbers.values())):
        raise ValueError(KINDS_ONLY)
    return _small(np.array([[numbers[number] for number in row] for row in table]))


def _small(board: npt.NDArray[np.integer[Any]]) -> sokoban.Board:
    """The board in the smallest whole numbers that hold it."""
    return board.astype(np.int8 if board.max() <= sokoban.KIND + sokoban.SECOND else np.int16)
