"""A room played backwards by chance: the fast way to scatter its boxes.

Several walks of random pulls begin with every box on its target; the best position of all counts, by the score of
`ai.sokoban.rooms.reverse` (box swaps * sum of displacements). Of two random pulls the one is made that takes its box
further from its target. The player goes to wherever it can reach, so that a few dozen pulls scatter the boxes about as far
as tens of thousands of positions of a depth-first search do.
"""

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below
from ai.sokoban.board.layout import Bytes, Ints, Longs
from ai.sokoban.rooms.carve import FREE, Cells, Places

WALKS = 8
"""Walks for a room."""
PULLS = 40
"""Pulls of a walk."""


@kernel
def _gain(now: Places, homes: Places, deltas: Longs, cols: int, choice: int) -> int:
    """By how much the pull 4 * box + way would move that box away from its target: 1 or -1."""
    old, home = int(now[choice >> 2]), int(homes[choice >> 2])
    new = int(old + deltas[choice & 3])
    before = abs(old // cols - home // cols) + abs(old % cols - home % cols)
    return abs(new // cols - home // cols) + abs(new % cols - home % cols) - before


@kernel
def wander(
    at: Cells,
    cols: int,
    player: int,
    homes: Places,
    is_home: Bytes,
    stream: Stream,
    walks: int,
    pulls: int,
    places: Places,
    path: Places,
    scratch: Ints,
) -> tuple[int, int, int, int]:
    """Play backwards from every box on its target; returns what `reverse_search` returns.

    Args:
        at: as for `reverse_search`.
        cols: as there.
        player: as there.
        homes: as there.
        is_home: as there.
        stream: random numbers.
        walks: how many walks.
        pulls: pulls of a walk, at most the length of `path`.
        places: as for `reverse_search`.
        path: as there.
        scratch: int32 (2 * cells + 8 * boxes + pulls,) at least.
    """
    boxes, cells = len(homes), len(at)
    deltas = np.array([-cols, cols, -1, 1])
    now = homes.copy()
    best, best_player, best_pulls, count, stamp = 0, player, 0, 0, 0
    reached, queue = scratch[:cells], scratch[cells : 2 * cells]
    ways = scratch[2 * cells : 2 * cells + 8 * boxes]
    taken = scratch[2 * cells + 8 * boxes :]
    reached[:] = 0
    for _ in range(walks):
        for box in range(boxes):
            at[now[box]] = FREE
        for box in range(boxes):
            now[box] = homes[box]
            at[now[box]] = box
        here, last, back = player, -1, -1
        covered, displaced, swaps = boxes, 0, 0
        for number in range(pulls):
            count += 1
            stamp += 1
            reached[here] = stamp
            queue[0] = here
            size = 1
            while size:
                size -= 1
                square = queue[size]
                for way in range(4):
                    other = square + deltas[way]
                    if at[other] == FREE and reached[other] != stamp:
                        reached[other] = stamp
                        queue[size] = other
                        size += 1
            options = 0
            for box in range(boxes):
                for way in range(4):
                    stand = now[box] + deltas[way]
                    if reached[stand] == stamp and at[stand + deltas[way]] == FREE and 4 * box + way != back:
                        ways[options] = 4 * box + way
                        options += 1
            if options == 0:
                break
            choice = ways[below(stream, options)]
            other = ways[below(stream, options)]
            if _gain(now, homes, deltas, cols, other) > _gain(now, homes, deltas, cols, choice):
                choice = other
            box, way = choice >> 2, choice & 3
            displaced += _gain(now, homes, deltas, cols, choice)
            old = int(now[box])
            stand = int(old + deltas[way])
            here = int(stand + deltas[way])
            taken[number] = 4 * old + way
            at[old], at[stand] = FREE, box
            now[box] = stand
            covered += (1 if is_home[stand] else 0) - (1 if is_home[old] else 0)
            if box != last:
                swaps += 1
            last, back = box, 4 * box + (way ^ 1)
            if covered == 0 and swaps * displaced > best and not is_home[here]:
                best, best_player, best_pulls = swaps * displaced, here, number + 1
                places[:] = now
                for index in range(best_pulls):
                    path[index] = taken[index]
    for box in range(boxes):
        at[now[box]] = FREE
    for box in range(boxes):
        at[homes[box]] = box
    return best, best_player, best_pulls, count
