"""Boxes that can never move again, and the ways of the others around them.

A set of boxes, each kept from moving by walls and by boxes of the set, stays for ever. Off target it is a deadlock. On
targets it is one more wall: every other box needs a target that it can reach around it, and the steps of the packing plan
that are left must be made around it as well. What can be reached around such a set is measured once and kept.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.distance import FAR, label_parts, measure_moves
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole, Words
from ai.sokoban.fess.macro import Motion
from ai.sokoban.fess.packing import mark_serving

TABLES, PLANS, CURRENT, STAYING = range(4)
"""Places in `Stuck.numbers`."""

_MOST_SETS = 256
_MOST_WORK = 2_000_000
"""Squares looked at to measure one set; nothing is measured on levels that need more."""


class Stuck(NamedTuple):
    """N squares, n boxes, a plan of m steps, room for T sets of boxes, 0 on large levels."""

    marks: Bytes
    """Shape (N,): 1 where a box of the last position stays for ever."""
    numbers: Ints
    """Shape (4,): sets with distances, sets with steps; of the last position the set with steps in force, -1 for none, and how
    many boxes stay, -1 where one of them is off target."""
    targets: Ints
    """Shape (n,)."""
    known: Words
    """Shape (T,): Zobrist words of the sets with distances."""
    distance: Ints
    """Shape (T, 4 N, n): like `Ground.distance`, with such a set as walls; by keys of the floor without it."""
    planned: Words
    """Shape (T,): Zobrist words of the sets with steps."""
    serving: Bytes
    """Shape (T, 4 N, m + 1): like that of the packing plan, with such a set as walls."""
    steps: Ints
    """Shape (N, 4)."""
    part: Bytes
    """Shape (N, N)."""
    measured: Ints
    """Shape (4 N, n)."""
    queue: Ints
    """Shape (4 N,)."""
    walls: Bytes
    """Shape (N,)."""
    everywhere: Ints
    """Shape (N,): 1."""
    row: Bytes
    """Shape (4 N,)."""


def make_stuck(ground: Ground, targets: Ints, stages: int) -> Stuck:
    """Room for a level and its plan."""
    squares, size = len(ground.steps), ground.distance.shape[1]

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    def some(*shape: int) -> Bytes:
        return np.zeros(shape, dtype=np.uint8)

    work = 4 * squares * squares + 16 * squares * max(size, stages)
    sets = _MOST_SETS if work <= _MOST_WORK else 0
    wide = squares if sets else 1
    numbers = ints(4)
    numbers[CURRENT] = -1
    return Stuck(
        some(squares), numbers, targets.astype(np.int32),
        np.zeros(sets, dtype=np.uint64), ints(sets, 4 * squares, size),
        np.zeros(sets, dtype=np.uint64), some(sets, 4 * squares, stages),
        ints(wide, 4), some(wide, wide), ints(4 * wide, size), ints(4 * wide),
        some(squares), np.ones(squares, dtype=np.int32), some(4 * squares),
    )  # fmt: skip


def used_bytes(stuck: Stuck) -> int:
    """Memory of the sets that were measured."""
    measured: int = stuck.distance[: stuck.numbers[TABLES]].nbytes
    planned: int = stuck.serving[: stuck.numbers[PLANS]].nbytes
    return measured + planned


@lean
def mark_stuck(ground: Ground, boxes: Shorts, pulls: bool, stuck: Stuck) -> None:
    """Mark the boxes that stay for ever: the largest set whose boxes walls and the set keep from being pushed (or pulled)."""
    steps, alive, marks = ground.steps, ground.alive, stuck.marks
    marks[:] = 0
    for square in boxes:
        marks[square] = 1
    count = len(boxes)
    before = count + 1
    while count < before:
        before = count
        for square in boxes:
            if not marks[square]:
                continue
            loose = False
            if pulls:
                for action in range(4):
                    one = steps[square, action]
                    if one >= 0 and not marks[one]:
                        two = steps[one, action]
                        loose = loose or (two >= 0 and not marks[two])
            else:
                for axis in range(2):
                    one, two = steps[square, axis], steps[square, axis + 2]
                    if one >= 0 and two >= 0 and not marks[one] and not marks[two]:
                        loose = loose or alive[one] != 0 or alive[two] != 0
            if loose:
                marks[square] = 0
                count -= 1
    stuck.numbers[STAYING] = count
    for square in boxes:
        if marks[square] and not ground.is_target[square]:
            stuck.numbers[STAYING] = -1


@lean
def _measure(ground: Ground, pulls: bool, stuck: Stuck, table: Whole) -> None:
    """Fill a table of distances with the boxes that are marked as walls."""
    steps, part, marks, measured, distance = stuck.steps, stuck.part, stuck.marks, stuck.measured, stuck.distance
    squares = len(steps)
    for square in range(squares):
        for action in range(4):
            other = ground.steps[square, action]
            steps[square, action] = -1 if other < 0 or marks[square] or marks[other] else other
    for square in range(squares):
        label_parts(steps, part, np.int64(square), stuck.queue)
    for column in range(len(stuck.targets)):
        target = np.int64(stuck.targets[column])
        if not marks[target]:
            measure_moves(steps, part, not pulls, pulls, target, np.int64(column), measured, stuck.queue)
        for square in range(squares):
            for side in range(4):
                nearest: Whole = 0 if square == target else FAR
                for action in range(4):
                    other = steps[square, action]
                    if other >= 0 and ground.part[square, other] == side and not marks[target]:
                        nearest = min(nearest, np.int64(measured[square * 4 + part[square, other], column]))
                distance[table, square * 4 + side, column] = nearest


@lean
def table_around(ground: Ground, boxes: Shorts, pulls: bool, stuck: Stuck) -> Whole:
    """The table of distances around the boxes that are marked, -1 for none."""
    if stuck.numbers[STAYING] <= 0:
        return -1
    word = np.uint64(0)
    for square in boxes:
        if stuck.marks[square]:
            word ^= ground.words[0, square]
    table = np.int64(stuck.numbers[TABLES])
    for earlier in range(table):
        if stuck.known[earlier] == word:
            return np.int64(earlier)
    if table == len(stuck.known):
        return -1
    stuck.known[table] = word
    stuck.numbers[TABLES] += 1
    _measure(ground, pulls, stuck, table)
    return table


@lean
def plan_around(
    ground: Ground, filled: Bytes, target: Ints, stage: Whole, boxes: Shorts, pulls: bool, motion: Motion, stuck: Stuck
) -> None:  # fmt: skip
    """Leave in `numbers[CURRENT]` the table of steps around the marked boxes that the stage has not packed, -1 for none."""
    stuck.numbers[CURRENT] = -1
    word = np.uint64(0)
    for square in boxes:
        if stuck.marks[square] and not filled[stage, square]:
            word ^= ground.words[0, square]
    if not word:
        return
    table = np.int64(stuck.numbers[PLANS])
    for earlier in range(table):
        if stuck.planned[earlier] == word:
            stuck.numbers[CURRENT] = earlier
            return
    if table == len(stuck.planned):
        return
    stuck.planned[table] = word
    stuck.numbers[PLANS] += 1
    stuck.numbers[CURRENT] = table
    for step in range(len(target) - 1):
        for square in range(len(stuck.walls)):
            stays = stuck.marks[square] != 0 and not filled[stage, square]
            stuck.walls[square] = filled[step, square] != 0 or stays
        stuck.row[:] = 0
        mark_serving(ground, stuck.walls, np.int64(target[step]), stuck.everywhere, motion, stuck.row, not pulls)
        for key in range(len(stuck.row)):
            stuck.serving[table, key, step] = stuck.row[key]
