"""Levels that were left in the middle: coming back to one within the same session finds it as it was."""

from collections import OrderedDict
from dataclasses import dataclass

from game.play.sokoban.gestures import Gestures
from game.play.timeline import Timeline
from game.rules.sokoban import State

MOST = 50


@dataclass(frozen=True, slots=True)
class Attempt:
    """One level as it was left."""

    timeline: Timeline[State]
    gestures: Gestures
    agent_ply: int | None
    pasted_ply: int | None
    seed: int
    started: str
    seconds: float


class Attempts:
    """The last levels that were left, by level id."""

    def __init__(self) -> None:
        """None yet."""
        self._left: OrderedDict[str, Attempt] = OrderedDict()

    def leave(self, level_id: str, attempt: Attempt) -> None:
        """Keep a level as it stands, unless nothing was played on it."""
        self._left.pop(level_id, None)
        if attempt.timeline.steps:
            self._left[level_id] = attempt
            while len(self._left) > MOST:
                self._left.popitem(last=False)

    def take(self, level_id: str) -> Attempt | None:
        """What was left of a level, once."""
        return self._left.pop(level_id, None)
