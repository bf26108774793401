"""`policy-search`: best-first search in which a trained network says which pushes are likely.

The network looks at a batch of the positions that come first in the heap (`ai.sokoban.policy.frontier`); what it thinks
of their pushes puts the positions after them into the heap.
"""

import time as clock
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban.board.ground import SLICE_SECONDS, survey
from ai.sokoban.board.layout import Ints
from ai.sokoban.board.successors import REGIONS, flood
from ai.sokoban.policy import frontier as heap
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy.agent import beyond
from ai.sokoban.policy.features import Floats
from ai.sokoban.policy.frontier import Frontier, Rule, expand, pop, put
from ai.sokoban.policy.inference import Network, weights_of
from ai.sokoban.policy.model import PolicyModel
from ai.sokoban.policy.playing import Game
from ai.sokoban.policy.settings import PolicySearchSettings
from ai.sokoban.search import positions
from ai.sokoban.search.run import Done, Run, Stop, doubled
from ai.sokoban.search.scratch import scratch
from ai.threads import one_thread
from game.rules import sokoban

PATIENCE = 250
"""Together is a little faster for each, but what comes second often proves needless: short searches go one by one."""
ORDERS = {"log-odds": heap.LOG_ODDS, "levin": heap.LEVIN}


@dataclass(eq=False)
class PolicySearch(PolicySearchSettings):
    """Solves with the help of a network; promises no shortest solution. Making one raises ModelError as `Policy` does.

    It looks at one position at first, and at one more together after every PATIENCE.
    """

    def __post_init__(self) -> None:
        self._model = self.model if isinstance(self.model, PolicyModel) else policy_model.load(self.model)
        self._weights = weights_of(self._model)

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game and nothing is random."""

    @one_thread()
    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), or UNSOLVABLE where that is proved, or GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.expansions)
        known = frame.known(state)
        if known is not None:
            return known
        search = _Search(frame, Network(self._weights, frame.board, self.batch, self.views), self)
        plan = search.plan()
        if thinking.watched and plan.status is Status.SOLVED:
            plan = replace(plan, choices=search.retrace())
        return replace(plan, note=plan.note + beyond(self._model, state))


class _Search:
    """One search for one position."""

    def __init__(self, frame: Run, network: Network, told: PolicySearchSettings) -> None:
        self._run, self._network, self._told = frame, network, told
        board = frame.board
        self._size = size = len(board.boxes)
        self._due = 0.0
        self._scratch = scratch(len(board.squares), size)
        self._rule = Rule(ORDERS[told.order], told.depth, _logit(told.lost))
        self._popped: Ints = np.zeros(told.batch, dtype=np.int32)
        self._found: Ints = np.zeros(4 * size, dtype=np.int32)
        self._logs: Floats = np.zeros(4 * size, dtype=np.float32)
        self._frontier = Frontier(
            positions.empty(size, 1, rows=0, records=1024, table=4096),
            np.zeros((1024, heap.COSTS)),
            np.zeros(1024, dtype=np.int32),
            np.zeros(1024),
            np.zeros(heap.META, dtype=np.int64),
        )

    def plan(self) -> Plan:
        try:
            self._ground = survey(self._run.board, None, self._pause)
            self._start()
            plan = self._search()
            self._run.thinking.report(self._progress())
            return plan
        except Stop as stop:
            self._run.thinking.report(self._progress())
            return self._run.stopped(stop, self._looked)

    def retrace(self) -> tuple[Mapping[tuple[int, int], float], ...]:
        """How likely every push was before each of the solution, as far as time allows."""
        game = Game(self._run, self._network)
        try:
            return game.retrace(list(self._pushes()))
        except Stop:
            return game.choices

    @property
    def _looked(self) -> int:
        return int(self._frontier.meta[heap.CLOSED])

    def _start(self) -> None:
        """The first record."""
        board, work, kept, meta = self._run.board, self._scratch, self._frontier.positions, self._frontier.meta
        player = flood(board.steps, board.occupied, work.after, 1, board.player, work.queue)
        meta[heap.COUNT] = meta[heap.OPEN] = 1
        meta[heap.FOUND] = -1
        meta[heap.STAMP] = 1
        kept.records[0] = (-1, 0, 0, -1, positions.FRESH, -1)
        kept.places[0] = [*board.boxes.tolist(), player]
        self._frontier.costs[0, heap.LEFT] = np.inf
        positions.rehash(kept, self._ground.colour, self._ground.words, 0, 1)
        put(self._frontier.heap, self._frontier.keys, meta, 0, 0.0)

    def _search(self) -> Plan:
        network, told, ground = self._network, self._told, self._ground
        while True:
            most = min(told.batch, 1 + self._looked // PATIENCE, self._run.limit - self._looked)
            if most <= 0:
                raise Stop(f"no solution within {self._run.limit:,} positions looked at")
            self._make_room(most)
            frontier, meta = self._frontier, self._frontier.meta
            count = pop(ground, frontier, self._scratch, most, self._popped, network.seen)
            if not count:
                if meta[heap.DROPPED]:
                    raise Stop("every position that does not look lost was tried")
                return self._run.unsolvable(self._looked, "every position that can be reached was tried")
            logits, values = network.evaluate(count, self._pause)
            expand(
                ground,
                frontier,
                self._scratch,
                self._rule,
                self._popped,
                network.seen,
                logits,
                values,
                self._found,
                self._logs,
                count,
            )
            if meta[heap.FOUND] >= 0:
                return self._run.solved(self._pushes(), REGIONS, self._looked)
            self._pause()

    def _make_room(self, count: int) -> None:
        """For all successors of so many positions."""
        more = 4 * self._size * count
        frontier = self._frontier
        kept, meta = frontier.positions, frontier.meta
        while meta[heap.COUNT] + more > len(kept.records):
            kept = kept._replace(records=doubled(kept.records), places=doubled(kept.places))
            frontier = frontier._replace(costs=doubled(frontier.costs), positions=kept)
        while meta[heap.ENTRIES] + more > len(frontier.heap):
            frontier = frontier._replace(heap=doubled(frontier.heap), keys=doubled(frontier.keys))
        if 3 * (meta[heap.COUNT] + more) > 2 * len(kept.table):
            room = 1 << int(3 * (meta[heap.COUNT] + more)).bit_length()
            kept = kept._replace(table=np.zeros(room, dtype=np.uint64))
            positions.rehash(kept, self._ground.colour, self._ground.words, 0, int(meta[heap.COUNT]))
            frontier = frontier._replace(positions=kept)
        self._frontier = frontier

    def _pause(self, note: str = "") -> None:
        """Between slices."""
        if self._run.thinking.cancelled or clock.perf_counter() >= self._due:
            self._run.pause(self._progress() if not note else Progress(note=note))
            self._due = clock.perf_counter() + SLICE_SECONDS

    def _progress(self) -> Progress:
        meta, size = self._frontier.meta, self._size
        if not meta[heap.COUNT]:
            return Progress()
        best = int(meta[heap.BEST])
        left = float(np.expm1(self._frontier.costs[best, heap.LEFT]))
        return Progress(
            self._looked,
            depth=int(self._frontier.positions.records[best, positions.DEPTH]),
            measure=left if np.isfinite(left) else None,
            note=f"about {left:.0f} pushes short at best" if np.isfinite(left) else "",
            position=self._run.board.position(self._frontier.positions.places[best, :size]),
            open=int(meta[heap.OPEN]),
            closed=self._looked,
        )

    def _pushes(self) -> Iterator[Done]:
        """The pushes from the start to the solution."""
        records, steps = self._frontier.positions.records, self._run.board.steps
        record = int(self._frontier.meta[heap.FOUND])
        found = []
        while record > 0:
            square, action = divmod(int(records[record, positions.ACTION]), 4)
            found.append(Done(action, square, int(steps[square, action])))
            record = int(records[record, positions.PARENT])
        return reversed(found)


def _logit(probability: float) -> float:
    return float(np.log(probability / (1 - probability))) if probability > 0 else -np.inf
