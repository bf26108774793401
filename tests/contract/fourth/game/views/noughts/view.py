"""How noughts and crosses look, sound and speak."""

from collections.abc import Mapping, Sequence

import pygame
from game.rules.noughts import GAME, State

from game.rules.replay import Step
from game.ui.theme import Accent, Colour, Theme, blend
from game.views.board import Board
from game.views.value_bars import Weighing, value_bars
from game.views.view import Fact, View, whole


class Drawing:
    """Nine squares with circles and crosses."""

    busy = False

    def __init__(self, theme: Theme) -> None:
        self.theme, self.rect, self.state = theme, pygame.Rect(0, 0, 1, 1), State()
        self.hint: int | None = None

    def set_theme(self, theme: Theme, animated: bool) -> None:
        self.theme = theme

    def layout(self, rect: pygame.Rect) -> None:
        side = min(rect.size)
        self.rect = pygame.Rect(0, 0, side, side)
        self.rect.center = rect.center

    def show(self, state: State) -> None:
        self.state = state

    def update(self, dt: float) -> None:
        pass

    def draw(self, surface: pygame.Surface) -> None:
        side = self.rect.width // 3
        for square, mark in enumerate(self.state.cells):
            place = pygame.Rect(self.rect.x + square % 3 * side, self.rect.y + square // 3 * side, side, side)
            pygame.draw.rect(surface, self.theme.line, place, 1)
            if square == self.hint:
                pygame.draw.rect(surface, self.theme.thinking, place.inflate(-6, -6), 2)
            inner = place.inflate(-side // 3, -side // 3)
            if mark == 1:
                pygame.draw.line(surface, self.theme.text, inner.topleft, inner.bottomright, 3)
                pygame.draw.line(surface, self.theme.text, inner.bottomleft, inner.topright, 3)
            elif mark == 2:
                pygame.draw.circle(surface, self.theme.text, inner.center, inner.width // 2, 3)


class NoughtsBoard(Board):
    """Marks appear."""

    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Drawing:
        """The board."""
        return Drawing(theme)

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """At once."""
        self.show(after)

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """With the best square framed."""
        self.drawing.hint = best
        super().draw(surface, values, best)


class NoughtsView(View):
    """Two seats, nine squares."""

    game = GAME
    board = NoughtsBoard
    accent = Accent("#7fb2e5", "#2b5d8c")

    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        """The move."""
        return [("Move", str(ply))]

    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """A bar for each square."""
        names = [(action, str(action + 1)) for action in range(9)]
        return Weighing((("", tuple(value_bars(values, names, played, self.describe))),), lines=True)

    def seat_colour(self, theme: Theme, seat: int) -> Colour:
        """Crosses are darker."""
        return blend(theme.text, theme.muted, float(seat))

    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        """'Seat 1 wins'."""
        return f"Seat {whole(result, 'winner') + 1} wins" if result.get("outcome") == "won" else "Draw"


VIEW = NoughtsView()
