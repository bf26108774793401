"""Whether a corral can be opened: a small search with the boxes around it alone.

A corral is an area that the player cannot enter. The boxes around it are played with all other boxes away; if even then
the player never gets in, and they never all stand on targets, the position is dead. The search is bounded; what it cannot
decide counts as open. Verdicts are kept.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.distance import FAR
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Bytes, Ints, Shorts, Whole, Words
from ai.sokoban.moves import frozen
from ai.sokoban.successors import flood

MAX_BOXES = 14
MAX_POSITIONS = 400


class Corrals(NamedTuple):
    """Room for the searches, and what they found."""

    boxes: Shorts
    """Shape (MAX_POSITIONS + 1, MAX_BOXES): positions of the search."""
    player: Ints
    """Shape (MAX_POSITIONS + 1,)."""
    known: Words
    """Shape (4 MAX_POSITIONS,): words of the positions, a hash table; 0 for none."""
    occupied: Bytes
    """Shape (N,), all 0."""
    reach: Ints
    """Shape (N,)."""
    after: Ints
    """Shape (N,): what the player reaches after a push."""
    stamp: Ints
    """Shape (1,): of `reach` and `after`."""
    verdicts: Words
    """Shape (2^16, 2): word of a corral, and 1 where it is open, 2 where it is dead."""


def make_corrals(squares: int) -> Corrals:
    """Room for a board of so many squares."""
    return Corrals(
        np.zeros((MAX_POSITIONS + 1, MAX_BOXES), dtype=np.uint16),
        np.zeros(MAX_POSITIONS + 1, dtype=np.int32),
        np.zeros(2048, dtype=np.uint64),
        np.zeros(squares, dtype=np.uint8),
        np.zeros(squares, dtype=np.int32),
        np.zeros(squares, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        np.zeros((1 << 16, 2), dtype=np.uint64),
    )


@kernel
def is_dead(
    ground: Ground, label: Ints, region: Whole, members: Ints, count: Whole, player: Whole,
    corrals: Corrals, queue: Ints, marks: Bytes, scratch: Ints,
) -> bool:  # fmt: skip
    """Whether the boxes `members[:count]` around an area keep the player out for ever.

    Args:
        ground: the level.
        label: `region` on the squares of the area, shape (N,).
        region: see `label`.
        members: squares of the boxes that touch the area, ascending.
        count: how many.
        player: his square.
        corrals: room.
        queue: scratch, shape (N,).
        marks: scratch, shape (N,), all 0.
        scratch: shape (n + 1,).
    """
    if count > MAX_BOXES:
        return False
    occupied, reach, boxes, words = corrals.occupied, corrals.reach, corrals.boxes, ground.words
    word = np.uint64(0)
    for index in range(count):
        boxes[0, index] = members[index]
        occupied[members[index]] = 1
        word ^= words[0, members[index]]
    corrals.stamp[0] += 1
    start = flood(ground.steps, occupied, reach, corrals.stamp[0], np.int64(player), queue)
    inner = -1
    for square in range(len(label)):
        if label[square] == region:
            inner = square
            break
    whole = word ^ words[1, start] ^ (words[1, inner] << np.uint64(1))
    place = np.int64(whole >> np.uint64(48))
    dead = False
    if corrals.verdicts[place, 0] == whole:
        dead = corrals.verdicts[place, 1] == 2
    else:
        dead = _shut(ground, label, region, count, start, corrals, queue, marks, scratch)
        corrals.verdicts[place, 0] = whole
        corrals.verdicts[place, 1] = 2 if dead else 1
    for index in range(count):
        occupied[members[index]] = 0
    return dead


@kernel
def _shut(
    ground: Ground, label: Ints, region: Whole, count: Whole, start: Whole, corrals: Corrals,
    queue: Ints, marks: Bytes, scratch: Ints,
) -> bool:  # fmt: skip
    """The search of `is_dead`; the boxes of position 0 are in `occupied` before and after."""
    steps, words = ground.steps, ground.words
    occupied, reach, boxes, known = corrals.occupied, corrals.reach, corrals.boxes, corrals.known
    known[:] = 0
    corrals.player[0] = start
    found, looked = 1, 0
    for index in range(count):
        occupied[boxes[0, index]] = 0
    dead = 1
    while looked < found and dead != 0:
        here = boxes[looked]
        base = np.uint64(0)
        for index in range(count):
            occupied[here[index]] = 1
            base ^= words[0, here[index]]
        corrals.stamp[0] += 1
        mine = corrals.stamp[0]
        flood(steps, occupied, reach, mine, np.int64(corrals.player[looked]), queue)
        for index in range(count):
            box = np.int64(here[index])
            for action in range(4):
                stand, goal = steps[box, (action + 2) % 4], steps[box, action]
                if stand < 0 or goal < 0 or reach[stand] != mine or occupied[goal]:
                    continue
                if ground.nearest[goal * 4 + ground.part[goal, box]] >= FAR:
                    continue
                occupied[box], occupied[goal] = 0, 1
                stuck = False
                for each in range(frozen(steps, occupied, ground.alive, goal, scratch, marks)):
                    stuck = stuck or not ground.is_target[scratch[each]]
                if not stuck:
                    corrals.stamp[0] += 1
                    player = flood(steps, occupied, corrals.after, corrals.stamp[0], box, queue)
                    child = corrals.stamp[0]
                    home = ground.is_target[goal] != 0
                    for other in range(count):
                        home = home and (other == index or ground.is_target[here[other]] != 0)
                    if home:
                        dead = 0
                    for square in range(len(label)):
                        if label[square] == region and corrals.after[square] == child:
                            dead = 0
                            break
                    if dead != 0:
                        word = base ^ words[0, box] ^ words[0, goal] ^ words[1, player]
                        place = np.int64(word & np.uint64(len(known) - 1))
                        while known[place] != 0 and known[place] != word:
                            place = (place + 1) & (len(known) - 1)
                        if known[place] == 0:
                            known[place] = word
                            if found > MAX_POSITIONS:
                                dead = 0
                            else:
                                boxes[found, :count] = here[:count]
                                boxes[found, index] = goal
                                corrals.player[found] = player
                                found += 1
                occupied[box], occupied[goal] = 1, 0
                if dead == 0:
                    break
            if dead == 0:
                break
        for index in range(count):
            occupied[here[index]] = 0
        looked += 1
    for index in range(count):
        occupied[boxes[0, index]] = 1
    return dead != 0
