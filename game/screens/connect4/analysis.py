"""The agent that advises people: it gives their hints, and where asked thinks along whenever it is a person's turn."""

from typing import TYPE_CHECKING

import pygame

from ai import catalogue
from ai.entries import CatalogueError, Entry, Parameter, Spec
from game.rules.connect4 import State
from game.screens.play import parameter_boxes, parameters
from game.ui.controls import Stepper
from game.ui.select import Option, Select

if TYPE_CHECKING:
    from game.screens.connect4.table import Connect4Table

ADVISER, ALONG = "connect4/adviser", "connect4/along"
"""Names in the settings under which the choice is remembered."""


class Analyst:
    """Chosen on a person's seat, remembered for all games of connect-4."""

    def __init__(self, scene: "Connect4Table") -> None:
        """Whoever advised last, else the strongest on the board."""
        self._scene = scene
        self._chosen = self._remembered()
        self._asked: State | None = None
        """The position it was asked about last, by whoever advises now."""

    @property
    def spec(self) -> Spec:
        """Who advises."""
        return self._chosen or self._scene.strongest

    def _remembered(self) -> Spec | None:
        found = self._scene.context.settings.remembered.get(ADVISER)
        if isinstance(found, str):
            try:
                return catalogue.parse(self._scene.game, found)
            except CatalogueError:
                pass
        return None

    def plays(self, state: State) -> Spec:
        """The adviser for a position; the strongest agent where the chosen one cannot play that board."""
        spec = self.spec
        fits = catalogue.why_not(self._scene.game, spec, state) is None
        return spec if fits else self._scene.strongest

    @property
    def along(self) -> bool:
        """Whether it thinks along."""
        return self._scene.context.settings.remembered.get(ALONG) is True

    def set_along(self, on: bool) -> None:
        """Let it think along, or not."""
        self._scene.context.remember(ALONG, on)
        self._asked = None
        if not on and self._scene.driver.asked_values:
            self._scene.driver.stop_thinking()

    def update(self) -> None:
        """Once a frame: ask about a new position, unless an agent is about to play or gives a hint."""
        scene = self._scene
        driver, state = scene.driver, scene.state
        if not self.along or scene.over(state) or driver.busy or not driver.ready:
            return
        if driver.wants_plan and driver.seats[state.to_move] is not None:
            return
        known = driver.thought.plan is not None and driver.thought.ply == scene.timeline.cursor
        if known or self._asked is state:
            return
        self._asked = state
        driver.ask_values(state, scene.timeline.cursor, self.plays(state))

    # The form

    def build(self, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """The list of agents, its model and settings; answers the pixel where they end."""
        scene = self._scene
        kit, state, entry = scene.kit, scene.state, catalogue.entry(scene.game, self.spec.id)
        options = [
            Option(each.id, each.title, "", catalogue.why_not(scene.game, Spec(each.id), state) or "")
            for each in catalogue.entries(scene.game)
        ]
        Select(kit, pygame.Rect(left, top, wide, control), options, self.spec.id, label="Hints", on_choose=self._choose,
               tip="Who gives hints to people and thinks along")  # fmt: skip
        top += control + gap
        if parameters.asks_model(entry, state):
            self._build_model(entry, pygame.Rect(left, top, wide, control))
            top += control + gap
        fields = parameter_boxes.shown_fields(entry, False)
        needs = [parameter_boxes.need(scene.theme, scene.game, self.spec, field) for field in fields]
        waiting = iter(fields)
        for line in parameter_boxes.flow(needs, wide, gap, 2)[:1]:
            for x, box in line:
                self._build_parameter(next(waiting), pygame.Rect(left + x, top, box, control))
            top += control + gap
        return top

    def _build_model(self, entry: Entry, place: pygame.Rect) -> None:
        options = parameters.model_options(entry, self.spec, self._scene.state)
        Select(self._scene.kit, place, options, self.spec.model or "", on_choose=self._choose_model, tip="Model")

    def _build_parameter(self, parameter: Parameter, place: pygame.Rect) -> None:
        value = parameters.value_of(self._scene.game, self.spec, parameter.name)
        Stepper(self._scene.kit, place, parameter.title, parameters.shown(parameter, value),
                on_step=lambda by: self._step(parameter, by), tip=parameter.help)  # fmt: skip

    def _choose(self, agent_id: str) -> None:
        self._take(catalogue.default_spec(self._scene.game, agent_id, self._scene.state))
        self._scene.rebuild()

    def _choose_model(self, name: str) -> None:
        self._take(parameters.with_model(self.spec, name))

    def _step(self, parameter: Parameter, by: int) -> str:
        value = parameters.value_of(self._scene.game, self.spec, parameter.name)
        new = parameters.stepped(parameter, value, by)
        self._take(parameters.with_value(self.spec, parameter.name, new))
        return parameters.shown(parameter, new)

    def _take(self, spec: Spec) -> None:
        self._chosen = spec
        self._scene.context.remember(ADVISER, str(spec))
        if self._scene.driver.asked_values:
            self._scene.driver.stop_thinking()
        if self.along:
            self._scene.driver.elsewhere()
        self._asked = None
