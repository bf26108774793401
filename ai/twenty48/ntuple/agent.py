"""The `ntuple` agent: a learned network of 3×3 to 5×5 boards, looked ahead over by expectimax.

With one ply it takes the slide of the highest reward + learned value of the afterstate; every further ply looks at all
tiles and the best answer to each. How far it looks is a number of plies, one more on crowded boards, or whatever a time
allows. One kernel call lasts about 5 ms; between calls the budget is looked at.

A network plays boards of the size it was trained for. On 4×4, boards with larger tiles than it knows are played as
`ai.twenty48.ntuple.downgrade` says; on 3×3 and 5×5 tiles above 32768 and 131072 are valued as these.
"""

from dataclasses import dataclass, replace

import numpy as np

from ai.agent import Plan, Thinking
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple import why
from ai.twenty48.ntuple.downgrade import NO_STAGES, largest_seen, stand_in
from ai.twenty48.ntuple.grid_network import make_grid_network
from ai.twenty48.ntuple.grid_search import begin_grid_search, look_grid_network, make_grid_search, play_grid_network
from ai.twenty48.ntuple.model import NTupleModel
from ai.twenty48.ntuple.network import make_network, make_rules
from ai.twenty48.ntuple.search import Search, begin_search, look, make_search, play
from ai.twenty48.ntuple.settings import NTupleSettings
from ai.twenty48.ntuple.why import Why
from ai.twenty48.search.engine import Engine, Played, luck_of, step
from ai.twenty48.search.stack import CROWDED, MAX_DEPTH, depth_for
from game.rules.twenty48 import State

MAX_EMPTIES = 16


@dataclass(eq=False)
class NTuple(NTupleSettings):
    """An n-tuple network at 1 to 5 plies. Values are points: the reward, and all rewards still expected after it.

    Without `time`, plans depend on the position alone. Making one raises ModelError when its file is no such model, and
    ValueError when one of the other settings is not what it may be.
    """

    def __post_init__(self) -> None:
        if not 1 <= self.plies <= MAX_DEPTH:
            raise ValueError(f"The plies are 1 to {MAX_DEPTH}, not {self.plies}.")
        if not self.time >= 0:
            raise ValueError(f"The time is a number of seconds, not {self.time}.")
        if not 0 <= self.empties <= MAX_EMPTIES:
            raise ValueError(f"The empty cells are 0 to {MAX_EMPTIES}, not {self.empties}.")
        self.learned = ntuple_model.load(self.model)
        most = MAX_DEPTH if self.time else min(MAX_DEPTH, self.plies + (self.empties > 0))
        self._engine = make_engine(self.learned, most)
        self._engine.stack.head[CROWDED] = self.empties

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, found by deepening from one ply; with the values of all legal ones."""
        self._check(state)
        aim = self._aim(state)

        def note(worth: float, reached: int) -> str:
            depth = f" ({reached} of {aim} plies)" if reached < aim else ""
            if self.time:
                depth = f" ({reached} {'ply' if reached == 1 else 'plies'})"
            return f"Expects {worth:,.0f} more points{depth}."

        return self._engine.plan(state, aim, thinking, note, self._seconds(thinking))

    def explain(self, state: State, action: int, other: int | None) -> Why | None:
        """Why `action` rather than `other`, group of cells by group of cells; see `why`."""
        self._check(state)
        search = self._engine.search
        if isinstance(search, Search):
            state = replace(state, cells=stand_in(state.cells, search.known, search.later))
        return why.explain(self.learned, state, action, other)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over, whose limits are for all moves together.
        """
        self._check(state)
        self._engine.start()
        if self.time:
            return self._play_timed(state, moves, thinking)
        cells, luck = np.array(state.cells, np.uint8), luck_of(state)
        done: Played = ()
        going = True
        while going and len(done) < moves and not thinking.over(self._engine.nodes):
            played, going = self._engine.play(cells, luck, self.plies, moves - len(done), thinking)
            done += played
        return done

    def _play_timed(self, state: State, moves: int, thinking: Thinking) -> Played:
        """`play_many` where every move has its time; one that the thinking cuts short is not played."""
        done: list[tuple[int, int, int]] = []
        while len(done) < moves and not thinking.over(self._engine.nodes):
            values, _ = self._engine.think(state, MAX_DEPTH, thinking, self._seconds(thinking))
            if not values or thinking.over(self._engine.nodes):
                break
            action = max(values, key=lambda action: (values[action], -action))
            state, move = step(state, action)
            done.append(move)
        return tuple(done)

    def _aim(self, state: State) -> int:
        """The plies to be looked ahead at this position."""
        empty = np.int64(state.cells.count(0))
        return MAX_DEPTH if self.time else depth_for(self._engine.stack.head, self.plies, empty)

    def _seconds(self, thinking: Thinking) -> float:
        """For one move, where there is a time."""
        if not self.time:
            return float("inf")
        return self.time if thinking.seconds_limit is None else thinking.seconds_limit

    def _check(self, state: State) -> None:
        size = self.learned.size
        if state.size != size:
            raise ValueError(f"This network plays {size}×{size} boards, not {state.size}×{state.size}.")


def make_engine(model: NTupleModel, plies: int) -> Engine:
    """A search of `plies` own slides on the boards that the model was trained for."""
    if model.size != 4:
        return on_arrays(model, plies)
    network = make_network(model.tuples, model.weights, model.steps, model.stages)
    known, later = model.known, network.stages
    if not known:
        known, later = largest_seen(model.tuples, model.weights), NO_STAGES
    return Engine(make_search(plies, network, make_rules(), known, later), begin_search, look, play)


def on_arrays(model: NTupleModel, plies: int) -> Engine:
    """The same on boards as arrays, which 4×4 boards could be as well, but slower."""
    network = make_grid_network(model.tuples, model.weights, model.size, model.steps, model.stages)
    return Engine(make_grid_search(plies, network), begin_grid_search, look_grid_network, play_grid_network)
