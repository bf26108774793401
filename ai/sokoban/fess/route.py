"""The way of the next box of the plan as if boxes could be passed: who is in the way?

Of all boxes the one is taken whose way to the square that the plan fills next meets the fewest other boxes, on squares
where it must go or where the player must stand, his first walk included. What stands on that way is to be cleared first.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole

MAX_COST = 15
PACKED_COST = 3
"""What a box counts that is packed already; others count 1."""


class Route(NamedTuple):
    """Room for one search; N squares.

    A node is a key (`ai.sokoban.board.distance`) of the box, or 4 N + a square of the player's walk.
    """

    cost: Ints
    """Shape (5 N,): boxes met from a node on."""
    onward: Ints
    """Shape (5 N,): the node after this one, -1 at the end."""
    heads: Ints
    """Shape (MAX_COST + 1,): the first entry of each cost, -1 for none, and how many entries there are."""
    chain: Ints
    """Shape (5 N MAX_COST,): the next entry of the same cost. A node has one for every cost that it was come by at."""
    node: Ints
    """Shape (5 N MAX_COST,): the node of an entry."""
    price: Bytes
    """Shape (N,): what a box counts that is met there, 0 for none."""
    on: Bytes
    """Shape (N,): 1 on the way of the last search."""


def make_route(squares: int) -> Route:
    """Room for a board of so many squares."""

    def ints(size: int) -> Ints:
        return np.zeros(size, dtype=np.int32)

    nodes = 5 * squares
    return Route(
        ints(nodes), ints(nodes), ints(MAX_COST + 1), ints(nodes * MAX_COST), ints(nodes * MAX_COST),
        np.zeros(squares, dtype=np.uint8), np.zeros(squares, dtype=np.uint8),
    )  # fmt: skip


@lean
def _put(route: Route, node: Whole, price: Whole, onward: Whole) -> None:
    """Let a node wait for its turn, if it was not come by more cheaply."""
    if price < MAX_COST and price < route.cost[node]:
        route.cost[node] = price
        route.onward[node] = onward
        entry = route.heads[MAX_COST]
        route.heads[MAX_COST] += 1
        route.node[entry] = node
        route.chain[entry] = route.heads[price]
        route.heads[price] = entry


@lean
def _goes(boxes: Shorts, fits: Bytes, origin: Whole, box: Whole) -> bool:
    """Whether this box may make the step."""
    if origin >= 0:
        return bool(box == origin)
    for index in range(len(boxes)):
        if boxes[index] == box:
            return bool(fits[index])
    return False


@lean
def _stand(steps: Ints, box: Whole, after: Whole, pulls: bool) -> Whole:
    """Where the player is who moves a box to the square `after` beside it."""
    if pulls:
        return after
    for action in range(4):
        if steps[box, action] == after:
            return np.int64(steps[box, action ^ 2])
    return -1


@lean
def _mark(steps: Ints, pulls: bool, route: Route, node: Whole) -> None:
    """Mark the way from a node to the end."""
    walks = 4 * len(steps)
    while node >= walks:
        route.on[node - walks] = 1
        node = np.int64(route.onward[node])
    box = node >> 2
    while route.onward[node] >= 0:
        onward = np.int64(route.onward[node])
        square, after = node >> 2, onward >> 2
        route.on[_stand(steps, square, after, pulls)] = 1
        if pulls:
            for action in range(4):
                if steps[square, action] == after:
                    route.on[steps[after, action]] = 1
        route.on[after] = 1
        node = onward
    route.on[box] = 0


@lean
def find_route(
    ground: Ground, boxes: Shorts, fits: Bytes, player: Whole, reach: Ints,
    stamp: Whole, origin: Whole, goal: Whole, pulls: bool, route: Route,
) -> Whole:  # fmt: skip
    """Mark the way with the fewest boxes on it in `route.on`; returns how many there are, MAX_COST for no way.

    The search goes back from the goal, along the way of the box and then of the player, until it is where he can be.

    Args:
        ground: the level.
        boxes: shape (n,).
        fits: 1 for the boxes that may go, shape (n,).
        player: his square.
        reach: `stamp` where he can be, shape (N,).
        stamp: see `reach`.
        origin: the square of the box that has to go, -1 for one of those that fit.
        goal: where it goes.
        pulls: boxes are pulled instead of pushed.
        route: room, with `price` set, and the answer.
    """
    steps, part, walks = ground.steps, ground.part, 4 * len(ground.steps)
    cost, onward, heads, prices = route.cost, route.onward, route.heads, route.price
    route.on[:] = 0
    heads[:] = -1
    heads[MAX_COST] = 0
    cost[:] = MAX_COST
    for side in range(4):
        _put(route, goal * 4 + side, 0, -1)
    for level in range(MAX_COST):
        while heads[level] >= 0:
            node = np.int64(route.node[heads[level]])
            heads[level] = route.chain[heads[level]]
            if cost[node] != level:
                continue
            if node >= walks:
                if reach[node - walks] == stamp:
                    _mark(steps, pulls, route, node)
                    return level
                for action in range(4):
                    other = np.int64(steps[node - walks, action])
                    if other >= 0:
                        _put(route, walks + other, level + prices[other], node)
                continue
            square = node >> 2
            for action in range(4):
                before = np.int64(steps[square, action])
                if before < 0:
                    continue
                beyond = np.int64(steps[square, action ^ 2] if pulls else steps[before, action])
                # where the player stands before this move of the box, and after it
                stand, end = (square, beyond) if pulls else (beyond, before)
                if beyond < 0 or part[square, end] != node & 3:
                    continue
                price = level + prices[square] + prices[beyond]
                _put(route, before * 4 + part[before, stand], price, node)
            here = prices[square] and square != goal and part[square, player] == node & 3
            if here and _goes(boxes, fits, origin, square):
                _put(route, walks + _stand(steps, square, onward[node] >> 2, pulls), level, node)
    return MAX_COST
