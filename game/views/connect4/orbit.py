"""The orbit view: the board in mild perspective, turned by dragging.

Columns are painted back to front and each from the bottom up, which is exact for spheres on a grid seen from above.
Positions and sizes of all cells are computed when the camera moves; a frame only looks them up.
"""

from math import cos, hypot, radians, sin

import numpy as np
import pygame

from game.rules.connect4 import Shape
from game.ui import shapes
from game.ui.still import Still
from game.ui.theme import Colour, Theme, blend
from game.views.connect4 import pieces
from game.views.connect4.accent import ACCENT
from game.views.connect4.camera import ZOOM_HIGH, ZOOM_LOW, Camera
from game.views.connect4.labels import place_labels
from game.views.connect4.picture import Picture
from game.views.connect4.plate import EDGE, THICK, Plate

RADIUS = 0.37
"""Of a stone, in world units (the distance between columns is 1)."""
RISE = 0.78
"""Height of a row: stones of a column nearly touch, columns leave gaps to look through."""
PEG_OVER = 0.45
"""How far pegs stand out above a full column."""
PEG_WINS = 2.5
"""Pixels by which a column further back must be nearer to the pointer to be chosen over one in front."""
DEEP, FLAT = (radians(-32), radians(27), 1.0), (radians(-24), radians(16), 1.0)
"""Yaw, pitch and zoom a board starts with."""


class OrbitView:
    """Draws the board from any side and finds the peg under the pointer."""

    def __init__(self) -> None:
        self.camera = Camera(distance=1.0)
        self.plate = Plate()
        self._still = Still()
        self._stamp: tuple[float, ...] = ()
        self._shape: Shape | None = None

    def layout(self, theme: Theme, shape: Shape, rect: pygame.Rect) -> None:
        """Take this place; a new shape starts with its own camera."""
        if shape != self._shape:
            depth, col = np.divmod(np.arange(shape.columns), shape.cols)
            self._x = col - (shape.cols - 1) / 2
            self._z = depth - (shape.depth - 1) / 2
            if self._shape is None or (shape.depth == 1) != (self._shape.depth == 1):
                self.camera.yaw, self.camera.pitch, self.camera.zoom = self.home(shape)
        self.theme, self.rect, self._shape = theme, rect, shape
        self._images: dict[tuple[int, int, str, int], pygame.Surface] = {}
        self._stamp = ()

    @staticmethod
    def home(shape: Shape) -> tuple[float, float, float]:
        """Yaw, pitch and zoom to start from and to come back to."""
        return FLAT if shape.depth == 1 else DEEP

    def zoom(self, steps: float) -> None:
        """Come nearer by so many notches of the wheel."""
        self.camera.zoom = min(ZOOM_HIGH, max(ZOOM_LOW, self.camera.zoom * 1.1**steps))

    # --- geometry -------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Everything that depends only on the camera, the shape and the place."""
        camera, shape, theme = self.camera, self._shape, self.theme
        assert shape is not None
        stamp = (camera.yaw, camera.pitch, camera.zoom, *self.rect)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        self.peg_top = shape.rows * RISE + PEG_OVER
        inner = self.rect.inflate(-2 * theme.px(20), -theme.px(60))
        inner.move_ip(0, theme.px(10))
        # Whatever the yaw: the plate with its numbers below, the pegs above.
        foot = hypot(shape.cols + 0.6, shape.depth + 0.6) / 2
        head = hypot(shape.cols - 1, shape.depth - 1) / 2 + RADIUS
        camera.fit(inner, (foot, -0.3), (head, self.peg_top))
        count = shape.columns
        x, z = self._x, self._z
        rows = np.repeat(np.arange(shape.rows), count)
        cells = np.stack([np.tile(x, shape.rows), rows * RISE + RADIUS, np.tile(z, shape.rows)], axis=1)
        seen = camera.project(cells)
        sizes = np.maximum(4, np.round(2 * RADIUS * seen[:, 2])).astype(int)
        self._left = np.round(seen[:, 0] - sizes / 2).astype(int).tolist()
        self._upper = np.round(seen[:, 1] - sizes / 2).astype(int).tolist()
        self._size = sizes.tolist()
        self._cells = seen.tolist()
        far = camera.distances(x, z)
        near, reach = far.min(), max(1e-6, float(np.ptp(far)))
        deep = np.minimum(pieces.FOG_LEVELS - 1, ((far - near) / reach * pieces.FOG_LEVELS).astype(int))
        self._fog = (deep if shape.depth > 1 else deep * 0).tolist()
        self._order = np.argsort(-far, kind="stable").tolist()
        self._rank = np.argsort(np.argsort(far, kind="stable")).tolist()
        self._base = camera.project(np.stack([x, np.zeros(count), z], axis=1)).tolist()
        self._top = camera.project(np.stack([x, np.full(count, self.peg_top), z], axis=1)).tolist()
        self.plate.shape(theme, camera, shape.cols, shape.depth)

    def _point(self, action: int, height: float) -> tuple[float, float, float]:
        return self.camera.point(float(self._x[action]), height, float(self._z[action]))

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in pixels."""
        self._prepare()
        return self._cells[cell][0], self._cells[cell][1]

    def column_top(self, action: int) -> tuple[float, float]:
        """The top of a peg in pixels."""
        self._prepare()
        return self._top[action][0], self._top[action][1]

    def action_at(self, position: tuple[float, float], picture: Picture) -> int | None:
        """The stone under the pointer, else the nearest peg, else the square of the plate."""
        self._prepare()
        shape = picture.shape
        if not self.rect.collidepoint(position):
            return None
        heights = picture.state.heights
        best, found = 1e9, None
        unit = self.camera.scale
        for action in reversed(self._order):
            # Front to back: a later column must be clearly nearer to the pointer to win over one in front of it.
            distance = self._distance(position, action, heights[action])
            if distance < best - PEG_WINS:
                best, found = distance, action
                if distance <= 0:
                    break
        if best <= unit * 0.3:
            return found
        ground = self.camera.on_plane(position, 0.0)
        if ground is not None:
            col = round(ground[0] + (shape.cols - 1) / 2)
            depth = round(ground[1] + (shape.depth - 1) / 2)
            if 0 <= col < shape.cols and 0 <= depth < shape.depth:
                return depth * shape.cols + col
        return found if best <= unit * 0.5 else None

    def _distance(self, position: tuple[float, float], action: int, height: int) -> float:
        """Pixels from a position to what is visible of a column: 0 on a stone, else to the free peg above them."""
        columns = len(self._base)
        near = 1e9
        for cell in range(action, height * columns, columns):
            x, y, factor = self._cells[cell]
            near = min(near, hypot(position[0] - x, position[1] - y) - RADIUS * factor)
        if near <= 0:
            return 0.0
        if height * columns + action >= len(self._cells):
            return near + PEG_WINS  # a full column has no peg; a stone counts only where it is hit
        x0, y0, _ = self._base[action] if height == 0 else self._cells[(height - 1) * columns + action]
        x1, y1, _ = self._top[action]
        dx, dy = x1 - x0, y1 - y0
        along = ((position[0] - x0) * dx + (position[1] - y0) * dy) / max(1e-9, dx * dx + dy * dy)
        along = min(1.0, max(0.0, along))
        return hypot(position[0] - x0 - along * dx, position[1] - y0 - along * dy)

    def step(self, action: int, direction: int) -> int | None:
        """The neighbour that lies most nearly in that direction on screen."""
        assert self._shape is not None
        return self.camera.neighbour(self._shape, action, direction)

    # --- drawing --------------------------------------------------------------------------------------------

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one moment."""
        self._prepare()
        key = (self.theme, self._stamp, picture.without_values())
        self._still.draw(surface, self.rect, key, lambda: self._draw_board(surface, picture))
        self._draw_shades(surface, picture)
        place_labels(surface, self.theme, picture.overlay, [(x, y) for x, y, _ in self._top], self._rank, self.rect)

    def _draw_shades(self, surface: pygame.Surface, picture: Picture) -> None:
        """How good every place is where a stone may land."""
        for action, worth in picture.overlay.worth.items():
            row = picture.landing_row(action)
            if row is not None:
                x, y, factor = self._point(action, row * RISE)
                width = max(8, round(2 * RADIUS * factor))
                image = pieces.shade(self.theme, width, max(4, round(width * sin(self.camera.pitch))), worth)
                pieces.place(surface, image, (x, y))

    def _draw_board(self, surface: pygame.Surface, picture: Picture) -> None:
        """All but the labels."""
        self.plate.draw(surface)
        self._draw_shadows(surface, picture)
        faint = picture.faint()
        winners = picture.winners()
        for action in self._order:
            self._draw_column(surface, picture, action, faint, winners)
        self._draw_marks(surface, picture)
        if picture.coordinates:
            self._draw_coordinates(surface, picture.overlay.chosen)

    def _draw_shadows(self, surface: pygame.Surface, picture: Picture) -> None:
        heights = picture.state.heights
        strength = 150 if self.theme.dark else 70
        slant = sin(self.camera.pitch)
        falling = picture.fall
        for action, (x, y, factor) in enumerate(self._base):
            if heights[action]:
                width = 2.5 * RADIUS * factor
                pieces.place(surface, self._spot(width, slant, strength), (x + width * 0.06, y))
            else:
                pieces.place(surface, self._spot(0.5 * factor, slant, strength), (x, y))
                if falling is not None and falling.action == action:
                    near = 1 - falling.row / (picture.shape.rows + 1)
                    width = (1.2 + 1.3 * near) * RADIUS * factor
                    pieces.place(surface, self._spot(width, slant, round(strength * near) // 10 * 10), (x, y))

    @staticmethod
    def _spot(width: float, slant: float, opacity: int) -> pygame.Surface:
        across = max(4, round(width / 2) * 2)
        return pieces.spot(across, round(across * slant / 2) * 2, opacity)

    def _stone(self, seat: int, diameter: int, look: str, fog: int) -> pygame.Surface:
        key = (seat, diameter, look, fog)
        image = self._images.get(key)
        if image is None:
            image = self._images[key] = pieces.stone(self.theme, seat, diameter, look, fog)
        return image

    def _draw_column(
        self, surface: pygame.Surface, picture: Picture, action: int, faint: list[bool], winners: frozenset[int]
    ) -> None:
        state, fall = picture.state, picture.fall
        count, height, fog = len(self._base), state.heights[action], self._fog[action]
        left, upper, size, cells, stone = self._left, self._upper, self._size, state.cells, self._stone
        surface.fblits(
            [
                (
                    stone(cells[cell] - 1, size[cell], "faint" if faint[cell] else "full", fog),
                    (left[cell], upper[cell]),
                )
                for cell in range(action, height * count, count)
            ]
        )
        if winners:
            for cell in range(action, height * count, count):
                if cell in winners:
                    pieces.place(surface, pieces.winner(cells[cell] - 1, size[cell]), self._cells[cell][:2])
        elif picture.last is not None and picture.last % count == action:
            ring = pieces.last_ring(size[picture.last], self.theme.text)
            pieces.place(surface, ring, self._cells[picture.last][:2])
        if height < picture.shape.rows or fall is not None:
            self._draw_peg(surface, picture, action, height)
        if fall is not None and fall.action == action:
            x, y, factor = self._point(action, fall.row * RISE + RADIUS)
            image = stone(fall.seat, max(4, round(2 * RADIUS * factor)), "full", fog)
            pieces.place(surface, image, (x, y))
            above = fall.row * RISE + 2 * RADIUS
            if above < self.peg_top:
                self._peg_line(surface, picture, action, self._point(action, above))
        if picture.overlay.chosen == action:
            self._draw_ghost(surface, picture, action)

    def _draw_peg(self, surface: pygame.Surface, picture: Picture, action: int, height: int) -> None:
        start = (
            tuple(self._base[action]) if height == 0 else self._point(action, (height - 1) * RISE + 2 * RADIUS - 0.03)
        )
        self._peg_line(surface, picture, action, start)

    def _peg_line(self, surface: pygame.Surface, picture: Picture, action: int, start: tuple[float, ...]) -> None:
        theme, top = self.theme, self._top[action]
        chosen = picture.overlay.chosen == action
        aside = picture.focus not in (None, action // picture.shape.cols)
        width = max(2, min(6, round((0.07 if chosen else 0.046) * top[2])))
        if chosen:
            colour = self._chosen_colour(picture)
        else:
            colour = blend(
                theme.wall_top if theme.dark else theme.wall,
                theme.ground,
                0.75 if aside else 0.3 + 0.13 * self._fog[action],
            )
        pygame.draw.aaline(surface, colour, start[:2], (top[0], top[1]), width)
        if width > 2:
            pygame.draw.aacircle(surface, colour, (top[0], top[1]), width / 2)

    def _chosen_colour(self, picture: Picture) -> Colour:
        seat = picture.overlay.ghost_seat
        return self.theme.text if seat is None else pieces.stone_colour(seat)

    def _draw_ghost(self, surface: pygame.Surface, picture: Picture, action: int) -> None:
        """The landing shadow and the ghost stone, where the painter's order puts them."""
        row = picture.ghost_row()
        seat = picture.overlay.ghost_seat
        if row is None or seat is None:
            return
        x, y, factor = self._point(action, row * RISE)
        width = max(8, round(2.3 * RADIUS * factor))
        flat = max(4, round(width * sin(self.camera.pitch)))
        colour = pieces.stone_colour(seat)
        pieces.place(surface, pieces.oval(width, flat, colour, 2), (x, y))
        cell = row * len(self._base) + action
        image = self._stone(seat, self._size[cell], "ghost", self._fog[action])
        surface.blit(image, (self._left[cell], self._upper[cell]))

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        """What must be seen even behind other stones: last move, hint, landing place, drop line, winning lines."""
        overlay, theme = picture.overlay, self.theme
        if picture.last is not None and not picture.lines:
            ring = pieces.last_ring(self._size[picture.last], theme.text, 90)
            pieces.place(surface, ring, self._cells[picture.last][:2])
        hint = picture.landing_row(overlay.hint)
        if hint is not None and overlay.hint is not None:
            cell = hint * len(self._base) + overlay.hint
            pieces.place(surface, pieces.hint_ring(self._size[cell] + 4, theme.thinking), self._cells[cell][:2])
        row = picture.ghost_row()
        falling = picture.fall.action if picture.fall is not None else None
        if row is not None and overlay.chosen not in (None, falling):
            self._draw_drop_line(surface, picture, overlay.chosen, row)
        if overlay.cursor is not None:
            x, y, _ = self._top[overlay.cursor]
            pieces.place(surface, pieces.pointer(theme.px(16), ACCENT.on(theme)), (x, y - theme.px(11)))
        for line in picture.lines:
            start, end = self._cells[line[0]], self._cells[line[-1]]
            pieces.line_through(surface, start[:2], end[:2], picture.drawn, start[2] * 0.07)

    def _draw_drop_line(self, surface: pygame.Surface, picture: Picture, action: int, row: int) -> None:
        colour = self._chosen_colour(picture)
        cell = row * len(self._base) + action
        pieces.place(surface, shapes.ring(self._size[cell], 2.0, colour), self._cells[cell][:2])
        pole = self._point(action, row * RISE + 2 * RADIUS)
        x1, y1, _ = self._top[action]
        length = hypot(x1 - pole[0], y1 - pole[1])
        for number in range(int(length / 9)):
            start, end = number * 9 / length, min(1.0, (number * 9 + 5) / length)
            pygame.draw.aaline(
                surface,
                colour,
                (x1 + (pole[0] - x1) * start, y1 + (pole[1] - y1) * start),
                (x1 + (pole[0] - x1) * end, y1 + (pole[1] - y1) * end),
                2,
            )

    def _draw_coordinates(self, surface: pygame.Surface, chosen: int | None) -> None:
        """Column and depth numbers along the two near edges of the plate."""
        shape = self._shape
        assert shape is not None
        near_z = -1 if cos(self.camera.yaw) > 0 else 1
        near_x = 1 if sin(self.camera.yaw) > 0 else -1
        out = EDGE + 0.24
        for col in range(shape.cols):
            x, y, _ = self.camera.point(col - (shape.cols - 1) / 2, -THICK, near_z * ((shape.depth - 1) / 2 + out))
            strong = chosen is not None and chosen % shape.cols == col
            pieces.number(surface, self.theme, col + 1, (x, y), strong)
        if shape.depth > 1:
            for depth in range(shape.depth):
                x, y, _ = self.camera.point(
                    near_x * ((shape.cols - 1) / 2 + out), -THICK, depth - (shape.depth - 1) / 2
                )
                strong = chosen is not None and chosen // shape.cols == depth
                pieces.number(surface, self.theme, depth + 1, (x, y), strong)
