"""How noughts and crosses looks, sounds and speaks."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame
from game.rules.noughts import State

from game.rules import noughts
from game.rules.replay import Step
from game.ui.theme import Accent, Colour, Theme, blend
from game.views.board import Board
from game.views.value_bars import Weighing, value_bars
from game.views.view import Fact, View, whole


class Drawing:
    """Nine squares."""

    busy = False

    def __init__(self, theme: Theme) -> None:
        self.theme, self.state, self.hint = theme, State(), None
        self.rect = pygame.Rect(0, 0, 90, 90)

    def set_theme(self, theme: Theme, animated: bool) -> None:
        self.theme = theme

    def layout(self, rect: pygame.Rect) -> None:
        self.rect = pygame.Rect(0, 0, min(rect.size), min(rect.size))
        self.rect.center = rect.center

    def show(self, state: State) -> None:
        self.state = state

    def update(self, dt: float) -> None:
        pass

    def draw(self, surface: pygame.Surface) -> None:
        side = self.rect.width // 3
        for cell, mark in enumerate(self.state.marks()):
            place = pygame.Rect(
                self.rect.left + cell % 3 * side, self.rect.top + cell // 3 * side, side - 2, side - 2
            )
            surface.fill(self.theme.thinking if cell == self.hint else self.theme.raised, place)
            if mark == 1:
                pygame.draw.line(surface, self.theme.text, place.topleft, place.bottomright, 3)
            elif mark == 2:
                pygame.draw.circle(surface, self.theme.text, place.center, side // 3, 3)


class NoughtsBoard(Board):
    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Any:
        return Drawing(theme)

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        self.drawing.show(after)

    def draw(self, surface, values=None, best=None) -> None:
        self.drawing.hint = best
        self.drawing.draw(surface)


class NoughtsView(View):
    game = noughts.GAME
    board = NoughtsBoard
    accent = Accent("#d7d24c", "#6a6600")

    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        return [("Move", str(ply))]

    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        return Weighing(
            (("", tuple(value_bars(values, [(cell, str(cell + 1)) for cell in range(9)], played, self.describe))),)
        )

    def seat_colour(self, theme: Theme, seat: int) -> Colour:
        return blend(theme.text, theme.muted, float(seat))

    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        winner = result.get("winner")
        return f"{'XO'[winner]} wins" if winner in (0, 1) else f"Ended after {whole(result, 'moves')} moves"


VIEW = NoughtsView()
