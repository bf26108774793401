"""Sokoban positions that can no longer be won: dead squares, frozen boxes, targets out of reach.

Everything said here is proved: a position called dead has no solution. The converse does not hold (deciding that
is as hard as solving). Sets of squares are whole numbers used as bit boards, one spare column at the right end of
each row, so that a whole layer of a breadth-first search is a few shifts.
"""

from functools import lru_cache

from game.rules.sokoban_board import State, Warehouse


@lru_cache(maxsize=256)
def dead_squares(warehouse: Warehouse) -> frozenset[int]:
    """The floor squares from which a box alone in the warehouse reaches no target, wherever the player is.

    Found by pulling a box backwards from every target.
    """
    return frozenset(warehouse.floor) - _alive(warehouse, frozenset())


def stuck_boxes(state: State) -> frozenset[int]:
    """The boxes off target that no winning line can bring to one; empty when none is proved to be so.

    These are boxes on dead squares, frozen boxes (see `_frozen`), boxes in a part that the player never enters, and
    boxes that frozen boxes on targets shut off from every target that is left. A box on a target is never stuck.
    """
    return _analyse(state)[0]


def is_dead(state: State) -> bool:
    """Whether the position provably cannot be won.

    True with any stuck box, and where the boxes cannot be shared out among the targets that they can reach.
    """
    stuck, fixed = _analyse(state)
    return bool(stuck) or not _all_matched(state, fixed)


def _analyse(state: State) -> tuple[frozenset[int], frozenset[int]]:
    """(stuck boxes, boxes on targets that never move again).

    Boxes frozen on targets become walls, which may make more squares dead, which may freeze more boxes: repeated
    until nothing changes. The first stuck boxes found are the answer, so that the culprits are marked and not all
    the boxes that they shut in.
    """
    warehouse = state.warehouse
    entered = warehouse.connected([state.player])
    fixed = state.boxes - entered
    stuck = fixed - warehouse.targets
    while not stuck:
        alive = _alive(warehouse, fixed)
        frozen = _frozen(state, fixed, alive)
        stuck = frozenset(box for box in state.boxes - fixed if box not in alive) | (frozen - warehouse.targets)
        if frozen == fixed:
            break
        fixed = frozen
    return stuck, fixed


def _frozen(state: State, fixed: frozenset[int], alive: frozenset[int]) -> frozenset[int]:
    """The largest set of boxes that hold each other still, `fixed` included.

    A box is blocked along an axis when a wall or a box of the set stands on either side, or when it would land on a
    dead square either way. Boxes not blocked along some axis leave the set until none does. No box of what
    remains can be the first of them to be pushed, unless onto a dead square, so all stay put in every winning line.
    """
    frozen = set(state.boxes)
    changed = True
    while changed:
        changed = False
        for box in sorted(frozen - fixed):
            around = state.warehouse.steps[box]
            for one, two in ((around[0], around[2]), (around[1], around[3])):
                held = one < 0 or two < 0 or one in frozen or two in frozen
                if not held and (one in alive or two in alive):
                    frozen.discard(box)
                    changed = True
                    break
    return frozenset(frozen)


@lru_cache(maxsize=256)
def _pulled(warehouse: Warehouse, fixed: frozenset[int]) -> tuple[int, ...]:
    """For each target without a fixed box, the bit board of the squares from which a box can be pushed to it.

    Every other box is ignored, the fixed ones are walls, and the player may be anywhere.
    """
    width = warehouse.cols + 1
    squares = set(range(warehouse.rows * warehouse.cols)) - warehouse.walls - fixed
    free = sum(_bit(warehouse, square) for square in squares)
    boards = []
    for target in sorted(warehouse.targets - fixed):
        reached = layer = _bit(warehouse, target)
        while layer:
            # A push from one square to the next needs the player on the far side of the first: both must be free.
            pulls = (layer << width) & (free >> width)
            pulls |= (layer >> width) & (free << width)
            pulls |= (layer << 1) & (free >> 1)
            pulls |= (layer >> 1) & (free << 1)
            layer = pulls & free & ~reached
            reached |= layer
        boards.append(reached)
    return tuple(boards)


@lru_cache(maxsize=256)
def _alive(warehouse: Warehouse, fixed: frozenset[int]) -> frozenset[int]:
    """The squares from which a box can be pushed to some target without a fixed box."""
    union = 0
    for board in _pulled(warehouse, fixed):
        union |= board
    return frozenset(s for s in range(warehouse.rows * warehouse.cols) if union & _bit(warehouse, s))


def _all_matched(state: State, fixed: frozenset[int]) -> bool:
    """Whether every box that still moves can have a target of its own that it can reach.

    Augmenting paths (Kuhn 1955) with an explicit stack.
    """
    boards = _pulled(state.warehouse, fixed)
    taken: dict[int, int] = {}
    for box in sorted(state.boxes - fixed):
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
