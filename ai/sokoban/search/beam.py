"""`beam`: beam search over single moves or pushes, as in the report or deterministic.

The search itself is in `ai.sokoban.search.beam_search`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Progress, Thinking
from ai.random import Stream
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Longs, Words, without_pulls
from ai.sokoban.board.successors import REGIONS, SINGLE
from ai.sokoban.search import beam_search as search
from ai.sokoban.search import unfolding
from ai.sokoban.search.options import how
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.scratch import scratch
from ai.sokoban.search.start import first_state, lower_bound
from game.rules import sokoban

_K_AT_FIRST = 1000
_VISITED_AT_FIRST = 8192
"""Room that is enough for most searches."""


@dataclass(frozen=True)
class Choice:
    """How a beam search is set."""

    heuristic: str = "matching"
    successors: str = "pushes"
    """`moves` or `pushes`."""
    k: int = 80
    iterations: int = 1000
    temperature: float = 1.0
    """Of the softmax, in pushes; 0: the k best."""
    remember: bool = True
    """Whether a position that was in the beam never comes back."""
    pulls: bool = True
    """Whether boxes are pulled where the rules allow it."""
    pruning: str = "deadlocks"


class BeamSearch:
    """Solves, mostly; says nothing of levels that it does not solve, and promises no shortest solution."""

    def __init__(self, choice: Choice, time: float, nodes: int) -> None:
        """`time` in seconds and `nodes` (ways on looked at) hold where a request sets no limits of its own."""
        self._choice = choice
        self._time = time
        self._nodes = nodes
        self._seed = 0

    def new_game(self, seed: int) -> None:
        """`seed` drives the draw."""
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
        self._how = how(self._board, mode, choice.successors, choice.heuristic, choice.pruning)
        size, players = len(self._board.boxes), self._board.rules.players
        self._scratch = scratch(len(self._board.squares), size)
        self._numbers: Longs = np.zeros(unfolding.NUMBERS, dtype=np.int64)
        self._meta: Longs = np.zeros(search.META, dtype=np.int64)
        ways = 4 if self._how.mode == SINGLE else 8
        self._pool = unfolding.no_ways(ways * min(choice.k, _K_AT_FIRST) + len(self._scratch.found))
        self._beam = search.Beam(
            here=unfolding.no_states(choice.k, size + players),
            there=unfolding.no_states(choice.k, size + players),
            origin=np.zeros((2, choice.k), dtype=np.int64),
            history=np.zeros((_VISITED_AT_FIRST, search.HISTORY), dtype=np.int32),
            shown=self._board.boxes.astype(np.uint16),
        )
        self._draw = self._drawing(
            np.zeros(4 * _VISITED_AT_FIRST, dtype=np.uint64), np.array([seed], dtype=np.uint64)
        )
        self._settings = search.Settings(
            choice.k, choice.iterations, choice.temperature, choice.remember, frame.limit
        )

    def plan(self) -> Plan:
        try:
            self._ground = survey(self._board, self._choice.heuristic, self._pause)
            bound = lower_bound(self._board, self._ground, self._how, self._scratch, self._pause)
            if bound >= FAR:
                if self._board is not self._run.board:
                    raise Stop("no solution without pulls")
                return self._run.unsolvable(0, "a box can never reach a target")
            first_state(self._board, self._ground, self._how, self._scratch, bound, self._beam.here)
            self._numbers[unfolding.STAMP] = 1
            self._meta[search.SIZE] = self._meta[search.VISITED] = 1
            self._meta[search.BEST] = bound
            return self._search()
        except Stop as stop:
            return self._run.stopped(stop, self._generated)

    @property
    def _generated(self) -> int:
        return int(self._meta[search.GENERATED])

    def _pause(self, note: str = "") -> None:
        """Between slices."""
        if self._meta[search.VISITED]:
            self._run.pause(self._progress())
        else:
            self._run.pause(Progress(note=note))

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
                self._pool = unfolding.Pool(doubled(self._pool.rows), doubled(self._pool.words))
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
                return self._run.solved(self._steps(), self._how.mode, self._generated)
            else:
                self._run.thinking.report(self._progress())
                raise Stop(self._why(answer))

    def _why(self, answer: int) -> str:
        if answer == search.EMPTY:
            return "no position is left in the beam"
        if answer == search.OVER:
            return f"no solution within {self._choice.iterations:,} iterations"
        return f"no solution within {self._run.limit:,} positions"

    def _slice(self, budget: int) -> int:
        if self._numbers[unfolding.STAMP] > 2**30 and not self._numbers[unfolding.OPEN]:
            self._scratch.seen[:] = self._scratch.after[:] = 0
            self._numbers[unfolding.STAMP] = 0
        return int(
            search.beam_slice(
                self._ground,
                self._how,
                self._settings,
                self._beam,
                self._pool,
                self._draw,
                self._scratch,
                self._numbers,
                self._meta,
                budget,
            )
        )

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


def beam(
    time: float,
    nodes: int,
    heuristic: str,
    successors: str,
    k: int,
    iterations: int,
    temperature: float,
    remember: bool,
    pulls: bool,
    pruning: str,
) -> BeamSearch:
    """Beam search."""
    return BeamSearch(
        Choice(heuristic, successors, k, iterations, temperature, remember, pulls, pruning), time, nodes
    )
