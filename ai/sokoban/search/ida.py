"""`ida`: iterative-deepening A*, with little memory and a table that keeps it from searching the same again.

After Korf (1985); the table after Reinefeld and Marsland (1994). The search itself is in `ai.sokoban.search.ida_search`.
"""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from ai.agent import Plan, Progress, Thinking
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.successors import REGIONS, WALKS
from ai.sokoban.search import ida_search as search
from ai.sokoban.search import run, unfolding
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.settings import IdaSettings
from ai.sokoban.search.unfolding_search import UnfoldingSearch
from game.rules import sokoban

_ROOM_AT_FIRST = 1 << 14
_CHUNK = 1 << 16


class Ida(IdaSettings):
    """Solves with the fewest pushes or moves, or proves that there is no solution."""

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.nodes)
        return frame.known(state) or _Search(frame, self).plan()


class _Search(UnfoldingSearch):
    """One search for one position."""

    def __init__(self, frame: Run, told: IdaSettings) -> None:
        self._optimal, self._most = told.optimal, told.table
        mode = REGIONS if told.optimal == "pushes" else WALKS
        super().__init__(frame, frame.board, mode, told.optimal, told.heuristic, told.pruning, search.META)
        here = unfolding.no_states(1, self._width)
        frames = np.zeros((256, search.FRAME), dtype=np.int32)
        shown = self._board.boxes.astype(np.uint16)
        self._path = search.Path(frames, here, self._board.marked, shown)
        room = 1 << (min(told.table, _ROOM_AT_FIRST).bit_length() - 1)
        self._table = empty_table(max(search.BUCKET, room), self._width)

    def plan(self) -> Plan:
        try:
            bound = self._begin(self._path.here)
            if bound >= FAR:
                return self._run.unsolvable(0, "a box can never reach a target")
            self._start(bound)
            return self._search()
        except Stop as stop:
            return self._run.stopped(stop, self._nodes, self._limit if self._nodes else None)

    @property
    def _nodes(self) -> int:
        return int(self._meta[search.NODES])

    @property
    def _limit(self) -> int:
        return int(self._meta[search.LIMIT])

    @override
    def _progress(self) -> Progress:
        best = int(self._meta[search.BEST])
        return Progress(
            self._nodes,
            depth=self._limit,
            measure=float(best),
            note=f"at least {self._limit} {self._optimal}, nearest position {best} pushes short at least",
            position=self._board.position(self._path.shown),
            open=int(self._meta[search.DEPTH]) + 1,
            closed=self._nodes,
        )

    def _start(self, bound: int) -> None:
        """The first frame."""
        meta, here = self._meta, self._path.here
        meta[search.NODES] = meta[search.ROUND] = 1
        meta[search.LIMIT] = meta[search.BEST] = bound
        self._path.frames[0] = (0, 0, 0, FAR, -1, 0)
        self._pool.rows[0] = (0, -1, -1, -1, here.places[0, -1], -1, 0, 0, bound)
        self._pool.words[0] = here.words[0]

    def _search(self) -> Plan:
        """Slices, iteration after iteration, until there is an answer."""
        meta = self._meta
        while True:
            answer = self._run.timed(self._slice)
            if answer == search.SOLVED:
                self._run.thinking.report(self._progress())
            if answer == search.GO_ON:
                self._pause()
            elif answer == search.NEED_FRAMES:
                self._path = self._path._replace(frames=doubled(self._path.frames))
            elif answer == search.NEED_TABLE:
                self._grow()
            elif answer == search.NEED_POOL:
                self._double_pool()
            elif answer == search.AT_LIMIT:
                raise Stop(f"no solution within {self._run.limit:,} positions")
            elif answer == search.SOLVED:
                return self._run.solved(self._steps(), self._options.mode, self._nodes, self._optimal)
            else:
                beyond = int(self._path.frames[0, search.BEYOND])
                if beyond >= FAR or not meta[search.CUT]:
                    return self._run.unsolvable(self._nodes, "every position that can be reached was tried")
                meta[search.LIMIT] = beyond
                meta[search.ROUND] += 1
                meta[search.OPENED] = meta[search.CUT] = 0
                self._pause()

    @override
    def _search_on(self, budget: int) -> int:
        return int(
            search.deepening_slice(
                self._ground, self._options, self._path, self._pool, self._table, self._scratch, self._numbers,
                self._meta, self._run.limit, self._growing, budget,
            )
        )  # fmt: skip

    @property
    def _growing(self) -> bool:
        """Whether the table may be twice as large."""
        room = 2 * len(self._table.words)
        return room <= self._most and 2 * sum(part.nbytes for part in self._table) <= run.MAX_BYTES

    def _grow(self) -> None:
        """A table twice as large, filled piece by piece."""
        old, frames = self._table, self._path.frames
        new = empty_table(2 * len(old.words), old.places.shape[1])
        moved = np.zeros(len(old.words), dtype=np.int32)
        for first in range(0, len(old.words), _CHUNK):
            search.move_over(old, new, moved, first, min(first + _CHUNK, len(old.words)))
            self._pause()
        entries = frames[: self._meta[search.DEPTH] + 1, search.ENTRY]
        entries[:] = np.where(entries >= 0, moved[entries], -1)
        self._table = new

    def _steps(self) -> Iterator[Done]:
        """The ways along the path."""
        for frame in range(1, int(self._meta[search.DEPTH]) + 1):
            way = self._pool.rows[self._path.frames[frame, search.WAY]].tolist()
            yield Done(way[unfolding.ACTION], way[unfolding.BEFORE], way[unfolding.AFTER])


def empty_table(room: int, width: int) -> search.Table:
    """An empty table for positions of `width` squares."""
    return search.Table(
        words=np.zeros(room, dtype=np.uint64),
        places=np.zeros((room, width), dtype=np.uint16),
        least=np.zeros(room, dtype=np.int32),
        rounds=np.zeros(room, dtype=np.int32),
    )
