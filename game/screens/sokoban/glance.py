"""What an agent that answers at a glance thinks of the position on the board, while a person plays or looks on."""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from ai import catalogue
from ai.agent import Plan, Status
from game.play.sokoban import plans
from game.rules.sokoban import State
from game.screens.play.panel import Row
from game.views.sokoban.choices import Choices, percent

if TYPE_CHECKING:
    from game.screens.sokoban.screen import SokobanScene


class Glance:
    """Asks the agent at the board about every new position, where it needs no time for that."""

    def __init__(self, scene: "SokobanScene") -> None:
        """Nothing is known yet."""
        self._scene = scene
        self._weighed: dict[State, Choices] = {}
        self._here: tuple[State | None, Choices] = (None, {})
        self._asked: State | None = None

    @property
    def choices(self) -> Choices:
        """How likely each push is to the agent that thought last, where it weighed those of the position on the board."""
        if not self._scene.context.settings.show_values or self._scene.driver.thought.thinking:
            return {}
        state = self._scene.state
        if self._here[0] is not state:
            self._here = (state, self._weighed.get(state, {}))
        return self._here[1]

    def ask(self) -> None:
        """Once a frame: let it look at the position on the board, where it has not and nobody plays or thinks."""
        scene, driver = self._scene, self._scene.driver
        spec, state = driver.seats[0], scene.state
        if spec is None or not catalogue.entry(scene.game, spec.id).at_a_glance or self._asked is state:
            return
        if driver.running or driver.carrying_out or driver.busy or driver.hint is not None or not driver.ready:
            return
        if not scene.context.settings.show_values or scene.window.top is not scene or scene.over(state):
            return
        self._asked = state
        if not self.choices and catalogue.why_not(scene.game, spec, state) is None:
            driver.ask_values(state, scene.timeline.cursor, spec)

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

    def rows(self, plan: Plan) -> list[Row]:
        """What it would do by itself, in words."""
        colour = self._scene.theme.thinking
        if plan.status is Status.SOLVED:
            answer = f"solves it in {plans.counted(len(plan.choices), 'push')}"
        else:
            answer = "proved: there is no solution" if plan.status is Status.UNSOLVABLE else "does not get there"
        return [Row("By itself", answer), *likeliest(self.choices, colour)]


def likeliest(choices: Mapping[tuple[int, int], float], colour: tuple[int, int, int]) -> list[Row]:
    """The row about the likeliest push, where there is one."""
    return [Row("Likeliest push", percent(max(choices.values())), colour)] if choices else []
