"""Connect-4's board for replays, thumbnails, exports and the menu's card."""

from collections.abc import Mapping, Sequence
from typing import Any

import pygame

from ai.connect4.board.scores import PROVED, WIN, describe
from game.rules import connect4
from game.rules.connect4 import State
from game.rules.replay import Step
from game.ui.theme import Theme
from game.views.connect4 import words
from game.views.connect4.board import BoardView, Overlay
from game.views.connect4.stones import STONES
from game.views.stage import Fact, Stage, whole
from game.views.value_bars import Weighing, value_bars

DROP_SECONDS = 0.45
HALF_WAY = 20.0
"""The evaluation that stands half way to a proved win on the curve."""
LONGEST = 512
STILL = 2


class Connect4Stage(Stage):
    """Stones fall; there is nothing to count."""

    curve_range = (-1.0, 1.0)

    def make_view(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board's best view; without numbers where it is small."""
        view = BoardView(theme, animated)
        view.coordinates = not small
        return view

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Drop."""
        self.view.drop(before, step.action, after, min(DROP_SECONDS, seconds))

    def drag(self, dx: float, dy: float) -> None:
        """Turn a deep board."""
        self.view.drag(dx, dy)

    def zoom(self, steps: float) -> bool:
        """Come nearer to a deep board."""
        self.view.zoom(steps)
        return bool(self.view.view == "orbit")

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """Values above the columns, a dashed stone for the action to point at."""
        said = words.said(values or {})
        labels = {action: each.label for action, each in said.items()}
        proved = frozenset(action for action, each in said.items() if each.proved)
        overlay = Overlay(values=labels, proved=proved, best=best, hint=best, show_values=bool(labels))
        self.view.draw(surface, overlay)

    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: State) -> None:
        """Without the room that falling stones take: drawn larger, cut to what can be seen, and brought to size."""
        large = pygame.Surface((rect.width * STILL, rect.height * STILL), pygame.SRCALPHA)
        super().draw_still(large, large.get_rect(), state)
        board = large.subsurface(large.get_bounding_rect(min_alpha=4))
        share = min(rect.width / board.get_width(), rect.height / board.get_height(), 1.0)
        small = pygame.transform.smoothscale_by(board, share)
        surface.blit(small, small.get_rect(center=rect.center))

    @classmethod
    def label(cls, before: State, action: int) -> str:
        """Column, and depth on a deep board."""
        return connect4.label(before.shape, action)

    @classmethod
    def describe(cls, value: float) -> str:
        """'W7', '+12'."""
        return describe(value)

    @classmethod
    def weighing(cls, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """A bar for each column; on a deep board a cell for each, the ones nearest to the players at the bottom."""
        shape = state.shape
        rows = []
        for depth in reversed(range(shape.depth)):
            names = [(depth * shape.cols + col, str(col + 1)) for col in range(shape.cols)]
            bars = value_bars(values, names, played, cls.describe, lambda value: (cls.height(value, 0) + 1) / 2)
            rows.append((str(depth + 1), tuple(bars)))
        return Weighing(tuple(rows))

    @classmethod
    def sound(cls, before: State, step: Step, after: State) -> tuple[str, float]:
        """A knock."""
        return "drop", 1.0

    @classmethod
    def mover(cls, state: State) -> int:
        """In turn."""
        return state.to_move

    @classmethod
    def facts(cls, state: State, ply: int, tally: int) -> list[Fact]:
        """The move, and whose turn it is or who has won."""
        facts = [("Move", f"{ply:,}")]
        if state.winner is not None:
            facts.append(("Winner", STONES[state.winner].name))
        elif connect4.outcome(state) is None:
            facts.append(("To move", STONES[state.to_move].name))
        else:
            facts.append(("Winner", "nobody: the board is full"))
        return facts

    @classmethod
    def height(cls, value: float, seat: int) -> float:
        """-1 to 1 in the eyes of the first seat (of its own with more than two players), whatever number a file has."""
        if abs(value) >= PROVED:
            height = 1.0 - 0.3 * (WIN - min(WIN, abs(value))) / LONGEST
        else:
            height = 0.7 * abs(value) / (abs(value) + HALF_WAY)
        return height if (value >= 0) == (seat != 1) else -height

    @classmethod
    def curve_words(cls, seats: int) -> str:
        """Whose curve it is."""
        return f"Values: up is good for {STONES[0].name}" if seats == 2 else "Values: up is good for who played"

    @classmethod
    def shape(cls, state: State) -> float:
        """A flat board with room for a falling stone; a deep one is seen in a square."""
        return (state.shape.cols + 1) / (state.shape.rows + 2) if state.shape.depth == 1 else 1.0

    @classmethod
    def result_words(cls, result: Mapping[str, Any], seats: Sequence[str]) -> str:
        """'Coral wins after 31 moves'."""
        moves, winner = whole(result, "moves"), result.get("winner")
        after = f"after {moves:,} {'move' if moves == 1 else 'moves'}"
        if isinstance(winner, int) and not isinstance(winner, bool) and 0 <= winner < len(STONES):
            return f"{STONES[winner].name.capitalize()} wins {after}"
        return f"Draw {after}" if result.get("outcome") == "draw" else f"Left {after}"


STAGE = Connect4Stage
