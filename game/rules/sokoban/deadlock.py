"""Sokoban positions that can no longer be won: dead squares, frozen boxes, targets out of reach.

Everything said here is proved, under every variant: a position called dead has no solution. The converse does not hold
(deciding that is as hard as solving). A box that may be pulled is stuck less often: it moves along an axis also where
there is room for the player on one side only. With fixed targets every box has dead squares of its own.

Sets of squares are whole numbers used as bit boards, one spare column at the right end of each row, so that a whole
layer of a breadth-first search is a few shifts.
"""

from collections.abc import Mapping
from functools import lru_cache

from game.rules.sokoban.board import State, Warehouse, at_home

_Alive = Mapping[int, frozenset[int]]
"""For each box the squares from which it can still be brought to a target that it may have."""


@lru_cache(maxsize=256)
def dead_squares(warehouse: Warehouse, letter: str = "") -> frozenset[int]:
    """The floor squares from which a box alone in the warehouse reaches no target, wherever the players are.

    Found by playing backwards from every target. With fixed targets: for the box called `letter`, or without it for all
    boxes.
    """
    targets = warehouse.targets if not letter else {warehouse.homes[warehouse.letters.index(letter)]}
    return frozenset(warehouse.floor) - _alive(warehouse, frozenset(), frozenset(targets))


def stuck_boxes(state: State) -> frozenset[int]:
    """The boxes not at home that no winning line can bring there; empty when none is proved to be so.

    These are boxes on dead squares, frozen boxes (see `_frozen`), boxes in a part that no player ever enters, and
    boxes that frozen boxes shut off from every target that is left. A box at home (on a target, with fixed targets on
    its own) is never stuck.
    """
    return _analyse(state)[0]


def is_dead(state: State) -> bool:
    """Whether the position provably cannot be won.

    True with any stuck box, and where the boxes cannot be shared out among the targets that they can reach.
    """
    stuck, settled = _analyse(state)
    return bool(stuck) or not _all_matched(state, settled)


def _analyse(state: State) -> tuple[frozenset[int], frozenset[int]]:
    """(stuck boxes, boxes at home that never move again).

    Boxes frozen at home become walls, which may make more squares dead, which may freeze more boxes: repeated until
    nothing changes. The first stuck boxes found are the answer, so that the culprits are marked and not all the boxes
    that they shut in.
    """
    warehouse = state.warehouse
    entered = warehouse.connected([state.player, state.second] if state.second >= 0 else [state.player])
    home = at_home(state)
    settled = state.boxes - entered
    stuck = settled - home
    while not stuck:
        alive = _alive_of(state, settled)
        frozen = _frozen(state, settled, alive)
        stuck = frozenset(box for box in state.boxes - settled if box not in alive[box]) | (frozen - home)
        if frozen == settled:
            break
        settled = frozen
    return stuck, settled


def _alive_of(state: State, settled: frozenset[int]) -> _Alive:
    """For each box the squares from which it can be brought to a target that has no settled box."""
    warehouse = state.warehouse
    if not warehouse.homes:
        return dict.fromkeys(state.boxes, _alive(warehouse, settled, warehouse.targets))
    return {
        box: _alive(warehouse, settled, frozenset((home,)))
        for box, home in zip(state.placed, warehouse.homes, strict=True)
    }


def _frozen(state: State, settled: frozenset[int], alive: _Alive) -> frozenset[int]:
    """The largest set of boxes that hold each other still, `settled` included.

    A box can move along an axis when the square it comes to is neither a wall nor a box of the set nor dead, and the
    player has room: on the far side to push, on this side and one further to pull. Boxes that can move leave the set
    until none does. No box of what remains can be the first of them to move, unless onto a dead square, so all stay
    put in every winning line.
    """
    frozen = set(state.boxes)
    steps, rules = state.warehouse.steps, state.warehouse.rules

    def open_(square: int) -> bool:
        return square >= 0 and square not in frozen

    def moves(box: int) -> bool:
        for direction, to in enumerate(steps[box]):
            if open_(to) and to in alive[box]:
                pushed = rules.push and open_(steps[box][direction ^ 2])
                if pushed or (rules.pull and open_(steps[to][direction])):
                    return True
        return False

    changed = True
    while changed:
        loose = [box for box in sorted(frozen - settled) if moves(box)]
        frozen.difference_update(loose)
        changed = bool(loose)
    return frozenset(frozen)


@lru_cache(maxsize=256)
def _sources(warehouse: Warehouse, settled: frozenset[int]) -> dict[int, int]:
    """For each target without a settled box, the bit board of the squares from which a box can be brought to it.

    Every other box is ignored, the settled ones are walls, and the players may be anywhere.
    """
    width = warehouse.cols + 1
    squares = set(range(warehouse.rows * warehouse.cols)) - warehouse.walls - settled
    free = sum(_bit(warehouse, square) for square in squares)
    rules = warehouse.rules
    boards = {}
    for target in sorted(warehouse.targets - settled):
        reached = layer = _bit(warehouse, target)
        while layer:
            before = 0
            if rules.push:  # from one square to the next needs the player on the far side of the first
                before |= (layer << width) & (free >> width)
                before |= (layer >> width) & (free << width)
                before |= (layer << 1) & (free >> 1)
                before |= (layer >> 1) & (free << 1)
            if rules.pull:  # needs room for the player beyond the second
                before |= (layer & (free << width)) << width
                before |= (layer & (free >> width)) >> width
                before |= (layer & (free << 1)) << 1
                before |= (layer & (free >> 1)) >> 1
            layer = before & free & ~reached
            reached |= layer
        boards[target] = reached
    return boards


@lru_cache(maxsize=1024)
def _alive(warehouse: Warehouse, settled: frozenset[int], targets: frozenset[int]) -> frozenset[int]:
    """The squares from which a box can be brought to one of `targets` that has no settled box."""
    boards = _sources(warehouse, settled)
    union = 0
    for target in targets - settled:
        union |= boards[target]
    return frozenset(s for s in range(warehouse.rows * warehouse.cols) if union & _bit(warehouse, s))


def _all_matched(state: State, settled: frozenset[int]) -> bool:
    """Whether every box that still moves can have a target of its own that it can reach.

    Augmenting paths (Kuhn 1955) with an explicit stack. With fixed targets there is nothing to share out.
    """
    if state.warehouse.homes:
        return True
    boards = tuple(_sources(state.warehouse, settled).values())
    taken: dict[int, int] = {}
    for box in sorted(state.boxes - settled):
        came: dict[int, tuple[int, int | None]] = {}
        stack: list[tuple[int, int | None]] = [(box, None)]
        free = None
        while stack and free is None:
            current, through = stack.pop()
            bit = _bit(state.warehouse, current)
            for number, board in enumerate(boards):
                if board & bit and number not in came:
                    came[number] = (current, through)
                    if number not in taken:
                        free = number
                        break
                    stack.append((taken[number], number))
        if free is None:
            return False
        target: int | None = free
        while target is not None:
            taken[target], target = came[target]
    return True


def _bit(warehouse: Warehouse, square: int) -> int:
    """The square's bit on a bit board with one spare column."""
    return 1 << (square // warehouse.cols * (warehouse.cols + 1) + square % warehouse.cols)
