"""The alpha-beta agent, for any board and 2 to 6 players: paranoid, and what it does when all seems lost."""

from dataclasses import replace

import numpy as np

from ai.agent import Action, Plan, Status, Thinking
from ai.connect4 import search as kernels
from ai.connect4.board import Ints, undo
from ai.connect4.deepening import Deepening, Found
from ai.connect4.multiplayer_agents import MaxN
from ai.connect4.scores import PROVED, describe
from ai.connect4.search import PLY, Search
from game.rules.connect4 import State

_CONSULTED_NODES = 200_000
"""Nodes at most for what the others may do when they do not play together."""


class AlphaBeta(Deepening):
    """Paranoid alpha-beta: all other seats are taken for one opponent.

    With three and more players most positions are lost against all others together, and every move is then as good as
    any other to this search. But the others hardly ever play together: of the moves that do not lose at once it takes
    the one that max^n thinks best, or, where that sees no hope either, the last that looked good, or else the one that
    resists longest.
    """

    def __init__(
        self, time: float = 1.0, depth: int = 64, heuristic: str = "lines", random_moves: float = 0.0
    ) -> None:
        """As for `Deepening`."""
        super().__init__(time, depth, heuristic, random_moves)
        self._max_n = MaxN(time, depth, heuristic)

    def _run(self, made: Ints, board: Ints, search: Search, slice_nodes: int) -> bool:
        return bool(kernels.run(made, board, search, slice_nodes))

    def _take_back(self, made: Ints, board: Ints, search: Search) -> None:
        for _ in range(int(search.state[PLY])):
            undo(made, board)

    def _line(self, made: Ints, board: Ints, search: Search, first: Action, plies: int) -> tuple[Action, ...]:
        line = np.zeros(plies, np.int64)
        length = kernels.principal_variation(made, board, search, first, line)
        return tuple(int(move) for move in line[:length])

    def _decide(self, state: State, found: Found, nodes: int, thinking: Thinking) -> Plan:
        plan = super()._decide(state, found, nodes, thinking)
        if plan.status is not Status.LOST or state.shape.players == 2:
            return plan
        action, note = found.best, f"{plan.note} if all others play together"
        if found.order and not thinking.over(nodes, self._time):
            others, nodes = self._max_n.examine(state, thinking, nodes, _CONSULTED_NODES)
            if others.value > -PROVED:
                action, note = others.best, f"{note}, {describe(others.value)} if each plays for itself"
        if action == found.best and found.undecided is not None:
            action = found.undecided
        pv = found.pv if action == found.best else (action,)
        return replace(plan, actions=(action,), pv=pv, nodes=nodes, seconds=thinking.elapsed, note=note)
