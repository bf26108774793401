"""How a game looks, sounds and speaks, as one value: `VIEW` of `game.views.GAME.view`, found by the id of the game.

Screens, replays, environments and the lab ask `view_of(game)`, so that none of them knows which games there are.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ai.entries import Value
from ai.review import Judgement, Outlook
from game.play.words import counted
from game.rules.game import Game, State
from game.rules.games import GAMES
from game.rules.replay import Step
from game.ui.synth import Recipe
from game.ui.theme import Accent, Colour, Theme
from game.views.board import Board
from game.views.value_bars import Weighing

Fact = tuple[str, str]
"""A name and what is to be said, for a row of a card."""


class View:
    """Base: what suits a game whose result is a score, with one player."""

    game: Game[Any]
    board: type[Board]
    """Made for every place where a board of the game is to be seen."""
    accent: Accent
    sounds: Mapping[str, Recipe] = {}
    """Sounds that the game has besides those of the window, by names that no other game uses."""

    teaches = False
    """Whether its screen has a first game for newcomers, which can be asked for again."""

    # A position and a move

    def shape(self, state: State) -> float:
        """Width of the board over its height."""
        return 1.0

    def facts(self, state: State, ply: int, tally: int) -> list[Fact]:
        """What there is to say about a position after `ply` steps."""
        raise NotImplementedError

    def label(self, before: State, action: int) -> str:
        """An action in as few characters as people write it."""
        return self.game.label(before, action)

    def sound(self, before: State, step: Step, after: State) -> tuple[str, float]:
        """What a step sounds like: the name of a sound and its pitch."""
        return "move", 1.0

    def seat_colour(self, theme: Theme, seat: int) -> Colour:
        """What a seat wears, in games of several."""
        return theme.thinking

    # What agents say

    def describe(self, value: float) -> str:
        """An agent's value of an action."""
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

    def weighing(self, state: State, values: Mapping[int, float], played: int | None) -> Weighing:
        """An agent's finite values of the actions of a position, `played` marked."""
        raise NotImplementedError

    # Counts and curves of a game

    tally_name = ""
    """What `tally` counts, for people."""
    tally_curve = ""
    """What a curve of the tallies shows, where the agent gave no values; empty for no curve."""
    curve_range: tuple[float, float] | None = None
    """The ends of the curve's scale; None: from the lowest to the highest value."""

    def tally(self, before: State, state: State, tally: int) -> int:
        """A count that runs through a game: after one more step, from the count before it."""
        return 0

    def height(self, value: float, seat: int) -> float:
        """How high a value stands on the curve; values of seats that play against the first are turned round."""
        return value

    def curve_words(self, seats: int) -> str:
        """What the curve of values shows."""
        return "Value of each move, by the agent that played it"

    # A finished game

    def why(self, state: State, action: int, judgement: Judgement) -> str:
        """What the game's oracle has against a move, in a sentence; empty where there is nothing to say."""
        return ""

    def outlook(self, state: State, outlook: Outlook) -> str:
        """What the game's oracle says of a position, in a few words: 'Won in 9', 'Still solvable'; may be empty."""
        return ""

    def result_words(self, result: Mapping[str, object], seats: Sequence[str]) -> str:
        """How a game ended, from a replay's result."""
        raise NotImplementedError

    solution_form = ""
    """The form of text that other programs know a whole game's moves in, by the ending of its files."""

    # Models and trainings

    unit = "mean score"
    """What the measured strength of a model counts."""

    def model_board(self, board: str) -> str:
        """The board of a model's header in words: '4×4', '7×7 to 16×16'."""
        return board.replace("x", "×").replace("-", " to ")

    def looking(self, plies: int) -> str:
        """How a model played when it was measured."""
        return f"{plies}-ply"

    def tried(self, agent: str, count: int) -> str:
        """What models of that agent are measured on: '1,000 games'."""
        return counted(count, "game")

    def learned(self, agent: str, count: int) -> str:
        """What a model of that agent learned from: '100,000 games'."""
        return counted(count, "game")

    def strength(self, points: str, plies: int, tried: str) -> str:
        """How strong a model is: '41,203 ± 310 at 1-ply, 1,000 games', from its points and what it was measured on."""
        return f"{points} at {self.looking(plies)}, {tried}"

    def training_board(self, written: str, setting: Callable[[str], Value]) -> State:
        """The position that a training shows; `setting` has the training's settings by name.

        Raises:
            ValueError: it cannot be read.
        """
        return self.game.position(written, {})


def view_of(game: str) -> View:
    """The view of a game by its id; raises KeyError for what is none."""
    return cast(View, importlib.import_module(f"game.views.{GAMES[game].id}.view").VIEW)


def accent_of(theme: Theme, game: str) -> Colour:
    """The accent of a game by its id; the thinking colour for what is none."""
    return view_of(game).accent.on(theme) if game in GAMES else theme.thinking


def whole(result: Mapping[str, object], key: str) -> int:
    """A count of a replay's result; 0 where a file says something else."""
    found = result.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0
