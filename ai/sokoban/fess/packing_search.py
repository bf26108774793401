"""Playing a level backwards for a packing plan (`ai.sokoban.fess.packing`): boxes are pulled away, or parked on the way.

That is for a search that plays forwards. For one that plays backwards boxes are pushed, from where they start.

A record is a position on the way: boxes that are left, the part of the floor the player is in, and how it came about.
Records wait in cells. Two orders are known: by boxes left, the oldest first; or, to find out which boxes to park where,
cells by the boxes left and the targets that the player cannot enter, visited in turn as well as best first, and in each
the record with the fewest parkings. A parking that opens nothing new is soon left alone, one that does is followed at once.
"""

import numpy as np

from ai.jit import lean
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.board.moves import frozen
from ai.sokoban.board.successors import flood
from ai.sokoban.fess import packing_room as room
from ai.sokoban.fess.assignment import assignable
from ai.sokoban.fess.macro import Motion, label_blocks, macro_moves, pieces
from ai.sokoban.fess.packing_room import Manner, Pulls

_A_LOOK = 8
"""Elementary steps for each node that a box can go to."""


@lean
def search_plan(
    ground: Ground, source: Ints, side: Ints, pulls: Pulls, motion: Motion, manner: Manner, player: int,
    most: int, budget: int,
) -> bool:  # fmt: skip
    """Pull boxes away until none is left or the room is full; returns whether that is so after `budget` elementary steps.

    Args:
        ground: the level.
        source: 1 + the number of the box that stands on a square at the start, 0 for none, shape (N,).
        side: the part of the floor that the player is in at the start, seen from each of these boxes, shape (n,).
        pulls: room; record 0 has its boxes.
        motion: room, which keeps what it has between calls.
        manner: how.
        player: his square where boxes are pushed; -1 where they are pulled, and he may begin anywhere.
        most: records to look at.
        budget: squares and nodes to look at before returning.
    """
    meta, size = pulls.meta, pulls.boxes.shape[1]
    pulling = player < 0
    if meta[room.COUNT] == 0:
        _start(ground, pulls, manner.opening, player, motion.edges)
        if meta[room.COUNT] == 0:
            return True
    left: Whole = budget
    while left > 0:
        if meta[room.OPEN] < 0:
            if meta[room.LOOKED] >= most or not _choose(pulls, manner.opening):
                return True
            meta[room.LOOKED] += 1
            _begin_look(ground, pulls, motion, np.int64(meta[room.OPEN]))
            left -= _A_LOOK * len(ground.steps)
        current = np.int64(meta[room.OPEN])
        full, away = False, False
        if not meta[room.PARKING]:
            while meta[room.SLOT_AT] < size:
                if left <= 0:
                    return False
                slot = np.int64(meta[room.SLOT_AT])
                left -= _look(ground, source, side, pulls, motion, current, slot, manner.matched, pulling)
                meta[room.SLOT_AT] += 1
            away, full = _take_away(ground, pulls, motion, current, manner)
            meta[room.PARKING], meta[room.SLOT_AT], meta[room.NODES] = 1, 0, -1
        if not away and not full and manner.park:
            left, no_room = _park(ground, source, pulls, motion, current, manner.opening, pulling, left)
            full = bool(no_room)
            if not full and meta[room.SLOT_AT] < size:
                return False
        _clear(pulls, current)
        meta[room.OPEN] = -1
        if full:
            return True
    return False


@lean
def _choose(pulls: Pulls, opening: bool) -> bool:
    """Take the record whose turn it is; returns whether there is one, and boxes are left in the best."""
    records, heads, meta = pulls.records, pulls.heads, pulls.meta
    cell = _next_cell(pulls.waiting, meta, opening)
    if cell < 0:
        return False
    parked = 0
    while heads[cell, parked] < 0:
        parked += 1
    current = heads[cell, parked]
    heads[cell, parked] = records[current, room.NEXT]
    pulls.waiting[cell] -= 1
    if records[current, room.LEFT] < records[meta[room.BEST], room.LEFT]:
        meta[room.BEST] = current
    meta[room.OPEN], meta[room.SLOT_AT], meta[room.PARKING] = current, 0, 0
    return bool(records[current, room.LEFT] != 0)


@lean
def _take_away(ground: Ground, pulls: Pulls, motion: Motion, current: Whole, manner: Manner) -> tuple[bool, bool]:
    """Make the records of what can be pulled away from a record: whether there are any, and whether the room is full."""
    steps, records, boxes, meta = ground.steps, pulls.records, pulls.boxes, pulls.meta
    occupied, length, where, lacks = pulls.occupied, pulls.length, pulls.where, pulls.lacks
    matched, park = manner.matched, manner.park
    short, left = records[current, room.SHORT], records[current, room.LEFT]
    away, full = False, False
    while not full:
        chosen = _first(length, lacks, pulls.options)
        if chosen < 0 or (away and not matched) or (lacks[chosen] and (away or park) and matched):
            break
        away = away or not lacks[chosen]
        full = bool(meta[room.COUNT] >= len(records))
        if not full:
            box, node = np.int64(boxes[current, chosen]), where[chosen]
            length[chosen] = FAR
            occupied[box] = 0
            where_he_is, shut = _settle(ground, pulls, np.int64(steps[node // 4, node % 4]), motion.edges)
            occupied[box] = 1
            _keep(
                pulls, ground.words, current, where_he_is, left - 1, short + lacks[chosen], chosen, -1,
                shut if manner.opening else -1,
            )  # fmt: skip
    return away, full


@lean
def _first(length: Ints, lacks: Bytes, options: Ints) -> Whole:
    """The box to take away first, -1 for none: one that then has a box of its own, could have been most, and is nearest."""
    chosen: Whole = -1
    for slot in range(len(length)):
        if length[slot] == FAR:
            continue
        if chosen >= 0:
            if lacks[slot] != lacks[chosen]:
                better = lacks[slot] < lacks[chosen]
            elif options[slot] != options[chosen]:
                better = options[slot] > options[chosen]
            else:
                better = length[slot] < length[chosen]
            if not better:
                continue
        chosen = slot
    return chosen


@lean
def follow(
    ground: Ground, source: Ints, side: Ints, pulls: Pulls, motion: Motion, record: int, slots: Ints, goals: Ints,
    skip: int, pulling: bool,
) -> bool:  # fmt: skip
    """Make the records of these pulls, one after the other from `record` on, without the one numbered `skip`.

    Returns whether each can be made, those that take a box away with a box of its own. The last record is the best one.

    Args:
        ground: the level.
        source: see `search_plan`.
        side: see `search_plan`.
        pulls: room, with `record`.
        motion: room.
        record: where to begin.
        slots: the box of each pull, shape (k,).
        goals: the node where it is put, -1 for away, shape (k,).
        skip: its pull is left out.
        pulling: boxes are pulled; else they are pushed.
    """
    steps, records, boxes, occupied, meta = ground.steps, pulls.records, pulls.boxes, pulls.occupied, pulls.meta
    meta[room.BEST] = record
    for index in range(len(slots)):
        current = meta[room.BEST]
        slot, node = slots[index], np.int64(goals[index])
        box = np.int64(boxes[current, slot])
        if index == skip or (node >= 0 and box == node // 4):
            continue
        _begin_look(ground, pulls, motion, current)
        for each in range(boxes.shape[1]):
            _look(ground, source, side, pulls, motion, current, np.int64(each), True, pulling)
        occupied[box] = 0
        if node < 0:
            good = pulls.length[slot] < FAR and not pulls.lacks[slot]
        else:
            good = False
            for each in range(macro_moves(ground, occupied, box, pulls.reach, meta[room.STAMP], pulling, 15, motion)):
                good = good or motion.nodes[each] == node
            occupied[node // 4] = 1
        if good:
            place = node if node >= 0 else np.int64(pulls.where[slot])
            player, _ = _settle(ground, pulls, np.int64(steps[place // 4, place % 4]), motion.edges)
            meta[room.BEST] = meta[room.COUNT]
            _keep(pulls, ground.words, current, player, records[current, room.LEFT] - (node < 0), 0, slot, node, -1)
            good = meta[room.COUNT] > meta[room.BEST]
        if node >= 0:
            occupied[node // 4] = 0
        _clear(pulls, current)
        if not good:
            return False
    return True


@lean
def _next_cell(waiting: Ints, meta: Longs, rounds: bool) -> Whole:
    """The first cell with a record, in rounds every second time the next one; -1 where none waits."""
    meta[room.TURN] += 1
    first: Whole = 0
    if rounds and meta[room.TURN] & 1:
        first = meta[room.CURSOR] + 1
    for index in range(first, first + len(waiting)):
        cell = index % len(waiting)
        if waiting[cell]:
            if first:
                meta[room.CURSOR] = cell
            return np.int64(cell)
    return np.int64(-1)


@lean
def _settle(ground: Ground, pulls: Pulls, start: Whole, queue: Ints) -> tuple[Whole, Whole]:
    """The player's square, and how many targets he cannot enter."""
    meta = pulls.meta
    meta[room.STAMP] += 1
    player = flood(ground.steps, pulls.occupied, pulls.reach, meta[room.STAMP], start, queue)
    shut: Whole = 0
    for target in pulls.boxes[0]:
        shut += pulls.reach[target] != meta[room.STAMP]
    return player, shut


@lean
def _clear(pulls: Pulls, record: Whole) -> None:
    """Take the boxes of a record off `occupied`."""
    for square in pulls.boxes[record]:
        if square != room.GONE:
            pulls.occupied[square] = 0


@lean
def _copy(rows: Shorts | Ints, source: Whole, goal: Whole) -> None:
    """Make one row the same as another."""
    for column in range(rows.shape[1]):
        rows[goal, column] = rows[source, column]


@lean
def _start(ground: Ground, pulls: Pulls, opening: bool, only: int, queue: Ints) -> None:
    """Make a record of each part of the floor that the player could be in, or of the one with the square `only`."""
    boxes, occupied, reach = pulls.boxes, pulls.occupied, pulls.reach
    for box in boxes[0]:
        occupied[box] = 1
    pulls.meta[room.STAMP] = 1
    for square in range(len(ground.steps)):
        count = pulls.meta[room.COUNT]
        here = np.int64(only if only >= 0 else square)
        if not occupied[here] and not reach[here] and count < len(boxes):
            player = flood(ground.steps, occupied, reach, 1, here, queue)
            _copy(boxes, 0, count)
            _enter(pulls, ground.words, -1, player, boxes.shape[1], 0, -1, -1, -1, boxes.shape[1] if opening else -1)
    for box in boxes[0]:
        occupied[box] = 0


@lean
def _begin_look(ground: Ground, pulls: Pulls, motion: Motion, current: Whole) -> None:
    """Leave the boxes of a record in `occupied`, and the rows of those that are gone in `keys`."""
    steps, records, boxes, occupied, keys = ground.steps, pulls.records, pulls.boxes, pulls.occupied, pulls.keys
    size = boxes.shape[1]
    for slot in range(size):
        if boxes[current, slot] != room.GONE:
            occupied[boxes[current, slot]] = 1
    pulls.meta[room.STAMP] += 1
    flood(steps, occupied, pulls.reach, pulls.meta[room.STAMP], np.int64(records[current, room.PLAYER]), motion.edges)
    label_blocks(steps, occupied, motion)
    keys[:] = len(records) + size
    pulls.taken[:] = -1
    record = current
    while records[record, room.PARENT] >= 0:
        if records[record, room.TO] < 0:
            keys[records[record, room.SLOT]] = record
        record = np.int64(records[record, room.PARENT])


@lean
def _look(
    ground: Ground, source: Ints, side: Ints, pulls: Pulls, motion: Motion, current: Whole, slot: Whole, matched: bool,
    pulling: bool,
) -> Whole:  # fmt: skip
    """Find whether a box of a record can be pulled away, after `_begin_look`; returns how many elementary steps that took."""
    steps, part, rows, keys = ground.steps, ground.part, pulls.rows, pulls.keys
    length, where = pulls.length, pulls.where
    occupied, lacks, options, nodes = pulls.occupied, pulls.lacks, pulls.options, motion.nodes
    size = pulls.boxes.shape[1]
    length[slot] = FAR
    lacks[slot] = 0
    options[slot] = 0
    box = np.int64(pulls.boxes[current, slot])
    if box == room.GONE:
        return 1
    row = len(pulls.records) + slot
    rows[row] = FAR
    occupied[box] = 0
    found = macro_moves(ground, occupied, box, pulls.reach, pulls.meta[room.STAMP], pulling, 15, motion)
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
        if not pulling or part[square, steps[square, node % 4]] == side[source[square] - 1]:
            rows[row, source[square] - 1] = 0
    if matched and length[slot] < FAR:
        for column in range(size):
            options[slot] += rows[row, column] == 0
        keys[slot] = row
        lacks[slot] = not assignable(rows, keys, pulls.taken, pulls.came, pulls.queue)
        keys[slot] = len(pulls.records) + size
    return np.int64(_A_LOOK * (found + size))


@lean
def _park(
    ground: Ground, source: Ints, pulls: Pulls, motion: Motion, current: Whole, opening: bool, pulling: bool, budget: Whole
) -> tuple[Whole, Whole]:  # fmt: skip
    """Make a record of every square where one box of a record can be parked, from the box SLOT_AT and its node NODE on.

    Returns what is left of the budget, and 1 where the room is full.
    """
    steps, records, boxes, occupied, reach = ground.steps, pulls.records, pulls.boxes, pulls.occupied, pulls.reach
    meta, nodes = pulls.meta, motion.nodes
    while meta[room.SLOT_AT] < boxes.shape[1]:
        slot = np.int64(meta[room.SLOT_AT])
        box = np.int64(boxes[current, slot])
        if box == room.GONE:
            meta[room.SLOT_AT] += 1
            continue
        if meta[room.NODES] < 0:
            # the floods below leave other stamps, so what the player reaches is marked anew for every box
            meta[room.STAMP] += 1
            flood(steps, occupied, reach, meta[room.STAMP], np.int64(records[current, room.PLAYER]), motion.edges)
            occupied[box] = 0
            meta[room.NODES] = macro_moves(ground, occupied, box, reach, meta[room.STAMP], pulling, 15, motion)
            meta[room.NODE] = 0
            budget -= len(steps) + _A_LOOK * meta[room.NODES]
        while meta[room.NODE] < meta[room.NODES]:
            if budget <= 0:
                return budget, 0
            node = np.int64(nodes[meta[room.NODE]])
            meta[room.NODE] += 1
            goal = node // 4
            budget -= 1
            if goal == box and motion.length[node] == 0:
                continue
            if opening and pulling and (source[goal] or pieces(steps, occupied, motion.block, motion.name, goal) > 1):
                continue
            if meta[room.COUNT] >= len(records):
                return budget, 1
            occupied[goal] = 1
            if not pulling and frozen(steps, occupied, ground.alive, goal, pulls.came, pulls.marks):
                occupied[goal] = 0
                continue
            player, shut = _settle(ground, pulls, np.int64(steps[goal, node % 4]), motion.edges)
            occupied[goal] = 0
            _keep(
                pulls, ground.words, current, player, records[current, room.LEFT], records[current, room.SHORT], slot, node,
                shut if opening else -1,
            )  # fmt: skip
            budget -= len(steps) + boxes.shape[1]
        occupied[box] = 1
        meta[room.SLOT_AT] += 1
        meta[room.NODES] = -1
    return budget, 0


@lean
def _keep(
    pulls: Pulls, words: Words, parent: Whole, player: Whole, left: Whole, short: Whole, slot: Whole, node: Whole,
    shut: Whole,
) -> None:  # fmt: skip
    """Make the record of a pull, of `slot` to `node` (-1 for away), and let it wait, unless it is known."""
    record = pulls.meta[room.COUNT]
    boxes = pulls.boxes
    box = np.int64(boxes[parent, slot])
    _copy(boxes, parent, record)
    if node >= 0:
        boxes[record, slot] = node // 4
    else:
        boxes[record, slot] = room.GONE
        _copy(pulls.rows, len(pulls.records) + slot, record)
        if pulls.lacks[slot]:
            pulls.rows[record] = 0
    _enter(pulls, words, parent, player, left, short, slot, box, node, shut)


@lean
def _enter(
    pulls: Pulls, words: Words, parent: Whole, player: Whole, left: Whole, short: Whole, slot: Whole, box: Whole,
    node: Whole, shut: Whole,
) -> None:  # fmt: skip
    """Fill the next record, whose boxes are set, and let it wait, unless it is known."""
    records, table, known, heads, tails = pulls.records, pulls.table, pulls.known, pulls.heads, pulls.tails
    record = pulls.meta[room.COUNT]
    word = words[1, player]
    for square in pulls.boxes[record]:
        if square != room.GONE:
            word ^= words[0, square]
    place = np.int64(word & np.uint64(len(table) - 1))
    while table[place] >= 0:
        if known[table[place]] == word:
            return
        place = (place + 1) & (len(table) - 1)
    table[place] = record
    known[record] = word
    records[record, room.PARENT] = parent
    records[record, room.PLAYER] = player
    records[record, room.LEFT] = left
    records[record, room.FROM] = box
    records[record, room.TO] = node
    records[record, room.SLOT] = slot
    records[record, room.SHORT] = short
    parked = 0 if parent < 0 else records[parent, room.PARKED] + (node >= 0)
    records[record, room.PARKED] = parked
    records[record, room.NEXT] = -1
    size = pulls.boxes.shape[1] + 1
    if shut >= 0:  # the latest first
        cell = left * size + shut
        parked = min(parked, room.MOST_PARKED)
        records[record, room.NEXT] = heads[cell, parked]
        heads[cell, parked] = record
    else:
        cell = short * size + left
        if heads[cell, 0] < 0:
            heads[cell, 0] = record
        else:
            records[tails[cell], room.NEXT] = record
        tails[cell] = record
    pulls.waiting[cell] += 1
    pulls.meta[room.COUNT] += 1
