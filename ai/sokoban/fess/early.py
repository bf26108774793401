"""Steps of a packing plan that may be made before their turn, because they keep no box from a step that comes first.

A plan has one order, but often more would do: two rooms of targets have little to do with each other. A box on the square
that a later step fills counts as packed as soon as every step that it could hinder is done. Plans of searches that play
backwards keep their order: it gains nothing there.
"""

from collections.abc import Callable

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground, Watch
from ai.sokoban.board.layout import Bytes, Ints, Whole
from ai.sokoban.fess.macro import Motion
from ai.sokoban.fess.packing import Plan, mark_serving

_MOST_WORK = 4_000_000
"""Squares times pairs of steps: in larger plans no step is made before its turn."""
_NOTE = "looking which targets may be filled early"


def early_steps(plan: Plan, boxes: Ints, ground: Ground, motion: Motion, pause: Callable[[str], None]) -> Bytes:
    """The squares on which a box has done its step at each stage though its turn comes later, shape (m + 1, N).

    Args:
        plan: of m steps, of a search that plays forwards.
        boxes: where they start, shape (n,).
        ground: the level played forwards.
        motion: room.
        pause: called with a word on what is going on every few milliseconds.
    """
    stages, squares = len(plan.target), len(ground.steps)
    early: Bytes = np.zeros_like(plan.filled)
    if stages * stages * squares > _MOST_WORK:
        return early
    watch = Watch(pause)
    everywhere: Ints = np.ones(squares, dtype=np.int32)
    row: Bytes = np.zeros(4 * squares, dtype=np.uint8)
    starts = boxes.astype(np.int32)
    for step in range(stages - 1):
        goal = int(plan.target[step])
        if plan.origin[step] < 0 and plan.filled[-1, goal]:
            since = _since(
                ground, plan.filled, plan.origin, plan.target, plan.serving, starts, step, everywhere, motion, row,
            )  # fmt: skip
            early[since : step + 1, goal] = 1
        watch.look(_NOTE)
    return early


@lean
def _since(
    ground: Ground, filled: Bytes, origin: Ints, target: Ints, serving: Bytes, starts: Ints, step: int, reach: Ints,
    motion: Motion, row: Bytes,
) -> Whole:  # fmt: skip
    """The first stage from which on this step hinders none of those that are left before it.

    It hinders a step that some box could make from where it starts (or is parked), and then no more. `filled`, `origin`,
    `target` and `serving` are the plan's, `reach` is 1 everywhere, `row`, shape (4 N,), is scratch.
    """
    goal = np.int64(target[step])
    since = np.int64(step)
    while since > 0 and not filled[since - 1, goal]:
        before = since - 1
        row[:] = 0
        filled[before, goal] = 1
        mark_serving(ground, filled[before], np.int64(target[before]), reach, motion, row, True)
        filled[before, goal] = 0
        parked = np.int64(origin[before])
        for index in range(len(starts)):
            square = parked if parked >= 0 else np.int64(starts[index])
            for side in range(4):
                if serving[square * 4 + side, before] and not row[square * 4 + side]:
                    return since
        since = before
    return since
