"""`beam`: beam search over single moves or pushes, as in the report or deterministic.

The search itself is in `ai.sokoban.search.beam_search`.
"""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from ai.agent import Plan, Progress, Thinking
from ai.random import Stream
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.layout import Words, without_pulls
from ai.sokoban.board.successors import REGIONS, SINGLE
from ai.sokoban.search import beam_search as search
from ai.sokoban.search import unfolding
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.settings import BeamSettings
from ai.sokoban.search.unfolding_search import UnfoldingSearch
from game.rules import sokoban

_K_AT_FIRST = 1000
_VISITED_AT_FIRST = 8192
"""Room that is enough for most searches."""


class Beam(BeamSettings):
    """Solves, mostly; says nothing of levels that it does not solve, and promises no shortest solution."""

    _seed = 0

    def new_game(self, seed: int) -> None:
        """`seed` drives the draw."""
        self._seed = seed

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), UNSOLVABLE where that shows at once, GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.nodes)
        return frame.known(state) or _Search(frame, self, self._seed).plan()


class _Search(UnfoldingSearch):
    """One search for one position."""

    def __init__(self, frame: Run, told: BeamSettings, seed: int) -> None:
        self._told = told
        board = frame.board if told.pulls else without_pulls(frame.board)
        mode = REGIONS if told.successors == "pushes" else SINGLE
        super().__init__(frame, board, mode, told.successors, told.heuristic, told.pruning, search.META)
        ways = 4 if self._options.mode == SINGLE else 8
        self._pool = unfolding.no_ways(ways * min(told.k, _K_AT_FIRST) + len(self._scratch.found))
        self._beam = search.Beam(
            here=unfolding.no_states(told.k, self._width),
            there=unfolding.no_states(told.k, self._width),
            origin=np.zeros((2, told.k), dtype=np.int64),
            history=np.zeros((_VISITED_AT_FIRST, search.HISTORY), dtype=np.int32),
            shown=self._board.boxes.astype(np.uint16),
        )
        self._draw = self._drawing(
            np.zeros(4 * _VISITED_AT_FIRST, dtype=np.uint64), np.array([seed], dtype=np.uint64)
        )
        self._settings = search.Settings(told.k, told.iterations, told.temperature, told.remember, frame.limit)

    def plan(self) -> Plan:
        try:
            bound = self._begin(self._beam.here)
            if bound >= FAR:
                return self._run.unsolvable(0, "a box can never reach a target")
            self._meta[search.SIZE] = self._meta[search.VISITED] = 1
            self._meta[search.BEST] = bound
            return self._search()
        except Stop as stop:
            return self._run.stopped(stop, self._generated)

    @property
    def _generated(self) -> int:
        return int(self._meta[search.GENERATED])

    @override
    def _progress(self) -> Progress:
        best, rounds = int(self._meta[search.BEST]), int(self._meta[search.ROUND])
        return Progress(
            self._generated,
            depth=rounds,
            measure=float(best),
            note=f"iteration {rounds:,}, nearest position {best} pushes short at least",
            position=self._board.position(self._beam.shown),
            open=int(self._meta[search.SIZE]),
            closed=int(self._meta[search.VISITED]),
        )

    def _search(self) -> Plan:
        """Slices until there is an answer."""
        while True:
            answer = self._run.timed(self._slice)
            if answer == search.GO_ON:
                self._pause()
            elif answer == search.NEED_POOL:
                self._double_pool()
                self._draw = self._drawing(self._draw.visited, self._draw.chance)
                self._pause()
            elif answer == search.NEED_VISITED:
                words = self._draw.visited
                self._draw = self._drawing(np.zeros(2 * len(words), dtype=np.uint64), self._draw.chance)
                search.enter(self._draw.visited, words)
                self._pause()
            elif answer == search.NEED_HISTORY:
                self._beam = self._beam._replace(history=doubled(self._beam.history))
                self._pause()
            elif answer == search.SOLVED:
                self._run.thinking.report(self._progress())
                return self._run.solved(self._steps(), self._options.mode, self._generated)
            else:
                self._run.thinking.report(self._progress())
                raise Stop(self._why(answer))

    def _why(self, answer: int) -> str:
        if answer == search.EMPTY:
            return "no position is left in the beam"
        if answer == search.OVER:
            return f"no solution within {self._told.iterations:,} iterations"
        return f"no solution within {self._run.limit:,} positions"

    @override
    def _search_on(self, budget: int) -> int:
        return int(
            search.beam_slice(
                self._ground, self._options, self._settings, self._beam, self._pool, self._draw, self._scratch,
                self._numbers, self._meta, budget,
            )
        )  # fmt: skip

    def _drawing(self, visited: Words, chance: Stream) -> search.Draw:
        """Room to draw from the pool as large as it is."""
        room = len(self._pool.words)
        fresh = 1 << (2 * room).bit_length()
        return search.Draw(
            fresh=np.zeros(fresh, dtype=np.uint64),
            stamps=np.zeros(fresh, dtype=np.int32),
            visited=visited,
            order=np.zeros(room, dtype=np.int64),
            keys=np.zeros(room, dtype=np.float64),
            chance=chance,
        )

    def _steps(self) -> Iterator[Done]:
        """The steps from the start to the position found."""
        row = self._pool.rows[self._meta[search.FOUND]].tolist()
        found = [Done(row[unfolding.ACTION], row[unfolding.BEFORE], row[unfolding.AFTER])]
        record = int(self._beam.origin[0, row[unfolding.STATE]])
        while record:
            record, action, before, after = self._beam.history[record].tolist()
            found.append(Done(action, before, after))
        return reversed(found)
