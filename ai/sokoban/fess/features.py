"""The features that a feature-space search tells positions apart by, and the cell that they make."""

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole
from ai.sokoban.board.successors import flood
from ai.sokoban.fess.assignment import unserved
from ai.sokoban.fess.macro import Motion
from ai.sokoban.fess.stuck import CURRENT, mark_stuck, plan_around
from ai.sokoban.fess.tree import MAX_ASTRAY, MAX_BLOCKED, MAX_PIECES, MOST_FREED, NO, STAMP, Features, Scratch, Style


@lean
def cell_key(
    style: Style, size: Whole, done: Whole, parts: Whole, blocked: Whole, astray: Whole, staying: Whole
) -> Whole:  # fmt: skip
    """The key of the cell."""
    key = done
    if style.fine:
        key = key * (MAX_PIECES + 1) + min(parts, MAX_PIECES)
        key = key * (MAX_BLOCKED + 1) + min(blocked, MAX_BLOCKED)
        key = key * (MAX_ASTRAY + 1) + min(astray, MAX_ASTRAY)
    if style.freed != NO:
        key = key * MOST_FREED + (staying if size < MOST_FREED else staying * (MOST_FREED - 1) // size)
    return key


@lean
def parts_of(ground: Ground, scratch: Scratch, meta: Longs, stamp: Whole) -> Whole:
    """Mark with the numbers after `stamp`, which his own has, the parts of the floor that the player cannot enter.

    Returns how many there are in all.
    """
    parts = 1
    for square in range(len(ground.steps)):
        if not scratch.occupied[square] and scratch.reach[square] < stamp:
            meta[STAMP] += 1
            flood(ground.steps, scratch.occupied, scratch.reach, meta[STAMP], np.int64(square), scratch.queue)
            parts += 1
    return np.int64(parts)


@lean
def stage_of(fills: Bytes, sizes: Ints, boxes: Shorts, missing: Ints) -> Whole:
    """The last stage of the plan that is done; leaves in `missing` how many squares of each no box fills."""
    for each in range(len(sizes)):
        missing[each] = sizes[each]
    for square in boxes:
        for each in range(len(sizes)):
            missing[each] -= fills[square, each]
    stage = len(sizes) - 1
    while missing[stage]:
        stage -= 1
    return np.int64(stage)


@lean
def done_of(features: Features, boxes: Shorts, stage: Whole) -> Whole:
    """How many steps of the plan are done, those before their turn included."""
    done = stage
    for square in boxes:
        done += features.early[stage, square]
    return np.int64(done)


@lean
def blocked_links(link: Ints, boxes: Shorts, on_link: Ints) -> Whole:
    """How many links have a box on them; leaves in `on_link` how many."""
    for each in range(len(on_link)):
        on_link[each] = 0
    for square in boxes:
        if link[square] >= 0:
            on_link[link[square]] += 1
    blocked = 0
    for each in range(len(on_link)):
        blocked += on_link[each] != 0
    return np.int64(blocked)


@lean
def boxes_astray(
    ground: Ground, features: Features, style: Style, boxes: Shorts, player: Whole, stage: Whole, motion: Motion,
    scratch: Scratch,
) -> Whole:  # fmt: skip
    """How many boxes find no step; leaves their keys, who makes which step, and which boxes stay for ever."""
    for index in range(len(boxes)):
        scratch.keys[index] = boxes[index] * 4 + ground.part[boxes[index], player]
    if style.stuck:
        mark_stuck(ground, boxes, style.pulls, scratch.stuck)
        plan_around(ground, features.filled, features.target, stage, boxes, style.pulls, motion, scratch.stuck)
    table = scratch.stuck.numbers[CURRENT]
    serving = features.serving if table < 0 else scratch.stuck.serving[table]
    return np.int64(
        unserved(
            serving, features.origin, features.filled[stage], stage, boxes, scratch.keys,
            scratch.step_taken, scratch.step_came, scratch.step_queue,
        )
    )  # fmt: skip
