"""The right-hand panel, the same in all three games: who plays, what it thinks, this game.

It is laid out from what the game's face answers: rows of text, value bars, seats. Below the fold width it becomes a rail
of icons.
"""

import math
from collections.abc import Callable
from functools import partial

import pygame

from ai import catalogue
from ai.entries import Entry, Parameter, Spec
from game.play.driver import share_of, speed_of
from game.rules.game import PERSON
from game.screens.play import parameter_boxes, parameters, seats
from game.screens.play.face import Face
from game.ui import text
from game.ui.chrome import SHADOW_SPREAD, draw_bar, draw_card, draw_curve, draw_heading, draw_row
from game.ui.controls import Button, Stepper
from game.ui.kit import Kit
from game.ui.select import Option, Select
from game.ui.shortcuts import keys_shown
from game.ui.slider import Slider
from game.ui.theme import FONT_SMALL, RADIUS_CARD, blend
from game.views.value_bars import draw_value
from game.views.view import accent_of

PAD, GAP = 16, 8
ROW, ROW_DENSE = 25, 22
HEAD, HEAD_DENSE = 40, 32
CONTROL = 38
FOOT, FOOT_DENSE = 30, 26
"""A line above the buttons of the last card."""
MODEL_SHARE = 0.6
"""How much of its line the list of models takes."""


class Panel:
    """Cards, their controls, and their drawing."""

    def __init__(self, face: Face, rebuild: Callable[[], None]) -> None:
        """Controls are made by `build`; `rebuild` makes the whole screen's again, for another seat or more settings."""
        self.face, self._rebuild = face, rebuild
        self.session = face.session
        self.kit: Kit
        self.seat = 0
        """The seat that the form edits."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.cards: dict[str, pygame.Rect] = {}
        self.run_button: Button | None = None
        self.speed_at = pygame.Rect(0, 0, 0, 0)
        self._more = False
        """Whether the parameters that are seldom changed are shown."""
        self._slider: Slider | None = None
        self._slid = 0.0
        """The speed that the slider was put to last."""
        self._thinks_height = 0
        """Of the card about what the agent thinks, while the last card needs its room."""
        self._seat_buttons: list[pygame.Rect] = []
        self._shown: tuple[object, ...] = ()
        """What all cards were drawn for last."""

    # Lay out

    def build(self, kit: Kit, rect: pygame.Rect, folded: bool) -> None:
        """Make the controls inside `rect`; `folded` makes a rail of icons."""
        self.kit, self.rect = kit, rect
        self.cards = {}
        self._slider = None
        self.seat = min(self.seat, len(self.session.driver.seats) - 1)
        if folded:
            self._build_rail(rect)
            return
        theme = self.kit.theme
        self.face.dense = rect.height < theme.px(600)
        top = rect.top
        head = self.face.top_height
        if head:
            self.cards["top"] = pygame.Rect(rect.left, top, rect.width, theme.px(head))
            top += theme.px(head) + self._gap
        top = self._build_seats(top)
        top = self._build_who(top)
        room = rect.bottom - top - self._gap
        rows = len(self.face.game_rows())
        buttons = self._buttons_height
        graph_least, graph_most = map(theme.px, self.face.game_graph)
        game_least = self._head + buttons + min(rows, 1) * self._row + graph_least
        wanted = self._thinks_wanted(self.face.shows_curve)
        roomy = not self.face.dense and bool(graph_most or self.face.game_foot_rows)
        lines = max(2, len(self.face.value_bars()), self.face.thought_row_count if roomy else 0)
        least = min(wanted, self._head + theme.px(26) + lines * self._row)
        full = self._head + rows * self._row + theme.px(8) + buttons + graph_most
        game = min(full, max(game_least, room - least))
        if game < full and not graph_most:
            game -= (game - game_least) % self._row  # a part of a row shows nothing
        thinks = max(self._head + theme.px(26) + self._row, min(room - game, wanted))
        self.cards["thinks"] = pygame.Rect(rect.left, top, rect.width, thinks)
        top += thinks + self._gap
        game = min(game, rect.bottom - top)
        self.cards["game"] = pygame.Rect(rect.left, top, rect.width, max(0, game))
        self._thinks_height = thinks
        if self._buttons_height:
            self.face.build_game_buttons(self.kit, self._buttons_place(self.cards["game"]))

    @property
    def _buttons_height(self) -> int:
        """Pixels of what a screen has at the bottom of the last card."""
        theme, face = self.kit.theme, self.face
        foot = face.game_foot_rows * theme.px(FOOT_DENSE if self.face.dense else FOOT)
        high = face.game_buttons_rows * theme.px(CONTROL + GAP) + foot
        return high + theme.px(4) if high else 0

    def _buttons_place(self, card: pygame.Rect) -> pygame.Rect:
        """Where that is."""
        theme = self.kit.theme
        high = self._buttons_height - theme.px(4)
        left, wide = card.left + theme.px(PAD), card.width - 2 * theme.px(PAD)
        return pygame.Rect(left, card.bottom - high - theme.px(4), wide, high)

    def _share_out(self) -> None:
        """While the agent thinks about much, its card takes room from the last one, which keeps heading and buttons."""
        if "thinks" not in self.cards or not self.cards["game"].height:
            return
        thinks, game = self.cards["thinks"], self.cards["game"]
        bottom = game.bottom
        thinks.height = self._thinks_height
        if self.face.game_yields:
            curve = self.face.shows_curve and len(self.session.driver.thought.curve) > 1
            room = bottom - thinks.top - self._gap - self._buttons_height - self._head
            thinks.height = max(thinks.height, min(room, self._thinks_wanted(curve)))
        game.top = thinks.bottom + self._gap
        game.height = bottom - game.top

    @property
    def _row(self) -> int:
        return self.kit.theme.px(ROW_DENSE if self.face.dense else ROW)

    @property
    def _head(self) -> int:
        return self.kit.theme.px(HEAD_DENSE if self.face.dense else HEAD)

    @property
    def _gap(self) -> int:
        return self.kit.theme.px(8 if self.face.dense else 12)

    def _thinks_wanted(self, curve: bool) -> int:
        """Pixels that the card about what the agent thinks would fill; `curve`: with its curve."""
        theme = self.kit.theme
        bars = len(self.face.value_bars())
        lines = self.face.thought_row_count + bars
        return self._head + theme.px(26) + lines * self._row + (theme.px(96) if curve else 0)

    def _build_rail(self, rect: pygame.Rect) -> None:
        """Run, step, hint and speed as icons, one below the other."""
        theme = self.kit.theme
        side = min(rect.width, theme.px(44))
        icons = (("play", "run", "Run or pause"), ("step", "step", "Step"), ("plus", "faster", "Faster"),
                 ("minus", "slower", "Slower"), self.face.last_icon)  # fmt: skip
        for number, (icon, command, title) in enumerate(icons):
            place = pygame.Rect(rect.left, rect.top + number * (side + theme.px(GAP)), side, side)
            button = Button(
                self.kit, place, icon=icon, on_press=partial(self.face.command, command),
                tip=f"{title} ({keys_shown(command)})",
            )  # fmt: skip
            if command == "run":
                self.run_button = button

    def _build_seats(self, top: int) -> int:
        """The list of seats, where there is more than one."""
        self._seat_buttons = []
        if len(self.session.driver.seats) < 2:
            return top
        count, dense = len(self.session.driver.seats), self.face.dense
        card, self._seat_buttons = seats.places(self.kit.theme, count, self.rect, top, self._head, dense)
        self.cards["seats"] = card
        return card.bottom + self._gap

    def _build_who(self, top: int) -> int:
        """The form of the chosen seat, run, step and speed."""
        session, theme, kit = self.session, self.kit.theme, self.kit
        card = pygame.Rect(self.rect.left, top, self.rect.width, 0)
        left, wide = card.left + theme.px(PAD), card.width - 2 * theme.px(PAD)
        control = theme.px(34 if self.face.dense else CONTROL)
        gap = theme.px(6 if self.face.dense else GAP)
        y = top + self._head
        spec = self.session.driver.seats[self.seat]
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
        return card.bottom + self._gap

    def _build_run(self, left: int, y: int, wide: int, control: int, gap: int) -> int:
        """Run, step and speed: two lines, or one where there is little room."""
        session, theme, kit = self.session, self.kit.theme, self.kit
        half = (wide - gap) // 2
        run = text.width(theme, "Pause") + theme.px(44) if self.face.dense else half
        step = control if self.face.dense else wide - half - gap
        self.run_button = Button(
            kit, pygame.Rect(left, y, run, control), "Run", icon="play", style="primary",
            on_press=lambda: self.face.command("run"), tip=f"Run or pause ({keys_shown('run')})",
        )  # fmt: skip
        Button(
            kit, pygame.Rect(left + run + gap, y, step, control), "" if self.face.dense else "Step", icon="step",
            on_press=lambda: self.face.command("step"), tip=f"One step ({keys_shown('step')})",
        )  # fmt: skip
        label, value = text.width(theme, "Speed") + theme.px(10), theme.px(52)
        if self.face.dense:
            across = run + step + 2 * gap
            label, value = theme.px(2), theme.px(44)
            self.speed_at = pygame.Rect(left + across, y, wide - across, control)
        else:
            y += control + gap // 2
            self.speed_at = pygame.Rect(left, y, wide, theme.px(30))
        place = pygame.Rect(self.speed_at.left + label, y, self.speed_at.width - label - value, self.speed_at.height)
        self._slid = session.driver.speed
        self._slider = Slider(
            kit, place, share_of(self._slid), on_change=lambda share: session.set_speed(speed_of(share)),
            tip="Speed: moves a second",
        )  # fmt: skip
        return self.speed_at.bottom + theme.px(6)

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
        chosen = None if agent_id == PERSON else catalogue.default_spec(session.game, agent_id, session.state)
        session.choose_agent(self.seat, chosen)

    def _toggle_more(self) -> None:
        self._more = not self._more
        self._rebuild()

    def _choose_model(self, name: str) -> None:
        spec = self.session.driver.seats[self.seat]
        assert spec is not None
        self.session.choose_agent(self.seat, parameters.with_model(spec, name))

    def _step(self, parameter: Parameter, by: int) -> str:
        spec = self.session.driver.seats[self.seat]
        assert spec is not None
        old = parameters.value_of(self.session.game, spec, parameter.name)
        new = parameters.stepped(parameter, old, by)
        self.session.change_parameter(self.seat, parameters.with_value(spec, parameter.name, new))
        return parameters.shown(parameter, new)

    def click(self, position: tuple[int, int]) -> bool:
        """A click on a seat makes it the one the form edits."""
        for number, place in enumerate(self._seat_buttons):
            if place.collidepoint(position):
                self.seat = number
                self._rebuild()
                return True
        return False

    # Draw

    def draw(self, surface: pygame.Surface) -> None:
        """The cards below the controls."""
        self._keep_up()
        self._shown = self._drawn_for
        for name, card in self.cards.items():
            if card.height:
                self._draw_card(surface, name, card)

    def redraw(self, surface: pygame.Surface, turn: int) -> list[pygame.Rect]:
        """Draw anew what is due, on its ground; answers the places. While an agent thinks it is the card's whose `turn` it is."""
        theme = self.kit.theme
        self._keep_up()
        if self._shown != self._drawn_for:
            edge = 2 * theme.px(SHADOW_SPREAD)
            place = self.rect.inflate(edge, edge)
            surface.fill(theme.ground, place)
            self.draw(surface)
            return [place]
        driver = self.session.driver
        cards = [each for each in self.cards.items() if each[1].height]
        if driver.running or driver.busy:
            cards = cards[turn : turn + 1]
        # beside the round corners the shadow of the card above may be seen, which is left there
        inset, spread = theme.px(RADIUS_CARD) // 3 + 1, theme.px(SHADOW_SPREAD)
        clip, areas = surface.get_clip(), []
        for name, card in cards:
            area = card.inflate(-2 * inset, -2 * inset)
            if card.top == self.rect.top:  # the first, out of which points may float
                area = pygame.Rect(card.left, card.top - spread, card.width, card.height + spread)
            surface.set_clip(area.clip(clip))
            surface.fill(theme.ground, area)
            self._draw_card(surface, name, card)
            areas.append(area)
        surface.set_clip(clip)
        return areas

    def _keep_up(self) -> None:
        """Controls and the room of the cards, as the session stands now."""
        driver = self.session.driver
        if self._slider is not None and driver.speed != self._slid:
            self._slid = driver.speed
            self._slider.set_value(share_of(driver.speed))
        self._share_out()
        if self.run_button is not None:
            folded, running = "who" not in self.cards, driver.running
            self.run_button.set(
                "" if folded else "Pause" if running else self.face.run_label, "pause" if running else "play"
            )

    @property
    def _drawn_for(self) -> tuple[object, ...]:
        """What shows in all cards at once when it changes: what the person does above all."""
        driver = self.session.driver
        at = driver.running or self.session.timeline.cursor
        places = tuple(map(tuple, self.cards.values()))
        return (self.seat, driver.running, at, driver.speed, driver.thinks_long, places)

    def _draw_card(self, surface: pygame.Surface, name: str, card: pygame.Rect) -> None:
        paints: dict[str, Callable[[pygame.Surface, pygame.Rect], None]] = {
            "top": self.face.draw_top, "seats": self._draw_seats, "who": self._draw_who,
            "thinks": self._draw_thinks, "game": self._draw_game,
        }  # fmt: skip
        paints[name](surface, card)

    def _draw_seats(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme, face = self.kit.theme, self.face
        shown = [face.seat_line(number) for number in range(len(self._seat_buttons))]
        accent = accent_of(theme, self.session.game)
        seats.draw(surface, theme, accent, card, self._head, face.seats_note(), shown, self._seat_buttons, self.seat)

    def _draw_who(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        agent = face.agent_has_board(self.seat)
        note = "agent" if agent else "you"
        draw_heading(
            surface, theme, self._head, card, face.who_heading(self.seat), note, theme.thinking if agent else None
        )
        y = self.speed_at.centery
        if not self.face.dense:
            text.draw(surface, theme, "Speed", (self.speed_at.left, y), colour=theme.muted, anchor="midleft")
        speed = self.session.driver.speed
        shown = "max" if math.isinf(speed) else f"{speed:.0f}/s" if speed >= 3 else f"{speed:.1f}/s"
        text.draw(surface, theme, shown, (self.speed_at.right, y), anchor="midright")

    def _draw_thinks(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        note = "loading" if self.session.driver.thinks_long and self.session.driver.loading else face.thought_note()
        draw_heading(surface, theme, self._head, card, "What it thinks", note, theme.muted)
        left, wide = card.left + theme.px(PAD), card.width - 2 * theme.px(PAD)
        bar = pygame.Rect(left, card.top + self._head - theme.px(2), wide, theme.px(6))
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
        y = card.top + self._head + theme.px(16) + self._row // 2 - theme.px(2)
        bottom = card.bottom - theme.px(2)
        for value in face.value_bars():
            if y + self._row // 2 > bottom:
                return
            draw_value(surface, theme, value, left, wide, y, face.now_colour)
            y += self._row
        for row in face.thought_rows():
            if y + self._row // 2 > bottom:
                return
            draw_row(surface, theme, card, y, row.name, row.value, row.colour)
            y += self._row
        room = bottom - y
        if face.shows_curve and len(thought.curve) > 1 and room >= theme.px(56):
            graph = pygame.Rect(left, y - self._row // 2 + theme.px(4), wide, min(theme.px(80), room) - theme.px(16))
            draw_curve(surface, graph, thought.curve, theme.thinking, min(thought.curve), max(thought.curve))
            text.draw(
                surface,
                theme,
                face.curve_label,
                (left, graph.bottom + theme.px(4)),
                size=FONT_SMALL,
                colour=theme.muted,
            )

    def _draw_game(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        face, theme = self.face, self.kit.theme
        draw_card(surface, theme, card)
        buttons = self._buttons_height
        if face.game_foot_rows:
            face.draw_game_foot(surface, self._buttons_place(card))
        if card.height < self._head + buttons:
            return
        draw_heading(surface, theme, self._head, card, face.game_heading, face.game_note())
        y = card.top + self._head + self._row // 2 - theme.px(2)
        for row in face.game_rows():
            if y + self._row // 2 > card.bottom - buttons:
                return
            draw_row(surface, theme, card, y, row.name, row.value, row.colour)
            y += self._row
        if face.game_graph[1]:
            top, pad = y - self._row // 2, theme.px(PAD)
            graph = pygame.Rect(
                card.left + pad, top, card.width - 2 * pad, card.bottom - buttons - theme.px(10) - top
            )
            face.draw_game_graph(surface, graph)
