"""Shortens a solution, as long as there is time: windows of it are searched for cheaper ways.

A window is a piece of the solution, from one position to another. A window is searched among all positions
(`optimise_search`), or among more pushes but only those positions near the solution (`vicinity`). Windows
slide along the solution and overlap; when none of one length helps any more they get longer and may take more positions.
A window that is the whole solution and was searched to the end among all positions is a proof.
"""

from dataclasses import dataclass, replace
from functools import partial
from itertools import count

import numpy as np

from ai import catalogue
from ai.agent import Agent, Plan, Progress, Status, Thinking
from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import Ints, Longs, Words
from ai.sokoban.board.successors import WALKS
from ai.sokoban.search import optimise_search as search
from ai.sokoban.search import vicinity
from ai.sokoban.search.bestfirst import step
from ai.sokoban.search.run import Done, Run, Stop
from ai.sokoban.search.scratch import scratch
from ai.sokoban.search.settings import OptimiseSettings
from ai.sokoban.search.solution import PRICES, pushes_of, solution
from game.rules import sokoban

FIRST_PUSHES = 8
"""Length of the first windows; twice as many in every further round."""
FIRST_LIMIT = 4000
"""Positions of a first window at most; three times as many in every further round."""
LAST_LIMIT = 1_000_000
NEAR_PUSHES = 4
"""A window near the solution is so many times as long."""
FIRST_SPREAD = 4
"""Squares that a box may be away from its own, the nearest ones; one more in every further round."""
MAX_WORDS = 1 << 21
"""Of a vicinity."""

_SLICE_WORDS = 200_000


@dataclass(eq=False)
class Optimise(OptimiseSettings):
    """Another agent's solution, made shorter; where two cost the same in what counts, the rest of the cost decides."""

    def __post_init__(self) -> None:
        self._source = _solver(self.from_, self.optimal, self.time, self.nodes)

    def new_game(self, seed: int) -> None:
        """Nothing here is random, but the other agent may be."""
        self._source.new_game(seed)

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The shortest solution found (SOLVED), also when cancelled; the other agent's answer where it has none."""
        frame = Run(state, thinking, self.time, self.nodes)
        plan = self._begin(state, frame)
        if plan.status is not Status.SOLVED or not plan.actions:
            return plan
        return _Shortening(frame, plan, self.optimal).plan()

    def _begin(self, state: sokoban.State, frame: Run) -> Plan:
        """The other agent's answer within half of the time and of the positions."""
        outer = frame.thinking

        def listen(progress: Progress) -> None:
            outer.report(replace(progress, fraction=None, measure=None))
            if outer.cancelled:
                inner.cancel()

        inner = Thinking(max(0.0, frame.seconds - outer.elapsed) / 2, max(1, frame.limit // 2), listen)
        if outer.cancelled:
            inner.cancel()
        return self._source.plan(state, inner)


def _solver(agent_id: str, optimal: str, time: float, nodes: int) -> Agent[sokoban.State]:
    """The agent of that id, looking for the same kind of solution if it can."""
    entry = catalogue.entry("sokoban", agent_id)
    wanted = {"time": time, "nodes": nodes, "optimal": optimal}
    agent: Agent[sokoban.State] = entry.make(
        {each.name: wanted[each.name] for each in entry.parameters if each.name in wanted}
    )
    return agent


class _Shortening:
    """The work on one solution."""

    def __init__(self, frame: Run, plan: Plan, optimal: str) -> None:
        self._run = frame
        self._board = frame.board
        self._optimal = optimal
        self._price = PRICES[optimal]
        pushes = pushes_of(self._board, plan.actions)
        self._was = len(plan.actions) if optimal == "moves" else len(pushes)
        self._best = solution(self._board, pushes, self._price)
        self._count = plan.nodes
        self._searched: dict[tuple[object, ...], int] = {}
        self._near: dict[int, Ints] = {}
        self._store: search.Store | None = None

    def plan(self) -> Plan:
        proved = False
        try:
            self._ground = survey(self._board, None, lambda _note: self._pause())
            proved = self._shorten()
        except Stop:
            pass
        plan = self._run.solved(self._best.pushes, WALKS, self._count, self._optimal if proved else "")
        return replace(plan, note=f"{plan.note}, was {self._was:,}")

    def _pause(self) -> None:
        """Between slices."""
        moves, pushes = self._price.counts(self._best.cost)
        shown = {"moves": moves, "pushes": pushes}
        first = self._optimal
        second = "pushes" if first == "moves" else "moves"
        note = f"{shown[first]:,} {first}, {shown[second]:,} {second}, was {self._was:,}"
        self._run.pause(Progress(self._count, measure=float(shown[first]), note=note))

    def _shorten(self) -> bool:
        """Until nothing helps any more; returns whether the solution is proved the shortest."""
        for turn in count():
            length = FIRST_PUSHES << turn
            limit = min(FIRST_LIMIT * 3**turn, LAST_LIMIT)
            helped = True
            while helped:
                helped, proved = self._slide(length, limit, 0)
                if proved:
                    return True
                helped |= self._slide(NEAR_PUSHES * length, limit, FIRST_SPREAD + turn)[0]
            if limit == LAST_LIMIT and length >= len(self._best.pushes):
                return False
        raise AssertionError

    def _slide(self, length: int, limit: int, spread: int) -> tuple[bool, bool]:
        """Search all windows of a length; returns whether one helped and whether there is nothing left to find."""
        first = 0
        helped = False
        while True:
            last = min(first + length, len(self._best.pushes))
            whole = first == 0 and last == len(self._best.pushes)
            cost = self._best.cost
            complete = self._search(first, last, limit, spread)
            if complete and whole and not spread:
                return helped, True
            if self._best.cost < cost:
                helped = True
            elif last == len(self._best.pushes):
                return helped, False
            else:
                first += max(1, length // 2)

    def _search(self, first: int, last: int, limit: int, spread: int) -> bool:
        """Look for a cheaper way between two positions and take it; returns whether it was searched to the end."""
        best = self._best
        between = best.places[first : last + 1].tobytes() if spread else best.places[first].tobytes()
        goal = np.sort(best.places[last]).tobytes()
        about = (spread, int(best.players[first]), between, goal, int(best.stands[last]))
        if self._searched.get(about, 0) >= limit:
            return self._searched[about] > limit
        allowed = self._vicinity(first, last, spread)
        if allowed is None:
            return False
        limit = min(limit, self._run.limit - self._count)
        size = len(self._board.boxes)
        if limit <= 4 * size:
            raise Stop("no positions are left")
        meta: Longs = np.zeros(search.META, dtype=np.int64)
        work = scratch(len(self._board.squares), size)
        asked, kept = self._window(first, last, limit, allowed, meta, work.queue)
        answer = search.GO_ON
        while answer == search.GO_ON:
            answer = self._run.timed(partial(search.search_window, asked, kept, work, meta))
            self._pause()
        self._count += int(meta[search.COUNT])
        if meta[search.FOUND] >= 0:
            way = _way(kept, int(meta[search.FOUND]), size)
            pushes = (*best.pushes[:first], *way, *best.pushes[last:])
            self._best = solution(self._board, pushes, self._price)
        self._searched[about] = LAST_LIMIT + 1 if answer == search.DONE else limit
        return answer == search.DONE

    def _window(
        self, first: int, last: int, limit: int, allowed: Words, meta: Longs, queue: Ints
    ) -> tuple[search.Window, search.Store]:
        """What is asked, and the store with its first record."""
        best, ground, size = self._best, self._ground, len(self._board.boxes)
        nearest: Ints = np.empty(len(self._board.squares), dtype=np.int32)
        search.pushes_left(ground.steps, best.places[last], nearest, queue)
        asked = search.Window(
            steps=ground.steps,
            alive=ground.alive,
            is_target=ground.is_target,
            colour=ground.colour,
            words=ground.words,
            nearest=nearest,
            allowed=allowed,
            stand=int(best.stands[last]),
            walk=self._price.walk,
            push=self._price.push,
        )
        if self._store is None or len(self._store.costs) != limit:
            self._store = search.store(limit, size)
        else:
            self._store.table[:] = 0
        kept = self._store
        left = int(nearest[best.places[first]].sum())
        kept.records[0] = (-1, left, -1)
        kept.costs[0] = 0
        kept.places[0, :size], kept.places[0, size] = best.places[first], best.players[first]
        search.start(asked, kept)
        meta[search.COUNT], meta[search.WAITING], meta[search.FOUND] = 1, 1, -1
        meta[search.BOUND] = best.before[last] - best.costs[first]
        return asked, kept

    def _vicinity(self, first: int, last: int, spread: int) -> Words | None:
        """The positions to look at: all (`spread` 0) or those near a piece of the solution; None if these are too many."""
        rows, size = last + 1 - first, len(self._board.boxes)
        while spread and rows * vicinity.room(size, spread) > MAX_WORDS:
            spread -= 1
            if not spread:
                return None
        if not spread:
            return np.zeros(1, dtype=np.uint64)
        if spread not in self._near:
            steps = self._ground.steps
            near: Ints = np.empty((len(steps), spread), dtype=np.int32)
            queue, seen = np.zeros((2, len(steps)), dtype=np.int32)
            vicinity.nearby(steps, self._ground.alive, near, queue, seen)
            self._near[spread] = near
        each = vicinity.room(size, spread)
        allowed: Words = np.zeros(1 << (2 * rows * each).bit_length(), dtype=np.uint64)
        rows_a_slice = max(1, _SLICE_WORDS // each)
        for row in range(first, last + 1, rows_a_slice):
            behind = min(row + rows_a_slice, last + 1)
            vicinity.mark_vicinity(self._ground.words, self._near[spread], self._best.places, allowed, row, behind)
            self._pause()
        return allowed


def _way(kept: search.Store, record: int, size: int) -> list[Done]:
    """The pushes from the first record to another."""
    way: list[Done] = []
    while (parent := int(kept.records[record, search.PARENT])) >= 0:
        action = int(kept.records[record, search.ACTION])
        way.append(step(kept.places[parent], kept.places[record], size, action))
        record = parent
    return way[::-1]
