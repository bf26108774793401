"""The packing plan: in which order the targets are filled, found by playing backwards.

All targets begin filled, and boxes are pulled away one at a time, each to a square where a box stands at the start,
where it vanishes: boxes not packed yet are no obstacle to the plan. No two of them may need the same one: a box is
only pulled away where all that are gone can have come from boxes of their own (a matching). Where nothing can be pulled
away, boxes are parked elsewhere, the fewest times that do. The box that could have been most goes first, so that
steps that few boxes can make wait until more can. Read backwards this is the plan: stage k of it is the set of
squares that are filled when k of its steps are done. A search that plays the level backwards has a plan of the same kind:
boxes are pushed from where they start to targets, where they vanish. After Shoham and Schaeffer (FESS, 2020).
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from ai.jit import lean
from ai.sokoban.board.ground import Ground, Pace, Watch
from ai.sokoban.board.layout import Bytes, Ints, Layout, Shorts, Whole
from ai.sokoban.fess.assignment import unserved
from ai.sokoban.fess.macro import Motion, label_blocks, macro_moves
from ai.sokoban.fess.packing_room import BEST, COUNT, FROM, GONE, LEFT, PARENT, SLOT, TO, Manner, Pulls, make_pulls
from ai.sokoban.fess.packing_search import follow, search_plan

SEARCHES = (
    (2048, Manner(matched=True, park=False, opening=False)),
    (8192, Manner(matched=True, park=True, opening=False)),
    (32768, Manner(matched=True, park=True, opening=True)),
    (8192, Manner(matched=False, park=True, opening=False)),
)
"""The searches for a plan, with the records that each may use. The later ones are made where no plan is perfect yet."""

MAX_WORK = 500_000
"""Boxes looked at in one search: where there are hundreds of them it ends before its records are full."""

_BOXES_A_SLICE = 100
"""Boxes looked at between two looks at the clock where a plan is shortened, those of one record at least."""

_MOST_SHORTENED = 5_000
"""Pulls times boxes of the longest plan that is shortened: it is played again in one go."""
_NOTE = "planning in which order the targets are filled"


class Plan(NamedTuple):
    """Stages 0 to m of a plan; N squares."""

    filled: Bytes
    """Shape (m + 1, N): 1 on the squares that stage k has filled; none in stage 0, all targets in stage m."""
    origin: Ints
    """Shape (m + 1,): the box that makes the step after stage k; -1 for any not packed, and after the last stage."""
    target: Ints
    """Shape (m + 1,): the square that this step fills; -1 after the last stage."""
    serving: Bytes
    """Shape (4 N, m + 1): 1 at the keys from which a box can make the step after stage k, with that as walls and nothing else."""


@lean
def mark_serving(
    ground: Ground, filled: Bytes, goal: Whole, reach: Ints, motion: Motion, serving: Bytes, pulling: bool
) -> None:
    """Set `serving`, shape (4 N,), to 1 at the keys from which a box alone can be pushed to `goal` when `filled` is.

    Args:
        ground: the level.
        filled: squares that count as walls, shape (N,).
        goal: where the box goes.
        reach: 1 everywhere, shape (N,).
        motion: room.
        serving: the answer, all 0 before.
        pulling: boxes are pulled away from `goal`, for they are pushed there; else the other way round.
    """
    steps, part, block, name = ground.steps, ground.part, motion.block, motion.name
    filled[goal] = 1
    label_blocks(steps, filled, motion)
    filled[goal] = 0
    count = macro_moves(ground, filled, goal, reach, 1, pulling, 15, motion)
    for index in range(count):
        node = motion.nodes[index]
        square = node // 4
        for side in range(4):
            other = steps[square, side]
            if other >= 0 and not filled[other] and name[block[square * 4 + side]] == name[block[node]]:
                serving[square * 4 + part[square, other]] = 1


def make_plan(
    board: Layout,
    ground: Ground,
    motion: Motion,
    pause: Callable[[str], None] = lambda _note: None,
    pulling: bool = True,
) -> tuple[Plan, int, int]:
    """The plan of a level, how many boxes it could not pull away (their order is a guess), and the records used.

    Of several plans the one with the fewest boxes parked and boxes without a step. Calls `pause` with a word on what is
    going on every few milliseconds.

    Args:
        board: where boxes begin and the targets that the plan is for, which a search that pulls has exchanged.
        ground: the level played forwards.
        motion: room.
        pause: see above.
        pulling: the plan's boxes are pulled, for those of the search are pushed; else the other way round.
    """
    watch = Watch(pause)
    source: Ints = np.zeros(len(board.squares), dtype=np.int32)
    source[board.boxes] = 1 + np.arange(len(board.boxes))
    side = ground.part[board.boxes, board.player].astype(np.int32)
    keys: Ints = 4 * board.boxes + side
    best: tuple[int, int, Plan] | None = None
    looked = 0
    turn = max(1, _BOXES_A_SLICE // max(1, len(board.boxes)))
    most = -(-MAX_WORK // (turn * max(1, len(board.boxes)))) * turn
    pace = Pace()
    player = -1 if pulling else board.player
    for room, manner in SEARCHES:
        pulls = make_pulls(board, room, manner.opening)
        search = partial(search_plan, ground, source, side, pulls, motion, manner, player, most)
        while not pace.timed(search):
            watch.look(_NOTE)
        looked += int(pulls.meta[COUNT])
        left = int(pulls.records[pulls.meta[BEST], LEFT])
        if manner.matched and not left:
            pulls = _shortened(board, ground, source, side, motion, pulls, turn, watch, pulling)
        plan = _read(ground, pulls, motion, watch, pulling)
        trouble = int((plan.origin >= 0).sum())
        if pulling:
            trouble += 2 * _astray(plan, board.boxes.astype(np.uint16), keys)
        if best is None or (left, trouble) < best[:2]:
            best = left, trouble, plan
        if not left and not trouble:
            break
    assert best is not None
    return best[2], best[0], looked


def _astray(plan: Plan, boxes: Shorts, keys: Ints) -> int:
    """How many boxes find no step of the plan where they stand at the start."""
    spare: list[Ints] = [np.zeros(len(plan.origin), dtype=np.int32) for _ in range(3)]
    return int(unserved(plan.serving, plan.origin, plan.filled[0], 0, boxes, keys, *spare))


def _chain(pulls: Pulls) -> Iterator[int]:
    """The records of the best plan that were pulled to, the last one first."""
    record = int(pulls.meta[BEST])
    while pulls.records[record, PARENT] >= 0:
        yield record
        record = int(pulls.records[record, PARENT])


def _shortened(
    board: Layout, ground: Ground, source: Ints, side: Ints, motion: Motion, pulls: Pulls, turn: int, watch: Watch,
    pulling: bool,
) -> Pulls:  # fmt: skip
    """A search's plan without the parkings that it can do without; it is played again so many pulls at a `turn`."""
    skip = 0
    while True:
        chain = list(_chain(pulls))[::-1]
        goals = pulls.records[chain, TO]
        while skip < len(chain) and goals[skip] < 0:
            skip += 1
        if skip >= len(chain) or len(chain) * len(board.boxes) > _MOST_SHORTENED:
            return pulls
        first = int(pulls.records[chain[0], PARENT])
        fewer = make_pulls(board, first + len(chain) + 1, opening=False)
        fewer.boxes[: first + 1] = pulls.boxes[: first + 1]
        fewer.records[: first + 1] = pulls.records[: first + 1]
        fewer.meta[COUNT] = first + 1
        slots = pulls.records[chain, SLOT]
        fewer.meta[BEST], good = first, True
        for done in range(0, len(chain), turn):
            at, part = int(fewer.meta[BEST]), slice(done, done + turn)
            good = follow(ground, source, side, fewer, motion, at, slots[part], goals[part], skip - done, pulling)
            watch.look(_NOTE)
            if not good:
                break
        if good:
            pulls, skip = fewer, 0
        else:
            skip += 1


def _read(ground: Ground, pulls: Pulls, motion: Motion, watch: Watch, pulling: bool) -> Plan:
    """The plan that a search found; boxes that it could not pull away come first, in some order."""
    records, squares = pulls.records, len(ground.steps)
    best = int(pulls.meta[BEST])
    left = int(records[best, LEFT])
    pulled = [(int(records[each, FROM]), int(records[each, TO]) // 4) for each in _chain(pulls)]
    # a box that is pulled round to where it was only lets the player through
    pulled = [(box, goal) for box, goal in pulled if box != goal]
    filled: Bytes = np.zeros((left + len(pulled) + 1, squares), dtype=np.uint8)
    stuck = [int(square) for square in pulls.boxes[best] if square != GONE]
    for index, square in enumerate(stuck):
        filled[index + 1] = filled[index]
        filled[index + 1, square] = 1
    for index, (box, goal) in enumerate(pulled, len(stuck)):
        filled[index + 1] = filled[index]
        filled[index + 1, box] = 1
        if goal >= 0:
            filled[index + 1, goal] = 0
    stages = len(filled)
    origin: Ints = np.full(stages, -1, dtype=np.int32)
    target: Ints = np.full(stages, -1, dtype=np.int32)
    serving: Bytes = np.zeros((stages, 4 * squares), dtype=np.uint8)
    everywhere: Ints = np.ones(squares, dtype=np.int32)
    for stage in range(stages - 1):
        change = filled[stage + 1].astype(np.int8) - filled[stage].astype(np.int8)
        target[stage] = np.flatnonzero(change > 0)[0]
        if (change < 0).any():
            origin[stage] = np.flatnonzero(change < 0)[0]
        mark_serving(ground, filled[stage], int(target[stage]), everywhere, motion, serving[stage], pulling)
        watch.look(_NOTE)
    return Plan(filled, origin, target, np.ascontiguousarray(serving.T))
