"""Sokoban paths: where a player can walk, where one box can be moved, and the shortest ways there.

Moving one box is a search over (square of the box, side on which the player stands), all other boxes and the other
player being walls; neither a push nor a pull changes the side. Whether the player gets from one side of the box to
another is looked up in the biconnected components of the free squares: two neighbours of a square are joined without it
exactly when their edges to it lie in one component. So even a 64×64 hall is searched in one pass.
"""

from collections import deque
from functools import lru_cache

from game.rules.sokoban.board import State, Warehouse
from game.rules.sokoban.variants import PULL, SECOND

_Side = tuple[int, int]
"""(square of the box, direction from the box to the player)."""


def reachable(state: State, second: bool = False) -> frozenset[int]:
    """The squares to which the player can walk without moving a box, his own included; `second`: the second player."""
    return frozenset(_walks(state.warehouse, _in_the_way(state, second), _stands(state, second), None))


def walk_path(state: State, square: int, second: bool = False) -> tuple[int, ...] | None:
    """The shortest walk to `square` that moves no box; None where there is none."""
    walk = _walk(state.warehouse, _in_the_way(state, second), _stands(state, second), square)
    return None if walk is None else _acted(walk, second)


def push_targets(state: State, box: int, second: bool = False) -> frozenset[int]:
    """The other squares to which one player alone can move `box` while all else stays put; empty if it is no box."""
    if box not in state.boxes:
        return frozenset()
    return frozenset(square for square, _ in _moves(state, box, second)) - {box}


def push_path(state: State, box: int, square: int, second: bool = False) -> tuple[int, ...] | None:
    """The actions with which one player brings `box` to `square`, all else staying put; None where there are none.

    Fewest pushes and pulls first, then fewest moves.
    """
    if box not in state.boxes:
        return None
    if box == square:
        return ()
    depth = _moves(state, box, second)
    ends = [side for side in depth if side[0] == square]
    if not ends:
        return None
    warehouse, in_the_way = state.warehouse, _in_the_way(state, second)
    others = in_the_way - {box}
    layers = _layers(state, box, depth, ends, second)
    ways: dict[_Side, tuple[int, ...]] = {}
    for layer in layers:
        longer: dict[_Side, tuple[int, ...]] = {}
        starts = ways.items() if ways else [((box, -1), ())]
        for (at, stood), way in starts:
            player = warehouse.steps[at][stood] if stood >= 0 else _stands(state, second)
            for action, side, to in _choices(warehouse, others, at):
                if (to, side) not in layer:
                    continue
                walk = _walk(warehouse, others | {at}, player, warehouse.steps[at][side])
                after = (to, side)
                if walk is not None and (after not in longer or len(way) + len(walk) + 1 < len(longer[after])):
                    longer[after] = (*way, *walk, action)
        ways = longer
    return _acted(min(ways.values(), key=len), second)


def _stands(state: State, second: bool) -> int:
    return state.second if second else state.player


def _in_the_way(state: State, second: bool) -> frozenset[int]:
    """The boxes and the other player."""
    other = state.player if second else state.second
    return state.boxes | {other} if other >= 0 else state.boxes


def _acted(actions: tuple[int, ...], second: bool) -> tuple[int, ...]:
    return tuple(action + SECOND for action in actions) if second else actions


def _choices(warehouse: Warehouse, others: frozenset[int], at: int) -> list[tuple[int, int, int]]:
    """What can be done with a box at `at`: (action, side on which the player stands, where the box comes)."""
    steps, rules = warehouse.steps[at], warehouse.rules
    found = []
    for side in range(4):
        stand, ahead = steps[side], steps[side ^ 2]
        if stand < 0 or stand in others:
            continue
        if rules.push and ahead >= 0 and ahead not in others:
            found.append((side ^ 2, side, ahead))
        if rules.pull:
            beyond = warehouse.steps[stand][side]
            if beyond >= 0 and beyond not in others:
                found.append((side + PULL, side, stand))
    return found


def _moves(state: State, box: int, second: bool) -> dict[_Side, int]:
    """For every place after a push or pull, (square of the box, side of the player), the fewest of them to it."""
    warehouse, others = state.warehouse, _in_the_way(state, second) - {box}
    parts = _components(warehouse, others, box)
    walks = reachable(state, second)
    depth: dict[_Side, int] = {}
    queue: deque[_Side] = deque()
    for _action, side, to in _choices(warehouse, others, box):
        if warehouse.steps[box][side] in walks and (to, side) not in depth:
            depth[to, side] = 1
            queue.append((to, side))
    while queue:
        at, stood = queue.popleft()
        for _action, side, to in _choices(warehouse, others, at):
            if parts.get((at, side)) == parts[at, stood] and (to, side) not in depth:
                depth[to, side] = depth[at, stood] + 1
                queue.append((to, side))
    return depth


def _layers(state: State, box: int, depth: dict[_Side, int], ends: list[_Side], second: bool) -> list[set[_Side]]:
    """The places after the 1st, 2nd … last push or pull that lie on some way with the fewest of them to an end."""
    warehouse, others = state.warehouse, _in_the_way(state, second) - {box}
    parts = _components(warehouse, others, box)
    fewest = min(depth[end] for end in ends)
    layers = [{end for end in ends if depth[end] == fewest}]
    for count in range(fewest - 1, 0, -1):
        layer: set[_Side] = set()
        for at, side in layers[-1]:
            # A push brought it from the player's side, a pull from the other.
            came = [warehouse.steps[at][side]] * warehouse.rules.push
            came += [warehouse.steps[at][side ^ 2]] * warehouse.rules.pull
            for before in came:
                for stood in range(4):
                    if depth.get((before, stood)) == count and parts[before, stood] == parts.get((before, side)):
                        layer.add((before, stood))
        layers.append(layer)
    layers.reverse()
    return layers


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

    Hopcroft and Tarjan 1973, with an explicit stack; `others` is what stays put.
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
