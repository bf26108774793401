"""The inner loop of best-first search: A*, its weighted and greedy cousins, uniform cost and breadth-first search.

A position waits in the queue of (cost so far × weight + lower bound × weight), so what the search is called depends on
two weights, the bound and the way a solution is cut into steps (`ai.sokoban.board.successors`). No lower bound used here falls
by more than a step costs, so with equal weights the first solution taken from the queue is the cheapest.

A slice can stop after any successor of any position and go on later.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.board import successors as way
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Longs, Words
from ai.sokoban.board.moves import frozen, held
from ai.sokoban.board.successors import (
    EVERY,
    REGIONS,
    SINGLE,
    WALKS,
    box_moves,
    flood,
    reach,
    same_region,
    single_moves,
)
from ai.sokoban.search import positions as kept
from ai.sokoban.search.corral import allowed_pushes
from ai.sokoban.search.matching import add_row, rematch
from ai.sokoban.search.options import Options
from ai.sokoban.search.positions import Positions, dequeue, enqueue, entry, find
from ai.sokoban.search.scratch import Scratch

# Places in `meta`.
COUNT = 0  # records so far
CURRENT = 1  # record being expanded, -1 for none
NEXT = 2  # its next successor
WAYS = 3  # how many successors it has
MATCHED = 4  # its boxes matched so far
ROW = 5  # no queue before this one has an entry
NEEDED = 6  # the queue that must exist before the search can go on
FOUND = 7  # record of the solution
BEST = 8  # record with the smallest lower bound expanded so far
EXPANSIONS = 9
STAMP = 10  # marks what the player reaches in the position being expanded
AFTER = 11  # marks what the player reaches after a push
DROPPED = 12  # records that a cheaper way made stale before they were expanded
MET = 13  # record of the search from the other end where the two met, plus one; 0 where they did not
META = 14

# Answers of a slice.
GO_ON, SOLVED, EXHAUSTED, NEED_RECORDS, NEED_QUEUES, AT_LIMIT = range(6)

SCALE = 1000
"""Weights are thousandths."""


class Order(NamedTuple):
    """Which position comes next, and when to stop."""

    cost: int
    """Weight of the cost so far, in thousandths."""
    bound: int
    """Weight of the lower bound, in thousandths."""
    limit: int
    """Records at most."""
    home: bool
    """Whether all boxes at home end the search; else only meeting the search from the other end does."""


@kernel
def search_slice(
    ground: Ground,
    options: Options,
    order: Order,
    positions: Positions,
    facing: Positions,
    scratch: Scratch,
    meta: Longs,
    words: Words,
    budget: int,
) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    Args:
        ground: the level.
        options: how it is looked at.
        order: the kind of search.
        positions: what was met so far.
        facing: the same of a search from the other end, or of none; one new position among these ends the search.
        scratch: kept between slices.
        meta: shape (META,), numbers kept between slices, see above.
        words: shape (1,), the Zobrist word of the boxes of the position being expanded.
        budget: squares and matrix entries to look at before returning.
    """
    steps, part, nearest, estimate = ground.steps, ground.part, ground.nearest, ground.estimate
    offset, colour, zobrist, distance = ground.offset, ground.colour, ground.words, ground.distance
    table, records, places = positions.table, positions.records, positions.places
    heads, lowest = positions.heads, positions.least
    occupied, boxes, keys, found = scratch.occupied, scratch.boxes, scratch.keys, scratch.found
    size = len(colour)
    players = places.shape[1] - size
    first_words, second_words = zobrist[len(zobrist) - 2], zobrist[len(zobrist) - 1]
    u, v, taken = scratch.matching[0], scratch.matching[1], scratch.matching[2]
    u_after, v_after, taken_after = scratch.matching[3], scratch.matching[4], scratch.matching[5]
    least_cost, previous, used = scratch.matching[6], scratch.matching[7], scratch.used
    where, members, marks, queue = scratch.where, scratch.members, scratch.marks, scratch.queue
    alive, home, is_target, reached_after = ground.alive, ground.home, ground.is_target, scratch.after
    seen, far, label = scratch.seen, scratch.far, scratch.regions
    group, spare, allowed = scratch.group, scratch.pushes[0], scratch.pushes[1]
    mode, matching, freeze, prune_dead = options.mode, options.matching, options.freeze, options.dead
    while True:
        if meta[CURRENT] < 0:
            current, meta[ROW] = dequeue(records, heads, lowest, meta[ROW])
            if current < 0:
                return EXHAUSTED
            if records[current, kept.BOUND] < records[meta[BEST], kept.BOUND]:
                meta[BEST] = current
            player = np.int64(places[current, size])
            second = np.int64(places[current, size + 1]) if players == 2 else np.int64(-1)
            word = np.uint64(0)
            astray = 0
            for slot in range(size):
                square = np.int64(places[current, slot])
                key = offset[slot] + square * 4 + part[square, player]
                boxes[slot], keys[slot] = square, key
                word ^= zobrist[colour[slot], square]
                astray += nearest[key] != 0
            if astray == 0 and order.home:
                meta[FOUND] = current
                return SOLVED
            words[0] = word
            for slot in range(size):
                occupied[boxes[slot]] = colour[slot] + 1
            meta[CURRENT], meta[NEXT], meta[MATCHED] = current, 0, 0
            meta[EXPANSIONS] += 1
            meta[STAMP] += 1
            if mode == SINGLE:
                meta[WAYS] = single_moves(
                    steps, occupied, boxes, player, second, options.pushes, options.pulls, options.free_walks, found
                )
            else:
                entered = reach(steps, occupied, seen, meta[STAMP], player, queue, far)
                if options.corrals and entered + size < len(steps):
                    allowed_pushes(
                        steps,
                        is_target,
                        ground.pushable[0],
                        boxes,
                        seen,
                        meta[STAMP],
                        label,
                        queue,
                        group,
                        spare,
                        allowed,
                    )
                else:
                    allowed[:] = EVERY
                meta[WAYS] = box_moves(
                    steps,
                    occupied,
                    boxes,
                    options.pushes,
                    options.pulls,
                    mode == WALKS,
                    allowed,
                    seen,
                    meta[STAMP],
                    far,
                    found,
                )
            budget -= len(steps) + size
            if matching:
                taken[:] = -1
                highest = v[0]
                for column in range(size):
                    highest = max(highest, v[column])
                for column in range(size):
                    v[column] -= highest
        current = meta[CURRENT]
        while matching and meta[MATCHED] < size and budget > 0:
            add_row(distance, keys, meta[MATCHED], u, v, taken, least_cost, previous, used)
            budget -= 4 * size
            meta[MATCHED] += 1
            if meta[MATCHED] == size:
                for column in range(size):
                    where[taken[column]] = column
        while meta[NEXT] < meta[WAYS]:
            if budget <= 0:
                return GO_ON
            if meta[COUNT] >= order.limit:
                return AT_LIMIT
            if meta[COUNT] + 4 > len(records) or 3 * (meta[COUNT] + 4) > 2 * len(table):
                return NEED_RECORDS
            number = meta[NEXT]
            slot = int(found[number, way.SLOT])
            before, after = np.int64(found[number, way.BEFORE]), np.int64(found[number, way.AFTER])
            first = np.int64(places[current, size])
            second = np.int64(places[current, size + 1]) if players == 2 else np.int64(-1)
            if found[number, way.WHO]:
                second = np.int64(found[number, way.PLAYER])
            else:
                first = np.int64(found[number, way.PLAYER])
            word = words[0]
            key = np.int64(-1)
            if slot >= 0:
                key = np.int64(offset[slot]) + after * 4 + part[after, found[number, way.PLAYER]]
                if prune_dead and nearest[key] >= FAR:
                    meta[NEXT] += 1
                    continue
                occupied[before], occupied[after] = 0, colour[slot] + 1
                word ^= zobrist[colour[slot], before] ^ zobrist[colour[slot], after]
                stuck = False
                if freeze and held(steps, occupied, alive, after):
                    for index in range(frozen(steps, occupied, alive, after, members, marks)):
                        square = members[index]
                        stuck = stuck or not home[occupied[square] - 1, square]
                if stuck:
                    occupied[before], occupied[after] = colour[slot] + 1, 0
                    meta[NEXT] += 1
                    continue
                if mode == REGIONS:
                    least = np.int64(places[current, size])
                    if (
                        first == before
                        and after != least
                        and same_region(steps, occupied, seen, meta[STAMP], before, after)
                    ):
                        first = min(first, least)
                    else:
                        meta[AFTER] += 1
                        first = np.int64(flood(steps, occupied, reached_after, meta[AFTER], first, queue))
                        budget -= len(steps)
            budget -= 8
            word ^= first_words[first]
            if second >= 0:
                word ^= second_words[second]
            place = find(table, word, places, size, colour, occupied, first, second)
            known = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
            depth = records[current, kept.DEPTH] + found[number, way.COST]
            bound = np.int64(FAR)
            if known >= 0:
                if depth < records[known, kept.DEPTH] and order.cost:
                    bound = np.int64(records[known, kept.BOUND])
            elif slot < 0:
                bound = np.int64(records[current, kept.BOUND])
            elif matching and distance[key, where[slot]] == distance[keys[slot], where[slot]] - 1:
                # The bound falls by one a push at most, and the old matching shows that it does.
                bound = np.int64(records[current, kept.BOUND]) - 1
            elif matching:
                bound = np.int64(
                    rematch(
                        distance,
                        keys,
                        slot,
                        key,
                        where[slot],
                        u,
                        v,
                        taken,
                        u_after,
                        v_after,
                        taken_after,
                        least_cost,
                        previous,
                        used,
                    )
                )
                budget -= 4 * size
            else:
                bound = np.int64(records[current, kept.BOUND]) + estimate[key] - estimate[keys[slot]]
            if bound < FAR:
                row = (order.cost * depth + order.bound * bound) // SCALE
                if row >= len(heads):
                    if slot >= 0:
                        occupied[before], occupied[after] = colour[slot] + 1, 0
                    meta[NEEDED] = row
                    return NEED_QUEUES
                if known >= 0:
                    meta[DROPPED] += records[known, kept.FLAG] == kept.FRESH
                    records[known, kept.FLAG] = kept.STALE
                record = meta[COUNT]
                meta[COUNT] += 1
                records[record, kept.PARENT] = current
                records[record, kept.DEPTH] = depth
                records[record, kept.BOUND] = bound
                records[record, kept.FLAG] = kept.FRESH
                records[record, kept.ACTION] = found[number, way.ACTION]
                for column in range(size):
                    places[record, column] = places[current, column]
                places[record, size] = first
                if players == 2:
                    places[record, size + 1] = second
                if slot >= 0:
                    places[record, slot] = after
                table[place] = entry(word, record)
                enqueue(records, heads, lowest, record, row)
                meta[ROW] = min(meta[ROW], row)
                if len(facing.records):
                    there = find(facing.table, word, facing.places, size, colour, occupied, first, second)
                    meta[MET] = np.int64(facing.table[there] & np.uint64(0xFFFFFFFF))
                    meta[FOUND] = record
            if slot >= 0:
                occupied[before], occupied[after] = colour[slot] + 1, 0
            meta[NEXT] += 1
            if meta[MET]:
                break
        for slot in range(size):
            occupied[boxes[slot]] = 0
        records[current, kept.FLAG] = kept.EXPANDED
        meta[CURRENT] = -1
        if meta[MET]:
            return SOLVED
