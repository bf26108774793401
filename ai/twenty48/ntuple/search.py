"""Expectimax over an n-tuple network, in slices. `ai.twenty48.search.stack` says how the stack works.

Unlike the hand-made evaluation a network estimates the rewards still to come, so a slide is worth its reward plus the
value of its afterstate, and a position in which nothing moves is worth 0.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import count_empty as count_cells
from ai.twenty48.board.grid import slide as slide_cells
from ai.twenty48.board.grid import spawn as spawn_cells
from ai.twenty48.board.packed import U1, count_empty, empty_bits, pack, reward_of, slide, spawn, unpack
from ai.twenty48.ntuple.downgrade import NO_STAGES, downgraded, fits, is_known, seen_as
from ai.twenty48.ntuple.leaf import Leaf, best_after, make_leaf, mean_leaf
from ai.twenty48.ntuple.network import Network, Rules, Stages, evaluate, stage_base, tile_sum
from ai.twenty48.ntuple.shapes import LARGEST
from ai.twenty48.search import stack
from ai.twenty48.search.packed_levels import AFTER, POSITION, Boards, enter, next_tile
from ai.twenty48.search.stack import (
    Record,
    Stack,
    best_action,
    depth_for,
    make_stack,
    open_root,
    recall,
    remember,
    write_move,
)


class Search(NamedTuple):
    """A stack with its boards, the network and the rules."""

    stack: Stack
    boards: Boards
    base: npt.NDArray[np.uint64]
    """(1,): where the weights of their stage begin; the whole search uses these."""
    leaf: Leaf
    known: int
    """Exponent of the largest tile that the network knows."""
    later: Stages
    """Sums of all tiles at which the later stages begin that know boards as they are."""
    network: Network
    rules: Rules


def make_search(plies: int, network: Network, rules: Rules, known: int, later: Stages = NO_STAGES) -> Search:
    """A search of `plies` own slides."""
    return Search(
        make_stack(plies),
        np.zeros((stack.MAX_DEPTH, 3), np.uint64),
        np.zeros(1, np.uint64),
        make_leaf(),
        known,
        later,
        network,
        rules,
    )


@kernel
def begin_search(search: Search, cells: npt.NDArray[np.uint8], depth: int) -> None:
    """Get ready to search the position `cells` (uint8, 16 exponents of any size) to `depth` slides.

    A board beyond what the network knows is searched, and its slides are valued, as `downgrade` says.
    """
    open_root(search.stack, depth)
    board = downgraded(cells, search.known, search.later)
    search.boards[0, POSITION] = board
    search.base[0] = stage_base(tile_sum(board), search.network.layout, search.network.stages)


@kernel
def look(search: Search, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    head, frames, reals, values, keys, tags, worths = search.stack
    boards, number = search.boards, head[stack.SEARCH]
    weights, steps, layout, _ = search.network
    base, leaf = search.base[0], search.leaf
    rows, rewards = search.rules
    level, probing = head[stack.LEVEL], head[stack.DEPTH] >= stack.PROBE_FROM
    while head[stack.NODES] < limit:
        action = frames[level, stack.ACTION]
        if action < 4:
            frames[level, stack.ACTION] = action + 1
            board = boards[level, POSITION]
            after = slide(board, action, rows)
            if after == board:
                continue
            head[stack.NODES] += 1
            left = head[stack.DEPTH] - level - 1
            if left == 0 or reals[level, stack.LIKELY] < stack.CUTOFF:
                worth = np.float64(evaluate(after, base, weights, steps, layout))
            else:
                worth = recall(keys, tags, worths, number, after, left) if probing else np.float64(np.nan)
                if np.isnan(worth) and left == 1:
                    head[stack.NODES] += 2 * count_empty(empty_bits(after))
                    worth = mean_leaf(after, leaf, base, weights, steps, layout, rows, rewards)
                    remember(keys, tags, worths, number, after, left, worth)
                elif np.isnan(worth):
                    level += 1
                    enter(frames, reals, boards, level, after)
                    continue
        elif level == 0:
            head[stack.ACTIVE] = 0
            return True
        else:
            best = reals[level, stack.BEST]
            if best == -np.inf:
                best = 0.0
            if next_tile(frames, reals, boards, level, best):
                continue
            worth = reals[level, stack.SUM] / frames[level, stack.COUNT]
            remember(keys, tags, worths, number, boards[level, AFTER], head[stack.DEPTH] - level, worth)
            level -= 1
        action = frames[level, stack.ACTION] - 1
        worth += reward_of(boards[level, POSITION], action, rewards)
        if level == 0:
            values[action] = worth
        else:
            reals[level, stack.BEST] = max(reals[level, stack.BEST], worth)
    head[stack.LEVEL] = level
    return False


@kernel
def play(
    search: Search,
    cells: npt.NDArray[np.uint8],
    luck: npt.NDArray[np.uint64],
    depth: int,
    record: Record,
    played: int,
    limit: int,
) -> tuple[int, bool]:
    """Play on from `cells`, uint8 (16,), exponents of any size; the rest is as for `packed_search.play_packed`."""
    head = search.stack.head
    after = np.zeros(16, np.uint8)
    while played < len(record):
        here = depth_for(head, depth, count_cells(cells, 4))
        if here == 1 and is_known(cells, LARGEST):
            if head[stack.NODES] >= limit:
                return played, True
            before, played = played, play_greedily(search, cells, luck, record, played, limit)
            if played > before:
                continue
        if head[stack.ACTIVE] == 0:
            begin_search(search, cells, here)
        if not look(search, limit):
            return played, True
        action = best_action(search.stack.values)
        if action < 0:
            return played, False
        slide_cells(cells, 4, action, after)
        cell, exponent = spawn_cells(after, 4, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after
        luck[1] += U1
        write_move(record, played, action, cell, exponent)
        played += 1
    return played, False


@kernel
def play_greedily(
    search: Search,
    cells: npt.NDArray[np.uint8],
    luck: npt.NDArray[np.uint64],
    record: Record,
    played: int,
    limit: int,
) -> int:
    """`play` from a board that can be packed, one ply: until the record is full, `limit`, or one that wants more."""
    weights, steps, layout, stages = search.network
    rows, rewards = search.rules
    head, leaf, known, later = search.stack.head, search.leaf, search.known, search.later
    board = pack(cells)
    total = tile_sum(board)
    while played < len(record) and head[stack.NODES] < limit and fits(board, LARGEST):
        if depth_for(head, 1, count_empty(empty_bits(board))) > 1:
            break
        seen = seen_as(board, known, later)
        base = stage_base(total if seen == board else tile_sum(seen), layout, stages)
        action, after = best_after(seen, leaf, base, weights, steps, layout, rows, rewards)
        if action < 0:
            break
        if seen != board:
            after = slide(board, action, rows)
        cell, exponent = spawn(after, luck[0], luck[1])
        board = after | (np.uint64(exponent) << np.uint64(4 * cell))
        total += np.int64(2 * exponent)
        luck[1] += U1
        head[stack.NODES] += 4
        write_move(record, played, action, cell, exponent)
        played += 1
    unpack(board, cells)
    return played
