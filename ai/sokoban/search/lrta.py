"""`lrta`: learning real-time A* with restarts that keep what was learned, as in the report.

The search itself is in `ai.sokoban.search.lrta_search`.
"""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from ai.agent import Plan, Progress, Thinking
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.layout import without_pulls
from ai.sokoban.board.successors import REGIONS, SINGLE
from ai.sokoban.search import lrta_search as search
from ai.sokoban.search import unfolding
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.settings import LrtaSettings
from ai.sokoban.search.unfolding_search import UnfoldingSearch
from game.rules import sokoban


class Lrta(LrtaSettings):
    """Solves, mostly; says nothing of levels that it does not solve, and promises no shortest solution."""

    _seed = 0

    def new_game(self, seed: int) -> None:
        """`seed` chooses among ways that promise the same. What was learned of a level is not kept."""
        self._seed = seed

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), UNSOLVABLE where that shows at once, GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.nodes)
        return frame.known(state) or _Search(frame, self, self._seed).plan()


class _Search(UnfoldingSearch):
    """One search for one position."""

    def __init__(self, frame: Run, told: LrtaSettings, seed: int) -> None:
        self._told = told
        board = frame.board if told.pulls else without_pulls(frame.board)
        mode = REGIONS if told.successors == "pushes" else SINGLE
        super().__init__(frame, board, mode, "moves", told.heuristic, told.pruning, search.META)
        self._memory = search.Memory(
            words=np.zeros(4096, dtype=np.uint64),
            values=np.zeros(4096, dtype=np.int32),
            here=unfolding.no_states(2, self._width),
            trail=np.zeros((told.length, 3), dtype=np.int32),
            solution=np.zeros((told.length, 3), dtype=np.int32),
            shown=self._board.boxes.astype(np.uint16),
            chance=np.array([seed], dtype=np.uint64),
        )
        self._settings = search.Settings(told.steps, told.length, told.restarts, told.extra, frame.limit)

    def plan(self) -> Plan:
        try:
            here = self._memory.here
            bound = self._begin(here)
            if bound >= FAR:
                return self._run.unsolvable(0, "a box can never reach a target")
            for part in here:
                part[1] = part[0]
            self._meta[search.BEST] = self._meta[search.NEAREST] = bound
            self._search()
            raise Stop(f"no solution within {self._told.restarts:,} restarts")
        except Stop as stop:
            self._run.thinking.report(self._progress())
            if self._meta[search.LENGTH]:
                return self._run.solved(self._steps(), self._options.mode, self._generated)
            return self._run.stopped(stop, self._generated)

    @property
    def _generated(self) -> int:
        return int(self._meta[search.GENERATED])

    @override
    def _progress(self) -> Progress:
        meta = self._meta
        best, length = int(meta[search.BEST]), int(meta[search.LENGTH])
        note = f"solved in {length} steps" if length else f"nearest position {best} pushes short at least"
        return Progress(
            self._generated,
            depth=int(meta[search.TRIAL]),
            measure=float(best),
            note=f"restart {int(meta[search.TRIAL]):,}, {note}",
            position=self._board.position(self._memory.shown),
            open=int(meta[search.LEARNED]),
            closed=int(meta[search.VISITED]),
        )

    def _search(self) -> None:
        """Slices until the restarts are used up; raises Stop where something else is."""
        while True:
            answer = self._run.timed(self._slice)
            if answer == search.NEED_POOL:
                self._double_pool()
            elif answer == search.NEED_TABLE:
                old = self._memory
                self._memory = old._replace(words=np.zeros_like(doubled(old.words)), values=doubled(old.values))
                search.relearn(old.words, old.values, self._memory.words, self._memory.values)
            elif answer == search.AT_LIMIT:
                raise Stop(f"no solution within {self._run.limit:,} positions")
            elif answer == search.OVER:
                return
            self._pause()

    @override
    def _search_on(self, budget: int) -> int:
        return int(
            search.learning_slice(
                self._ground, self._options, self._settings, self._memory, self._pool, self._scratch,
                self._numbers, self._meta, budget,
            )
        )  # fmt: skip

    def _steps(self) -> Iterator[Done]:
        """The steps of the shortest solution."""
        for action, before, after in self._memory.solution[: self._meta[search.LENGTH]].tolist():
            yield Done(action, before, after)
