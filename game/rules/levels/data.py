"""What a Sokoban level is apart from any file: the level, the pack, the unchecked sketch, and the one error.

Everything about levels is imported from `game.rules.levels`; this file only keeps the readers of single forms apart
from it.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from game.rules import sokoban

MAX_BYTES = 8_000_000
MAX_LEVELS = 10_000
MAX_SQUARES = 4_000_000
"""Squares of all boards of a file together: a few letters in runs may stand for thousands, and each takes memory."""
MAX_TITLE, MAX_COMMENT = 200, 10_000
"""Characters of a title or an author, and of a comment; what is longer is cut off."""


class LevelError(ValueError):
    """A level or a file of levels that cannot be read; str() is 'source:line: reason'."""

    def __init__(self, source: str, line: int | None, reason: str) -> None:
        """`line` counts from 1; None where the whole file is meant, or a file that has no lines."""
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
    line: int | None = 1
    """From 1; None in a file that has no lines."""

    @cached_property
    def name(self) -> str:
        """See `level_id`: worked out once, since lists of levels ask for it again and again."""
        return _named(self.state)


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
    line: int | None = 1
    rules: sokoban.Rules = sokoban.PUSH_ONLY
    """What is said of the rules; letters and a second player on the board add to them."""


@dataclass(frozen=True)
class Contents:
    """What a reader finds in a file: what is said of the whole, and each board or why it cannot be read."""

    boards: tuple[Sketch | LevelError, ...]
    head: Pack = Pack(())
    """Without levels."""


def level_of(sketch: Sketch, source: str) -> Level:
    """The level that a sketch is; raises LevelError where it is none."""
    try:
        state = sokoban.from_array(sketch.board, sketch.rules)
    except ValueError as error:
        raise LevelError(source, sketch.line, str(error)) from None
    check(state, source, sketch.line)
    title, author, comment = sketch.title[:MAX_TITLE], sketch.author[:MAX_TITLE], sketch.comment[:MAX_COMMENT]
    return Level(state, title, author, comment, sketch.solution, sketch.line)


def level_id(level: Level) -> str:
    """16 hexadecimal digits that name the board: the same whatever the title and wherever it stands on its page."""
    return level.name


def _named(state: sokoban.State) -> str:
    array = sokoban.to_array(state)
    rules = state.warehouse.rules
    said = "" if rules == sokoban.PUSH_ONLY else f" {rules.name}"
    used = np.argwhere(array != sokoban.EMPTY)
    top, left = used.min(axis=0)
    bottom, right = used.max(axis=0)
    cut = array[top : bottom + 1, left : right + 1]
    return hashlib.sha256(f"{cut.shape}{said}".encode() + cut.tobytes()).hexdigest()[:16]


def check(state: sokoban.State, source: str = "level", line: int | None = None) -> None:
    """Refuse a position that is no puzzle.

    Boxes on targets that the player cannot reach may stay: they are decoration.

    Raises:
        LevelError: larger than 64×64, no boxes, not as many boxes as targets, the player not enclosed by walls, a box
            or target outside the walls, or already solved.
    """
    warehouse = state.warehouse
    if not (1 <= warehouse.rows <= sokoban.MAX_SIDE and 1 <= warehouse.cols <= sokoban.MAX_SIDE):
        raise LevelError(source, line, too_large(warehouse.rows, warehouse.cols))
    if not state.boxes:
        raise LevelError(source, line, "there is no box")
    if len(state.boxes) != len(warehouse.targets):
        counts = f"{len(state.boxes)} and {len(warehouse.targets)}"
        raise LevelError(source, line, f"there must be as many boxes as targets, not {counts}")
    rows, cols = warehouse.rows, warehouse.cols
    edge = {*range(cols), *range((rows - 1) * cols, rows * cols)}
    edge.update(range(0, rows * cols, cols), range(cols - 1, rows * cols, cols))
    players = {state.player, state.second} if state.second >= 0 else {state.player}
    inside = _spread(warehouse, players)
    if not inside.isdisjoint(edge):
        raise LevelError(source, line, "the board is not enclosed by walls")
    lonely = (state.boxes ^ warehouse.targets) - inside
    outside = _spread(warehouse, edge - warehouse.walls) & lonely if lonely else lonely
    if outside:
        row, col = divmod(min(outside), cols)
        raise LevelError(source, line, f"row {row + 1}, column {col + 1} is a box or target outside the walls")
    if sokoban.is_solved(state):
        raise LevelError(source, line, "it is already solved")


def _spread(warehouse: sokoban.Warehouse, seeds: set[int]) -> set[int]:
    """The squares joined to `seeds` by open squares, boxes ignored.

    `Warehouse.connected` finds the same by a table that pays only for levels that are played.
    """
    cols, size = warehouse.cols, warehouse.rows * warehouse.cols
    free = bytearray(b"\1") * (size + cols + 1)  # a row off the board at the end, which index -1 and below mean too
    free[size:] = bytes(cols + 1)
    for square in warehouse.walls:
        free[square] = 0
    for square in seeds:
        free[square] = 0
    seen, stack = list(seeds), list(seeds)
    while stack:
        square = stack.pop()
        col = square % cols
        left, right = square - 1 if col else size, square + 1 if col < cols - 1 else size
        for other in (square - cols, square + cols, left, right):
            if free[other]:
                free[other] = 0
                seen.append(other)
                stack.append(other)
    return set(seen)


def too_large(rows: int, cols: int) -> str:
    """Why a board of that size is refused."""
    return f"the board has {rows} rows and {cols} columns; {sokoban.MAX_SIDE} of each is the most"
