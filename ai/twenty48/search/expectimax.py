"""The `expectimax` agent: looks a number of own slides ahead and plays the best.

One kernel call lasts about 5 ms, whatever the board and the depth; between calls the budget is looked at. A search
cut short answers with the deepest one finished; that to depth 1 always is.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.search.evaluation import Weights
from ai.twenty48.search.grid_search import begin_grid, look_grid, make_grid, play_grid
from ai.twenty48.search.packed_search import begin_packed, look_packed, make_packed, play_packed
from ai.twenty48.search.slices import Slices
from ai.twenty48.search.stack import ACTIVE, MAX_DEPTH, NODES, Stack, best_action
from game.rules.twenty48 import State

Played = tuple[tuple[int, int, int], ...]
"""(action, cell of the new tile, its exponent) for each move."""

_CHUNK = 4096
_MASK = 2**64 - 1

Record = npt.NDArray[np.int64]
Cells = npt.NDArray[np.uint8]
Luck = npt.NDArray[np.uint64]


@dataclass(slots=True)
class _Engine:
    """One of the two searches behind one face."""

    kind: int
    """Size of the board, 0 for packed boards."""
    stack: Stack
    begin: Callable[[Cells, int], None]
    look: Callable[[int], bool]
    play: Callable[[Cells, Luck, int, Record, int, int], tuple[int, bool]]
    slices: Slices = field(default_factory=Slices)


def kind_of(state: State) -> int:
    """The size of the board, or 0 when it can be played packed: 4×4, at most one 32768 and nothing larger."""
    fits = state.size == 4 and max(state.cells) <= 15 and state.cells.count(15) < 2
    return 0 if fits else state.size


def _make(kind: int, depth: int) -> _Engine:
    weights = Weights()
    if kind == 0:
        packed = make_packed(depth, weights)
        return _Engine(
            kind,
            packed.stack,
            lambda cells, to: begin_packed(packed, cells, to),
            lambda limit: look_packed(packed, limit),
            lambda cells, luck, to, record, played, limit: play_packed(
                packed, cells, luck, to, record, played, limit
            ),
        )
    grid = make_grid(kind, depth, weights)
    return _Engine(
        kind,
        grid.stack,
        lambda cells, to: begin_grid(grid, cells, to),
        lambda limit: look_grid(grid, limit),
        lambda cells, luck, to, record, played, limit: play_grid(grid, cells, luck, to, record, played, limit),
    )


class Expectimax:
    """Expectimax with the evaluation of `ai.twenty48.search.evaluation`, on boards of every size.

    Plans depend on the position alone. Values are in the units of the evaluation: only their order and differences
    mean anything.
    """

    def __init__(self, depth: int) -> None:
        """`depth`: own slides looked ahead, 1 to 5.

        Raises:
            ValueError: when it is not.
        """
        if not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"The depth is 1 to {MAX_DEPTH}, not {depth}.")
        self.depth = depth
        self._engine = _make(0, depth)

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, found by deepening from 1 to the depth; with the values of all legal ones."""
        engine = self._engine_for(state)
        cells = np.array(state.cells, np.uint8)
        values: dict[int, float] = {}
        reached = 0
        engine.stack.head[NODES] = 0
        for depth in range(1, self.depth + 1):
            engine.begin(cells, depth)
            finished = self._look(engine, thinking, reached, values)
            if not finished:
                break
            found = engine.stack.values
            values = {action: float(found[action]) for action in range(4) if not np.isnan(found[action])}
            reached = depth
            if len(values) == 0:
                break
        nodes = int(engine.stack.head[NODES])
        if not values:
            return Plan((), nodes=nodes, seconds=thinking.elapsed, note="Nothing can move.")
        best = max(values, key=lambda action: (values[action], -action))
        short = f"{reached} of {self.depth}" if reached < self.depth else f"{reached}"
        return Plan(
            (best,),
            Status.CANCELLED if reached < self.depth and thinking.cancelled else Status.PLAN,
            values,
            pv=(best,),
            nodes=nodes,
            seconds=thinking.elapsed,
            depth=reached,
            note=f"Looked {short} {'move' if short == '1' else 'moves'} ahead.",
        )

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over; a node limit is for all moves together.
        """
        cells = np.array(state.cells, np.uint8)
        luck = np.array([state.seed & _MASK, state.spawns & _MASK], np.uint64)
        done: list[tuple[int, int, int]] = []
        nodes = 0
        more = True
        while more and len(done) < moves and not thinking.over(nodes):
            engine = self._engine_for(State(state.size, tuple(cells.tolist()), 0, 0, 0))
            engine.stack.head[NODES] = nodes
            engine.stack.head[ACTIVE] = 0
            record = np.zeros((min(_CHUNK, moves - len(done)), 3), np.int64)
            played = 0
            while more and not thinking.over(nodes):
                limit = engine.slices.limit(int(engine.stack.head[NODES]), thinking.node_limit)
                started = time.perf_counter()
                before, (played, more) = played, engine.play(cells, luck, self.depth, record, played, limit)
                nodes = int(engine.stack.head[NODES])
                if nodes >= limit:
                    engine.slices.adapt(time.perf_counter() - started)
                elif more:
                    break  # the board has outgrown this engine
                best = int(record[played - 1, 0]) if played > before else None
                thinking.report(Progress(nodes, depth=self.depth, best=best))
            done += [(int(action), int(cell), int(exponent)) for action, cell, exponent in record[:played]]
            more = more or (played == len(record))
        return tuple(done)

    def _engine_for(self, state: State) -> _Engine:
        kind = kind_of(state)
        if self._engine.kind != kind:
            self._engine = _make(kind, self.depth)
        return self._engine

    def _look(self, engine: _Engine, thinking: Thinking, reached: int, values: dict[int, float]) -> bool:
        """Run the search that has begun; returns whether it was finished within the budget."""
        if reached == 0:
            return engine.look(2**62)
        while not thinking.over(int(engine.stack.head[NODES])):
            limit = engine.slices.limit(int(engine.stack.head[NODES]), thinking.node_limit)
            started = time.perf_counter()
            if engine.look(limit):
                return True
            engine.slices.adapt(time.perf_counter() - started)
            best = best_action(engine.stack.values)
            nodes = int(engine.stack.head[NODES])
            thinking.report(Progress(nodes, depth=reached, best=best, values=values))
        return False
