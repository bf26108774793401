"""What all search kernels do with a position: find the ways on from it, and tell a way into a deadlock."""

from typing import NamedTuple

from ai.jit import kernel
from ai.sokoban.corral import allowed_pushes
from ai.sokoban.layout import Bytes, Ints, Layout, Shorts, Whole
from ai.sokoban.successors import EVERY, REGIONS, SINGLE, WALKS, box_moves, reach, single_moves
from game.rules import sokoban

PRUNINGS = ("none", "deadlocks", "corrals")
"""`deadlocks`: dead squares and frozen boxes. `corrals`: PI-corral pruning as well, where it keeps the answer right."""


class How(NamedTuple):
    """How a search looks at a level."""

    mode: int
    """REGIONS, WALKS or SINGLE of `ai.sokoban.successors`."""
    pushes: bool
    pulls: bool
    free_walks: bool
    """Single moves: whether those that move no box cost nothing."""
    matching: bool
    """Whether the lower bound is a matching; else it is the sum of the boxes' estimates."""
    dead: bool
    """Whether positions are left out in which a box alone can never reach a target."""
    freeze: bool
    """Whether positions are left out in which a box off target is frozen."""
    corrals: bool
    """PI-corral pruning: with REGIONS and push only."""


def how(board: Layout, mode: int, optimal: str, heuristic: str | None, pruning: str) -> How:
    """For one position: two players move in single moves, and what is not sound under its rules is left out."""
    rules = board.rules
    if rules.players == 2:
        mode = SINGLE
    return How(
        mode=mode,
        pushes=rules.push,
        pulls=rules.pull,
        free_walks=optimal == "pushes",
        matching=heuristic == "matching",
        dead=pruning != "none",
        freeze=pruning != "none" and not rules.pull,
        corrals=pruning == "corrals" and mode == REGIONS and rules == sokoban.PUSH_ONLY,
    )


@kernel
def ways_on(
    how: How,
    steps: Ints,
    is_target: Bytes,
    part: Bytes,
    nearest: Ints,
    occupied: Bytes,
    boxes: Shorts,
    player: Whole,
    second: Whole,
    stamp: Whole,
    seen: Ints,
    far: Ints,
    queue: Ints,
    label: Ints,
    inside: Ints,
    group: Ints,
    spare: Ints,
    allowed: Ints,
    found: Ints,
) -> int:
    """Every way on from a position, into `found`; returns how many.

    The arrays are those of `Ground` and `Scratch`; handed over one by one, which a kernel does in no time, while a
    tuple of arrays costs as much as the work. `stamp` is one that `seen` does not hold yet; with SINGLE nothing is
    written there.
    """
    if how.mode == SINGLE:
        count = single_moves(steps, occupied, boxes, player, second, how.pushes, how.pulls, how.free_walks, found)
    else:
        entered = reach(steps, occupied, seen, stamp, player, queue, far)
        if how.corrals and entered + len(boxes) < len(steps):
            allowed_pushes(
                steps, is_target, part, nearest, boxes, seen, stamp, label, inside, queue, group, spare, allowed
            )
        else:
            allowed[:] = EVERY
        walks = how.mode == WALKS
        count = box_moves(steps, occupied, boxes, how.pushes, how.pulls, walks, allowed, seen, stamp, far, found)
    return count
