"""The packing plan: in which order the targets are filled, found by playing backwards.

All targets begin filled, and boxes are pulled away one at a time, each to a square where a box stands at the start,
where it vanishes: boxes not packed yet are no obstacle to the plan. Where nothing can be pulled away, boxes are parked
elsewhere, the fewest times that do. Read backwards this is the plan: stage k of it is the set of squares that are
filled when k of its steps are done. After Shoham and Schaeffer (FESS, 2020).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.ground import Ground, Watch
from ai.sokoban.layout import Bytes, Ints, Layout, Longs, Shorts, Whole, Words
from ai.sokoban.macro import Motion, macro_moves
from ai.sokoban.successors import flood

GONE = 65535
"""The square of a box that was pulled away."""

MAX_RECORDS = 8192

# Columns of a record.
PARENT, PLAYER, LEFT, FROM, TO, NEXT = range(6)

# What `search_plan` keeps between calls.
COUNT, BEST, STAMP = range(3)
_RECORDS_A_SLICE = 4


class Plan(NamedTuple):
    """Stages 0 to m of a plan; N squares."""

    filled: Bytes
    """Shape (m + 1, N): 1 on the squares that stage k has filled; none in stage 0, all targets in stage m."""
    origin: Ints
    """Shape (m + 1,): the box that makes the step after stage k; -1 for any not packed, and after the last stage."""
    target: Ints
    """Shape (m + 1,): the square that this step fills; -1 after the last stage."""
    serving: Bytes
    """Shape (m + 1, 4 N): 1 at the keys from which a box can make this step, with stage k as walls and nothing else."""


@kernel
def search_plan(
    ground: Ground,
    source: Bytes,
    records: Ints,
    boxes: Shorts,
    table: Ints,
    known: Words,
    heads: Ints,
    tails: Ints,
    occupied: Bytes,
    reach: Ints,
    meta: Longs,
    motion: Motion,
    budget: int,
) -> bool:
    """Pull boxes away until none is left or the records are full; returns whether that is so after `budget` records.

    Args:
        ground: the level.
        source: 1 where boxes vanish, shape (N,).
        records: shape (R, 6), the columns above; LEFT counts the boxes left.
        boxes: shape (R, n), the boxes of each record.
        table: hash table, a power of two long, -1 everywhere.
        known: the word of each record, shape (R,).
        heads: first record waiting with so many boxes left, shape (n + 1,), -1 everywhere.
        tails: last one, shape (n + 1,).
        occupied: scratch, shape (N,), all 0.
        reach: scratch, shape (N,), all 0 before the first call and left alone after it.
        meta: how many records there are, the best of them, and the last stamp; all 0 before the first call.
        motion: room.
        budget: records to look at, one at least.
    """
    steps, words = ground.steps, ground.words
    size = boxes.shape[1]
    queue = motion.stack
    count, best, stamp = int(meta[COUNT]), int(meta[BEST]), int(meta[STAMP])
    if count == 0:
        for slot in range(size):
            occupied[boxes[0, slot]] = 1
        for square in range(len(steps)):
            if not occupied[square] and not reach[square] and count < len(records):
                player = flood(steps, occupied, reach, 1, np.int64(square), queue)
                boxes[count] = boxes[0]
                count = _keep(records, boxes, table, known, heads, tails, words, count, -1, player, size, -1, -1)
        for slot in range(size):
            occupied[boxes[0, slot]] = 0
        stamp = 1
    done = count == 0
    while not done and budget > 0:
        budget -= 1
        left = 0
        while left <= size and heads[left] < 0:
            left += 1
        if left > size:
            done = True
            break
        current = heads[left]
        heads[left] = records[current, NEXT]
        if left < records[best, LEFT]:
            best = current
        if left == 0:
            done = True
            break
        for slot in range(size):
            if boxes[current, slot] != GONE:
                occupied[boxes[current, slot]] = 1
        stamp += 1
        mine = stamp
        flood(steps, occupied, reach, mine, np.int64(records[current, PLAYER]), queue)
        nearest, where, chosen = 1 << 30, -1, -1
        for slot in range(size):
            box = np.int64(boxes[current, slot])
            if box == GONE:
                continue
            occupied[box] = 0
            found = macro_moves(ground, occupied, box, reach, mine, True, 15, motion)
            occupied[box] = 1
            for index in range(found):
                node = motion.nodes[index]
                if motion.length[node] >= nearest:
                    break
                if source[node // 4]:
                    nearest, where, chosen = motion.length[node], node, slot
                    break
        full = False
        if chosen >= 0:
            full = count >= len(records)
            if not full:
                box = np.int64(boxes[current, chosen])
                occupied[box] = 0
                stand = steps[where // 4, where % 4]
                stamp += 1
                player = flood(steps, occupied, reach, stamp, np.int64(stand), queue)
                occupied[box] = 1
                boxes[count] = boxes[current]
                boxes[count, chosen] = GONE
                count = _keep(
                    records, boxes, table, known, heads, tails, words, count, current, player, left - 1, box, -1
                )
        else:
            for slot in range(size):
                box = np.int64(boxes[current, slot])
                if box == GONE or full:
                    continue
                occupied[box] = 0
                # the floods below leave other stamps, so what the player reaches is marked anew for every box
                stamp += 1
                occupied[box] = 1
                flood(steps, occupied, reach, stamp, np.int64(records[current, PLAYER]), queue)
                occupied[box] = 0
                found = macro_moves(ground, occupied, box, reach, stamp, True, 15, motion)
                for index in range(found):
                    node = motion.nodes[index]
                    goal = node // 4
                    if goal == box and motion.length[node] == 0:
                        continue
                    if count >= len(records):
                        full = True
                        break
                    occupied[goal] = 1
                    stamp += 1
                    player = flood(steps, occupied, reach, stamp, np.int64(steps[goal, node % 4]), queue)
                    occupied[goal] = 0
                    boxes[count] = boxes[current]
                    boxes[count, slot] = goal
                    count = _keep(
                        records, boxes, table, known, heads, tails, words, count, current, player, left, box, goal
                    )
                occupied[box] = 1
        for slot in range(size):
            if boxes[current, slot] != GONE:
                occupied[boxes[current, slot]] = 0
        done = full
    meta[COUNT], meta[BEST], meta[STAMP] = count, best, stamp
    return done


@kernel
def _keep(
    records: Ints,
    boxes: Shorts,
    table: Ints,
    known: Words,
    heads: Ints,
    tails: Ints,
    words: Words,
    record: int,
    parent: Whole,
    player: Whole,
    left: Whole,
    box: Whole,
    goal: Whole,
) -> int:
    """Fill `record`, whose boxes are set, and let it wait, unless it is known; returns how many records there are."""
    word = words[1, player]
    for square in boxes[record]:
        if square != GONE:
            word ^= words[0, square]
    place = np.int64(word & np.uint64(len(table) - 1))
    while table[place] >= 0:
        if known[table[place]] == word:
            return record
        place = (place + 1) & (len(table) - 1)
    table[place] = record
    known[record] = word
    records[record, PARENT] = parent
    records[record, PLAYER] = player
    records[record, LEFT] = left
    records[record, FROM] = box
    records[record, TO] = goal
    records[record, NEXT] = -1
    if heads[left] < 0:
        heads[left] = record
    else:
        records[tails[left], NEXT] = record
    tails[left] = record
    return record + 1


@kernel
def mark_serving(ground: Ground, filled: Bytes, goal: int, reach: Ints, motion: Motion, serving: Bytes) -> None:
    """Set `serving`, shape (4 N,), to 1 at the keys from which a box alone can be pushed to `goal` when `filled` is.

    Args:
        ground: the level.
        filled: squares that count as walls, shape (N,).
        goal: where the box goes.
        reach: 1 everywhere, shape (N,).
        motion: room.
        serving: the answer, all 0 before.
    """
    steps, part, block = ground.steps, ground.part, motion.block
    count = macro_moves(ground, filled, goal, reach, 1, True, 15, motion)
    for index in range(count):
        node = motion.nodes[index]
        square = node // 4
        for side in range(4):
            other = steps[square, side]
            if other >= 0 and not filled[other] and block[square * 4 + side] == block[node]:
                serving[square * 4 + part[square, other]] = 1


def make_plan(
    board: Layout, ground: Ground, motion: Motion, pause: Callable[[str], None] = lambda _note: None
) -> tuple[Plan, int, int]:
    """The plan of a level, how many boxes it could not pull away (their order is a guess), and the records used.

    Calls `pause` with a word on what is going on every few milliseconds.
    """
    watch = Watch(pause)
    squares, size = len(board.squares), len(board.targets)
    room = MAX_RECORDS
    records: Ints = np.zeros((room, 6), dtype=np.int32)
    boxes: Shorts = np.zeros((room, size), dtype=np.uint16)
    boxes[0] = board.targets
    source: Bytes = np.zeros(squares, dtype=np.uint8)
    source[board.boxes] = 1
    meta: Longs = np.zeros(3, dtype=np.int64)
    room_of_search = (
        np.full(2 * room, -1, dtype=np.int32),
        np.zeros(room, dtype=np.uint64),
        np.full(size + 1, -1, dtype=np.int32),
        np.full(size + 1, -1, dtype=np.int32),
        np.zeros(squares, dtype=np.uint8),
        np.zeros(squares, dtype=np.int32),
        meta,
    )
    while not search_plan(ground, source, records, boxes, *room_of_search, motion, _RECORDS_A_SLICE):
        watch.look("planning in which order the targets are filled")
    best, count = int(meta[BEST]), int(meta[COUNT])
    left = int(records[best, LEFT])
    pulled: list[tuple[int, int]] = []
    record = best
    while records[record, PARENT] >= 0:
        pulled.append((int(records[record, FROM]), int(records[record, TO])))
        record = int(records[record, PARENT])
    filled: Bytes = np.zeros((left + len(pulled) + 1, squares), dtype=np.uint8)
    stuck = [int(square) for square in boxes[best] if square != GONE]
    for index, square in enumerate(stuck):
        filled[index + 1] = filled[index]
        filled[index + 1, square] = 1
    for index, (box, goal) in enumerate(pulled, len(stuck)):
        filled[index + 1] = filled[index]
        filled[index + 1, box] = 1
        if goal >= 0:
            filled[index + 1, goal] = 0
    stages = len(filled)
    origin: Ints = np.full(stages, -1, dtype=np.int32)
    target: Ints = np.full(stages, -1, dtype=np.int32)
    serving: Bytes = np.zeros((stages, 4 * squares), dtype=np.uint8)
    everywhere: Ints = np.ones(squares, dtype=np.int32)
    for stage in range(stages - 1):
        change = filled[stage + 1].astype(np.int8) - filled[stage].astype(np.int8)
        target[stage] = np.flatnonzero(change > 0)[0]
        if (change < 0).any():
            origin[stage] = np.flatnonzero(change < 0)[0]
        mark_serving(ground, filled[stage], int(target[stage]), everywhere, motion, serving[stage])
        watch.look("planning in which order the targets are filled")
    return Plan(filled, origin, target, serving), left, count
