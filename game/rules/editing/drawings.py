"""Drawing a Sokoban level: an immutable grid of squares and the operations of the level editor on it.

A drawing is any grid of 3×3 to 64×64 squares with the numbers of `sokoban.Board` (0 empty … 6 player on target, larger
ones for letters and a second player); it need not be a level yet: it may have no player, or more boxes than targets.
What is wrong with it says `game.rules.editing.checks`. Every operation returns a new drawing and loses nothing that it
does not say it loses; squares are numbers, row * cols + col.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from game.rules import sokoban
from game.rules.direction import DELTAS
from game.rules.levels.letters import letter_of
from game.rules.sokoban import (
    BOX,
    BOX_ON_TARGET,
    EMPTY,
    KIND,
    PLAYER,
    PLAYER_ON_TARGET,
    SECOND,
    TARGET,
    WALL,
    Board,
    Rules,
)
from game.rules.sokoban.array import (
    BOXES,
    KINDS_ONLY,
    MOST_LETTERS,
    PLAYERS,
    TARGETS,
    box_letter,
    is_cell,
    lettered,
    target_letter,
)
from game.rules.sokoban.array import cell as make_cell

LEAST, MOST = 3, sokoban.MAX_SIDE
"""Rows and columns at least and at most."""
NEW_ROWS, NEW_COLS = 9, 11

KINDS = (WALL, EMPTY, BOX, TARGET, PLAYER, BOX_ON_TARGET, PLAYER_ON_TARGET)
"""Every kind of square, in the order of the palette."""
KINDS_OF_TWO = (*KINDS, PLAYER + SECOND)
"""The same where two play."""
NAMES = ("floor", "wall", "box", "target", "player", "box on target", "player on target")
"""What a kind is called, by its number."""

Mask = npt.NDArray[np.bool_]
"""Shape (rows, cols): which squares are meant."""

_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A grid of squares, a number each, row by row."""

    rows: int
    cols: int
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raises ValueError on a size out of range, a wrong number of squares or an unknown kind."""
        if not (LEAST <= self.rows <= MOST and LEAST <= self.cols <= MOST):
            raise ValueError(f"a drawing has {LEAST} to {MOST} rows and columns, not {self.rows} and {self.cols}")
        if len(self.cells) != self.rows * self.cols:
            raise ValueError(f"{self.rows} × {self.cols} squares are needed, not {len(self.cells)}")
        if not all(map(is_cell, set(self.cells))):
            raise ValueError(KINDS_ONLY)

    @override
    def __str__(self) -> str:
        """The drawing in the letters of XSB."""
        text = "".join(map(letter_of, self.cells))
        return "\n".join(text[row * self.cols : (row + 1) * self.cols] for row in range(self.rows))

    @property
    def array(self) -> Board:
        """A copy as an array of shape (rows, cols): int8, or int16 with letters."""
        array: Board = np.array(self.cells, dtype=np.int16 if self.lettered else np.int8)
        return array.reshape(self.rows, self.cols)

    @property
    def lettered(self) -> bool:
        """Whether any box or target has a letter."""
        return max(self.cells) > KIND + SECOND

    def squares(self, kinds: Iterable[int], second: bool = False) -> tuple[int, ...]:
        """The squares of these kinds, in order; with `second` those of the second player instead of the first."""
        wanted = frozenset(kind + SECOND if second else kind for kind in kinds)
        return tuple(square for square, cell in enumerate(self.cells) if cell & (KIND + SECOND) in wanted)

    def mask(self, kinds: Iterable[int]) -> Mask:
        """Which squares are of these kinds, whatever their letters and whichever the player."""
        wanted: Mask = np.isin(self.array & KIND, tuple(kinds))
        return wanted


def of_array(array: npt.ArrayLike) -> Drawing:
    """The drawing of an array of whole numbers; one smaller than 3×3 is enlarged with floor; raises ValueError."""
    board = np.asarray(array)
    if board.ndim != 2 or board.dtype.kind not in "iu" or not board.size:
        raise ValueError("a board is a table of whole numbers")
    if max(board.shape) > MOST:
        raise ValueError(
            f"the board has {board.shape[0]} rows and {board.shape[1]} columns; {MOST} of each is the most"
        )
    if not all(map(is_cell, np.unique(board).tolist())):
        raise ValueError(KINDS_ONLY)
    rows, cols = (max(LEAST, side) for side in board.shape)
    whole: Board = np.full((rows, cols), EMPTY, dtype=np.int16)
    whole[: board.shape[0], : board.shape[1]] = board
    return _drawing(whole)


def blank(rows: int = NEW_ROWS, cols: int = NEW_COLS) -> Drawing:
    """Floor with walls all round; raises ValueError on a size out of range."""
    array: Board = np.full((max(0, rows), max(0, cols)), WALL, dtype=np.int16)
    array[1:-1, 1:-1] = EMPTY
    return _drawing(array)


def written(drawing: Drawing) -> str:
    """The squares as text for a file: a digit each, or with commas between them where a number has several."""
    return ("" if max(drawing.cells) <= 9 else ",").join(map(str, drawing.cells))


def cells_of(text: str) -> tuple[int, ...]:
    """The squares of such a text; raises ValueError on anything else."""
    if text.strip(_DIGITS + ",") or len(text) > 6 * MOST * MOST:
        raise ValueError("the squares of a drawing are whole numbers")
    return tuple(map(int, text.split(",") if "," in text else text))


# Painting


def paint(drawing: Drawing, squares: Sequence[int], cell: int) -> Drawing:
    """The drawing with one kind of square, a player, or a box or target with a letter, on `squares`.

    There is one of each player and each letter: placing it on the last square removes any other. What is removed from
    a target leaves the target there, and a target that is removed leaves the box or player. A second player that
    is placed on a target stands on it.
    """
    if not squares:
        return drawing
    cells = list(drawing.cells)
    if is_single(cell):
        squares = squares[-1:]
        for square, old in enumerate(cells):
            cells[square] = without(old, cell)
    for square in squares:
        kept = target_letter(cells[square]) if cell == PLAYER + SECOND else 0
        on_target = cell == PLAYER + SECOND and cells[square] & KIND in TARGETS
        cells[square] = make_cell(PLAYER_ON_TARGET, target=kept, second=True) if on_target else cell
    return drawing if tuple(cells) == drawing.cells else Drawing(drawing.rows, drawing.cols, tuple(cells))


def is_single(cell: int) -> bool:
    """Whether there can be only one square like this: a player, a box with a letter, a target with a letter."""
    return cell & KIND in PLAYERS or cell > KIND + SECOND


def without(old: int, cell: int) -> int:
    """The square `old` without the player, the letter of the box and the letter of the target that `cell` has."""
    kind, second = old & KIND, old & SECOND
    box, target = box_letter(old), target_letter(old)
    on_target = kind in TARGETS
    if kind in PLAYERS and cell & KIND in PLAYERS and second == cell & SECOND:
        kind, second = (TARGET if on_target else EMPTY), 0
    if box and box == box_letter(cell):
        kind, box = (TARGET if on_target else EMPTY), 0
    if target and target == target_letter(cell):
        kind = {TARGET: EMPTY, BOX_ON_TARGET: BOX, PLAYER_ON_TARGET: PLAYER}[kind]
        target = 0
    return make_cell(kind, box, target, bool(second))


def with_rules(drawing: Drawing, rules: Rules) -> Drawing:
    """The drawing as these rules need it: letters on boxes and targets or none, a second player or none of him.

    A second player that two players need is not placed: a person does that.

    Raises:
        ValueError: there are more boxes than letters.
    """
    cells = list(drawing.cells)
    if not rules.fixed:
        cells = [cell & (KIND + SECOND) for cell in cells]
    if rules.players == 1:
        cells = [(TARGET if cell & KIND == PLAYER_ON_TARGET else EMPTY) if cell & SECOND else cell for cell in cells]
    if rules.fixed:
        cells = lettered(cells)
    return Drawing(drawing.rows, drawing.cols, tuple(cells))


def with_letter(drawing: Drawing, cell: int, letter: int = 0) -> int:
    """A kind of square as it is painted where targets are fixed: with a letter, the next that is due unless one is given.

    Kinds that bear none stay as they are, and so do all once the alphabet is used up.
    """
    kind = cell & KIND
    letter = letter or next_letter(drawing, kind) if kind in (*BOXES, *TARGETS) else 0
    box, target = letter if kind in BOXES else 0, letter if kind in TARGETS else 0
    return make_cell(kind, box, target, cell & SECOND > 0)


def letter_in(cell: int) -> int:
    """The letter of a square's box, or else of its target; 1 for a, 0 for none."""
    return box_letter(cell) or target_letter(cell)


def name_of(cell: int) -> str:
    """What people call a square: 'box', 'box c', 'target C', 'second player'."""
    name = NAMES[cell & KIND]
    if cell & SECOND:
        name = f"second {name}"
    letter = letter_in(cell)
    if not letter:
        return name
    shown = ascii_lowercase[letter - 1]
    return f"{name} {shown if box_letter(cell) else shown.upper()}"


def next_letter(drawing: Drawing, kind: int) -> int:
    """The letter (1 for a) that the next box or target of a kind takes: one that only its counterpart has, or a new one.

    0 where the alphabet is used up.
    """
    boxes = {box_letter(cell) for cell in drawing.cells} - {0}
    targets = {target_letter(cell) for cell in drawing.cells} - {0}
    lacking = sorted(
        targets - boxes if kind == BOX else boxes - targets if kind in (TARGET, PLAYER_ON_TARGET) else ()
    )
    fresh = (letter for letter in range(1, MOST_LETTERS + 1) if letter not in boxes | targets)
    return lacking[0] if lacking else next(fresh, 0)


def line(cols: int, start: int, end: int) -> tuple[int, ...]:
    """The squares of a straight line between two squares, both included (Bresenham 1965)."""
    (row, col), (last_row, last_col) = divmod(start, cols), divmod(end, cols)
    down, across = abs(last_row - row), abs(last_col - col)
    step_row, step_col = (1 if last_row > row else -1), (1 if last_col > col else -1)
    error = across - down
    squares = [start]
    while (row, col) != (last_row, last_col):
        twice = 2 * error
        if twice > -down:
            error -= down
            col += step_col
        if twice < across:
            error += across
            row += step_row
        squares.append(row * cols + col)
    return tuple(squares)


def rectangle(cols: int, corner: int, opposite: int, filled: bool = False) -> tuple[int, ...]:
    """The squares on the outline of a rectangle between two corners, or with `filled` all of it."""
    (row, col), (other_row, other_col) = divmod(corner, cols), divmod(opposite, cols)
    top, bottom = sorted((row, other_row))
    left, right = sorted((col, other_col))
    return tuple(
        r * cols + c
        for r in range(top, bottom + 1)
        for c in range(left, right + 1)
        if filled or r in (top, bottom) or c in (left, right)
    )


def region(drawing: Drawing, square: int) -> tuple[int, ...]:
    """The squares of the same kind that hang together with `square` over their sides, in order."""
    same: Mask = drawing.array == drawing.cells[square]
    seed: Mask = np.zeros_like(same)
    seed.flat[square] = True
    return tuple(int(found) for found in np.flatnonzero(spread(seed, same)))


# The whole map


def mirror(drawing: Drawing, upright: bool = False) -> Drawing:
    """Left and right exchanged, or with `upright` top and bottom."""
    return _drawing(drawing.array[::-1] if upright else drawing.array[:, ::-1])


def rotate(drawing: Drawing, back: bool = False) -> Drawing:
    """A quarter turn clockwise, or with `back` the other way."""
    return _drawing(np.rot90(drawing.array, 1 if back else -1))


def shift(drawing: Drawing, direction: int) -> Drawing:
    """Everything one square further in a direction; what leaves on one side comes in on the other.

    A frame of walls all round stays where it is: then only what is inside moves.
    """
    down, across = DELTAS[direction]
    array = drawing.array
    inside = array[1:-1, 1:-1] if framed(drawing) else array
    inside[:] = np.roll(inside, (down, across), axis=(0, 1))
    return _drawing(array)


def framed(drawing: Drawing) -> bool:
    """Whether every square of the edge is a wall."""
    array = drawing.array
    return bool((array[[0, -1], :] == WALL).all() and (array[:, [0, -1]] == WALL).all())


def resize(drawing: Drawing, rows: int, cols: int, down: int = 0, across: int = 0) -> Drawing:
    """The drawing on a map of another size; what does not fit is cut off. A frame of walls moves with the edge.

    Args:
        drawing: the drawing as it is.
        rows: new number of rows, 3 to 64.
        cols: new number of columns, 3 to 64.
        down: where the old rows go: 0 to the top, 1 to the middle, 2 to the bottom.
        across: where the old columns go: 0 to the left, 1 to the middle, 2 to the right.

    Raises:
        ValueError: the new size is out of range.
    """
    if not framed(drawing):
        return _drawing(_placed(drawing.array, rows, cols, down, across))
    frame = blank(rows, cols).array
    frame[1:-1, 1:-1] = _placed(drawing.array[1:-1, 1:-1], rows - 2, cols - 2, down, across)
    return _drawing(frame)


def crop(drawing: Drawing) -> Drawing:
    """The drawing without outer rows and columns that the level does not need, at least 3×3.

    Needed are the player, boxes and targets, and where the player is shut in by walls what he can walk on and the
    walls round it; where he is not, every square that is not floor.
    """
    array = drawing.array
    things: Mask = (array != EMPTY) & (array != WALL)
    inside = spread(drawing.mask(PLAYERS), array != WALL)
    shut = inside.any() and not (inside & edge(drawing)).any()
    needed = _with_walls(inside | things, array == WALL) if shut else array != EMPTY
    return _cut(drawing, needed)


def trim(drawing: Drawing) -> Drawing:
    """The drawing without outer rows and columns of nothing but floor, at least 3×3: all that XSB text can hold."""
    return _cut(drawing, drawing.array != EMPTY)


# Areas


def edge(drawing: Drawing) -> Mask:
    """The outermost squares."""
    mask: Mask = np.zeros((drawing.rows, drawing.cols), dtype=np.bool_)
    mask[[0, -1], :] = mask[:, [0, -1]] = True
    return mask


def spread(seeds: Mask, free: Mask) -> Mask:
    """The squares of `free` joined over their sides with seeds that are in it.

    Sets of squares are whole numbers used as bit boards with one spare column, so that each step is a few shifts.
    """
    rows, cols = free.shape
    width = cols + 1
    room = _bits(free)
    reached = layer = _bits(seeds) & room
    while layer:
        layer = (layer << width | layer >> width | layer << 1 | layer >> 1) & room & ~reached
        reached |= layer
    packed = np.frombuffer(reached.to_bytes((rows * width + 7) // 8, "little"), dtype=np.uint8)
    flat = np.unpackbits(packed, count=rows * width, bitorder="little")
    return flat.reshape(rows, width)[:, :cols].astype(np.bool_)


def _bits(mask: Mask) -> int:
    padded = np.pad(mask, ((0, 0), (0, 1)))
    return int.from_bytes(np.packbits(padded, bitorder="little").tobytes(), "little")


def _with_walls(mask: Mask, walls: Mask) -> Mask:
    """`mask` and the walls that touch it, corners included."""
    rows, cols = mask.shape
    padded = np.pad(mask, 1)
    near: Mask = np.zeros_like(mask)
    for down in range(3):
        for across in range(3):
            near |= padded[down : down + rows, across : across + cols]
    return mask | (near & walls)


def _cut(drawing: Drawing, needed: Mask) -> Drawing:
    """The rows and columns from the first to the last with a needed square; the drawing itself where none is."""
    squares = np.argwhere(needed)
    if not len(squares):
        return drawing
    (first_row, first_col), (last_row, last_col) = squares.min(axis=0), squares.max(axis=0)
    top, bottom = _span(int(first_row), int(last_row) + 1, drawing.rows)
    left, right = _span(int(first_col), int(last_col) + 1, drawing.cols)
    return _drawing(drawing.array[top:bottom, left:right])


def _span(first: int, last: int, most: int) -> tuple[int, int]:
    """`first` and one past `last`, widened to three rows or columns where there are fewer."""
    while last - first < LEAST:
        if last < most:
            last += 1
        else:
            first -= 1
    return first, last


def _placed(array: Board, rows: int, cols: int, down: int, across: int) -> Board:
    """`array` on floor of another size."""
    placed: Board = np.full((max(0, rows), max(0, cols)), EMPTY, dtype=np.int16)
    top, left = _offset(rows - array.shape[0], down), _offset(cols - array.shape[1], across)
    kept = array[max(0, -top) :, max(0, -left) :][: rows - max(0, top), : cols - max(0, left)]
    placed[max(0, top) : max(0, top) + kept.shape[0], max(0, left) : max(0, left) + kept.shape[1]] = kept
    return placed


def _offset(spare: int, anchor: int) -> int:
    """Where the old squares begin with `spare` (or -`spare` too few) rows or columns: the same way in and out."""
    return spare * anchor // 2 if spare >= 0 else -(-spare * anchor // 2)


def _drawing(array: Board) -> Drawing:
    return Drawing(array.shape[0], array.shape[1], tuple(array.ravel().tolist()))
