"""The inner loop of `optimise`: a cheaper way from one position to another, A* with an upper bound.

A position is the set of boxes and the player's exact square, a step is a push with the shortest walk before it. A cost
is one number for two: `walk` and `push` are what a step of each kind adds (`ai.sokoban.search.solution.Price`). What is left
costs at least as many pushes as every box alone needs to the nearest square wanted; no push lowers that by more than
one, so the first way found to a position that is taken from the heap is the cheapest. Ways that cannot be cheaper than
the best known are dropped.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.board.moves import frozen, held
from ai.sokoban.board.successors import reach
from ai.sokoban.search.hashing import contains
from ai.sokoban.search.positions import entry, find
from ai.sokoban.search.scratch import Scratch

# Places in `meta`.
COUNT = 0  # records so far
WAITING = 1  # entries of the heap
BOUND = 2  # cost of the best way known
FOUND = 3  # record with the wanted boxes from which it ends, -1 for none
STAMP = 4  # marks what the player reaches in the position being expanded
META = 5

# Columns of a record.
PARENT, LEFT, ACTION = range(3)

GO_ON, DONE, AT_LIMIT = range(3)
"""Answers of a slice; after DONE no way is cheaper than the one found, or than the one known before."""

_SHARE = 4096
"""A heap's key is cost and bound together times this, plus the bound."""


class Window(NamedTuple):
    """What is asked; N squares."""

    steps: Ints
    """Shape (N, 4): neighbour up, right, down, left; -1 for none."""
    alive: Bytes
    """Shape (N,): see `ai.sokoban.board.moves.mark_alive`, for the level's own targets."""
    is_target: Bytes
    """Shape (N,): of the level."""
    colour: Bytes
    """Shape (n,), all 0."""
    words: Words
    """Shape (3, N): Zobrist words of a box and of the player."""
    nearest: Ints
    """Shape (N,): pushes that a box alone needs to a square wanted, see `pushes_left`."""
    allowed: Words
    """Hash set of Zobrist words of the box positions to look at (`ai.sokoban.search.vicinity`); of length 1: all."""
    stand: int
    """Square where the player must get at the end, -1 for any."""
    walk: int
    push: int


class Store(NamedTuple):
    """Positions met, n boxes; record 0 is the start."""

    table: Words
    """See `ai.sokoban.search.positions`; longer than 1.5 times the limit."""
    records: Ints
    """Shape (limit, 3)."""
    costs: Longs
    """Shape (limit,)."""
    places: Shorts
    """Shape (limit, n + 1): boxes by their slots, the player's square."""
    keys: Longs
    """The heap: the least cost and bound together comes first, among equals the least bound."""
    items: Ints
    """And its records."""


def store(limit: int, size: int) -> Store:
    """Room for `limit` positions of `size` boxes; the system gives memory only for what is used."""
    return Store(
        table=np.zeros(1 << (2 * limit).bit_length(), dtype=np.uint64),
        records=np.empty((limit, 3), dtype=np.int32),
        costs=np.empty(limit, dtype=np.int64),
        places=np.empty((limit, size + 1), dtype=np.uint16),
        keys=np.empty(2 * limit, dtype=np.int64),
        items=np.empty(2 * limit, dtype=np.int32),
    )


def start(window: Window, kept: Store) -> None:
    """Enter record 0, which is filled in, into table and heap."""
    boxes, player = kept.places[0, :-1], kept.places[0, -1]
    word = np.bitwise_xor.reduce(window.words[0, boxes]) ^ window.words[1, player]
    kept.table[int(word) & (len(kept.table) - 1)] = (int(word) >> 32 << 32) | 1
    left = int(kept.records[0, LEFT])
    kept.keys[0] = left * window.push * _SHARE + min(left, _SHARE - 1)
    kept.items[0] = 0


@kernel
def pushes_left(steps: Ints, wanted: npt.NDArray[np.uint16], nearest: Ints, queue: Ints) -> None:
    """Fill `nearest`, shape (N,): pushes from each square to the nearest of `wanted`, wherever the player is."""
    nearest[:] = FAR
    last = 0
    for index in range(len(wanted)):
        square = np.int64(wanted[index])
        nearest[square] = 0
        queue[last] = square
        last += 1
    first = 0
    while first < last:
        here = queue[first]
        first += 1
        for action in range(4):
            before = steps[here, action]
            if before >= 0 and nearest[before] == FAR and steps[before, action] >= 0:
                nearest[before] = nearest[here] + 1
                queue[last] = before
                last += 1


@kernel
def insert(keys: Longs, items: Ints, size: Whole, key: Whole, item: Whole) -> None:
    """Add to a heap of `size` entries."""
    place = size
    while place > 0 and keys[(place - 1) >> 1] > key:
        above = (place - 1) >> 1
        keys[place], items[place] = keys[above], items[above]
        place = above
    keys[place], items[place] = key, item


@kernel
def remove_first(keys: Longs, items: Ints, size: Whole) -> None:
    """Take the first entry from a heap of `size` entries."""
    last = size - 1
    key, item = keys[last], items[last]
    place = 0
    while 2 * place + 1 < last:
        below = 2 * place + 1
        if below + 1 < last and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[place], items[place] = keys[below], items[below]
        place = below
    keys[place], items[place] = key, item


@kernel
def search_window(window: Window, store: Store, scratch: Scratch, meta: Longs, budget: int) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    Args:
        window: what is asked.
        store: what was met; record 0 and the heap's first entry are there at the start.
        scratch: `marks` and `occupied` are all 0 between slices.
        meta: shape (META,), numbers kept between slices, see above.
        budget: squares to look at before returning.
    """
    steps, nearest, words, colour = window.steps, window.nearest, window.words, window.colour
    table, records, costs, places = store.table, store.records, store.costs, store.places
    keys, items, size = store.keys, store.items, len(window.colour)
    alive, is_target, allowed = window.alive, window.is_target, window.allowed
    goal, walk, push = window.stand, window.walk, window.push
    occupied, seen, far, queue = scratch.occupied, scratch.seen, scratch.far, scratch.queue
    members, marks = scratch.members, scratch.marks
    while meta[WAITING] > 0:
        if budget <= 0:
            return GO_ON
        if meta[COUNT] + 4 * size > len(records) or meta[WAITING] + 4 * size > len(keys):
            return AT_LIMIT
        current, key = np.int64(items[0]), keys[0]
        remove_first(keys, items, meta[WAITING])
        meta[WAITING] -= 1
        left = np.int64(records[current, LEFT])
        total = costs[current] + left * push
        if key // _SHARE != total:
            continue
        if total >= meta[BOUND]:
            meta[WAITING] = 0
            return DONE
        player = np.int64(places[current, size])
        word = np.uint64(0)
        for slot in range(size):
            occupied[places[current, slot]] = 1
            word ^= words[0, places[current, slot]]
        meta[STAMP] += 1
        budget -= 2 * reach(steps, occupied, seen, meta[STAMP], player, queue, far) + 4 * size
        if left == 0 and (goal < 0 or seen[goal] == meta[STAMP]):
            cost = costs[current] + (0 if goal < 0 else far[goal] * walk)
            if cost < meta[BOUND]:
                meta[BOUND], meta[FOUND] = cost, current
        for slot in range(size):
            before = np.int64(places[current, slot])
            for action in range(4):
                after, stand = np.int64(steps[before, action]), np.int64(steps[before, (action + 2) % 4])
                if after < 0 or occupied[after] or stand < 0 or seen[stand] != meta[STAMP] or nearest[after] >= FAR:
                    continue
                cost = costs[current] + far[stand] * walk + push
                rest = left + nearest[after] - nearest[before]
                total = cost + rest * push
                if total >= meta[BOUND]:
                    continue
                moved = word ^ words[0, before] ^ words[0, after]
                if len(allowed) > 1 and not contains(allowed, moved):
                    continue
                occupied[before], occupied[after] = 0, 1
                stuck = False
                if held(steps, occupied, alive, after):
                    for index in range(frozen(steps, occupied, alive, after, members, marks)):
                        stuck = stuck or not is_target[members[index]]
                if not stuck:
                    moved ^= words[1, before]
                    place = find(table, moved, places, size, colour, occupied, before, np.int64(-1))
                    record = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
                    if record < 0:
                        record = meta[COUNT]
                        meta[COUNT] += 1
                        costs[record] = cost + 1
                        places[record, size] = before
                        table[place] = entry(moved, record)
                    if cost < costs[record]:
                        # By another way other boxes may stand on the same squares.
                        for column in range(size):
                            places[record, column] = places[current, column]
                        places[record, slot] = after
                        costs[record] = cost
                        records[record, PARENT], records[record, LEFT] = current, rest
                        records[record, ACTION] = action
                        insert(keys, items, meta[WAITING], total * _SHARE + min(rest, _SHARE - 1), record)
                        meta[WAITING] += 1
                occupied[before], occupied[after] = 1, 0
                budget -= 8
        for slot in range(size):
            occupied[places[current, slot]] = 0
    return DONE
