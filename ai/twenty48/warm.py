"""Calls every kernel of 2048 once, the way play does, so that the window only ever loads compiled ones."""

from ai.agent import Thinking
from ai.twenty48.baselines import RandomAgent
from ai.twenty48.expectimax import Expectimax
from game.rules.twenty48 import start


def warm() -> None:
    """Plan and play a move on a packed board and on another, with each agent."""
    for agent in (Expectimax(depth=2), RandomAgent()):
        for size in (4, 3):
            state = start(size)
            agent.plan(state, Thinking())
            agent.play_many(state, 1, Thinking())
