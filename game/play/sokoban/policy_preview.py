"""What an agent that answers at a glance thinks of the position on the board, while a person plays or looks on."""

from collections.abc import Mapping
from itertools import pairwise

from ai import catalogue
from ai.agent import Plan
from game.play.driver import Driver
from game.play.sokoban import plans
from game.play.store import Store
from game.rules import sokoban
from game.rules.sokoban import State

Choices = Mapping[tuple[int, int], float]
"""(square of a box, direction) -> how likely it is that the agent pushes it there, 0 to 1."""


class PolicyPreview:
    """Asks the agent at the board about every new position, where it needs no time for that."""

    def __init__(self, store: Store) -> None:
        """Nothing is known yet."""
        self._store = store
        self._weighed: dict[State, Choices] = {}
        self._here: tuple[State | None, Choices] = (None, {})
        self._asked: State | None = None

    def choices(self, driver: Driver, state: State) -> Choices:
        """How likely each push is to the agent that thought last, where it weighed those of this position."""
        if not self._store.settings.show_values or driver.thought.thinking:
            return {}
        if self._here[0] is not state:
            self._here = (state, self._weighed.get(state, {}))
        return self._here[1]

    def ask(self, driver: Driver, state: State, ply: int) -> None:
        """Once a frame: let it look at the position on the board, where it has not and nobody plays or thinks."""
        spec = driver.seats[0]
        if spec is None or not catalogue.entry(driver.game, spec.id).at_a_glance or self._asked is state:
            return
        if (
            driver.running
            or driver.carrying_out
            or driver.busy
            or driver.hint is not None
            or not driver.ready_for(spec)
        ):
            return
        if not self._store.settings.show_values or sokoban.is_solved(state):
            return
        self._asked = state
        if not self.choices(driver, state) and catalogue.why_not(driver.game, spec, state) is None:
            driver.ask_values(state, ply, spec)

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
        self._weighed, self._here, self._asked = {}, (None, {}), None
