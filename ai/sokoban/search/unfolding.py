"""Positions unfolded: every way on from each of them with its lower bound and its Zobrist word, deadlocks left out.

Beam search, LRTA* and IDA* learn from here what comes after a position. Work on many positions costs little more than
their number, so a beam is unfolded in one call.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.board import successors as way
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Ints, Longs, Shorts, Whole, Words
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
from ai.sokoban.search.corral import allowed_pushes
from ai.sokoban.search.matching import add_row, rematch
from ai.sokoban.search.options import Options
from ai.sokoban.search.scratch import Scratch

# Columns of the pool: a way on from one of the positions.
STATE, SLOT, BEFORE, AFTER, FIRST, SECOND, ACTION, COST, BOUND = range(9)
COLUMNS = 9
"""The position it leads on from, the box (-1: none) and its squares before and after, the players' squares after (-1: no
second; with REGIONS the smallest of the first one's part of the floor), what was done, its cost, the lower bound after."""

# Places in `numbers`.
AT = 0  # position being unfolded
OPEN = 1  # whether its ways are listed
WAYS = 2  # how many they are
NEXT = 3  # the next of them
MATCHED = 4  # its boxes matched so far, -1: their keys are not known yet
POOL = 5  # rows of the pool in use
STAMP = 6
NUMBERS = 7


class States(NamedTuple):
    """Some positions."""

    places: Shorts
    """Shape (m, n + players)."""
    bounds: Ints
    """Shape (m,): lower bounds."""
    words: Words
    """Shape (m,): Zobrist words of the boxes, without the players."""


class Pool(NamedTuple):
    """The ways on from them."""

    rows: Ints
    """Shape (capacity, COLUMNS)."""
    words: Words
    """Shape (capacity,): Zobrist words of the boxes after."""


def no_states(room: int, width: int) -> States:
    """Room for positions of `width` squares."""
    return States(
        places=np.zeros((room, width), dtype=np.uint16),
        bounds=np.zeros(room, dtype=np.int32),
        words=np.zeros(room, dtype=np.uint64),
    )


def no_ways(room: int) -> Pool:
    """Room for ways on."""
    return Pool(rows=np.zeros((room, COLUMNS), dtype=np.int32), words=np.zeros(room, dtype=np.uint64))


@kernel
def unfold(
    ground: Ground,
    options: Options,
    states: States,
    count: int,
    pool: Pool,
    scratch: Scratch,
    numbers: Longs,
    budget: int,
) -> int:
    """Unfold the first `count` of `states` into the pool, or go on with that; returns what is left of the budget.

    It is done when `numbers[AT] == count`; the pool is too small when it is not done and some budget is left.

    Args:
        ground: the level.
        options: how it is looked at.
        states: the positions.
        count: how many of them.
        pool: rows are added behind `numbers[POOL]`.
        scratch: `occupied` all 0 before and after.
        numbers: shape (NUMBERS,), see above.
        budget: squares and matrix entries to look at.
    """
    steps, part, nearest, estimate = ground.steps, ground.part, ground.nearest, ground.estimate
    offset, colour, zobrist, distance = ground.offset, ground.colour, ground.words, ground.distance
    alive, home, is_target = ground.alive, ground.home, ground.is_target
    places, bounds, words, rows, pool_words = states.places, states.bounds, states.words, pool.rows, pool.words
    occupied, boxes, keys, found = scratch.occupied, scratch.boxes, scratch.keys, scratch.found
    u, v, taken = scratch.matching[0], scratch.matching[1], scratch.matching[2]
    u_after, v_after, taken_after = scratch.matching[3], scratch.matching[4], scratch.matching[5]
    least_cost, previous, used = scratch.matching[6], scratch.matching[7], scratch.used
    where, members, marks, queue = scratch.where, scratch.members, scratch.marks, scratch.queue
    seen, far, label = scratch.seen, scratch.far, scratch.regions
    group, spare, allowed, flooded = scratch.group, scratch.pushes[0], scratch.pushes[1], scratch.after
    mode, matching, freeze, dead = options.mode, options.matching, options.freeze, options.dead
    size = len(colour)
    players = places.shape[1] - size
    while numbers[AT] < count and budget > 0:
        at = int(numbers[AT])
        player = np.int64(places[at, size])
        other = np.int64(places[at, size + 1]) if players == 2 else np.int64(-1)
        if not numbers[OPEN]:
            if numbers[POOL] + len(found) > len(rows):
                break
            for slot in range(size):
                boxes[slot] = places[at, slot]
                occupied[boxes[slot]] = colour[slot] + 1
            numbers[STAMP] += 1
            if mode == SINGLE:
                numbers[WAYS] = single_moves(
                    steps, occupied, boxes, player, other, options.pushes, options.pulls, options.free_walks, found
                )
            else:
                entered = reach(steps, occupied, seen, numbers[STAMP], player, queue, far)
                if options.corrals and entered + size < len(steps):
                    allowed_pushes(
                        steps,
                        is_target,
                        ground.pushable[0],
                        boxes,
                        seen,
                        numbers[STAMP],
                        label,
                        queue,
                        group,
                        spare,
                        allowed,
                    )
                else:
                    allowed[:] = EVERY
                numbers[WAYS] = box_moves(
                    steps,
                    occupied,
                    boxes,
                    options.pushes,
                    options.pulls,
                    mode == WALKS,
                    allowed,
                    seen,
                    numbers[STAMP],
                    far,
                    found,
                )
            numbers[OPEN], numbers[NEXT], numbers[MATCHED] = 1, 0, -1
            budget -= size + 4 if mode == SINGLE else len(steps)
        stamp = numbers[STAMP]
        while numbers[NEXT] < numbers[WAYS] and budget > 0:
            number = numbers[NEXT]
            slot = int(found[number, way.SLOT])
            before, after = np.int64(found[number, way.BEFORE]), np.int64(found[number, way.AFTER])
            first, second = player, other
            if found[number, way.WHO]:
                second = np.int64(found[number, way.PLAYER])
            else:
                first = np.int64(found[number, way.PLAYER])
            bound, word = np.int64(bounds[at]), words[at]
            budget -= 8
            if slot >= 0:
                if numbers[MATCHED] < 0:
                    for box in range(size):
                        keys[box] = offset[box] + np.int64(boxes[box]) * 4 + part[boxes[box], player]
                    numbers[MATCHED] = 0
                    if matching:
                        taken[:] = -1
                        highest = v[0]
                        for column in range(size):
                            highest = max(highest, v[column])
                        for column in range(size):
                            v[column] -= highest
                if matching and numbers[MATCHED] < size:
                    while numbers[MATCHED] < size and budget > 0:
                        add_row(distance, keys, numbers[MATCHED], u, v, taken, least_cost, previous, used)
                        budget -= 4 * size
                        numbers[MATCHED] += 1
                    if numbers[MATCHED] < size:
                        break
                    for column in range(size):
                        where[taken[column]] = column
                key = np.int64(offset[slot]) + after * 4 + part[after, found[number, way.PLAYER]]
                if dead and nearest[key] >= FAR:
                    numbers[NEXT] += 1
                    continue
                occupied[before], occupied[after] = 0, colour[slot] + 1
                stuck = False
                if freeze and held(steps, occupied, alive, after):
                    for index in range(frozen(steps, occupied, alive, after, members, marks)):
                        square = members[index]
                        stuck = stuck or not home[occupied[square] - 1, square]
                if stuck:
                    bound = np.int64(FAR)
                elif not matching:
                    bound += estimate[key] - estimate[keys[slot]]
                elif distance[key, where[slot]] == distance[keys[slot], where[slot]] - 1:
                    bound -= 1
                else:
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
                if mode == REGIONS and bound < FAR:
                    smallest = player
                    if (
                        first == before
                        and after != smallest
                        and same_region(steps, occupied, seen, stamp, before, after)
                    ):
                        first = min(first, smallest)
                    else:
                        numbers[STAMP] += 1
                        first = np.int64(flood(steps, occupied, flooded, numbers[STAMP], first, queue))
                        budget -= len(steps)
                occupied[before], occupied[after] = colour[slot] + 1, 0
                word ^= zobrist[colour[slot], before] ^ zobrist[colour[slot], after]
            numbers[NEXT] += 1
            if bound < FAR:
                row = numbers[POOL]
                numbers[POOL] += 1
                rows[row, STATE], rows[row, SLOT], rows[row, BEFORE], rows[row, AFTER] = at, slot, before, after
                rows[row, FIRST], rows[row, SECOND], rows[row, BOUND] = first, second, bound
                rows[row, ACTION], rows[row, COST] = found[number, way.ACTION], found[number, way.COST]
                pool_words[row] = word
        if numbers[NEXT] == numbers[WAYS]:
            for slot in range(size):
                occupied[boxes[slot]] = 0
            numbers[OPEN] = 0
            numbers[AT] += 1
    return budget


@kernel
def whole_word(word: np.uint64, first: Whole, second: Whole, zobrist: Words) -> np.uint64:
    """The Zobrist word of a position from that of its boxes; never 0."""
    word ^= zobrist[len(zobrist) - 2, first]
    if second >= 0:
        word ^= zobrist[len(zobrist) - 1, second]
    return word | np.uint64(word == np.uint64(0))
