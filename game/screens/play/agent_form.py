"""Boxes to choose an agent with its model and settings, for screens that have no panel of their own."""

from collections.abc import Callable
from typing import Any

import pygame

from ai import catalogue
from ai.entries import Parameter, Spec
from game.screens.play import parameter_boxes, parameters
from game.ui import text
from game.ui.controls import Button, Stepper
from game.ui.kit import Kit
from game.ui.select import Option, Select

MOST = 3
"""Boxes on a line."""
LINE, GAP = 38, 8
"""Height of a line and the room between boxes, in units."""
LISTS = {"agent": 174, "model": 122}
"""Units that a list needs for its usual names."""


class AgentForm:
    """Lines of boxes: agent and model, then the settings; one line where that is enough. `narrow`: the agent has its own."""

    def __init__(self, game: str, spec: Spec, on_change: Callable[[Spec, bool], None], narrow: bool = False) -> None:
        """`on_change(spec, whole)` is told what was chosen; `whole`: other boxes are needed now."""
        self.game = game
        self.spec, self.on_change, self.narrow = spec, on_change, narrow
        self._more = False

    def height(self, kit: Kit, wide: int) -> int:
        """Pixels that they take when they are so wide together."""
        return len(self._lines(kit, wide)) * kit.theme.px(LINE + GAP) - kit.theme.px(GAP)

    def build(self, kit: Kit, rect: pygame.Rect, state: Any) -> None:
        """Make them from the top of `rect` down; `state` is a board that the agent has to be able to play."""
        gap, high, top = kit.theme.px(GAP), kit.theme.px(LINE), rect.top
        for line in self._lines(kit, rect.width):
            for what, left, wide in line:
                self._box(kit, pygame.Rect(rect.left + left, top, wide, high), what, state)
            top += high + gap

    def _lines(self, kit: Kit, wide: int) -> list[list[tuple[str | Parameter, int, int]]]:
        """What is on each line, from where and how wide."""
        theme, entry = kit.theme, catalogue.entry(self.game, self.spec.id)
        boxes: list[str | Parameter] = ["agent", *(("model",) if entry.takes_model else ())]
        needs = [theme.px(LISTS[str(box)]) for box in boxes]
        if parameter_boxes.has_more(entry):
            needs[0] += self._more_width(kit) + theme.px(GAP)
        fields = parameter_boxes.shown_fields(entry, self._more)
        boxes += fields
        needs += [parameter_boxes.need(theme, self.game, self.spec, field) for field in fields]
        if self.narrow:
            needs[0] = wide
        waiting = iter(boxes)
        lines = parameter_boxes.flow(needs, wide, theme.px(GAP), MOST)
        return [[(next(waiting), left, box) for left, box in line] for line in lines]

    @staticmethod
    def _more_width(kit: Kit) -> int:
        return text.width(kit.theme, "More") + kit.theme.px(24)

    def _box(self, kit: Kit, rect: pygame.Rect, what: str | Parameter, state: Any) -> None:
        entry = catalogue.entry(self.game, self.spec.id)
        if isinstance(what, Parameter):
            shown = parameters.shown(what, parameters.value_of(self.game, self.spec, what.name))
            Stepper(kit, rect, what.title, shown, on_step=lambda by: self._step(what, by), tip=what.help)
        elif what == "model":
            options = parameters.model_options(entry, self.spec, state)
            Select(kit, rect, options, self.spec.model or "", on_choose=self._choose_model, tip="Model")
        else:
            agents = [
                Option(each.id, each.title, "", catalogue.why_not(self.game, Spec(each.id), state) or "")
                for each in catalogue.entries(self.game)
            ]
            if parameter_boxes.has_more(entry):
                side = self._more_width(kit)
                place = pygame.Rect(rect.right - side, rect.top, side, rect.height)
                rect = pygame.Rect(rect.left, rect.top, rect.width - side - kit.theme.px(GAP), rect.height)
                Button(kit, place, "Less" if self._more else "More", on_press=self._toggle_more,
                       tip="Settings that are seldom changed")  # fmt: skip
            Select(kit, rect, agents, self.spec.id, on_choose=lambda chosen: self._choose(chosen, state), tip="Agent")

    def _toggle_more(self) -> None:
        self._more = not self._more
        self.on_change(self.spec, True)

    def _choose(self, agent_id: str, state: Any) -> None:
        self._take(catalogue.default_spec(self.game, agent_id, state), True)

    def _choose_model(self, name: str) -> None:
        self._take(parameters.with_model(self.spec, name), True)

    def _step(self, parameter: Parameter, by: int) -> str:
        old = parameters.value_of(self.game, self.spec, parameter.name)
        new = parameters.stepped(parameter, old, by)
        self._take(parameters.with_value(self.spec, parameter.name, new), False)
        return parameters.shown(parameter, new)

    def _take(self, spec: Spec, whole: bool) -> None:
        self.spec = spec
        self.on_change(spec, whole)
