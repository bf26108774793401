"""One feature-space search of one position: its room, and its solution as pushes."""

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ai.sokoban.board.ground import Ground, Pace, survey
from ai.sokoban.board.layout import Bytes, Ints, Layout, Shorts
from ai.sokoban.board.successors import EVERY, flood
from ai.sokoban.fess import tree as kept
from ai.sokoban.fess.corrals import make_corrals
from ai.sokoban.fess.early import early_steps
from ai.sokoban.fess.links import links
from ai.sokoban.fess.macro import label_blocks, macro_moves, make_motion
from ai.sokoban.fess.moves import room_between
from ai.sokoban.fess.packing import Plan, make_plan
from ai.sokoban.fess.patterns import COUNT, adopt, make_patterns
from ai.sokoban.fess.perimeter import parts_of_floor, reversed_board, turned_round
from ai.sokoban.fess.route import make_route
from ai.sokoban.fess.search import add_record, rehash, search_slice
from ai.sokoban.fess.stuck import make_stuck, used_bytes
from ai.sokoban.search.run import Done

_Item = TypeVar("_Item", bound=np.generic)

_STEP = 1 << 24
"""Bytes by which an array grows at most: filling them takes a few milliseconds."""

_PIECE = 1 << 18
"""Records that are entered into a larger table in a slice."""


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
        """Nothing is measured yet.

        `planned`: whether there is a plan at all; `early`: whether steps are made before their turn.
        """
        self._board, self._pause, self._planned, self._early = board, pause, planned, early
        self._grounds: dict[bool, Ground] = {}
        self._plans: dict[bool, tuple[Plan, int]] = {}
        self._sides: dict[bool, End] = {}

    def ground(self, pulls: bool) -> Ground:
        """The level measured for a direction; what both have in common is there once."""
        if pulls not in self._grounds:
            if pulls:
                board, part = reversed_board(self._board), self.ground(False).part
                self._grounds[pulls] = survey(board, None, self._pause, part)
            else:
                self._grounds[pulls] = survey(self._board, None, self._pause)
        return self._grounds[pulls]

    @property
    def bytes(self) -> int:
        """Memory in use."""
        grounds = sum(each.distance.nbytes for each in self._grounds.values())
        shared = self._grounds[False].part.nbytes if self._grounds else 0
        return grounds + shared + sum(array.nbytes for plan, _ in self._plans.values() for array in plan)

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
            board = reversed_board(self._board) if pulls else self._board
            ground = self.ground(pulls)
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
            plan, left, _ = make_plan(board, self.ground(False), motion, self._pause, not pulls)
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
            moves=np.zeros(1 << 14, dtype=np.uint16),
            found=ints(max(1 << 12, 8 * squares)),
            cell_of=ints(stages * kept.cell_keys(style)),
            heads=np.full((64, kept.COSTS), -1, dtype=np.int32),
            rest=ints(64),
            done=ints(64),
            meta=np.zeros(kept.META, dtype=np.int64),
        )
        self._tree.meta[kept.FOUND] = self._tree.meta[kept.OPENED] = -1
        self._larger: Ints | None = None
        self._entered = 0
        self._pace = Pace()
        self._best = self._board.boxes.astype(np.uint16), 0
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
        return self._best[0]

    @property
    def bytes(self) -> int:
        """Memory in use; of what is filled bit by bit so much as is filled."""
        larger = 0 if self._larger is None else self._larger.nbytes
        return larger + sum(array.nbytes for array in self._tree) + used_bytes(self._scratch.stuck)

    def begin(self, pause: Callable[[], None] = lambda: None) -> None:
        """Look at the start: at one for every part of the floor that the player may be in; calls `pause` after each."""
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
            pause()
        scratch.occupied[board.boxes] = 0

    def learn_from(self, other: "FeatureSearch") -> None:
        """Take over the deadlock patterns that another search of the same direction has learned since the last time."""
        theirs = other._scratch.patterns
        adopt(self._scratch.patterns, theirs, self._learned.get(id(other), 0), self._scratch.occupied)
        self._learned[id(other)] = int(theirs.numbers[COUNT])

    def advance(self, limit: int, moves: int) -> int:
        """Make so many moves at most, for a slice of time; returns an answer of `ai.sokoban.fess.tree`, after making room.

        A position may be left half opened, but not when all the moves have been made.
        """
        if self._larger is not None:
            self._move_over(self._larger)
            return kept.GO_ON
        until = self.made + moves
        answer = self._pace.timed(
            lambda budget: search_slice(
                self._ground,
                self._features,
                self._style,
                self._tree,
                self._scratch,
                self._motion,
                limit,
                until,
                budget,
            )
        )
        tree = self._tree
        record = int(tree.meta[kept.BEST_RECORD])
        if record != self._best[1]:
            # somebody else may be looking at them while their room grows
            self._best = tree.boxes[record].copy(), record
        if answer == kept.NEED_RECORDS:
            self._more_records()
        elif answer == kept.NEED_MOVES:
            least = tree.meta[kept.WAITING] + tree.meta[kept.MOVES_FOUND] + room_between(tree.boxes.shape[1])
            _grow(tree.moves, int(least))
        elif answer == kept.NEED_FOUND:
            _grow(tree.found, len(tree.found) + 4 * len(self._board.squares))
        elif answer == kept.NEED_CELLS:
            self._tree = tree._replace(
                heads=_doubled(tree.heads, -1), rest=_doubled(tree.rest), done=_doubled(tree.done)
            )
        else:
            return answer
        return kept.GO_ON

    def _more_records(self) -> None:
        """Room for more records, and a larger table where they need one."""
        tree = self._tree
        rows = len(tree.records)
        if self.count + 1 >= rows:
            each = tree.records[0].nbytes + tree.boxes[0].nbytes + tree.known.itemsize
            rows += min(rows, _STEP // each)
            for array in (tree.records, tree.boxes, tree.known):
                array.resize((rows, *array.shape[1:]), refcheck=False)
        if 4 * rows > len(tree.table):
            self._larger, self._entered = np.full(2 * len(tree.table), -1, dtype=np.int32), 0

    def _move_over(self, larger: Ints) -> None:
        """Enter some more records into the larger table, which takes the place of the other one when it has them all."""
        last = min(self._entered + _PIECE, self.count)
        rehash(larger, self._tree.known, self._entered, last)
        self._entered = last
        if last == self.count:
            self._tree, self._larger = self._tree._replace(table=larger), None

    def pushes(self, pause: Callable[[], None] = lambda: None) -> Iterator[Done]:
        """The pushes from the start to the solution; calls `pause` every few milliseconds."""
        return turned_round(self._moves(pause)) if self._style.pulls else self._moves(pause)

    def _moves(self, pause: Callable[[], None]) -> Iterator[Done]:
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
            pause()
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


def _grow(array: npt.NDArray[np.integer], least: int) -> None:
    """Make an array, which nobody else keeps a view of, so long in place, or longer: a copy would need as much memory again."""
    array.resize(max(least, min(2 * len(array), len(array) + _STEP // array.itemsize)), refcheck=False)


def _doubled(old: npt.NDArray[_Item], fill: int = 0) -> npt.NDArray[_Item]:
    """A copy with twice the rows."""
    new = np.full((2 * len(old), *old.shape[1:]), fill, dtype=old.dtype)
    new[: len(old)] = old
    return new
