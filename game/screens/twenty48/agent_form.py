"""Boxes to choose an agent of 2048 with its model and settings, for screens that have no panel of their own."""

from collections.abc import Callable
from typing import Any

import pygame

from ai import catalogue
from ai.catalogue import Parameter, Spec
from game.screens import parameters
from game.ui.controls import Stepper
from game.ui.kit import Kit
from game.ui.select import Option, Select

GAME = "twenty48"
MOST = 3
"""Boxes on a line."""
LINE, GAP = 38, 8
"""Height of a line and the room between boxes, in units."""


class AgentForm:
    """Lines of boxes: agent and model, then the settings; one line where that is enough. `narrow`: the agent has its own."""

    def __init__(self, spec: Spec, on_change: Callable[[Spec, bool], None], narrow: bool = False) -> None:
        """`on_change(spec, whole)` is told what was chosen; `whole`: other boxes are needed now."""
        self.spec, self.on_change, self.narrow = spec, on_change, narrow

    def lines(self) -> int:
        """Lines that the boxes take."""
        return len(self._lines())

    def height(self, kit: Kit) -> int:
        """Pixels that they take."""
        return self.lines() * kit.theme.px(LINE + GAP) - kit.theme.px(GAP)

    def build(self, kit: Kit, rect: pygame.Rect, state: Any) -> None:
        """Make them from the top of `rect` down; `state` is a board that the agent has to be able to play."""
        gap, high, top = kit.theme.px(GAP), kit.theme.px(LINE), rect.top
        for line in self._lines():
            wide = (rect.width - gap * (len(line) - 1)) / len(line)
            for number, what in enumerate(line):
                left = rect.left + round(number * (wide + gap))
                self._box(kit, pygame.Rect(left, top, round(wide), high), what, state)
            top += high + gap

    def _lines(self) -> list[list[str | Parameter]]:
        entry = catalogue.entry(GAME, self.spec.id)
        fields: list[str | Parameter] = list(entry.parameters)
        head: list[str | Parameter] = ["agent"]
        model: list[str | Parameter] = ["model"] if entry.needs_model else []
        if self.narrow:
            rest = [*model, *fields]
            return [head] + [rest[at : at + 2] for at in range(0, len(rest), 2)]
        if len(head + model + fields) <= MOST:
            return [head + model + fields]
        return [head + model] + [fields[at : at + MOST] for at in range(0, len(fields), MOST)]

    def _box(self, kit: Kit, rect: pygame.Rect, what: str | Parameter, state: Any) -> None:
        entry = catalogue.entry(GAME, self.spec.id)
        if isinstance(what, Parameter):
            shown = parameters.shown(what, parameters.value_of(GAME, self.spec, what.name))
            Stepper(kit, rect, what.title, shown, on_step=lambda by: self._step(what, by), tip=what.help)
        elif what == "model":
            options = parameters.model_options(entry, self.spec, state)
            Select(kit, rect, options, self.spec.model or "", on_choose=self._choose_model, tip="Model")
        else:
            agents = [
                Option(each.id, each.title, "", catalogue.why_not(GAME, Spec(each.id), state) or "")
                for each in catalogue.entries(GAME)
            ]
            Select(kit, rect, agents, self.spec.id, on_choose=lambda chosen: self._choose(chosen, state), tip="Agent")

    def _choose(self, agent_id: str, state: Any) -> None:
        self._take(catalogue.default_spec(GAME, agent_id, state), True)

    def _choose_model(self, name: str) -> None:
        self._take(Spec(self.spec.id, self.spec.settings, name), True)

    def _step(self, parameter: Parameter, by: int) -> str:
        old = parameters.value_of(GAME, self.spec, parameter.name)
        new = parameters.stepped(parameter, old, by)
        self._take(parameters.with_value(self.spec, parameter.name, new), False)
        return parameters.shown(parameter, new)

    def _take(self, spec: Spec, whole: bool) -> None:
        self.spec = spec
        self.on_change(spec, whole)
