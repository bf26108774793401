"""The form of the agent that advises people, on a person's seat: the agent, its model, its settings."""

from collections.abc import Callable

import pygame

from ai import catalogue
from ai.entries import Entry, Parameter, Spec
from game.play import seating
from game.play.connect4.session import MatchSession
from game.screens.play import parameter_boxes, parameters
from game.ui.controls import Stepper
from game.ui.kit import Kit
from game.ui.select import Option, Select


class AdviserForm:
    """Made anew with every layout."""

    def __init__(self, session: MatchSession, rebuild: Callable[[], None]) -> None:
        """`rebuild` makes the panel again, for another agent's settings."""
        self._session, self._rebuild = session, rebuild

    @property
    def _spec(self) -> Spec:
        return self._session.adviser.spec(self._session.state)

    def build(self, kit: Kit, left: int, top: int, wide: int, control: int, gap: int) -> int:
        """The list of agents, its model and settings; answers the pixel where they end."""
        game, state, spec = self._session.game, self._session.state, self._spec
        entry = catalogue.entry(game, spec.id)
        options = [
            Option(each.id, each.title, "", catalogue.why_not(game, Spec(each.id), state) or "")
            for each in catalogue.entries(game)
        ]
        Select(kit, pygame.Rect(left, top, wide, control), options, spec.id, label="Hints", on_choose=self._choose,
               tip="Who gives hints and comments on your turns")  # fmt: skip
        top += control + gap
        if parameters.asks_model(entry, state):
            self._build_model(kit, entry, pygame.Rect(left, top, wide, control))
            top += control + gap
        fields = parameter_boxes.shown_fields(entry, False)
        needs = [parameter_boxes.need(kit.theme, game, spec, field) for field in fields]
        waiting = iter(fields)
        for line in parameter_boxes.flow(needs, wide, gap, 2)[:1]:
            for x, box in line:
                self._build_parameter(kit, next(waiting), pygame.Rect(left + x, top, box, control))
            top += control + gap
        return top

    def _build_model(self, kit: Kit, entry: Entry, place: pygame.Rect) -> None:
        spec = self._spec
        options = parameters.model_options(entry, spec, self._session.state)
        Select(kit, place, options, spec.model or "", on_choose=self._choose_model, tip="Model")

    def _build_parameter(self, kit: Kit, parameter: Parameter, place: pygame.Rect) -> None:
        value = parameters.value_of(self._session.game, self._spec, parameter.name)
        Stepper(kit, place, parameter.title, parameters.shown(parameter, value),
                on_step=lambda by: self._step(parameter, by), tip=parameter.help)  # fmt: skip

    def _choose(self, agent_id: str) -> None:
        session = self._session
        self._take(seating.kept(session.store, session.game, agent_id, session.state))
        self._rebuild()

    def _choose_model(self, name: str) -> None:
        self._take(parameters.with_model(self._spec, name))

    def _step(self, parameter: Parameter, by: int) -> str:
        spec = self._spec
        value = parameters.value_of(self._session.game, spec, parameter.name)
        new = parameters.stepped(parameter, value, by)
        self._take(parameters.with_value(spec, parameter.name, new))
        return parameters.shown(parameter, new)

    def _take(self, spec: Spec) -> None:
        seating.keep(self._session.store, self._session.game, spec)
        self._session.adviser.choose(spec, self._session.driver)
