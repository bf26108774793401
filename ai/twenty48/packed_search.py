"""Expectimax on packed 4×4 boards, in slices. `ai.twenty48.search` says how the stack works."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.evaluation import LineTable, Weights, build_lines, evaluate_packed
from ai.twenty48.packed import (
    U0,
    U1,
    Board,
    Rows,
    build_rows,
    count_empty,
    empty_bits,
    fits,
    pack,
    slide,
    slide_rows,
    spawn,
    transpose,
    unpack,
)
from ai.twenty48.search import (
    ACTION,
    ACTIVE,
    BEST,
    COUNT,
    CUTOFF,
    DEPTH,
    LEVEL,
    LIKELY,
    MAX_DEPTH,
    NODES,
    PROBE_FROM,
    SUM,
    TILE,
    Stack,
    best_action,
    make_stack,
    open_position,
    open_root,
    recall,
    remember,
)

AFTER, BITS, POSITION = range(3)
"""Indices into `PackedSearch.boards`: the afterstate, the empty cells still to be tried (as `empty_bits`; the lowest
is being tried), and the position with the tile in it."""


class PackedSearch(NamedTuple):
    """A stack with its boards, and the tables of the rules and of the evaluation."""

    stack: Stack
    boards: npt.NDArray[np.uint64]
    """(MAX_DEPTH, 3)."""
    rows: Rows
    lines: LineTable
    loss: float


def make_packed(depth: int, weights: Weights) -> PackedSearch:
    """A search of 4×4 boards to `depth` slides."""
    rows = np.zeros((2, 65536), np.uint16)
    build_rows(rows, np.zeros(65536, np.int64))
    lines = np.zeros((2, 65536), np.float32)
    build_lines(lines, weights.numbers(), weights.powers())
    return PackedSearch(make_stack(depth), np.zeros((MAX_DEPTH, 3), np.uint64), rows, lines, weights.loss)


@kernel
def best_leaf(board: Board, search: PackedSearch) -> np.float64:
    """The value of a position with one slide left: the best evaluation of its afterstates."""
    turned = transpose(board)
    best = np.float64(-np.inf)
    for right in range(2):
        after = slide_rows(board, search.rows, right)
        if after != board:
            best = max(best, evaluate_packed(after, search.lines))
        after = slide_rows(turned, search.rows, right)
        if after != turned:
            best = max(best, evaluate_packed(after, search.lines))
    if best == -np.inf:
        return evaluate_packed(board, search.lines) - search.loss
    return best


@kernel
def mean_leaf(after: Board, search: PackedSearch) -> np.float64:
    """The value of an afterstate with one slide left after the tile."""
    bits = empty_bits(after)
    search.stack.head[NODES] += 2 * count_empty(bits)
    total = np.float64(0.0)
    left = bits
    while left:
        bit = left & (~left + U1)
        left ^= bit
        total += 0.9 * best_leaf(after | bit, search) + 0.1 * best_leaf(after | (bit << U1), search)
    return total / count_empty(bits)


@kernel
def set_position(search: PackedSearch, level: int) -> None:
    """Make the position of `level` from its afterstate and the tile being tried."""
    boards = search.boards
    bits = boards[level, BITS]
    tile = (bits & (~bits + U1)) << np.uint64(search.stack.frames[level, TILE])
    boards[level, POSITION] = boards[level, AFTER] | tile
    open_position(search.stack, level)


@kernel
def look_packed(search: PackedSearch, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    stack, boards = search.stack, search.boards
    head, frames, reals = stack.head, stack.frames, stack.reals
    level = head[LEVEL]
    while head[NODES] < limit:
        action = frames[level, ACTION]
        if action < 4:
            frames[level, ACTION] = action + 1
            board = boards[level, POSITION]
            after = slide(board, action, search.rows)
            if after == board:
                continue
            head[NODES] += 1
            left = head[DEPTH] - level - 1
            if left == 0 or reals[level, LIKELY] < CUTOFF:
                worth = evaluate_packed(after, search.lines)
            else:
                worth = recall(stack, after, left) if head[DEPTH] >= PROBE_FROM else np.float64(np.nan)
                if np.isnan(worth) and left == 1:
                    worth = mean_leaf(after, search)
                    remember(stack, after, left, worth)
                elif np.isnan(worth):
                    level += 1
                    boards[level, AFTER] = after
                    boards[level, BITS] = empty_bits(after)
                    frames[level, TILE] = 0
                    frames[level, COUNT] = count_empty(boards[level, BITS])
                    reals[level, SUM] = 0.0
                    set_position(search, level)
                    continue
        elif level == 0:
            head[ACTIVE] = 0
            return True
        else:
            best = reals[level, BEST]
            if best == -np.inf:
                best = evaluate_packed(boards[level, POSITION], search.lines) - search.loss
            reals[level, SUM] += best * (0.1 if frames[level, TILE] else 0.9)
            if frames[level, TILE]:
                boards[level, BITS] &= boards[level, BITS] - U1
            frames[level, TILE] ^= 1
            if boards[level, BITS] != U0:
                set_position(search, level)
                continue
            worth = reals[level, SUM] / frames[level, COUNT]
            remember(stack, boards[level, AFTER], head[DEPTH] - level, worth)
            level -= 1
        if level == 0:
            stack.values[frames[0, ACTION] - 1] = worth
        else:
            reals[level, BEST] = max(reals[level, BEST], worth)
    head[LEVEL] = level
    return False


@kernel
def begin_packed(search: PackedSearch, cells: npt.NDArray[np.uint8], depth: int) -> None:
    """Get ready to search the position `cells` (uint8, 16 exponents that fit) to `depth` slides."""
    open_root(search.stack, depth)
    search.boards[0, POSITION] = pack(cells)


@kernel
def play_packed(
    search: PackedSearch,
    cells: npt.NDArray[np.uint8],
    luck: npt.NDArray[np.uint64],
    depth: int,
    record: npt.NDArray[np.int64],
    played: int,
    limit: int,
) -> tuple[int, bool]:
    """Play on from `cells` until `record` is full, the game is over, the board no longer fits, or `limit` nodes.

    Args:
        search: An unfinished search of `cells` is taken up.
        cells: uint8 (16,), changed in place.
        luck: uint64 (2,): seed and spawns, the second changed in place.
        depth: Slides to look ahead.
        record: int64 (n, 3): action, cell and exponent of each move.
        played: Rows of `record` already written.
        limit: As for `look_packed`.

    Returns:
        (rows of `record` written, whether to call again: False when the record is full or the game is over here).
    """
    board = pack(cells)
    more = True
    while True:
        if played == len(record):
            more = False
            break
        if not fits(board):
            break
        if search.stack.head[ACTIVE] == 0:
            open_root(search.stack, depth)
            search.boards[0, POSITION] = board
        if not look_packed(search, limit):
            break
        action = best_action(search.stack.values)
        if action < 0:
            more = False
            break
        board = slide(board, action, search.rows)
        cell, exponent = spawn(board, luck[0], luck[1])
        board |= np.uint64(exponent) << np.uint64(4 * cell)
        luck[1] += U1
        record[played, 0] = action
        record[played, 1] = cell
        record[played, 2] = exponent
        played += 1
    unpack(board, cells)
    return played, more
