"""Positions of boxes that differ little from those on a solution: one or two boxes stand a few squares away.

Most detours of a solution are repaired by positions near it. Searching only among those (whether or not they can be
reached is the search's matter) goes much further along the solution than searching everything. JSoko and YASS, programs
that shorten solutions, look at such a vicinity too.
"""

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Words
from ai.sokoban.search.hashing import add


@kernel
def nearby(steps: Ints, alive: Bytes, near: Ints, queue: Ints, seen: Ints) -> None:
    """Fill `near`, shape (N, K): the K live squares nearest to each square, itself apart; -1 where there are fewer.

    Args:
        steps: neighbours, shape (N, 4).
        alive: shape (N,).
        near: the answer.
        queue: scratch, shape (N,).
        seen: scratch, shape (N,), no value in it from 1 to N.
    """
    near[:] = -1
    for start in range(len(steps)):
        queue[0] = start
        seen[start] = start + 1
        first, last, count = 0, 1, 0
        while first < last and count < near.shape[1]:
            square = queue[first]
            first += 1
            if square != start and alive[square]:
                near[start, count] = square
                count += 1
            for action in range(4):
                other = steps[square, action]
                if other >= 0 and seen[other] != start + 1:
                    seen[other] = start + 1
                    queue[last] = other
                    last += 1


@kernel
def mark_vicinity(words: Words, near: Ints, places: Shorts, allowed: Words, first: int, last: int) -> None:
    """Add the rows `first` up to `last` of `places` and all that differs from them by one or two boxes.

    Args:
        words: shape (3, N), Zobrist words of a box in the first row.
        near: from `nearby`.
        places: shape (positions, n): the boxes of each position of the solution.
        allowed: the hash set, with room for `room` words a row.
        first: first row.
        last: behind the last row.
    """
    for row in range(first, last):
        word = np.uint64(0)
        for slot in range(places.shape[1]):
            word ^= words[0, places[row, slot]]
        add(allowed, word)
        for slot in range(places.shape[1]):
            here = places[row, slot]
            for near_here in range(near.shape[1]):
                if near[here, near_here] < 0:
                    break
                one = word ^ words[0, here] ^ words[0, near[here, near_here]]
                add(allowed, one)
                for other in range(slot):
                    there = places[row, other]
                    for near_there in range(near.shape[1]):
                        if near[there, near_there] < 0:
                            break
                        add(allowed, one ^ words[0, there] ^ words[0, near[there, near_there]])


def room(size: int, spread: int) -> int:
    """Words that one position of `size` boxes adds at most, boxes moved to `spread` squares each."""
    return 1 + size * spread + size * (size - 1) // 2 * spread * spread
