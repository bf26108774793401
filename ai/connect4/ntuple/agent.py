"""The `ntuple` agent: the column after which an n-tuple network likes its position best. No search.

A stone that wins is worth 1, one that fills the board what a draw is worth; all other values are learned, -1 to 1.
"""

from pathlib import Path

import numpy as np

from ai.agent import Plan, Thinking
from ai.connect4.board.names import board_name
from ai.connect4.ntuple import model as ntuple_model
from ai.connect4.ntuple.network import evaluate, make_board
from game.rules import connect4
from game.rules.connect4 import State


class NTuple:
    """Afterstate values of a network. Plans depend on the position alone."""

    def __init__(self, model: Path) -> None:
        """Load the model, or share the one already loaded.

        Raises:
            ModelError: when the file is no such model.
        """
        self.model = ntuple_model.load(model)
        self._board = make_board(self.model.shape, self.model.walks, self.model.length)
        self._step = np.float32(self.model.step)

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The best column, with the values of all legal ones, whatever the budget.

        Raises:
            ValueError: when the state is on another board.
        """
        values = self.values(state)
        if not values:
            return Plan((), seconds=thinking.elapsed, note="the game is over")
        best = max(values, key=lambda action: (values[action], -self._outside(action)))
        return Plan((best,), values=values, pv=(best,), nodes=len(values), seconds=thinking.elapsed, depth=1)

    def values(self, state: State) -> dict[int, float]:
        """What the seat to move gets from every legal column, -1 to 1."""
        shape = self.model.shape
        if state.shape != shape:
            raise ValueError(f"the model {self.model.card.name!r} plays {board_name(shape)} only")
        legal = connect4.legal_actions(state)
        found = np.zeros(shape.columns, np.float32)
        stones = np.array(state.cells, np.int32)
        evaluate(self._board, self.model.weights, self._step, stones, state.to_move, found)
        return {action: float(found[action]) for action in legal}

    def _outside(self, action: int) -> int:
        """How far from the middle a column is: of equal ones the inner one is played."""
        depth, col = divmod(action, self.model.shape.cols)
        return abs(2 * col - self.model.shape.cols + 1) + abs(2 * depth - self.model.shape.depth + 1)
