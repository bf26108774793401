"""The way of the next box of the plan as if boxes could be passed: who is in the way?

Of all boxes the one is taken whose way to the square that the plan fills next meets the fewest other boxes, on squares
where it must go or where the player must stand, his first walk included. What stands on that way is to be cleared first.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Bytes, Ints, Shorts, Whole

MAX_COST = 15
PACKED_COST = 3
"""What a box counts that is packed already; others count 1."""


class Route(NamedTuple):
    """Room for one search; N squares."""

    cost: Ints
    """Shape (4 N,): boxes met from a key (`ai.sokoban.distance`) on."""
    onward: Ints
    """Shape (4 N,): the key after the next push, -1 at the end."""
    heads: Ints
    """Shape (MAX_COST + 3,): first key or square of each cost."""
    chain: Ints
    """Shape (4 N,): the next one of the same cost."""
    access: Ints
    """Shape (N,): boxes that the player meets on his walk to a square."""
    back: Ints
    """Shape (N,): the square before on that walk, -1 at its start."""
    on: Bytes
    """Shape (N,): 1 on the way of the last search."""


def make_route(squares: int) -> Route:
    """Room for a board of so many squares."""

    def ints(size: int) -> Ints:
        return np.zeros(size, dtype=np.int32)

    return Route(
        ints(4 * squares), ints(4 * squares), ints(MAX_COST + 4), ints(4 * squares), ints(squares), ints(squares),
        np.zeros(squares, dtype=np.uint8),
    )  # fmt: skip


@lean
def _price(occupied: Bytes, packed: Bytes, square: Whole) -> int:
    if not occupied[square]:
        return 0
    return PACKED_COST if packed[square] else 1


@lean
def find_route(
    ground: Ground,
    occupied: Bytes,
    packed: Bytes,
    boxes: Shorts,
    fits: Bytes,
    player: Whole,
    origin: Whole,
    goal: Whole,
    pulls: bool,
    route: Route,
) -> int:
    """Mark the way with the fewest boxes on it in `route.on`; returns how many there are, MAX_COST for no way.

    Args:
        ground: the level.
        occupied: 1 where a box is, shape (N,).
        packed: 1 on squares that the plan has filled, shape (N,).
        boxes: shape (n,).
        fits: 1 for the boxes that may go, shape (n,).
        player: his square.
        origin: the square of the box that has to go, -1 for one of those that fit.
        goal: where it goes.
        pulls: boxes are pulled instead of pushed.
        route: room, and the answer.
    """
    steps, part = ground.steps, ground.part
    cost, onward, heads, chain = route.cost, route.onward, route.heads, route.chain
    access, back = route.access, route.back
    route.on[:] = 0
    heads[:] = -1
    access[:] = 1 << 20
    access[player], back[player], chain[player] = 0, -1, -1
    heads[0] = player
    for level in range(MAX_COST):
        while heads[level] >= 0:
            square = heads[level]
            heads[level] = chain[square]
            if access[square] != level:
                continue
            for action in range(4):
                other = steps[square, action]
                if other < 0:
                    continue
                price = level + _price(occupied, packed, other)
                if price < access[other] and price < MAX_COST:
                    access[other] = price
                    back[other] = square
                    chain[other] = heads[price]
                    heads[price] = other
    heads[:] = -1
    cost[:] = 1 << 20
    for side in range(4):
        key = goal * 4 + side
        cost[key], onward[key] = 0, -1
        chain[key] = heads[0]
        heads[0] = key
    for level in range(MAX_COST):
        while heads[level] >= 0:
            key = heads[level]
            heads[level] = chain[key]
            if cost[key] != level:
                continue
            square = key // 4
            for action in range(4):
                before = steps[square, action]
                if before < 0:
                    continue
                beyond = steps[square, (action + 2) % 4] if pulls else steps[before, action]
                # where the player stands before this move of the box, and after it
                stand, end = (square, beyond) if pulls else (beyond, before)
                if beyond < 0 or part[square, end] != key % 4:
                    continue
                earlier = before * 4 + part[before, stand]
                price = level + _price(occupied, packed, square) + _price(occupied, packed, beyond)
                if price < cost[earlier] and price < MAX_COST:
                    cost[earlier] = price
                    onward[earlier] = key
                    chain[earlier] = heads[price]
                    heads[price] = earlier
    best, chosen = 1 << 20, np.int64(-1)
    for index in range(len(boxes)):
        box = np.int64(boxes[index])
        if box == goal or (origin >= 0 and box != origin) or (origin < 0 and not fits[index]):
            continue
        key = box * 4 + part[box, player]
        if cost[key] >= MAX_COST:
            continue
        after = onward[key] // 4
        stand = box
        for action in range(4):
            if steps[box, action] == after:
                stand = after if pulls else steps[box, (action + 2) % 4]
        whole = cost[key] + access[stand]
        if whole < best:
            best, chosen = whole, box
    if chosen < 0:
        return MAX_COST
    key = chosen * 4 + part[chosen, player]
    first = True
    while onward[key] >= 0:
        square, after = key // 4, onward[key] // 4
        for action in range(4):
            if steps[square, action] == after:
                stand = after if pulls else steps[square, (action + 2) % 4]
                route.on[stand] = 1
                if pulls:
                    route.on[steps[after, action]] = 1
                if first:
                    while back[stand] >= 0:
                        stand = back[stand]
                        route.on[stand] = 1
        first = False
        route.on[after] = 1
        key = onward[key]
    route.on[chosen] = 0
    return min(best, MAX_COST)
