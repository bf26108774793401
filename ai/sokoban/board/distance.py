"""How many pushes a single box needs to each target, depending on the side on which the player is.

Around a box on square s the rest of the floor falls into at most four parts. Which part holds the player matters
(a box in a corridor can only be pushed away from the player) and, other boxes apart, only a push of that box
changes it. So a box's situation is one number, its key: square * 4 + part.
"""

from ai.jit import lean
from ai.sokoban.board.layout import Bytes, Ints, Whole

FAR = 1 << 20
"""Distance of a target that cannot be reached; larger than any sum of real ones in use."""


@lean
def label_parts(steps: Ints, part: Bytes, square: Whole, stack: Ints) -> None:
    """Fill row `square` of `part`, shape (N, N): for each player's square its part of the floor without `square`."""
    row = part[square]
    row[:] = 255
    count = 0
    for action in range(4):
        start = steps[square, action]
        if start < 0 or row[start] != 255:
            continue
        row[start] = count
        stack[0] = start
        size = 1
        while size:
            size -= 1
            here = stack[size]
            for direction in range(4):
                other = steps[here, direction]
                if other >= 0 and other != square and row[other] == 255:
                    row[other] = count
                    stack[size] = other
                    size += 1
        count += 1


@lean
def measure(steps: Ints, part: Bytes, target: Whole, column: Whole, distance: Ints, queue: Ints) -> None:
    """Fill one column of `distance`, shape (N * 4, targets): pushes from every key to `target`, FAR for never.

    Args:
        steps: neighbours, shape (N, 4).
        part: from `label_parts`, shape (N, N).
        target: square of the target.
        column: which column to fill.
        distance: shape (N * 4, targets), int32.
        queue: scratch, shape (N * 4,).
    """
    measure_moves(steps, part, True, False, target, column, distance, queue)


@lean
def measure_moves(
    steps: Ints, part: Bytes, pushes: bool, pulls: bool, target: Whole, column: Whole, distance: Ints, queue: Ints
) -> None:
    """The same where boxes are pushed, pulled or both; each counts one. A breadth-first search backwards."""
    distance[:, column] = FAR
    last = 0
    for side in range(4):
        distance[target * 4 + side, column] = 0
        queue[last] = target * 4 + side
        last += 1
    first = 0
    while first < last:
        key = queue[first]
        first += 1
        square = key // 4
        for action in range(4):
            before, ahead = steps[square, action], steps[square, (action + 2) % 4]
            if before < 0:
                continue
            for pulled in range(2):
                if not (pulls if pulled else pushes):
                    continue
                player = ahead if pulled else before
                stand = square if pulled else steps[before, action]
                if player < 0 or stand < 0 or part[square, player] != key % 4:
                    continue
                earlier = before * 4 + part[before, stand]
                if distance[earlier, column] == FAR:
                    distance[earlier, column] = distance[key, column] + 1
                    queue[last] = earlier
                    last += 1


@lean
def mark_pushable(steps: Ints, part: Bytes, nearest: Ints, pushable: Bytes) -> None:
    """Set `pushable`, shape (C, N), to the directions in which a box can be pushed that then has a target, a bit each.

    `nearest`, shape (4 N C,), counts the pushes from each key of a box of each colour to the nearest target.
    """
    squares = len(steps)
    for colour in range(len(pushable)):
        for square in range(squares):
            for action in range(4):
                stand, goal = steps[square, action ^ 2], steps[square, action]
                if stand >= 0 and goal >= 0:
                    key = (colour * squares + goal) * 4 + part[goal, square]
                    pushable[colour, square] |= (nearest[key] < FAR) << action
