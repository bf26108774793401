"""What beam search, LRTA* and IDA* have around their kernels: all three learn from `unfolding` what comes after a position."""

from abc import ABC, abstractmethod

import numpy as np

from ai.agent import Progress
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Layout, Longs
from ai.sokoban.search import unfolding
from ai.sokoban.search.options import options
from ai.sokoban.search.run import Run, Stop, doubled
from ai.sokoban.search.scratch import scratch
from ai.sokoban.search.start import first_state, lower_bound


class UnfoldingSearch(ABC):
    """One search for one position."""

    def __init__(
        self, frame: Run, board: Layout, mode: int, optimal: str, heuristic: str, pruning: str, meta: int
    ) -> None:
        """`board` may have other rules than that of `frame`; `meta`: numbers that the kernel keeps between slices."""
        self._run, self._board, self._heuristic = frame, board, heuristic
        self._options = options(board, mode, optimal, heuristic, pruning)
        self._width = len(board.boxes) + board.rules.players
        self._scratch = scratch(len(board.squares), len(board.boxes))
        self._numbers: Longs = np.zeros(unfolding.NUMBERS, dtype=np.int64)
        self._meta: Longs = np.zeros(meta, dtype=np.int64)
        self._pool = unfolding.no_ways(4 * len(self._scratch.found))

    def _begin(self, here: unfolding.States) -> int:
        """Write the first position; returns its lower bound, FAR where a box can never reach a target."""
        self._ground = survey(self._board, self._heuristic, self._pause)
        bound = lower_bound(self._board, self._ground, self._options, self._scratch, self._pause)
        if bound >= FAR and self._board is not self._run.board:
            raise Stop("no solution without pulls")
        if bound < FAR:
            first_state(self._board, self._ground, self._options, self._scratch, bound, here)
            self._numbers[unfolding.STAMP] = 1
        return bound

    def _pause(self, note: str = "") -> None:
        """Between slices; before the first one with a note."""
        self._run.pause(Progress(note=note) if note else self._progress())

    @abstractmethod
    def _progress(self) -> Progress:
        """How the search goes."""

    def _slice(self, budget: int) -> int:
        """A slice of the search; returns one of the kernel's answers."""
        if self._numbers[unfolding.STAMP] > 2**30 and not self._numbers[unfolding.OPEN]:
            self._scratch.seen[:] = self._scratch.after[:] = 0
            self._numbers[unfolding.STAMP] = 0
        return self._search_on(budget)

    @abstractmethod
    def _search_on(self, budget: int) -> int:
        """Call the kernel."""

    def _double_pool(self) -> None:
        self._pool = unfolding.Pool(doubled(self._pool.rows), doubled(self._pool.words))
