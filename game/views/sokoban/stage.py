"""Sokoban's board for replays, thumbnails, exports and the menu's card."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame

from game.play.sokoban import plans
from game.rules import sokoban
from game.rules.replay import Step
from game.rules.sokoban import State
from game.ui.theme import Theme
from game.views.sokoban.board import BoardView, Overlay, thumbnail
from game.views.stage import Fact, Stage, whole

MOVE_SECONDS = 0.16


class SokobanStage(Stage):
    """The keepers walk, push and pull; the tally counts pushes and pulls."""

    tally_name = "Pushes"

    def make_view(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board."""
        return BoardView(theme, animated)

    def show(self, state: State, last: Step | None = None) -> None:
        """The keeper looks where it went last."""
        self.view.show(state, last.action if last is not None else 2)

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """One move."""
        self.view.play(before, step.action, after, min(MOVE_SECONDS, seconds))

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """A push is an arrow on its box, a step a dot on its square."""
        state, overlay = self.view.state, Overlay()
        if state is not None and best is not None:
            box = sokoban.moved_box(state, best)
            after = sokoban.apply(state, best)
            square = after.second if best & sokoban.SECOND else after.player
            overlay = Overlay(hint=(box, best & 3)) if box >= 0 else Overlay(plan=(square,))
        self.view.draw(surface, overlay)

    @classmethod
    def label(cls, before: State, action: int) -> str:
        """A letter of LURD, with its marks."""
        return sokoban.to_lurd(before, (action,))

    @classmethod
    def sound(cls, before: State, step: Step, after: State) -> tuple[str, float]:
        """A step, a push, a box that comes home."""
        if before.boxes == after.boxes:
            return "move", 1.0
        return "home" if plans.boxes_home(after) > plans.boxes_home(before) else "push", 1.0

    @classmethod
    def tally(cls, before: State, state: State, tally: int) -> int:
        """Pushes."""
        return tally + (before.boxes != state.boxes)

    @classmethod
    def facts(cls, state: State, ply: int, tally: int) -> list[Fact]:
        """Moves, pushes, boxes home."""
        return [
            ("Moves", f"{ply:,}"),
            ("Pushes", f"{tally:,}"),
            ("Boxes home", f"{plans.boxes_home(state)} of {len(state.boxes)}"),
        ]

    @classmethod
    def result_words(cls, result: Mapping[str, Any], seats: Sequence[str]) -> str:
        """'Solved: 97 moves, 31 pushes'."""
        moves, pushes = whole(result, "moves"), whole(result, "pushes")
        how = "Solved:" if result.get("outcome") == "won" else "Left after"
        return f"{how} {plans.counted(moves, 'move')}, {plans.counted(pushes, 'push')}"

    @classmethod
    def shape(cls, state: State) -> float:
        """Columns over rows."""
        return state.warehouse.cols / state.warehouse.rows

    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: State) -> None:
        """As in the list of levels."""
        surface.blit(thumbnail(state, self.theme, rect.size), rect)


STAGE = SokobanStage
