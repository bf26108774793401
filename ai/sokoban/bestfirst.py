"""Best-first search as agents: `astar`, `weighted-astar`, `greedy`, `ucs` and `bfs` are one engine with other weights.

The search itself is in `ai.sokoban.search`; this module sets it up, gives it memory and looks at the clock between
its slices.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Thinking
from ai.sokoban import positions, run, search
from ai.sokoban.distance import FAR
from ai.sokoban.ground import survey
from ai.sokoban.how import how
from ai.sokoban.layout import Longs, Shorts, Words
from ai.sokoban.run import Done, Run, Stop
from ai.sokoban.scratch import scratch
from ai.sokoban.start import lower_bound
from ai.sokoban.successors import REGIONS, SINGLE, WALKS, flood
from game.rules import sokoban

_Item = TypeVar("_Item", bound=np.generic)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Method:
    """Which best-first search."""

    optimal: str = "pushes"
    """What a solution costs: `pushes` (pulls count as well) or `moves`."""
    heuristic: str | None = "matching"
    """One of `ai.sokoban.ground.HEURISTICS`; None: every lower bound is 0."""
    pruning: str = "corrals"
    cost_weight: float = 1.0
    bound_weight: float = 1.0
    """The weight 0 takes one of the two out of the order; the largest ratio bound : cost is 20."""
    single: bool = False
    """Whether steps are single moves even with one player."""

    @property
    def proves(self) -> str:
        """In what its solutions are the shortest: optimal, or '' where that is not certain."""
        return self.optimal if self.cost_weight >= self.bound_weight or self.heuristic is None else ""

    def order(self, limit: int) -> search.Order:
        """With at most `limit` records."""
        return search.Order(round(search.SCALE * self.cost_weight), round(search.SCALE * self.bound_weight), limit)

    def mode(self) -> int:
        """How a solution is cut into steps."""
        if self.single:
            return SINGLE
        return REGIONS if self.optimal == "pushes" else WALKS


class BestFirst:
    """Solves from the current position, or proves that there is no solution."""

    def __init__(self, method: Method, time: float, nodes: int) -> None:
        """`time` in seconds and `nodes` (positions kept) are used where a request sets no limits of its own."""
        self._method = method
        self._time = time
        self._nodes = nodes

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        return self.search(Run(state, thinking, self._time, self._nodes), state)

    def search(self, frame: Run, state: sokoban.State) -> Plan:
        """The same with the limits of `frame`."""
        return frame.known(state) or _Search(frame, self._method).plan()


class _Search:
    """One search for one position."""

    def __init__(self, frame: Run, method: Method) -> None:
        self._run = frame
        self._board = frame.board
        self._method = method
        self._how = how(self._board, method.mode(), method.optimal, method.heuristic, method.pruning)
        self._order = method.order(frame.limit)
        squares, size = len(self._board.squares), len(self._board.boxes)
        players = self._board.rules.players
        self._scratch = scratch(squares, size)
        self._meta: Longs = np.zeros(search.META, dtype=np.int64)
        self._word: Words = np.zeros(1, dtype=np.uint64)
        self._positions = positions.Positions(
            table=np.zeros(8192, dtype=np.uint64),
            records=np.zeros((4096, positions.COLUMNS), dtype=np.int32),
            places=np.zeros((4096, size + players), dtype=np.uint16),
            heads=np.full((64, positions.CLASSES), -1, dtype=np.int32),
            least=np.full(64, positions.CLASSES, dtype=np.int32),
        )

    def plan(self) -> Plan:
        try:
            self._ground = survey(self._board, self._method.heuristic, self._pause)
            bound = lower_bound(self._board, self._ground, self._how, self._scratch, self._pause)
            if bound >= FAR:
                return self._run.unsolvable(0, "a box can never reach a target")
            self._start(bound)
            return self._search()
        except Stop as stop:
            return self._run.stopped(stop, self._count, self._depth if self._count else None)

    @property
    def _count(self) -> int:
        return int(self._meta[search.COUNT])

    @property
    def _depth(self) -> int | None:
        """Pushes or moves that every solution needs, as far as the order of the search tells."""
        return int(self._meta[search.ROW]) if self._method.proves else None

    def _pause(self, note: str = "") -> None:
        """Between slices."""
        self._run.pause(self._progress(note))

    def _progress(self, note: str = "") -> Progress:
        count, meta = self._count, self._meta
        if not count:
            return Progress(note=note)
        shown, closed = int(meta[search.BEST]), int(meta[search.EXPANSIONS])
        best = int(self._positions.records[shown, positions.BOUND])
        if not note:
            parts = [f"at least {self._depth} {self._method.optimal}"] if self._method.proves else []
            if self._method.heuristic is not None:
                parts.append(f"nearest position {best} pushes short at least")
            note = ", ".join(parts)
        return Progress(
            count,
            depth=self._depth,
            measure=float(best),
            note=note,
            position=self._board.position(self._positions.places[shown, : len(self._board.boxes)]),
            open=count - closed - int(meta[search.DROPPED]),
            closed=closed,
        )

    def _start(self, bound: int) -> None:
        """The first record."""
        board, meta, work, kept = self._board, self._meta, self._scratch, self._positions
        meta[search.CURRENT] = -1
        meta[search.COUNT] = 1
        meta[search.AFTER] = 1
        player = board.player
        if self._how.mode == REGIONS:
            player = int(flood(board.steps, board.marked, work.after, 1, player, work.queue))
        kept.records[0] = (-1, 0, bound, -1, positions.FRESH, 0)
        kept.places[0] = [*board.boxes.tolist(), player, *([board.second] if board.second >= 0 else [])]
        positions.rehash(kept, self._ground.colour, self._ground.words, 0, 1)
        row = self._order.bound * bound // search.SCALE
        self._more_queues(row)
        positions.enqueue(self._positions.records, self._positions.heads, self._positions.least, 0, row)
        meta[search.ROW] = row

    def _search(self) -> Plan:
        """Slices until there is an answer."""
        while True:
            answer = self._run.timed(self._slice)
            if answer in (search.SOLVED, search.EXHAUSTED):
                self._run.thinking.report(self._progress())
            if answer == search.GO_ON:
                self._pause()
            elif answer == search.NEED_RECORDS:
                self._grow()
            elif answer == search.NEED_QUEUES:
                self._more_queues(int(self._meta[search.NEEDED]))
            elif answer == search.AT_LIMIT:
                raise Stop(f"no solution within {self._run.limit:,} positions")
            elif answer == search.EXHAUSTED:
                return self._run.unsolvable(self._count, "every position that can be reached was tried")
            else:
                return self._run.solved(self._steps(), self._how.mode, self._count, self._method.proves)

    def _slice(self, budget: int) -> int:
        meta = self._meta
        for stamp, marks in ((search.STAMP, self._scratch.seen), (search.AFTER, self._scratch.after)):
            if meta[stamp] > 2**30 and meta[search.CURRENT] < 0:
                marks[:] = 0
                meta[stamp] = 0
        return int(
            search.search_slice(
                self._ground, self._how, self._order, self._positions, self._scratch, meta, self._word, budget
            )
        )

    def _grow(self) -> None:
        """Twice the room for records and, where needed, for the hash table; gives up beyond MAX_BYTES."""
        count, kept = self._count, self._positions
        if count + 4 > len(kept.records):
            room = 2 * len(kept.records)
            each = kept.records[0].nbytes + kept.places[0].nbytes
            if room * each + 2 * kept.table.nbytes + kept.heads.nbytes > run.MAX_BYTES:
                raise Stop(f"no solution within {run.MAX_BYTES / 1e9:g} GB of memory ({count:,} positions)")
            kept = kept._replace(records=self._enlarged(kept.records, room), places=self._enlarged(kept.places, room))
        if 3 * (count + 4) > 2 * len(kept.table):
            kept = kept._replace(table=np.zeros(2 * len(kept.table), dtype=np.uint64))
            step = max(1, _CHUNK // 8 // (8 + kept.places.shape[1]))
            for first in range(0, count, step):
                positions.rehash(kept, self._ground.colour, self._ground.words, first, min(first + step, count))
                self._pause("making room")
        self._positions = kept

    def _enlarged(self, old: npt.NDArray[_Item], room: int) -> npt.NDArray[_Item]:
        """A copy with `room` rows, made piece by piece."""
        new = np.empty((room, old.shape[1]), dtype=old.dtype)
        step = max(1, _CHUNK // max(1, old.shape[1]))
        for first in range(0, len(old), step):
            last = min(first + step, len(old))
            new[first:last] = old[first:last]
            self._pause("making room")
        return new

    def _more_queues(self, needed: int) -> None:
        """Queues up to the one that is needed; gives up beyond a share of MAX_BYTES."""
        kept = self._positions
        if needed < len(kept.heads):
            return
        rows = max(2 * len(kept.heads), needed + 1)
        if 4 * rows * positions.CLASSES > run.MAX_BYTES // 4:
            raise Stop("no solution within the memory for queues")
        heads = np.full((rows, positions.CLASSES), -1, dtype=np.int32)
        least = np.full(rows, positions.CLASSES, dtype=np.int32)
        heads[: len(kept.heads)] = kept.heads
        least[: len(kept.least)] = kept.least
        self._positions = kept._replace(heads=heads, least=least)

    def _steps(self) -> Iterator[Done]:
        """The steps from the start to the record found."""
        records, places = self._positions.records, self._positions.places
        chain = [int(self._meta[search.FOUND])]
        while (parent := int(records[chain[-1], positions.PARENT])) >= 0:
            chain.append(parent)
        for before, after in itertools.pairwise(reversed(chain)):
            yield step(places[before], places[after], len(self._board.boxes), int(records[after, positions.ACTION]))


def step(before: Shorts, after: Shorts, size: int, action: int) -> Done:
    """The step between two positions."""
    slots = np.flatnonzero(before[:size] != after[:size])
    if not len(slots):
        return Done(action, -1, -1)
    return Done(action, int(before[slots[0]]), int(after[slots[0]]))


def astar(
    time: float, nodes: int, optimal: str = "pushes", heuristic: str = "matching", pruning: str = "corrals"
) -> BestFirst:
    """A*: the next position is the one whose cost so far and lower bound add up to least."""
    return BestFirst(Method(optimal, heuristic, pruning), time, nodes)


def weighted_astar(time: float, nodes: int, weight: float, optimal: str, heuristic: str, pruning: str) -> BestFirst:
    """A* that trusts its lower bound more than it may: solutions cost at most `weight` times the least."""
    return BestFirst(Method(optimal, heuristic, pruning, bound_weight=weight), time, nodes)


def greedy(time: float, nodes: int, optimal: str, heuristic: str, pruning: str) -> BestFirst:
    """The next position is the one that looks nearest to a solution, whatever it has cost."""
    return BestFirst(Method(optimal, heuristic, pruning, cost_weight=0.0), time, nodes)


def ucs(time: float, nodes: int, optimal: str, pruning: str) -> BestFirst:
    """Uniform cost (Dijkstra): the next position is the cheapest one; a push with its walk is a step."""
    return BestFirst(Method(optimal, None, pruning, bound_weight=0.0), time, nodes)


def bfs(time: float, nodes: int, optimal: str, pruning: str) -> BestFirst:
    """Breadth-first: positions in the order of their distance, in pushes or in single moves."""
    return BestFirst(Method(optimal, None, pruning, bound_weight=0.0, single=optimal == "moves"), time, nodes)
