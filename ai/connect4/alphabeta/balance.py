"""Which openings are fit for a match of two: those that a short search does not find decided.

From a random opening that is won for one side by force two strong agents share the points, whoever is better.
"""

from ai.agent import Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from game.rules.connect4 import State

NODES = 200_000


def decided(state: State) -> bool:
    """Whether alpha-beta proves within `NODES` nodes who wins a game for two that goes on, or that it is a draw."""
    judge = AlphaBeta()
    judge.new_game(0)
    return judge.plan(state, Thinking(nodes=NODES)).exact
