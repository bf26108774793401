"""Expectimax on boards of any size, in slices. `ai.twenty48.search` says how the stack works."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.evaluation import EXPONENTS, Numbers, Weights, evaluate_grid
from ai.twenty48.grid import Cells, count_empty, slide, spawn
from ai.twenty48.search import (
    ACTION,
    ACTIVE,
    BEST,
    CELL,
    COUNT,
    CUTOFF,
    DEPTH,
    LEVEL,
    LIKELY,
    MAX_DEPTH,
    NODES,
    PROBE_FROM,
    SEARCH,
    SUM,
    TILE,
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
from ai.twenty48.spawns import random_number
from game.rules.twenty48 import MAX_SIZE

AFTER, POSITION = range(2)
"""Indices into `GridSearch.boards`: the afterstate, and the position with the tile being tried in it."""
LOSS = 6
"""Index into the numbers of `Weights.numbers`."""


class GridSearch(NamedTuple):
    """A stack with its boards, and the numbers of the evaluation."""

    stack: Stack
    boards: npt.NDArray[np.uint8]
    """(MAX_DEPTH, 2, 64)."""
    scratch: npt.NDArray[np.uint8]
    """(2, 64): the position of a leaf, and an afterstate."""
    marks: npt.NDArray[np.uint64]
    """(64, 64): a random number for every exponent in every cell (Zobrist hashing)."""
    size: int
    numbers: Numbers
    powers: Numbers


def make_grid(size: int, depth: int, weights: Weights) -> GridSearch:
    """A search of boards of one size to `depth` slides."""
    cells = MAX_SIZE * MAX_SIZE
    marks = np.zeros((cells, EXPONENTS), np.uint64)
    fill_marks(marks)
    boards = np.zeros((MAX_DEPTH, 2, cells), np.uint8)
    scratch = np.zeros((2, cells), np.uint8)
    return GridSearch(make_stack(depth), boards, scratch, marks, size, weights.numbers(), weights.powers())


@kernel
def fill_marks(marks: npt.NDArray[np.uint64]) -> None:
    """Fill the table of Zobrist hashing; an empty cell is marked 0."""
    for cell in range(marks.shape[0]):
        for exponent in range(1, marks.shape[1]):
            marks[cell, exponent] = random_number(np.uint64(cell), np.uint64(exponent))


@kernel
def key_of(cells: Cells, search: GridSearch) -> np.uint64:
    """What a board is known by in the transposition table: equal for two boards once in 2**64."""
    key = np.uint64(0)
    for cell in range(search.size * search.size):
        key ^= search.marks[cell, cells[cell]]
    return key


@kernel
def evaluate(cells: Cells, search: GridSearch) -> np.float64:
    """The worth of a board."""
    return evaluate_grid(cells, search.size, search.numbers, search.powers)


@kernel
def best_leaf(cells: Cells, search: GridSearch) -> np.float64:
    """The value of a position with one slide left: the best evaluation of its afterstates."""
    best = np.float64(-np.inf)
    after = search.scratch[1]
    for action in range(4):
        if slide(cells, search.size, action, after) >= 0:
            best = max(best, evaluate(after, search))
    if best == -np.inf:
        return np.float64(evaluate(cells, search) - search.numbers[LOSS])
    return best


@kernel
def mean_leaf(after: Cells, search: GridSearch) -> np.float64:
    """The value of an afterstate with one slide left after the tile."""
    count = count_empty(after, search.size)
    search.stack.head[NODES] += 2 * count
    cells = search.scratch[0]
    cells[:] = after
    total = np.float64(0.0)
    for cell in range(search.size * search.size):
        if after[cell] == 0:
            cells[cell] = 1
            total += 0.9 * best_leaf(cells, search)
            cells[cell] = 2
            total += 0.1 * best_leaf(cells, search)
            cells[cell] = 0
    return np.float64(total / count)


@kernel
def next_empty(cells: Cells, size: int, cell: int) -> int:
    """The first empty cell from `cell` on, size² when there is none."""
    while cell < size * size and cells[cell]:
        cell += 1
    return cell


@kernel
def set_position(search: GridSearch, level: int) -> None:
    """Make the position of `level` from its afterstate and the tile being tried."""
    frames, boards = search.stack.frames, search.boards
    boards[level, POSITION] = boards[level, AFTER]
    boards[level, POSITION, frames[level, CELL]] = 1 + frames[level, TILE]
    open_position(frames, search.stack.reals, level)


@kernel
def look_grid(search: GridSearch, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    head, frames, reals, values, keys, tags, worths = search.stack
    boards, size, number = search.boards, search.size, head[SEARCH]
    after = search.scratch[1]
    level = head[LEVEL]
    while head[NODES] < limit:
        action = frames[level, ACTION]
        if action < 4:
            frames[level, ACTION] = action + 1
            if slide(boards[level, POSITION], size, action, after) < 0:
                continue
            head[NODES] += 1
            left = head[DEPTH] - level - 1
            if left == 0 or reals[level, LIKELY] < CUTOFF:
                worth = evaluate(after, search)
            else:
                key = key_of(after, search)
                worth = (
                    recall(keys, tags, worths, number, key, left) if head[DEPTH] >= PROBE_FROM else np.float64(np.nan)
                )
                if np.isnan(worth):
                    # mean_leaf slides into `scratch` too, so the afterstate moves to the next level in both cases
                    boards[level + 1, AFTER] = after
                    if left == 1:
                        worth = mean_leaf(boards[level + 1, AFTER], search)
                        remember(keys, tags, worths, number, key, left, worth)
                    else:
                        level += 1
                        frames[level, TILE] = 0
                        frames[level, CELL] = next_empty(after, size, 0)
                        frames[level, COUNT] = count_empty(after, size)
                        reals[level, SUM] = 0.0
                        set_position(search, level)
                        continue
        elif level == 0:
            head[ACTIVE] = 0
            return True
        else:
            best = reals[level, BEST]
            if best == -np.inf:
                best = evaluate(boards[level, POSITION], search) - search.numbers[LOSS]
            reals[level, SUM] += best * (0.1 if frames[level, TILE] else 0.9)
            if frames[level, TILE]:
                frames[level, CELL] = next_empty(boards[level, AFTER], size, frames[level, CELL] + 1)
            frames[level, TILE] ^= 1
            if frames[level, CELL] < size * size:
                set_position(search, level)
                continue
            worth = reals[level, SUM] / frames[level, COUNT]
            remember(keys, tags, worths, number, key_of(boards[level, AFTER], search), head[DEPTH] - level, worth)
            level -= 1
        if level == 0:
            values[frames[0, ACTION] - 1] = worth
        else:
            reals[level, BEST] = max(reals[level, BEST], worth)
    head[LEVEL] = level
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
    after = search.scratch[1]
    while played < len(record):
        if search.stack.head[ACTIVE] == 0:
            open_root(search.stack, depth)
            search.boards[0, POSITION, : len(cells)] = cells
        if not look_grid(search, limit):
            return played, True
        action = best_action(search.stack.values)
        if action < 0:
            return played, False
        slide(cells, search.size, action, after)
        cell, exponent = spawn(after, search.size, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after[: len(cells)]
        luck[1] += np.uint64(1)
        write_move(record, played, action, cell, exponent)
        played += 1
    return played, False
