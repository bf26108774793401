"""How 2048 looks, sounds and speaks."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame
from typing_extensions import override

from game.rules import twenty48
from game.rules.replay import Step
from game.rules.twenty48 import State
from game.ui.theme import Theme
from game.views.board import Board
from game.views.twenty48.accent import ACCENT
from game.views.twenty48.board import SLIDE_SECONDS, BoardView
from game.views.twenty48.sounds import SOUNDS, merge_pitch
from game.views.value_bars import Weighing, weighed_directions
from game.views.view import Fact, View, whole

ARROWS = "↑→↓←"


class Twenty48Board(Board):
    """Tiles slide and merge."""

    @override
    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board."""
        return BoardView(theme, animated)

    @override
    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Slide and spawn."""
        self.drawing.play(before, step, after, min(SLIDE_SECONDS, seconds))

    @override
    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """The action to point at is an arrow."""
        self.drawing.hint = best
        self.drawing.draw(surface)


class Twenty48View(View):
    """The tally is the score."""

    game = twenty48.GAME
    board = Twenty48Board
    accent = ACCENT
    sounds = SOUNDS
    teaches = True
    tally_name = "Score"
    tally_curve = "Score"

    @override
    def label(self, before: State, action: int) -> str:
        """An arrow."""
        return ARROWS[action]

    @override
    def describe(self, value: float) -> str:
        """Points."""
        return f"{value:,.0f}"

    @override
    def sound(self, before: State, step: Step, after: State) -> tuple[str, float]:
        """The largest merge sounds; a slide without one is soft."""
        slide = twenty48.slide(before, step.action)
        merged = [move.exponent + 1 for move in slide.moves if move.merged] if slide else []
        return ("merge", merge_pitch(max(merged))) if merged else ("slide", 1.0)

    @override
    def tally(self, before: State, state: State, tally: int) -> int:
        """The score."""
        return state.score

    @override
    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        """Score, largest tile, moves."""
        largest = max(state.cells)
        return [
            ("Score", f"{state.score:,}"),
            ("Largest tile", f"{1 << largest:,}" if largest else "–"),
            ("Moves", f"{ply:,}"),
        ]

    @override
    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        """'12,345 points, tile 1,024'."""
        return f"{whole(result, 'score'):,} points, tile {whole(result, 'max_tile'):,}"

    @override
    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """A line for each direction."""
        return weighed_directions(values, played, self.describe)


VIEW = Twenty48View()
