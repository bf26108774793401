"""Sokoban paths: where the player can walk, where one box can be pushed, and the shortest ways there.

Pushing one box is a search over (square of the box, side on which the player stands), all other boxes being walls.
Whether the player gets from one side of the box to another is looked up in the biconnected components of the free
squares: two neighbours of a square are joined without it exactly when their edges to it lie in one component. So
even a 64×64 hall is searched in one pass.
"""

from collections import deque
from functools import lru_cache

from game.rules.sokoban_board import State, Warehouse

_Side = tuple[int, int]
"""(square of the box, direction from the box to the player)."""


def reachable(state: State) -> frozenset[int]:
    """The squares to which the player can walk without pushing, its own included."""
    return frozenset(_walks(state.warehouse, state.boxes, state.player, None))


def walk_path(state: State, square: int) -> tuple[int, ...] | None:
    """The shortest walk to `square` that pushes nothing; None where there is none."""
    return _walk(state.warehouse, state.boxes, state.player, square)


def push_targets(state: State, box: int) -> frozenset[int]:
    """The other squares to which `box` can be pushed while every other box stays put; empty if `box` is no box."""
    if box not in state.boxes:
        return frozenset()
    return frozenset(square for square, _ in _pushes(state, box)) - {box}


def push_path(state: State, box: int, square: int) -> tuple[int, ...] | None:
    """The actions that bring `box` to `square`, every other box staying put; None where there are none.

    Fewest pushes first, then fewest moves.
    """
    if box not in state.boxes:
        return None
    if box == square:
        return ()
    depth = _pushes(state, box)
    ends = [side for side in depth if side[0] == square]
    if not ends:
        return None
    warehouse, others = state.warehouse, state.boxes - {box}
    layers = _layers(state, box, depth, ends)
    ways: dict[_Side, tuple[int, ...]] = {}
    for side in range(4):
        walk = _walk(warehouse, state.boxes, state.player, warehouse.steps[box][side])
        after = (_beyond(warehouse, others, box, side), side)
        if walk is not None and after in layers[0]:
            ways[after] = (*walk, (side + 2) % 4)
    for layer in layers[1:]:
        longer: dict[_Side, tuple[int, ...]] = {}
        for (at, stood), way in ways.items():
            blocked = others | {at}
            for side in range(4):
                after = (_beyond(warehouse, others, at, side), side)
                if after not in layer:
                    continue
                walk = _walk(warehouse, blocked, warehouse.steps[at][stood], warehouse.steps[at][side])
                if walk is not None and (after not in longer or len(way) + len(walk) + 1 < len(longer[after])):
                    longer[after] = (*way, *walk, (side + 2) % 4)
        ways = longer
    return min(ways.values(), key=len)


def _pushes(state: State, box: int) -> dict[_Side, int]:
    """For every place right after a push, (square of the box, side of the player), the fewest pushes to it."""
    warehouse, others = state.warehouse, state.boxes - {box}
    parts = _components(warehouse, others, box)
    walks = reachable(state)
    depth: dict[_Side, int] = {}
    queue: deque[_Side] = deque()

    def push(at: int, side: int, count: int) -> None:
        after = (_beyond(warehouse, others, at, side), side)
        if after[0] >= 0 and after not in depth:
            depth[after] = count
            queue.append(after)

    for side in range(4):
        if warehouse.steps[box][side] in walks:
            push(box, side, 1)
    while queue:
        at, stood = queue.popleft()
        for side in range(4):
            if parts.get((at, side)) == parts[at, stood]:
                push(at, side, depth[at, stood] + 1)
    return depth


def _layers(state: State, box: int, depth: dict[_Side, int], ends: list[_Side]) -> list[set[_Side]]:
    """The places after the 1st, 2nd … last push that lie on some way with the fewest pushes to one of `ends`."""
    warehouse, others = state.warehouse, state.boxes - {box}
    parts = _components(warehouse, others, box)
    fewest = min(depth[end] for end in ends)
    layers = [{end for end in ends if depth[end] == fewest}]
    for count in range(fewest - 1, 0, -1):
        layer: set[_Side] = set()
        for at, side in layers[-1]:
            before = warehouse.steps[at][side]
            for stood in range(4):
                if depth.get((before, stood)) == count and parts[before, stood] == parts.get((before, side)):
                    layer.add((before, stood))
        layers.append(layer)
    layers.reverse()
    return layers


def _beyond(warehouse: Warehouse, others: frozenset[int], at: int, side: int) -> int:
    """Where a box at `at` lands when pushed from `side`; -1 where a wall or another box is in the way."""
    steps = warehouse.steps[at]
    if steps[side] < 0 or steps[side] in others:
        return -1
    square = steps[(side + 2) % 4]
    return -1 if square in others else square


def _walks(warehouse: Warehouse, boxes: frozenset[int], start: int, goal: int | None) -> dict[int, int]:
    """The squares walked to from `start`, breadth first until `goal` is found: square -> direction it came by."""
    came = {start: -1}
    queue = deque([start])
    while queue and goal not in came:
        square = queue.popleft()
        for direction, other in enumerate(warehouse.steps[square]):
            if other >= 0 and other not in came and other not in boxes:
                came[other] = direction
                queue.append(other)
    return came


def _walk(warehouse: Warehouse, boxes: frozenset[int], start: int, goal: int) -> tuple[int, ...] | None:
    came = _walks(warehouse, boxes, start, goal)
    if goal not in came:
        return None
    path = []
    while goal != start:
        direction = came[goal]
        path.append(direction)
        goal = warehouse.steps[goal][(direction + 2) % 4]
    path.reverse()
    return tuple(path)


@lru_cache(maxsize=32)
def _components(warehouse: Warehouse, others: frozenset[int], root: int) -> dict[tuple[int, int], int]:
    """The biconnected component of every edge (square, direction) between free squares joined with `root`.

    Hopcroft and Tarjan 1973, with an explicit stack; `others` are the boxes that stay put.
    """
    part: dict[tuple[int, int], int] = {}
    number = {root: 0}
    low = {root: 0}
    edges: list[tuple[int, int]] = []
    stack = [(root, -1, 0)]  # square, direction it was entered by, next direction to look at
    count = 0
    while stack:
        square, entered, direction = stack.pop()
        if direction < 4:
            stack.append((square, entered, direction + 1))
            other = warehouse.steps[square][direction]
            if other < 0 or other in others or (entered >= 0 and direction == (entered + 2) % 4):
                continue
            if other not in number:
                number[other] = low[other] = len(number)
                edges.append((square, direction))
                stack.append((other, direction, 0))
            elif number[other] < number[square]:
                edges.append((square, direction))
                low[square] = min(low[square], number[other])
        elif entered >= 0:
            parent = warehouse.steps[square][(entered + 2) % 4]
            low[parent] = min(low[parent], low[square])
            if low[square] >= number[parent]:
                edge = None
                while edge != (parent, entered):
                    edge = edges.pop()
                    at, towards = edge
                    part[edge] = part[warehouse.steps[at][towards], (towards + 2) % 4] = count
                count += 1
    return part
