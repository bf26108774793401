"""Best-first search as agents: `astar`, `weighted-astar`, `greedy`, `ucs` and `bfs` are one engine with other weights.

The search itself is in `ai.sokoban.search.bestfirst_search`; this module sets it up, gives it memory and looks at the
clock between its slices.
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from ai.agent import Plan, Progress, Thinking
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground, survey
from ai.sokoban.board.layout import Layout, Longs, Shorts, Words
from ai.sokoban.board.successors import REGIONS, SINGLE, WALKS, flood
from ai.sokoban.search import bestfirst_search, positions, run
from ai.sokoban.search.options import options
from ai.sokoban.search.run import Done, Run, Stop
from ai.sokoban.search.scratch import scratch
from ai.sokoban.search.settings import BestFirstSettings, BlindSettings, Budget, WeightedSettings
from ai.sokoban.search.start import lower_bound
from game.rules import sokoban

_Item = TypeVar("_Item", bound=np.generic)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Method:
    """Which best-first search."""

    optimal: str = "pushes"
    """What a solution costs: `pushes` (pulls count as well) or `moves`."""
    heuristic: str | None = "matching"
    """One of `ai.sokoban.board.ground.HEURISTICS`; None: every lower bound is 0."""
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

    @property
    def classes(self) -> int:
        """Lower bounds that positions of one queue can have."""
        return positions.CLASSES if self.cost_weight and self.heuristic is not None else 1

    def order(self, limit: int, home: bool) -> bestfirst_search.Order:
        """With at most `limit` records; `home`: see `search.Order`."""
        scale = bestfirst_search.SCALE
        return bestfirst_search.Order(round(scale * self.cost_weight), round(scale * self.bound_weight), limit, home)

    def mode(self) -> int:
        """How a solution is cut into steps."""
        if self.single:
            return SINGLE
        return REGIONS if self.optimal == "pushes" else WALKS


class BestFirst(ABC, Budget):
    """Solves from the current position, or proves that there is no solution."""

    @property
    @abstractmethod
    def method(self) -> Method:
        """Which search."""

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        return self.search(Run(state, thinking, self.time, self.nodes), state)

    def search(self, frame: Run, state: sokoban.State) -> Plan:
        """The same with the limits of `frame`."""
        return frame.known(state) or self._plan(frame)

    def _plan(self, frame: Run) -> Plan:
        mine = Search(frame, frame.board, self.method)
        try:
            if not mine.begin():
                return frame.unsolvable(0, "a box can never reach a target")
            answer = mine.advance(frame.limit)
            frame.thinking.report(mine.progress())
            if answer == bestfirst_search.AT_LIMIT:
                raise Stop(f"no solution within {frame.limit:,} positions")
        except Stop as stop:
            return frame.stopped(stop, mine.count, mine.depth)
        if answer == bestfirst_search.EXHAUSTED:
            return frame.unsolvable(mine.count, EXHAUSTED)
        return frame.solved(mine.steps(), mine.mode, mine.count, self.method.proves)


EXHAUSTED = "every position that can be reached was tried"


class Search:
    """One search of one board, in slices."""

    def __init__(self, frame: Run, board: Layout, method: Method, home: bool = True) -> None:
        """Nothing is searched yet.

        Args:
            frame: told how the search goes, for how long it may.
            board: where to.
            method: which search.
            home: whether it ends with all boxes at home, rather than where it meets another.
        """
        self._run = frame
        self.board = board
        self._method = method
        self._options = options(board, method.mode(), method.optimal, method.heuristic, method.pruning)
        self._order = method.order(frame.limit, home)
        self._scratch = scratch(len(board.squares), len(board.boxes))
        self._meta: Longs = np.zeros(bestfirst_search.META, dtype=np.int64)
        self._meta[bestfirst_search.CURRENT] = -1
        self._word: Words = np.zeros(1, dtype=np.uint64)
        players = board.rules.players
        self.positions = positions.empty(len(board.boxes), players, classes=method.classes)
        self._nothing = positions.empty(len(board.boxes), players, 1, 0, 1)

    @property
    def mode(self) -> int:
        """How solutions are cut into steps."""
        return self._options.mode

    @property
    def count(self) -> int:
        """Positions kept."""
        return int(self._meta[bestfirst_search.COUNT])

    @property
    def depth(self) -> int | None:
        """Pushes or moves that every solution needs, as far as the order of the search tells."""
        return int(self._meta[bestfirst_search.ROW]) if self.count and self._method.proves else None

    @property
    def met(self) -> int:
        """The position of the search from the other end at which this one met it, -1 for none."""
        return int(self._meta[bestfirst_search.MET]) - 1

    @property
    def bytes(self) -> int:
        """Memory in use."""
        return sum(array.nbytes for array in self.positions)

    def begin(self, players: Iterable[int] | None = None, ground: Ground | None = None) -> bool:
        """Look at the start, or at several that differ in where the player is; False: there is no solution.

        The level is measured, unless its `ground` is given.
        """
        self._ground = ground or survey(self.board, self._method.heuristic, self._pause)
        for player in [self.board.player] if players is None else players:
            board = replace(self.board, player=player)
            bound = lower_bound(board, self._ground, self._options, self._scratch, self._pause)
            if bound < FAR:
                self._start(board, bound)
        return self.count > 0

    def advance(self, limit: int, facing: positions.Positions | None = None) -> int:
        """Search on until there are `limit` positions: SOLVED, EXHAUSTED or AT_LIMIT.

        It is solved as well where it reaches a position that `facing`, of a search from the other end, knows.
        """
        self._order = self._order._replace(limit=limit)
        facing = facing or self._nothing
        while True:
            answer = self._run.timed(lambda budget: self._slice(facing, budget))
            if answer == bestfirst_search.NEED_RECORDS:
                self._grow()
            elif answer == bestfirst_search.NEED_QUEUES:
                self._more_queues(int(self._meta[bestfirst_search.NEEDED]))
            elif answer != bestfirst_search.GO_ON:
                return answer
            else:
                self._pause()

    def _pause(self, note: str = "") -> None:
        """Between slices."""
        self._run.pause(self.progress(note))

    def progress(self, note: str = "") -> Progress:
        """How the search goes."""
        count, meta = self.count, self._meta
        if not count:
            return Progress(note=note)
        shown, closed = int(meta[bestfirst_search.BEST]), int(meta[bestfirst_search.EXPANSIONS])
        best = int(self.positions.records[shown, positions.BOUND])
        if not note:
            parts = [f"at least {self.depth} {self._method.optimal}"] if self._method.proves else []
            if self._method.heuristic is not None:
                parts.append(f"nearest position {best} pushes short at least")
            note = ", ".join(parts)
        return Progress(
            count,
            depth=self.depth,
            measure=float(best),
            note=note,
            position=self.board.position(self.positions.places[shown, : len(self.board.boxes)]),
            open=count - closed - int(meta[bestfirst_search.DROPPED]),
            closed=closed,
        )

    def _start(self, board: Layout, bound: int) -> None:
        """One more first record."""
        meta, work, kept, number = self._meta, self._scratch, self.positions, self.count
        player = board.player
        if self._options.mode == REGIONS:
            meta[bestfirst_search.AFTER] += 1
            player = int(
                flood(board.steps, board.marked, work.after, meta[bestfirst_search.AFTER], player, work.queue)
            )
        kept.records[number] = (-1, 0, bound, -1, positions.FRESH, 0)
        kept.places[number] = [*board.boxes.tolist(), player, *([board.second] if board.second >= 0 else [])]
        positions.rehash(kept, self._ground.colour, self._ground.words, number, number + 1)
        row = self._order.bound * bound // bestfirst_search.SCALE
        self._more_queues(row)
        positions.enqueue(self.positions.records, self.positions.heads, self.positions.least, number, row)
        meta[bestfirst_search.COUNT] = number + 1
        meta[bestfirst_search.ROW] = min(row, int(meta[bestfirst_search.ROW])) if number else row

    def _slice(self, facing: positions.Positions, budget: int) -> int:
        meta = self._meta
        for stamp, marks in (
            (bestfirst_search.STAMP, self._scratch.seen),
            (bestfirst_search.AFTER, self._scratch.after),
        ):
            if meta[stamp] > 2**30 and meta[bestfirst_search.CURRENT] < 0:
                marks[:] = 0
                meta[stamp] = 0
        return int(
            bestfirst_search.search_slice(
                self._ground,
                self._options,
                self._order,
                self.positions,
                facing,
                self._scratch,
                meta,
                self._word,
                budget,
            )
        )

    def _grow(self) -> None:
        """Twice the room for records and, where needed, for the hash table; gives up beyond MAX_BYTES."""
        count, kept = self.count, self.positions
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
        self.positions = kept

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
        kept = self.positions
        if needed < len(kept.heads):
            return
        rows = max(2 * len(kept.heads), needed + 1)
        classes = kept.heads.shape[1]
        if 4 * rows * classes > run.MAX_BYTES // 4:
            raise Stop("no solution within the memory for queues")
        heads = np.full((rows, classes), -1, dtype=np.int32)
        least = np.full(rows, classes, dtype=np.int32)
        heads[: len(kept.heads)] = kept.heads
        least[: len(kept.least)] = kept.least
        self.positions = kept._replace(heads=heads, least=least)

    def steps(self, record: int | None = None) -> Iterator[Done]:
        """The steps from the start to a record, or to the one found."""
        records, places = self.positions.records, self.positions.places
        chain = [int(self._meta[bestfirst_search.FOUND]) if record is None else record]
        while (parent := int(records[chain[-1], positions.PARENT])) >= 0:
            chain.append(parent)
        for before, after in itertools.pairwise(reversed(chain)):
            yield step(places[before], places[after], len(self.board.boxes), int(records[after, positions.ACTION]))


def step(before: Shorts, after: Shorts, size: int, action: int) -> Done:
    """The step between two positions."""
    slots = np.flatnonzero(before[:size] != after[:size])
    if not len(slots):
        return Done(action, -1, -1)
    return Done(action, int(before[slots[0]]), int(after[slots[0]]))


class AStar(BestFirstSettings, BestFirst):
    """The next position is the one whose cost so far and lower bound add up to least."""

    @property
    @override
    def method(self) -> Method:
        return Method(self.optimal, self.heuristic, self.pruning)


class WeightedAStar(WeightedSettings, BestFirst):
    """A* that trusts its lower bound more than it may: solutions cost at most `weight` times the least."""

    @property
    @override
    def method(self) -> Method:
        return Method(self.optimal, self.heuristic, self.pruning, bound_weight=self.weight)


class Greedy(BestFirstSettings, BestFirst):
    """The next position is the one that looks nearest to a solution, whatever it has cost."""

    @property
    @override
    def method(self) -> Method:
        return Method(self.optimal, self.heuristic, self.pruning, cost_weight=0.0)


class UniformCost(BlindSettings, BestFirst):
    """Dijkstra: the next position is the cheapest one; a push with its walk is a step."""

    @property
    @override
    def method(self) -> Method:
        return Method(self.optimal, None, self.pruning, bound_weight=0.0)


class BreadthFirst(BlindSettings, BestFirst):
    """Positions in the order of their distance, in pushes or in single moves."""

    @property
    @override
    def method(self) -> Method:
        return Method(self.optimal, None, self.pruning, bound_weight=0.0, single=self.optimal == "moves")
