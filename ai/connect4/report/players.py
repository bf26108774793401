"""Opponents that look no further than their next stone: greedy, and the report's offensive and defensive players."""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass

from typing_extensions import override

from ai.agent import Action, Plan, Thinking
from ai.connect4.alphabeta.heuristics import evaluate, run_gain
from ai.connect4.alphabeta.settings import GreedySettings, StoneSettings
from ai.connect4.board import board as layout
from ai.connect4.board.baselines import RandomMoves
from ai.connect4.board.board import Ints, board_of, make, tables, undo
from game.rules import connect4
from game.rules.connect4 import State

_BEST_SHARE = 0.9
"""How often the offensive and the defensive player play their best action."""
_WIN_WEIGHT = 1 << 44
_STOP_WEIGHT = 1 << 40
"""Worth of a stone that wins, and of one that stops a win: more than any gain in runs."""


@dataclass(eq=False)
class _OneStone(StoneSettings, ABC):
    """What they share: a worth for every action."""

    _judged_by = "ibef2"

    def __post_init__(self) -> None:
        self._luck = RandomMoves(self.random_moves)
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        """Start the sequences of choices that belong to `seed`."""
        self._luck.new_game(seed)
        self._random = random.Random(f"choices {seed}")

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One action, and the worth of every legal one; none when the game is over."""
        legal = connect4.legal_actions(state)
        if not legal:
            return Plan((), note="the game is over")
        if (random_move := self._luck.plan(state)) is not None:
            return random_move
        made, board = tables(state.shape, self._judged_by), board_of(state, self._judged_by)
        worths = {action: float(self._worth(made, board, action)) for action in legal}
        action = self._choose(worths)
        return Plan((action,), values=worths, nodes=len(legal), seconds=thinking.elapsed)

    @abstractmethod
    def _worth(self, made: Ints, board: Ints, action: Action) -> int:
        """What a stone of the seat to move in this column is worth to it."""

    def _choose(self, worths: dict[Action, float]) -> Action:
        """Mostly the best action; else another one, each as likely as its worth is high."""
        best = self._one_of_the_best(worths)
        others = {action: worth + 1.0 for action, worth in worths.items() if action != best}
        if not others or self._random.random() < _BEST_SHARE:
            return best
        return self._random.choices(list(others), list(others.values()))[0]

    def _one_of_the_best(self, worths: dict[Action, float]) -> Action:
        highest = max(worths.values())
        return self._random.choice([action for action, worth in worths.items() if worth == highest])


@dataclass(eq=False)
class Greedy(GreedySettings, _OneStone):
    """Wins if it can, or else plays what looks best at once; it never looks at an answer."""

    @override
    def __post_init__(self) -> None:
        super().__post_init__()
        self._judged_by = self.heuristic

    @override
    def _worth(self, made: Ints, board: Ints, action: Action) -> int:
        seat = int(board[layout.TO_MOVE])
        if _wins(board, seat, action):
            return _WIN_WEIGHT
        make(made, board, action)
        worth = int(evaluate(made, board, seat))
        undo(made, board)
        return worth

    @override
    def _choose(self, worths: dict[Action, float]) -> Action:
        return self._one_of_the_best(worths)


class Offensive(_OneStone):
    """Extends its own runs: a stone is worth what it adds to the sum of 8^k over its unblocked runs of k stones."""

    @override
    def _worth(self, made: Ints, board: Ints, action: Action) -> int:
        seat = int(board[layout.TO_MOVE])
        return _WIN_WEIGHT if _wins(board, seat, action) else int(run_gain(made, board, seat, action))


class Defensive(_OneStone):
    """Blocks: a stone is worth the most that it would have added to an opponent's runs there. It takes a win."""

    @override
    def _worth(self, made: Ints, board: Ints, action: Action) -> int:
        seat = int(board[layout.TO_MOVE])
        if _wins(board, seat, action):
            return _WIN_WEIGHT
        opponents = [other for other in range(int(made[layout.PLAYERS])) if other != seat]
        if any(_wins(board, other, action) for other in opponents):
            return _STOP_WEIGHT
        return max(int(run_gain(made, board, other, action)) for other in opponents)


def _wins(board: Ints, seat: int, action: Action) -> bool:
    """Whether a stone of `seat` would complete a line."""
    return bool(
        (int(board[layout.SEATS + int(board[layout.STONES]) * layout.SEATS_ROW + layout.NOW + seat]) >> action) & 1
    )
