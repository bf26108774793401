"""Deadlock patterns: a few boxes that can never be sorted out, wherever the others are. They are learned while searching.

When a position is opened, the box that came last and those nearest to it are played with all other boxes away, which only
makes things easier; a box that is pushed out of their neighbourhood is taken off (`ai.sokoban.fess.corrals.hopeless`). Where
they can never all be gone or on targets, as few of them as are needed are a pattern: every position with boxes on its squares
and the player in the same part of the floor is dead, those that were kept before it was learned included.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.board.successors import flood
from ai.sokoban.fess.corrals import Corrals, hopeless, mark_near

MAX_BOXES = 6
MARGIN = 4
"""Steps from the boxes to the edge of their neighbourhood."""
MAX_POSITIONS = 60
"""Positions of each search; what it cannot decide counts as alive."""
SHARE = 2
"""Moves of the feature-space search for each position that may be looked at here."""

MOST = 1024
_BITS = 17

# Places in `numbers`.
COUNT, WORK = range(2)


class Patterns(NamedTuple):
    """What was learned; N squares."""

    boxes: Shorts
    """Shape (MOST, MAX_BOXES): the squares of each pattern."""
    size: Ints
    """Shape (MOST,): how many these are."""
    dead: Bytes
    """Shape (MOST, N): 1 where the player is when it is a deadlock."""
    heads: Ints
    """Shape (N,): the first pattern whose lowest square this is, -1 for none."""
    chain: Ints
    """Shape (MOST,): the next one."""
    alive: Words
    """Shape (2^17,): words of boxes that are no deadlock, a hash table that forgets."""
    members: Ints
    """Shape (MAX_BOXES,): scratch."""
    numbers: Longs
    """How many patterns there are, and how many positions were looked at."""


def make_patterns(squares: int) -> Patterns:
    """None yet, on a board of so many squares."""
    return Patterns(
        boxes=np.zeros((MOST, MAX_BOXES), dtype=np.uint16),
        size=np.zeros(MOST, dtype=np.int32),
        dead=np.zeros((MOST, squares), dtype=np.uint8),
        heads=np.full(squares, -1, dtype=np.int32),
        chain=np.zeros(MOST, dtype=np.int32),
        alive=np.zeros(1 << _BITS, dtype=np.uint64),
        members=np.zeros(MAX_BOXES, dtype=np.int32),
        numbers=np.zeros(2, dtype=np.int64),
    )


@lean
def is_known(patterns: Patterns, occupied: Bytes, boxes: Shorts, player: Whole) -> bool:
    """Whether the position, its `boxes` marked in `occupied`, has a pattern."""
    for box in boxes:
        number = np.int64(patterns.heads[box])
        while number >= 0:
            if patterns.dead[number, player]:
                index: Whole = 0
                while index < patterns.size[number] and occupied[patterns.boxes[number, index]]:
                    index += 1
                if index == patterns.size[number]:
                    return True
            number = np.int64(patterns.chain[number])
    return False


@lean
def learn(
    ground: Ground, occupied: Bytes, goal: Whole, player: Whole, made: Whole, patterns: Patterns, corrals: Corrals,
    label: Ints, queue: Ints, marks: Bytes, scratch: Ints,
) -> bool:  # fmt: skip
    """Whether the box on `goal` and those nearest to it are a deadlock, which is kept.

    Args:
        ground: the level.
        occupied: 1 where a box is, shape (N,).
        goal: the square of a box.
        player: his square.
        made: moves of the feature-space search so far.
        patterns: what was learned.
        corrals: room.
        label: shape (N,), not looked at.
        queue: scratch, shape (N,).
        marks: scratch, shape (N,), all 0.
        scratch: shape (N,).
    """
    numbers, members, words = patterns.numbers, patterns.members, ground.words
    found = _nearest(ground.steps, occupied, goal, corrals, queue, members)
    word = words[1, player] ^ words[0, goal]
    for size in range(2, found + 1):
        word ^= words[0, members[size - 1]]
        place = np.int64(word >> np.uint64(64 - _BITS))
        if patterns.alive[place] == word:
            continue
        if numbers[WORK] * SHARE > made or numbers[COUNT] == MOST:
            return False
        before = corrals.stamp[0]
        dead = _is_dead(ground, members, size, player, corrals, label, queue, marks, scratch)
        if dead:
            left = _fewest(ground, members, size, player, corrals, label, queue, marks, scratch)
            _keep(ground.steps, members, left, player, patterns, corrals, queue)
        else:
            patterns.alive[place] = word
        numbers[WORK] += corrals.stamp[0] - before
        if dead:
            return True
    return False


@lean
def _nearest(steps: Ints, occupied: Bytes, goal: Whole, corrals: Corrals, queue: Ints, members: Ints) -> Whole:
    """Fill `members` with the box on `goal` and those nearest to it, walking through boxes; returns how many."""
    reach = corrals.reach
    corrals.stamp[0] += 1
    reach[goal] = corrals.stamp[0]
    queue[0], members[0] = goal, goal
    first, last, count = 0, 1, 1
    while first < last and count < len(members):
        square = queue[first]
        first += 1
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and reach[other] != corrals.stamp[0]:
                reach[other] = corrals.stamp[0]
                queue[last] = other
                last += 1
                if occupied[other] and count < len(members):
                    members[count] = other
                    count += 1
    return np.int64(count)


@lean
def _alone(steps: Ints, members: Ints, size: Whole, player: Whole, corrals: Corrals, queue: Ints) -> Whole:
    """Mark in `corrals.reach` where the player gets with no other boxes on the board; returns the first square."""
    for index in range(size):
        corrals.occupied[members[index]] = 1
    corrals.stamp[0] += 1
    start = flood(steps, corrals.occupied, corrals.reach, corrals.stamp[0], np.int64(player), queue)
    for index in range(size):
        corrals.occupied[members[index]] = 0
    return start


@lean
def _is_dead(
    ground: Ground, members: Ints, size: Whole, player: Whole, corrals: Corrals, label: Ints, queue: Ints, marks: Bytes,
    scratch: Ints,
) -> bool:  # fmt: skip
    """Whether the boxes `members[:size]` alone can never all be out of their neighbourhood or on targets."""
    start = _alone(ground.steps, members, size, player, corrals, queue)
    for index in range(size):
        corrals.boxes[0, index] = members[index]
        queue[index] = members[index]
    mark_near(ground.steps, corrals.near, queue, size, MARGIN)
    return hopeless(ground, label, -1, size, start, corrals, queue, marks, scratch, MAX_POSITIONS)


@lean
def _fewest(
    ground: Ground, members: Ints, size: Whole, player: Whole, corrals: Corrals, label: Ints, queue: Ints, marks: Bytes,
    scratch: Ints,
) -> Whole:  # fmt: skip
    """Leave out boxes while the others are a deadlock; returns how many are left of `members`."""
    index: Whole = 0
    while index < size:
        out, members[index] = members[index], members[size - 1]
        if size > 1 and _is_dead(ground, members, size - 1, player, corrals, label, queue, marks, scratch):
            size -= 1
        else:
            members[index] = out
            index += 1
    return size


@lean
def _keep(
    steps: Ints, members: Ints, size: Whole, player: Whole, patterns: Patterns, corrals: Corrals, queue: Ints
) -> None:
    """Make a pattern of the boxes `members[:size]`."""
    number = patterns.numbers[COUNT]
    _alone(steps, members, size, player, corrals, queue)
    for square in range(len(steps)):
        patterns.dead[number, square] = corrals.reach[square] == corrals.stamp[0]
    for index in range(size):
        patterns.boxes[number, index] = members[index]
    _enter(patterns, size)


@lean
def _enter(patterns: Patterns, size: Whole) -> None:
    """Count one more pattern, of so many boxes, whose rows are filled."""
    number = patterns.numbers[COUNT]
    lowest = np.int64(patterns.boxes[number, 0])
    for index in range(1, size):
        lowest = min(lowest, np.int64(patterns.boxes[number, index]))
    patterns.size[number] = size
    patterns.chain[number] = patterns.heads[lowest]
    patterns.heads[lowest] = number
    patterns.numbers[COUNT] += 1


@lean
def adopt(patterns: Patterns, others: Patterns, first: int, occupied: Bytes) -> None:
    """Take over what another search has learned, from its pattern `first` on; `occupied`, shape (N,), is all 0."""
    for other in range(first, others.numbers[COUNT]):
        number, size, boxes = patterns.numbers[COUNT], np.int64(others.size[other]), others.boxes[other]
        if number == MOST:
            return
        player: Whole = 0
        while not others.dead[other, player]:
            player += 1
        for index in range(size):
            occupied[boxes[index]] = 1
        known = is_known(patterns, occupied, boxes[:size], player)
        for index in range(size):
            occupied[boxes[index]] = 0
            patterns.boxes[number, index] = boxes[index]
        for square in range(len(occupied)):
            patterns.dead[number, square] = others.dead[other, square]
        if not known:
            _enter(patterns, size)
