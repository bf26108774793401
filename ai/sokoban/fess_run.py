"""One feature-space search of one position: its room, and its solution as pushes."""

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ai.sokoban import fess_tree as kept
from ai.sokoban.corral_search import make_corrals
from ai.sokoban.early import early_steps
from ai.sokoban.fess_search import add_record, rehash, search_slice
from ai.sokoban.ground import Ground, survey
from ai.sokoban.layout import Bytes, Ints, Layout, Shorts
from ai.sokoban.links import links
from ai.sokoban.macro import label_blocks, macro_moves, make_motion
from ai.sokoban.packing import Plan, make_plan
from ai.sokoban.patterns import COUNT, adopt, make_patterns
from ai.sokoban.perimeter import parts_of_floor, reversed_board, turned_round
from ai.sokoban.route import make_route
from ai.sokoban.run import Done
from ai.sokoban.stuck import make_stuck, used_bytes
from ai.sokoban.successors import EVERY, flood

_Item = TypeVar("_Item", bound=np.generic)


class End(NamedTuple):
    """One end of a level, from which a search begins."""

    board: Layout
    """Backwards: with boxes and targets exchanged."""
    ground: Ground
    features: kept.Features
    guessed: bool
    """Whether the plan leaves boxes out, whose place in it is a guess."""


class Ends:
    """Both ends of a level, each looked at when it is needed first."""

    def __init__(self, board: Layout, pause: Callable[[str], None], planned: bool = True, early: bool = True) -> None:
        """Measures the level; `planned`: whether there is a plan at all; `early`: whether steps are made before their turn."""
        self._board, self._pause, self._planned, self._early = board, pause, planned, early
        self._ground = survey(board, None, pause)
        self._plans: dict[bool, tuple[Plan, int]] = {}
        self._sides: dict[bool, End] = {}

    def end(self, style: kept.Style) -> End:
        """Where a search of that style begins."""
        side = self._side(style.pulls)
        leaving: Ints = np.zeros(len(side.board.squares), dtype=np.int32)
        if style.freed == kept.COUNTED:
            leaving[side.board.boxes] = 1
        if style.freed == kept.IN_ORDER and self._planned:
            # what one plan fills first is what the other way round is left last
            back, _ = self._plan(not style.pulls)
            filled = [int(target) for target in back.target[:-1] if back.filled[-1, target]]
            last_first = dict.fromkeys(reversed(filled))
            for place, square in enumerate(reversed(last_first), 1):
                leaving[square] = place
        return side._replace(features=side.features._replace(leaving=leaving))

    def _side(self, pulls: bool) -> End:
        """What all searches of a direction share; nothing in it is said to leave."""
        if pulls not in self._sides:
            board, ground = self._board, self._ground
            if pulls:
                board = reversed_board(board)
                ground = survey(board, None, self._pause)
            plan, left = self._plan(pulls)
            if not self._planned:
                plan = Plan(plan.filled[:1], plan.origin[-1:], plan.target[-1:], plan.serving[:, -1:].copy())
            size: Ints = plan.filled.sum(axis=1, dtype=np.int32)
            nothing: Ints = np.zeros(len(board.squares), dtype=np.int32)
            finish = board.player if pulls else -1
            early: Bytes = np.zeros_like(plan.filled)
            if self._early and not pulls:
                early = early_steps(plan, board.boxes, ground, make_motion(len(board.squares)), self._pause)
            features = kept.Features(
                plan.filled, np.ascontiguousarray(plan.filled.T), plan.origin, plan.target, plan.serving, early, size,
                links(board.steps), nothing, finish,
            )  # fmt: skip
            self._sides[pulls] = End(board, ground, features, left > 0)
        return self._sides[pulls]

    def _plan(self, pulls: bool) -> tuple[Plan, int]:
        """The plan of a direction, and how many boxes it leaves out."""
        if pulls not in self._plans:
            board = reversed_board(self._board) if pulls else self._board
            motion = make_motion(len(board.squares))
            plan, left, _ = make_plan(board, self._ground, motion, self._pause, not pulls)
            self._plans[pulls] = plan, left
        return self._plans[pulls]


class FeatureSearch:
    """A search that goes on slice by slice."""

    def __init__(self, end: End, style: kept.Style) -> None:
        """Nothing is searched yet."""
        board, self._style = end.board, style
        self._board, self._ground, self._features, self.guessed = end
        squares, size, stages = len(board.squares), len(board.boxes), len(end.features.filled)
        rooms = 1 << max(10, squares.bit_length())

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
            close=ints(stages),
            step_taken=ints(stages),
            step_came=ints(stages),
            step_queue=ints(stages),
            blocked=ints(1 + max(0, int(end.features.link.max(initial=0)))),
            before=ints(size * squares),
            advice=ints(kept.ADVISORS, 2),
            route=make_route(squares),
            stuck=make_stuck(end.ground, board.targets, stages),
            corrals=make_corrals(squares),
            patterns=make_patterns(squares),
        )
        self._tree = kept.Tree(
            records=ints(rooms, kept.COLUMNS),
            boxes=np.zeros((rooms, size), dtype=np.uint16),
            known=np.zeros(rooms, dtype=np.uint64),
            table=np.full(4 * rooms, -1, dtype=np.int32),
            moves=ints(max(1 << 14, 16 * squares * size)),
            cell_of=np.full(stages * kept.cell_keys(style), -1, dtype=np.int32),
            heads=np.full((64, kept.COSTS), -1, dtype=np.int32),
            rest=ints(64),
            done=ints(64),
            meta=np.zeros(kept.META, dtype=np.int64),
        )
        self._tree.meta[kept.FOUND] = -1
        self._learned: dict[int, int] = {}

    @property
    def count(self) -> int:
        """Positions kept so far."""
        return int(self._tree.meta[kept.COUNT])

    @property
    def made(self) -> int:
        """Moves made so far."""
        return int(self._tree.meta[kept.TRIED])

    @property
    def pulls(self) -> bool:
        """Whether it plays backwards."""
        return self._style.pulls

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
        return sum(array.nbytes for array in self._tree) + used_bytes(self._scratch.stuck)

    def begin(self) -> None:
        """Look at the start: at one for every part of the floor that the player may be in."""
        tree, scratch, board = self._tree, self._scratch, self._board
        scratch.occupied[board.boxes] = 1
        starts = parts_of_floor(board) if self._style.pulls else [board.player]
        for stamp, start in enumerate(starts, 1):
            tree.boxes[stamp - 1] = board.boxes
            tree.meta[kept.STAMP] = stamp
            player = flood(board.steps, scratch.occupied, scratch.reach, stamp, start, scratch.queue)
            add_record(
                self._ground, self._features, self._style, tree, scratch, self._motion, -1, 0, 0, 0, player, stamp
            )
        scratch.occupied[board.boxes] = 0

    def learn_from(self, other: "FeatureSearch") -> None:
        """Take over the deadlock patterns that another search of the same direction has learned since the last time."""
        theirs = other._scratch.patterns
        adopt(self._scratch.patterns, theirs, self._learned.get(id(other), 0), self._scratch.occupied)
        self._learned[id(other)] = int(theirs.numbers[COUNT])

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
            tree = self._tree
            self._tree = tree._replace(
                heads=_doubled(tree.heads, -1), rest=_doubled(tree.rest), done=_doubled(tree.done)
            )
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
        return turned_round(self._moves()) if self._style.pulls else self._moves()

    def _moves(self) -> Iterator[Done]:
        """What was done with boxes from where the search began to where it ended."""
        records, boxes, steps, pulls = self._tree.records, self._tree.boxes, self._board.steps, self._style.pulls
        chain = [int(self._tree.meta[kept.FOUND])]
        while (parent := int(records[chain[-1], kept.PARENT])) >= 0:
            chain.append(parent)
        chain.reverse()
        occupied, reach = self._board.occupied, np.zeros(len(steps), dtype=np.int32)
        motion, queue, player = (
            self._motion,
            np.zeros(len(steps), dtype=np.int32),
            int(records[chain[0], kept.PLAYER]),
        )
        for before, after in itertools.pairwise(chain):
            slot, node = divmod(int(records[after, kept.MOVE]), 4 * len(steps))
            box = int(boxes[before, slot])
            reach[:] = 0
            flood(steps, occupied, reach, 1, player, queue)
            label_blocks(steps, occupied, motion)
            occupied[box] = 0
            macro_moves(self._ground, occupied, box, reach, 1, pulls, EVERY, motion)
            way: list[Done] = []
            while (back := int(motion.before[node])) >= 0:
                last, side = divmod(back, 4)
                action = side if pulls else (side + 2) % 4
                way.append(Done(action, last // 4, node // 4))
                node = last
            yield from reversed(way)
            occupied[way[0].after] = 1
            player = int(steps[way[0].after, way[0].action]) if pulls else way[0].before


def _doubled(old: npt.NDArray[_Item], fill: int = 0) -> npt.NDArray[_Item]:
    """A copy with twice the rows."""
    new = np.full((2 * len(old), *old.shape[1:]), fill, dtype=old.dtype)
    new[: len(old)] = old
    return new
