"""Feature-space search (FESS, Shoham and Schaeffer 2020): the inner loop.

Every position falls into a cell by its features: steps of the packing plan done, pieces into which the boxes divide the
floor, links between rooms that are blocked, boxes without a step of the plan, squares of the start that are not free yet. The
search visits the cells in turn and makes in each the cheapest move not yet made, the latest of equal ones; a move is a
macro move (`ai.sokoban.fess.macro`). It costs nothing when one of the advisors proposes it, and of the others those less that
were not possible one move before (`ai.sokoban.fess.moves`).
So promising lines are followed at once and no kind of position is forgotten. Cells whose first position leaves boxes
without a step that the start does not are visited in every second, fourth, ... round; in three of four those are left out that
are more than CLOSE_BEHIND steps of the plan behind the best position. What moves a position has, and whether
it is dead, is looked at when its turn comes: for half of the positions it never does.

All room is in flat arrays that Python enlarges between slices; opening a position may take several. Nothing that is
dropped can belong to a solution (dead squares, frozen boxes, PI-corrals, deadlock patterns), so a search that ends without
one is a proof.
"""

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.board.moves import frozen
from ai.sokoban.board.successors import EVERY, flood
from ai.sokoban.fess import tree as field
from ai.sokoban.fess.assignment import assignable, fitting
from ai.sokoban.fess.dead import is_deadlock
from ai.sokoban.fess.features import blocked_links, boxes_astray, cell_key, done_of, parts_of, stage_of
from ai.sokoban.fess.macro import Motion
from ai.sokoban.fess.moves import expand, still_there
from ai.sokoban.fess.patterns import COUNT as LEARNED
from ai.sokoban.fess.patterns import is_known
from ai.sokoban.fess.route import PACKED_COST, find_route
from ai.sokoban.fess.stuck import CURRENT, STAYING, table_around
from ai.sokoban.fess.tree import Features, Scratch, Style, Tree
from ai.sokoban.search.corral import prune


@lean
def _place(
    table: Ints, known: Words, records: Ints, kept: Shorts, word: np.uint64, player: Whole, occupied: Bytes
) -> Whole:  # fmt: skip
    """The place of the position in the hash table, or the free one where it belongs."""
    place = np.int64(word & np.uint64(len(table) - 1))
    while table[place] >= 0:
        record = table[place]
        if known[record] == word and records[record, field.PLAYER] == player:
            same = True
            for square in kept[record]:
                same = same and occupied[square] != 0
            if same:
                return place
        place = (place + 1) & (len(table) - 1)
    return place


@lean
def _word(words: Words, boxes: Shorts, player: Whole) -> np.uint64:
    """The Zobrist word of a position."""
    word = words[1, player]
    for square in boxes:
        word ^= words[0, square]
    return np.uint64(word)


@lean
def _fresh(
    steps: Ints, alive: Bytes, is_target: Bytes, words: Words, table: Ints, known: Words, records: Ints, kept: Shorts,
    boxes: Shorts, goal: Whole, start: Whole, occupied: Bytes, reach: Ints, stamp: Whole, members: Ints, marks: Bytes,
    queue: Ints, pulls: bool,
) -> Whole:  # fmt: skip
    """The player's square where the box pushed to `goal` is not frozen off target and the position is new, else -1.

    Marks with `stamp` what the player at `start` can reach.
    """
    if not pulls:
        for index in range(frozen(steps, occupied, alive, goal, members, marks)):
            if not is_target[members[index]]:
                return -1
    player = flood(steps, occupied, reach, stamp, start, queue)
    place = _place(table, known, records, kept, _word(words, boxes, player), player, occupied)
    return np.int64(-1) if table[place] >= 0 else player


@lean
def _mark_way(
    ground: Ground, features: Features, boxes: Shorts, player: Whole, stamp: Whole, stage: Whole, pulls: bool,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Leave in `scratch.route.on` the way of the box that makes the next step; after `boxes_astray`."""
    target, origin, filled = features.target[stage], features.origin[stage], features.filled[stage]
    scratch.route.on[:] = 0
    if target < 0:
        return
    price = scratch.route.price
    price[:] = 0
    for square in boxes:
        price[square] = PACKED_COST if filled[square] or features.early[stage, square] else 1
    if origin < 0:
        table = scratch.stuck.numbers[CURRENT]
        serving = features.serving if table < 0 else scratch.stuck.serving[table]
        fitting(
            serving, features.origin, filled, stage, boxes, scratch.keys, scratch.step_taken, scratch.queue,
            scratch.fits,
        )  # fmt: skip
    find_route(
        ground, boxes, scratch.fits, player, scratch.reach, stamp, origin, target, pulls,
        scratch.route,
    )  # fmt: skip


@lean
def add_record(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion, parent: Whole,
    slot: Whole, node: Whole, cost: Whole, player: Whole, stamp: Whole,
) -> None:  # fmt: skip
    """Let a position, which is new, wait in its cell: that of the boxes in `occupied` and in the next row of `tree.boxes`.

    `stamp` marks what the player reaches.
    """
    meta, records, heads = tree.meta, tree.records, tree.heads
    record = meta[field.COUNT]
    boxes = tree.boxes[record]
    word = _word(ground.words, boxes, player)
    tree.table[_place(tree.table, tree.known, records, tree.boxes, word, player, scratch.occupied)] = record
    tree.known[record] = word
    meta[field.COUNT] += 1
    records[record, field.PARENT] = parent
    records[record, field.MOVE] = slot * 4 * len(ground.steps) + node
    records[record, field.PLAYER] = player
    off = 0
    for square in boxes:
        off += not ground.is_target[square]
    if off == 0 and (features.finish < 0 or scratch.reach[features.finish] == stamp):
        meta[field.FOUND] = record
    stage = stage_of(features.fills, features.size, boxes, scratch.missing)
    parts: Whole = 0
    blocked: Whole = 0
    astray: Whole = 0
    if style.fine:
        parts = parts_of(ground, scratch, meta, stamp)
        blocked = blocked_links(features.link, boxes, scratch.blocked)
        astray = boxes_astray(ground, features, style, boxes, player, stage, motion, scratch)
    done = done_of(features, boxes, stage)
    key = cell_key(style, len(boxes), done, parts, blocked, astray, still_there(features.leaving, boxes, style.freed))
    if tree.cell_of[key] == 0:
        if not style.fine:
            astray = boxes_astray(ground, features, style, boxes, player, stage, motion, scratch)
        if parent < 0:
            meta[field.ASTRAY] = max(meta[field.ASTRAY], astray)
        tree.cell_of[key] = meta[field.CELLS] + 1
        tree.rest[meta[field.CELLS]] = (1 << min(max(astray - meta[field.ASTRAY], 0), field.MAX_REST)) - 1
        tree.done[meta[field.CELLS]] = done
        meta[field.CELLS] += 1
    cell = tree.cell_of[key] - 1
    cost = min(cost, field.COSTS - 2)
    records[record, field.AFTER] = heads[cell, cost]
    heads[cell, cost] = 4 * record + field.CLOSED


@lean
def _open(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion,
    record: Whole, cell: Whole, cost: Whole,
) -> bool:  # fmt: skip
    """Begin to open a position, whose boxes are in `occupied`; its moves are to wait in its cell. False: it is dead."""
    meta, reach, boxes, player = (
        tree.meta,
        scratch.reach,
        tree.boxes[record],
        np.int64(tree.records[record, field.PLAYER]),
    )
    goal = np.int64(tree.records[record, field.MOVE] % (4 * len(ground.steps)) // 4)
    stage = stage_of(features.fills, features.size, boxes, scratch.missing)
    astray = boxes_astray(ground, features, style, boxes, player, stage, motion, scratch)
    meta[field.BUDGET] -= 16 * len(ground.steps) + 4 * len(boxes) * len(features.size)
    if scratch.stuck.numbers[STAYING] < 0:
        return False
    table = table_around(ground, boxes, style.pulls, scratch.stuck)
    distance = ground.distance if table < 0 else scratch.stuck.distance[table]
    if not assignable(distance, scratch.keys, scratch.taken, scratch.found, scratch.allowed):
        return False
    meta[field.STAMP] += 1
    stamp = meta[field.STAMP]
    flood(ground.steps, scratch.occupied, reach, stamp, player, scratch.queue)
    parts = parts_of(ground, scratch, meta, stamp)
    moved = tree.records[record, field.PARENT] >= 0 and not style.pulls
    if moved:
        before = np.int64(scratch.corrals.stamp[0])
        dead = is_deadlock(ground, style, goal, stamp, player, meta[field.TRIED], scratch)
        meta[field.BUDGET] -= (scratch.corrals.stamp[0] - before) * len(ground.steps)
        if dead:
            return False
    done = done_of(features, boxes, stage)
    if done > meta[field.BEST]:
        meta[field.BEST] = done
        meta[field.BEST_RECORD] = record
    if style.pulls or parts == 1:
        scratch.allowed[:] = EVERY
    else:
        for square in range(len(reach)):
            scratch.label[square] = reach[square] - stamp - 1
        for slot in range(len(boxes)):
            scratch.label[boxes[slot]] = -2 - slot
        prune(
            ground.steps, ground.is_target, ground.pushable[0], boxes, scratch.label, parts - 1, scratch.queue,
            scratch.members, scratch.found, scratch.allowed,
        )  # fmt: skip
    _mark_way(ground, features, boxes, player, stamp, stage, style.pulls, scratch)
    meta[field.OPENED], meta[field.CELL], meta[field.COST], meta[field.MARK], meta[field.STAGE], meta[field.PARTS] = (
        record,
        cell,
        cost,
        stamp,
        stage,
        parts,
    )
    meta[field.BLOCKED], meta[field.LOST], meta[field.MOVER] = (
        blocked_links(features.link, boxes, scratch.blocked),
        astray,
        -1,
    )
    return True


@lean
def _next_run(meta: Longs, heads: Ints, rest: Ints, done: Ints) -> Whole:
    """Go to the next cell that has moves; returns the cost of its cheapest ones, or -1 where none wait."""
    for _ in range((1 << field.MAX_REST) * meta[field.CELLS]):
        meta[field.CURSOR] += 1
        if meta[field.CURSOR] >= meta[field.CELLS]:
            meta[field.CURSOR] = 0
            meta[field.ROUND] += 1
        cell = meta[field.CURSOR]
        if meta[field.ROUND] & rest[cell] or (
            meta[field.ROUND] & 3 and done[cell] + field.CLOSE_BEHIND < meta[field.BEST]
        ):
            continue
        for cost in range(field.COSTS):
            if heads[cell, cost] >= 0:
                return cost
    return -1


@lean
def search_slice(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion,
    limit: int, until: int, budget: int,
) -> int:  # fmt: skip
    """Search on until so many moves have been made, for about `budget` elementary steps; returns an answer of `tree`.

    A position can be left half opened.
    """
    meta, kept, records, moves = tree.meta, tree.boxes, tree.records, tree.moves
    table, known, heads, rest, most_cells = tree.table, tree.known, tree.heads, tree.rest, len(tree.heads)
    steps, alive, is_target, words = ground.steps, ground.alive, ground.is_target, ground.words
    occupied, reach, members, marks, queue = (
        scratch.occupied, scratch.reach, scratch.members, scratch.marks, scratch.queue,
    )  # fmt: skip
    size, squares = kept.shape[1], len(steps)
    nodes = 4 * squares
    meta[field.BUDGET] = budget
    while meta[field.BUDGET] > 0:
        if meta[field.OPENED] >= 0:
            parent = np.int64(meta[field.OPENED])
            for index in range(size):
                occupied[kept[parent, index]] = 1
            answer = expand(ground, features, style, tree, scratch, motion)
            for index in range(size):
                occupied[kept[parent, index]] = 0
            if answer != field.OPEN:
                return int(answer)
            meta[field.OPENED] = -1
            continue
        if meta[field.TRIED] >= until:
            return field.GO_ON
        if meta[field.COUNT] >= limit:
            return field.AT_LIMIT
        if meta[field.COUNT] + 1 >= len(records) or 2 * meta[field.COUNT] >= len(table):
            return field.NEED_RECORDS
        if meta[field.CELLS] + 1 >= most_cells:
            return field.NEED_CELLS
        cost = _next_run(meta, heads, rest, tree.done)
        if cost < 0:
            return field.EXHAUSTED
        cell = meta[field.CURSOR]
        run = heads[cell, cost]
        parent, kind = np.int64(run // 4), np.int64(run % 4)
        learned = scratch.patterns.numbers[LEARNED]
        if kind == field.CLOSED or records[parent, field.CHECKED] < learned:
            for index in range(size):
                occupied[kept[parent, index]] = 1
            dead = is_known(scratch.patterns, occupied, kept[parent], np.int64(records[parent, field.PLAYER]))
            records[parent, field.CHECKED] = learned
            if dead or kind == field.CLOSED:
                heads[cell, cost] = records[parent, field.AFTER + 3 * (kind % field.CLOSED)]
                if not dead:
                    _open(ground, features, style, tree, scratch, motion, parent, cell, cost)
            for index in range(size):
                occupied[kept[parent, index]] = 0
            if dead or kind == field.CLOSED:
                meta[field.CURSOR] = cell - 1
                continue
        begin, end, after = field.BEGIN + 3 * kind, field.END + 3 * kind, field.AFTER + 3 * kind
        if style.nearest and kind != field.PROPOSED:
            place = np.int64(records[parent, begin])
            place += moves[place] >= nodes
            records[parent, begin] = place + 1
        else:
            place = np.int64(records[parent, end]) - 1
            records[parent, end] = place - (moves[place - 1] >= nodes)
        node = np.int64(moves[place])
        while moves[place] < nodes:
            place -= 1
        slot = np.int64(moves[place]) - nodes
        if records[parent, end] == records[parent, begin]:
            heads[cell, cost] = records[parent, after]
        meta[field.TRIED] += 1
        meta[field.BUDGET] -= 4 * squares + size * len(features.size)
        boxes = kept[meta[field.COUNT]]
        for index in range(size):
            boxes[index] = kept[parent, index]
        boxes[slot] = node // 4
        for square in boxes:
            occupied[square] = 1
        meta[field.STAMP] += 1
        stamp = meta[field.STAMP]
        player = _fresh(
            steps, alive, is_target, words, table, known, records, kept, boxes, node // 4,
            np.int64(steps[node // 4, node % 4]), occupied, reach, stamp, members, marks, queue, style.pulls,
        )  # fmt: skip
        if player >= 0:
            add_record(ground, features, style, tree, scratch, motion, parent, slot, node, cost, player, stamp)
        for square in boxes:
            occupied[square] = 0
        if meta[field.FOUND] >= 0:
            return field.SOLVED
    return field.GO_ON


@lean
def rehash(table: Ints, known: Words, first: int, last: int) -> None:
    """Enter the records `first` up to `last` into a larger table."""
    for record in range(first, last):
        place = np.int64(known[record] & np.uint64(len(table) - 1))
        while table[place] >= 0:
            place = (place + 1) & (len(table) - 1)
        table[place] = record
