"""Push-optimal Sokoban: A* with a matching bound, from any position of any level.

The search itself is in `ai.sokoban.search`; this module sets it up, gives it memory, looks at the clock between its
slices, and turns the record of the solution into moves.
"""

import itertools
import time as clock
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban import search
from ai.sokoban.distance import FAR, label_parts, measure
from ai.sokoban.layout import Bytes, Ints, Layout, Shorts, layout
from ai.sokoban.matching import add_row, total
from ai.sokoban.moves import frozen, mark_alive, walk
from game.rules import sokoban

MAX_BYTES = 1_500_000_000
"""Memory for positions at most; beyond it the solver gives up."""

_Item = TypeVar("_Item", bound=np.generic)
_SLICE_SECONDS = 0.008
_ZOBRIST_SEED = 20
_CHUNK = 1 << 20


class AStar:
    """Solves from the current position with the fewest pushes, or proves that there is no solution."""

    def __init__(self, time: float, nodes: int) -> None:
        """`time` in seconds and `nodes` (positions kept) are used where a request sets no limits of its own."""
        self._time = time
        self._nodes = nodes

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        board = layout(state)
        if sokoban.is_solved(state):
            return Plan((), Status.SOLVED, exact=True, seconds=thinking.elapsed, note="already solved")
        if board.shut_off:
            note = "a box or a target is where the player never gets"
            return Plan((), Status.UNSOLVABLE, exact=True, seconds=thinking.elapsed, note=note)
        return _Run(board, thinking, self._time, self._nodes).plan()


class _Stop(Exception):
    """The budget is spent, or the memory; the message is for people."""


class _Run:
    """One search for one position."""

    def __init__(self, board: Layout, thinking: Thinking, seconds: float, nodes: int) -> None:
        self._board = board
        self._thinking = thinking
        self._seconds = seconds
        self._limit = thinking.node_limit if thinking.node_limit is not None else nodes
        squares, size = len(board.squares), len(board.boxes)
        words = np.random.default_rng(_ZOBRIST_SEED).integers(0, 2**64, (2, squares), dtype=np.uint64)
        self._box_words, self._player_words = words[0], words[1]
        self._alive: Bytes = np.zeros(squares, dtype=np.uint8)
        self._part: Bytes = np.zeros((squares, squares), dtype=np.uint8)
        self._distance: Ints = np.zeros((squares * 4, size), dtype=np.int32)
        self._squares: Ints = np.zeros((5, squares), dtype=np.int32)
        self._bytes: Bytes = np.zeros((2, squares), dtype=np.uint8)
        self._matching: Ints = np.zeros((13, size + 1), dtype=np.int32)
        self._used: Bytes = np.zeros(size + 1, dtype=np.uint8)
        self._word: search.Words = np.zeros(1, dtype=np.uint64)
        self._meta: search.Longs = np.zeros(search.META, dtype=np.int64)
        self._records: Ints = np.zeros((4096, 6), dtype=np.int32)
        self._boxes: Shorts = np.zeros((4096, size), dtype=np.uint16)
        self._table: search.Words = np.zeros(8192, dtype=np.uint64)
        self._heads: Ints = np.full((64, search.CLASSES), -1, dtype=np.int32)
        self._least: Ints = np.full(64, search.CLASSES, dtype=np.int32)
        self._told = 0.0

    def plan(self) -> Plan:
        try:
            self._prepare()
            bound = self._root_bound()
            if bound >= FAR:
                return self._answer((), Status.UNSOLVABLE, "a box can never reach a target")
            self._start(bound)
            return self._search()
        except _Stop as stop:
            status = Status.CANCELLED if self._thinking.cancelled else Status.GAVE_UP
            return self._answer((), status, "cancelled" if self._thinking.cancelled else str(stop))

    def _answer(self, actions: tuple[int, ...], status: Status, note: str) -> Plan:
        nodes, seconds = int(self._meta[search.COUNT]), self._thinking.elapsed
        exact = status in (Status.SOLVED, Status.UNSOLVABLE)
        return Plan(
            actions, status, exact=exact, pv=actions, nodes=nodes, seconds=seconds, depth=self._depth, note=note
        )

    @property
    def _depth(self) -> int:
        """Pushes that every solution needs, as far as is known."""
        return int(self._meta[search.ROW] + self._records[0, search.BOUND])

    def _pause(self, note: str = "") -> None:
        """Between slices: tell the listener, and stop where the budget is spent."""
        nodes = int(self._meta[search.COUNT])
        elapsed = self._thinking.elapsed
        limit = self._thinking.seconds_limit if self._thinking.seconds_limit is not None else self._seconds
        fraction = min(1.0, elapsed / limit) if limit > 0 else None
        if not note:
            note = f"at least {self._depth} pushes, nearest position {int(self._meta[search.BEST])} pushes short at least"
        if nodes:
            shown = tuple(self._board.squares[self._boxes[self._meta[search.SHOWN]]].tolist())
            best, queue, done = (int(self._meta[place]) for place in (search.BEST, search.OPEN, search.EXPANSIONS))
            depth = self._depth
            self._thinking.report(
                Progress(nodes, fraction, depth, measure=best, note=note, position=shown, open=queue, closed=done)
            )
        else:
            self._thinking.report(Progress(nodes, fraction, note=note))
        if self._thinking.over(0, self._seconds, None):
            raise _Stop(f"no solution within {limit:g} seconds")

    def _prepare(self) -> None:
        """Distances of single boxes, in pieces of a few milliseconds."""
        board = self._board
        squares = len(board.squares)
        mark_alive(board.steps, board.targets, self._alive, self._squares[2])
        due = clock.perf_counter() + _SLICE_SECONDS
        queue: Ints = np.zeros(squares * 4, dtype=np.int32)
        for square in range(squares):
            label_parts(board.steps, self._part, square, self._squares[2])
            if clock.perf_counter() > due:
                self._pause("measuring the warehouse")
                due = clock.perf_counter() + _SLICE_SECONDS
        for column, target in enumerate(board.targets.tolist()):
            measure(board.steps, self._part, target, column, self._distance, queue)
            if clock.perf_counter() > due:
                self._pause("measuring the distances to the targets")
                due = clock.perf_counter() + _SLICE_SECONDS
        self._nearest: Ints = self._distance.min(axis=1)

    def _root_bound(self) -> int:
        """Pushes of the best matching at the start; FAR where there is none or boxes off target are frozen."""
        board, size = self._board, len(self._board.boxes)
        occupied = board.occupied
        for box in board.boxes.tolist():
            count = frozen(board.steps, occupied, self._alive, box, self._matching[2], self._bytes[1])
            if not board.is_target[self._matching[2, :count]].all():
                return FAR
        keys = self._matching[0, :size]
        keys[:] = board.boxes * 4 + self._part[board.boxes, board.player]
        u, v, taken, least, way = (self._matching[row] for row in (3, 4, 5, 9, 10))
        taken[:] = -1
        for row in range(size):
            add_row(self._distance, keys, row, u, v, taken, least, way, self._used)
            if row % 64 == 63:
                self._pause("matching boxes with targets")
        return int(total(self._distance, keys, taken))

    def _start(self, bound: int) -> None:
        """The first record."""
        board = self._board
        meta, occupied = self._meta, board.occupied
        meta[search.CURRENT] = -1
        meta[search.BEST] = bound
        meta[search.COUNT] = meta[search.OPEN] = 1
        start = np.int64(board.player)
        meta[search.CHILD] = 1
        player = int(search.flood(board.steps, occupied, self._squares[1], 1, start, self._squares[2]))
        self._records[0] = (-1, 0, bound, -1, player, search.FRESH)
        self._boxes[0] = board.boxes
        search.rehash(self._table, self._records, self._boxes, self._box_words, self._player_words, 0, 1)
        search.enqueue(self._records, self._heads, self._least, 0, 0)

    def _search(self) -> Plan:
        """Slices until there is an answer."""
        budget = 100_000
        while True:
            began = clock.perf_counter()
            answer = self._slice(budget)
            took = clock.perf_counter() - began
            if answer == search.GO_ON:
                budget = int(min(max(budget * _SLICE_SECONDS / max(took, 1e-6), budget / 2, 1000), budget * 2, 1e9))
                self._pause()
            elif answer == search.NEED_RECORDS:
                self._grow()
            elif answer == search.NEED_QUEUES:
                self._more_queues()
            elif answer == search.AT_LIMIT:
                raise _Stop(f"no solution within {self._limit:,} positions")
            elif answer == search.EXHAUSTED:
                return self._answer((), Status.UNSOLVABLE, "every position that can be reached was tried")
            else:
                return self._solution()

    def _slice(self, budget: int) -> int:
        board, meta = self._board, self._meta
        if meta[search.CHILD] > 2**30:
            self._squares[1] = 0
            meta[search.CHILD] = 0
        return search.search_slice(
            board.steps,
            board.is_target,
            self._alive,
            self._part,
            self._distance,
            self._nearest,
            self._box_words,
            self._player_words,
            self._table,
            self._records,
            self._boxes,
            self._heads,
            self._least,
            meta,
            self._squares,
            self._bytes,
            self._matching,
            self._used,
            self._word,
            self._limit,
            budget,
        )

    def _grow(self) -> None:
        """Twice the room for records and, where needed, for the hash table; gives up beyond MAX_BYTES."""
        count = int(self._meta[search.COUNT])
        if count + 4 > len(self._records):
            room = 2 * len(self._records)
            each = self._records.itemsize * 6 + self._boxes.itemsize * self._boxes.shape[1]
            if room * each + 2 * self._table.nbytes > MAX_BYTES:
                raise _Stop(f"no solution within {MAX_BYTES / 1e9:g} GB of memory ({count:,} positions)")
            self._records = self._enlarged(self._records, room)
            self._boxes = self._enlarged(self._boxes, room)
        if 3 * (count + 4) > 2 * len(self._table):
            self._table = np.zeros(2 * len(self._table), dtype=np.uint64)
            step = max(1, _CHUNK // 8 // (8 + self._boxes.shape[1]))
            for first in range(0, count, step):
                last = min(first + step, count)
                words = self._box_words, self._player_words
                search.rehash(self._table, self._records, self._boxes, *words, first, last)
                self._pause("making room")

    def _enlarged(self, old: npt.NDArray[_Item], room: int) -> npt.NDArray[_Item]:
        """A copy with `room` rows, made piece by piece."""
        new = np.empty((room, old.shape[1]), dtype=old.dtype)
        step = max(1, _CHUNK // max(1, old.shape[1]))
        for first in range(0, len(old), step):
            last = min(first + step, len(old))
            new[first:last] = old[first:last]
            self._pause("making room")
        return new

    def _more_queues(self) -> None:
        rows = max(2 * len(self._heads), int(self._meta[search.NEEDED]) + 1)
        heads: Ints = np.full((rows, search.CLASSES), -1, dtype=np.int32)
        least: Ints = np.full(rows, search.CLASSES, dtype=np.int32)
        heads[: len(self._heads)] = self._heads
        least[: len(self._least)] = self._least
        self._heads, self._least = heads, least

    def _solution(self) -> Plan:
        """The moves: the pushes of the records from the start to the one found, with shortest walks between."""
        chain = [int(self._meta[search.FOUND])]
        while (parent := int(self._records[chain[-1], search.PARENT])) >= 0:
            chain.append(parent)
        chain.reverse()
        board = self._board
        occupied, player = board.occupied, board.player
        came: Ints = np.zeros(len(board.squares), dtype=np.int32)
        path: Bytes = np.zeros(len(board.squares), dtype=np.uint8)
        actions: list[int] = []
        for before, after in itertools.pairwise(chain):
            slot = int(np.flatnonzero(self._boxes[before] != self._boxes[after])[0])
            box, goal = int(self._boxes[before, slot]), int(self._boxes[after, slot])
            action = int(np.flatnonzero(board.steps[box] == goal)[0])
            stand = int(board.steps[box, (action + 2) % 4])
            length = walk(board.steps, occupied, player, stand, self._squares[2], came, path)
            actions += [*path[:length].tolist(), action]
            occupied[box], occupied[goal] = 0, 1
            player = box
        pushes = len(chain) - 1
        note = f"{pushes} push{'es' if pushes != 1 else ''}, {len(actions)} moves, fewest pushes"
        return self._answer(tuple(actions), Status.SOLVED, note)
