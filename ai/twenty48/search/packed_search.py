"""Expectimax on packed 4×4 boards, in slices. `ai.twenty48.search.stack` says how the stack works.

Nearly all the time goes into positions with one slide left. Such a position is an afterstate with one more tile, so
each of its slides differs from that of the afterstate in a single row (for up and down: column): the afterstate is
slid four times, then every tile costs one look-up for its row and four for the lines across. All sums of line worths
are exact, float32 added as float64, so the order in which they are added changes nothing.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board import packed
from ai.twenty48.board.packed import (
    Board,
    Rows,
    build_rows,
    count_empty,
    empty_bits,
    fits,
    pack,
    slide,
    spawn,
    transpose,
    unpack,
)
from ai.twenty48.search import stack
from ai.twenty48.search.evaluation import LineTable, Weights, build_lines, evaluate_packed
from ai.twenty48.search.packed_levels import AFTER, POSITION, Boards, enter, next_tile
from ai.twenty48.search.stack import Record, Stack, best_action, make_stack, open_root, recall, remember, write_move

_COLUMN = np.uint64(0x000F000F000F000F)
"""The first cell of every row."""

Across = npt.NDArray[np.uint64]
"""uint64 (2, 65536): a row after sliding left (0) and right (1), its cells as the first of four rows."""
Slid = npt.NDArray[np.float32]
"""float32 (2, 2, 65536): worth of a row after sliding left and right, as an outer (0) and an inner (1) one."""


class PackedSearch(NamedTuple):
    """A stack with its boards, and the tables of the rules and of the evaluation."""

    stack: Stack
    boards: Boards
    rows: Rows
    lines: LineTable
    across: Across
    slid: Slid
    loss: float


def make_packed(depth: int, weights: Weights) -> PackedSearch:
    """A search of 4×4 boards to `depth` slides."""
    rows = np.zeros((2, 65536), np.uint16)
    build_rows(rows, np.zeros(65536, np.int64))
    lines = np.zeros((2, 65536), np.float32)
    build_lines(lines, weights.numbers(), weights.powers())
    across = np.zeros((2, 65536), np.uint64)
    for x in range(4):
        across |= ((rows >> (4 * x)) & 15).astype(np.uint64) << np.uint64(16 * x)
    slid = np.ascontiguousarray(lines[:, rows].swapaxes(0, 1))
    boards = np.zeros((stack.MAX_DEPTH, 3), np.uint64)
    return PackedSearch(make_stack(depth), boards, rows, lines, across, slid, weights.loss)


@kernel
def sum_lines(board: Board, lines: LineTable) -> np.float64:
    """The worth of the four rows of a board."""
    outer = np.float64(lines[0, board & packed.ROW]) + lines[0, board >> packed.U48]
    inner = np.float64(lines[1, (board >> packed.U16) & packed.ROW]) + lines[1, (board >> packed.U32) & packed.ROW]
    return np.float64(outer + inner)


@kernel
def slide_across(board: Board, right: int, across: Across) -> Board:
    """All rows slid left (0) or right (1), transposed."""
    upper = across[right, board & packed.ROW] | (across[right, (board >> packed.U16) & packed.ROW] << packed.U4)
    lower = across[right, (board >> packed.U32) & packed.ROW] | (across[right, board >> packed.U48] << packed.U4)
    return np.uint64(upper | (lower << packed.U8))


@kernel
def sum_slid(board: Board, right: int, slid: Slid) -> np.float64:
    """The worth of all rows after sliding left (0) or right (1)."""
    outer = np.float64(slid[right, 0, board & packed.ROW]) + slid[right, 0, board >> packed.U48]
    inner = (
        np.float64(slid[right, 1, (board >> packed.U16) & packed.ROW])
        + slid[right, 1, (board >> packed.U32) & packed.ROW]
    )
    return np.float64(outer + inner)


@kernel
def slide_one(
    others: Board,
    kept: float,
    line: Board,
    inner: int,
    right: int,
    shift: Board,
    unmoved: Board,
    lines: LineTable,
    across: Across,
    slid: Slid,
) -> np.float64:
    """The worth of a slide of which only one line is new, -inf when nothing moves.

    Args:
        others: The other lines slid, transposed.
        kept: What those lines are worth.
        line: The new line before the slide.
        inner: 1 for an inner line, 0 for an outer one.
        right: Which way it slides, as for `slide_across`.
        shift: Where the line belongs in a transposed board.
        unmoved: The position before the slide, transposed.
        lines: As in `PackedSearch`, like the two that follow.
        across: See there.
        slid: See there.
    """
    board = others | (across[right, line] << shift)
    if board == unmoved:
        return np.float64(-np.inf)
    return np.float64(kept + slid[right, inner, line] + sum_lines(board, lines))


@kernel
def mean_leaf(after: Board, bits: Board, lines: LineTable, across: Across, slid: Slid, loss: float) -> np.float64:
    """The value of an afterstate with one slide left after the tile; `bits` are its empty cells.

    The value of each position is the best evaluation of its afterstates.
    """
    turned = transpose(after)
    left, right = slide_across(after, 0, across), slide_across(after, 1, across)
    up, down = slide_across(turned, 0, across), slide_across(turned, 1, across)
    left_sum, right_sum = sum_slid(after, 0, slid), sum_slid(after, 1, slid)
    up_sum, down_sum = sum_slid(turned, 0, slid), sum_slid(turned, 1, slid)
    total = np.float64(0.0)
    for y in range(4):
        down_by, in_row = np.uint64(16 * y), np.uint64(4 * y)
        row = (after >> down_by) & packed.ROW
        inner_row = 1 if y == 1 or y == 2 else 0
        left_others, right_others = left & ~(_COLUMN << in_row), right & ~(_COLUMN << in_row)
        left_kept, right_kept = left_sum - slid[0, inner_row, row], right_sum - slid[1, inner_row, row]
        for x in range(4):
            right_by, in_column = np.uint64(4 * x), np.uint64(16 * x)
            if (bits >> (down_by + right_by)) & packed.U1 == packed.U0:
                continue
            column = (turned >> in_column) & packed.ROW
            inner_column = 1 if x == 1 or x == 2 else 0
            up_others, down_others = up & ~(_COLUMN << right_by), down & ~(_COLUMN << right_by)
            up_kept, down_kept = up_sum - slid[0, inner_column, column], down_sum - slid[1, inner_column, column]
            first = np.float64(0.0)
            for tile in range(1, 3):
                exponent = np.uint64(tile)
                position = after | (exponent << (down_by + right_by))
                flipped = turned | (exponent << (in_column + in_row))
                line = row | (exponent << right_by)
                best = max(
                    slide_one(left_others, left_kept, line, inner_row, 0, in_row, flipped, lines, across, slid),
                    slide_one(right_others, right_kept, line, inner_row, 1, in_row, flipped, lines, across, slid),
                )
                line = column | (exponent << in_row)
                best = max(
                    best,
                    slide_one(up_others, up_kept, line, inner_column, 0, right_by, position, lines, across, slid),
                    slide_one(down_others, down_kept, line, inner_column, 1, right_by, position, lines, across, slid),
                )
                if best == -np.inf:
                    best = evaluate_packed(position, lines) - loss
                if tile == 1:
                    first = best
                else:
                    total += 0.9 * first + 0.1 * best
    return total / count_empty(bits)


@kernel
def look_packed(search: PackedSearch, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    head, frames, reals, values, keys, tags, worths = search.stack
    boards, rows, lines, across, slid = search.boards, search.rows, search.lines, search.across, search.slid
    number, depth = head[stack.SEARCH], head[stack.DEPTH]
    probing = depth >= stack.PROBE_FROM
    level, nodes = head[stack.LEVEL], head[stack.NODES]
    while nodes < limit:
        action = frames[level, stack.ACTION]
        if action < 4:
            frames[level, stack.ACTION] = action + 1
            board = boards[level, POSITION]
            after = slide(board, action, rows)
            if after == board:
                continue
            nodes += 1
            left = depth - level - 1
            if left == 0 or reals[level, stack.LIKELY] < stack.CUTOFF:
                worth = evaluate_packed(after, lines)
            else:
                worth = recall(keys, tags, worths, number, after, left) if probing else np.float64(np.nan)
                if np.isnan(worth) and left == 1:
                    bits = empty_bits(after)
                    nodes += 2 * count_empty(bits)
                    worth = mean_leaf(after, bits, lines, across, slid, search.loss)
                    remember(keys, tags, worths, number, after, left, worth)
                elif np.isnan(worth):
                    level += 1
                    enter(frames, reals, boards, level, after)
                    continue
        elif level == 0:
            head[stack.ACTIVE] = 0
            head[stack.LEVEL], head[stack.NODES] = level, nodes
            return True
        else:
            best = reals[level, stack.BEST]
            if best == -np.inf:
                best = evaluate_packed(boards[level, POSITION], lines) - search.loss
            if next_tile(frames, reals, boards, level, best):
                continue
            worth = reals[level, stack.SUM] / frames[level, stack.COUNT]
            remember(keys, tags, worths, number, boards[level, AFTER], depth - level, worth)
            level -= 1
        if level == 0:
            values[frames[0, stack.ACTION] - 1] = worth
        else:
            reals[level, stack.BEST] = max(reals[level, stack.BEST], worth)
    head[stack.LEVEL], head[stack.NODES] = level, nodes
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
    record: Record,
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
        if search.stack.head[stack.ACTIVE] == 0:
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
        luck[1] += packed.U1
        write_move(record, played, action, cell, exponent)
        played += 1
    unpack(board, cells)
    return played, more
