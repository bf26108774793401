"""PI-corral pruning: where a shut-off area must be opened anyway, only the pushes that open it are looked at.

After Brian Damgaard's PI-corrals (YASS). Let I be empty squares that the player cannot reach and B boxes among which
are all that touch I. Until a box of B is pushed the player stays out of I and no box enters it. If every push of a
box of B that could ever come first leads into I and can be made now, then whatever a solution does before its first
such push can as well be done after it: same boxes, same number of pushes. So nothing is lost by trying those
alone, fewest pushes included, provided that a solution must push a box of B at all. That is certain when one of them
is off target or a target lies in I. Where no such push exists the position is dead.
"""

import numpy as np

from ai.jit import lean
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole

EVERY = 15
"""All four directions, one bit each."""

_REACHED = -1
MOST_REGIONS = 30
"""Regions that are looked at; boxes at others can be pushed anywhere."""
FREE = 1 << MOST_REGIONS


@lean
def label_regions(steps: Ints, boxes: Shorts, reach: Ints, stamp: Whole, label: Ints, queue: Ints) -> int:
    """Number the regions that the player cannot reach.

    `label`, shape (N,), becomes the region of an empty square, -1 where the player gets, and -2 - slot on a box.
    Returns how many regions there are.
    """
    for square in range(len(steps)):
        label[square] = _REACHED if reach[square] == stamp else len(steps)
    for slot in range(len(boxes)):
        label[boxes[slot]] = -2 - slot
    count = 0
    for start in range(len(steps)):
        if label[start] != len(steps):
            continue
        label[start] = count
        queue[0] = start
        size = 1
        while size:
            size -= 1
            square = queue[size]
            for action in range(4):
                other = steps[square, action]
                if other >= 0 and label[other] == len(steps):
                    label[other] = count
                    queue[size] = other
                    size += 1
        count += 1
    return count


@lean
def _touched(steps: Ints, pushable: Bytes, boxes: Shorts, label: Ints, touched: Ints) -> Whole:
    """Which regions, of the first MOST_REGIONS, each box touches: a bit each in `touched`, shape (n,).

    FREE, one bit more, says that the player can push the box to where he can go himself. Returns the regions that such
    boxes touch: none of them can be part of a set into which all pushes lead.
    """
    shared: Whole = 0
    for slot in range(len(boxes)):
        regions: Whole = 0
        reached: Whole = 0
        for action in range(4):
            other = steps[boxes[slot], action]
            if other >= 0:
                if label[other] == _REACHED:
                    reached |= 1 << action
                elif 0 <= label[other] < MOST_REGIONS:
                    regions |= 1 << np.int64(label[other])
        # both sides of the box along an axis
        if reached & (reached >> 2 | reached << 2) & pushable[boxes[slot]]:
            shared |= regions
            regions |= FREE
        touched[slot] = regions
    return shared


@lean
def _closed(
    steps: Ints, pushable: Bytes, boxes: Shorts, label: Ints, touched: Ints, region: Whole, shared: Whole, member: Ints,
    found: Ints,
) -> tuple[Whole, Whole]:  # fmt: skip
    """Grow I from one region until every first push of B leads into it; the pushes go into `found`.

    `member` (by slot) describes B; `touched` and `shared` are what `_touched` left. Returns the number of pushes, -1 where a
    box of B could first be pushed elsewhere, and the regions of I, a bit each.
    """
    size = len(boxes)
    member[:] = 0
    inside = 1 << np.int64(region)
    while True:
        grown = False
        for slot in range(size):
            if touched[slot] & inside:
                member[slot] = 1
        pushes = 0
        for slot in range(size):
            found[slot] = 0
            if not member[slot]:
                continue
            box = np.int64(boxes[slot])
            for action in range(4):
                if not pushable[box] >> action & 1:
                    continue
                stand, goal = np.int64(steps[box, action ^ 2]), np.int64(steps[box, action])
                behind, ahead = np.int64(label[stand]), np.int64(label[goal])
                if behind >= 0 and behind < MOST_REGIONS and inside >> behind & 1:
                    continue
                if (behind <= -2 and member[-2 - behind]) or (ahead <= -2 and member[-2 - ahead]):
                    continue
                if max(behind, ahead) >= MOST_REGIONS:
                    return -1, inside
                if ahead <= -2:
                    if touched[-2 - ahead] & FREE:
                        return -1, inside
                    member[-2 - ahead] = 1
                    grown = True
                elif ahead == _REACHED:
                    if behind <= -2:
                        if touched[-2 - behind] & FREE:
                            return -1, inside
                        member[-2 - behind] = 1
                    else:
                        if shared >> behind & 1:
                            return -1, inside
                        inside |= 1 << behind
                    grown = True
                elif not inside >> ahead & 1:
                    if shared >> ahead & 1:
                        return -1, inside
                    inside |= 1 << ahead
                    grown = True
                elif behind <= -2:
                    if touched[-2 - behind] & FREE:
                        return -1, inside
                    member[-2 - behind] = 1
                    grown = True
                elif behind >= 0:
                    if shared >> behind & 1:
                        return -1, inside
                    inside |= 1 << behind
                    grown = True
                else:
                    found[slot] |= 1 << action
                    pushes += 1
        if not grown:
            return pushes, inside


@lean
def allowed_pushes(
    steps: Ints,
    is_target: Bytes,
    pushable: Bytes,
    boxes: Shorts,
    reach: Ints,
    stamp: Whole,
    label: Ints,
    queue: Ints,
    member: Ints,
    found: Ints,
    allowed: Ints,
) -> None:
    """Set `allowed`, shape (n,), to the directions worth trying for every box, a bit each.

    Args:
        steps: neighbours, shape (N, 4).
        is_target: shape (N,).
        pushable: directions in which a box can be pushed that then has a target, a bit each, shape (N,).
        boxes: shape (n,).
        reach: `stamp` where the player gets, shape (N,).
        stamp: see `reach`.
        label: scratch, shape (N,).
        queue: scratch, shape (N,).
        member: scratch, shape (n,).
        found: scratch, shape (n,).
        allowed: the answer.
    """
    count = label_regions(steps, boxes, reach, stamp, label, queue)
    prune(steps, is_target, pushable, boxes, label, count, queue, member, found, allowed)


@lean
def prune(
    steps: Ints, is_target: Bytes, pushable: Bytes, boxes: Shorts, label: Ints, count: Whole, touched: Ints, member: Ints,
    found: Ints, allowed: Ints,
) -> None:  # fmt: skip
    """The same where `label` (see `label_regions`) has been found; `touched` is scratch, shape (n,)."""
    size = len(boxes)
    allowed[:] = EVERY
    fewest: Whole = 4 * size
    shared = _touched(steps, pushable, boxes, label, touched)
    for region in range(min(count, MOST_REGIONS)):
        if shared >> region & 1:
            continue
        pushes, inside = _closed(steps, pushable, boxes, label, touched, region, shared, member, found)
        if pushes < 0 or pushes >= fewest:
            continue
        needed = False
        for slot in range(size):
            needed = needed or (member[slot] != 0 and not is_target[boxes[slot]])
        if not needed:
            for square in range(len(steps)):
                region_of = np.int64(label[square])
                if is_target[square] and 0 <= region_of < MOST_REGIONS and inside >> region_of & 1:
                    needed = True
        if needed:
            fewest = pushes
            for slot in range(size):
                allowed[slot] = found[slot]
