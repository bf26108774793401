"""The moves of a position in a feature-space search, and the advisors that propose some of them.

Each advisor knows one way to make progress and proposes the move that it likes best: the one that does the next steps of
the plan and leaves every box a step, the one that joins most pieces of floor, frees a narrow place, gives a lost box a step,
opens a way to a shut-in box, clears the way of the next box of the plan, or takes away the next box to leave the start.
Of the other moves those that were not possible one move before, the *follow-ups* of that move, come earlier: what boxes do that
have nothing to do with each other is tried after what one makes possible for another. So forwards nobody but the plan
proposes anything else.
"""

import numpy as np

from ai.jit import lean
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole
from ai.sokoban.fess import tree as field
from ai.sokoban.fess.assignment import unserved
from ai.sokoban.fess.macro import Motion, label_blocks, macro_moves, pieces
from ai.sokoban.fess.stuck import CURRENT
from ai.sokoban.fess.tree import Features, Scratch, Style, Tree

_DELAYED = 7
"""What a move that is neither proposed nor a follow-up costs forwards where the next step of the plan can be made."""

_PACKING, _CONNECTION, _LINKS, _ASTRAY, _OPENING, _WAY, _LEAVING = range(field.ADVISORS)


@lean
def _nearly_done(missing: Ints, close: Ints) -> Whole:
    """Leave in `close` the stages of the plan that lack one box at most, the last first; returns how many there are."""
    count: Whole = 0
    for stage in range(len(missing) - 1, 0, -1):
        if missing[stage] <= 1:
            close[count] = stage
            count += 1
    return count


@lean
def _stage_after(fills: Bytes, missing: Ints, close: Ints, count: Whole, box: Whole, goal: Whole) -> Whole:
    """The last stage of the plan that is done when the box on `box` goes to `goal`, of those in `close`."""
    for index in range(count):
        stage = close[index]
        if missing[stage] + fills[box, stage] - fills[goal, stage] == 0:
            return np.int64(stage)
    return np.int64(0)


@lean
def _advise(advice: Ints, advisor: Whole, worth: Whole, move: Whole) -> None:
    """Keep the move if the advisor likes it better than those before."""
    if worth > advice[advisor, 0]:
        advice[advisor, 0] = worth
        advice[advisor, 1] = move


@lean
def _can_start(
    steps: Ints,
    pushable: Bytes,
    occupied: Bytes,
    reach: Ints,
    stamp: Whole,
    box: Whole,
    allowed: Whole,
    pulls: bool,
) -> bool:
    """Whether the player can make a first push of the box in one of the directions `allowed`."""
    for action in range(4):
        stand, goal = steps[box, (action + 2) % 4], steps[box, action]
        if pulls:
            if goal >= 0 and not occupied[goal] and reach[goal] == stamp:
                beyond = steps[goal, action]
                if beyond >= 0 and not occupied[beyond]:
                    return True
            continue
        if (
            allowed & pushable[box] & 1 << action
            and not occupied[goal]
            and reach[stand] == stamp
            and not occupied[stand]
        ):
            return True
    return False


@lean
def still_there(leaving: Ints, boxes: Shorts, freed: Whole) -> Whole:
    """How many squares of the start are not free yet: those with a box, or all before the first of these in their order."""
    count, first = 0, 0
    for square in boxes:
        count += leaving[square] != 0
        first = max(first, leaving[square])
    return np.int64(count if freed == field.COUNTED else first)


@lean
def expand(
    ground: Ground, features: Features, style: Style, tree: Tree, scratch: Scratch, motion: Motion
) -> Whole:  # fmt: skip
    """Leave the moves of the position that is being opened waiting in its cell, those that an advisor proposes at no cost.

    Returns OPEN when that is done; else it is to be called again: GO_ON where the budget is spent, NEED_FOUND or NEED_MOVES where
    there is no room.
    """
    meta = tree.meta
    record, stamp, stage, cost = np.int64(meta[field.OPENED]), meta[field.MARK], meta[field.STAGE], meta[field.COST]
    parts, blocked, astray, budget = meta[field.PARTS], meta[field.BLOCKED], meta[field.LOST], meta[field.BUDGET]
    boxes, filled, early = tree.boxes[record], features.filled, features.early[stage]
    occupied, reach, steps = scratch.occupied, scratch.reach, ground.steps
    size, squares, stages = len(boxes), len(ground.steps), len(features.filled)
    moves, advice, missing = tree.found, scratch.advice, scratch.missing
    origin, link_of, on_link, keys = features.origin, features.link, scratch.blocked, scratch.keys
    table = scratch.stuck.numbers[CURRENT]
    serving = features.serving if table < 0 else scratch.stuck.serving[table]
    on, allowed = scratch.route.on, scratch.allowed
    nodes, lengths, block, name = motion.nodes, motion.length, motion.block, motion.name
    nearest, part = ground.nearest, ground.part
    taken, came, queue = scratch.step_taken, scratch.step_came, scratch.step_queue
    if meta[field.MOVER] < 0:
        meta[field.MOVER], meta[field.MOVES_FOUND] = 0, 0
        advice[:] = 0
        _mark_moves(
            tree.records, tree.moves, np.int64(tree.records[record, field.PARENT]), scratch.before, stamp, squares
        )
        label_blocks(steps, occupied, motion)
        meta[field.NEAR] = _nearly_done(missing, scratch.close)
        budget -= 8 * squares
    near, waiting = meta[field.NEAR], meta[field.MOVES_FOUND]
    leaving = features.leaving
    last = still_there(leaving, boxes, field.IN_ORDER) if style.freed == field.IN_ORDER else 0
    for mover in range(meta[field.MOVER], size):
        if budget <= 0 or waiting + 4 * squares > len(moves):
            meta[field.MOVER], meta[field.MOVES_FOUND], meta[field.BUDGET] = mover, waiting, budget
            return field.GO_ON if budget <= 0 else field.NEED_FOUND
        box = np.int64(boxes[mover])
        if not _can_start(steps, ground.pushable[0], occupied, reach, stamp, box, allowed[mover], style.pulls):
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
        count = macro_moves(ground, occupied, box, reach, stamp, style.pulls, allowed[mover], motion)
        link = link_of[box]
        others = blocked - (link >= 0 and on_link[link] == 1)
        budget -= 8 * count
        for index in range(count):
            after = nodes[index]
            length = lengths[after]
            if length == 0:
                continue
            goal = after // 4
            if style.pulls and nearest[goal * 4 + part[goal, steps[goal, after % 4]]] >= FAR:
                continue
            move = waiting
            waiting += 1
            moves[move] = mover * 4 * squares + after
            done = _stage_after(features.fills, missing, scratch.close, near, box, goal)
            if done < stage:
                continue
            gain = done - stage
            if gain == 0:
                gain = np.int64(early[goal]) - np.int64(early[box])
            if gain > 0:
                after_lost = 0
                if stage + 1 < stages:
                    old, boxes[mover] = boxes[mover], goal
                    after_lost = unserved(
                        serving, origin, filled[done], done, boxes, keys, taken, came, queue,
                    )  # fmt: skip
                    boxes[mover] = old
                    budget -= size * (stages - stage)
                if after_lost <= astray:
                    worth = ((63 - min(after_lost, 63)) * 1024 + done) * 1024 + 1023 - min(length, 1023)
                    _advise(advice, _PACKING, worth, move)
                continue
            if gain < 0:
                continue
            leaves = last and leaving[box] == last and leaving[goal] < last
            clears = on[box] and not on[goal]
            if around > 1 or leaves or clears:
                left = parts - around + pieces(steps, occupied, block, name, goal)
                worth = (64 - min(left, 63)) * 1024 + 1023 - min(length, 1023)
                if around > 1:
                    _advise(advice, _CONNECTION if left < parts else _OPENING, worth, move)
                if leaves:
                    _advise(advice, _LEAVING, worth, move)
                if clears:
                    _advise(advice, _WAY, worth, move)
            link = link_of[goal]
            closed = others + (link >= 0 and on_link[link] == (link_of[box] == link))
            if closed < blocked:
                _advise(advice, _LINKS, (64 - min(closed, 63)) * 1024 + 1023 - min(length, 1023), move)
            if astray and not filled[stage, box]:
                key = goal * 4 + part[goal, steps[goal, after % 4]]
                for step in range(stage, stages - 1):
                    budget -= 1
                    if serving[key, step] and not serving[keys[mover], step]:
                        _advise(advice, _ASTRAY, 1024 - min(length, 1023), move)
                        break
        occupied[box] = 1
    meta[field.MOVER], meta[field.MOVES_FOUND], meta[field.BUDGET] = size, waiting, budget - 4 * waiting
    if meta[field.WAITING] + waiting + room_between(size) > len(tree.moves):
        return field.NEED_MOVES
    if not style.advisors:
        advice[:] = 0
    if style.follow_ups and not style.pulls:
        _drop_old(advice, moves, scratch.before, stamp)
    delayed = not style.pulls and advice[_PACKING, 0] > 0
    new = cost + (style.pulls or delayed)
    old = cost + _DELAYED if delayed else new + 1
    if not style.follow_ups:
        new = old
    _queue(
        tree, advice, scratch.before, stamp, record, np.int64(meta[field.CELL]), waiting, 4 * squares, cost, new, old
    )
    return field.OPEN


@lean
def room_between(size: Whole) -> Whole:
    """The most numbers of boxes that stand between the moves of a position with so many of them."""
    return 2 * size + field.ADVISORS


@lean
def _mark_moves(records: Ints, moves: Shorts, record: Whole, before: Ints, stamp: Whole, squares: Whole) -> None:
    """Leave `stamp` in `before` where the moves of the position (none for -1) take which box."""
    if record >= 0:
        nodes = 4 * squares
        first: Whole = 0
        for index in range(records[record, field.MOVES], records[record, field.MOVES_END]):
            node = np.int64(moves[index])
            if node < nodes:
                before[first + (node >> 2)] = stamp
            else:
                first = (node - nodes) * squares


@lean
def _drop_old(advice: Ints, moves: Ints, before: Ints, stamp: Whole) -> None:
    """Leave out what advisors propose that was possible one move before, but for steps of the plan."""
    for advisor in range(_PACKING + 1, field.ADVISORS):
        if advice[advisor, 0] > 0 and before[moves[advice[advisor, 1]] // 4] == stamp:
            advice[advisor, 0] = 0


@lean
def _queue(
    tree: Tree, advice: Ints, before: Ints, stamp: Whole, record: Whole, cell: Whole, found: Whole, nodes: Whole, cost: Whole,
    new: Whole, old: Whole,
) -> None:  # fmt: skip
    """Let the moves `tree.found[:found]` wait in the cell of their position: proposed ones at `cost`, follow-ups at `new`.

    A box has so many `nodes`.
    """
    records, moves = tree.records, tree.moves
    count = 0  # proposed moves, each once, to the start of the second column in ascending order
    for advisor in range(field.ADVISORS):
        if advice[advisor, 0] <= 0:
            continue
        move = advice[advisor, 1]
        place = count
        while place > 0 and advice[place - 1, 1] > move:
            place -= 1
        if place > 0 and advice[place - 1, 1] == move:
            continue
        for index in range(count, place, -1):
            advice[index, 1] = advice[index - 1, 1]
        advice[place, 1] = move
        count += 1
    first = np.int64(tree.meta[field.WAITING])
    fresh = _write(tree.found, found, nodes, advice, count, before, stamp, True, moves, first)
    proposed = _write(tree.found, found, nodes, advice, count, before, stamp, False, moves, fresh)
    last, box = proposed, np.int64(-1)
    for index in range(count):
        code = np.int64(tree.found[advice[index, 1]])
        if code // nodes != box:
            box = code // nodes
            moves[last] = nodes + box
            last += 1
        moves[last] = code % nodes
        last += 1
    records[record, field.MOVES], records[record, field.MOVES_END] = first, last
    tree.meta[field.WAITING] = last
    _wait(tree, record, cell, field.OLD, first, fresh, old)
    _wait(tree, record, cell, field.FOLLOW_UPS, fresh, proposed, new)
    _wait(tree, record, cell, field.PROPOSED, proposed, last, cost)


@lean
def _write(
    found: Ints, many: Whole, nodes: Whole, proposed: Ints, count: Whole, before: Ints, stamp: Whole, old: bool,
    moves: Shorts, end: Whole,
) -> Whole:  # fmt: skip
    """Write the old moves found (or the follow-ups), without the proposed ones, from `end` on; returns where they end."""
    first: Whole = 0  # code of the first move of a box
    box: Whole = 0
    shown: Whole = -1
    chosen: Whole = 0
    for move in range(many):
        if chosen < count and proposed[chosen, 1] == move:
            chosen += 1
            continue
        code = np.int64(found[move])
        if (before[code >> 2] == stamp) != old:
            continue
        while code >= first + nodes:
            first += nodes
            box += 1
        if box != shown:
            shown = box
            moves[end] = nodes + box
            end += 1
        moves[end] = code - first
        end += 1
    return end


@lean
def _wait(tree: Tree, record: Whole, cell: Whole, kind: Whole, begin: Whole, end: Whole, cost: Whole) -> None:
    """Let the moves from `begin` to `end`, which are of one kind, wait in the cell at that cost."""
    row = tree.records[record]
    row[field.BEGIN + 3 * kind], row[field.END + 3 * kind] = begin, end
    if end > begin:
        cost = min(cost, field.COSTS - 1)
        row[field.AFTER + 3 * kind] = tree.heads[cell, cost]
        tree.heads[cell, cost] = 4 * record + kind
