"""What the agents of 2048 that look ahead have around their kernels: slices, deepening, and many moves in one call.

A search is a `NamedTuple` with a `stack` (`ai.twenty48.search.stack`) and three kernels for it, for packed boards or for
boards as arrays, with the hand-made evaluation or with a network. One kernel call lasts about 5 ms.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.board.grid import Cells
from ai.twenty48.search.stack import ACTIVE, NODES, Record, Stack, best_action
from game.rules.twenty48 import State, place, slide, spawn

Played = tuple[tuple[int, int, int], ...]
"""(action, cell of the new tile, its exponent) for each move."""
Luck = npt.NDArray[np.uint64]

_SECONDS = 0.005
_FIRST = 2_000
_SMALLEST, _LARGEST = 250, 1_000_000
_CHUNK = 4096
_MASK = 2**64 - 1
_GROWTH = 4.0
"""A depth takes at least so many times as long as all before it; usually it is twenty."""


class Slices:
    """How much an agent asks of a kernel at once, in nodes. It follows the speed of the machine and changes no result."""

    def __init__(self) -> None:
        self.nodes = _FIRST

    def limit(self, done: int, node_limit: int | None) -> int:
        """The number of nodes at which the next kernel call stops, when `done` are counted already."""
        limit = done + self.nodes
        return limit if node_limit is None else min(limit, node_limit)

    def adapt(self, seconds: float) -> None:
        """Learn from a kernel call that used its whole slice."""
        if seconds < _SECONDS / 2:
            self.nodes = min(2 * self.nodes, _LARGEST)
        elif seconds > _SECONDS * 2:
            self.nodes = max(self.nodes // 2, _SMALLEST)


class Search(Protocol):
    """What an engine drives: one of the named tuples of the kernels."""

    @property
    def stack(self) -> Stack:
        """Its working memory."""


def luck_of(state: State) -> Luck:
    """uint64 (2,): where the state is in the sequence of its spawns; kernels change the second."""
    return np.array([state.seed & _MASK, state.spawns & _MASK], np.uint64)


def step(state: State, action: int) -> tuple[State, tuple[int, int, int]]:
    """A legal move by the plain rules: the state after it, and the row of `Played` that tells it."""
    slid = slide(state, action)
    assert slid is not None
    cell, exponent = spawn(slid.cells, state.seed, state.spawns)
    return place(state, slid, cell, exponent), (action, cell, exponent)


class Engine:
    """A search behind one face."""

    def __init__(
        self,
        search: Search,
        begin: Callable[[Any, Cells, int], None],
        look: Callable[[Any, int], bool],
        play: Callable[[Any, Cells, Luck, int, Record, int, int], tuple[int, bool]],
    ) -> None:
        """The kernels are `begin_packed`, `look_packed` and `play_packed` of `packed_search`, or others like them."""
        self.search, self._begin, self._look, self._play = search, begin, look, play
        self._slices = Slices()
        self.stack = search.stack

    @property
    def nodes(self) -> int:
        """Nodes since somebody set them to 0."""
        return int(self.stack.head[NODES])

    def start(self, nodes: int = 0) -> None:
        """Forget an unfinished search; so many nodes are counted already."""
        self.stack.head[NODES], self.stack.head[ACTIVE] = nodes, 0

    def plan(
        self,
        state: State,
        aim: int,
        thinking: Thinking,
        note: Callable[[float, int], str],
        seconds: float = float("inf"),
    ) -> Plan:
        """The best slide, found by `think`; `note` makes a sentence of its value and the depth reached."""
        self.start()
        values, reached = self.think(state, aim, thinking, seconds)
        if not values:
            return Plan((), nodes=self.nodes, seconds=thinking.elapsed, note="Nothing can move.")
        best = max(values, key=lambda action: (values[action], -action))
        return Plan(
            (best,),
            Status.CANCELLED if reached < aim and thinking.cancelled else Status.PLAN,
            values,
            pv=(best,),
            nodes=self.nodes,
            seconds=thinking.elapsed,
            depth=reached,
            note=note(values[best], reached),
        )

    def think(
        self, state: State, aim: int, thinking: Thinking, seconds: float = float("inf")
    ) -> tuple[dict[int, float], int]:
        """Search from 1 slide on to `aim` slides: (value of every legal slide, depth) of the deepest search that ended.

        That to depth 1 always does. Where `seconds` are given, a depth that cannot end in time is not begun.
        """
        cells = np.array(state.cells, np.uint8)
        began = perf_counter()
        deadline = began + seconds
        values: dict[int, float] = {}
        reached = 0
        for depth in range(1, aim + 1):
            if reached and perf_counter() + _GROWTH * (perf_counter() - began) > deadline:
                break
            self._begin(self.search, cells, depth)
            if not self._finish(thinking, deadline, reached, values):
                break
            found = self.stack.values
            values = {action: float(found[action]) for action in range(4) if not np.isnan(found[action])}
            reached = depth
            if not values:
                break
        self.stack.head[ACTIVE] = 0
        return values, reached

    def _finish(self, thinking: Thinking, deadline: float, reached: int, values: dict[int, float]) -> bool:
        """Run the search that has begun; returns whether it was finished within the budget."""
        if reached == 0:
            return self._look(self.search, 2**62)
        while not thinking.over(self.nodes) and perf_counter() < deadline:
            limit = self._slices.limit(self.nodes, thinking.node_limit)
            started = perf_counter()
            if self._look(self.search, limit):
                return True
            self._slices.adapt(perf_counter() - started)
            best = best_action(self.stack.values)
            thinking.report(Progress(self.nodes, depth=reached, best=best, values=values))
        return False

    def play(self, cells: Cells, luck: Luck, depth: int, moves: int, thinking: Thinking) -> tuple[Played, bool]:
        """Play on from `cells`, which change, up to `moves` moves or until the thinking is over.

        Returns:
            What was played, and whether the game may go on: it is not over, or its board has outgrown this search.
        """
        record = np.zeros((min(_CHUNK, moves), 3), np.int64)
        played, more = 0, True
        while more and not thinking.over(self.nodes):
            limit = self._slices.limit(self.nodes, thinking.node_limit)
            started = perf_counter()
            played, more = self._play(self.search, cells, luck, depth, record, played, limit)
            if self.nodes >= limit:
                self._slices.adapt(perf_counter() - started)
            elif more:
                break  # the board has outgrown this search
            best = int(record[played - 1, 0]) if played else None
            thinking.report(Progress(self.nodes, depth=depth, best=best))
        return tuple(zip(*record[:played].T.tolist(), strict=True)), more or played == len(record)
