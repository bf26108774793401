"""What an agent that weighs pushes thought of them, along its plan: seen with its hint and while it plays, never unasked."""

from collections.abc import Mapping
from itertools import pairwise

from ai.agent import Plan
from game.play.driver import Driver
from game.play.sokoban import plans
from game.play.store import Store
from game.rules.sokoban import State

Choices = Mapping[tuple[int, int], float]
"""(square of a box, direction) -> how likely it is that the agent pushes it there, 0 to 1."""


class PolicyPreview:
    """The weighed pushes of the last answer."""

    def __init__(self, store: Store) -> None:
        """Nothing is known yet."""
        self._store = store
        self._weighed: dict[State, Choices] = {}
        self._here: tuple[State | None, Choices] = (None, {})

    def choices(self, driver: Driver, state: State) -> Choices:
        """How likely each push is to the agent, while its hint or its plan is on the board."""
        shown = driver.hint is not None or driver.carrying_out
        if not shown or not self._store.settings.show_values or driver.thought.thinking:
            return {}
        if self._here[0] is not state:
            self._here = (state, self._weighed.get(state, {}))
        return self._here[1]

    def take(self, start: State, plan: Plan) -> None:
        """An answer: what the agent thought of the pushes of every position along its plan."""
        self._weighed, self._here = {}, (None, {})
        line, number = plans.line(start, plan.actions), 0
        for state, after in pairwise([*line, line[-1]]):
            if number < len(plan.choices):
                self._weighed.setdefault(state, plan.choices[number])
            number += state.boxes != after.boxes

    def forget(self) -> None:
        """Another level or another agent."""
        self._weighed, self._here = {}, (None, {})
