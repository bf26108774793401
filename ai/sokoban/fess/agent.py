"""The strong solver: several feature-space searches take turns, each longer than the one before.

The searches differ in the features that make their cells, in the order of moves that cost the same
(`ai.sokoban.fess.search`), and in whether they play the level forwards or backwards. Where one of them goes astray another
often succeeds at once. After every round comes a search by single pushes from both ends (`ai.sokoban.fess.perimeter`), to
which small crowded levels yield. Turns are counted in moves and positions, so the same budget of nodes gives the same plan.
"""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

from typing_extensions import override

from ai.agent import Plan, Progress, Thinking
from ai.sokoban.board.ground import SLICE_SECONDS
from ai.sokoban.board.successors import REGIONS
from ai.sokoban.fess import tree as kept
from ai.sokoban.fess.perimeter import BothEnds
from ai.sokoban.fess.run import Ends, FeatureSearch
from ai.sokoban.search import bestfirst_search as pushing
from ai.sokoban.search.bestfirst import EXHAUSTED
from ai.sokoban.search.run import Run, Stop
from ai.sokoban.search.settings import FessSettings
from game.rules import sokoban

SEARCHES = (
    kept.Style(fine=False, freed=kept.COUNTED, nearest=False, pulls=False),
    kept.Style(fine=True, freed=kept.NO, nearest=True, pulls=False),
    kept.Style(fine=False, freed=kept.IN_ORDER, nearest=False, pulls=True),
    kept.Style(fine=True, freed=kept.NO, nearest=True, pulls=True),
    kept.Style(fine=True, freed=kept.IN_ORDER, nearest=True, pulls=False),
)

_PARTS = ("advisors", "follow_ups", "corrals", "patterns", "stuck")
"""Of every search; each may be left out."""

_GUESSED = 4
"""A search whose plan leaves boxes out has turns so much shorter."""

MAX_BYTES = 700_000_000
"""Bytes for all searches of a level and what they know of it; beyond it they give up. Python, kernels and scratch add 0.3 GB."""

FIRST_TURN = 800
"""Moves of each search in the first round, and positions of those by single pushes; half as many again in every further one."""

_MOST_PUSHED = 4096
"""Positions of a turn of those by single pushes: levels that are theirs yield early."""


class Fess(FessSettings):
    """Solves large levels; solutions are not the shortest."""

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.nodes)
        return frame.known(state) or _Portfolio(frame, state, self.without, self.cores).plan()


class _Portfolio:
    """The searches of one position."""

    def __init__(self, frame: Run, state: sokoban.State, without: str, cores: int) -> None:
        self._run = frame
        self._cores = cores
        self._state = state
        self._dense = without != "portfolio"
        self._level = Ends(frame.board, self._pause, without != "plan", without != "early")
        self._ends = BothEnds(_Share(state, frame, self._tell), without != "perimeter", self._level.ground)
        self._styles = [
            style._replace(**{part: without != part.replace("_", "-") for part in _PARTS})
            for style in (SEARCHES[:1] if without == "portfolio" else SEARCHES)
            if not (style.pulls and without == "backward")
        ]
        self._searches: list[FeatureSearch] = []

    @property
    def _count(self) -> int:
        return self._ends.count + sum(each.count for each in self._searches)

    def plan(self) -> Plan:
        try:
            return self._plan()
        except Stop as stop:
            return self._run.stopped(stop, self._count)

    def _plan(self) -> Plan:
        self._stages = len(self._level.end(SEARCHES[0]).features.filled) - 1
        turn = FIRST_TURN
        while True:
            for first in range(0, len(self._styles), self._cores):
                while len(self._searches) < min(first + self._cores, len(self._styles)):
                    style = self._styles[len(self._searches)]
                    mine = FeatureSearch(self._level.end(style), style)
                    self._searches.append(mine)
                    mine.begin(lambda: self._pause(""))
                if (plan := self._turns(first, turn)) is not None:
                    return plan
            if self._dense and (plan := self._push(min(turn, _MOST_PUSHED))) is not None:
                return plan
            turn += turn // 2

    def _push(self, positions: int) -> Plan | None:
        """Let the searches by single pushes have so many positions; their answer where they have one."""
        answer = self._ends.advance(positions, max(1, self._run.limit - self._count))
        if answer == pushing.SOLVED:
            return self._run.solved(self._run.until_cancelled(self._ends.steps()), REGIONS, self._count)
        if answer == pushing.EXHAUSTED:
            return self._run.unsolvable(self._count, EXHAUSTED)
        if self._count >= self._run.limit:
            raise Stop(f"no solution within {self._run.limit:,} positions")
        return None

    def _tell(self) -> None:
        """How far the searches are."""
        self._pause("", self._searches[0])

    def _turns(self, first: int, turn: int) -> Plan | None:
        """Let the next searches, one a core, have their turns at once; the first answer.

        The others are not waited for, those before it are: the same moves give the same answer, however fast each is.
        """
        group = self._searches[first : first + self._cores]
        for mine, other in itertools.product(group, self._searches):
            if mine is not other and mine.pulls == other.pulls:
                mine.learn_from(other)
        moves = [turn // _GUESSED if mine.guessed else turn for mine in group]
        room = max(1, self._run.limit - self._count) // len(group)
        if len(group) == 1:
            answer = _turn(group[0], moves[0], group[0].count + room, partial(self._look, group[0]))
            return self._answer(group[0], answer)
        enough = threading.Event()
        with ThreadPoolExecutor(len(group)) as pool:
            turns = [
                pool.submit(_turn, mine, many, mine.count + room, enough.is_set)
                for mine, many in zip(group, moves, strict=True)
            ]
            try:
                for mine, future in zip(group, turns, strict=True):
                    while not wait([future], timeout=SLICE_SECONDS).done:
                        self._look(mine)
                    plan = self._answer(mine, future.result())
                    if plan is not None:
                        return plan
            finally:
                enough.set()
        return None

    def _look(self, mine: FeatureSearch) -> bool:
        """Between slices: clock, listener and memory; never enough."""
        self._pause("", mine)
        if self._level.bytes + self._ends.bytes + sum(each.bytes for each in self._searches) > MAX_BYTES:
            raise Stop(f"no solution within {MAX_BYTES / 1e9:g} GB of memory ({self._count:,} positions)")
        return False

    def _answer(self, mine: FeatureSearch, answer: int) -> Plan | None:
        """What a search has found, for people."""
        if answer == kept.SOLVED:
            pushes = mine.pushes(self._run.unless_cancelled)
            return self._run.solved(self._run.until_cancelled(pushes), REGIONS, self._count)
        if answer == kept.EXHAUSTED:
            return self._run.unsolvable(self._count, EXHAUSTED)
        if answer == kept.AT_LIMIT:
            raise Stop(f"no solution within {self._run.limit:,} positions")
        return None

    def _pause(self, note: str, mine: FeatureSearch | None = None) -> None:
        """Between slices."""
        if mine is None:
            self._run.pause(Progress(note=note))
            return
        best = max((each for each in self._searches if not each.pulls), key=lambda each: each.stage)
        count = self._count
        self._run.pause(
            Progress(
                count,
                measure=float(best.stage),
                note=f"{best.stage} of {self._stages} steps of the packing plan",
                position=self._run.board.position(best.best),
                closed=count,
            )
        )


class _Share(Run):
    """A share of the budget for one more search, whose progress nobody need see."""

    def __init__(self, state: sokoban.State, whole: Run, tell: Callable[[], None]) -> None:
        super().__init__(state, whole.thinking, whole.seconds, whole.limit)
        self._tell = tell

    @override
    def pause(self, progress: Progress) -> None:
        self._tell()


def _turn(mine: FeatureSearch, moves: int, limit: int, enough: Callable[[], bool]) -> int:
    """Make so many moves, unless there is an answer before; asks after every slice whether it is enough."""
    until, answer = mine.made + moves, kept.GO_ON
    while answer == kept.GO_ON and mine.made < until:
        answer = mine.advance(limit, until - mine.made)
        if enough():
            break
    return answer
