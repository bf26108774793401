"""The connect-4 board as the screens use it: one object, several views, stones that fall.

A screen shows positions (`show`, `drop`), lets time pass (`update`) and draws. What may be played, whose turn it is
and what an agent thinks it says in an `Overlay`; the board keeps no game of its own. Input is never held back by an
animation: stones that come too fast arrive at once.
"""

from collections import deque
from dataclasses import dataclass
from math import isfinite, sqrt

import pygame

from game.rules.connect4 import Shape, State, winning_lines
from game.ui.still import Still
from game.ui.theme import Theme
from game.ui.tween import Tween, bounce
from game.views.connect4 import pieces
from game.views.connect4.camera import PITCH_HIGH, PITCH_LOW, ZOOM_HIGH, ZOOM_LOW
from game.views.connect4.effects import Effects
from game.views.connect4.flat import FlatView
from game.views.connect4.layers import LayersView
from game.views.connect4.orbit import OrbitView
from game.views.connect4.picture import Fall, Overlay, Picture, View

__all__ = ["BoardView", "Overlay", "views"]

TITLES = {"flat": "Front", "orbit": "Orbit", "layers": "Layers", "slices": "Slices"}
"""Names of the views for buttons."""
LINE_SECONDS = 0.35
"""How long a winning line takes to be drawn."""
AHEAD = 30
"""Units of a stone of a line of moves that is shown before it is played."""
AMPLITUDE = 7
"""Units of a shake."""
WAITING = 2
"""Falling stones that may wait; one more sends the first ones to their places."""


def views(shape: Shape) -> tuple[str, ...]:
    """The views that make sense for a board, the best one first."""
    return ("flat", "orbit") if shape.depth == 1 else ("orbit", "layers", "slices")


@dataclass(slots=True)
class _Drop:
    action: int
    seat: int
    row: int
    after: State
    tween: Tween


class BoardView:
    """Draws one board at a time.

    Attributes:
        focus_depth: the only depth drawn in full, the others faint; None for all. Deep boards only.
        coordinates: whether the numbers of columns and depths stand beside the board.
    """

    def __init__(self, theme: Theme, animated: bool = True) -> None:
        """`animated` False: every stone arrives at once."""
        self.theme, self.animated = theme, animated
        self.rect = pygame.Rect(0, 0, 640, 480)
        self.focus_depth: int | None = None
        self.coordinates = True
        self._orbit, self._layers, self._flat = OrbitView(), LayersView(), FlatView()
        self._views: dict[str, View] = {
            "orbit": self._orbit, "layers": self._layers, "flat": self._flat, "slices": self._flat,
        }  # fmt: skip
        self._still = Still()
        self._effects = Effects()
        self._chosen: str | None = None
        self._state: State | None = None
        self._drops: deque[_Drop] = deque()
        self._line_age = LINE_SECONDS
        self._turning: tuple[Tween, tuple[float, float, float], tuple[float, float, float]] | None = None

    # --- place and look -------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme, animated: bool) -> None:
        """Change the look, or whether stones fall."""
        self.theme, self.animated = theme, animated
        if not animated:
            self.settle()
        self._layout()

    def layout(self, rect: pygame.Rect) -> None:
        """Take this place on the surface."""
        self.rect = pygame.Rect(rect)
        self._layout()

    @property
    def view(self) -> str:
        """The view drawn now: the chosen one where the board has it, else the board's best."""
        offered = self.views()
        return self._chosen if self._chosen in offered else offered[0]

    def set_view(self, name: str) -> None:
        """Choose a view ('flat', 'orbit', 'layers', 'slices'); it is kept for boards that have it."""
        if name not in self._views:
            raise ValueError(f"there is no view {name!r}; the views are {', '.join(self._views)}")
        self._chosen = name
        self._layout()

    def views(self, shape: Shape | None = None) -> tuple[str, ...]:
        """The views offered for a shape, the shown board's by default."""
        shape = shape or (self._state.shape if self._state is not None else None)
        return views(shape) if shape is not None else ("orbit",)

    def _layout(self) -> None:
        if self._state is not None:
            self._current.layout(self.theme, self._state.shape, self.rect)

    @property
    def _current(self) -> View:
        return self._views[self.view]

    # --- positions ------------------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        """Jump to a position."""
        self._drops.clear()
        self._effects.stop()
        self._arrive(state, marked=True)

    def drop(self, before: State, action: int, after: State, seconds: float = 0.45) -> None:
        """Let the stone of a move fall; `seconds` is the fall through the whole height of the board."""
        if self._state is None or self._state.shape != after.shape:
            self.show(before)
        if not self.animated or seconds <= 0:
            self.show(after)
            return
        if (self._drops[-1].after if self._drops else self._state) != before:
            self.show(before)
        while len(self._drops) >= WAITING:
            self._arrive(self._drops.popleft().after, marked=False)
        rows, row = after.shape.rows, before.heights[action]
        length = seconds * sqrt((rows + 1 - row) / (rows + 1))
        self._drops.append(_Drop(action, before.to_move, row, after, Tween(length, ease=bounce)))

    def settle(self) -> None:
        """Let everything that moves arrive at once."""
        if self._drops:
            after = self._drops[-1].after
            self._drops.clear()
            self._arrive(after, marked=True)
        self._line_age = LINE_SECONDS
        if self._turning is not None:
            self.set_camera(self._turning[2])

    def celebrate(self) -> None:
        """Confetti from the line that has won, for about a second and a half."""
        state = self._state
        if state is None or state.winner is None or not self.animated:
            return
        line = winning_lines(state)[0]
        places = [self.cell_centre(cell) for cell in line]
        apart = sqrt((places[0][0] - places[-1][0]) ** 2 + (places[0][1] - places[-1][1]) ** 2)
        self._effects.celebrate(state.winner, places, max(self.theme.px(24), apart / len(line)))

    def shake(self) -> None:
        """What was asked for cannot be done."""
        if self.animated:
            self._effects.shake()

    def _arrive(self, state: State, marked: bool) -> None:
        fresh = self._state is None or self._state.shape != state.shape
        won = state.winner is not None and (self._state is None or self._state.winner is None)
        self._state = state
        if fresh:
            self.focus_depth = None
            self._layout()
        if won:
            self._line_age = LINE_SECONDS if marked else 0.0

    @property
    def busy(self) -> bool:
        """Whether a stone is falling or a winning line is being drawn."""
        return bool(self._drops) or (self._line_age < LINE_SECONDS and self.animated)

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        self._line_age += dt
        self._effects.update(dt)
        if self._drops:
            drop = self._drops[0]
            drop.tween.update(dt)
            if drop.tween.done:
                self._drops.popleft()
                self._arrive(drop.after, marked=False)
        if self._turning is not None:
            tween, start, end = self._turning
            tween.update(dt)
            share = tween.progress
            self._place_camera(*(a + (b - a) * share for a, b in zip(start, end, strict=True)))
            if tween.done:
                self._turning = None

    # --- drawing --------------------------------------------------------------------------------------------

    def draw(
        self, surface: pygame.Surface, overlay: Overlay | None = None, ground: pygame.Color | None = None
    ) -> None:
        """Draw the board in its place, which is filled with `ground` first."""
        if self._state is None:
            return
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        picture = self.picture(overlay)
        if ground is None:
            self._current.draw(surface, picture)
            self._draw_ahead(surface, picture)
        else:
            key = (self.theme, *self._seen(picture))
            self._still.draw(surface, self.rect, key, lambda: self._draw_all(surface, picture), ground)
            aside = round(self._effects.aside * self.theme.px(AMPLITUDE))
            if aside:
                surface.subsurface(self.rect.clip(surface.get_rect())).scroll(aside, 0)
        surface.set_clip(clip)

    def _draw_all(self, surface: pygame.Surface, picture: Picture) -> None:
        """The board, and what lies over it."""
        self._current.draw(surface, picture)
        self._draw_ahead(surface, picture)
        self._effects.draw(surface)

    def _draw_ahead(self, surface: pygame.Surface, picture: Picture) -> None:
        """The moves to come as numbered ghosts of stones; the first ones over the later ones."""
        state, heights = picture.state, list(picture.state.heights)
        ghosts = []
        for number, action in enumerate(picture.overlay.ahead):
            if not 0 <= action < state.shape.columns or heights[action] >= state.shape.rows:
                break
            seat = (state.to_move + number) % state.shape.players
            ghosts.append((number + 1, seat, heights[action] * state.shape.columns + action))
            heights[action] += 1
        for number, seat, cell in reversed(ghosts):
            image = pieces.ahead(self.theme, seat, number, self.theme.px(AHEAD))
            pieces.place(surface, image, self.cell_centre(cell))

    def _seen(self, picture: Picture) -> tuple[object, ...]:
        return (self.view, self.camera, self._layers.camera.yaw, picture, self._effects.moment)

    def shown(self, overlay: Overlay) -> object:
        """Equal to what it was before where `draw` would draw the same again."""
        return self._seen(self.picture(overlay)) if self._state is not None else None

    def picture(self, overlay: Overlay | None = None) -> Picture:
        """What is drawn now."""
        state = self._state
        assert state is not None
        fall = last = None
        lines: tuple[tuple[int, ...], ...] = ()
        if self._drops:
            drop = self._drops[0]
            top = state.shape.rows + 0.12
            fall = Fall(drop.action, drop.seat, top + (drop.row - top) * drop.tween.progress)
        elif state.moves:
            action = state.moves[-1]
            last = (state.heights[action] - 1) * state.shape.columns + action
            lines = winning_lines(state)
        drawn = min(1.0, self._line_age / LINE_SECONDS) if self.animated else 1.0
        focus = self.focus_depth if state.shape.depth > 1 else None
        return Picture(state, overlay or Overlay(), fall, last, lines, drawn, focus, self.coordinates)

    # --- pointer, keys, camera ------------------------------------------------------------------------------

    def action_at(self, pos: tuple[float, float]) -> int | None:
        """The column (peg) under the pointer, the nearest in front; None outside. It may be a full one."""
        return self._current.action_at(pos, self.picture()) if self._state is not None else None

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """Where a cell is on the surface."""
        return self._current.cell_centre(cell)

    def column_top(self, action: int) -> tuple[float, float]:
        """Where a stone is let go above a column (its peg's top)."""
        return self._current.column_top(action)

    def next_action(self, current: int | None, direction: int) -> int:
        """The column that an arrow key leads to (0 up, 1 right, 2 down, 3 left) as the board is seen now.

        Full columns are passed over where there is an open one further on; at the edge the choice stays. With
        nothing chosen yet it is the open column nearest to the middle.
        """
        state = self._state
        assert state is not None
        shape = state.shape
        if current is None or not 0 <= current < shape.columns:
            middle = ((shape.cols - 1) / 2, (shape.depth - 1) / 2)
            return min(
                range(shape.columns),
                key=lambda action: (
                    state.heights[action] >= shape.rows,
                    abs(action % shape.cols - middle[0]) + abs(action // shape.cols - middle[1]),
                ),
            )
        first = step = self._current.step(current, direction)
        while step is not None and state.heights[step] >= shape.rows:
            step = self._current.step(step, direction)
        if step is not None:
            return step
        return first if first is not None else current

    def drag(self, dx: float, dy: float) -> None:
        """Turn the board by a drag of so many pixels (orbit and layers)."""
        self._turning = None
        if self.view == "orbit":
            self._orbit.camera.turn(dx, dy)
        elif self.view == "layers":
            self._layers.camera.turn(dx, 0)

    def zoom(self, steps: float) -> None:
        """Come nearer by notches of the wheel (orbit)."""
        if self.view == "orbit":
            self._turning = None
            self._orbit.zoom(steps)

    @property
    def camera(self) -> tuple[float, float, float]:
        """Yaw and pitch in radians and the zoom, to be saved."""
        camera = self._orbit.camera
        return camera.yaw, camera.pitch, camera.zoom

    def set_camera(self, camera: tuple[float, ...]) -> None:
        """Restore a saved camera, every part put inside its bounds; anything else is ignored."""
        if len(camera) == 3 and all(isfinite(part) for part in camera):
            self._turning = None
            self._place_camera(*camera)

    def _place_camera(self, yaw: float, pitch: float, zoom: float) -> None:
        camera = self._orbit.camera
        camera.yaw, camera.pitch = yaw, min(PITCH_HIGH, max(PITCH_LOW, pitch))
        camera.zoom = min(ZOOM_HIGH, max(ZOOM_LOW, zoom))

    def reset_camera(self) -> None:
        """Turn back to the first camera of this board."""
        if self._state is None:
            return
        home = self._orbit.home(self._state.shape)
        self._layers.reset()
        if self.animated:
            self._turning = (Tween(0.25), self.camera, home)
        else:
            self.set_camera(home)
