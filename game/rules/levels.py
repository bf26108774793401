"""Sokoban levels as XSB text, in and out.

A pack is a text with any number of boards (`#` wall, `@` player, `$` box, `.` target, `+` and `*` player and box on
a target, blank, `-` or `_` floor). The last line of text above a board is its title (`; title` too); `Title:`,
`Author:`, `Comment:` … `Comment-End:` and `Solution:` stand below it, those of the whole pack at the top of the file,
with a blank line after them. Everything that cannot be read raises `LevelError` and nothing else.
"""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from game.rules import sokoban

MAX_BYTES = 8_000_000
MAX_LEVELS = 10_000

_CODES = {"#": 1, "$": 2, ".": 3, "@": 4, "*": 5, "+": 6, " ": 0, "-": 0, "_": 0}
_LETTERS = " #$.@*+"
_KEYS = {
    "title": "title",
    "author": "author",
    "comment": "comment",
    "comment-end": "end",
    "solution": "solution",
    "licence": "licence",
    "license": "licence",
    "copyright": "licence",
    "collection": "collection",
    "variant": "variant",
}
_KEY = re.compile(rf"\s*({'|'.join(sorted(_KEYS, reverse=True))})\s*:(.*)", re.IGNORECASE | re.DOTALL)
_MARK = re.compile(r"\s*comment(-end)?\s*:", re.IGNORECASE)
_LURD = re.compile(r"[lurd\s]+", re.IGNORECASE)


class LevelError(ValueError):
    """A level or a file of levels that cannot be read; str() is 'source:line: reason'."""

    def __init__(self, source: str, line: int | None, reason: str) -> None:
        """`line` counts from 1; None where the whole file is meant."""
        super().__init__(f"{source}: {reason}" if line is None else f"{source}:{line}: {reason}")
        self.source = source
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Level:
    """One puzzle: its start position, what is said about it, and the line of the file where its board begins."""

    state: sokoban.State
    title: str = ""
    author: str = ""
    comment: str = ""
    solution: str = ""
    line: int = 1


@dataclass(frozen=True)
class Pack:
    """A file of levels with what its head says about all of them."""

    levels: tuple[Level, ...]
    title: str = ""
    author: str = ""
    licence: str = ""
    comment: str = ""


@dataclass(frozen=True, eq=False)
class Sketch:
    """One board of a file as it is drawn there, be it a puzzle or not, with what is said about it."""

    board: sokoban.Board
    title: str = ""
    author: str = ""
    comment: str = ""
    solution: str = ""
    line: int = 1


@dataclass
class _Board:
    """The rows of one board as they stand in the file, with what is said about it."""

    line: int
    rows: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)


@dataclass
class _Texts:
    """Lines of text without a blank line between them: (key or '', value)."""

    after_gap: bool
    before_gap: bool = True
    items: list[tuple[str, str]] = field(default_factory=list)


def parse(text: str | bytes, source: str) -> Pack:
    """The pack written in `text` (bytes: UTF-8 or else Latin-1); `source` is its name in error messages.

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
        LevelError: the file holds no board at all, or is larger than `MAX_BYTES` or `MAX_LEVELS`.
    """
    head, boards = _assign(_groups(_lines(text, source), source))
    if not boards:
        raise LevelError(source, None, "there is no level in it")
    levels, errors = [], []
    for found in boards:
        try:
            levels.append(_level(found, source))
        except LevelError as error:
            errors.append(error)
    title, author, licence, comment = (head.get(key, "") for key in ("title", "author", "licence", "comment"))
    return Pack(tuple(levels), title, author, licence, comment), tuple(errors)


def sketches(text: str | bytes, source: str) -> tuple[Sketch, ...]:
    """Every board of a text as it stands there, be it a puzzle or not.

    Raises:
        LevelError: there is no board, one is larger than 64×64, or one has letters that mean nothing.
    """
    _head, boards = _assign(_groups(_lines(text, source), source))
    if not boards:
        raise LevelError(source, None, "there is no level in it")
    return tuple(_sketch(found, source) for found in boards)


def read(path: str | Path) -> Pack:
    """The pack in a file; raises LevelError, also where the file cannot be opened."""
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LevelError(path.name, None, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(path.name, None, error.strerror or "the file cannot be opened") from None
    return parse(data, path.name)


def dump(pack: Pack) -> str:
    """The pack as XSB text; `parse` gives the same pack back (line numbers and blanks around texts apart)."""
    head = _pairs(("Title", pack.title), ("Author", pack.author), ("Licence", pack.licence)) + _remark(pack.comment)
    parts = ["\n".join(head)] if head else []
    parts += [_text(level, board(level.state)) for level in pack.levels]
    return "\n\n".join(parts) + "\n"


def dump_sketch(sketch: Sketch) -> str:
    """One board as XSB text, be it a puzzle or not. Outer rows without a wall cannot be read back as rows."""
    return _text(sketch, _rows(sketch.board)) + "\n"


def _text(level: Level | Sketch, rows: list[str]) -> str:
    """The rows and below them what is said."""
    lines = rows + _pairs(("Title", level.title), ("Author", level.author)) + _remark(level.comment)
    return "\n".join(lines + _pairs(("Solution", level.solution)))


def board(state: sokoban.State) -> list[str]:
    """The rows of a position as XSB text, without blanks at their ends; a row of floor alone is a single `-`."""
    return _rows(sokoban.to_array(state))


def _rows(array: sokoban.Board) -> list[str]:
    rows = ("".join(_LETTERS[code] for code in row).rstrip() for row in array)
    return [row or "-" for row in rows]


def level_id(level: Level) -> str:
    """16 hexadecimal digits that name the board: the same whatever the title and wherever it stands on its page."""
    array = sokoban.to_array(level.state)
    used = np.argwhere(array != sokoban.EMPTY)
    top, left = used.min(axis=0)
    bottom, right = used.max(axis=0)
    cut = array[top : bottom + 1, left : right + 1]
    return hashlib.sha256(f"{cut.shape}".encode() + cut.tobytes()).hexdigest()[:16]


def check(state: sokoban.State, source: str = "level", line: int | None = None) -> None:
    """Refuse a position that is no puzzle.

    Boxes on targets that the player cannot reach may stay: they are decoration.

    Raises:
        LevelError: larger than 64×64, no boxes, not as many boxes as targets, the player not enclosed by walls, a box
            or target outside the walls, or already solved.
    """
    warehouse = state.warehouse
    if not (1 <= warehouse.rows <= sokoban.MAX_SIDE and 1 <= warehouse.cols <= sokoban.MAX_SIDE):
        raise LevelError(source, line, _too_large(warehouse.rows, warehouse.cols))
    if not state.boxes:
        raise LevelError(source, line, "there is no box")
    if len(state.boxes) != len(warehouse.targets):
        counts = f"{len(state.boxes)} and {len(warehouse.targets)}"
        raise LevelError(source, line, f"there must be as many boxes as targets, not {counts}")
    edge = frozenset(
        square
        for square in range(warehouse.rows * warehouse.cols)
        if square // warehouse.cols in (0, warehouse.rows - 1) or square % warehouse.cols in (0, warehouse.cols - 1)
    )
    if warehouse.connected([state.player]) & edge:
        raise LevelError(source, line, "the board is not enclosed by walls")
    outside = warehouse.connected(edge - warehouse.walls) & (state.boxes ^ warehouse.targets)
    if outside:
        row, col = divmod(min(outside), warehouse.cols)
        raise LevelError(source, line, f"row {row + 1}, column {col + 1} is a box or target outside the walls")
    if sokoban.is_solved(state):
        raise LevelError(source, line, "it is already solved")


def _lines(text: str | bytes, source: str) -> list[str]:
    """The lines of the text, whatever its encoding and line ends."""
    if len(text) > MAX_BYTES:
        raise LevelError(source, None, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    return re.split(r"\r\n|\n|\r", (text if isinstance(text, str) else _decode(text)).removeprefix("\ufeff"))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _is_row(line: str, inside: bool) -> bool:
    """Whether a line belongs to a board; `inside`: the line above does.

    A row with strange letters between two walls counts, so that it is refused and not taken for a title.
    """
    text = line.strip()
    if all(letter in _CODES for letter in text):
        return "#" in text or (inside and text != "")
    return text.startswith("#") and (inside or text.endswith("#"))


def _groups(lines: list[str], source: str) -> list[_Board | _Texts]:
    """The file cut into boards and groups of text, in order."""
    ends = _comment_ends(lines)
    groups: list[_Board | _Texts] = []
    current: _Board | _Texts | None = None
    count = number = 0
    while number < len(lines):
        line, at = lines[number], number
        number += 1
        if not line.strip():
            current = None
            continue
        if _is_row(line, isinstance(current, _Board)):
            if not isinstance(current, _Board):
                if isinstance(current, _Texts):
                    current.before_gap = False
                count += 1
                if count > MAX_LEVELS:
                    raise LevelError(source, at + 1, f"the file has more than {MAX_LEVELS:,} levels")
                current = _Board(at + 1)
                groups.append(current)
            current.rows.append(line.rstrip())
            continue
        if not isinstance(current, _Texts):
            current = _Texts(after_gap=current is None)
            groups.append(current)
        match = _KEY.fullmatch(line)
        if match is None:
            text = line.strip()
            if current.items and current.items[-1][0] == "solution" and _LURD.fullmatch(text):
                current.items.append(("solution", text))
            elif not text.startswith("::"):
                current.items.append(("", text.lstrip(";").strip()))
            continue
        key, value = _KEYS[match[1].lower()], match[2].strip()
        if key == "comment" and ends[at]:
            value = "\n".join([value, *(text.rstrip() for text in lines[at + 1 : ends[at]])]).strip("\n")
            number = ends[at] + 1
        current.items.append((key, value))
    return groups


def _comment_ends(lines: list[str]) -> list[int]:
    """For every line that opens a comment the line of its `Comment-End:`, 0 for comments of one line."""
    ends = [0] * len(lines)
    end = 0
    for number in range(len(lines) - 1, -1, -1):
        match = _KEY.fullmatch(lines[number])
        key = match[1].lower() if match else ""
        if key == "comment-end":
            end = number
        elif key == "comment":
            ends[number], end = end, 0
    return ends


def _assign(groups: list[_Board | _Texts]) -> tuple[dict[str, str], list[_Board]]:
    """What is said of the whole pack, and the boards with what is said of each."""
    head: dict[str, str] = {}
    boards = [group for group in groups if isinstance(group, _Board)]
    done = 0
    for group in groups:
        if isinstance(group, _Board):
            done += 1
            continue
        above = boards[done - 1] if done else None
        below = boards[done] if done < len(boards) else None
        if above is not None and (not group.after_gap or group.before_gap or below is None):
            said = above.said
        else:
            said = head if below is None or group.before_gap else below.said
        for key, value in group.items:
            if key == "":
                if below is not None:
                    below.texts.append(value)
                elif above is not None:
                    _say(above.said, "comment", value)
            elif key in ("collection", "licence"):
                _say(head, "title" if key == "collection" else key, value)
            else:
                _say(said, key, value)
    for number, found in enumerate(boards):
        texts = [text for text in found.texts if text]
        if texts and not found.said.get("title"):
            found.said["title"] = texts.pop()
        for text in texts:
            _say(head if number == 0 else found.said, "comment", text)
    return head, boards


def _say(said: dict[str, str], key: str, value: str) -> None:
    """Add one value; comments and solutions may come in several pieces, of the rest the first counts."""
    if key in ("comment", "solution") and said.get(key):
        said[key] += ("\n" if key == "comment" else "") + value
    elif value and not said.get(key):
        said[key] = value


def _level(found: _Board, source: str) -> Level:
    """The level on one board; raises LevelError with the line where it goes wrong."""
    sketch = _sketch(found, source)
    try:
        state = sokoban.from_array(sketch.board)
    except ValueError as error:
        raise LevelError(source, found.line, str(error)) from None
    check(state, source, found.line)
    return Level(state, sketch.title, sketch.author, sketch.comment, sketch.solution, found.line)


def _sketch(found: _Board, source: str) -> Sketch:
    """One board as it is drawn; raises LevelError on its size, its letters or its variant."""
    rows, cols = len(found.rows), max(map(len, found.rows))
    if rows > sokoban.MAX_SIDE or cols > sokoban.MAX_SIDE:
        raise LevelError(source, found.line, _too_large(rows, cols))
    variant = found.said.get("variant", "sokoban")
    if variant.lower() != "sokoban":
        raise LevelError(source, found.line, f"the rules of the variant {variant!r} are not known")
    array = np.zeros((rows, cols), dtype=np.int8)
    for row, text in enumerate(found.rows):
        for col, letter in enumerate(text):
            if letter not in _CODES:
                raise LevelError(source, found.line + row, f"{letter!r} means nothing on a board")
            array[row, col] = _CODES[letter]
    title, author, comment = (found.said.get(key, "") for key in ("title", "author", "comment"))
    solution = "".join(found.said.get("solution", "").split())
    return Sketch(array, title, author, comment, solution if _LURD.fullmatch(solution) else "", found.line)


def _too_large(rows: int, cols: int) -> str:
    return f"the board has {rows} rows and {cols} columns; {sokoban.MAX_SIDE} of each is the most"


def _pairs(*pairs: tuple[str, str]) -> list[str]:
    """`Key: value` lines of the values that are there, each on one line."""
    return [f"{key}: {' '.join(value.split())}" for key, value in pairs if value.strip()]


def _remark(comment: str) -> list[str]:
    """The lines of a comment between its marks; marks inside it lose their colon."""
    if not comment.strip():
        return []
    lines = re.split(r"\r\n|\n|\r", comment.strip("\n"))
    body = [line.rstrip().replace(":", "", 1) if _MARK.match(line) else line.rstrip() for line in lines]
    return ["Comment:", *body, "Comment-End:"]
