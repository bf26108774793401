"""Calls every kernel that only the training of the report's 2048 network uses once."""

from ai.agent import Thinking
from ai.twenty48.report.training import ReportTraining


def warm() -> None:
    """Learn from one game."""
    ReportTraining({"games": 1}, 0).advance(60.0, Thinking())
