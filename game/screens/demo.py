"""A small live board on a menu card: an agent really plays there, as soon as its kernels are compiled."""

from typing import Any

import pygame

from ai.entries import Spec
from game.play.driver import Driver
from game.rules import replay as replays
from game.rules.games import GAMES
from game.screens.context import Context
from game.ui.theme import Theme
from game.views.view import view_of

REST_SECONDS = 2.0


class Demo:
    """Base: one board, agents on every seat, a rest after each game. One subclass per game."""

    game = ""
    seats: tuple[str, ...] = ()
    """The agents, as on the command line."""
    speed = 3.0

    def __init__(self, context: Context, theme: Theme, animated: bool) -> None:
        """Starts the first game; agents wait until their kernels are there."""
        from ai import catalogue

        self.context, self.theme = context, theme
        self.driver = Driver(self.game, [catalogue.parse(self.game, seat) for seat in self.seats])
        self.driver.speed = self.speed
        self.board = view_of(self.game).board(theme, animated, small=True)
        self.state: Any = None
        self.ply = 0
        self.games = 0
        self._rest = 0.0
        self._start()

    def first_state(self, number: int) -> Any:
        """The position game `number` (from 0) starts from."""
        raise NotImplementedError

    def doing(self) -> str:
        """One line: who plays what."""
        raise NotImplementedError

    def facts(self) -> str:
        """One line under the game's name: what there is, what was reached."""
        raise NotImplementedError

    def _start(self) -> None:
        self.state = self.first_state(self.games)
        self.ply = 0
        self.board.show(self.state)
        self.driver.new_game(self.games)
        self.driver.run()

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Another theme or scale."""
        self.theme = theme
        self.board.set_theme(theme, animated)

    def layout(self, rect: pygame.Rect) -> None:
        """Where the board goes."""
        self.board.layout(rect)

    def update(self, dt: float) -> None:
        """One frame."""
        self.board.update(dt)
        over = GAMES[self.game].outcome(self.state) is not None
        if over or (not self.driver.running and not self.driver.busy):
            self._rest += dt
            if self._rest >= REST_SECONDS:
                self._rest = 0.0
                self.games += 1
                self._start()
            return
        played = self.driver.tick(
            dt, self.state, self.ply, GAMES[self.game].to_move(self.state), over, not self.board.busy
        )
        self.driver.problem = None
        if played is not None:
            before = self.state
            step, self.state = replays.chosen(before, played.steps[0].action)
            self.board.play(before, step, self.state, 1 / self.speed)
            self.ply += 1

    def draw(self, surface: pygame.Surface) -> None:
        """The board."""
        self.board.draw(surface)

    def pause(self) -> None:
        """The menu is covered: think no more."""
        self.driver.stop()

    def resume(self) -> None:
        """The menu is back."""
        self.driver.run()

    def close(self) -> None:
        """End the thread."""
        self.driver.close()


def describe(spec: Spec | None, game: str) -> str:
    """The agent's title, or 'a person'."""
    from ai import catalogue

    return catalogue.entry(game, spec.id).title if spec else "a person"
