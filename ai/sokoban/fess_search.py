"""Feature-space search (FESS, Shoham and Schaeffer 2020): the inner loop.

Every position falls into a cell by its features: stages of the packing plan done, pieces into which the boxes divide the
floor, links between rooms that are blocked, boxes in the way of the plan. The search visits the cells in turn and
makes in each the cheapest move not yet made; a move is a macro move (`ai.sokoban.macro`). It costs 1, or nothing when
one of the advisors proposes it, each of which knows one way to make progress. So promising lines are followed at once
and no kind of position is forgotten.

All room is in flat arrays that Python enlarges between slices. Nothing that is dropped can belong to a solution
(dead squares, frozen boxes, PI-corrals), so a search that ends without one is a proof.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.assignment import assignable, unserved
from ai.sokoban.corral import allowed_pushes
from ai.sokoban.corral_search import MAX_BOXES, Corrals, is_dead
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.macro import Motion, macro_moves, pieces
from ai.sokoban.moves import frozen
from ai.sokoban.route import Route, find_route
from ai.sokoban.successors import flood

# Columns of a record.
PARENT, MOVE, PLAYER = range(3)
COLUMNS = 3

# Columns of a move that waits.
RECORD, CODE, NEXT = range(3)
MOVE_COLUMNS = 3

# Places in `meta`.
COUNT, WAITING, CELLS, CURSOR, FOUND, STAMP, TRIED, BEST, BEST_RECORD = range(9)
META = 9

# Answers of a slice.
GO_ON, SOLVED, EXHAUSTED, NEED_RECORDS, NEED_MOVES, NEED_CELLS, AT_LIMIT = range(7)

COSTS = 64
"""Costs told apart within a cell."""

# Features beyond these count as these.
MAX_PIECES, MAX_BLOCKED, MAX_ASTRAY, MAX_WAY = 15, 7, 7, 5

CELL_KEYS = (MAX_PIECES + 1) * (MAX_BLOCKED + 1) * (MAX_ASTRAY + 1) * (MAX_WAY + 1)
"""Cells that one stage of the plan can have."""

ADVISORS = 6
_PACKING, _CONNECTION, _LINKS, _ASTRAY, _OPENING, _WAY = range(ADVISORS)


class Features(NamedTuple):
    """What the cells are made from."""

    filled: Bytes
    """Shape (m + 1, N), of the packing plan."""
    origin: Ints
    """Shape (m + 1,), of the packing plan."""
    target: Ints
    """Shape (m + 1,), of the packing plan."""
    serving: Bytes
    """Shape (m + 1, 4 N), of the packing plan."""
    link: Ints
    """Shape (N,): the link between rooms that a square belongs to, -1 for none."""


class Style(NamedTuple):
    """What tells the searches of a portfolio apart."""

    last_first: int
    """How many of eight moves go before those of their cell that cost the same; the others go behind them."""
    seed: int
    """Which ones."""
    pieces: bool
    """Whether the pieces of the floor make cells."""
    way: bool
    """Whether the boxes on the way of the next one make cells."""
    advisors: bool = True
    """Whether advisors are heard."""
    corrals: bool = True
    """Whether corrals are searched for deadlocks."""


class Tree(NamedTuple):
    """Positions, and moves that wait to be made."""

    records: Ints
    """Shape (R, COLUMNS)."""
    boxes: Shorts
    """Shape (R, n)."""
    known: Words
    """Shape (R,): Zobrist word of each record."""
    table: Ints
    """Hash table of records, a power of two long, -1 for none."""
    moves: Ints
    """Shape (M, MOVE_COLUMNS)."""
    cell_of: Ints
    """Shape ((m + 1) CELL_KEYS,): number of a cell, -1 where it has no position yet."""
    heads: Ints
    """Shape (cells, COSTS): first move that waits, -1 for none."""
    tails: Ints
    """Shape (cells, COSTS)."""
    meta: Longs


class Scratch(NamedTuple):
    """Room of one slice."""

    occupied: Bytes
    """Shape (N,), all 0 between slices."""
    marks: Bytes
    """Shape (N,), all 0."""
    reach: Ints
    """Shape (N,)."""
    label: Ints
    """Shape (N,)."""
    inside: Ints
    """Shape (N,)."""
    queue: Ints
    """Shape (N,)."""
    members: Ints
    """Shape (n + 1,)."""
    found: Ints
    """Shape (n,)."""
    allowed: Ints
    """Shape (n,)."""
    keys: Ints
    """Shape (n,)."""
    taken: Ints
    """Shape (n,): box of each target in the last matching, -1 for none."""
    missing: Ints
    """Shape (m + 1,): squares of a stage that no box fills."""
    step_taken: Ints
    """Shape (m + 1,)."""
    step_came: Ints
    """Shape (m + 1,)."""
    step_queue: Ints
    """Shape (m + 1,)."""
    blocked: Ints
    """Shape (links,): boxes on a link."""
    advice: Ints
    """Shape (ADVISORS, 2): the best worth found so far, and the move."""
    route: Route
    corrals: Corrals


@kernel
def _stage_after(filled: Bytes, missing: Ints, box: Whole, goal: Whole) -> Whole:
    """The last stage of the plan that is done when the box on `box` goes to `goal`."""
    for stage in range(len(filled) - 1, 0, -1):
        if missing[stage] + filled[stage, box] - filled[stage, goal] == 0:
            return stage
    return 0


@kernel
def _cell(tree: Tree, style: Style, stage: Whole, parts: Whole, blocked: Whole, astray: Whole, way: Whole) -> Whole:
    """The number of the cell; a new one where there is none yet."""
    if not style.pieces:
        parts = 0
    if not style.way:
        way = 0
    key = stage * (MAX_PIECES + 1) + min(parts, MAX_PIECES)
    key = key * (MAX_BLOCKED + 1) + min(blocked, MAX_BLOCKED)
    key = key * (MAX_ASTRAY + 1) + min(astray, MAX_ASTRAY)
    key = key * (MAX_WAY + 1) + min(way, MAX_WAY)
    if tree.cell_of[key] < 0:
        tree.cell_of[key] = tree.meta[CELLS]
        tree.meta[CELLS] += 1
    return np.int64(tree.cell_of[key])


@kernel
def _known(tree: Tree, word: np.uint64, player: Whole, occupied: Bytes) -> Whole:
    """The place of the position in the hash table, or the free one where it belongs."""
    place = np.int64(word & np.uint64(len(tree.table) - 1))
    while tree.table[place] >= 0:
        record = tree.table[place]
        if tree.known[record] == word and tree.records[record, PLAYER] == player:
            same = True
            for square in tree.boxes[record]:
                same = same and occupied[square] != 0
            if same:
                return place
        place = (place + 1) & (len(tree.table) - 1)
    return place


@kernel
def _wait(tree: Tree, last_first: bool, cell: Whole, cost: Whole, move: Whole) -> None:
    """Let a move wait behind the others of its cell and cost, or before them."""
    cost = min(cost, COSTS - 1)
    first = tree.heads[cell, cost]
    if first < 0 or last_first:
        tree.moves[move, NEXT] = first
        tree.heads[cell, cost] = move
        if first >= 0:
            return
    else:
        tree.moves[move, NEXT] = -1
        tree.moves[tree.tails[cell, cost], NEXT] = move
    tree.tails[cell, cost] = move


@kernel
def _mixed(number: Whole, seed: Whole) -> Whole:
    """A number that looks random (the finalizer of splitmix64)."""
    word = np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(word >> np.uint64(33))


@kernel
def _advise(advice: Ints, advisor: Whole, worth: Whole, move: Whole) -> None:
    """Keep the move if the advisor likes it better than those before."""
    if worth > advice[advisor, 0]:
        advice[advisor, 0] = worth
        advice[advisor, 1] = move


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
    parent: Whole, slot: Whole, node: Whole, cost: Whole,
) -> Whole:  # fmt: skip
    """Make a position of the boxes in `occupied`, unless it is dead or known; returns its record, or -1.

    `tree.boxes` of the next record holds the boxes. Its moves are left waiting.
    """
    steps, words, meta, size = ground.steps, ground.words, tree.meta, tree.boxes.shape[1]
    occupied, reach = scratch.occupied, scratch.reach
    record = meta[COUNT]
    boxes = tree.boxes[record]
    squares = len(steps)
    if parent >= 0:
        goal = node // 4
        start = np.int64(steps[goal, node % 4])
        for index in range(frozen(steps, occupied, ground.alive, goal, scratch.members, scratch.marks)):
            if not ground.is_target[scratch.members[index]]:
                return -1
    else:
        start = np.int64(node)
    meta[STAMP] += 1
    stamp = meta[STAMP]
    player = flood(steps, occupied, reach, stamp, start, scratch.queue)
    word = words[1, player]
    for square in boxes:
        word ^= words[0, square]
    place = _known(tree, word, player, occupied)
    if tree.table[place] >= 0:
        return -1
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
    tree.table[place] = record
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
        missing = 0
        for square in range(squares):
            missing += filled[each, square] and not occupied[square]
        scratch.missing[each] = missing
        if missing == 0:
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
        way = find_route(
            ground, occupied, filled[stage], boxes, player, features.origin[stage], features.target[stage],
            scratch.route,
        )  # fmt: skip
    cell = _cell(tree, style, stage, parts, blocked, astray, way)
    if off == 0:
        meta[FOUND] = record
        return np.int64(record)
    if stage > meta[BEST]:
        meta[BEST] = stage
        meta[BEST_RECORD] = record
    first = meta[WAITING]
    scratch.advice[:] = 0
    for mover in range(size):
        box = np.int64(boxes[mover])
        if not scratch.allowed[mover]:
            continue
        around = 0  # regions that touch the box: they are one when it is away
        for side in range(4):
            other = steps[box, side]
            if other >= 0 and not occupied[other]:
                fresh = True
                for earlier in range(side):
                    before = steps[box, earlier]
                    fresh = fresh and not (before >= 0 and not occupied[before] and reach[before] == reach[other])
                around += fresh
        occupied[box] = 0
        count = macro_moves(ground, occupied, box, reach, stamp, False, scratch.allowed[mover], motion)
        link = features.link[box]
        others = blocked - (link >= 0 and scratch.blocked[link] == 1)
        for index in range(count):
            after = motion.nodes[index]
            length = motion.length[after]
            if length == 0:
                continue
            goal = after // 4
            move = meta[WAITING]
            meta[WAITING] += 1
            tree.moves[move, RECORD] = record
            tree.moves[move, CODE] = mover * 4 * squares + after
            done = _stage_after(filled, scratch.missing, box, goal)
            if done > stage:
                after_lost = 0
                if stage + 1 < stages:
                    old, boxes[mover] = boxes[mover], goal
                    after_lost = unserved(
                        features.serving, features.origin, filled[done], done, boxes, scratch.keys,
                        scratch.step_taken, scratch.step_came, scratch.step_queue,
                    )  # fmt: skip
                    boxes[mover] = old
                worth = (done * 64 + 63 - min(after_lost, 63)) * 1024 + 1023 - min(length, 1023)
                _advise(scratch.advice, _PACKING, worth, move)
                continue
            if done < stage:
                continue
            left = parts - around + pieces(steps, occupied, motion.block, goal)
            if left < parts:
                _advise(scratch.advice, _CONNECTION, (64 - min(left, 63)) * 1024 + 1023 - min(length, 1023), move)
            elif around > 1:
                _advise(scratch.advice, _OPENING, (64 - min(left, 63)) * 1024 + 1023 - min(length, 1023), move)
            if scratch.route.on[box] and not scratch.route.on[goal]:
                _advise(scratch.advice, _WAY, (64 - min(left, 63)) * 1024 + 1023 - min(length, 1023), move)
            link = features.link[goal]
            closed = others + (link >= 0 and scratch.blocked[link] == (features.link[box] == link))
            if closed < blocked:
                _advise(scratch.advice, _LINKS, (64 - min(closed, 63)) * 1024 + 1023 - min(length, 1023), move)
            if astray and not filled[stage, box]:
                key = goal * 4 + ground.part[goal, steps[goal, after % 4]]
                for step in range(stage, stages - 1):
                    if features.serving[step, key] and not features.serving[step, scratch.keys[mover]]:
                        _advise(scratch.advice, _ASTRAY, 1024 - min(length, 1023), move)
                        break
        occupied[box] = 1
    for move in range(first, meta[WAITING]):
        price = 1
        for advisor in range(ADVISORS):
            if style.advisors and scratch.advice[advisor, 0] > 0 and scratch.advice[advisor, 1] == move:
                price = 0
        _wait(tree, bool(_mixed(move, style.seed) & 7 < style.last_first), cell, cost + price, move)
    return np.int64(record)


@kernel
def _next_move(tree: Tree) -> Whole:
    """Take the cheapest move of the next cell that has any; -1 when none waits."""
    meta = tree.meta
    for _ in range(meta[CELLS]):
        meta[CURSOR] += 1
        if meta[CURSOR] >= meta[CELLS]:
            meta[CURSOR] = 0
        heads = tree.heads[meta[CURSOR]]
        for cost in range(COSTS):
            if heads[cost] >= 0:
                move = heads[cost]
                heads[cost] = tree.moves[move, NEXT]
                tree.moves[move, NEXT] = cost
                return np.int64(move)
    return -1


@kernel
def search_slice(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion,
    limit: int, budget: int,
) -> int:  # fmt: skip
    """Make about `budget` moves; returns one of the answers above."""
    meta, size, squares = tree.meta, tree.boxes.shape[1], len(ground.steps)
    occupied = scratch.occupied
    for _ in range(budget):
        if meta[COUNT] >= limit:
            return AT_LIMIT
        if meta[COUNT] + 1 >= len(tree.records) or 2 * meta[COUNT] >= len(tree.table):
            return NEED_RECORDS
        if meta[WAITING] + 4 * squares * size >= len(tree.moves):
            return NEED_MOVES
        if meta[CELLS] + 1 >= len(tree.heads):
            return NEED_CELLS
        move = _next_move(tree)
        if move < 0:
            return EXHAUSTED
        meta[TRIED] += 1
        cost = np.int64(tree.moves[move, NEXT])
        parent, code = np.int64(tree.moves[move, RECORD]), np.int64(tree.moves[move, CODE])
        slot, node = code // (4 * squares), code % (4 * squares)
        boxes = tree.boxes[meta[COUNT]]
        boxes[:] = tree.boxes[parent]
        boxes[slot] = node // 4
        for square in boxes:
            occupied[square] = 1
        add_record(ground, features, style, tree, scratch, motion, parent, slot, node, cost)
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
