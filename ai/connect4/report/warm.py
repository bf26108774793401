"""Calls every kernel that only the training of connect-4's Q-tables uses once."""

from ai.agent import Thinking
from ai.connect4.report.training import QLearning


def warm() -> None:
    """Learn from a few games with the master."""
    QLearning({"board": "4x4x1x3", "games": 20, "master": True}, 0).advance(60.0, Thinking())
