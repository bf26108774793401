"""Whether a corral can ever be sorted out: small searches with the boxes around it alone.

A corral is an area that the player cannot enter. The boxes around it are played with all other boxes away, which only
makes things easier. The position is dead when the player never gets in and the boxes never all stand on targets.
Around small areas more is asked: a box that is pushed out of the neighbourhood is taken off the board, and the position is dead
when it never happens that every box left stands on a target, whether the player gets in or not. The searches are
bounded; what they cannot decide counts as alive. Verdicts are kept.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole, Words
from ai.sokoban.board.moves import frozen
from ai.sokoban.board.successors import flood

MAX_BOXES = 14
MAX_POSITIONS = 100
SMALL_BOXES, SMALL_AREA, SMALL_POSITIONS = 6, 12, 50
MARGIN = 1
"""Steps from the corral and its boxes to the edge of the neighbourhood."""

GONE = 65535
"""The square of a box that was taken off."""


class Corrals(NamedTuple):
    """Room for the searches, and what they found."""

    boxes: Shorts
    """Shape (MAX_POSITIONS + 1, MAX_BOXES): positions of the search."""
    player: Ints
    """Shape (MAX_POSITIONS + 1,)."""
    chain: Ints
    """Shape (MAX_POSITIONS + 1,): the next position with as many boxes off target."""
    heads: Ints
    """Shape (MAX_BOXES + 1,): the first one."""
    known: Words
    """Shape (2048,): words of the positions, a hash table; 0 for none."""
    occupied: Bytes
    """Shape (N,), all 0."""
    near: Bytes
    """Shape (N,): 1 in the neighbourhood."""
    reach: Ints
    """Shape (N,)."""
    after: Ints
    """Shape (N,): what the player reaches after a push."""
    stamp: Ints
    """Shape (1,): of `reach` and `after`."""
    verdicts: Words
    """Shape (2^16, 2): word of a corral, and 1 where it is alive, 2 where it is dead."""


def make_corrals(squares: int) -> Corrals:
    """Room for a board of so many squares."""
    return Corrals(
        np.zeros((MAX_POSITIONS + 1, MAX_BOXES), dtype=np.uint16),
        np.zeros(MAX_POSITIONS + 1, dtype=np.int32),
        np.zeros(MAX_POSITIONS + 1, dtype=np.int32),
        np.zeros(MAX_BOXES + 1, dtype=np.int32),
        np.zeros(2048, dtype=np.uint64),
        np.zeros(squares, dtype=np.uint8),
        np.zeros(squares, dtype=np.uint8),
        np.zeros(squares, dtype=np.int32),
        np.zeros(squares, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        np.zeros((1 << 16, 2), dtype=np.uint64),
    )


@lean
def is_dead(
    ground: Ground, label: Ints, region: Whole, members: Ints, count: Whole, player: Whole,
    corrals: Corrals, queue: Ints, marks: Bytes, scratch: Ints,
) -> bool:  # fmt: skip
    """Whether the boxes `members[:count]` around an area keep the player out, or themselves off targets, for ever.

    Args:
        ground: the level.
        label: `region` on the squares of the area, shape (N,).
        region: see `label`.
        members: squares of the boxes around the area.
        count: how many.
        player: his square.
        corrals: room.
        queue: scratch, shape (N,).
        marks: scratch, shape (N,), all 0.
        scratch: shape (N,).
    """
    if count > MAX_BOXES:
        return False
    occupied, boxes, words = corrals.occupied, corrals.boxes, ground.words
    word = np.uint64(0)
    for index in range(count):
        boxes[0, index] = members[index]
        occupied[members[index]] = 1
        word ^= words[0, members[index]]
    corrals.stamp[0] += 1
    start = flood(ground.steps, occupied, corrals.reach, corrals.stamp[0], np.int64(player), queue)
    inner = -1
    area = 0
    for square in range(len(label)):
        if label[square] == region:
            area += 1
            inner = square
    whole = word ^ words[1, start] ^ (words[1, inner] << np.uint64(1))
    place = np.int64(whole >> np.uint64(48))
    dead = False
    if corrals.verdicts[place, 0] == whole:
        dead = corrals.verdicts[place, 1] == 2
        for index in range(count):
            occupied[members[index]] = 0
    else:
        small = count <= SMALL_BOXES and area <= SMALL_AREA
        if small:
            size = 0
            for square in range(len(label)):
                if label[square] == region:
                    queue[size] = square
                    size += 1
            for index in range(count):
                queue[size + index] = members[index]
            mark_near(ground.steps, corrals.near, queue, size + count, MARGIN)
        for index in range(count):
            occupied[members[index]] = 0
        if small:
            dead = hopeless(ground, label, -1, count, start, corrals, queue, marks, scratch, SMALL_POSITIONS)
        if not dead:
            corrals.near[:] = 1
            dead = hopeless(ground, label, region, count, start, corrals, queue, marks, scratch, MAX_POSITIONS)
        corrals.verdicts[place, 0] = whole
        corrals.verdicts[place, 1] = 2 if dead else 1
    return dead


@lean
def mark_near(steps: Ints, near: Bytes, queue: Ints, size: Whole, margin: Whole) -> None:
    """Set `near` on the squares `queue[:size]` and what is so many steps from them at most; `queue` has room for every square."""
    near[:] = 0
    for index in range(size):
        near[queue[index]] = 1
    first: Whole = 0
    for _ in range(margin):
        last = size
        while first < last:
            square = queue[first]
            first += 1
            for action in range(4):
                other = steps[square, action]
                if other >= 0 and not near[other]:
                    near[other] = 1
                    queue[size] = other
                    size += 1


@lean
def hopeless(
    ground: Ground,
    label: Ints,
    region: Whole,
    count: Whole,
    start: Whole,
    corrals: Corrals,
    queue: Ints,
    marks: Bytes,
    scratch: Ints,
    limit: Whole,
) -> bool:
    """Whether the boxes of position 0 can never all be gone or on targets; the nearest to that comes first.

    With a `region` (not -1) it is enough that the player enters it.
    """
    steps, words, is_target = ground.steps, ground.words, ground.is_target
    occupied, boxes, known, heads, chain = (
        corrals.occupied,
        corrals.boxes,
        corrals.known,
        corrals.heads,
        corrals.chain,
    )
    known[:] = 0
    heads[:] = -1
    corrals.player[0] = start
    chain[0] = -1
    heads[count] = 0
    found = 1
    while True:
        left = 0
        while left <= count and heads[left] < 0:
            left += 1
        if left > count:
            return True
        current = heads[left]
        heads[left] = chain[current]
        here = boxes[current]
        base = np.uint64(0)
        off = 0
        for index in range(count):
            if here[index] != GONE:
                occupied[here[index]] = 1
                base ^= words[0, here[index]]
                off += not is_target[here[index]]
        corrals.stamp[0] += 1
        mine = corrals.stamp[0]
        flood(steps, occupied, corrals.reach, mine, np.int64(corrals.player[current]), queue)
        alive = off == 0
        for index in range(count):
            box = np.int64(here[index])
            if box == GONE or alive:
                continue
            for action in range(4):
                stand, goal = steps[box, (action + 2) % 4], steps[box, action]
                if not ground.pushable[0, box] >> action & 1 or corrals.reach[stand] != mine or occupied[goal]:
                    continue
                occupied[box], occupied[goal] = 0, 1
                stuck = False
                for each in range(frozen(steps, occupied, ground.alive, goal, scratch, marks)):
                    stuck = stuck or not is_target[scratch[each]]
                if not stuck:
                    gone = not corrals.near[goal]
                    if gone:
                        occupied[goal] = 0
                    corrals.stamp[0] += 1
                    player = flood(steps, occupied, corrals.after, corrals.stamp[0], box, queue)
                    if region >= 0:
                        for square in range(len(label)):
                            if label[square] == region and corrals.after[square] == corrals.stamp[0]:
                                alive = True
                                break
                    word = base ^ words[0, box] ^ words[1, player]
                    if not gone:
                        word ^= words[0, goal]
                    place = np.int64(word & np.uint64(len(known) - 1))
                    while known[place] != 0 and known[place] != word:
                        place = (place + 1) & (len(known) - 1)
                    if known[place] == 0:
                        known[place] = word
                        if found > limit:
                            alive = True
                        else:
                            for each in range(count):
                                boxes[found, each] = here[each]
                            boxes[found, index] = GONE if gone else goal
                            corrals.player[found] = player
                            after = off - (not is_target[box]) + (not gone and not is_target[goal])
                            chain[found] = heads[after]
                            heads[after] = found
                            alive = alive or after == 0
                            found += 1
                occupied[box], occupied[goal] = 1, 0
        for index in range(count):
            if here[index] != GONE:
                occupied[here[index]] = 0
        if alive:
            return False
