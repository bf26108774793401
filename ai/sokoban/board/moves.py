"""Sokoban's rules as kernels: one move, solved, walking, dead squares, frozen boxes.

They work on the arrays of `ai.sokoban.board.layout` and say the same as `game.rules.sokoban`, which tests hold them to.
"""

from ai.jit import lean
from ai.sokoban.board.layout import Bytes, Ints, Whole


@lean
def move(steps: Ints, occupied: Bytes, player: int, action: int) -> int:
    """Move or push; returns the player's new square, or -1 and nothing changed where it is illegal."""
    square: int = steps[player, action]
    if square < 0:
        return -1
    if occupied[square]:
        beyond = steps[square, action]
        if beyond < 0 or occupied[beyond]:
            return -1
        occupied[square] = 0
        occupied[beyond] = 1
    return square


@lean
def solved(occupied: Bytes, is_target: Bytes) -> bool:
    """Whether every box is on a target."""
    astray = 0
    for square in range(len(occupied)):
        if occupied[square] > is_target[square]:
            astray += 1
    return astray == 0


@lean
def walk(steps: Ints, occupied: Bytes, start: int, goal: int, queue: Ints, came: Ints, path: Bytes) -> int:
    """The shortest walk that pushes nothing, its actions into `path`; returns its length, -1 where there is none.

    Args:
        steps: neighbours, shape (N, 4).
        occupied: 1 where a box is, shape (N,).
        start: square of the player.
        goal: square wanted.
        queue: scratch, shape (N,).
        came: scratch, shape (N,).
        path: shape (N,) at least.
    """
    if start == goal:
        return 0
    if occupied[goal]:
        return -1
    came[:] = -1
    came[goal] = 4
    queue[0] = goal
    first, last = 0, 1
    while first < last and came[start] < 0:
        square = queue[first]
        first += 1
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and came[other] < 0 and not occupied[other]:
                came[other] = (action + 2) % 4
                queue[last] = other
                last += 1
    if came[start] < 0:
        return -1
    length = 0
    square = start
    while square != goal:
        path[length] = came[square]
        square = steps[square, came[square]]
        length += 1
    return length


@lean
def mark_alive(steps: Ints, targets: Ints, alive: Bytes, stack: Ints) -> None:
    """Set `alive` to 1 on the squares from which a box alone can be pushed to a target, wherever the player is."""
    alive[:] = 0
    size = 0
    for target in targets:
        alive[target] = 1
        stack[size] = target
        size += 1
    while size:
        size -= 1
        square = stack[size]
        for action in range(4):
            before = steps[square, action]
            if before >= 0 and not alive[before] and steps[before, action] >= 0:
                alive[before] = 1
                stack[size] = before
                size += 1


@lean
def held(steps: Ints, occupied: Bytes, alive: Bytes, box: Whole) -> bool:
    """Whether a box cannot move along any axis while all others stay; if not, it is not frozen. See `frozen`."""
    ways = 0
    for axis in range(2):
        one, two = steps[box, axis], steps[box, axis + 2]
        if one >= 0 and two >= 0 and not occupied[one] and not occupied[two] and (alive[one] or alive[two]):
            ways += 1
    return ways == 0


@lean
def frozen(steps: Ints, occupied: Bytes, alive: Bytes, box: Whole, members: Ints, marks: Bytes) -> int:
    """The boxes frozen together with `box`: those of the boxes joined to it that hold each other still.

    A box moves along an axis (up and down, or sideways) where neither neighbour is a wall or a box that stays, and one
    of them is alive. The same largest set as `game.rules.sokoban.deadlock` finds, restricted to the boxes that touch one another.

    Args:
        steps: neighbours, shape (N, 4).
        occupied: 1 where a box is, shape (N,).
        alive: from `mark_alive`, shape (N,).
        box: square of the box to start with.
        members: shape (number of boxes,) at least; the frozen boxes are written to its start.
        marks: scratch, shape (N,), all 0, and left so.

    Returns:
        How many boxes of the group are frozen (0: `box` may well be among those that are not).
    """
    size = 1
    for axis in range(2):
        one, two = steps[box, axis], steps[box, axis + 2]
        if one >= 0 and two >= 0 and not occupied[one] and not occupied[two] and (alive[one] or alive[two]):
            size = 0
    members[0] = box
    marks[box] = size
    looked = 0
    while looked < size:
        square = members[looked]
        looked += 1
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and occupied[other] and not marks[other]:
                marks[other] = 1
                members[size] = other
                size += 1
    kept = -1
    while kept < size:
        if kept >= 0:
            size = kept
        kept = 0
        for index in range(size):
            square = members[index]
            loose = False
            for axis in range(2):
                one, two = steps[square, axis], steps[square, axis + 2]
                if one >= 0 and two >= 0 and not marks[one] and not marks[two] and (alive[one] or alive[two]):
                    loose = True
            if loose:
                marks[square] = 0
            else:
                members[kept] = square
                kept += 1
    for index in range(size):
        marks[members[index]] = 0
    return size
