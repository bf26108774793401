"""Feature-space search (FESS, Shoham and Schaeffer 2020): the inner loop.

Every position falls into a cell by its features: stages of the packing plan done, pieces into which the boxes divide the
floor, links between rooms that are blocked, boxes without a step of the plan, boxes in the way of its next step. The
search visits the cells in turn and makes in each the cheapest move not yet made, the latest of equal ones; a move is a
macro move (`ai.sokoban.macro`). It costs 1, or nothing when one of the advisors (`ai.sokoban.fess_moves`) proposes it.
So promising lines are followed at once and no kind of position is forgotten. Cells whose first position leaves boxes
without a step that the start does not are visited in every second, fourth, ... round.

All room is in flat arrays that Python enlarges between slices. Nothing that is dropped can belong to a solution
(dead squares, frozen boxes, PI-corrals), so a search that ends without one is a proof.
"""

import numpy as np

from ai.jit import kernel
from ai.sokoban.assignment import assignable, fitting, unserved
from ai.sokoban.corral import allowed_pushes
from ai.sokoban.corral_search import MAX_BOXES, is_dead
from ai.sokoban.fess_moves import expand
from ai.sokoban.fess_tree import (
    ADVISED,
    ADVISED_END,
    AFTER_ADVISED,
    AFTER_REST,
    ASTRAY,
    AT_LIMIT,
    BEST,
    BEST_RECORD,
    CELLS,
    COSTS,
    COUNT,
    CURSOR,
    EXHAUSTED,
    FOUND,
    GO_ON,
    MAX_ASTRAY,
    MAX_BLOCKED,
    MAX_PIECES,
    MAX_REST,
    MAX_WAY,
    MOVE,
    NEED_CELLS,
    NEED_MOVES,
    NEED_RECORDS,
    PARENT,
    PLAYER,
    REST,
    REST_END,
    ROUND,
    SOLVED,
    STAMP,
    TRIED,
    WAITING,
    Features,
    Scratch,
    Style,
    Tree,
)
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.macro import Motion
from ai.sokoban.moves import frozen
from ai.sokoban.route import find_route
from ai.sokoban.successors import flood


@kernel
def _cell(tree: Tree, style: Style, stage: Whole, parts: Whole, blocked: Whole, astray: Whole, way: Whole) -> Whole:
    """The number of the cell; a new one where there is none yet."""
    key = stage * (MAX_PIECES + 1)
    if style.fine:
        key += min(parts, MAX_PIECES)
    key *= MAX_BLOCKED + 1
    if style.fine:
        key += min(blocked, MAX_BLOCKED)
    key *= MAX_ASTRAY + 1
    if style.fine:
        key += min(astray, MAX_ASTRAY)
    key *= MAX_WAY + 1
    if style.way:
        key += min(way, MAX_WAY)
    if tree.cell_of[key] < 0:
        tree.cell_of[key] = tree.meta[CELLS]
        tree.rest[tree.meta[CELLS]] = (1 << min(max(astray - tree.meta[ASTRAY], 0), MAX_REST)) - 1
        tree.meta[CELLS] += 1
    return np.int64(tree.cell_of[key])


@kernel
def _place(
    table: Ints, known: Words, records: Ints, kept: Shorts, word: np.uint64, player: Whole, occupied: Bytes
) -> Whole:  # fmt: skip
    """The place of the position in the hash table, or the free one where it belongs."""
    place = np.int64(word & np.uint64(len(table) - 1))
    while table[place] >= 0:
        record = table[place]
        if known[record] == word and records[record, PLAYER] == player:
            same = True
            for square in kept[record]:
                same = same and occupied[square] != 0
            if same:
                return place
        place = (place + 1) & (len(table) - 1)
    return place


@kernel
def _word(words: Words, boxes: Shorts, player: Whole) -> np.uint64:
    """The Zobrist word of a position."""
    word = words[1, player]
    for square in boxes:
        word ^= words[0, square]
    return np.uint64(word)


@kernel
def _fresh(
    steps: Ints, alive: Bytes, is_target: Bytes, words: Words, table: Ints, known: Words, records: Ints, kept: Shorts,
    boxes: Shorts, goal: Whole, start: Whole, occupied: Bytes, reach: Ints, stamp: Whole, members: Ints, marks: Bytes,
    queue: Ints,
) -> Whole:  # fmt: skip
    """The player's square where the box pushed to `goal` is not frozen off target and the position is new, else -1.

    Marks with `stamp` what the player at `start` can reach.
    """
    for index in range(frozen(steps, occupied, alive, goal, members, marks)):
        if not is_target[members[index]]:
            return -1
    player = flood(steps, occupied, reach, stamp, start, queue)
    place = _place(table, known, records, kept, _word(words, boxes, player), player, occupied)
    return np.int64(-1) if table[place] >= 0 else player


@kernel
def _neighbours(steps: Ints, occupied: Bytes, members: Ints, count: Whole, marks: Bytes) -> Whole:
    """Add the boxes that touch those of `members[:count]`, one more than MAX_BOXES at most; returns how many there are."""
    for index in range(count):
        marks[members[index]] = 1
    size = count
    for index in range(count):
        for action in range(4):
            other = steps[members[index], action]
            if other >= 0 and occupied[other] and not marks[other] and size <= MAX_BOXES and size < len(members):
                marks[other] = 1
                members[size] = other
                size += 1
    for index in range(size):
        marks[members[index]] = 0
    return size


@kernel
def _shut_in(ground: Ground, boxes: Shorts, goal: Whole, stamp: Whole, player: Whole, scratch: Scratch) -> bool:
    """Whether the box on `goal` closes a corral that can never be opened."""
    steps, reach, occupied = ground.steps, scratch.reach, scratch.occupied
    for side in range(4):
        inner = steps[goal, side]
        if inner < 0 or occupied[inner] or reach[inner] == stamp:
            continue
        region = reach[inner]
        needed = False
        count: Whole = 0
        for square in range(len(steps)):
            if occupied[square]:
                for action in range(4):
                    other = steps[square, action]
                    if other >= 0 and not occupied[other] and reach[other] == region:
                        scratch.members[count] = square
                        count += 1
                        needed = needed or not ground.is_target[square]
                        break
            elif reach[square] == region and ground.is_target[square]:
                needed = True
        while needed:
            if is_dead(
                ground, reach, region, scratch.members, count, player,
                scratch.corrals, scratch.queue, scratch.marks, scratch.inside,
            ):  # fmt: skip
                return True
            before = count
            count = _neighbours(steps, occupied, scratch.members, count, scratch.marks)
            needed = bool(count > before and count <= MAX_BOXES)
    return False


@kernel
def add_record(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion,
    parent: Whole, slot: Whole, node: Whole, cost: Whole, player: Whole, stamp: Whole,
) -> Whole:  # fmt: skip
    """Make a position of the boxes in `occupied`, which is new, unless it is dead; returns its record, or -1.

    `tree.boxes` of the next record holds the boxes, and `stamp` marks what the player reaches. Its moves are left waiting.
    """
    steps, meta, size = ground.steps, tree.meta, tree.boxes.shape[1]
    occupied, reach = scratch.occupied, scratch.reach
    record = meta[COUNT]
    boxes = tree.boxes[record]
    squares = len(steps)
    goal = node // 4
    for index in range(size):
        scratch.keys[index] = boxes[index] * 4 + ground.part[boxes[index], player]
    if not assignable(ground.distance, scratch.keys, scratch.taken, scratch.found, scratch.allowed):
        return -1
    parts = 1
    for square in range(squares):
        if not occupied[square] and reach[square] < stamp:
            meta[STAMP] += 1
            flood(steps, occupied, reach, meta[STAMP], np.int64(square), scratch.queue)
            parts += 1
    if parent >= 0 and style.corrals and _shut_in(ground, boxes, goal, stamp, player, scratch):
        return -1
    allowed_pushes(
        steps, ground.is_target, ground.part, ground.nearest, boxes, reach, stamp,
        scratch.label, scratch.inside, scratch.queue, scratch.members, scratch.found, scratch.allowed,
    )  # fmt: skip
    word = _word(ground.words, boxes, player)
    tree.table[_place(tree.table, tree.known, tree.records, tree.boxes, word, player, occupied)] = record
    tree.known[record] = word
    meta[COUNT] += 1
    filled = features.filled
    scratch.blocked[:] = 0
    off = 0
    for square in boxes:
        off += not ground.is_target[square]
        if features.link[square] >= 0:
            scratch.blocked[features.link[square]] += 1
    stages = len(filled)
    stage = 0
    for each in range(stages - 1, -1, -1):
        lacking = features.size[each]
        for square in boxes:
            lacking -= filled[each, square]
        scratch.missing[each] = lacking
        if lacking == 0:
            stage = max(stage, each)
    blocked = 0
    for each in range(len(scratch.blocked)):
        blocked += scratch.blocked[each] != 0
    astray = unserved(
        features.serving, features.origin, filled[stage], stage, boxes, scratch.keys,
        scratch.step_taken, scratch.step_came, scratch.step_queue,
    )  # fmt: skip
    tree.records[record, PARENT] = parent
    tree.records[record, MOVE] = slot * 4 * squares + node
    tree.records[record, PLAYER] = player
    way = 0
    scratch.route.on[:] = 0
    if features.target[stage] >= 0:
        if features.origin[stage] < 0:
            fitting(
                features.serving, features.origin, filled[stage], stage, boxes, scratch.keys, scratch.step_taken,
                scratch.queue, scratch.fits,
            )  # fmt: skip
        way = find_route(
            ground, occupied, filled[stage], boxes, scratch.fits, player, features.origin[stage], features.target[stage],
            scratch.route,
        )  # fmt: skip
    if parent < 0:
        meta[ASTRAY] = astray
    cell = _cell(tree, style, stage, parts, blocked, astray, way)
    if off == 0:
        meta[FOUND] = record
        return np.int64(record)
    if stage > meta[BEST]:
        meta[BEST] = stage
        meta[BEST_RECORD] = record
    expand(ground, features, style, tree, scratch, motion, record, stamp, stage, parts, blocked, astray, cell, cost)
    return np.int64(record)


@kernel
def _next_run(meta: Longs, heads: Ints, rest: Ints) -> Whole:
    """Go to the next cell that has moves; returns the cost of its cheapest ones, or -1 where none wait."""
    for _ in range((1 << MAX_REST) * meta[CELLS]):
        meta[CURSOR] += 1
        if meta[CURSOR] >= meta[CELLS]:
            meta[CURSOR] = 0
            meta[ROUND] += 1
        cell = meta[CURSOR]
        if meta[ROUND] & rest[cell]:
            continue
        for cost in range(COSTS):
            if heads[cell, cost] >= 0:
                return cost
    return -1


@kernel
def search_slice(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion,
    limit: int, budget: int,
) -> int:  # fmt: skip
    """Make about `budget` moves; returns one of the answers above."""
    meta, kept, records, moves = tree.meta, tree.boxes, tree.records, tree.moves
    table, known, heads, rest, most_cells = tree.table, tree.known, tree.heads, tree.rest, len(tree.heads)
    steps, alive, is_target, words = ground.steps, ground.alive, ground.is_target, ground.words
    occupied, reach, members, marks, queue = (
        scratch.occupied, scratch.reach, scratch.members, scratch.marks, scratch.queue,
    )  # fmt: skip
    size, squares = kept.shape[1], len(steps)
    for _ in range(budget):
        if meta[COUNT] >= limit:
            return AT_LIMIT
        if meta[COUNT] + 1 >= len(records) or 2 * meta[COUNT] >= len(table):
            return NEED_RECORDS
        if meta[WAITING] + 4 * squares * size >= len(moves):
            return NEED_MOVES
        if meta[CELLS] + 1 >= most_cells:
            return NEED_CELLS
        cost = _next_run(meta, heads, rest)
        if cost < 0:
            return EXHAUSTED
        run = heads[meta[CURSOR], cost]
        parent = np.int64(run >> 1)
        end, begin, after = REST_END, REST, AFTER_REST
        if run & 1:
            end, begin, after = ADVISED_END, ADVISED, AFTER_ADVISED
        if style.nearest and not run & 1:
            code = np.int64(moves[records[parent, begin]])
            records[parent, begin] += 1
        else:
            records[parent, end] -= 1
            code = np.int64(moves[records[parent, end]])
        if records[parent, end] == records[parent, begin]:
            heads[meta[CURSOR], cost] = records[parent, after]
        meta[TRIED] += 1
        slot, node = code // (4 * squares), code % (4 * squares)
        boxes = kept[meta[COUNT]]
        boxes[:] = kept[parent]
        boxes[slot] = node // 4
        for square in boxes:
            occupied[square] = 1
        meta[STAMP] += 1
        stamp = meta[STAMP]
        player = _fresh(
            steps, alive, is_target, words, table, known, records, kept, boxes, node // 4,
            np.int64(steps[node // 4, node % 4]), occupied, reach, stamp, members, marks, queue,
        )  # fmt: skip
        if player >= 0:
            add_record(ground, features, style, tree, scratch, motion, parent, slot, node, cost, player, stamp)
        for square in boxes:
            occupied[square] = 0
        if meta[FOUND] >= 0:
            return SOLVED
    return GO_ON


@kernel
def rehash(table: Ints, known: Words, count: int) -> None:
    """Enter the first `count` records into an empty table."""
    for record in range(count):
        place = np.int64(known[record] & np.uint64(len(table) - 1))
        while table[place] >= 0:
            place = (place + 1) & (len(table) - 1)
        table[place] = record
