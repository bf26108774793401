"""The strong solver: several feature-space searches take turns, each longer than the one before.

The searches differ in the features that make their cells and in the order of moves that cost the same
(`ai.sokoban.fess_search`). Where one of them goes astray another often succeeds at once. After every round comes a
greedy search by single pushes, to which small crowded levels yield. Turns are counted in moves and positions, so the
same budget of nodes gives the same plan.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban import bestfirst
from ai.sokoban import fess_search as search
from ai.sokoban.fess_run import FeatureSearch, features_of
from ai.sokoban.ground import survey
from ai.sokoban.run import MAX_BYTES, Run, Stop
from ai.sokoban.successors import REGIONS
from game.rules import sokoban

STYLES = (
    search.Style(0, 0, pieces=True, way=True),
    search.Style(8, 0, pieces=True, way=True),
    search.Style(8, 0, pieces=False, way=False),
    search.Style(4, 2, pieces=True, way=True),
    search.Style(0, 0, pieces=True, way=False),
    search.Style(6, 3, pieces=False, way=True),
)
PARTS = ("nothing", "plan", "advisors", "corrals", "portfolio")

FIRST_TURN = 2000
"""Moves of each search in the first round; twice as many in every further one."""

_POSITIONS_A_MOVE = 4
_STEPS_A_MOVE = 1000


class Fess:
    """Solves large levels; solutions are not the shortest."""

    def __init__(self, time: float, nodes: int, without: str = "nothing") -> None:
        """`time` in seconds and `nodes` (positions kept) are used where a request sets no limits of its own.

        `without` is one of PARTS: what is left out, to see what it is worth.
        """
        self._time = time
        self._nodes = nodes
        self._without = without

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self._time, self._nodes)
        return frame.known(state) or _Portfolio(frame, state, self._without).plan()


class _Portfolio:
    """The searches of one position."""

    def __init__(self, frame: Run, state: sokoban.State, without: str) -> None:
        self._run = frame
        self._state = state
        self._dense = without != "portfolio"
        self._pushed = 0
        self._planned = without != "plan"
        styles = STYLES[:1] if without == "portfolio" else STYLES
        self._styles = [
            style._replace(advisors=without != "advisors", corrals=without != "corrals") for style in styles
        ]
        self._searches: list[FeatureSearch] = []

    @property
    def _count(self) -> int:
        return self._pushed + sum(each.count for each in self._searches)

    def plan(self) -> Plan:
        try:
            return self._plan()
        except Stop as stop:
            return self._run.stopped(stop, self._count)

    def _plan(self) -> Plan:
        board = self._run.board
        ground = survey(board, None, self._pause)
        features = features_of(board, ground, self._pause, self._planned)
        self._stages = len(features.filled) - 1
        turn = FIRST_TURN
        while True:
            for number, style in enumerate(self._styles):
                if number == len(self._searches):
                    self._searches.append(FeatureSearch(board, ground, features, style))
                    self._searches[number].begin()
                plan = self._turn(self._searches[number], turn)
                if plan is not None:
                    return plan
            if self._dense and (plan := self._push(_POSITIONS_A_MOVE * turn)) is not None:
                return plan
            turn *= 2

    def _push(self, positions: int) -> Plan | None:
        """A greedy search by single pushes, begun anew every time; its answer where it has one."""
        frame = _Share(self._state, self._run, max(1, min(positions, self._run.limit - self._count)), self._tell)
        plan = bestfirst.BestFirst(bestfirst.Method(cost_weight=0.0), frame.seconds, frame.limit).search(
            frame, self._state
        )
        self._pushed += plan.nodes
        if plan.status in (Status.SOLVED, Status.UNSOLVABLE):
            return replace(plan, nodes=self._count)
        if self._count >= self._run.limit:
            raise Stop(f"no solution within {self._run.limit:,} positions")
        self._tell()
        return None

    def _tell(self) -> None:
        """How far the searches are."""
        self._pause("", self._searches[0])

    def _turn(self, mine: FeatureSearch, moves: int) -> Plan | None:
        """Let a search make so many moves; its answer where it has one."""
        until = mine.made + moves
        answer = search.GO_ON
        while answer == search.GO_ON and mine.made < until:
            limit, left = self._run.limit - self._count + mine.count, until - mine.made
            answer = self._run.timed(partial(_advance, mine, limit, left))
            self._pause("", mine)
            if sum(each.bytes for each in self._searches) > MAX_BYTES:
                raise Stop(f"no solution within {MAX_BYTES / 1e9:g} GB of memory ({self._count:,} positions)")
        if answer == search.SOLVED:
            return self._run.solved(mine.pushes(), REGIONS, self._count)
        if answer == search.EXHAUSTED:
            return self._run.unsolvable(self._count, "every position that can be reached was tried")
        if answer == search.AT_LIMIT:
            raise Stop(f"no solution within {self._run.limit:,} positions")
        return None

    def _pause(self, note: str, mine: FeatureSearch | None = None) -> None:
        """Between slices."""
        if mine is None:
            self._run.pause(Progress(note=note))
            return
        best = max(self._searches, key=lambda each: each.stage)
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

    def __init__(self, state: sokoban.State, whole: Run, limit: int, tell: Callable[[], None]) -> None:
        super().__init__(state, whole.thinking, whole.seconds, limit)
        self.limit = limit
        self._tell = tell

    def pause(self, progress: Progress) -> None:
        self._tell()


def _advance(mine: FeatureSearch, limit: int, left: int, budget: int) -> int:
    """Make moves that take about `budget` elementary steps, `left` at most."""
    return mine.advance(limit, min(max(1, budget // _STEPS_A_MOVE), left))
