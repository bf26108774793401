"""The panel's page for players: opponent or helper by name and strength, hint and undo, what the game is about."""

from collections.abc import Mapping
from functools import partial

import pygame
from typing_extensions import override

from ai import catalogue
from game.play import seating
from game.play.seating import Candidate
from game.rules.game import PERSON
from game.screens.play import parameter_boxes
from game.screens.play.page import PAD, Desk, Page, Paint, RailButton
from game.ui import text
from game.ui.chrome import draw_card, draw_heading
from game.ui.controls import Button
from game.ui.select import Option, Select
from game.ui.shortcuts import keys_shown
from game.ui.theme import FONT_SMALL
from game.views.view import accent_of

TWO_ROWS = 2
"""So many rows of a game's own buttons leave no room for words in a low window."""
FEW = 4
"""Up to so many names have a button each; more of them are a list."""
ALL = "all agents"
"""Id of the list's last line."""
ALL_TITLE = "All agents"
SEAT_WORDS = "You play here. Choose another seat above, or somebody else for this one."


class PlayPage(Page):
    """Cards `who`, `about` and `game`."""

    name, title, icon = "play", "Play", "person"
    about = "Who plays, a hint, and what the game is about"
    fixed = frozenset({"about"})

    def __init__(self, desk: Desk) -> None:
        """Nothing is laid out yet."""
        super().__init__(desk)
        self._known: Candidate | None = None
        """Who sits on the chosen seat, where that is somebody with a name."""
        self._watch: Button | None = None
        self._undo: Button | None = None
        self._said: tuple[list[str], int] = ([], 0)
        """Lines about who sits there, and the pixel where they begin."""
        self._about: list[str] = []

    @property
    @override
    def rail(self) -> tuple[RailButton, ...]:
        """Run, hint and undo."""
        return (("play", "run", "Let it play, or pause it"), ("hint", "hint", "Hint"), ("undo", "undo", "Undo"))

    # Lay out

    @override
    def lay_out(self) -> None:
        """Seats, opponent or helper, how to play, this game."""
        session = self.session
        self._watch = None
        self._known = seating.candidate(session.game, session.driver.seats[self.desk.seat], session.state)
        top = self._build_about(self._build_who(self.build_seats(self.build_top())))
        room = self.rect.bottom - top
        self.build_game(top, self.whole_rows(room))

    def _build_who(self, top: int) -> int:
        session = self.session
        card = pygame.Rect(self.rect.left, top, self.rect.width, 0)
        left, wide = self.inside(card)
        y = top + self.head
        named = seating.candidates(session.game, session.state)
        if named and len(named) < FEW:
            y = self._build_buttons(named, left, y, wide)
        else:
            self._build_list(named, pygame.Rect(left, y, wide, self.control))
            y += self.control + self.gap
        lines = text.wrap(self.kit.theme, self._about_seat(), wide, FONT_SMALL) if self._roomy else []
        self._said = (lines, y)
        y += len(lines) * self.kit.theme.font(FONT_SMALL).get_linesize() + (self.gap if lines else 0)
        y = self._build_commands(left, y, wide)
        card.height = y - top
        self.cards["who"] = card
        return card.bottom + self.between

    @property
    def _roomy(self) -> bool:
        """Whether there is room for a sentence about who sits there; tips say it as well."""
        return not self.face.dense or self.face.game_buttons_rows < TWO_ROWS

    def _about_seat(self) -> str:
        """Who sits on the chosen seat, in a plain sentence."""
        session, known = self.session, self._known
        spec = session.driver.seats[self.desk.seat]
        if spec is None:
            return SEAT_WORDS
        return known.opponent.about if known is not None else catalogue.entry(session.game, spec.id).summary

    def _build_buttons(self, named: tuple[Candidate, ...], left: int, y: int, wide: int) -> int:
        """A button for each name and one for all agents, two a line."""
        seat, chosen = self.desk.seat, self._known
        half = (wide - self.gap) // 2
        accent = accent_of(self.kit.theme, self.session.game)
        for number in range(len(named) + 1):
            row, column = divmod(number, 2)
            at = pygame.Rect(left + column * (wide - half), y + row * (self.control + self.gap), half, self.control)
            if number == len(named):
                Button(self.kit, at, ALL_TITLE, style="ghost", on_press=partial(self.desk.open_chooser, seat),
                       tip=self._all_words)  # fmt: skip
                continue
            each = named[number]
            Button(
                self.kit, at, each.opponent.name, on_press=partial(self._choose, str(each.spec)), accent=accent,
                selected=each == chosen, tip="" if each == chosen else each.opponent.about,
            )  # fmt: skip
        return y + -(-(len(named) + 1) // 2) * (self.control + self.gap)

    @property
    def _all_words(self) -> str:
        return f"Choose among {len(catalogue.entries(self.session.game))} agents, and set them"

    def _build_list(self, named: tuple[Candidate, ...], place: pygame.Rect) -> None:
        """The names in a list, with whoever sits there else, and the way to all agents."""
        session = self.session
        spec = session.driver.seats[self.desk.seat]
        options = [Option(str(each.spec), each.opponent.name, each.opponent.about) for each in named]
        if session.many_seats:
            options.insert(0, Option(PERSON, "A person", "Somebody at this keyboard"))
        if spec is not None and self._known is None:
            entry = catalogue.entry(session.game, spec.id)
            options.append(Option(str(spec), entry.title, entry.summary))
        options.append(Option(ALL, ALL_TITLE, self._all_words))
        tip = self._known.measured if self._known is not None else ""
        Select(self.kit, place, options, str(spec) if spec else PERSON, on_choose=self._choose, tip=tip)

    def _build_commands(self, left: int, y: int, wide: int) -> int:
        """Watch where that means something, hint, undo: as wide as their words need."""
        face, theme = self.face, self.kit.theme
        shown = [("Hint", "hint"), ("Undo", "undo")]
        if not (self.session.many_seats and None in self.session.driver.seats):
            shown.insert(0, (face.watch_label, "run"))
        needs = [text.width(theme, label) + theme.px(44) for label, _ in shown]
        icons = sum(needs) + self.gap * (len(needs) - 1) <= wide
        needs = needs if icons else [need - theme.px(26) for need in needs]
        (line,) = parameter_boxes.flow(needs, max(wide, sum(needs) + self.gap * len(needs)), self.gap, len(needs))[:1]
        for (label, command), (x, box) in zip(shown, line, strict=True):
            button = Button(
                self.kit, pygame.Rect(left + x, y, box, self.control), label, icon=self._icon(command) if icons else "",
                style="primary" if command == "run" else "plain", on_press=partial(face.command, command),
                tip=f"{TIPS[command]} ({keys_shown(command)})",
            )  # fmt: skip
            if command == "run":
                self._watch = button
            elif command == "undo":
                self._undo = button
        return y + self.control + theme.px(10 if face.dense else PAD)

    @staticmethod
    def _icon(command: str) -> str:
        return {"run": "play"}.get(command, command)

    def _build_about(self, top: int) -> int:
        """How to play, in a few lines."""
        theme, card = self.kit.theme, pygame.Rect(self.rect.left, top, self.rect.width, 0)
        _, wide = self.inside(card)
        self._about = [line for said in self.face.about() for line in text.wrap(theme, said, wide, FONT_SMALL)]
        if not self._about:
            return top
        head = theme.px(10) if self.face.dense else self.head
        card.height = head + len(self._about) * self._line + theme.px(10)
        self.cards["about"] = card
        return card.bottom + self.between

    @property
    def _line(self) -> int:
        return self.kit.theme.font(FONT_SMALL).get_linesize() + self.kit.theme.px(1)

    # What the controls do

    def _choose(self, chosen: str) -> None:
        session, seat = self.session, self.desk.seat
        if chosen == ALL:
            self.desk.rebuild()  # the list shows who sits there again, should nobody be chosen
            self.desk.open_chooser(seat)
        else:
            session.choose_agent(seat, None if chosen == PERSON else catalogue.parse(session.game, chosen))

    # Draw

    @override
    def paints(self) -> Mapping[str, Paint]:
        """The names' words and how to play besides what every page has."""
        return {**super().paints(), "who": self._draw_who, "about": self._draw_about}

    @override
    def refresh(self) -> None:
        """Watch or pause; undo while there is something to take back."""
        running = self.session.driver.running
        if self._watch is not None:
            icon = ("pause" if running else "play") if self._watch.icon else ""
            self._watch.set("Pause" if running else self.face.watch_label, icon)
        if self._undo is not None:
            self._undo.set_enabled(self.session.timeline.can_undo)

    def _draw_who(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        session, face, theme, known = self.session, self.face, self.kit.theme, self._known
        draw_card(surface, theme, card)
        heading = face.who_heading(self.desk.seat) if session.many_seats else face.helper_heading
        note, ink = known.strength if known is not None else "", None
        if session.driver.thinks_long:
            note, ink = ("loading" if session.driver.loading else face.thought_note()), theme.thinking
        draw_heading(surface, theme, self.head, card, heading, note, ink)
        lines, y = self._said
        left, _ = self.inside(card)
        for line in lines:
            text.draw(surface, theme, line, (left, y), size=FONT_SMALL, colour=theme.muted)
            y += theme.font(FONT_SMALL).get_linesize()

    def _draw_about(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme = self.kit.theme
        draw_card(surface, theme, card)
        left, _ = self.inside(card)
        y = card.top + theme.px(10)
        if not self.face.dense:
            draw_heading(surface, theme, self.head, card, "How to play")
            y = card.top + self.head
        for line in self._about:
            text.draw(surface, theme, line, (left, y), size=FONT_SMALL)
            y += self._line


TIPS = {"run": "Let it play, or pause it", "hint": "What would be a good move?", "undo": "Take the last move back"}
