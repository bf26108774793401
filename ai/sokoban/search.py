"""The inner loop of push-optimal A*: positions are box sets with the player's region, steps are pushes.

Everything lives in flat arrays that Python may enlarge between slices, so a slice can stop after any box of any
position and go on later. Positions are never moved: a cheaper way to a known one makes a new record and marks the
old one stale. The lower bound is the matching of `ai.sokoban.matching`, which never falls by more than one a push,
so the first solution taken from the queue has the fewest pushes.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.corral import allowed_pushes
from ai.sokoban.distance import FAR
from ai.sokoban.layout import Bytes, Ints, Shorts
from ai.sokoban.matching import add_row, total
from ai.sokoban.moves import frozen

Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

# Columns of a record.
PARENT, DEPTH, BOUND, NEXT, PLAYER, FLAG = range(6)
FRESH, EXPANDED, STALE = range(3)

# Places in `meta`.
COUNT = 0  # records so far
CURRENT = 1  # record being expanded, -1 for none
SLOT = 2  # its next box to push
MATCHED = 3  # its boxes matched so far
ROW = 4  # no queue before this one has an entry
NEEDED = 5  # the queue that must exist before the search can go on
FOUND = 6  # record of the solution
BEST = 7  # smallest lower bound of a record so far
EXPANSIONS = 8
STAMP = 9  # marks what the player reaches in the position being expanded
CHILD = 10  # marks what the player reaches after a push
OPEN = 11  # records in the queues that are not stale
SHOWN = 12  # the record with the smallest lower bound that was expanded
META = 13

# Answers of a slice.
GO_ON, SOLVED, EXHAUSTED, NEED_RECORDS, NEED_QUEUES, AT_LIMIT = range(6)

CLASSES = 1024
"""Lower bounds told apart within one queue; larger ones share the last place."""


@kernel
def flood(steps: Ints, occupied: Bytes, seen: Ints, stamp: int, start: np.int64, queue: Ints) -> np.int64:
    """Mark with `stamp` every square that the player reaches from `start`; returns the smallest of them."""
    seen[start] = stamp
    queue[0] = start
    size = 1
    smallest = start
    while size:
        size -= 1
        square = queue[size]
        smallest = min(smallest, square)
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and seen[other] != stamp and not occupied[other]:
                seen[other] = stamp
                queue[size] = other
                size += 1
    return smallest


@kernel
def find(table: Words, word: np.uint64, records: Ints, boxes: Shorts, occupied: Bytes, player: np.int64) -> np.int64:
    """The place in the hash table of the position with the boxes of `occupied`, or the free place where it belongs.

    An entry holds the upper half of the position's Zobrist word and, in its lower half, its record plus one. Equal
    halves are not believed: the boxes are compared.
    """
    mask = np.uint64(len(table) - 1)
    upper = word >> np.uint64(32)
    place = np.int64(word & mask)
    while table[place] != np.uint64(0):
        if table[place] >> np.uint64(32) == upper:
            record = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
            if records[record, PLAYER] == player:
                same = True
                for square in boxes[record]:
                    if not occupied[square]:
                        same = False
                        break
                if same:
                    return place
        place = (place + 1) & (len(table) - 1)
    return place


@kernel
def rehash(
    table: Words, records: Ints, boxes: Shorts, box_words: Words, player_words: Words, first: int, last: int
) -> None:
    """Enter the records `first` up to `last`, stale ones apart, into a larger table."""
    mask = np.uint64(len(table) - 1)
    for record in range(first, last):
        if records[record, FLAG] == STALE:
            continue
        word = player_words[records[record, PLAYER]]
        for square in boxes[record]:
            word ^= box_words[square]
        place = np.int64(word & mask)
        while table[place] != np.uint64(0):
            place = (place + 1) & (len(table) - 1)
        table[place] = (word >> np.uint64(32) << np.uint64(32)) | np.uint64(record + 1)


@kernel
def enqueue(records: Ints, heads: Ints, least: Ints, record: int, row: int) -> None:
    """Put a record into queue `row`, the last in of its class first out."""
    place = min(records[record, BOUND], CLASSES - 1)
    records[record, NEXT] = heads[row, place]
    heads[row, place] = record
    least[row] = min(least[row], place)


@kernel
def dequeue(records: Ints, heads: Ints, least: Ints, meta: Longs) -> int:
    """Take the record with the smallest depth + bound, among those the smallest bound; -1 when there is none."""
    while meta[ROW] < len(heads):
        row = meta[ROW]
        while least[row] < CLASSES:
            place = least[row]
            record: int = heads[row, place]
            if record < 0:
                least[row] += 1
                continue
            heads[row, place] = records[record, NEXT]
            if records[record, FLAG] != STALE:
                return record
        meta[ROW] += 1
    return -1


@kernel
def search_slice(
    steps: Ints,
    is_target: Bytes,
    alive: Bytes,
    part: Bytes,
    distance: Ints,
    nearest: Ints,
    box_words: Words,
    player_words: Words,
    table: Words,
    records: Ints,
    boxes: Shorts,
    heads: Ints,
    least: Ints,
    meta: Longs,
    square_scratch: Ints,
    byte_scratch: Bytes,
    box_scratch: Ints,
    used: Bytes,
    words: Words,
    limit: int,
    budget: int,
) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    Args:
        steps: neighbours, shape (N, 4).
        is_target: shape (N,).
        alive: from `mark_alive`, shape (N,).
        part: from `label_parts`, shape (N, N).
        distance: pushes from a key to each target, shape (4 N, n).
        nearest: the least of each row of `distance`, shape (4 N,).
        box_words: Zobrist words of boxes, shape (N,).
        player_words: Zobrist words of the player's region (its smallest square), shape (N,).
        table: hash table, a power of two long.
        records: shape (capacity, 6), see the columns above; record 0 is the start.
        boxes: the boxes of every record, each in the place it had at the start, shape (capacity, n).
        heads: first record of every queue (row: depth + bound − bound of the start) and class, shape (rows, CLASSES).
        least: smallest class of each queue that may have an entry, shape (rows,).
        meta: numbers kept between slices, see above.
        square_scratch: shape (5, N), kept between slices: two sets of flood marks, a stack, and two scratch rows.
        byte_scratch: shape (2, N), kept between slices: where boxes are, and marks of `frozen`.
        box_scratch: shape (13, n + 1), kept between slices: the matching of the position being expanded and of one
            after a push, and the pushes allowed.
        used: shape (n + 1,).
        words: shape (1,), the Zobrist word of the boxes of the position being expanded.
        limit: records at most.
        budget: squares and matrix entries to look at before returning.
    """
    size = boxes.shape[1]
    reach, seen, queue = square_scratch[0], square_scratch[1], square_scratch[2]
    label, inside = square_scratch[3], square_scratch[4]
    occupied, marks = byte_scratch[0], byte_scratch[1]
    keys, where, members = box_scratch[0, :size], box_scratch[1], box_scratch[2]
    u, v, taken = box_scratch[3], box_scratch[4], box_scratch[5]
    u_after, v_after, taken_after = box_scratch[6], box_scratch[7], box_scratch[8]
    smallest_costs, way = box_scratch[9], box_scratch[10]
    found, allowed = box_scratch[11, :size], box_scratch[12, :size]
    base = records[0, BOUND]
    while True:
        if meta[CURRENT] < 0:
            current = dequeue(records, heads, least, meta)
            if current < 0:
                return EXHAUSTED
            meta[OPEN] -= 1
            if records[current, BOUND] < meta[BEST]:
                meta[BEST], meta[SHOWN] = records[current, BOUND], current
            if records[current, BOUND] == 0:
                meta[FOUND] = current
                return SOLVED
            meta[CURRENT], meta[SLOT], meta[MATCHED] = current, 0, 0
            meta[EXPANSIONS] += 1
            words[0] = np.uint64(0)
            for slot in range(size):
                square = np.int64(boxes[current, slot])
                occupied[square] = 1
                keys[slot] = square * 4 + part[square, records[current, PLAYER]]
                words[0] ^= box_words[square]
            meta[STAMP] += 1
            flood(steps, occupied, reach, meta[STAMP], np.int64(records[current, PLAYER]), queue)
            allowed_pushes(
                steps,
                is_target,
                part,
                nearest,
                boxes[current],
                reach,
                meta[STAMP],
                label,
                inside,
                queue,
                members,
                found,
                allowed,
            )
            taken[:] = -1
            highest = v[0]
            for column in range(size):
                highest = max(highest, v[column])
            for column in range(size):
                v[column] -= highest
            budget -= len(steps) + size
        current = meta[CURRENT]
        while meta[MATCHED] < size and budget > 0:
            add_row(distance, keys, meta[MATCHED], u, v, taken, smallest_costs, way, used)
            budget -= 4 * size
            meta[MATCHED] += 1
            if meta[MATCHED] == size:
                for column in range(size):
                    where[taken[column]] = column
        while meta[SLOT] < size:
            if budget <= 0:
                return GO_ON
            if meta[COUNT] >= limit:
                return AT_LIMIT
            if meta[COUNT] + 4 > len(records) or 3 * (meta[COUNT] + 4) > 2 * len(table):
                return NEED_RECORDS
            slot = meta[SLOT]
            box = np.int64(boxes[current, slot])
            for action in range(4):
                if not allowed[slot] >> action & 1:
                    continue
                stand, goal = steps[box, (action + 2) % 4], steps[box, action]
                if stand < 0 or goal < 0 or reach[stand] != meta[STAMP] or occupied[goal]:
                    continue
                key = goal * 4 + part[goal, box]
                if nearest[key] >= FAR:
                    continue
                occupied[box], occupied[goal] = 0, 1
                dead = False
                for index in range(frozen(steps, occupied, alive, goal, members, marks)):
                    dead = dead or not is_target[members[index]]
                if not dead:
                    meta[CHILD] += 1
                    player = flood(steps, occupied, seen, meta[CHILD], box, queue)
                    budget -= len(steps)
                    word = words[0] ^ box_words[box] ^ box_words[goal] ^ player_words[player]
                    place = find(table, word, records, boxes, occupied, player)
                    known = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
                    depth = records[current, DEPTH] + 1
                    bound = np.int64(FAR)
                    if known >= 0:
                        if depth < records[known, DEPTH]:
                            bound = np.int64(records[known, BOUND])
                    elif distance[key, where[slot]] == distance[keys[slot], where[slot]] - 1:
                        # The bound falls by one a push at most, and the old matching shows that it does.
                        bound = np.int64(records[current, BOUND]) - 1
                    else:
                        u_after[:] = u
                        v_after[:] = v
                        taken_after[:] = taken
                        taken_after[where[slot]] = -1
                        old, keys[slot] = keys[slot], key
                        add_row(distance, keys, slot, u_after, v_after, taken_after, smallest_costs, way, used)
                        bound = np.int64(total(distance, keys, taken_after))
                        keys[slot] = old
                        budget -= 4 * size
                    if bound < FAR:
                        row = depth + bound - base
                        if row >= len(heads):
                            occupied[box], occupied[goal] = 1, 0
                            meta[NEEDED] = row
                            return NEED_QUEUES
                        if known >= 0:
                            meta[OPEN] -= records[known, FLAG] == FRESH
                            records[known, FLAG] = STALE
                        record = meta[COUNT]
                        meta[COUNT] += 1
                        records[record, PARENT] = current
                        records[record, DEPTH] = depth
                        records[record, BOUND] = bound
                        records[record, PLAYER] = player
                        records[record, FLAG] = FRESH
                        boxes[record] = boxes[current]
                        boxes[record, slot] = goal
                        table[place] = (word >> np.uint64(32) << np.uint64(32)) | np.uint64(record + 1)
                        enqueue(records, heads, least, record, row)
                        meta[OPEN] += 1
                        meta[ROW] = min(meta[ROW], row)
                occupied[box], occupied[goal] = 1, 0
            meta[SLOT] += 1
        for slot in range(size):
            occupied[boxes[current, slot]] = 0
        records[current, FLAG] = EXPANDED
        meta[CURRENT] = -1
