"""What a view of the board is asked to show: a position, a falling stone, the marks on top; and what a view can do.

`board.BoardView` keeps these up to date; the views (`flat`, `orbit`, `layers`) only draw them and know no game logic
beyond the indices of `game.rules.connect4`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import pygame

from game.rules.connect4 import Shape, State
from game.ui.theme import Theme

Look = str
"""How a stone is drawn: 'full', 'faint' (set aside so that others are seen) or 'ghost' (not played yet)."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Marks above the position; every one is optional. Actions are depth * C + col."""

    hover: int | None = None
    """The column under the pointer."""
    cursor: int | None = None
    """The column chosen with the keys."""
    ghost_seat: int | None = None
    """Whose stone hovers above the chosen column and waits at its landing cell; None: nobody may play now."""
    values: Mapping[int, str] = field(default_factory=dict)
    """What the agent thinks of each action, as a short label ('+2', 'W7')."""
    proved: Mapping[int, int] = field(default_factory=dict)
    """Actions whose label is no estimate: 1 where who moves wins, 0 for a draw, -1 for a loss."""
    best: int | None = None
    """The action whose label stands out."""
    hint: int | None = None
    """The action an agent suggests: a dashed stone in the thinking colour."""
    show_values: bool = False
    worth: Mapping[int, float] = field(default_factory=dict)
    """Deep boards: how good each action is beside the others, 0 to 1, as a shade where the stone would land."""

    ahead: tuple[int, ...] = ()
    """The moves that an agent expects from here on, by both sides, as numbered ghosts of stones."""

    @property
    def chosen(self) -> int | None:
        """The column that shows the ghost: the one under the pointer, else the keyboard's."""
        return self.hover if self.hover is not None else self.cursor

    def labels(self) -> dict[int, str]:
        """The labels to draw, none when they are switched off."""
        return dict(self.values) if self.show_values else {}


@dataclass(frozen=True, slots=True)
class Fall:
    """A stone on its way down."""

    action: int
    seat: int
    row: float
    """Where it is, in rows from the bottom; the whole number of its landing row when it has arrived."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One moment of the board."""

    state: State
    """The stones at rest."""
    overlay: Overlay = field(default_factory=Overlay)
    fall: Fall | None = None
    last: int | None = None
    """Cell of the last move, None while a stone falls or before the first."""
    lines: tuple[tuple[int, ...], ...] = ()
    """Complete lines to mark, as cells in order."""
    drawn: float = 1.0
    """Share of each winning line that is drawn already, 0 to 1."""
    focus: int | None = None
    """The only depth shown in full; the others are faint."""
    coordinates: bool = True
    """Whether numbers stand beside the board."""

    @property
    def shape(self) -> Shape:
        """The board."""
        return self.state.shape

    def without_values(self) -> "Picture":
        """The same but for what the agent thinks of each action, which changes all the time."""
        bare = replace(self.overlay, values={}, proved={}, worth={}, best=None, show_values=False)
        return replace(self, overlay=bare)

    def winners(self) -> frozenset[int]:
        """Cells of every winning line."""
        return frozenset(cell for line in self.lines for cell in line)

    def landing_row(self, action: int | None) -> int | None:
        """The row where a stone would come to rest in a column; None when it is full or nothing may be played."""
        if action is None or not 0 <= action < self.shape.columns or self.lines:
            return None
        row = self.state.heights[action] + (self.fall is not None and self.fall.action == action)
        return row if row < self.shape.rows else None

    def ghost_row(self) -> int | None:
        """The landing row of the ghost stone, None when there is no ghost."""
        return self.landing_row(self.overlay.chosen) if self.overlay.ghost_seat is not None else None

    def faint(self) -> list[bool]:
        """For each cell, whether its stone is set aside: not in a winning line, or outside the depth in focus."""
        shape = self.shape
        if self.lines:
            winners = self.winners()
            return [cell not in winners for cell in range(shape.cells)]
        if self.focus is None:
            return [False] * shape.cells
        return [cell % shape.columns // shape.cols != self.focus for cell in range(shape.cells)]


class View(Protocol):
    """One way to draw a board. Rectangles and positions are in pixels of the surface drawn on."""

    def layout(self, theme: Theme, shape: Shape, rect: pygame.Rect) -> None:
        """Take this place for boards of this shape."""

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one moment."""

    def action_at(self, position: tuple[float, float], picture: Picture) -> int | None:
        """The column under a position, the nearest one in front; None outside the board."""

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell."""

    def column_top(self, action: int) -> tuple[float, float]:
        """The point from which a stone is dropped into a column."""

    def step(self, action: int, direction: int) -> int | None:
        """The neighbouring column in a direction as seen on screen; None at the edge."""
