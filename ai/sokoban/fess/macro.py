"""Macro moves: everything that one box can do while all others stay put, as one step of a search.

A box in motion is a node `square * 4 + side`: where it is, and from which side the player stands at it; sides that the
player can walk between are one node, named after the first of them. Whether he can is read off the biconnected
components (blocks) of the free squares without the box: two neighbours of a square are joined without that square
exactly when their edges to it lie in one block. The blocks are found once for a position, with all boxes in place: a box
that is taken away joins those between its neighbours into one, which are on a path of the tree of blocks.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Whole

_SOLID = 2**31 - 1


class Motion(NamedTuple):
    """Room for the moves of one box; `nodes[:count]` are found, nearest first."""

    block: Ints
    """Shape (4 N,): block of the edge from a square in a direction, where both ends are free."""
    name: Ints
    """Shape (4 N + 4,): what a block is called while a box is away; blocks of one name are one."""
    top: Ints
    """Shape (4 N + 4,): the square of a block that was found first."""
    above: Ints
    """Shape (N,): the block in which a square was found, -1 where a search began."""
    root: Ints
    """Shape (N,): where the search that found a square began."""
    renamed: Ints
    """Shape (4 N + 4,): blocks whose name is not their own."""
    sizes: Ints
    """Shape (2,): how many blocks there are, and how many are renamed."""
    seen: Ints
    """Shape (N + 1,): the how manieth a square was found, _SOLID where a box is and for the wall, which comes last."""
    low: Ints
    """Shape (N,)."""
    came: Ints
    """Shape (N,): direction back to the square from which this one was found."""
    turn: Ints
    """Shape (N,): next direction to look at."""
    edges: Ints
    """Shape (4 N,)."""
    clock: Ints
    """Shape (1,): of `mark`."""
    mark: Ints
    """Shape (4 N,): the clock of the search that found a node."""
    nodes: Ints
    """Shape (4 N,)."""
    length: Ints
    """Shape (4 N,): moves of the box to a node found."""
    before: Ints
    """Shape (4 N,): how a node was come by: the node before * 4 + the side from which it was left, -1 at the start."""


def make_motion(squares: int) -> Motion:
    """Room for boxes on a board of so many squares."""

    def ints(size: int) -> Ints:
        return np.zeros(size, dtype=np.int32)

    seen = ints(squares + 1)
    seen[0] = _SOLID
    return Motion(
        ints(4 * squares), ints(4 * squares + 4), ints(4 * squares + 4), ints(squares), ints(squares),
        ints(4 * squares + 4), ints(2), seen, ints(squares), ints(squares), ints(squares),
        ints(4 * squares), ints(1), ints(4 * squares), ints(4 * squares), ints(4 * squares), ints(4 * squares),
    )  # fmt: skip


@lean
def label_blocks(steps: Ints, occupied: Bytes, motion: Motion) -> None:
    """Number the blocks of the free squares (Hopcroft and Tarjan 1973, an explicit stack), with every box in place."""
    block, seen, low, came, turn = motion.block, motion.seen, motion.low, motion.came, motion.turn
    edges, name, top, above, root = motion.edges, motion.name, motion.top, motion.above, motion.root
    for each in range(len(steps)):
        seen[each + 1] = _SOLID if occupied[each] else 0
    now: Whole = 0
    blocks, waiting = 0, 0
    for start in range(len(steps)):
        if seen[start + 1]:
            continue
        now += 1
        seen[start + 1] = now
        above[start], root[start] = -1, start
        came[start] = -1
        # where the search is; what it knows of the squares behind it is in `low`, `turn` and `came`
        square: Whole = np.int64(start)
        side: Whole = 0
        back: Whole = -1
        mine = now
        lowest = now
        while True:
            if side < 4:
                other = np.int64(steps[square, side])
                found = np.int64(seen[other + 1])
                if found == 0:
                    edges[waiting] = square * 4 + side
                    waiting += 1
                    low[square], turn[square] = lowest, side + 1
                    now += 1
                    back = side ^ 2
                    seen[other + 1], came[other], root[other] = now, back, start
                    square, side = other, 0
                    mine = lowest = now
                    continue
                if found < mine and side != back:
                    edges[waiting] = square * 4 + side
                    waiting += 1
                    lowest = min(lowest, found)
                side += 1
                continue
            if back < 0:
                break
            parent = np.int64(steps[square, back])
            mine = np.int64(seen[parent + 1])
            if lowest >= mine:
                last = parent * 4 + (back ^ 2)
                while True:
                    waiting -= 1
                    edge = np.int64(edges[waiting])
                    goal, away = np.int64(steps[edge >> 2, edge & 3]), edge & 3 ^ 2
                    block[edge] = blocks
                    block[goal * 4 + away] = blocks
                    if came[goal] == away:
                        above[goal] = blocks
                    if edge == last:
                        break
                top[blocks] = parent
                name[blocks] = blocks
                blocks += 1
            square, side, back = parent, np.int64(turn[parent]), np.int64(came[parent])
            lowest = min(np.int64(low[parent]), lowest)
    motion.sizes[0], motion.sizes[1] = blocks, 0


@lean
def _lift(steps: Ints, occupied: Bytes, box: Whole, motion: Motion) -> None:
    """Take a box away from the position whose blocks are numbered: name the blocks that it held apart alike."""
    block, name, top, above, root = motion.block, motion.name, motion.top, motion.above, motion.root
    seen, renamed = motion.seen, motion.renamed
    for index in range(motion.sizes[1]):
        name[renamed[index]] = renamed[index]
    count = 0
    blocks = motion.sizes[0]
    for side in range(4):
        other = steps[box, side]
        if other < 0 or occupied[other]:
            continue
        mine = blocks + side
        name[mine] = mine
        for earlier in range(side):
            one = steps[box, earlier]
            if one < 0 or occupied[one] or root[one] != root[other]:
                continue
            mine = block[box * 4 + earlier]
            two = other
            while one != two:
                if seen[one + 1] < seen[two + 1]:
                    one, two = two, one
                between = above[one]
                if name[between] == between:
                    renamed[count] = between
                    count += 1
                name[between] = mine
                one = top[between]
            break
        block[box * 4 + side] = mine
        block[other * 4 + (side + 2) % 4] = mine
    motion.sizes[1] = count


@lean
def node_of(steps: Ints, occupied: Bytes, block: Ints, name: Ints, square: Whole, side: Whole) -> Whole:
    """The node of a box on `square` with the player on `side` of it."""
    mine = name[block[square * 4 + side]]
    for first in range(side):
        other = steps[square, first]
        if other >= 0 and not occupied[other] and name[block[square * 4 + first]] == mine:
            return square * 4 + first
    return square * 4 + side


@lean
def pieces(steps: Ints, occupied: Bytes, block: Ints, name: Ints, square: Whole) -> int:
    """Into how many pieces the free squares around `square` fall when a box is put on it."""
    count = 0
    for side in range(4):
        other = steps[square, side]
        if other >= 0 and not occupied[other]:
            count += node_of(steps, occupied, block, name, square, side) == square * 4 + side
    return count


@lean
def macro_moves(
    ground: Ground,
    occupied: Bytes,
    box: Whole,
    reach: Ints,
    stamp: Whole,
    pulls: bool,
    allowed: Whole,
    motion: Motion,
) -> int:
    """Everywhere that a box can be pushed (or pulled) while the others stay; returns how many nodes were found.

    The blocks of the position with the box have been numbered. The nodes stand in `motion.nodes`, those that need no
    move first: a box that stays put, seen from every side that the player can reach.

    Args:
        ground: the level.
        occupied: 1 where a box is, shape (N,), without this one.
        box: its square.
        reach: `stamp` where the player gets, shape (N,).
        stamp: see `reach`.
        pulls: the player pulls instead of pushing, and no square is dead.
        allowed: directions of the first push, a bit each.
        motion: room, and the answer.
    """
    steps, block, name, mark, nodes = ground.steps, motion.block, motion.name, motion.mark, motion.nodes
    length, came_by = motion.length, motion.before
    pushable = ground.pushable[0]
    _lift(steps, occupied, box, motion)
    if motion.clock[0] > 2**30:
        mark[:] = 0
        motion.clock[0] = 0
    motion.clock[0] += 1
    now = motion.clock[0]
    count = 0
    for side in range(4):
        other = steps[box, side]
        if other >= 0 and not occupied[other] and reach[other] == stamp:
            node = node_of(steps, occupied, block, name, box, side)
            if mark[node] != now:
                mark[node] = now
                length[node] = 0
                came_by[node] = -1
                nodes[count] = node
                count += 1
    looked = 0
    while looked < count:
        node = np.int64(nodes[looked])
        looked += 1
        square = node >> 2
        mine = name[block[node]]
        for side in range(node & 3, 4):
            stand = np.int64(steps[square, side])
            if stand < 0 or occupied[stand] or name[block[square * 4 + side]] != mine:
                continue
            if pulls:
                goal = stand
                beyond = steps[goal, side]
                if beyond < 0 or occupied[beyond]:
                    continue
            else:
                direction = side ^ 2
                goal = np.int64(steps[square, direction])
                if not pushable[square] >> direction & 1 or occupied[goal]:
                    continue
                if length[node] == 0 and not allowed >> direction & 1:
                    continue
            after = node_of(steps, occupied, block, name, goal, side)
            if mark[after] != now:
                mark[after] = now
                length[after] = length[node] + 1
                came_by[after] = node * 4 + side
                nodes[count] = after
                count += 1
    return count
