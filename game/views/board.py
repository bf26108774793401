"""One board of any game: what a theatre, a thumbnail, an exported picture, an environment and a menu card draw."""

from collections.abc import Mapping
from typing import Any

import pygame

from game.rules.game import State
from game.rules.replay import Step
from game.ui.theme import Theme


class Board:
    """Base: passes everything on to the game's own drawing."""

    def __init__(self, theme: Theme, animated: bool = True, small: bool = False) -> None:
        """`small` leaves out what cannot be read on a card."""
        self.theme = theme
        self.drawing = self.make_drawing(theme, animated, small)
        self.pointer: tuple[int, int] | None = None
        """The pixel that is pointed at, where somebody points at the board; whoever shows it keeps it up to date."""

    def make_drawing(self, theme: Theme, animated: bool, small: bool) -> Any:
        """What draws the game's board."""
        raise NotImplementedError

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Another theme or scale; call `layout` afterwards."""
        self.theme = theme
        self.drawing.set_theme(theme, animated)

    def layout(self, rect: pygame.Rect) -> None:
        """Where the board goes."""
        self.drawing.layout(rect)

    def show(self, state: State, last: Step | None = None) -> None:
        """Jump to a position; `last` is the step that led to it."""
        self.drawing.show(state)

    def play(self, before: State, step: Step, after: State, seconds: float) -> None:
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
        return bool(self.drawing.busy)

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self.drawing.update(dt)

    def draw(
        self, surface: pygame.Surface, values: Mapping[int, float] | None = None, best: int | None = None
    ) -> None:
        """The board; `values` of actions and the action to point at, in the thinking colour, where they can be shown."""
        self.drawing.draw(surface)

    def draw_still(self, surface: pygame.Surface, rect: pygame.Rect, state: State) -> None:
        """A still picture of a position inside `rect`."""
        self.show(state)
        self.layout(rect)
        self.draw(surface)
