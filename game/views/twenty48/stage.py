"""2048's board for replays, thumbnails, exports and the menu's card."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame

from game.rules import twenty48
from game.rules.replay import Step
from game.rules.twenty48 import State
from game.ui.sound import merge_pitch
from game.ui.theme import Theme
from game.views.stage import Fact, Stage, whole
from game.views.twenty48.board import SLIDE_SECONDS, BoardView

ARROWS = "↑→↓←"


class Twenty48Stage(Stage):
    """Tiles slide and merge; the tally is the score."""

    tally_name = "Score"
    tally_curve = "Score"

    def make_view(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board."""
        return BoardView(theme, animated)

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Slide and spawn."""
        self.view.play(before, step, after, min(SLIDE_SECONDS, seconds))

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """The action to point at is an arrow."""
        self.view.hint = best
        self.view.draw(surface)

    @classmethod
    def label(cls, before: State, action: int) -> str:
        """An arrow."""
        return ARROWS[action]

    @classmethod
    def describe(cls, value: float) -> str:
        """Points."""
        return f"{value:,.0f}"

    @classmethod
    def sound(cls, before: State, step: Step, after: State) -> tuple[str, float]:
        """The largest merge sounds; a slide without one is soft."""
        slide = twenty48.slide(before, step.action)
        merged = [move.exponent + 1 for move in slide.moves if move.merged] if slide else []
        return ("merge", merge_pitch(max(merged))) if merged else ("slide", 1.0)

    @classmethod
    def tally(cls, before: State, state: State, tally: int) -> int:
        """The score."""
        return state.score

    @classmethod
    def facts(cls, state: State, ply: int, tally: int) -> list[Fact]:
        """Score, largest tile, moves."""
        largest = max(state.cells)
        return [
            ("Score", f"{state.score:,}"),
            ("Largest tile", f"{1 << largest:,}" if largest else "–"),
            ("Moves", f"{ply:,}"),
        ]

    @classmethod
    def result_words(cls, result: Mapping[str, Any], seats: Sequence[str]) -> str:
        """'12,345 points, tile 1,024'."""
        return f"{whole(result, 'score'):,} points, tile {whole(result, 'max_tile'):,}"


STAGE = Twenty48Stage
