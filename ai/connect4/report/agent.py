"""The `qlearning` agent: a table that Q-learning has filled, played greedily.

Where the table knows nothing (a new state, or one whose best column was never tried) the agent falls back on what its
master would play, or on any column.
"""

import random
from dataclasses import dataclass

import numpy as np

from ai.agent import Plan, Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board.board import board_of, tables
from ai.connect4.board.names import board_name
from ai.connect4.report import model as qlearning_model
from ai.connect4.report.model import STEP
from ai.connect4.report.settings import QSettings
from ai.connect4.report.state import signatures, state_key
from game.rules import connect4
from game.rules.connect4 import State

FALLBACKS = ("alphabeta", "random")
_HEURISTIC = "complex"
_DEPTH = 2
_PERCENT = 100.0 / 500.0
"""A win is worth 500 when it is learned."""


@dataclass(eq=False)
class QAgent(QSettings):
    """A q-table. What it shows of a column is its value in percent of a win.

    Making one raises ModelError when its file is no such model, and ValueError when there is no such fallback.
    """

    def __post_init__(self) -> None:
        if self.fallback not in FALLBACKS:
            raise ValueError(f"There is no fallback {self.fallback!r} (there are: {', '.join(FALLBACKS)}).")
        self._table = qlearning_model.load(self.model)
        self.seat = self._table.seat
        self._random = random.Random(0)
        self._master = AlphaBeta(depth=_DEPTH, heuristic=_HEURISTIC) if self.fallback == "alphabeta" else None

    def new_game(self, seed: int) -> None:
        """`seed` drives what is left to chance: columns where the table knows nothing."""
        self._random = random.Random(seed)
        if self._master is not None:
            self._master.new_game(seed)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The column of the highest value; whatever the budget."""
        legal = connect4.legal_actions(state)
        if not legal:
            return Plan((), note="the game is over")
        values = self._values(state, legal)
        best = max(values.values(), default=0.0)
        if best != 0.0:
            action = max(values, key=values.__getitem__)
            note = "known from training"
        elif self._master is not None:
            action = self._master.plan(state, thinking).actions[0]
            note = "not known from training: alpha-beta at depth 2"
        else:
            action = self._random.choice([column for column in legal if values.get(column, 0.0) == 0.0])
            note = "not known from training: any column"
        if state.to_move != self._table.seat:
            note = f"trained for player {self._table.seat + 1} only: {note.rpartition(': ')[2]}"
        return Plan((action,), values=values, pv=(action,), nodes=1, seconds=thinking.elapsed, note=note)

    def _values(self, state: State, legal: tuple[int, ...]) -> dict[int, float]:
        """In percent, of all legal columns; empty for a state that the table does not have."""
        model = self._table
        if state.shape != model.shape:
            raise ValueError(f"The table is for {model.card.board}, not for {board_name(state.shape)}.")
        if state.to_move != model.seat:
            return {}
        key = state_key(tables(state.shape, _HEURISTIC), board_of(state, _HEURISTIC), signatures(state.shape))
        at = int(np.searchsorted(model.keys, np.uint64(key)))
        if at == len(model.keys) or model.keys[at] != key:
            return {}
        return {column: float(model.values[at, column]) * STEP * _PERCENT for column in legal}
