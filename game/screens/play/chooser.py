"""The list of everybody who can sit on a seat: opponents by name, all agents with a line each, their details behind a button."""

from dataclasses import dataclass

import pygame
from typing_extensions import override

from ai import catalogue
from ai.entries import Spec
from game.play import seating
from game.play.session import Session
from game.screens.play.agent_form import AgentForm
from game.ui import text
from game.ui.controls import Button
from game.ui.dialog import Answer, Dialog
from game.ui.lines import LINE_OF_TWO, PAD, Line, Lines
from game.ui.scene import Host
from game.ui.theme import CONTROL_HEIGHT
from game.views.view import accent_of

WIDTH, INSIDE = 720, 440
"""Units of the card and of what is inside it at most."""
AROUND = 150
"""Units of the card above and below what is inside it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the list."""

    line: Line
    spec: Spec | None
    """Who it is; None for a person."""
    named: bool = False
    """Whether it is there by an opponent's name, and not as an agent that can be set."""


class Chooser(Dialog):
    """A list, or the details of the one that is chosen in it."""

    def __init__(self, window: Host, session: Session, seat: int) -> None:
        """Begins with whoever sits there."""
        self.session, self.seat = session, seat
        self.choices = choices(session)
        sits = session.driver.seats[seat]
        self.at = next((at for at, each in enumerate(self.choices) if each.spec == sits), -1)
        if self.at < 0 and sits is not None:  # an agent set in its own way
            self._put(sits)
        self.details = False
        self._turner: Button | None = None
        answers = (Answer("Choose", self._take, "primary", "check"), Answer("Cancel"))
        title = f"Who plays seat {seat + 1}?" if session.many_seats else "Choose an agent"
        super().__init__(window, title, answers=answers, width=WIDTH, inside=INSIDE)
        self._form: AgentForm | None = None
        self._words: tuple[list[str], pygame.Rect] = ([], pygame.Rect(0, 0, 0, 0))

    @property
    def chosen(self) -> Choice:
        """The current line."""
        return self.choices[self.at]

    @override
    def build(self) -> None:
        """As high as the window allows."""
        room = min(INSIDE, round(self.size[1] / self.theme.scale) - AROUND) - 2 * PAD
        self.inside = room // LINE_OF_TWO * LINE_OF_TWO + 2 * PAD
        super().build()

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """The list, or the details; the button between them stands beside the answers."""
        theme, spec = self.theme, self.chosen.spec
        label = "All agents" if self.details else "Details"
        wide = text.width(theme, label) + theme.px(56)
        place = pygame.Rect(
            rect.left, self.card.bottom - theme.px(24 + CONTROL_HEIGHT), wide, theme.px(CONTROL_HEIGHT)
        )
        self._turner = Button(self.kit, place, label, icon="list" if self.details else "settings", on_press=self._turn,
                        tip="" if self.details else "The model and the settings of this agent")  # fmt: skip
        self._show_turner()
        if self.details and spec is not None:
            self._build_details(rect, spec)
            return
        self._form = None
        accent = accent_of(theme, self.session.game)
        found = Lines(
            self.kit, rect, [each.line for each in self.choices], self.at, on_choose=self._choose, on_open=self._open,
            accent=accent,
        )  # fmt: skip
        self.kit.focus(found)

    def _build_details(self, rect: pygame.Rect, spec: Spec) -> None:
        form = AgentForm(self.session.game, spec, self._set)
        if self._form is not None and self._form.spec.id == spec.id:
            form = self._form
        self._form = form
        form.build(self.kit, rect, self.session.state)
        top = rect.top + form.height(self.kit, rect.width) + self.theme.px(16)
        entry = catalogue.entry(self.session.game, spec.id)
        lines = text.wrap(self.theme, entry.summary, rect.width)
        for parameter in entry.parameters:
            lines += text.wrap(self.theme, f"{parameter.title}: {parameter.help}", rect.width)
        self._words = lines, pygame.Rect(rect.left, top, rect.width, rect.bottom - top)

    def _show_turner(self) -> None:
        """A person has no details, nor has who cannot play here."""
        if self._turner is not None:
            self._turner.set_enabled(self.chosen.spec is not None and not self.chosen.line.grey)

    def _put(self, spec: Spec) -> None:
        """The line of an agent is the current one, and the agent is set so."""
        lines = enumerate(self.choices)
        self.at = next(
            at for at, each in lines if each.spec is not None and each.spec.id == spec.id and not each.named
        )
        self.choices[self.at] = Choice(self.choices[self.at].line, spec)

    def _turn(self) -> None:
        self.details = not self.details
        self.rebuild()

    def _choose(self, at: int) -> None:
        self.at = at
        self._show_turner()

    def _open(self, at: int) -> None:
        self.at = at
        self.answer(self.answers[0])

    def _set(self, spec: Spec, whole: bool) -> None:
        """The agent of the details is another one, or set otherwise."""
        self._put(spec)
        seating.keep(self.session.store, self.session.game, spec)
        if whole:
            self.rebuild()

    @override
    def answer(self, answer: Answer) -> None:
        """Nobody is chosen who cannot play here."""
        if answer.style == "primary" and self.chosen.line.grey:
            self.window.play("blocked")
            self.window.say(self.chosen.line.meaning, "bad")
            return
        super().answer(answer)

    def _take(self) -> None:
        if self.chosen.spec != self.session.driver.seats[self.seat]:
            self.session.choose_agent(self.seat, self.chosen.spec)

    @override
    def command(self, command: str) -> bool:
        """Esc leads from the details to the list."""
        if command == "back" and self.details:
            self._turn()
            return True
        return super().command(command)

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """What the settings mean."""
        if not self.details:
            return
        lines, place = self._words
        high = self.theme.font().get_linesize()
        for number, line in enumerate(lines[: place.height // high]):
            text.draw(surface, self.theme, line, (place.left, place.top + number * high), colour=self.theme.muted)


def choices(session: Session) -> list[Choice]:
    """A person where one can sit there, opponents by name, then every agent as it was set last."""
    game, state = session.game, session.state
    found = []
    if session.many_seats:
        found.append(Choice(Line("A person", icon="person", meaning="Somebody at this keyboard."), None))
    for each in seating.candidates(game, state):
        strength = " · ".join(filter(None, (each.strength, each.measured)))
        line = Line(each.opponent.name, strength, "star-full", each.opponent.about)
        found.append(Choice(line, each.spec, named=True))
    for entry in catalogue.entries(game):
        spec = seating.kept(session.store, game, entry.id, state)
        reason = catalogue.why_not(game, Spec(entry.id), state)
        meaning = f"Not here: {reason}." if reason else entry.summary
        found.append(Choice(Line(entry.title, "", "robot", meaning, bool(reason)), spec))
    return found
