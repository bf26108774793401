"""A room played backwards by depth-first search over steps and pulls: the established way to scatter its boxes.

The search begins with every box on its target and looks for the position with the best score. Its limits are those of
gym-sokoban: 299 positions on a path, 300,000 positions in all; and so is the order: pulls up, down, left, right (a
plain step where no box is behind the player), then steps in the same order. A position is the player's square with the
squares of the boxes; like there, a box that was moved and came back counts as another one than a box that never was.

score = box swaps * sum of the boxes' displacements (Manhattan, each from its own target), and 0 while a box or the
player stands on a target. A swap is a pull of another box than the last one; with `every_pull` each pull counts as one,
which is what gym-sokoban's program does.
"""

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Words
from ai.sokoban.rooms.carve import FREE, Cells, Places

DEPTH = 299
"""Positions on a path at most, the first included."""
LIMIT = 300_000
"""Positions in all."""
TABLE = 1 << 19
"""Length of the hash table of box sets at most."""
_FIRST_TABLE = 1 << 10

# Columns of a frame of the stack.
PLAYER, BOXES, NEXT, SWAPS, LAST, PULLED = range(6)
FRAME = 6


@kernel
def _enter(word: np.uint64, words: Words, seen: Words, table: Ints, sizes: Ints, width: int) -> int:
    """The number of the box set with that hash; a new one gets the next number and an empty row in `seen`.

    Sets are told apart by 64 bits alone: mistaking one for another would only end a path of the search too early.

    Args:
        word: hash of the box set.
        words: the hash of every set so far.
        seen: for every set the squares on which the player stood, bit by bit, `width` words each.
        table: number + 1 of a set at the place of its hash, 0 where none is.
        sizes: how many sets there are, and the part of the table in use (a power of two).
        width: words of a row of `seen`.
    """
    place = np.int64(word) & (sizes[1] - 1)
    while table[place]:
        if words[table[place] - 1] == word:
            return int(table[place] - 1)
        place = (place + 1) & (sizes[1] - 1)
    number = int(sizes[0])
    sizes[0] += 1
    words[number] = word
    seen[number * width : (number + 1) * width] = np.uint64(0)
    table[place] = number + 1
    if 2 * sizes[0] > sizes[1] and sizes[1] < len(table):
        sizes[1] *= 2
        table[: sizes[1]] = 0
        for old in range(sizes[0]):
            place = np.int64(words[old]) & (sizes[1] - 1)
            while table[place]:
                place = (place + 1) & (sizes[1] - 1)
            table[place] = old + 1
    return number


@kernel
def reverse_search(
    at: Cells,
    cols: int,
    player: int,
    homes: Places,
    is_home: Bytes,
    every_pull: bool,
    limit: int,
    places: Places,
    path: Places,
    marks: Words,
    words: Words,
    seen: Words,
    table: Ints,
    stack: Ints,
    far: Ints,
) -> tuple[int, int, int, int]:
    """Play backwards from every box on its target.

    Args:
        at: the room with the boxes on their targets; left so.
        cols: its columns.
        player: the player's square.
        homes: the target of each box.
        is_home: 1 on targets, shape (cells,).
        every_pull: whether each pull counts as a swap.
        limit: positions in all, at most `LIMIT`.
        places: filled with the square of each box in the best position.
        path: filled with the pulls that lead there, each 4 * (square of the box before) + (0 up, 1 down, 2 left, 3
            right); shape (DEPTH,).
        marks: random numbers, uint64 (2 * cells,): what a box on a square adds to the hash, moved or never moved.
        words: scratch, uint64 (limit,).
        seen: scratch, uint64 (limit * ceil(cells / 64),).
        table: scratch, int32 (TABLE,).
        stack: scratch, int32 (DEPTH, FRAME).
        far: scratch, int32 (boxes * cells,).

    Returns:
        (score of the best position, the player's square in it, pulls to it, positions looked at). The score is 0 where
        no position has every box off the targets.
    """
    boxes, width, cells = len(homes), (len(at) + 63) >> 6, len(at)
    sizes = np.zeros(2, np.int32)
    sizes[1] = _FIRST_TABLE
    table[:_FIRST_TABLE] = 0
    deltas = np.array([-cols, cols, -1, 1])
    pulls = np.zeros(boxes, np.int32)
    now = homes.copy()
    word = np.uint64(0)
    for box in range(boxes):
        word ^= marks[homes[box]]
        row, col = homes[box] // cols, homes[box] % cols
        for square in range(cells):
            far[box * cells + square] = abs(square // cols - row) + abs(square % cols - col)
    covered, displaced = boxes, 0
    best, best_player, best_pulls = 0, player, 0
    number = _enter(word, words, seen, table, sizes, width)
    seen[number * width + (player >> 6)] |= np.uint64(1) << np.uint64(player & 63)
    count, depth = 1, 0
    stack[0, PLAYER], stack[0, BOXES], stack[0, NEXT] = player, number, 0
    stack[0, SWAPS], stack[0, LAST], stack[0, PULLED] = 0, -1, -1
    while depth >= 0:
        step = stack[depth, NEXT]
        if step == 8 or depth == DEPTH - 1 or count >= limit:
            box = int(stack[depth, PULLED])
            depth -= 1
            if box >= 0:
                here = int(stack[depth, PLAYER])
                behind = int(here - deltas[(stack[depth, NEXT] - 1) & 3])
                at[here], at[behind] = FREE, box
                now[box] = behind
                pulls[box] -= 1
                word ^= marks[cells + here] ^ marks[(cells if pulls[box] else 0) + behind]
                covered += (1 if is_home[behind] else 0) - (1 if is_home[here] else 0)
                displaced += far[box * cells + behind] - far[box * cells + here]
            continue
        stack[depth, NEXT] = step + 1
        delta = int(deltas[step & 3])
        here = int(stack[depth, PLAYER])
        there = here + delta
        if at[there] != FREE:
            continue
        behind = here - delta
        box = int(at[behind])
        number = int(stack[depth, BOXES])
        after = word
        if step >= 4:
            if box < 0:
                continue
            box = -1
        elif box >= 0:
            after ^= marks[(cells if pulls[box] else 0) + behind] ^ marks[cells + here]
            number = _enter(after, words, seen, table, sizes, width)
        place = number * width + (there >> 6)
        bit = np.uint64(1) << np.uint64(there & 63)
        if seen[place] & bit:
            continue
        seen[place] |= bit
        count += 1
        swaps, last = stack[depth, SWAPS], stack[depth, LAST]
        if box >= 0:
            word = after
            at[behind], at[here] = FREE, box
            now[box] = here
            pulls[box] += 1
            covered += (1 if is_home[here] else 0) - (1 if is_home[behind] else 0)
            displaced += far[box * cells + here] - far[box * cells + behind]
            if every_pull or box != last:
                swaps += 1
            last = box
        depth += 1
        stack[depth, PLAYER], stack[depth, BOXES], stack[depth, NEXT] = there, number, 0
        stack[depth, SWAPS], stack[depth, LAST], stack[depth, PULLED] = swaps, last, box
        if covered == 0 and swaps * displaced > best and not is_home[there]:
            best, best_player = swaps * displaced, there
            places[:] = now
            best_pulls = 0
            for level in range(1, depth + 1):
                if stack[level, PULLED] >= 0:
                    way = (stack[level - 1, NEXT] - 1) & 3
                    path[best_pulls] = 4 * (stack[level - 1, PLAYER] - deltas[way]) + way
                    best_pulls += 1
    return best, best_player, best_pulls, count
