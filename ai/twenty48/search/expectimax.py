"""The `expectimax` agent: looks a number of own slides ahead and plays the best.

A search cut short answers with the deepest one finished; that to depth 1 always is.
"""

from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Thinking
from ai.twenty48.search.engine import Engine, Played, luck_of
from ai.twenty48.search.evaluation import Weights
from ai.twenty48.search.grid_search import begin_grid, look_grid, make_grid, play_grid
from ai.twenty48.search.packed_search import begin_packed, look_packed, make_packed, play_packed
from ai.twenty48.search.settings import ExpectimaxSettings
from ai.twenty48.search.stack import MAX_DEPTH
from game.rules.twenty48 import State


def kind_of(state: State) -> int:
    """The size of the board, or 0 when it can be played packed: 4×4, at most one 32768 and nothing larger."""
    fits = state.size == 4 and max(state.cells) <= 15 and state.cells.count(15) < 2
    return 0 if fits else state.size


@dataclass(eq=False)
class Expectimax(ExpectimaxSettings):
    """Expectimax with the evaluation of `ai.twenty48.search.evaluation`, on boards of every size.

    Plans depend on the position alone. Values are in the units of the evaluation: only their order and differences
    mean anything. Making one raises ValueError where there is no such depth.
    """

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"The depth is 1 to {MAX_DEPTH}, not {self.depth}.")
        self._kind = -1
        self._prepare(0)

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best slide, found by deepening from 1 to the depth; with the values of all legal ones."""

        def note(_worth: float, reached: int) -> str:
            short = f"{reached} of {self.depth}" if reached < self.depth else f"{reached}"
            return f"Looked {short} {'move' if short == '1' else 'moves'} ahead."

        return self._prepare(kind_of(state)).plan(state, self.depth, thinking, note)

    def play_many(self, state: State, moves: int, thinking: Thinking) -> Played:
        """Up to `moves` moves from `state`, spawns from the state's own sequence; what `plan` would play one by one.

        Stops when the game or the thinking is over; a node limit is for all moves together.
        """
        cells, luck = np.array(state.cells, np.uint8), luck_of(state)
        done: Played = ()
        nodes, going = 0, True
        while going and len(done) < moves and not thinking.over(nodes):
            engine = self._prepare(kind_of(State(state.size, tuple(cells.tolist()), 0, 0, 0)))
            engine.start(nodes)
            played, going = engine.play(cells, luck, self.depth, moves - len(done), thinking)
            done += played
            nodes = engine.nodes
        return done

    def _prepare(self, kind: int) -> Engine:
        """The search for boards of that size, or of packed boards for 0."""
        if self._kind != kind:
            self._kind, weights = kind, Weights()
            self._engine = (
                Engine(make_grid(kind, self.depth, weights), begin_grid, look_grid, play_grid)
                if kind
                else Engine(make_packed(self.depth, weights), begin_packed, look_packed, play_packed)
            )
        return self._engine
