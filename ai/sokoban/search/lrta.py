"""`lrta`: learning real-time A* with restarts that keep what was learned, as in the report.

The search itself is in `ai.sokoban.search.lrta_search`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Progress, Thinking
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Longs, without_pulls
from ai.sokoban.board.successors import REGIONS, SINGLE
from ai.sokoban.search import lrta_search as search
from ai.sokoban.search import unfolding
from ai.sokoban.search.options import how
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.scratch import scratch
from ai.sokoban.search.start import first_state, lower_bound
from game.rules import sokoban


@dataclass(frozen=True)
class Choice:
    """How LRTA* is set."""

    heuristic: str = "matching"
    successors: str = "pushes"
    """`moves` or `pushes`."""
    steps: int = 50
    """Without coming nearer, before a restart."""
    length: int = 1000
    """Steps from the start at most."""
    restarts: int = 500
    extra: int = 0
    """Restarts after a solution, to shorten it."""
    pulls: bool = True
    """Whether boxes are pulled where the rules allow it."""
    pruning: str = "deadlocks"


class Learning:
    """Solves, mostly; says nothing of levels that it does not solve, and promises no shortest solution."""

    def __init__(self, choice: Choice, time: float, nodes: int) -> None:
        """`time` in seconds and `nodes` (ways on looked at) hold where a request sets no limits of its own."""
        self._choice = choice
        self._time = time
        self._nodes = nodes
        self._seed = 0

    def new_game(self, seed: int) -> None:
        """`seed` chooses among ways that promise the same. What was learned of a level is not kept."""
        self._seed = seed

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), UNSOLVABLE where that shows at once, GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self._time, self._nodes)
        return frame.known(state) or _Search(frame, self._choice, self._seed).plan()


class _Search:
    """One search for one position."""

    def __init__(self, frame: Run, choice: Choice, seed: int) -> None:
        self._run, self._choice = frame, choice
        self._board = frame.board if choice.pulls else without_pulls(frame.board)
        mode = REGIONS if choice.successors == "pushes" else SINGLE
        self._how = how(self._board, mode, "moves", choice.heuristic, choice.pruning)
        size, players = len(self._board.boxes), self._board.rules.players
        self._scratch = scratch(len(self._board.squares), size)
        self._numbers: Longs = np.zeros(unfolding.NUMBERS, dtype=np.int64)
        self._meta: Longs = np.zeros(search.META, dtype=np.int64)
        self._pool = unfolding.no_ways(2 * len(self._scratch.found))
        self._memory = search.Memory(
            words=np.zeros(4096, dtype=np.uint64),
            values=np.zeros(4096, dtype=np.int32),
            here=unfolding.no_states(2, size + players),
            trail=np.zeros((choice.length, 3), dtype=np.int32),
            solution=np.zeros((choice.length, 3), dtype=np.int32),
            shown=self._board.boxes.astype(np.uint16),
            chance=np.array([seed], dtype=np.uint64),
        )
        self._settings = search.Settings(choice.steps, choice.length, choice.restarts, choice.extra, frame.limit)

    def plan(self) -> Plan:
        try:
            self._ground = survey(self._board, self._choice.heuristic, self._pause)
            bound = lower_bound(self._board, self._ground, self._how, self._scratch, self._pause)
            if bound >= FAR:
                if self._board is not self._run.board:
                    raise Stop("no solution without pulls")
                return self._run.unsolvable(0, "a box can never reach a target")
            here = self._memory.here
            first_state(self._board, self._ground, self._how, self._scratch, bound, here)
            for part in here:
                part[1] = part[0]
            self._numbers[unfolding.STAMP] = 1
            self._meta[search.BEST] = self._meta[search.NEAREST] = bound
            self._search()
            raise Stop(f"no solution within {self._choice.restarts:,} restarts")
        except Stop as stop:
            self._run.thinking.report(self._progress())
            if self._meta[search.LENGTH]:
                return self._run.solved(self._steps(), self._how.mode, self._generated)
            return self._run.stopped(stop, self._generated)

    @property
    def _generated(self) -> int:
        return int(self._meta[search.GENERATED])

    def _pause(self, note: str = "") -> None:
        """Between slices."""
        self._run.pause(Progress(note=note) if note else self._progress())

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
                self._pool = unfolding.Pool(doubled(self._pool.rows), doubled(self._pool.words))
            elif answer == search.NEED_TABLE:
                old = self._memory
                self._memory = old._replace(words=np.zeros_like(doubled(old.words)), values=doubled(old.values))
                search.relearn(old.words, old.values, self._memory.words, self._memory.values)
            elif answer == search.AT_LIMIT:
                raise Stop(f"no solution within {self._run.limit:,} positions")
            elif answer == search.OVER:
                return
            self._pause()

    def _slice(self, budget: int) -> int:
        if self._numbers[unfolding.STAMP] > 2**30 and not self._numbers[unfolding.OPEN]:
            self._scratch.seen[:] = self._scratch.after[:] = 0
            self._numbers[unfolding.STAMP] = 0
        return int(
            search.learning_slice(
                self._ground,
                self._how,
                self._settings,
                self._memory,
                self._pool,
                self._scratch,
                self._numbers,
                self._meta,
                budget,
            )
        )

    def _steps(self) -> Iterator[Done]:
        """The steps of the shortest solution."""
        for action, before, after in self._memory.solution[: self._meta[search.LENGTH]].tolist():
            yield Done(action, before, after)


def lrta(
    time: float,
    nodes: int,
    heuristic: str,
    successors: str,
    steps: int,
    length: int,
    restarts: int,
    extra: int,
    pulls: bool,
    pruning: str,
) -> Learning:
    """LRTA*."""
    return Learning(Choice(heuristic, successors, steps, length, restarts, extra, pulls, pruning), time, nodes)
