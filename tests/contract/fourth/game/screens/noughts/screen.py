"""Noughts and crosses in the window: a person clicks, an agent answers."""

from typing import Any

import pygame
from game.rules.noughts import State
from game.views.noughts.view import Drawing

from ai import catalogue
from game.play.session import Session
from game.rules.replay import Step
from game.screens.play.face import Face
from game.screens.play.screen import GameScreen
from game.screens.play.seats import Seat
from game.ui import svg
from game.ui.shortcuts import AGENT, THIS_GAME, WINDOW


class NoughtsSession(Session):
    """A person against an agent."""

    game = "noughts"
    title = "Noughts and crosses"
    many_seats = True

    def first_game(self) -> None:
        """An empty board, the agent on the second seat."""
        self.driver.seats = [None, catalogue.parse(self.game, "careful")]
        self.begin(State())
        self.driver.run()

    def new_game(self) -> None:
        """Another one."""
        self.begin(State())
        self.driver.run()

    def person_plays(self, action: int) -> bool:
        """The agent goes on answering."""
        self.driver.stop_thinking()
        return self.play(action)

    def ended(self) -> None:
        """It is kept."""
        self.driver.stop()
        self.keep_replay()
        self.watcher.ended()


class NoughtsFace(Face):
    """Two seats."""

    def seat_line(self, number: int) -> Seat:
        """Who sits there."""
        icon = svg.icon("person", 20, self.theme.text)
        moving = not self.session.over and self.session.seat_to_move(self.session.state) == number
        return Seat(icon, self.session.seat_names()[number], "", moving)


class NoughtsScreen(GameScreen):
    """Nine squares."""

    groups = (THIS_GAME, AGENT, WINDOW)

    def make_session(self) -> NoughtsSession:
        """One game after the other."""
        return NoughtsSession(self.context, self)

    def make_face(self) -> NoughtsFace:
        """The panel's cards."""
        return NoughtsFace(self.session, self.theme, self.window.command)

    def build_board(self, rect: pygame.Rect) -> None:
        """As large as it fits."""
        self.drawing = Drawing(self.theme)
        self.drawing.layout(rect)

    def show(self, state: State) -> None:
        """Jump."""
        self.drawing.show(state)

    def animate(self, before: Any, step: Step, after: Any, seconds: float) -> None:
        """Marks appear."""
        self.drawing.show(after)

    def draw_board(self, surface: pygame.Surface) -> None:
        """Draw."""
        self.drawing.draw(surface)

    def handle(self, event: pygame.event.Event) -> bool:
        """A click takes a square."""
        if event.type == pygame.MOUSEBUTTONDOWN and self.drawing.rect.collidepoint(event.pos):
            side = self.drawing.rect.width / 3
            col, row = (
                int((at - first) / side) for at, first in zip(event.pos, self.drawing.rect.topleft, strict=True)
            )
            return self.session.person_plays(row * 3 + col)
        return super().handle(event)


SCENE = NoughtsScreen
