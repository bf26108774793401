"""What both expectimax searches share: their working memory, and how a game is played with them.

The value of a position is the best over its slides; the value of an afterstate is the mean over its empty cells of
0.9 · (with a 2) + 0.1 · (with a 4). After `depth` slides the afterstate is evaluated. An afterstate less likely than
`CUTOFF` is evaluated at once, and afterstates met before in the same search are looked up in a transposition table.

The search is a loop over an explicit stack, so that it can stop after any number of nodes and go on later. Level 0
holds the position to be played; level k holds an afterstate k slides deep and the position made from it by the tile
being tried. `ai.twenty48.search.packed_search` searches 4×4 boards, `ai.twenty48.search.grid_search` all others.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel

MAX_DEPTH = 5
CUTOFF = 1e-3
"""Probability, from the root, below which an afterstate is not looked into."""
PROBE_FROM = 3
"""Depth from which the transposition table is used; below it nothing is met twice."""

LEVEL, DEPTH, NODES, SEARCH, ACTIVE, CROWDED = range(6)
"""Indices into `Stack.head`: the current level, the depth, nodes so far (afterstates reached and positions spawned),
the number of the search (it tells old table entries), whether a search is unfinished, and the empty cells up to which
`depth_for` looks one slide further (0: never)."""
ACTION, TILE, CELL, COUNT = range(4)
"""Indices into `Stack.frames`: the next action to try, whether the 4 is being tried, its cell, and empty cells."""
SUM, BEST, LIKELY = range(3)
"""Indices into `Stack.reals`: sum over tiles so far, best slide so far, probability of the position."""


Frames = npt.NDArray[np.int64]
"""int64 (MAX_DEPTH, 4)."""
Reals = npt.NDArray[np.float64]
"""float64 (MAX_DEPTH, 3)."""
Keys = npt.NDArray[np.uint64]
"""Transposition table, 2**n entries: what the afterstate is known by."""
Tags = npt.NDArray[np.int64]
"""Transposition table: number of the search * 8 + slides that were left."""
Worths = npt.NDArray[np.float64]
"""Transposition table: the value."""
Record = npt.NDArray[np.int64]
"""int64 (n, 3): action, cell and exponent of the new tile, for each move."""


class Stack(NamedTuple):
    """The state of one search: small arrays that a kernel changes and the next slice finds again.

    Kernels that run millions of times take the arrays one by one: each time one is taken out of a tuple its
    references are counted, which costs more than a board's worth.
    """

    head: npt.NDArray[np.int64]
    frames: Frames
    reals: Reals
    values: npt.NDArray[np.float64]
    """(4,): the value of each action, NaN where nothing moves."""
    keys: Keys
    tags: Tags
    worths: Worths


def make_stack(depth: int) -> Stack:
    """A fresh stack, with a transposition table of 98 kB, 393 kB for 5 slides.

    A larger one finds hardly more (of 9,400 nodes at 4 slides it saves 1 in 50), but no longer stays in the cache.
    """
    entries = 1 << (14 if depth == MAX_DEPTH else 12)
    return Stack(
        np.zeros(6, np.int64),
        np.zeros((MAX_DEPTH, 4), np.int64),
        np.zeros((MAX_DEPTH, 3), np.float64),
        np.full(4, np.nan),
        np.full(entries, 0, np.uint64),
        np.full(entries, -1, np.int64),
        np.full(entries, 0.0),
    )


@kernel
def depth_for(head: npt.NDArray[np.int64], depth: int, empty: np.int64) -> int:
    """The slides to look ahead at a position with `empty` empty cells: `depth`, or one more."""
    if depth < MAX_DEPTH and head[CROWDED] > 0 and empty <= head[CROWDED]:
        return depth + 1
    return depth


@kernel
def open_root(stack: Stack, depth: int) -> None:
    """Get ready for a new search from level 0."""
    stack.head[LEVEL] = 0
    stack.head[DEPTH] = depth
    stack.head[SEARCH] += 1
    stack.head[ACTIVE] = 1
    stack.frames[0, ACTION] = 0
    stack.reals[0, LIKELY] = 1.0
    stack.values[:] = np.nan


@kernel
def open_position(frames: Frames, reals: Reals, level: int) -> None:
    """A new position has been made on `level` by a tile: none of its slides is tried."""
    frames[level, ACTION] = 0
    chance = 0.1 if frames[level, TILE] else 0.9
    reals[level, BEST] = -np.inf
    reals[level, LIKELY] = reals[level - 1, LIKELY] * chance / frames[level, COUNT]


@kernel
def slot_of(keys: Keys, key: np.uint64, left: int) -> np.int64:
    """The place in the table of the afterstate known by `key` with `left` slides left."""
    mixed = (key + np.uint64(left)) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)  # or the last cells of a board would not count
    return np.int64((mixed >> np.uint64(32)) & np.uint64(len(keys) - 1))


@kernel
def remember(keys: Keys, tags: Tags, worths: Worths, search: int, key: np.uint64, left: int, worth: float) -> None:
    """Keep the value an afterstate has in search number `search`; the older entry in its place is lost."""
    slot = slot_of(keys, key, left)
    keys[slot] = key
    tags[slot] = search * 8 + left
    worths[slot] = worth


@kernel
def recall(keys: Keys, tags: Tags, worths: Worths, search: int, key: np.uint64, left: int) -> np.float64:
    """The value kept in this search, NaN when there is none."""
    slot = slot_of(keys, key, left)
    if keys[slot] == key and tags[slot] == search * 8 + left:
        return np.float64(worths[slot])
    return np.float64(np.nan)


@kernel
def write_move(record: Record, played: int, action: int, cell: int, exponent: int) -> None:
    """One row of what a game's moves are told in."""
    record[played, 0] = action
    record[played, 1] = cell
    record[played, 2] = exponent


@kernel
def best_action(values: npt.NDArray[np.float64]) -> int:
    """The action of the highest value, the first of equals; -1 when nothing moves."""
    best = -1
    for action in range(4):
        if not np.isnan(values[action]) and (best < 0 or values[action] > values[best]):
            best = action
    return best
