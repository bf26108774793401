"""Which pushes the policy network chooses from, and how likely each is to it.

A push is one number: the square of the box * 4 + its direction. A push is legal where the player gets behind the box and
the square ahead is free; those onto dead squares are left out.
"""

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Whole, Words
from ai.sokoban.board.successors import flood
from ai.sokoban.policy.features import BOX, DEAD, REACHED, Floats


@kernel
def legal_pushes(steps: Ints, seen: Floats, found: Ints) -> int:
    """Write the pushes of a position into `found`, shape (4 n,); returns how many there are.

    Args:
        steps: Neighbours, shape (N, 4).
        seen: What the network sees of the position, shape (N, PLANES).
        found: The answer, in ascending order.
    """
    count = 0
    for square in range(len(steps)):
        if seen[square, BOX] == 0.0:
            continue
        for action in range(4):
            ahead, stand = steps[square, action], steps[square, (action + 2) % 4]
            if ahead < 0 or stand < 0 or seen[ahead, BOX] > 0.0 or seen[ahead, DEAD] > 0.0:
                continue
            if seen[stand, REACHED] > 0.0:
                found[count] = square * 4 + action
                count += 1
    return count


@kernel
def weigh(steps: Ints, seen: Floats, logits: Floats, found: Ints, logs: Floats) -> int:
    """`legal_pushes`, and the logarithm of the probability of each into `logs`, shape (4 n,)."""
    count = legal_pushes(steps, seen, found)
    highest = np.float32(-np.inf)
    for number in range(count):
        highest = max(highest, logits[found[number] // 4, found[number] % 4])
    total = np.float64(0.0)
    for number in range(count):
        logs[number] = logits[found[number] // 4, found[number] % 4] - highest
        total += np.exp(np.float64(logs[number]))
    for number in range(count):
        logs[number] -= np.float32(np.log(total))
    return count


@kernel
def situation(
    steps: Ints, occupied: Bytes, player: Whole, words: Words, marks: Ints, stamp: Whole, queue: Ints
) -> np.uint64:
    """A word for the boxes and the part of the floor that the player is in; `words` has shape (3, N)."""
    word = words[1, flood(steps, occupied, marks, stamp, player, queue)]
    for square in range(len(steps)):
        if occupied[square]:
            word ^= words[0, square]
    return np.uint64(word)
