"""The panel's page for experts: the chosen seat's agent with its model and parameters, what it thinks, this game."""

import math
from collections.abc import Mapping

import pygame
from typing_extensions import override

from ai import catalogue
from ai.entries import Entry, Parameter, Spec
from game.play import seating
from game.play.driver import share_of, speed_of
from game.rules.game import PERSON
from game.screens.play import parameter_boxes, parameters
from game.screens.play.face import Row
from game.screens.play.page import Desk, Page, Paint, RailButton
from game.ui import text
from game.ui.chrome import draw_bar, draw_card, draw_curve, draw_heading, draw_row
from game.ui.controls import Button, Stepper
from game.ui.select import Option, Select
from game.ui.shortcuts import keys_shown
from game.ui.slider import Slider
from game.ui.theme import FONT_SMALL, blend
from game.views.value_bars import draw_value

MODEL_SHARE = 0.6
"""How much of its line the list of models takes."""
CURVE_LEAST = 56
"""Units below which a curve is left out."""
TALL = 660
"""Units of the page from which on the speed has a line of its own."""


class LabPage(Page):
    """Cards `who`, `thinks` and `game`."""

    name, title, icon = "lab", "Lab", "flask"
    about = "All agents, their settings and what they think"
    thoughtful = True

    def __init__(self, desk: Desk) -> None:
        """Seldom used parameters are hidden at first."""
        super().__init__(desk)
        self.speed_at = pygame.Rect(0, 0, 0, 0)
        self._tall = True
        """Whether the speed has a line of its own."""
        self._run: Button | None = None
        self._more = False
        """Whether the parameters that are seldom changed are shown."""
        self._slider: Slider | None = None
        self._slid = 0.0
        """The speed that the slider was put to last."""

    @property
    @override
    def rail(self) -> tuple[RailButton, ...]:
        """Run, step and speed."""
        return (
            ("play", "run", "Run or pause"), ("step", "step", "Step"), ("plus", "faster", "Faster"),
            ("minus", "slower", "Slower"),
        )  # fmt: skip

    # Lay out

    @override
    def lay_out(self) -> None:
        """Seats, form, thoughts, this game."""
        face, theme = self.face, self.kit.theme
        top = self._build_who(self.build_seats(self.build_top()))
        room = self.rect.bottom - top - self.between
        wanted = self._thinks_wanted(face.shows_curve)
        roomy = not face.dense and bool(face.game_graph[1] or face.game_foot_rows)
        lines = max(2, len(face.value_bars()), face.thought_row_count if roomy else 0)
        least = min(wanted, self.head + theme.px(26) + lines * self.row)
        game = self.whole_rows(min(self.game_full, max(self.game_least, room - least)))
        thinks = max(self.head + theme.px(26) + self.row, min(room - game, wanted))
        self.cards["thinks"] = pygame.Rect(self.rect.left, top, self.rect.width, thinks)
        self.build_game(top + thinks + self.between, game)

    def _thinks_wanted(self, curve: bool) -> int:
        """Pixels that the card about what the agent thinks would fill; `curve`: with its curve."""
        theme = self.kit.theme
        bars = len(self.face.value_bars())
        lines = self.face.thought_row_count + bars
        return self.head + theme.px(26) + lines * self.row + (theme.px(96) if curve else 0)

    def _build_who(self, top: int) -> int:
        """The form of the chosen seat, run, step and speed."""
        session, theme, kit = self.session, self.kit.theme, self.kit
        card = pygame.Rect(self.rect.left, top, self.rect.width, 0)
        left, wide = self.inside(card)
        control, gap = self.control, self.gap
        y = top + self.head
        spec = self.session.driver.seats[self.desk.seat]
        options = [
            Option(entry.id, entry.title, "", catalogue.why_not(session.game, Spec(entry.id), session.state) or "")
            for entry in catalogue.entries(session.game)
        ]
        if session.many_seats:
            options.insert(0, Option(PERSON, "Person"))
        toggle = spec is not None and parameter_boxes.has_more(catalogue.entry(session.game, spec.id))
        side = text.width(theme, "More") + theme.px(24) if toggle else 0
        box = wide - (side + gap if toggle else 0)
        Select(
            kit, pygame.Rect(left, y, box, control), options, spec.id if spec else PERSON, on_choose=self._choose_agent
        )  # fmt: skip
        if toggle:
            Button(
                kit, pygame.Rect(left + wide - side, y, side, control), "Less" if self._more else "More",
                on_press=self._toggle_more, tip="Settings that are seldom changed",
            )  # fmt: skip
        y += control + gap
        if spec is not None:
            y = self._build_parameters(spec, left, y, wide, control, gap)
        else:
            y = self.face.build_person(kit, left, y, wide, control, gap)
        y = self._build_run(left, y, wide, control, gap)
        card.height = y - top
        self.cards["who"] = card
        return card.bottom + self.between

    def _build_run(self, left: int, y: int, wide: int, control: int, gap: int) -> int:
        """Run, step and speed: two lines, or one where there is little room."""
        session, theme, kit = self.session, self.kit.theme, self.kit
        self._tall = self.rect.height >= theme.px(TALL)
        half = (wide - gap) // 2
        run = half if self._tall else text.width(theme, "Pause") + theme.px(44)
        step = wide - half - gap if self._tall else control
        self._run = Button(
            kit, pygame.Rect(left, y, run, control), "Run", icon="play", style="primary",
            on_press=lambda: self.face.command("run"), tip=f"Run or pause ({keys_shown('run')})",
        )  # fmt: skip
        Button(
            kit, pygame.Rect(left + run + gap, y, step, control), "Step" if self._tall else "", icon="step",
            on_press=lambda: self.face.command("step"), tip=f"One step ({keys_shown('step')})",
        )  # fmt: skip
        label, value = text.width(theme, "Speed") + theme.px(10), theme.px(52)
        if self._tall:
            y += control + gap // 2
            self.speed_at = pygame.Rect(left, y, wide, theme.px(30))
        else:
            across = run + step + 2 * gap
            label, value = theme.px(2), theme.px(44)
            self.speed_at = pygame.Rect(left + across, y, wide - across, control)
        place = pygame.Rect(self.speed_at.left + label, y, self.speed_at.width - label - value, self.speed_at.height)
        self._slid = session.driver.speed
        self._slider = Slider(
            kit, place, share_of(self._slid), on_change=lambda share: session.set_speed(speed_of(share)),
            tip="Speed: moves a second",
        )  # fmt: skip
        return self.speed_at.bottom + theme.px(6 if self._tall or self.face.dense else 12)

    def _build_parameters(self, spec: Spec, left: int, y: int, wide: int, control: int, gap: int) -> int:
        """Two boxes a row where both have room."""
        game, state, theme = self.session.game, self.session.state, self.kit.theme
        entry = catalogue.entry(game, spec.id)
        fields = parameter_boxes.shown_fields(entry, self._more)
        if parameters.asks_model(entry, state):
            box = round(wide * MODEL_SHARE)
            fits = fields and parameter_boxes.need(theme, game, spec, fields[0]) <= wide - box - gap
            beside, fields = (fields[:1], fields[1:]) if fits else ((), fields)
            box = box if beside else wide
            self._build_model(entry, spec, pygame.Rect(left, y, box, control))
            for parameter in beside:
                place = pygame.Rect(left + box + gap, y, wide - box - gap, control)
                self._build_parameter(parameter, spec, place)
            y += control + gap
        needs = [parameter_boxes.need(theme, game, spec, parameter) for parameter in fields]
        waiting = iter(fields)
        for line in parameter_boxes.flow(needs, wide, gap, 2):
            for x, box in line:
                self._build_parameter(next(waiting), spec, pygame.Rect(left + x, y, box, control))
            y += control + gap
        return y

    def _build_parameter(self, parameter: Parameter, spec: Spec, place: pygame.Rect) -> None:
        value = parameters.shown(parameter, parameters.value_of(self.session.game, spec, parameter.name))
        Stepper(
            self.kit, place, parameter.title, value, on_step=lambda by: self._step(parameter, by),
            tip=parameter.help,
        )  # fmt: skip

    def _build_model(self, entry: Entry, spec: Spec, place: pygame.Rect) -> None:
        """The models of the agent, those that do not fit grey with the reason."""
        options = parameters.model_options(entry, spec, self.session.state)
        said = next((option.reason or option.note for option in options if option.id == spec.model), "choose one")
        Select(self.kit, place, options, spec.model or "", on_choose=self._choose_model, tip=f"Model: {said}")

    # What the form does

    def _choose_agent(self, agent_id: str) -> None:
        session = self.session
        kept = None if agent_id == PERSON else seating.kept(session.store, session.game, agent_id, session.state)
        session.choose_agent(self.desk.seat, kept)

    def _toggle_more(self) -> None:
        self._more = not self._more
        self.desk.rebuild()

    def _choose_model(self, name: str) -> None:
        spec = self.session.driver.seats[self.desk.seat]
        assert spec is not None
        chosen = parameters.with_model(spec, name)
        seating.keep(self.session.store, self.session.game, chosen)
        self.session.choose_agent(self.desk.seat, chosen)

    def _step(self, parameter: Parameter, by: int) -> str:
        spec = self.session.driver.seats[self.desk.seat]
        assert spec is not None
        old = parameters.value_of(self.session.game, spec, parameter.name)
        new = parameters.stepped(parameter, old, by)
        changed = parameters.with_value(spec, parameter.name, new)
        seating.keep(self.session.store, self.session.game, changed)
        self.session.change_parameter(self.desk.seat, changed)
        return parameters.shown(parameter, new)

    # Draw

    @override
    def paints(self) -> Mapping[str, Paint]:
        """The form's words and the thoughts besides what every page has."""
        return {**super().paints(), "who": self._draw_who, "thinks": self._draw_thinks}

    @override
    def refresh(self) -> None:
        """Run or pause, and the speed, which keys change as well."""
        driver = self.session.driver
        if self._slider is not None and driver.speed != self._slid:
            self._slid = driver.speed
            self._slider.set_value(share_of(driver.speed))
        if self._run is not None:
            running = driver.running
            self._run.set("Pause" if running else self.face.run_label, "pause" if running else "play")

    def _draw_who(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        agent = face.agent_has_board(self.desk.seat)
        note = "agent" if agent else "you"
        draw_heading(
            surface, theme, self.head, card, face.who_heading(self.desk.seat), note, theme.thinking if agent else None
        )
        y = self.speed_at.centery
        if self._tall:
            text.draw(surface, theme, "Speed", (self.speed_at.left, y), colour=theme.muted, anchor="midleft")
        speed = self.session.driver.speed
        shown = "max" if math.isinf(speed) else f"{speed:.0f}/s" if speed >= 3 else f"{speed:.1f}/s"
        text.draw(surface, theme, shown, (self.speed_at.right, y), anchor="midright")

    def _draw_row(self, surface: pygame.Surface, card: pygame.Rect, row: Row, y: int, bottom: int) -> int:
        """A row that wraps takes as many lines as there are above `bottom`; answers the middle of the next line."""
        theme = self.kit.theme
        left, wide = self.inside(card)
        lines = [row.value]
        if row.wraps:
            room = wide - text.width(theme, row.name) - theme.px(8)
            lines, fit = text.wrap(theme, row.value, room), max(1, (bottom - y + self.row // 2) // self.row)
            if len(lines) > fit:
                lines = [*lines[: fit - 1], " ".join(lines[fit - 1 :])]
            self.wrapped_at = pygame.Rect(left, y - self.row // 2, wide, len(lines) * self.row)
        for number, line in enumerate(lines):
            draw_row(surface, theme, card, y, row.name if number == 0 else "", line, row.colour)
            y += self.row
        return y

    def _draw_thinks(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        note = "loading" if self.session.driver.thinks_long and self.session.driver.loading else face.thought_note()
        draw_heading(surface, theme, self.head, card, "What it thinks", note, theme.muted)
        left, wide = self.inside(card)
        bar = pygame.Rect(left, card.top + self.head - theme.px(2), wide, theme.px(6))
        track = blend(theme.raised, theme.line, 0.5)
        thought = self.session.driver.thought
        fraction = thought.progress.fraction
        if thought.thinking and fraction is None:
            swing = 0.5 - 0.5 * math.cos(thought.seconds * 4)
            draw_bar(surface, bar, 0.0, theme.thinking, track)
            part = pygame.Rect(0, bar.top, bar.width // 4, bar.height)
            part.left = bar.left + round(swing * (bar.width - part.width))
            draw_bar(surface, part, 1.0, theme.thinking, theme.thinking)
        else:
            share = (fraction or 0.0) if thought.thinking else 1.0 if thought.plan else 0.0
            draw_bar(surface, bar, share, theme.thinking, track)
        y = card.top + self.head + theme.px(16) + self.row // 2 - theme.px(2)
        bottom = card.bottom - theme.px(2)
        for value in face.value_bars():
            if y + self.row // 2 > bottom:
                return
            draw_value(surface, theme, value, left, wide, y, face.now_colour)
            y += self.row
        self.wrapped_at = None
        for row in face.thought_rows():
            if y + self.row // 2 > bottom:
                return
            y = self._draw_row(surface, card, row, y, bottom)
        room = bottom - y
        if face.shows_curve and len(thought.curve) > 1 and room >= theme.px(CURVE_LEAST):
            graph = pygame.Rect(left, y - self.row // 2 + theme.px(4), wide, min(theme.px(80), room) - theme.px(16))
            draw_curve(surface, graph, thought.curve, theme.thinking, min(thought.curve), max(thought.curve))
            text.draw(
                surface,
                theme,
                face.curve_label,
                (left, graph.bottom + theme.px(4)),
                size=FONT_SMALL,
                colour=theme.muted,
            )
