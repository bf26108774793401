"""The positions of a policy search: a heap of those that wait, popped to be looked at, and expanded by what was seen.

A position costs what its pushes cost: each the log-odds between the likeliest push and itself. So the line that the policy
would play costs nothing and every deviation its surprise; of positions that cost the same the newest comes first, which
goes on along one of several lines that are as good. With the order of LevinTS (Orseau et al. 2018) a position waits by its
depth divided by the probability of its path. Equal positions are found again by `ai.sokoban.search.positions`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Ints, Longs, Whole
from ai.sokoban.board.moves import frozen, held
from ai.sokoban.board.successors import flood
from ai.sokoban.policy.choice import weigh
from ai.sokoban.policy.features import Floats, see
from ai.sokoban.search.positions import ACTION, DEPTH, EXPANDED, FLAG, FRESH, PARENT, Positions, entry, find
from ai.sokoban.search.scratch import Scratch

# Columns of a record's costs.
ODDS, SURPRISE, PRIORITY, LEFT = range(4)
COSTS = 4
"""Sums along the path of the log-odds and of -log probabilities, what it waits by, and once it was looked at log(1 +
pushes to go) as the network guesses them."""

# Places in `meta`.
COUNT, ENTRIES, OPEN, CLOSED, FOUND, BEST, STAMP, DROPPED = range(8)
META = 8
"""Records; entries of the heap; records that wait; records looked at; record of the solution, -1 for none; the record
that looks nearest to one; last mark on squares; records not expanded because they looked lost."""

LOG_ODDS, LEVIN = range(2)


Doubles = npt.NDArray[np.float64]


class Frontier(NamedTuple):
    """What a search has met."""

    positions: Positions
    """Record 0 is the start. A record's action is the push that led to it (`ai.sokoban.policy.choice`); it has neither
    bound nor queue."""
    costs: Doubles
    """Shape (capacity, COSTS), as many rows as there is room for records."""
    heap: Ints
    """Shape (room,): records; one may stand there again with a lower priority."""
    keys: Doubles
    """Shape (room,): their priorities when they were put in."""
    meta: Longs
    """Shape (META,)."""


class Rule(NamedTuple):
    """How a search is done."""

    order: int
    """LOG_ODDS or LEVIN."""
    depth: float
    """What a push costs by itself, in LOG_ODDS."""
    lost: float
    """Positions whose logit of being solvable is below are not expanded."""


@kernel
def put(heap: Ints, keys: Doubles, meta: Longs, record: Whole, key: float) -> None:
    """Put a record into the heap; of equal keys the record that came last comes first."""
    place = meta[ENTRIES]
    meta[ENTRIES] += 1
    while place > 0:
        above = (place - 1) // 2
        if keys[above] < key or (keys[above] == key and heap[above] > record):
            break
        heap[place], keys[place] = heap[above], keys[above]
        place = above
    heap[place], keys[place] = record, key


@kernel
def take(heap: Ints, keys: Doubles, meta: Longs) -> tuple[int, float]:
    """Take the first entry of a heap that is not empty."""
    record, key = heap[0], keys[0]
    meta[ENTRIES] -= 1
    size = meta[ENTRIES]
    last, last_key = heap[size], keys[size]
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        other = below + 1
        if other < size and (keys[other] < keys[below] or (keys[other] == keys[below] and heap[other] > heap[below])):
            below = other
        if last_key < keys[below] or (last_key == keys[below] and last > heap[below]):
            break
        heap[place], keys[place] = heap[below], keys[below]
        place = below
    heap[place], keys[place] = last, last_key
    return int(record), float(key)


@kernel
def pop(ground: Ground, frontier: Frontier, scratch: Scratch, most: int, popped: Ints, seen: Floats) -> int:
    """Take up to `most` positions into `popped`, and what the network sees of them into `seen`; returns how many."""
    squares, size = len(ground.steps), len(ground.colour)
    records, places, occupied = frontier.positions.records, frontier.positions.places, scratch.occupied
    count = 0
    while count < most and frontier.meta[ENTRIES] > 0:
        record, key = take(frontier.heap, frontier.keys, frontier.meta)
        if records[record, FLAG] == EXPANDED or key != frontier.costs[record, PRIORITY]:
            continue
        records[record, FLAG] = EXPANDED
        frontier.meta[OPEN] -= 1
        popped[count] = record
        for slot in range(size):
            occupied[places[record, slot]] = 1
        see(
            ground.steps,
            squares,
            ground.is_target,
            occupied,
            np.int64(places[record, size]),
            scratch.queue,
            scratch.far,
            seen[count * squares : (count + 1) * squares],
        )
        for slot in range(size):
            occupied[places[record, slot]] = 0
        count += 1
    return count


@kernel
def expand(
    ground: Ground,
    frontier: Frontier,
    scratch: Scratch,
    rule: Rule,
    popped: Ints,
    seen: Floats,
    logits: Floats,
    values: Floats,
    found: Ints,
    logs: Floats,
    count: int,
) -> None:
    """Make the successors of the popped positions, until one is a solution.

    There is room for 4 n records and entries of each. Positions with a box that can never get to a target, or with
    frozen boxes off target, are left out.

    Args:
        ground: the level.
        frontier: what was met so far.
        scratch: room.
        rule: how it is done.
        popped: shape (count,) or longer.
        seen: shape (count * N, PLANES) or longer.
        logits: shape (count, N, 4).
        values: shape (count, 2), see `ai.sokoban.policy.inference`.
        found: scratch, shape (4 n,).
        logs: scratch, shape (4 n,).
        count: how many were popped.
    """
    steps, squares, size = ground.steps, len(ground.steps), len(ground.colour)
    table, records, places = frontier.positions.table, frontier.positions.records, frontier.positions.places
    costs, meta, occupied, words = frontier.costs, frontier.meta, scratch.occupied, ground.words
    for index in range(count):
        record = np.int64(popped[index])
        meta[CLOSED] += 1
        if record > 0 and values[index, 1] < rule.lost:
            meta[DROPPED] += 1
            continue
        costs[record, LEFT] = values[index, 0]
        if values[index, 0] < costs[meta[BEST], LEFT]:
            meta[BEST] = record
        ways = weigh(steps, seen[index * squares : (index + 1) * squares], logits[index], found, logs)
        word = np.uint64(0)
        astray = 0
        for slot in range(size):
            square = np.int64(places[record, slot])
            occupied[square] = 1
            word ^= words[0, square]
            astray += not ground.is_target[square]
        likeliest = np.float32(-np.inf)
        for number in range(ways):
            before, action = np.int64(found[number]) // 4, np.int64(found[number]) % 4
            after = np.int64(steps[before, action])
            occupied[before], occupied[after] = 0, 1
            bad = ground.nearest[after * 4 + ground.part[after, before]] >= FAR
            if not bad and held(steps, occupied, ground.alive, after):
                for member in range(frozen(steps, occupied, ground.alive, after, scratch.members, scratch.marks)):
                    bad = bad or not ground.is_target[scratch.members[member]]
            occupied[before], occupied[after] = 1, 0
            if bad:
                found[number] = -1
            else:
                likeliest = max(likeliest, logs[number])
        for number in range(ways):
            if found[number] < 0:
                continue
            before, action = np.int64(found[number]) // 4, np.int64(found[number]) % 4
            after = np.int64(steps[before, action])
            occupied[before], occupied[after] = 0, 1
            meta[STAMP] += 1
            player = np.int64(flood(steps, occupied, scratch.after, meta[STAMP], before, scratch.queue))
            here = word ^ words[0, before] ^ words[0, after] ^ words[1, player]
            place = find(table, here, places, size, ground.colour, occupied, player, np.int64(-1))
            known = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
            depth = records[record, DEPTH] + 1
            odds = costs[record, ODDS] + np.float64(likeliest - logs[number])
            surprise = costs[record, SURPRISE] - np.float64(logs[number])
            priority = odds + rule.depth * depth
            if rule.order == LEVIN:
                priority = np.log(np.float64(depth)) + surprise
            if known < 0 or (records[known, FLAG] == FRESH and priority < costs[known, PRIORITY]):
                if known < 0:
                    known = meta[COUNT]
                    meta[COUNT] += 1
                    meta[OPEN] += 1
                    for slot in range(size):
                        places[known, slot] = places[record, slot]
                        if places[record, slot] == before:
                            places[known, slot] = after
                    places[known, size] = player
                    table[place] = entry(here, known)
                records[known, PARENT], records[known, DEPTH] = record, depth
                records[known, FLAG], records[known, ACTION] = FRESH, found[number]
                costs[known, ODDS], costs[known, SURPRISE], costs[known, PRIORITY] = odds, surprise, priority
                put(frontier.heap, frontier.keys, meta, known, priority)
                left = astray + ground.is_target[before] - ground.is_target[after]
                if left == 0:
                    meta[FOUND] = known
            occupied[before], occupied[after] = 1, 0
        for slot in range(size):
            occupied[places[record, slot]] = 0
        if meta[FOUND] >= 0:
            return
