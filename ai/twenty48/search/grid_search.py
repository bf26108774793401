"""Expectimax on boards of any size, in slices. `ai.twenty48.search.stack` says how the stack works.

Nearly all the time goes into positions with one slide left. Such a position is an afterstate with one more tile, so
each of its slides differs from that of the afterstate in a single line: the afterstate is slid four times, then a tile
costs one line and those lines across it in which something changed (`ai.twenty48.search.grid_lines` remembers lines).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, count_empty, slide, spawn
from ai.twenty48.board.spawns import random_number
from ai.twenty48.search import stack
from ai.twenty48.search.evaluation import EXPONENTS, Numbers, Weights, evaluate_grid
from ai.twenty48.search.grid_lines import (
    ASIS,
    INNER,
    LEFT,
    OUTER,
    RIGHT,
    Known,
    Lines,
    Worths,
    cell_of,
    learn,
    make_lines,
    read_lines,
    slot_of,
)
from ai.twenty48.search.stack import (
    Frames,
    Reals,
    Record,
    Stack,
    best_action,
    make_stack,
    open_position,
    open_root,
    recall,
    remember,
    write_move,
)
from game.rules.twenty48 import MAX_SIZE

AFTER, POSITION = range(2)
"""Indices into `GridSearch.boards`: the afterstate, and the position with the tile being tried in it."""
Boards = npt.NDArray[np.uint8]
"""uint8 (MAX_DEPTH, 2, 64)."""
LOSS = 6
"""Index into the numbers of `Weights.numbers`."""


class Leaf(NamedTuple):
    """Where `mean_leaf` writes down its afterstate and the four slides of it."""

    board: npt.NDArray[np.uint64]
    """(2, 8): its rows and its columns."""
    slides: npt.NDArray[np.uint64]
    """(4, 2, 8): for each action, the lines it slides along and the lines across these, after the slide."""
    worths: npt.NDArray[np.float64]
    """(4, 2, 8): what those lines are worth."""
    moved: npt.NDArray[np.int64]
    """(4,): in how many lines something moves."""


class GridSearch(NamedTuple):
    """A stack with its boards, and what the rules and the evaluation say of lines."""

    stack: Stack
    boards: Boards
    scratch: npt.NDArray[np.uint8]
    """(2, 64): the position of a leaf, and an afterstate."""
    marks: npt.NDArray[np.uint64]
    """(64, 64): a random number for every exponent in every cell (Zobrist hashing)."""
    lines: Lines
    leaf: Leaf


def make_grid(size: int, depth: int, weights: Weights) -> GridSearch:
    """A search of boards of one size to `depth` slides."""
    cells = MAX_SIZE * MAX_SIZE
    marks = np.zeros((cells, EXPONENTS), np.uint64)
    fill_marks(marks)
    boards = np.zeros((stack.MAX_DEPTH, 2, cells), np.uint8)
    scratch = np.zeros((2, cells), np.uint8)
    leaf = Leaf(
        np.zeros((2, MAX_SIZE), np.uint64),
        np.zeros((4, 2, MAX_SIZE), np.uint64),
        np.zeros((4, 2, MAX_SIZE)),
        np.zeros(4, np.int64),
    )
    lines = make_lines(size, weights.numbers(), weights.powers())
    return GridSearch(make_stack(depth), boards, scratch, marks, lines, leaf)


@kernel
def fill_marks(marks: npt.NDArray[np.uint64]) -> None:
    """Fill the table of Zobrist hashing; an empty cell is marked 0."""
    for cell in range(marks.shape[0]):
        for exponent in range(1, marks.shape[1]):
            marks[cell, exponent] = random_number(np.uint64(cell), np.uint64(exponent))


@kernel
def key_of(cells: Cells, size: int, marks: npt.NDArray[np.uint64]) -> np.uint64:
    """What a board is known by in the transposition table: equal for two boards once in 2**64."""
    key = np.uint64(0)
    for cell in range(size * size):
        key ^= marks[cell, cells[cell]]
    return key


@kernel
def evaluate(
    cells: Cells,
    board: npt.NDArray[np.uint64],
    size: int,
    known: Known,
    known_worths: Worths,
    numbers: Numbers,
    powers: Numbers,
    scratch: npt.NDArray[np.uint8],
) -> np.float64:
    """`evaluate_grid` by lines that are known; writes the lines of the board into `board`."""
    read_lines(cells, size, board)
    worth = np.float64(0.0)
    for line in range(size):
        edge = OUTER if line == 0 or line == size - 1 else INNER
        for across in range(2):
            slot = slot_of(board[across, line])
            if known[slot, ASIS] != board[across, line]:
                learn(board[across, line], size, known, known_worths, numbers, powers, scratch)
            worth += known_worths[slot, ASIS, edge]
    return worth


@kernel
def slide_all(
    board: npt.NDArray[np.uint64],
    slides: npt.NDArray[np.uint64],
    worths: npt.NDArray[np.float64],
    moved: npt.NDArray[np.int64],
    size: int,
    known: Known,
    known_worths: Worths,
    numbers: Numbers,
    powers: Numbers,
    scratch: npt.NDArray[np.uint8],
) -> None:
    """Fill the fields of `Leaf` from its `board`."""
    for action in range(4):
        vertical = 1 if action == 0 or action == 2 else 0
        way = RIGHT if action == 1 or action == 2 else LEFT
        moved[action] = 0
        for line in range(size):
            before = board[vertical, line]
            slot = slot_of(before)
            if known[slot, ASIS] != before:
                learn(before, size, known, known_worths, numbers, powers, scratch)
            edge = OUTER if line == 0 or line == size - 1 else INNER
            slides[action, 0, line] = known[slot, way]
            worths[action, 0, line] = known_worths[slot, way, edge]
            moved[action] += known[slot, way] != before
        for cell in range(size):
            across = np.uint64(0)
            for line in range(size):
                across |= cell_of(slides[action, 0, line], cell) << np.uint64(8 * line)
            slot = slot_of(across)
            if known[slot, ASIS] != across:
                learn(across, size, known, known_worths, numbers, powers, scratch)
            edge = OUTER if cell == 0 or cell == size - 1 else INNER
            slides[action, 1, cell] = across
            worths[action, 1, cell] = known_worths[slot, ASIS, edge]


@kernel
def mean_leaf(
    after: Cells,
    count: int,
    cells: Cells,
    board: npt.NDArray[np.uint64],
    slides: npt.NDArray[np.uint64],
    worths: npt.NDArray[np.float64],
    moved: npt.NDArray[np.int64],
    size: int,
    known: Known,
    known_worths: Worths,
    numbers: Numbers,
    powers: Numbers,
    scratch: npt.NDArray[np.uint8],
) -> np.float64:
    """The value of an afterstate with one slide left after the tile; it has `count` empty cells.

    The value of each position is the best evaluation of its afterstates. `cells` is written over. All stands in one
    kernel: a call with this many arrays would cost more than the work in it.
    """
    read_lines(after, size, board)
    slide_all(board, slides, worths, moved, size, known, known_worths, numbers, powers, scratch)
    total = np.float64(0.0)
    for place in range(2 * size * size):
        cell, exponent = place >> 1, 1 + (place & 1)
        if after[cell]:
            continue
        y = cell // size
        x = cell - y * size
        best = np.float64(-np.inf)
        for action in range(4):
            vertical = action == 0 or action == 2
            way = RIGHT if action == 1 or action == 2 else LEFT
            line, spot = (x, y) if vertical else (y, x)
            before, slid_before = board[1 if vertical else 0, line], slides[action, 0, line]
            new = before | (np.uint64(exponent) << np.uint64(8 * spot))
            slot = slot_of(new)
            if known[slot, ASIS] != new:
                learn(new, size, known, known_worths, numbers, powers, scratch)
            slid = known[slot, way]
            if slid == new and moved[action] == (slid_before != before):
                continue
            new_worth = known_worths[slot, way, OUTER if line == 0 or line == size - 1 else INNER]
            changed = slid ^ slid_before
            worth = np.float64(0.0)
            for other in range(size):
                along = new_worth if other == line else worths[action, 0, other]
                across = worths[action, 1, other]
                change = cell_of(changed, other)
                if change:
                    crossing = slides[action, 1, other] ^ (change << np.uint64(8 * line))
                    slot = slot_of(crossing)
                    if known[slot, ASIS] != crossing:
                        learn(crossing, size, known, known_worths, numbers, powers, scratch)
                    across = known_worths[slot, ASIS, OUTER if other == 0 or other == size - 1 else INNER]
                # in the order of `evaluate_grid`: the row, then the column
                worth += across if vertical else along
                worth += along if vertical else across
            best = max(best, worth)
        if best == -np.inf:
            cells[:] = after
            cells[cell] = exponent
            best = evaluate_grid(cells, size, numbers, powers) - numbers[LOSS]
        total += best * (0.9 if exponent == 1 else 0.1)
    return np.float64(total / count)


@kernel
def next_empty(cells: Cells, size: int, cell: int) -> int:
    """The first empty cell from `cell` on, size² when there is none."""
    while cell < size * size and cells[cell]:
        cell += 1
    return cell


@kernel
def set_position(frames: Frames, reals: Reals, boards: Boards, level: int) -> None:
    """Make the position of `level` from its afterstate and the tile being tried."""
    boards[level, POSITION] = boards[level, AFTER]
    boards[level, POSITION, frames[level, stack.CELL]] = 1 + frames[level, stack.TILE]
    open_position(frames, reals, level)


@kernel
def look_grid(search: GridSearch, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    head, frames, reals, values, keys, tags, worths = search.stack
    boards, marks, number = search.boards, search.marks, head[stack.SEARCH]
    size, known, known_worths, numbers, powers, scratch = search.lines
    board, slides, side_worths, moved = search.leaf
    cells, after = search.scratch[0], search.scratch[1]
    level, probing = head[stack.LEVEL], head[stack.DEPTH] >= stack.PROBE_FROM
    while head[stack.NODES] < limit:
        action = frames[level, stack.ACTION]
        if action < 4:
            frames[level, stack.ACTION] = action + 1
            if slide(boards[level, POSITION], size, action, after) < 0:
                continue
            head[stack.NODES] += 1
            left = head[stack.DEPTH] - level - 1
            if left == 0 or reals[level, stack.LIKELY] < stack.CUTOFF:
                worth = evaluate(after, board, size, known, known_worths, numbers, powers, scratch)
            else:
                key = key_of(after, size, marks)
                worth = recall(keys, tags, worths, number, key, left) if probing else np.float64(np.nan)
                if np.isnan(worth):
                    if left == 1:
                        count = int(count_empty(after, size))
                        head[stack.NODES] += 2 * count
                        worth = mean_leaf(
                            after,
                            count,
                            cells,
                            board,
                            slides,
                            side_worths,
                            moved,
                            size,
                            known,
                            known_worths,
                            numbers,
                            powers,
                            scratch,
                        )
                        remember(keys, tags, worths, number, key, left, worth)
                    else:
                        level += 1
                        boards[level, AFTER] = after
                        frames[level, stack.TILE] = 0
                        frames[level, stack.CELL] = next_empty(after, size, 0)
                        frames[level, stack.COUNT] = count_empty(after, size)
                        reals[level, stack.SUM] = 0.0
                        set_position(frames, reals, boards, level)
                        continue
        elif level == 0:
            head[stack.ACTIVE] = 0
            return True
        else:
            best = reals[level, stack.BEST]
            if best == -np.inf:
                best = evaluate_grid(boards[level, POSITION], size, numbers, powers) - numbers[LOSS]
            reals[level, stack.SUM] += best * (0.1 if frames[level, stack.TILE] else 0.9)
            if frames[level, stack.TILE]:
                frames[level, stack.CELL] = next_empty(boards[level, AFTER], size, frames[level, stack.CELL] + 1)
            frames[level, stack.TILE] ^= 1
            if frames[level, stack.CELL] < size * size:
                set_position(frames, reals, boards, level)
                continue
            worth = reals[level, stack.SUM] / frames[level, stack.COUNT]
            remember(
                keys,
                tags,
                worths,
                number,
                key_of(boards[level, AFTER], size, marks),
                head[stack.DEPTH] - level,
                worth,
            )
            level -= 1
        if level == 0:
            values[frames[0, stack.ACTION] - 1] = worth
        else:
            reals[level, stack.BEST] = max(reals[level, stack.BEST], worth)
    head[stack.LEVEL] = level
    return False


@kernel
def begin_grid(search: GridSearch, cells: Cells, depth: int) -> None:
    """Get ready to search the position `cells` (uint8, size² exponents) to `depth` slides."""
    open_root(search.stack, depth)
    search.boards[0, POSITION, : len(cells)] = cells


@kernel
def play_grid(
    search: GridSearch,
    cells: Cells,
    luck: npt.NDArray[np.uint64],
    depth: int,
    record: Record,
    played: int,
    limit: int,
) -> tuple[int, bool]:
    """Play on from `cells` (uint8, size² exponents); see `play_packed` for arguments and returns."""
    size, after = search.lines.size, search.scratch[1]
    while played < len(record):
        if search.stack.head[stack.ACTIVE] == 0:
            open_root(search.stack, depth)
            search.boards[0, POSITION, : len(cells)] = cells
        if not look_grid(search, limit):
            return played, True
        action = best_action(search.stack.values)
        if action < 0:
            return played, False
        slide(cells, size, action, after)
        cell, exponent = spawn(after, size, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after[: len(cells)]
        luck[1] += np.uint64(1)
        write_move(record, played, action, cell, exponent)
        played += 1
    return played, False
