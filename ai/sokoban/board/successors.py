"""Every way on from a position, as rows of one table: the one place where search agents learn what can be done.

Three ways to cut a solution into steps: REGIONS, a push (or pull) after any walk, where only the part of the floor
that the player is in matters and a step costs one; WALKS, the same with the player's exact square, where a step costs
its walk too; SINGLE, one move of one player, which is all that two players can be searched by.

Boxes are told apart by their slot, the place they had in the list at the start.
"""

from ai.jit import lean
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole
from game.rules.sokoban.variants import PULL, SECOND

REGIONS, WALKS, SINGLE = range(3)

# Columns of a successor.
SLOT, BEFORE, AFTER, PLAYER, WHO, ACTION, COST = range(7)
COLUMNS = 7
"""The box (-1: none moves) and its squares before and after, the player's square after, which player it is (0, 1), what
it did last (`game.rules.sokoban.variants` has the numbers), and what that cost."""

EVERY = 15
"""All four directions, one bit each."""


@lean
def flood(steps: Ints, occupied: Bytes, seen: Ints, stamp: Whole, start: Whole, queue: Ints) -> Whole:
    """Mark with `stamp` every square that the player reaches from `start`; returns the smallest of them."""
    seen[start] = stamp
    queue[0] = start
    size = 1
    smallest = start
    while size:
        size -= 1
        square = queue[size]
        smallest = min(smallest, square)
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and seen[other] != stamp and not occupied[other]:
                seen[other] = stamp
                queue[size] = other
                size += 1
    return smallest


@lean
def reach(steps: Ints, occupied: Bytes, seen: Ints, stamp: Whole, start: Whole, queue: Ints, far: Ints) -> int:
    """Mark with `stamp` every square that the player reaches from `start`, how far it is into `far`; returns how many."""
    seen[start] = stamp
    far[start] = 0
    queue[0] = start
    first, last = 0, 1
    while first < last:
        square = queue[first]
        first += 1
        for action in range(4):
            other = steps[square, action]
            if other >= 0 and seen[other] != stamp and not occupied[other]:
                seen[other] = stamp
                far[other] = far[square] + 1
                queue[last] = other
                last += 1
    return last


@lean
def same_region(steps: Ints, occupied: Bytes, seen: Ints, stamp: Whole, before: Whole, after: Whole) -> bool:
    """Whether a push left the player's part of the floor as it was, but for the two squares of the box.

    Certain where True: around `after` the squares that he reached hang together, and `before` opens no others.

    Args:
        steps: neighbours, shape (N, 4).
        occupied: not 0 where a box is after the push, shape (N,).
        seen: `stamp` where the player got before it, shape (N,).
        stamp: see `seen`.
        before: the box's square before.
        after: the box's square after.
    """
    same = True
    around = joined = 0
    for action in range(4):
        beside = steps[before, action]
        if beside >= 0 and not occupied[beside] and seen[beside] != stamp:
            same = False
        here = steps[after, action]
        if here < 0 or occupied[here] or (seen[here] != stamp and here != before):
            continue
        around += 1
        turn = (action + 1) % 4
        corner, following = steps[here, turn], steps[after, turn]
        if corner >= 0 and not occupied[corner] and following >= 0 and not occupied[following]:
            joined += seen[following] == stamp or following == before
    return same and joined >= around - 1


@lean
def box_moves(
    steps: Ints,
    occupied: Bytes,
    boxes: Shorts,
    pushes: bool,
    pulls: bool,
    walks: bool,
    allowed: Ints,
    seen: Ints,
    stamp: Whole,
    far: Ints,
    found: Ints,
) -> int:
    """Every push (and pull) that one player can make, after `reach`; returns how many.

    Args:
        steps: neighbours, shape (N, 4).
        occupied: not 0 where a box is, shape (N,).
        boxes: shape (n,), their squares.
        pushes: whether boxes may be pushed.
        pulls: whether boxes may be pulled.
        walks: whether a step costs its walk as well.
        allowed: shape (n,), the directions worth a push, a bit each.
        seen: `stamp` where the player gets, shape (N,).
        stamp: see `seen`.
        far: how far it is there, shape (N,).
        found: the answer, shape (8 n, COLUMNS) at least.
    """
    count = 0
    for slot in range(len(boxes)):
        if not allowed[slot]:
            continue
        box = int(boxes[slot])
        for action in range(4):
            ahead = steps[box, action]
            if ahead < 0 or occupied[ahead]:
                continue
            stand = steps[box, (action + 2) % 4]
            if pushes and stand >= 0 and seen[stand] == stamp and allowed[slot] >> action & 1:
                found[count, SLOT], found[count, BEFORE], found[count, AFTER] = slot, box, ahead
                found[count, PLAYER], found[count, WHO], found[count, ACTION] = box, 0, action
                found[count, COST] = far[stand] + 1 if walks else 1
                count += 1
            if pulls and seen[ahead] == stamp:
                beyond = steps[ahead, action]
                if beyond >= 0 and not occupied[beyond]:
                    found[count, SLOT], found[count, BEFORE], found[count, AFTER] = slot, box, ahead
                    found[count, PLAYER], found[count, WHO], found[count, ACTION] = beyond, 0, action + PULL
                    found[count, COST] = far[ahead] + 1 if walks else 1
                    count += 1
    return count


@lean
def single_moves(
    steps: Ints,
    occupied: Bytes,
    boxes: Shorts,
    first: Whole,
    second: Whole,
    pushes: bool,
    pulls: bool,
    free_walks: bool,
    found: Ints,
) -> int:
    """Every move of every player; returns how many.

    Args:
        steps: neighbours, shape (N, 4).
        occupied: not 0 where a box is, shape (N,).
        boxes: shape (n,), their squares.
        first: square of the first player.
        second: square of the second, -1 for none.
        pushes: whether boxes may be pushed.
        pulls: whether boxes may be pulled.
        free_walks: whether a move without a box costs nothing.
        found: the answer, shape (16, COLUMNS) at least.
    """
    count = 0
    for who in range(1 if second < 0 else 2):
        player, other = (second, first) if who else (first, second)
        for action in range(4):
            goal = steps[player, action]
            if goal < 0 or goal == other:
                continue
            behind = steps[player, (action + 2) % 4]
            before: Whole = -1
            after: Whole = -1
            if occupied[goal]:
                before, after = goal, steps[goal, action]
                if not pushes or after < 0 or occupied[after] or after == other:
                    continue
            for pulled in range(2):
                if pulled:
                    if not pulls or before >= 0 or behind < 0 or not occupied[behind]:
                        continue
                    before, after = behind, player
                slot = -1
                if before >= 0:
                    slot = 0
                    while boxes[slot] != before:
                        slot += 1
                found[count, SLOT], found[count, BEFORE], found[count, AFTER] = slot, before, after
                found[count, PLAYER], found[count, WHO] = goal, who
                found[count, ACTION] = action + PULL * pulled + SECOND * who
                found[count, COST] = 0 if free_walks and slot < 0 else 1
                count += 1
    return count
