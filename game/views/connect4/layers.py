"""The layers view: every row of the board as a floor of its own, the floors stacked apart so that all stones show.

The projection has no perspective; dragging turns the stack. Tall boards stand in two or three stacks side by side,
whichever makes the stones largest, read from the bottom upwards, each line from left to right.
"""

from math import ceil, cos, hypot, radians, sin

import numpy as np
import pygame

from game.rules.connect4 import Shape
from game.ui import shapes, text
from game.ui.still import Still
from game.ui.theme import FONT_SMALL, Colour, Theme, blend
from game.views.connect4 import pieces
from game.views.connect4.accent import ACCENT
from game.views.connect4.camera import Camera
from game.views.connect4.labels import place_labels
from game.views.connect4.picture import Picture
from game.views.connect4.plate import filled, rounded

HOME = radians(-32)
PITCH = radians(30)
RADIUS = 0.38
EDGE = 0.56
OVERLAP = 0.2
"""Share of a floor's height that the next one may cover: floors are translucent."""
ONE_STACK = 1.4
"""How much smaller stones may be for the sake of one single stack."""


class LayersView:
    """Floors stacked apart."""

    def __init__(self) -> None:
        self.camera = Camera(yaw=HOME, pitch=PITCH)
        self._still = Still()
        self._stamp: tuple[float, ...] = ()

    def reset(self) -> None:
        """Turn back to the first camera."""
        self.camera.yaw = HOME

    def layout(self, theme: Theme, shape: Shape, rect: pygame.Rect) -> None:
        """Take this place."""
        self.theme, self.shape, self.rect = theme, shape, rect
        depth, col = np.divmod(np.arange(shape.columns), shape.cols)
        self._x, self._z = col - (shape.cols - 1) / 2, depth - (shape.depth - 1) / 2
        self._images: dict[tuple[int, str], pygame.Surface] = {}
        self._stamp = ()
        self._arrange()

    def _arrange(self) -> None:
        """How many stacks, how large a unit, how far apart the floors."""
        shape, theme = self.shape, self.theme
        inner = self.rect.inflate(-2 * theme.px(16), 0)
        inner.top, inner.height = self.rect.top + theme.px(40), self.rect.height - theme.px(56)
        reach = hypot(shape.cols - 1 + 2 * EDGE, shape.depth - 1 + 2 * EDGE) / 2
        floor, stone = 2 * reach * sin(PITCH), 2 * RADIUS * cos(PITCH)
        best = (0.0, 1, 0.0, 0.0)
        for stacks in range(1, min(3, shape.rows) + 1):
            levels = ceil(shape.rows / stacks)
            gap = floor * (1 - OVERLAP) + stone
            unit = min(inner.width / stacks / (2 * reach + 0.4), inner.height / ((levels - 1) * gap + floor + stone))
            worth = unit * (ONE_STACK if stacks == 1 else 1)
            if worth > best[0]:
                best = (worth, stacks, unit, gap)
        _, stacks, unit, gap = best
        self.levels = ceil(shape.rows / stacks)
        self.unit = min(unit, theme.px(92.0))
        camera = self.camera
        camera.scale = self.unit
        spare = (inner.height - (floor + stone) * self.unit) / max(1, self.levels - 1)
        self.gap = max(gap * self.unit, min(spare, (floor + stone) * self.unit))
        high = (self.levels - 1) * self.gap + (floor + stone) * self.unit
        low = inner.centery + high / 2 - floor / 2 * self.unit
        wide = min(inner.width / stacks, (2 * reach + 1.2) * self.unit)
        self.offsets = [
            (inner.centerx + (row % stacks - (stacks - 1) / 2) * wide, low - row // stacks * self.gap)
            for row in range(shape.rows)
        ]
        self.diameter = max(6, round(RADIUS * self.unit) * 2)

    def _prepare(self) -> None:
        stamp = (self.camera.yaw, self.unit, *self.rect)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        camera, shape = self.camera, self.shape
        camera.x = camera.y = 0.0
        flat = np.stack([self._x, np.zeros(shape.columns), self._z], axis=1)
        self._tile = [(x, y) for x, y, _ in camera.project(flat).tolist()]
        self._beside = min(x for x, _ in self._tile), max(y for _, y in self._tile) * 0.2
        self._lift = RADIUS * cos(PITCH) * self.unit
        self._order = np.argsort(-camera.distances(self._x, self._z), kind="stable").tolist()
        self._rank = np.argsort(np.argsort(camera.distances(self._x, self._z), kind="stable")).tolist()
        self._plate, self._plate_at = self._draw_plate()
        square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        self._square = self._pixels(square * 0.92)

    def _pixels(self, points: np.ndarray) -> list[tuple[float, float]]:
        world = np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=1)
        return [(x, y) for x, y, _ in self.camera.project(world).tolist()]

    def _draw_plate(self) -> tuple[pygame.Surface, tuple[int, int]]:
        """One translucent floor with its squares, and where its middle is in the drawing."""
        shape, theme = self.shape, self.theme
        half_x, half_z = (shape.cols - 1) / 2 + EDGE, (shape.depth - 1) / 2 + EDGE
        outline = self._pixels(rounded(half_x, half_z, 0.3))
        left, top = min(x for x, _ in outline) - 3, min(y for _, y in outline) - 3
        image = pygame.Surface((round(-2 * left) + 1, round(-2 * top) + 8), pygame.SRCALPHA)
        moved = [(x - left, y - top) for x, y in outline]
        face = blend(theme.surface, theme.raised, 0.7) if theme.dark else blend(theme.raised, theme.line, 0.35)
        rim = blend(theme.line, theme.wall, 0.3 if theme.dark else 0.55)
        image.fill((face.r, face.g, face.b, 0))  # so that smooth edges blend with the face and not with black
        filled(image, blend(theme.ground, theme.line, 0.5), [(x, y + 3) for x, y in moved])
        filled(image, face, moved)
        grid = blend(face, theme.line, 0.6) if theme.dark else blend(theme.line, theme.wall, 0.2)
        lines = [((x, -half_z), (x, half_z)) for x in np.arange(shape.cols - 1) - (shape.cols - 2) / 2]
        lines += [((-half_x, z), (half_x, z)) for z in np.arange(shape.depth - 1) - (shape.depth - 2) / 2]
        if lines:
            ends = [(x - left, y - top) for x, y in self._pixels(np.array(lines).reshape(-1, 2))]
            for start, end in zip(ends[::2], ends[1::2], strict=True):
                pygame.draw.aaline(image, grid, start, end)
        pygame.draw.aalines(image, rim, True, moved)
        image.fill((255, 255, 255, 205), special_flags=pygame.BLEND_RGBA_MULT)
        return image, (round(-left), round(-top))

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """The middle of the stone in a cell, in pixels."""
        row, action = divmod(cell, self.shape.columns)
        x, y = self._square_centre(row, action)
        return x, y - self._lift

    def _square_centre(self, row: int, action: int) -> tuple[float, float]:
        self._prepare()
        (x, y), (over, down) = self._tile[action], self.offsets[row]
        return x + over, y + down

    def column_top(self, action: int) -> tuple[float, float]:
        """Above the square of a column on the uppermost floor."""
        x, y = self._square_centre(self.shape.rows - 1, action)
        return x, y - 1.4 * self._lift

    def action_at(self, position: tuple[float, float], picture: Picture) -> int | None:
        """The stone under a position, else the square of the uppermost floor there."""
        self._prepare()
        shape = self.shape
        for row in reversed(range(shape.rows)):
            for action in reversed(self._order):
                if picture.state.heights[action] > row:
                    x, y = self.cell_centre(row * shape.columns + action)
                    if hypot(position[0] - x, position[1] - y) <= self.diameter / 2:
                        return int(action)
            over, down = self.offsets[row]
            ground = self.camera.on_plane((position[0] - over, position[1] - down), 0.0)
            if ground is None:
                continue
            col, depth = round(ground[0] + (shape.cols - 1) / 2), round(ground[1] + (shape.depth - 1) / 2)
            if 0 <= col < shape.cols and 0 <= depth < shape.depth:
                return depth * shape.cols + col
        return None

    def step(self, action: int, direction: int) -> int | None:
        """The neighbour that lies most nearly in that direction on screen."""
        return self.camera.neighbour(self.shape, action, direction)

    # --- drawing --------------------------------------------------------------------------------------------

    def _stone(self, seat: int, look: str) -> pygame.Surface:
        image = self._images.get((seat, look))
        if image is None:
            image = pieces.stone(self.theme, seat, self.diameter, look)
            self._images[seat, look] = image
        return image

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one moment."""
        self._prepare()
        key = (self.theme, self._stamp, picture.without_values())
        self._still.draw(surface, self.rect, key, lambda: self._draw_board(surface, picture))
        self._draw_shades(surface, picture)
        tops = [self.column_top(action) for action in range(self.shape.columns)]
        place_labels(surface, self.theme, picture.overlay, tops, self._rank, self.rect)

    def _draw_shades(self, surface: pygame.Surface, picture: Picture) -> None:
        """How good every square is on which a stone may land."""
        for action, worth in picture.overlay.worth.items():
            row = picture.landing_row(action)
            if row is not None:
                image = pieces.shade(self.theme, self.diameter, max(4, round(self.diameter * sin(PITCH))), worth)
                pieces.place(surface, image, self._square_centre(row, action))

    def _draw_board(self, surface: pygame.Surface, picture: Picture) -> None:
        """All but the labels."""
        faint = picture.faint()
        for row in range(self.shape.rows):
            self._draw_floor(surface, picture, row, faint)
        self._draw_marks(surface, picture)

    def _draw_floor(self, surface: pygame.Surface, picture: Picture, row: int, faint: list[bool]) -> None:
        shape, theme, overlay = self.shape, self.theme, picture.overlay
        over, down = self.offsets[row]
        surface.blit(self._plate, (round(over) - self._plate_at[0], round(down) - self._plate_at[1]))
        if picture.coordinates:
            beside = (over + self._beside[0] - 0.5 * self.unit, down + self._beside[1])
            text.draw(
                surface, theme, f"row {row + 1}", beside, size=FONT_SMALL, colour=theme.muted, anchor="midright"
            )
        chosen, ghost = overlay.chosen, picture.ghost_row()
        if chosen is not None:
            self._tint(surface, row, chosen, self._colour(picture), strong=ghost == row)
        first = row * shape.columns
        fall = picture.fall
        shade = pieces.spot(self.diameter, round(self.diameter * sin(PITCH)), 190 if theme.dark else 110)
        for action in self._order:
            value = picture.state.cells[first + action]
            if value:
                x, y = self._square_centre(row, action)
                pieces.place(surface, shade, (x + self.unit * 0.04, y))
                pieces.place(
                    surface, self._stone(value - 1, "faint" if faint[first + action] else "full"), (x, y - self._lift)
                )
            elif fall is not None and fall.action == action and min(shape.rows - 1, round(fall.row)) == row:
                x, y = self._square_centre(row, action)
                rise = (fall.row - row) * self.gap
                pieces.place(surface, self._stone(fall.seat, "full"), (x, y - self._lift - rise))
            elif ghost == row and chosen == action and overlay.ghost_seat is not None:
                x, y = self._square_centre(row, action)
                pieces.place(surface, self._stone(overlay.ghost_seat, "ghost"), (x, y - self._lift))

    def _colour(self, picture: Picture) -> Colour:
        seat = picture.overlay.ghost_seat
        return self.theme.text if seat is None else pieces.stone_colour(seat)

    def _tint(self, surface: pygame.Surface, row: int, action: int, colour: Colour, strong: bool) -> None:
        x, y = self._square_centre(row, action)
        corners = [(x + dx, y + dy) for dx, dy in self._square]
        if strong:
            pygame.draw.polygon(surface, blend(self.theme.raised, colour, 0.35), corners)
        pygame.draw.aalines(surface, blend(self.theme.raised, colour, 0.9 if strong else 0.6), True, corners)

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        overlay, theme, size = picture.overlay, self.theme, self.diameter
        if picture.last is not None and not picture.lines:
            pieces.place(surface, pieces.last_ring(size, theme.text), self.cell_centre(picture.last))
        hint = picture.landing_row(overlay.hint)
        if hint is not None and overlay.hint is not None:
            image = pieces.hint_ring(size + 2, theme.thinking)
            pieces.place(surface, image, self.cell_centre(hint * self.shape.columns + overlay.hint))
        row = picture.ghost_row()
        if row is not None and overlay.chosen is not None:
            image = shapes.ring(size, 2.0, self._colour(picture))
            pieces.place(surface, image, self.cell_centre(row * self.shape.columns + overlay.chosen))
        if overlay.cursor is not None:
            x, y = self.column_top(overlay.cursor)
            pieces.place(surface, pieces.pointer(theme.px(16), ACCENT.on(theme)), (x, y))
        for cell in sorted(picture.winners()):
            pieces.place(surface, pieces.winner(picture.state.cells[cell] - 1, size), self.cell_centre(cell))
        for line in picture.lines:
            if len({cell // self.shape.columns for cell in line}) == 1:
                ends = self.cell_centre(line[0]), self.cell_centre(line[-1])
                pieces.line_through(surface, *ends, picture.drawn, size * 0.09)
