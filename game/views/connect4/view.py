"""How connect-4 looks, sounds and speaks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pygame
from typing_extensions import override

from ai.connect4.board.names import parse_board
from ai.connect4.board.scores import PROVED, WIN, describe
from ai.entries import Value
from ai.review import Judgement, Outlook
from game.rules import connect4
from game.rules.connect4 import State
from game.rules.replay import Step
from game.ui.theme import Colour, Theme
from game.views.board import Board
from game.views.connect4 import words
from game.views.connect4.accent import ACCENT
from game.views.connect4.board import BoardView, Overlay
from game.views.connect4.labels import few
from game.views.connect4.sounds import SOUNDS
from game.views.connect4.stones import STONES
from game.views.connect4.why import outlook as words_of
from game.views.connect4.why import why
from game.views.value_bars import Weighing, value_bars
from game.views.view import Fact, View, whole

DROP_SECONDS = 0.45
HALF_WAY = 20.0
"""The evaluation that stands half way to a proved win on the curve."""
LONGEST = 512
STILL = 2


class Connect4Board(Board):
    """Stones fall."""

    @override
    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The board's best view; without numbers where it is small."""
        drawing = BoardView(theme, animated)
        drawing.coordinates = not small
        return drawing

    @override
    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Drop."""
        self.drawing.drop(before, step.action, after, min(DROP_SECONDS, seconds))

    @override
    def drag(self, dx: float, dy: float) -> None:
        """Turn a deep board."""
        self.drawing.drag(dx, dy)

    @override
    def zoom(self, steps: float) -> bool:
        """Come nearer to a deep board."""
        self.drawing.zoom(steps)
        return bool(self.drawing.view == "orbit")

    @override
    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """Values above the columns, a dashed stone for the action to point at."""
        said, worth = words.said(values or {}), dict[int, float]()
        if values and self.deep:
            pointed = self.drawing.action_at(self.pointer) if self.pointer is not None else None
            said, worth = few(said, values, best, pointed)
        labels = {action: each.label for action, each in said.items()}
        proved = {action: each.result for action, each in said.items() if each.result is not None}
        overlay = Overlay(values=labels, proved=proved, worth=worth, best=best, hint=best, show_values=bool(labels))
        self.drawing.draw(surface, overlay)

    @property
    def deep(self) -> bool:
        """Whether the board has more than one layer."""
        return "flat" not in self.drawing.views()

    @override
    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: State) -> None:
        """Without the room that falling stones take: drawn larger, cut to what can be seen, and brought to size."""
        large = pygame.Surface((rect.width * STILL, rect.height * STILL), pygame.SRCALPHA)
        super().draw_still(large, large.get_rect(), state)
        board = large.subsurface(large.get_bounding_rect(min_alpha=4))
        share = min(rect.width / board.get_width(), rect.height / board.get_height(), 1.0)
        small = pygame.transform.smoothscale_by(board, share)
        surface.blit(small, small.get_rect(center=rect.center))


class Connect4View(View):
    """There is nothing to count."""

    game = connect4.GAME
    board = Connect4Board
    accent = ACCENT
    sounds = SOUNDS
    teaches = True
    curve_range = (-1.0, 1.0)
    unit = "% of the points"

    @override
    def describe(self, value: float) -> str:
        """'W7', '+12'."""
        return describe(value)

    @override
    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """A bar for each column; on a deep board a cell for each, the ones nearest to the players at the bottom."""
        shape = state.shape
        rows = []
        for depth in reversed(range(shape.depth)):
            names = [(depth * shape.cols + col, str(col + 1)) for col in range(shape.cols)]
            bars = value_bars(values, names, played, self.describe, lambda value: (self.height(value, 0) + 1) / 2)
            rows.append((str(depth + 1), tuple(bars)))
        return Weighing(tuple(rows))

    @override
    def sound(self, before: State, step: Step, after: State) -> tuple[str, float]:
        """A knock."""
        return "drop", 1.0

    @override
    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        """The move, and whose turn it is or who has won."""
        facts = [("Move", f"{ply:,}")]
        if state.winner is not None:
            facts.append(("Winner", STONES[state.winner].name))
        elif connect4.outcome(state) is None:
            facts.append(("To move", STONES[state.to_move].name))
        else:
            facts.append(("Winner", "nobody: the board is full"))
        return facts

    @override
    def height(self, value: float, seat: int) -> float:
        """-1 to 1 in the eyes of the first seat (of its own with more than two players), whatever number a file has."""
        if abs(value) >= PROVED:
            height = 1.0 - 0.3 * (WIN - min(WIN, abs(value))) / LONGEST
        else:
            height = 0.7 * abs(value) / (abs(value) + HALF_WAY)
        return height if (value >= 0) == (seat != 1) else -height

    @override
    def curve_words(self, seats: int) -> str:
        """Whose curve it is."""
        return (
            f"Values: up is good for {STONES[0].name}"
            if seats == 2
            else "Values: up is good for the player who moved"
        )

    @override
    def shape(self, state: State) -> float:
        """A flat board with room for a falling stone; a deep one is seen in a square."""
        return (state.shape.cols + 1) / (state.shape.rows + 2) if state.shape.depth == 1 else 1.0

    @override
    def why(self, state: State, action: int, judgement: Judgement) -> str:
        """What was missed."""
        return why(state, action, judgement)

    @override
    def outlook(self, state: State, outlook: Outlook) -> str:
        """'Won in 9'."""
        return words_of(outlook)

    @override
    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        """'Coral wins after 31 moves'."""
        moves, winner = whole(result, "moves"), result.get("winner")
        after = f"after {moves:,} {'move' if moves == 1 else 'moves'}"
        if isinstance(winner, int) and not isinstance(winner, bool) and 0 <= winner < len(STONES):
            return f"{STONES[winner].name.capitalize()} wins {after}"
        return f"Draw {after}" if result.get("outcome") == "draw" else f"Left {after}"

    @override
    def seat_colour(self, theme: Theme, seat: int) -> Colour:
        """Of the seat's stones."""
        return pygame.Color(STONES[seat].colour)

    @override
    def model_board(self, board: str) -> str:
        """What is not as usual as well: '4×4×4', '8×8, 5 in a row, 3 players'."""
        try:
            shape = parse_board(board)
        except ValueError:
            return board
        edges = (shape.rows, shape.cols, shape.depth) if shape.depth > 1 else (shape.rows, shape.cols)
        usual = "" if shape.win == 4 else f", {shape.win} in a row"
        return "×".join(map(str, edges)) + usual + ("" if shape.players == 2 else f", {shape.players} players")

    @override
    def looking(self, plies: int) -> str:
        """There is one match for all."""
        return "standard match"

    @override
    def strength(self, points: str, plies: int, tried: str) -> str:
        """'71.3 ± 0.9 % of the standard match, 1,000 games'."""
        return f"{points} % of the {self.looking(plies)}, {tried}"

    @override
    def training_board(self, written: str, setting: Callable[[str], Value]) -> State:
        """On the board that the training's settings name."""
        edges, players = str(setting("board")).replace("x", ","), int(setting("players"))
        return connect4.parse_position(written, connect4.parse_shape(edges, players))


VIEW = Connect4View()
