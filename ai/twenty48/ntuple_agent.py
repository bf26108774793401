"""The `ntuple` agent: a learned network of 3×3 to 5×5 boards, looked ahead over by expectimax.

With one ply it takes the slide of the highest reward + learned value of the afterstate; every further ply looks at all
tiles and the best answer to each. One kernel call lasts about 5 ms; between calls the budget is looked at.

A network plays boards of the size it was trained for, and knows tiles up to 32768 on 4×4, 131072 on 5×5. On boards
beyond, larger tiles are valued as the largest known; on 4×4 the first slide still follows the rules, but merges of two
such tiles are not foreseen below it.
"""

import time
from pathlib import Path

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48 import ntuple_model, ntuple_why
from ai.twenty48.expectimax import Played
from ai.twenty48.ntuple_engine import make_engine
from ai.twenty48.ntuple_why import Why
from ai.twenty48.search import ACTIVE, NODES, best_action
from game.rules.twenty48 import State

MAX_PLIES = 3
_SLICE_SECONDS = 0.005
_FIRST_SLICE = 1_000
_LARGEST_SLICE = 1_000_000
_CHUNK = 4096
_MASK = 2**64 - 1


class NTuple:
    """An n-tuple network at 1 to 3 plies. Values are points: the reward, and all rewards still expected after it.

    Plans depend on the position alone.
    """

    def __init__(self, model: Path, plies: int) -> None:
        """Load the model, or share the one already loaded.

        Args:
            model: The file of a network.
            plies: Own slides looked ahead, 1 to 3.

        Raises:
            ModelError: when the file is no such model.
            ValueError: when the plies are not 1 to 3.
        """
        if not 1 <= plies <= MAX_PLIES:
            raise ValueError(f"The plies are 1 to {MAX_PLIES}, not {plies}.")
        self.plies = plies
        self.model = ntuple_model.load(model)
        self._engine = make_engine(self.model, plies)
        self._slice = _FIRST_SLICE
        """Nodes in one kernel call; follows the speed of the machine and changes no result."""

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, found by deepening from 1 to the plies; with the values of all legal ones."""
        self._check(state)
        stack = self._engine.stack
        cells = np.array(state.cells, np.uint8)
        values: dict[int, float] = {}
        reached = 0
        stack.head[NODES] = 0
        for depth in range(1, self.plies + 1):
            self._engine.begin(cells, depth)
            if not self._look(thinking, reached, values):
                break
            values = {
                action: float(stack.values[action]) for action in range(4) if not np.isnan(stack.values[action])
            }
            reached = depth
            if not values:
                break
        stack.head[ACTIVE] = 0
        nodes = int(stack.head[NODES])
        if not values:
            return Plan((), nodes=nodes, seconds=thinking.elapsed, note="Nothing can move.")
        best = max(values, key=lambda action: (values[action], -action))
        short = f" ({reached} of {self.plies} plies)" if reached < self.plies else ""
        return Plan(
            (best,),
            Status.CANCELLED if short and thinking.cancelled else Status.PLAN,
            values,
            pv=(best,),
            nodes=nodes,
            seconds=thinking.elapsed,
            depth=reached,
            note=f"Expects {values[best]:,.0f} more points{short}.",
        )

    def explain(self, state: State, action: int) -> Why | None:
        """Why `action` rather than the best of the others, group of cells by group of cells; see `ntuple_why`."""
        self._check(state)
        return ntuple_why.explain(self.model, state, action)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over; a node limit is for all moves together.
        """
        self._check(state)
        head = self._engine.stack.head
        head[NODES] = head[ACTIVE] = 0
        cells = np.array(state.cells, np.uint8)
        luck = np.array([state.seed & _MASK, state.spawns & _MASK], np.uint64)
        done: list[tuple[int, int, int]] = []
        going = True
        while going and len(done) < moves and not thinking.over(int(head[NODES])):
            record = np.zeros((min(_CHUNK, moves - len(done)), 3), np.int64)
            played, more = 0, True
            while more and not thinking.over(int(head[NODES])):
                limit = self._limit(thinking)
                started = time.perf_counter()
                played, more = self._engine.play(cells, luck, self.plies, record, played, limit)
                self._adapt(limit, time.perf_counter() - started)
                best = int(record[played - 1, 0]) if played else None
                thinking.report(Progress(int(head[NODES]), depth=self.plies, best=best))
            done += [(int(action), int(cell), int(exponent)) for action, cell, exponent in record[:played]]
            going = played == len(record)
        return tuple(done)

    def _look(self, thinking: Thinking, reached: int, values: dict[int, float]) -> bool:
        """Run the search that has begun; returns whether it was finished within the budget. One ply always is."""
        stack = self._engine.stack
        if reached == 0:
            return self._engine.look(2**62)
        while not thinking.over(int(stack.head[NODES])):
            limit = self._limit(thinking)
            started = time.perf_counter()
            if self._engine.look(limit):
                return True
            self._adapt(limit, time.perf_counter() - started)
            best = best_action(stack.values)
            thinking.report(Progress(int(stack.head[NODES]), depth=reached, best=best, values=values))
        return False

    def _limit(self, thinking: Thinking) -> int:
        """The number of nodes at which the next kernel call stops."""
        limit = int(self._engine.stack.head[NODES]) + self._slice
        return limit if thinking.node_limit is None else min(limit, thinking.node_limit)

    def _adapt(self, limit: int, seconds: float) -> None:
        """Learn from a kernel call that used its whole slice."""
        if int(self._engine.stack.head[NODES]) < limit:
            return
        if seconds < _SLICE_SECONDS / 2:
            self._slice = min(2 * self._slice, _LARGEST_SLICE)
        elif seconds > 2 * _SLICE_SECONDS:
            self._slice = max(self._slice // 2, _FIRST_SLICE // 8)

    def _check(self, state: State) -> None:
        size = self.model.size
        if state.size != size:
            raise ValueError(f"This network plays {size}×{size} boards, not {state.size}×{state.size}.")
