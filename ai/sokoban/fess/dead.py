"""Whether the box that came last to its square has made a position of a feature-space search a deadlock."""

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Whole
from ai.sokoban.fess.corrals import MAX_BOXES, is_dead
from ai.sokoban.fess.patterns import learn
from ai.sokoban.fess.tree import Scratch, Style


@lean
def is_deadlock(
    ground: Ground, style: Style, goal: Whole, stamp: Whole, player: Whole, made: Whole, scratch: Scratch
) -> bool:
    """Whether the box on `goal` closes a corral for ever, or is a deadlock with its neighbours (`ai.sokoban.fess.patterns`).

    `stamp` marks what the player reaches, numbers after it the other parts of the floor; `made` counts the moves of the search.
    """
    if style.corrals and _shut_in(ground, goal, stamp, player, scratch):
        return True
    return style.patterns and learn(
        ground, scratch.occupied, goal, player, made, scratch.patterns, scratch.corrals, scratch.label, scratch.queue,
        scratch.marks, scratch.inside,
    )  # fmt: skip


@lean
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


@lean
def _shut_in(ground: Ground, goal: Whole, stamp: Whole, player: Whole, scratch: Scratch) -> bool:
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
