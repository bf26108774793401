"""How Sokoban looks, sounds and speaks."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame
from typing_extensions import override

from game.play.sokoban import plans
from game.play.words import counted
from game.rules import sokoban
from game.rules.replay import Step
from game.rules.sokoban import State
from game.rules.sokoban.game import GAME
from game.ui.theme import Theme
from game.views.board import Board
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.board import BoardView, Overlay, thumbnail
from game.views.sokoban.sounds import SOUNDS
from game.views.value_bars import Weighing, weighed_directions
from game.views.view import Fact, View, whole

MOVE_SECONDS = 0.16
STEPS, PUSHES = "↑→↓←", "▲▶▼◀"
"""The signs of moves by their direction: nobody takes one for another, as with the letters l and I."""


class SokobanBoard(Board):
    """The keepers walk, push and pull."""

    @override
    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board."""
        return BoardView(theme, animated)

    @override
    def show(self, state: State, last: Step | None = None) -> None:
        """The keeper looks where it went last."""
        self.drawing.show(state, last.action if last is not None else 2)

    @override
    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """One move."""
        self.drawing.play(before, step.action, after, min(MOVE_SECONDS, seconds))

    @override
    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """A push is an arrow on its box, a step a dot on its square."""
        state, overlay = self.drawing.state, Overlay()
        if state is not None and best is not None:
            box = sokoban.moved_box(state, best)
            after = sokoban.apply(state, best)
            square = after.second if best & sokoban.SECOND else after.player
            overlay = Overlay(hint=(box, best & 3)) if box >= 0 else Overlay(plan=(square,))
        self.drawing.draw(surface, overlay)

    @override
    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: State) -> None:
        """As in the list of levels."""
        surface.blit(thumbnail(state, self.theme, rect.size), rect)


class SokobanView(View):
    """The tally counts pushes and pulls."""

    game = GAME
    board = SokobanBoard
    accent = ACCENT
    sounds = SOUNDS
    teaches = True
    tally_name = "Pushes"
    solution_form = "lurd"
    unit = "% solved"

    @override
    def label(self, before: State, action: int) -> str:
        """'→', or '▶' where a box moves; with '&' for the second player and '-' for a pull, as in LURD."""
        marks = "&" * bool(action & sokoban.SECOND) + "-" * bool(action & sokoban.PULL)
        return marks + (PUSHES if sokoban.moves_box(before, action) else STEPS)[action & 3]

    @override
    def sound(self, before: State, step: Step, after: State) -> tuple[str, float]:
        """A step, a push, a box that comes home."""
        if before.boxes == after.boxes:
            return "move", 1.0
        return "home" if plans.boxes_home(after) > plans.boxes_home(before) else "push", 1.0

    @override
    def tally(self, before: State, state: State, tally: int) -> int:
        """Pushes."""
        return tally + (before.boxes != state.boxes)

    @override
    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        """Moves, pushes, boxes home."""
        return [
            ("Moves", f"{ply:,}"),
            ("Pushes", f"{tally:,}"),
            ("Boxes home", f"{plans.boxes_home(state)} of {len(state.boxes)}"),
        ]

    @override
    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        """'Solved: 97 moves, 31 pushes'."""
        moves, pushes = whole(result, "moves"), whole(result, "pushes")
        how = "Solved:" if result.get("outcome") == "won" else "Left after"
        return f"{how} {counted(moves, 'move')}, {counted(pushes, 'push')}"

    @override
    def shape(self, state: State) -> float:
        """Columns over rows."""
        return state.warehouse.cols / state.warehouse.rows

    @override
    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """A line for each direction."""
        return weighed_directions(values, played, self.describe)

    @override
    def looking(self, plies: int) -> str:
        """Policies answer without looking ahead."""
        return "no search"

    @override
    def tried(self, agent: str, count: int) -> str:
        """Rooms, or starts of the one board that a deep Q-network plays."""
        return counted(count, "start" if agent.startswith("dqn") else "room")

    @override
    def learned(self, agent: str, count: int) -> str:
        """A policy learns from solved rooms, a deep Q-network from games."""
        return counted(count, "room" if agent == "policy" else "game")

    @override
    def strength(self, points: str, plies: int, tried: str) -> str:
        """'95.2 ± 0.7 % of 1,000 rooms solved'."""
        return f"{points} % of {tried} solved"


VIEW = SokobanView()
