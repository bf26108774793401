"""One feature-space search of one position: its room, and its solution as pushes."""

import itertools
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ai.sokoban import fess_tree as kept
from ai.sokoban.corral_search import make_corrals
from ai.sokoban.fess_search import add_record, rehash, search_slice
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Ints, Layout, Shorts
from ai.sokoban.links import links
from ai.sokoban.macro import label_blocks, macro_moves, make_motion
from ai.sokoban.packing import Plan, make_plan
from ai.sokoban.route import make_route
from ai.sokoban.run import Done
from ai.sokoban.successors import EVERY, flood

_Item = TypeVar("_Item", bound=np.generic)


def features_of(board: Layout, ground: Ground, pause: Callable[[str], None], planned: bool = True) -> kept.Features:
    """The packing plan and the links of a level; without a plan there is one stage, which is always done."""
    plan, _, _ = make_plan(board, ground, make_motion(len(board.squares)), pause)
    if not planned:
        plan = Plan(plan.filled[:1], plan.origin[-1:], plan.target[-1:], plan.serving[-1:])
    size: Ints = plan.filled.sum(axis=1, dtype=np.int32)
    return kept.Features(*plan, size, links(board.steps))


class FeatureSearch:
    """A search that goes on slice by slice."""

    def __init__(self, board: Layout, ground: Ground, features: kept.Features, style: kept.Style) -> None:
        """Nothing is searched yet."""
        self._board, self._ground, self._features, self._style = board, ground, features, style
        squares, size, stages = len(board.squares), len(board.boxes), len(features.filled)

        def ints(*shape: int) -> Ints:
            return np.zeros(shape, dtype=np.int32)

        self._motion = make_motion(squares)
        self._scratch = kept.Scratch(
            occupied=np.zeros(squares, dtype=np.uint8),
            marks=np.zeros(squares, dtype=np.uint8),
            reach=ints(squares),
            label=ints(squares),
            inside=ints(max(squares, size + 1)),
            queue=ints(squares),
            members=ints(size + 1),
            found=ints(size),
            allowed=ints(size),
            keys=ints(size),
            taken=np.full(size, -1, dtype=np.int32),
            fits=np.zeros(size, dtype=np.uint8),
            missing=ints(stages),
            step_taken=ints(stages),
            step_came=ints(stages),
            step_queue=ints(stages),
            blocked=ints(1 + max(0, int(features.link.max(initial=0)))),
            advice=ints(kept.ADVISORS, 2),
            route=make_route(squares),
            corrals=make_corrals(squares),
        )
        self._tree = kept.Tree(
            records=ints(1024, kept.COLUMNS),
            boxes=np.zeros((1024, size), dtype=np.uint16),
            known=np.zeros(1024, dtype=np.uint64),
            table=np.full(4096, -1, dtype=np.int32),
            moves=ints(max(1 << 14, 8 * squares * size)),
            cell_of=np.full(stages * kept.CELL_KEYS, -1, dtype=np.int32),
            heads=np.full((64, kept.COSTS), -1, dtype=np.int32),
            rest=ints(64),
            meta=np.zeros(kept.META, dtype=np.int64),
        )
        self._tree.meta[kept.FOUND] = -1

    @property
    def count(self) -> int:
        """Positions kept so far."""
        return int(self._tree.meta[kept.COUNT])

    @property
    def made(self) -> int:
        """Moves made so far."""
        return int(self._tree.meta[kept.TRIED])

    @property
    def stage(self) -> int:
        """How many steps of the packing plan the best position has done."""
        return int(self._tree.meta[kept.BEST])

    @property
    def best(self) -> Shorts:
        """The boxes of that position, shape (n,)."""
        boxes: Shorts = self._tree.boxes[int(self._tree.meta[kept.BEST_RECORD])]
        return boxes

    @property
    def bytes(self) -> int:
        """Memory in use."""
        return sum(array.nbytes for array in self._tree)

    def begin(self) -> None:
        """Look at the start."""
        tree, scratch, board = self._tree, self._scratch, self._board
        tree.boxes[0] = board.boxes
        scratch.occupied[board.boxes] = 1
        player = flood(board.steps, scratch.occupied, scratch.reach, 1, board.player, scratch.queue)
        tree.meta[kept.STAMP] = 1
        add_record(self._ground, self._features, self._style, tree, scratch, -1, 0, 0, 0, player, 1)
        scratch.occupied[board.boxes] = 0

    def advance(self, limit: int, budget: int) -> int:
        """Make about `budget` moves; returns an answer of `ai.sokoban.fess_search`, after making room where it asks."""
        answer = int(
            search_slice(
                self._ground,
                self._features,
                self._style,
                self._tree,
                self._scratch,
                self._motion,
                limit,
                budget,
            )
        )
        if answer == kept.NEED_RECORDS:
            self._more_records()
        elif answer == kept.NEED_MOVES:
            self._tree = self._tree._replace(moves=_doubled(self._tree.moves))
        elif answer == kept.NEED_CELLS:
            self._tree = self._tree._replace(heads=_doubled(self._tree.heads, -1), rest=_doubled(self._tree.rest))
        else:
            return answer
        return kept.GO_ON

    def _more_records(self) -> None:
        tree = self._tree
        known = _doubled(tree.known)
        table: Ints = np.full(2 * len(tree.table), -1, dtype=np.int32)
        rehash(table, known, self.count)
        self._tree = tree._replace(
            records=_doubled(tree.records), boxes=_doubled(tree.boxes), known=known, table=table
        )

    def pushes(self) -> Iterator[Done]:
        """The pushes from the start to the solution."""
        records, boxes, steps = self._tree.records, self._tree.boxes, self._board.steps
        chain = [int(self._tree.meta[kept.FOUND])]
        while (parent := int(records[chain[-1], kept.PARENT])) >= 0:
            chain.append(parent)
        chain.reverse()
        occupied, reach = self._board.occupied, np.zeros(len(steps), dtype=np.int32)
        motion, queue, player = self._motion, np.zeros(len(steps), dtype=np.int32), self._board.player
        for before, after in itertools.pairwise(chain):
            slot, node = divmod(int(records[after, kept.MOVE]), 4 * len(steps))
            box = int(boxes[before, slot])
            reach[:] = 0
            flood(steps, occupied, reach, 1, player, queue)
            label_blocks(steps, occupied, motion)
            occupied[box] = 0
            macro_moves(self._ground, occupied, box, reach, 1, False, EVERY, motion)
            way: list[Done] = []
            while (back := int(motion.before[node])) >= 0:
                node, side = divmod(back, 4)
                square, action = node // 4, (side + 2) % 4
                way.append(Done(action, square, int(steps[square, action])))
            yield from reversed(way)
            occupied[way[0].after] = 1
            player = way[0].before


def _doubled(old: npt.NDArray[_Item], fill: int = 0) -> npt.NDArray[_Item]:
    """A copy with twice the rows."""
    new = np.full((2 * len(old), *old.shape[1:]), fill, dtype=old.dtype)
    new[: len(old)] = old
    return new
