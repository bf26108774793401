"""Expectimax over an n-tuple network on boards as arrays: `ai.twenty48.ntuple.search` for 3×3 to 5×5.

A slide is worth its reward plus the value of its afterstate, a position in which nothing moves is worth 0. The stack
is that of `ai.twenty48.search.stack`, the boards on it are those of `ai.twenty48.search.grid_search`. All values of a search come
from the stage of the position to move in.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, count_empty, slide, spawn
from ai.twenty48.ntuple.grid_network import GridNetwork, Seen, Spots, Tables, best_slide, evaluate, grid_sum
from ai.twenty48.ntuple.network import Weights, stage_base
from ai.twenty48.search import stack
from ai.twenty48.search.evaluation import EXPONENTS
from ai.twenty48.search.grid_search import AFTER, POSITION, Boards, fill_marks, key_of, next_empty, set_position
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


class GridSearch(NamedTuple):
    """A stack with its boards, and the network."""

    stack: Stack
    boards: Boards
    """uint8 (MAX_DEPTH, 2, size²)."""
    rewards: npt.NDArray[np.float64]
    """(MAX_DEPTH,): of the slide that led to the afterstate of a level."""
    base: npt.NDArray[np.uint64]
    """(1,): where the weights of the stage begin."""
    marks: npt.NDArray[np.uint64]
    """(size², exponents): a random number for every exponent in every cell (Zobrist hashing)."""
    scratch: npt.NDArray[np.uint8]
    """(4, size²): an afterstate, a position of a leaf, its best afterstate, and one that is tried."""
    seen: Seen
    where: Seen
    network: GridNetwork


def make_grid_search(plies: int, network: GridNetwork) -> GridSearch:
    """A search of `plies` own slides."""
    cells = network.size * network.size
    marks = np.zeros((cells, EXPONENTS), np.uint64)
    fill_marks(marks)
    return GridSearch(
        make_stack(plies),
        np.zeros((stack.MAX_DEPTH, 2, cells), np.uint8),
        np.zeros(stack.MAX_DEPTH),
        np.zeros(1, np.uint64),
        marks,
        np.zeros((4, cells), np.uint8),
        np.zeros(cells, np.uint64),
        np.zeros(len(network.spots), np.uint64),
        network,
    )


@kernel
def begin_grid_search(search: GridSearch, cells: Cells, depth: int) -> None:
    """Get ready to search the position `cells` (uint8, size² exponents) to `depth` slides."""
    open_root(search.stack, depth)
    network = search.network
    search.boards[0, POSITION] = cells
    search.base[0] = stage_base(grid_sum(cells, network.size), network.tables, network.stages)


@kernel
def mean_leaf(
    after: Cells,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    spots: Spots,
    tables: Tables,
    size: int,
    contents: int,
    cells: Cells,
    best_after: Cells,
    trial: Cells,
    seen: Seen,
    where: Seen,
) -> np.float64:
    """The value of an afterstate with one slide left after the tile; `cells` and what follows it are written over."""
    total = np.float64(0.0)
    count = 0
    cells[:] = after
    for cell in range(size * size):
        if after[cell]:
            continue
        count += 1
        for exponent in range(1, 3):
            cells[cell] = exponent
            worth = best_slide(
                cells, base, weights, steps, spots, tables, size, contents, best_after, trial, seen, where
            )[2]
            total += worth * (0.9 if exponent == 1 else 0.1)
        cells[cell] = 0
    return total / count


@kernel
def look_grid_network(search: GridSearch, limit: int) -> bool:
    """Search on until done (True) or until `limit` nodes are reached (False; call again to go on)."""
    head, frames, reals, values, keys, tags, worths = search.stack
    boards, rewards, number = search.boards, search.rewards, head[stack.SEARCH]
    weights, steps, spots, tables, _, size, contents = search.network
    marks, seen, where, base = search.marks, search.seen, search.where, search.base[0]
    after, cells, best_after, trial = search.scratch[0], search.scratch[1], search.scratch[2], search.scratch[3]
    level, probing = head[stack.LEVEL], head[stack.DEPTH] >= stack.PROBE_FROM
    while head[stack.NODES] < limit:
        action = frames[level, stack.ACTION]
        if action < 4:
            frames[level, stack.ACTION] = action + 1
            reward = slide(boards[level, POSITION], size, action, after)
            if reward < 0:
                continue
            head[stack.NODES] += 1
            left = head[stack.DEPTH] - level - 1
            if left == 0 or reals[level, stack.LIKELY] < stack.CUTOFF:
                worth = np.float64(evaluate(after, base, weights, steps, spots, tables, contents, seen))
            else:
                key = key_of(after, size, marks)
                worth = recall(keys, tags, worths, number, key, left) if probing else np.float64(np.nan)
                if np.isnan(worth) and left == 1:
                    head[stack.NODES] += 2 * count_empty(after, size)
                    worth = mean_leaf(
                        after,
                        base,
                        weights,
                        steps,
                        spots,
                        tables,
                        size,
                        contents,
                        cells,
                        best_after,
                        trial,
                        seen,
                        where,
                    )
                    remember(keys, tags, worths, number, key, left, worth)
                elif np.isnan(worth):
                    level += 1
                    boards[level, AFTER] = after
                    rewards[level] = reward
                    frames[level, stack.TILE] = 0
                    frames[level, stack.CELL] = next_empty(after, size, 0)
                    frames[level, stack.COUNT] = count_empty(after, size)
                    reals[level, stack.SUM] = 0.0
                    set_position(frames, reals, boards, level)
                    continue
            worth += reward
        elif level == 0:
            head[stack.ACTIVE] = 0
            return True
        else:
            best = reals[level, stack.BEST]
            if best == -np.inf:
                best = 0.0
            reals[level, stack.SUM] += best * (0.1 if frames[level, stack.TILE] else 0.9)
            if frames[level, stack.TILE]:
                frames[level, stack.CELL] = next_empty(boards[level, AFTER], size, frames[level, stack.CELL] + 1)
            frames[level, stack.TILE] ^= 1
            if frames[level, stack.CELL] < size * size:
                set_position(frames, reals, boards, level)
                continue
            worth = reals[level, stack.SUM] / frames[level, stack.COUNT]
            key = key_of(boards[level, AFTER], size, marks)
            remember(keys, tags, worths, number, key, head[stack.DEPTH] - level, worth)
            worth += rewards[level]
            level -= 1
        if level == 0:
            values[frames[0, stack.ACTION] - 1] = worth
        else:
            reals[level, stack.BEST] = max(reals[level, stack.BEST], worth)
    head[stack.LEVEL] = level
    return False


@kernel
def play_grid_network(
    search: GridSearch,
    cells: Cells,
    luck: npt.NDArray[np.uint64],
    depth: int,
    record: Record,
    played: int,
    limit: int,
) -> tuple[int, bool]:
    """Play on from `cells`, uint8 (size²,), exponents of any size; the rest is as for `packed_search.play_packed`."""
    size, after = search.network.size, search.scratch[0]
    while played < len(record):
        if search.stack.head[stack.ACTIVE] == 0:
            begin_grid_search(search, cells, depth_for(search.stack.head, depth, count_empty(cells, size)))
        if not look_grid_network(search, limit):
            return played, True
        action = best_action(search.stack.values)
        if action < 0:
            return played, False
        slide(cells, size, action, after)
        cell, exponent = spawn(after, size, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after
        luck[1] += np.uint64(1)
        write_move(record, played, action, cell, exponent)
        played += 1
    return played, False
