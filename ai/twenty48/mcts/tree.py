"""The tree of the `mcts` agent: what is known of afterstates, which slide to look into next, how values come back.

The tree is a table. An afterstate is known by a 64-bit key; kept are how often it was visited and the sum of the values
these visits found. Positions are not kept: the slides of one are looked up by their afterstates, so that two ways to
the same afterstate share what is known of it. `ai.twenty48.mcts.packed` walks the tree on 4×4 boards,
`ai.twenty48.mcts.grid` on all others.

A simulation goes down from the position to be played: each slide by the upper confidence bound of UCT (Kocsis,
Szepesvári: Bandit based Monte-Carlo planning, 2006), which is mean + exploration · spread · sqrt(ln(visits of all
slides) / visits of this one), each tile by `spawn_number`. The spread is the standard deviation of the values that this
search has found, because the units of values are not known beforehand. The first afterstate never visited before gets
a value by a rollout; on the way back every afterstate takes in the value of the position after it. Where the
evaluation counts, that is the value of its best slide so far, and not the mean over its visits, which would blame it for
slides that were only tried. Points made by rollouts vary so much that the best of several means is the luckiest: there
the afterstate takes in what this simulation made.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.spawns import random_number

NODES, SIMULATIONS, SEARCH, DEEPEST = range(4)
"""Indices into `Tree.head`: afterstates reached in tree and rollouts, simulations done, the number of the search (it
tells old entries), and the most slides that a simulation went inside the tree."""
MEAN, SQUARES, DRAWN = range(3)
"""Indices into `Tree.reals`: mean and sum of squared deviations of the values found so far, and how many they are."""
MAX_PATH = 64
"""Slides that a simulation goes inside the tree at most."""
FRESH, FULL, NOTHING = -1, -2, -3
"""Instead of a slot: never visited; never visited and the table has no room; the slide moves nothing."""

_PROBES = 8
_MOST_ENTRIES = 21
_U40 = np.uint64(40)
_U32 = np.uint64(32)
_TURN = np.uint64(0x9E3779B97F4A7C15)
"""The golden ratio as a share of 2**64."""
_CELL_TURN = np.uint64(7 * 0x9E3779B97F4A7C15 % 2**64)
"""Tells the cells apart."""
_TENTH = np.uint64(2**64 // 10)

Head = npt.NDArray[np.int64]
"""int64 (4,)."""
Reals = npt.NDArray[np.float64]
"""float64 (3,)."""
Keys = npt.NDArray[np.uint64]
"""uint64 (2**k,)."""
Tags = npt.NDArray[np.int64]
"""int64 (2**k,): the number of the search that wrote the entry."""
Visits = npt.NDArray[np.int64]
"""int64 (2**k,)."""
Sums = npt.NDArray[np.float64]
"""float64 (2**k,): of the values found."""
Slots = npt.NDArray[np.int64]
"""int64 (MAX_PATH, 4): for each position on the way, the entries of the afterstates of its slides."""
Gains = npt.NDArray[np.float64]
"""float64 (MAX_PATH, 4): the rewards of these slides where they count, else 0."""
Taken = npt.NDArray[np.int64]
"""int64 (MAX_PATH,): the slides that were chosen."""


class Tree(NamedTuple):
    """What one search knows, and the way of its last simulation. Kernels take the arrays one by one."""

    head: Head
    reals: Reals
    keys: Keys
    tags: Tags
    visits: Visits
    sums: Sums
    slots: Slots
    gains: Gains
    taken: Taken


def make_tree(simulations: int) -> Tree:
    """An empty tree with room for so many simulations, or for two million afterstates (64 MB)."""
    entries = 1 << min(_MOST_ENTRIES, max(10, (2 * simulations).bit_length()))
    return Tree(
        np.zeros(4, np.int64),
        np.zeros(3),
        np.full(entries, 0, np.uint64),
        np.full(entries, -1, np.int64),
        np.full(entries, 0, np.int64),
        np.full(entries, 0.0),
        np.full((MAX_PATH, 4), NOTHING, np.int64),
        np.zeros((MAX_PATH, 4)),
        np.zeros(MAX_PATH, np.int64),
    )


def begin(tree: Tree) -> None:
    """Forget the search before."""
    tree.head[NODES] = tree.head[SIMULATIONS] = tree.head[DEEPEST] = 0
    tree.head[SEARCH] += 1
    tree.reals[:] = 0.0
    tree.slots[:] = NOTHING


def root_values(tree: Tree) -> dict[int, float]:
    """The value so far of each slide of the position to be played, after at least one simulation."""
    found = {}
    for action in range(4):
        slot = int(tree.slots[0, action])
        if slot >= 0:
            found[action] = float(tree.gains[0, action] + tree.sums[slot] / tree.visits[slot])
    return found


@kernel
def find(keys: Keys, tags: Tags, search: int, key: np.uint64) -> np.int64:
    """The slot of an afterstate; `FRESH` when it has none, `FULL` when there is no room for it either."""
    last = np.int64(len(keys) - 1)
    slot = np.int64((key * _TURN) >> _U40) & last
    for _ in range(_PROBES):
        if tags[slot] != search:
            return np.int64(FRESH)
        if keys[slot] == key:
            return slot
        slot = (slot + 1) & last
    return np.int64(FULL)


@kernel
def add(keys: Keys, tags: Tags, visits: Visits, sums: Sums, search: int, key: np.uint64) -> np.int64:
    """Give a `FRESH` afterstate a slot, without visits."""
    last = np.int64(len(keys) - 1)
    slot = np.int64((key * _TURN) >> _U40) & last
    while tags[slot] == search:
        slot = (slot + 1) & last
    keys[slot] = key
    tags[slot] = search
    visits[slot] = 0
    sums[slot] = 0.0
    return slot


@kernel
def choose(
    slots: Slots, gains: Gains, depth: int, visits: Visits, sums: Sums, reals: Reals, exploration: float
) -> np.int64:
    """The slide to look into at a position of the way: one never tried, or that of the highest bound; -1 for none."""
    seen = np.int64(0)
    fallback = np.int64(-1)
    for action in range(4):
        slot = slots[depth, action]
        if slot == FRESH:
            return np.int64(action)
        if slot >= 0:
            seen += visits[slot]
        elif slot == FULL:
            fallback = np.int64(action)
    if seen == 0:
        return fallback
    spread = np.sqrt(reals[SQUARES] / reals[DRAWN]) if reals[SQUARES] > 0.0 else 1.0
    unit = exploration * spread * np.sqrt(np.log(np.float64(seen)))
    best = -np.inf
    chosen = np.int64(-1)
    for action in range(4):
        slot = slots[depth, action]
        if slot >= 0:
            bound = gains[depth, action] + sums[slot] / visits[slot] + unit / np.sqrt(np.float64(visits[slot]))
            if bound > best:
                best = bound
                chosen = np.int64(action)
    return chosen


@kernel
def back_up(
    head: Head,
    reals: Reals,
    visits: Visits,
    sums: Sums,
    slots: Slots,
    gains: Gains,
    taken: Taken,
    depth: int,
    value: float,
    sampled: bool,
) -> None:
    """End a simulation of `depth` slides inside the tree, of which the last afterstate is worth `value`.

    `sampled`: whether an afterstate takes in what this simulation found, or the value of the best slide after it.
    """
    reals[DRAWN] += 1.0
    off = value - reals[MEAN]
    reals[MEAN] += off / reals[DRAWN]
    reals[SQUARES] += off * (value - reals[MEAN])
    head[SIMULATIONS] += 1
    head[DEEPEST] = max(head[DEEPEST], depth)
    while depth > 0:
        depth -= 1
        slot = slots[depth, taken[depth]]
        if slot >= 0:
            visits[slot] += 1
            sums[slot] += value
        value += gains[depth, taken[depth]]
        if sampled:
            continue
        best = -np.inf
        for action in range(4):
            slot = slots[depth, action]
            if slot >= 0:
                best = max(best, gains[depth, action] + sums[slot] / visits[slot])
        if best > -np.inf:
            value = best


@kernel
def spawn_number(key: np.uint64, visit: np.int64, count: np.int64) -> tuple[np.int64, np.bool_]:
    """Which of `count` empty cells gets the tile of visit number `visit` to an afterstate, and whether it is a 4.

    The visits go round the cells from one that the key chooses, and in each cell a 4 comes when the multiples of the
    golden ratio fall below a tenth: every tile comes as often as it should after few visits already, where random
    draws would take many.
    """
    number = random_number(key, np.uint64(0))
    index = (np.int64(number >> _U32) + visit) % count
    turn = number + np.uint64(visit // count) * _TURN + np.uint64(index) * _CELL_TURN
    return index, turn < _TENTH
