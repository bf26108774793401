"""Sokoban levels in and out of files, in every form that programs use. The face of it; import everything from here.

| what | where |
|---|---|
| level, pack, sketch, the one error, what makes a level a puzzle | `data` |
| XSB and run-length text, `.sok` and `.txt` collections, Boxoban files | `text`, written by `writing` |
| the letters of a board; runs; solutions | `letters`, `rle`, `lurd` |
| `.slc` XML | `slc` |
| tables of numbers as Python or NumPy text and `.npy` | `arrays` |

A form is told by the content, never by the name. Everything that cannot be read raises `LevelError` and nothing else.
"""

from pathlib import Path

from game.rules import sokoban
from game.rules.files import read_regular
from game.rules.levels import arrays, slc
from game.rules.levels import text as level_text
from game.rules.levels.arrays import dump_npy, dump_text
from game.rules.levels.data import (
    MAX_BYTES,
    MAX_COMMENT,
    MAX_LEVELS,
    MAX_SQUARES,
    MAX_TITLE,
    Contents,
    Level,
    LevelError,
    Pack,
    Sketch,
    check,
    level_id,
    level_of,
)
from game.rules.levels.letters import rows_of
from game.rules.levels.lurd import MAX_MOVES, is_lurd, replayed
from game.rules.levels.writing import dump, dump_sketch

__all__ = [
    "MAX_BYTES",
    "MAX_LEVELS",
    "MAX_MOVES",
    "MAX_SQUARES",
    "Level",
    "LevelError",
    "Pack",
    "Sketch",
    "board",
    "check",
    "dump",
    "dump_npy",
    "dump_sketch",
    "dump_text",
    "is_lurd",
    "level_id",
    "parse",
    "parse_boards",
    "parse_lenient",
    "read",
    "replayed",
    "sketches",
]


def parse(text: str | bytes, source: str) -> Pack:
    """The pack in `text`, the content of a file; `source` is its name in error messages.

    Raises:
        LevelError: the first thing that is wrong with the file or with one of its levels.
    """
    pack, errors = parse_lenient(text, source)
    if errors:
        raise errors[0]
    return pack


def parse_lenient(text: str | bytes, source: str) -> tuple[Pack, tuple[LevelError, ...]]:
    """The good levels of a pack, and one error for each board that is refused, in the order of the file.

    Raises:
        LevelError: the file holds no board at all, or is larger than `MAX_BYTES`, `MAX_LEVELS` or `MAX_SQUARES`.
    """
    pack, boards = parse_boards(text, source)
    return pack, tuple(board for board in boards if isinstance(board, LevelError))


def parse_boards(text: str | bytes, source: str) -> tuple[Pack, tuple[Level | LevelError, ...]]:
    """The pack of the good levels, and every board in the order of the file, refused ones as their errors.

    Raises:
        LevelError: as `parse_lenient`.
    """
    contents = _contents(text, source)
    boards: list[Level | LevelError] = []
    for found in contents.boards:
        try:
            boards.append(found if isinstance(found, LevelError) else level_of(found, source))
        except LevelError as error:
            boards.append(error)
    head = contents.head
    levels = tuple(found for found in boards if isinstance(found, Level))
    said = (head.title[:MAX_TITLE], head.author[:MAX_TITLE], head.licence[:MAX_COMMENT], head.comment[:MAX_COMMENT])
    return Pack(levels, *said), tuple(boards)


def sketches(text: str | bytes, source: str) -> tuple[Sketch, ...]:
    """Every board of a file as it stands there, be it a puzzle or not.

    Raises:
        LevelError: there is no board, one is larger than 64×64, or one has letters or numbers that mean nothing.
    """
    found = []
    for sketch in _contents(text, source).boards:
        if isinstance(sketch, LevelError):
            raise sketch
        found.append(sketch)
    return tuple(found)


def read(path: str | Path) -> Pack:
    """The pack in a file; raises LevelError, also where the file cannot be opened."""
    path = Path(path)
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise LevelError(path.name, None, error.strerror or "the file cannot be opened") from None
    return parse(data, path.name)


def board(state: sokoban.State) -> list[str]:
    """The rows of a position as XSB text, without blanks at their ends; a row of floor alone is a single `-`."""
    return rows_of(sokoban.to_array(state))


def _contents(data: str | bytes, source: str) -> Contents:
    """What a file holds, in whatever form; raises LevelError where that is no board at all."""
    if len(data) > MAX_BYTES:
        raise LevelError(source, None, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    if isinstance(data, bytes) and data.startswith(arrays.NPY):
        return arrays.read_npy(data, source)
    text = data if isinstance(data, str) else level_text.decode(data)
    if slc.is_slc(text):
        contents = slc.read(data, source)
    else:
        lines = level_text.lines_of(text)
        if arrays.has_table(text) and not level_text.has_board(lines):
            contents = arrays.read_text(text, source)
        else:
            contents = level_text.read(lines, source)
    if not contents.boards:
        binary = "\0" in text
        raise LevelError(source, None, "this is no text, and no form that a level has" if binary else
                         "there is no level in it")  # fmt: skip
    if sum(found.board.size for found in contents.boards if isinstance(found, Sketch)) > MAX_SQUARES:
        raise LevelError(source, None, f"its boards together have more than {MAX_SQUARES:,} squares")
    return contents
