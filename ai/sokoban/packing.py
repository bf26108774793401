"""The packing plan: in which order the targets are filled, found by playing backwards.

All targets begin filled, and boxes are pulled away one at a time, each to a square where a box stands at the start,
where it vanishes: boxes not packed yet are no obstacle to the plan. No two of them may need the same one: a box is
only pulled away where all that are gone can have come from boxes of their own (a matching). Where nothing can be pulled
away, boxes are parked elsewhere, the fewest times that do. Read backwards this is the plan: stage k of it is the set of
squares that are filled when k of its steps are done. After Shoham and Schaeffer (FESS, 2020).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.assignment import assignable, unserved
from ai.sokoban.distance import FAR
from ai.sokoban.ground import Ground, Watch
from ai.sokoban.layout import Bytes, Ints, Layout, Longs, Shorts, Whole, Words
from ai.sokoban.macro import Motion, label_blocks, macro_moves
from ai.sokoban.successors import flood

GONE = 65535
"""The square of a box that was pulled away."""

MAX_RECORDS = 8192
_FIRST_RECORDS = 2048
"""Of a search that parks nothing."""

# Columns of a record.
PARENT, PLAYER, LEFT, FROM, TO, NEXT, SLOT, SHORT = range(8)
COLUMNS = 8

# What `search_plan` keeps between calls.
COUNT, BEST, STAMP = range(3)
_RECORDS_A_SLICE = 4
_NOTE = "planning in which order the targets are filled"


class Pulls(NamedTuple):
    """Room of one search; R records, n boxes, N squares."""

    records: Ints
    """Shape (R, COLUMNS); LEFT counts the boxes left, SHORT those gone that have no box of their own."""
    boxes: Shorts
    """Shape (R, n), the boxes of each record."""
    table: Ints
    """Hash table, a power of two long, -1 for none."""
    known: Words
    """Shape (R,): the word of each record."""
    heads: Ints
    """Shape ((n + 1)^2,): first record waiting that is short of so many with so many left, -1 for none."""
    tails: Ints
    """Shape ((n + 1)^2,): last one."""
    rows: Ints
    """Shape (R + n + 1, n): 0 for the boxes of the start that the box pulled away at a record can have been, else FAR;
    then the same of every box that may be pulled away next, and 0 everywhere."""
    keys: Ints
    """Shape (n,): row of each box."""
    taken: Ints
    """Shape (n,): scratch of the matching."""
    came: Ints
    """Shape (n,)."""
    queue: Ints
    """Shape (n,)."""
    length: Ints
    """Shape (n,): pulls that take a box away, FAR for none."""
    lacks: Bytes
    """Shape (n,): 1 where it then has no box of its own."""
    where: Ints
    """Shape (n,): the node where it vanishes."""
    occupied: Bytes
    """Shape (N,), all 0."""
    reach: Ints
    """Shape (N,), all 0 before the first call."""
    meta: Longs
    """How many records there are, the best of them, and the last stamp."""


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
    ground: Ground, source: Ints, side: Ints, pulls: Pulls, motion: Motion, matched: bool, park: bool, budget: int
) -> bool:
    """Pull boxes away until none is left or the records are full; returns whether that is so after `budget` records.

    Args:
        ground: the level.
        source: 1 + the number of the box that stands on a square at the start, 0 for none, shape (N,).
        side: the part of the floor that the player is in at the start, seen from each of these boxes, shape (n,).
        pulls: room; record 0 has its boxes.
        motion: room.
        matched: all boxes that are gone must be able to have been boxes of their own.
        park: boxes may be parked where none can be pulled away.
        budget: records to look at, one at least.
    """
    steps, records, boxes, heads, meta = ground.steps, pulls.records, pulls.boxes, pulls.heads, pulls.meta
    occupied, reach, length, where, lacks = pulls.occupied, pulls.reach, pulls.length, pulls.where, pulls.lacks
    size = boxes.shape[1]
    queue = motion.stack
    if meta[COUNT] == 0:
        _start(ground, pulls, queue)
    done = bool(meta[COUNT] == 0)
    while not done and budget > 0:
        budget -= 1
        bucket = 0
        while bucket < len(heads) and heads[bucket] < 0:
            bucket += 1
        if bucket == len(heads):
            return True
        current = heads[bucket]
        heads[bucket] = records[current, NEXT]
        short, left = bucket // (size + 1), bucket % (size + 1)
        if left < records[meta[BEST], LEFT]:
            meta[BEST] = current
        if left == 0:
            return True
        _look(ground, source, side, pulls, motion, current, matched)
        away = False
        best = FAR
        while not done:
            chosen = -1
            for slot in range(size):
                if length[slot] < FAR and (chosen < 0 or lacks[slot] * FAR + length[slot] < best):
                    chosen, best = slot, lacks[slot] * FAR + length[slot]
            if chosen < 0 or (away and not matched) or (lacks[chosen] and (away or park) and matched):
                break
            away = away or not lacks[chosen]
            done = bool(meta[COUNT] >= len(records))
            if not done:
                box, node = np.int64(boxes[current, chosen]), where[chosen]
                length[chosen] = FAR
                occupied[box] = 0
                meta[STAMP] += 1
                player = flood(steps, occupied, reach, meta[STAMP], np.int64(steps[node // 4, node % 4]), queue)
                occupied[box] = 1
                _keep(pulls, ground.words, current, player, left - 1, short + lacks[chosen], chosen, GONE)
        if not away and park:
            done = _park(ground, pulls, motion, current)
        for slot in range(size):
            if boxes[current, slot] != GONE:
                occupied[boxes[current, slot]] = 0
    return done


@kernel
def _start(ground: Ground, pulls: Pulls, queue: Ints) -> None:
    """Make a record of each part of the floor that the player could end in."""
    boxes, occupied, reach = pulls.boxes, pulls.occupied, pulls.reach
    for box in boxes[0]:
        occupied[box] = 1
    pulls.meta[STAMP] = 1
    for square in range(len(ground.steps)):
        count = pulls.meta[COUNT]
        if not occupied[square] and not reach[square] and count < len(boxes):
            player = flood(ground.steps, occupied, reach, 1, np.int64(square), queue)
            boxes[count] = boxes[0]
            _enter(pulls, ground.words, -1, player, boxes.shape[1], 0, -1, -1, -1)
    for box in boxes[0]:
        occupied[box] = 0


@kernel
def _look(
    ground: Ground, source: Ints, side: Ints, pulls: Pulls, motion: Motion, current: Whole, matched: bool
) -> None:
    """Find which boxes of a record can be pulled away, and leave its boxes in `occupied`."""
    steps, part, records, boxes = ground.steps, ground.part, pulls.records, pulls.boxes
    rows, keys, taken, length, where = pulls.rows, pulls.keys, pulls.taken, pulls.length, pulls.where
    occupied, reach, lacks, nodes = pulls.occupied, pulls.reach, pulls.lacks, motion.nodes
    size = boxes.shape[1]
    for slot in range(size):
        if boxes[current, slot] != GONE:
            occupied[boxes[current, slot]] = 1
    pulls.meta[STAMP] += 1
    mine = pulls.meta[STAMP]
    flood(steps, occupied, reach, mine, np.int64(records[current, PLAYER]), motion.stack)
    label_blocks(steps, occupied, motion)
    any_box = len(records) + size
    keys[:] = any_box
    taken[:] = -1
    record = current
    while records[record, PARENT] >= 0:
        if records[record, TO] < 0:
            keys[records[record, SLOT]] = record
        record = records[record, PARENT]
    for slot in range(size):
        length[slot] = FAR
        lacks[slot] = 0
        box = np.int64(boxes[current, slot])
        if box == GONE:
            continue
        row = len(records) + slot
        rows[row] = FAR
        occupied[box] = 0
        found = macro_moves(ground, occupied, box, reach, mine, True, 15, motion)
        occupied[box] = 1
        for index in range(found):
            node = nodes[index]
            square = node // 4
            if not source[square]:
                continue
            if length[slot] == FAR:
                length[slot], where[slot] = motion.length[node], node
                if not matched:
                    break
            if part[square, steps[square, node % 4]] == side[source[square] - 1]:
                rows[row, source[square] - 1] = 0
        if matched and length[slot] < FAR:
            keys[slot] = row
            lacks[slot] = not assignable(rows, keys, taken, pulls.came, pulls.queue)
            keys[slot] = any_box


@kernel
def _park(ground: Ground, pulls: Pulls, motion: Motion, current: Whole) -> bool:
    """Make a record of every square where one box of a record can be parked; returns whether the records are full."""
    steps, records, boxes, occupied, reach = ground.steps, pulls.records, pulls.boxes, pulls.occupied, pulls.reach
    meta, nodes = pulls.meta, motion.nodes
    for slot in range(boxes.shape[1]):
        box = np.int64(boxes[current, slot])
        if box == GONE:
            continue
        # the floods below leave other stamps, so what the player reaches is marked anew for every box
        meta[STAMP] += 1
        flood(steps, occupied, reach, meta[STAMP], np.int64(records[current, PLAYER]), motion.stack)
        occupied[box] = 0
        found = macro_moves(ground, occupied, box, reach, meta[STAMP], True, 15, motion)
        for index in range(found):
            node = nodes[index]
            goal = node // 4
            if goal == box and motion.length[node] == 0:
                continue
            if meta[COUNT] >= len(records):
                occupied[box] = 1
                return True
            occupied[goal] = 1
            meta[STAMP] += 1
            player = flood(steps, occupied, reach, meta[STAMP], np.int64(steps[goal, node % 4]), motion.stack)
            occupied[goal] = 0
            _keep(
                pulls, ground.words, current, player, records[current, LEFT], records[current, SHORT], slot, goal
            )  # fmt: skip
        occupied[box] = 1
    return False


@kernel
def _keep(
    pulls: Pulls, words: Words, parent: Whole, player: Whole, left: Whole, short: Whole, slot: Whole, goal: Whole
) -> None:  # fmt: skip
    """Make the record of a pull, of `slot` to `goal` (GONE for away), and let it wait, unless it is known."""
    record = pulls.meta[COUNT]
    boxes = pulls.boxes
    box = np.int64(boxes[parent, slot])
    boxes[record] = boxes[parent]
    boxes[record, slot] = goal
    if goal == GONE:
        pulls.rows[record] = pulls.rows[len(pulls.records) + slot]
        if pulls.lacks[slot]:
            pulls.rows[record] = 0
        goal = -1
    _enter(pulls, words, parent, player, left, short, slot, box, goal)


@kernel
def _enter(
    pulls: Pulls, words: Words, parent: Whole, player: Whole, left: Whole, short: Whole, slot: Whole, box: Whole,
    goal: Whole,
) -> None:  # fmt: skip
    """Fill the next record, whose boxes are set, and let it wait, unless it is known."""
    records, table, known, tails = pulls.records, pulls.table, pulls.known, pulls.tails
    record = pulls.meta[COUNT]
    word = words[1, player]
    for square in pulls.boxes[record]:
        if square != GONE:
            word ^= words[0, square]
    place = np.int64(word & np.uint64(len(table) - 1))
    while table[place] >= 0:
        if known[table[place]] == word:
            return
        place = (place + 1) & (len(table) - 1)
    table[place] = record
    known[record] = word
    records[record, PARENT] = parent
    records[record, PLAYER] = player
    records[record, LEFT] = left
    records[record, FROM] = box
    records[record, TO] = goal
    records[record, SLOT] = slot
    records[record, SHORT] = short
    records[record, NEXT] = -1
    bucket = short * (pulls.boxes.shape[1] + 1) + left
    if pulls.heads[bucket] < 0:
        pulls.heads[bucket] = record
    else:
        records[tails[bucket], NEXT] = record
    tails[bucket] = record
    pulls.meta[COUNT] += 1


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
    steps, part, block, name = ground.steps, ground.part, motion.block, motion.name
    filled[goal] = 1
    label_blocks(steps, filled, motion)
    filled[goal] = 0
    count = macro_moves(ground, filled, goal, reach, 1, True, 15, motion)
    for index in range(count):
        node = motion.nodes[index]
        square = node // 4
        for side in range(4):
            other = steps[square, side]
            if other >= 0 and not filled[other] and name[block[square * 4 + side]] == name[block[node]]:
                serving[square * 4 + part[square, other]] = 1


def _room(board: Layout, room: int) -> Pulls:
    """Room for so many records, the first one's boxes set."""
    squares, size = len(board.squares), len(board.targets)

    def ints(*shape: int, fill: int = 0) -> Ints:
        return np.full(shape, fill, dtype=np.int32)

    pulls = Pulls(
        records=ints(room, COLUMNS),
        boxes=np.zeros((room, size), dtype=np.uint16),
        table=ints(2 * room, fill=-1),
        known=np.zeros(room, dtype=np.uint64),
        heads=ints((size + 1) ** 2, fill=-1),
        tails=ints((size + 1) ** 2),
        rows=ints(room + size + 1, size),
        keys=ints(size),
        taken=ints(size),
        came=ints(size),
        queue=ints(size),
        length=ints(size),
        lacks=np.zeros(size, dtype=np.uint8),
        where=ints(size),
        occupied=np.zeros(squares, dtype=np.uint8),
        reach=ints(squares),
        meta=np.zeros(3, dtype=np.int64),
    )
    pulls.boxes[0] = board.targets
    return pulls


def make_plan(
    board: Layout, ground: Ground, motion: Motion, pause: Callable[[str], None] = lambda _note: None
) -> tuple[Plan, int, int]:
    """The plan of a level, how many boxes it could not pull away (their order is a guess), and the records used.

    Of several plans the one with the fewest boxes parked and boxes without a step. Calls `pause` with a word on what is
    going on every few milliseconds.
    """
    watch = Watch(pause)
    source: Ints = np.zeros(len(board.squares), dtype=np.int32)
    source[board.boxes] = 1 + np.arange(len(board.boxes))
    side = ground.part[board.boxes, board.player].astype(np.int32)
    keys: Ints = 4 * board.boxes + side
    best: tuple[int, int, Plan] | None = None
    looked = 0
    for room, matched, park in ((_FIRST_RECORDS, True, False), (MAX_RECORDS, True, True), (MAX_RECORDS, False, True)):
        pulls = _room(board, room)
        while not search_plan(ground, source, side, pulls, motion, matched, park, _RECORDS_A_SLICE):
            watch.look(_NOTE)
        looked += int(pulls.meta[COUNT])
        plan, left = _read(ground, pulls, motion, watch)
        stages = len(plan.origin)
        spare: list[Ints] = [np.zeros(stages, dtype=np.int32) for _ in range(3)]
        boxes = board.boxes.astype(np.uint16)
        astray = unserved(plan.serving, plan.origin, plan.filled[0], 0, boxes, keys, *spare)
        trouble = 2 * astray + int((plan.origin >= 0).sum())
        if best is None or (left, trouble) < best[:2]:
            best = left, trouble, plan
        if not left and not trouble:
            break
    assert best is not None
    return best[2], best[0], looked


def _read(ground: Ground, pulls: Pulls, motion: Motion, watch: Watch) -> tuple[Plan, int]:
    """The plan that a search found, and how many boxes it could not pull away."""
    records, squares = pulls.records, len(ground.steps)
    best = record = int(pulls.meta[BEST])
    left = int(records[best, LEFT])
    pulled: list[tuple[int, int]] = []
    while records[record, PARENT] >= 0:
        pulled.append((int(records[record, FROM]), int(records[record, TO])))
        record = int(records[record, PARENT])
    filled: Bytes = np.zeros((left + len(pulled) + 1, squares), dtype=np.uint8)
    stuck = [int(square) for square in pulls.boxes[best] if square != GONE]
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
        watch.look(_NOTE)
    return Plan(filled, origin, target, serving), left
