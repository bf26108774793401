"""The alpha-beta agent, for any board and 2 to 6 players: paranoid, and what it does when all seems lost."""

from dataclasses import dataclass, replace

import numpy as np
from typing_extensions import override

from ai.agent import Action, Plan, Status, Thinking
from ai.connect4.alphabeta import search as kernels
from ai.connect4.alphabeta import threats
from ai.connect4.alphabeta.deepening import Deepening, Found
from ai.connect4.alphabeta.multiplayer_agents import MaxN
from ai.connect4.alphabeta.search import PLY, Search
from ai.connect4.board.board import PLAYERS, Ints, make, undo
from ai.connect4.board.scores import PROVED, WIN, describe
from game.rules.connect4 import State

_CONSULTED_NODES = 200_000
"""Nodes at most for what the others may do when they do not play together."""


_THREAT_NODES = 4_000
"""Nodes at most for own wins by threats; as many again for those of the opponent."""


@dataclass(eq=False)
class AlphaBeta(Deepening):
    """Paranoid alpha-beta: all other seats are taken for one opponent.

    With three and more players most positions are lost against all others together, and every move is then as good as
    any other to this search. But the others hardly ever play together: of the moves that do not lose at once it takes
    the one that max^n thinks best, or, where that sees no hope either, the last that looked good, or else the one that
    resists longest.
    """

    @override
    def __post_init__(self) -> None:
        super().__post_init__()
        self._max_n = MaxN(self.time, self.depth, self.heuristic)
        self._no_wins: tuple[Ints, Ints] | None = None
        """The tables of a shape, and the positions known to have no win by threats."""

    @override
    def new_game(self, seed: int) -> None:
        """Forget everything; `seed` drives the random moves."""
        super().new_game(seed)
        self._no_wins = None

    @override
    def _foresee(self, made: Ints, board: Ints, found: Found, thinking: Thinking) -> int:
        """Wins by threats alone, of the seat to move and of the other after each move; for two players."""
        if made[PLAYERS] > 2:
            return 0
        if self._no_wins is None or self._no_wins[0] is not made:
            self._no_wins = (made, threats.new_table())
        most = _THREAT_NODES if thinking.node_limit is None else min(_THREAT_NODES, thinking.node_limit // 8)
        plies, line, nodes = self._win_by_threats(made, board, self.depth, most, thinking)
        if plies > 0:
            found.best = line[0]
            found.sure = (line[0], WIN - plies)
            found.values[line[0]] = WIN - plies
            found.pv = line
            found.order.sort(key=lambda action: action != line[0])
            return nodes
        spent = nodes
        lost: dict[Action, float] = {}
        for place, action in enumerate(found.order):
            make(made, board, action)
            share = (2 * most - spent) // (len(found.order) - place)
            plies, _, nodes = self._win_by_threats(made, board, self.depth - 1, share, thinking)
            undo(made, board)
            spent += nodes
            if plies > 0:
                lost[action] = plies + 1 - WIN
        if len(lost) < len(found.order):
            # Where all are lost, the search proper finds the longest resistance.
            found.values.update(lost)
            found.order = [action for action in found.order if action not in lost]
            found.best = found.order[0]
            found.pv = (found.best,)
        return spent

    def _win_by_threats(
        self, made: Ints, board: Ints, depth: int, most: int, thinking: Thinking
    ) -> tuple[int, tuple[Action, ...], int]:
        """(plies, moves, nodes) of a win by threats within `depth` plies for the seat to move; 0 plies without one."""
        assert self._no_wins is not None
        line = np.zeros(2 * threats.MOST_THREATS + 1, np.int64)
        spent = before = 0
        for number in range(1, min(threats.MOST_THREATS, (depth - 1) // 2) + 1):
            if spent >= most or thinking.over(spent, self.time):
                break
            plies, nodes = threats.find_win(made, board, self._no_wins[1], number, most - spent, line)
            spent += nodes
            if plies > 0:
                return plies, tuple(int(move) for move in line[:plies]), spent
            if plies < 0 or nodes == before:
                break
            before = nodes
        return 0, (), spent

    @override
    def _run(self, made: Ints, board: Ints, search: Search, slice_nodes: int) -> bool:
        return bool(kernels.run(made, board, search, slice_nodes))

    @override
    def _take_back(self, made: Ints, board: Ints, search: Search) -> None:
        for _ in range(int(search.state[PLY])):
            undo(made, board)

    @override
    def _line(self, made: Ints, board: Ints, search: Search, first: Action, plies: int) -> tuple[Action, ...]:
        line = np.zeros(plies, np.int64)
        length = kernels.principal_variation(made, board, search, first, line)
        return tuple(int(move) for move in line[:length])

    @override
    def _decide(self, state: State, found: Found, nodes: int, thinking: Thinking) -> Plan:
        plan = super()._decide(state, found, nodes, thinking)
        if plan.status is not Status.LOST or state.shape.players == 2:
            return plan
        action, note = found.best, f"{plan.note} if all others play together"
        if found.order and not thinking.over(nodes, self.time):
            others, nodes = self._max_n.examine(state, thinking, nodes, _CONSULTED_NODES)
            if others.value > -PROVED:
                action, note = others.best, f"{note}, {describe(others.value)} if each plays for itself"
        if action == found.best and found.undecided is not None:
            action = found.undecided
        pv = found.pv if action == found.best else (action,)
        return replace(plan, actions=(action,), pv=pv, nodes=nodes, seconds=thinking.elapsed, note=note)
