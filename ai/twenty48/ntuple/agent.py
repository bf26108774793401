"""The `ntuple` agent: a learned network of 3×3 to 5×5 boards, looked ahead over by expectimax.

With one ply it takes the slide of the highest reward + learned value of the afterstate; every further ply looks at all
tiles and the best answer to each. How far it looks is a number of plies, one more on crowded boards, or whatever a time
allows. One kernel call lasts about 5 ms; between calls the budget is looked at.

A network plays boards of the size it was trained for. On 4×4, boards with larger tiles than it knows are played as
`ai.twenty48.ntuple.downgrade` says; on 3×3 and 5×5 tiles above 32768 and 131072 are valued as these.
"""

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from ai.agent import Plan, Progress, Status, Thinking
from ai.twenty48.board.grid import Cells
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple import why
from ai.twenty48.ntuple.downgrade import stand_in
from ai.twenty48.ntuple.engine import make_engine
from ai.twenty48.ntuple.why import Why
from ai.twenty48.search.expectimax import Played
from ai.twenty48.search.slices import Slices
from ai.twenty48.search.stack import ACTIVE, CROWDED, MAX_DEPTH, NODES, best_action, depth_for
from game.rules.twenty48 import State, place, slide, spawn

MAX_EMPTIES = 16
_CHUNK = 4096
_MASK = 2**64 - 1
_GROWTH = 4.0
"""A ply takes at least so many times as long as all before it; usually it is twenty."""


class NTuple:
    """An n-tuple network at 1 to 5 plies. Values are points: the reward, and all rewards still expected after it.

    Without `time`, plans depend on the position alone.
    """

    def __init__(self, model: Path, plies: int = 1, time: float = 0.0, empties: int = 0) -> None:
        """Load the model, or share the one already loaded.

        Args:
            model: The file of a network.
            plies: Own slides looked ahead, 1 to 5. Not used where there is a time.
            time: Seconds for a move: it looks deeper and deeper, 5 plies at most, until they are over. 0 for no time.
            empties: It looks one ply further, 5 at most, where no more cells than these are empty. 0 for never.

        Raises:
            ModelError: when the file is no such model.
            ValueError: when one of the others is not what it may be.
        """
        if not 1 <= plies <= MAX_DEPTH:
            raise ValueError(f"The plies are 1 to {MAX_DEPTH}, not {plies}.")
        if not time >= 0:
            raise ValueError(f"The time is a number of seconds, not {time}.")
        if not 0 <= empties <= MAX_EMPTIES:
            raise ValueError(f"The empty cells are 0 to {MAX_EMPTIES}, not {empties}.")
        self.plies, self.time = plies, time
        self.model = ntuple_model.load(model)
        self._engine = make_engine(self.model, MAX_DEPTH if time else min(MAX_DEPTH, plies + (empties > 0)))
        self._engine.stack.head[CROWDED] = empties
        self._slices = Slices()

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, found by deepening from one ply; with the values of all legal ones."""
        self._check(state)
        head = self._engine.stack.head
        head[NODES] = 0
        cells = np.array(state.cells, np.uint8)
        aim = self._aim(cells)
        values, reached = self._think(cells, aim, thinking)
        nodes = int(head[NODES])
        if not values:
            return Plan((), nodes=nodes, seconds=thinking.elapsed, note="Nothing can move.")
        best = max(values, key=lambda action: (values[action], -action))
        depth = ""
        if self.time:
            depth = f" ({reached} {'ply' if reached == 1 else 'plies'})"
        elif reached < aim:
            depth = f" ({reached} of {aim} plies)"
        return Plan(
            (best,),
            Status.CANCELLED if reached < aim and thinking.cancelled else Status.PLAN,
            values,
            pv=(best,),
            nodes=nodes,
            seconds=thinking.elapsed,
            depth=reached,
            note=f"Expects {values[best]:,.0f} more points{depth}.",
        )

    def explain(self, state: State, action: int) -> Why | None:
        """Why `action` rather than the best of the others, group of cells by group of cells; see `why`."""
        self._check(state)
        if state.size == 4:
            state = replace(state, cells=stand_in(state.cells, self._engine.known, self._engine.later))
        return why.explain(self.model, state, action)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over, whose limits are for all moves together.
        """
        self._check(state)
        head = self._engine.stack.head
        head[NODES] = head[ACTIVE] = 0
        if self.time:
            return self._play_timed(state, moves, thinking)
        cells = np.array(state.cells, np.uint8)
        luck = np.array([state.seed & _MASK, state.spawns & _MASK], np.uint64)
        done: list[tuple[int, int, int]] = []
        going = True
        while going and len(done) < moves and not thinking.over(int(head[NODES])):
            record = np.zeros((min(_CHUNK, moves - len(done)), 3), np.int64)
            played, more = 0, True
            while more and not thinking.over(int(head[NODES])):
                limit = self._slices.limit(int(head[NODES]), thinking.node_limit)
                started = perf_counter()
                played, more = self._engine.play(cells, luck, self.plies, record, played, limit)
                if head[NODES] >= limit:
                    self._slices.adapt(perf_counter() - started)
                best = int(record[played - 1, 0]) if played else None
                thinking.report(Progress(int(head[NODES]), depth=self.plies, best=best))
            done += zip(*record[:played].T.tolist(), strict=True)
            going = played == len(record)
        return tuple(done)

    def _play_timed(self, state: State, moves: int, thinking: Thinking) -> Played:
        """`play_many` where every move has its time; one that the thinking cuts short is not played."""
        done: list[tuple[int, int, int]] = []
        head = self._engine.stack.head
        while len(done) < moves and not thinking.over(int(head[NODES])):
            values, _ = self._think(np.array(state.cells, np.uint8), MAX_DEPTH, thinking)
            if not values or thinking.over(int(head[NODES])):
                break
            action = max(values, key=lambda action: (values[action], -action))
            slid = slide(state, action)
            assert slid is not None
            cell, exponent = spawn(slid.cells, state.seed, state.spawns)
            state = place(state, slid, cell, exponent)
            done.append((action, cell, exponent))
        return tuple(done)

    def _aim(self, cells: Cells) -> int:
        """The plies to be looked ahead at this position."""
        empty = np.int64(np.count_nonzero(cells == 0))
        return MAX_DEPTH if self.time else depth_for(self._engine.stack.head, self.plies, empty)

    def _think(self, cells: Cells, aim: int, thinking: Thinking) -> tuple[dict[int, float], int]:
        """(value of every legal slide, plies): of the deepest search up to `aim` plies that the budget allowed."""
        stack = self._engine.stack
        began = perf_counter()
        allowed = thinking.seconds_limit if self.time and thinking.seconds_limit is not None else self.time
        deadline = began + allowed if self.time else float("inf")
        values: dict[int, float] = {}
        reached = 0
        for depth in range(1, aim + 1):
            if reached and perf_counter() + _GROWTH * (perf_counter() - began) > deadline:
                break
            self._engine.begin(cells, depth)
            if not self._look(thinking, deadline, reached, values):
                break
            values = {
                action: float(stack.values[action]) for action in range(4) if not np.isnan(stack.values[action])
            }
            reached = depth
            if not values:
                break
        stack.head[ACTIVE] = 0
        return values, reached

    def _look(self, thinking: Thinking, deadline: float, reached: int, values: dict[int, float]) -> bool:
        """Run the search that has begun; returns whether it was finished within the budget. One ply always is."""
        stack = self._engine.stack
        if reached == 0:
            return self._engine.look(2**62)
        while not thinking.over(int(stack.head[NODES])) and perf_counter() < deadline:
            limit = self._slices.limit(int(stack.head[NODES]), thinking.node_limit)
            started = perf_counter()
            if self._engine.look(limit):
                return True
            self._slices.adapt(perf_counter() - started)
            best = best_action(stack.values)
            thinking.report(Progress(int(stack.head[NODES]), depth=reached, best=best, values=values))
        return False

    def _check(self, state: State) -> None:
        size = self.model.size
        if state.size != size:
            raise ValueError(f"This network plays {size}×{size} boards, not {state.size}×{state.size}.")
