"""One board of any game: what a theatre, a thumbnail, an exported picture and a menu card need of a game's view.

Found by convention like the other parts of a game: `game.views.GAME.stage` has `STAGE`, a subclass of `Stage`.
"""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pygame

from game.rules.direction import Direction
from game.rules.replay import Step
from game.ui.theme import Theme
from game.views.value_bars import Weighing, value_bars

Fact = tuple[str, str]
"""A name and what is to be said, for a row of a card."""
DIRECTIONS = tuple((int(way), way.label) for way in (Direction.LEFT, Direction.DOWN, Direction.RIGHT, Direction.UP))
"""The four directions, in the order in which their values are shown."""


class Stage:
    """Base: passes everything on to the game's own `view`. `tally` is a count that runs through a game."""

    tally_name = ""
    """What `tally` counts, for people."""
    tally_curve = ""
    """What a curve of the tallies shows, where the agent gave no values; empty for no curve."""

    def __init__(self, theme: Theme, animated: bool = True, small: bool = False) -> None:
        """`small` leaves out what cannot be read on a card."""
        self.theme = theme
        self.view = self.make_view(theme, animated, small)

    # The board

    def make_view(self, theme: Theme, animated: bool, small: bool) -> Any:
        """The game's board view."""
        raise NotImplementedError

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Another theme or scale; call `layout` afterwards."""
        self.theme = theme
        self.view.set_theme(theme, animated)

    def layout(self, rect: pygame.Rect) -> None:
        """Where the board goes."""
        self.view.layout(rect)

    def show(self, state: Any, last: Step | None = None) -> None:
        """Jump to a position; `last` is the step that led to it."""
        self.view.show(state)

    def play(self, before: Any, step: Step, after: Any, seconds: float) -> None:
        """Show a step on its way; the next one comes `seconds` later."""
        raise NotImplementedError

    def drag(self, dx: float, dy: float) -> None:
        """Turn the board by a drag of so many pixels, where it can be turned."""

    def zoom(self, steps: float) -> bool:
        """Come nearer by notches of the wheel; False where that means nothing."""
        return False

    @property
    def busy(self) -> bool:
        """Whether something is still moving."""
        return bool(self.view.busy)

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self.view.update(dt)

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """The board; `values` of actions and the action to point at, in the thinking colour, where they can be shown."""
        self.view.draw(surface)

    # Words

    @classmethod
    def label(cls, before: Any, action: int) -> str:
        """An action in as few characters as people write it."""
        raise NotImplementedError

    @classmethod
    def describe(cls, value: float) -> str:
        """An agent's value of an action."""
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

    @classmethod
    def mover(cls, state: Any) -> int:
        """The seat that plays next."""
        return 0

    @classmethod
    def facts(cls, state: Any, ply: int, tally: int) -> list[Fact]:
        """What there is to say about a position after `ply` steps."""
        raise NotImplementedError

    @classmethod
    def weighing(cls, state: Any, values: Mapping[int, float], played: int | None) -> Weighing:
        """An agent's finite values of the actions of a position, `played` marked. This is for games of four directions."""
        bars = value_bars(values, DIRECTIONS, played, cls.describe)
        return Weighing((("", tuple(bars)),), lines=True)

    @classmethod
    def sound(cls, before: Any, step: Step, after: Any) -> tuple[str, float]:
        """What a step sounds like: the name of a sound and its pitch."""
        return "move", 1.0

    # Counting and curves

    @classmethod
    def tally(cls, before: Any, state: Any, tally: int) -> int:
        """The count after one more step, from the count before it."""
        return 0

    @classmethod
    def height(cls, value: float, seat: int) -> float:
        """How high a value stands on the curve; values of seats that play against the first are turned round."""
        return value

    curve_range: tuple[float, float] | None = None
    """The ends of the curve's scale; None: from the lowest to the highest value."""

    @classmethod
    def curve_words(cls, seats: int) -> str:
        """What the curve of values shows."""
        return "Value of each move, by the agent that played it"

    @classmethod
    def result_words(cls, result: Mapping[str, Any], seats: Sequence[str]) -> str:
        """How a game ended, from a replay's result."""
        raise NotImplementedError

    @classmethod
    def shape(cls, state: Any) -> float:
        """Width of the board over its height."""
        return 1.0

    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: Any) -> None:
        """A still picture of a position inside `rect`."""
        self.show(state)
        self.layout(rect)
        self.draw(surface)


def whole(result: Mapping[str, Any], key: str) -> int:
    """A count of a replay's result; 0 where a file says something else."""
    found = result.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def stage_class(game: str) -> type[Stage]:
    """The stage of a game of the catalogue."""
    return cast(type[Stage], importlib.import_module(f"game.views.{game}.stage").STAGE)
