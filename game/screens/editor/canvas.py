"""The drawing on the screen: every square as it will look in the game, with what the editor lays over it.

Unlike the board of a game it shows any drawing, also one without a player or with open sides. Squares are drawn into
one surface; a change draws only the squares that it touches and their neighbours, because walls join.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase

import pygame

from game.rules.editing.drawings import Drawing
from game.rules.sokoban import BOX_ON_TARGET, KIND, WALL
from game.rules.sokoban.array import BOXES, PLAYERS, TARGETS, box_letter, target_letter
from game.ui import shapes, text
from game.ui.surfaces import kept
from game.ui.theme import Theme, ThemeName
from game.views.sokoban import letters
from game.views.sokoban import marks as board_marks
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.layer import target_picture
from game.views.sokoban.pieces import Pieces
from game.views.sokoban.walls import AROUND, floor_shade, floor_surface, wall_surface

LARGEST_CELL = 84
"""Units (see Theme.px): small maps do not grow beyond this."""
LEAST_BADGE = 24
"""Pixels a square from which on a fault wears a sign besides its frame."""
PICTURE_SIDE, PICTURE_CELL = 2048, 64
"""The longer side of an exported picture at most, and the side of its squares at most, in pixels."""
LEAST_CELL, LARGEST_THUMBNAIL_CELL = 6, 40
"""Pixels a square in a small picture: smaller ones are drawn larger and brought to size."""
FACING = 2


@dataclass(frozen=True, slots=True)
class Marks:
    """What is laid over the drawing; squares are row * cols + col."""

    faults: frozenset[int] = frozenset()
    """Squares with which something is wrong."""
    notes: frozenset[int] = frozenset()
    """Squares with which something is odd."""
    touched: tuple[int, ...] = ()
    """Squares that the stroke under way, or a click, would change."""
    cursor: int | None = None
    """The keyboard's square."""


class Canvas:
    """One drawing in a rectangle. Call `layout` and `show` before drawing."""

    def __init__(self, theme: Theme) -> None:
        """Shows nothing yet."""
        self.theme = theme
        self.area = pygame.Rect(0, 0, 0, 0)
        self.board = pygame.Rect(0, 0, 0, 0)
        self.cell = 1
        self.zoom = 1.0
        """How much larger than what fits as a whole."""
        self.drawing: Drawing | None = None
        self._tiles: Tiles | None = None
        self._layer: pygame.Surface | None = None

    def layout(self, rect: pygame.Rect, theme: Theme) -> None:
        """Centre the drawing in `rect`, whole and with square cells of whole pixels."""
        self.area, self.theme = pygame.Rect(rect), theme
        self._layer = None
        self._fit()

    def show(self, drawing: Drawing) -> None:
        """Show a drawing at once."""
        before, self.drawing = self.drawing, drawing
        if before == drawing:
            return
        if before is None or (before.rows, before.cols) != (drawing.rows, drawing.cols):
            self._layer, self.zoom = None, 1.0
            self._fit()
        elif self._layer is not None and self._tiles is not None:
            changed = [
                at for at, (old, new) in enumerate(zip(before.cells, drawing.cells, strict=True)) if old != new
            ]
            self._tiles.draw(self._layer, drawing, _with_neighbours(drawing, changed))

    def square_at(self, position: tuple[float, float], held: bool = False) -> int | None:
        """The square under a point in pixels; None off the board, or with `held` the nearest one."""
        drawing = self.drawing
        inside = self.board.collidepoint(position) and self.area.collidepoint(position)
        if drawing is None or not (held or inside):
            return None
        col = min(max(0, int(position[0] - self.board.x) // self.cell), drawing.cols - 1)
        row = min(max(0, int(position[1] - self.board.y) // self.cell), drawing.rows - 1)
        return row * drawing.cols + col

    def rect_of(self, square: int) -> pygame.Rect:
        """Where a square is, in pixels."""
        return pygame.Rect(self._place(square), (self.cell, self.cell))

    def draw(self, surface: pygame.Surface, marks: Marks) -> None:
        """The drawing and its marks."""
        drawing = self.drawing
        if drawing is None or not self.area:
            return
        if self._layer is None or self._tiles is None:
            self._tiles = Tiles(self.cell, self.theme)
            self._layer = self._tiles.picture(drawing)
        theme, cell = self.theme, self.cell
        clip = surface.get_clip()
        surface.set_clip(self.area)
        surface.blit(self._layer, self.board)
        for second in (False, True):
            for square in drawing.squares(PLAYERS, second):
                surface.blit(*self._tiles.keeper_at(self._place(square), second))
        frame = board_marks.outline(cell, theme.bad, 0.07, 0.2)
        surface.fblits([(frame, self._place(square)) for square in marks.faults])
        faint = board_marks.outline(cell, theme.muted, 0.05, 0.12)
        surface.fblits([(faint, self._place(square)) for square in marks.notes])
        if cell >= LEAST_BADGE:
            for square in marks.faults:
                self._draw_badge(surface, square)
        touched = board_marks.outline(cell, ACCENT.on(theme), 0.04, 0.12)
        surface.fblits([(touched, self._place(square)) for square in marks.touched])
        if marks.cursor is not None:
            surface.blit(board_marks.brackets(cell, ACCENT.on(theme), theme.ground), self._place(marks.cursor))
        surface.set_clip(clip)

    def zoom_by(self, factor: float, at: tuple[int, int] | None = None) -> bool:
        """Draw squares larger or smaller, the point `at` (the middle where None) staying in place; False at an end."""
        before, (x, y) = self.cell, at or self.area.center
        across, down = (x - self.board.x) / self.cell, (y - self.board.y) / self.cell
        largest = max(1.0, self.theme.px(LARGEST_CELL) / max(1, self._fitting()))
        self.zoom = min(largest, max(1.0, self.zoom * factor))
        self._layer = None
        self._fit()
        self.board.topleft = (round(x - across * self.cell), round(y - down * self.cell))
        self._keep_inside()
        return self.cell != before

    def pan(self, across: int, down: int) -> None:
        """Move the drawing by pixels, as far as there is more to see."""
        self.board.move_ip(across, down)
        self._keep_inside()

    def reveal(self, square: int) -> None:
        """Bring a square and those next to it into view."""
        rect = self.rect_of(square).inflate(2 * self.cell, 2 * self.cell)
        self.pan(min(0, self.area.right - rect.right) or max(0, self.area.left - rect.left),
                 min(0, self.area.bottom - rect.bottom) or max(0, self.area.top - rect.top))  # fmt: skip

    def _draw_badge(self, surface: pygame.Surface, square: int) -> None:
        theme, (x, y) = self.theme, self._place(square)
        side = max(14, min(theme.px(20), self.cell // 3))
        box = pygame.Rect(x + self.cell - side - 2, y + 2, side, side)
        surface.blit(shapes.disc(side, theme.bad), box)
        ink = theme.ink_on(theme.bad)
        text.draw(surface, theme, "!", box.center, size=side * 0.72 / theme.scale, weight="bold", colour=ink,
                  anchor="center")  # fmt: skip

    def _place(self, square: int) -> tuple[int, int]:
        row, col = divmod(square, self.drawing.cols if self.drawing else 1)
        return self.board.x + col * self.cell, self.board.y + row * self.cell

    def _fit(self) -> None:
        if self.drawing is None or not self.area:
            return
        rows, cols = self.drawing.rows, self.drawing.cols
        self.cell = round(self._fitting() * self.zoom)
        self.board = pygame.Rect(0, 0, cols * self.cell, rows * self.cell)
        self.board.center = self.area.center

    def _fitting(self) -> int:
        """The side of the squares with which all of the drawing is in view."""
        if self.drawing is None:
            return 1
        wide, high = self.area.width // self.drawing.cols, self.area.height // self.drawing.rows
        return max(1, min(wide, high, self.theme.px(LARGEST_CELL)))

    def _keep_inside(self) -> None:
        """No gap between the drawing and the area's edges where the drawing is larger; else it is in the middle."""
        board, area = self.board, self.area
        board.left = min(area.left, max(board.left, area.right - board.width)) if board.width > area.width else (
            area.centerx - board.width // 2
        )  # fmt: skip
        board.top = min(area.top, max(board.top, area.bottom - board.height)) if board.height > area.height else (
            area.centery - board.height // 2
        )  # fmt: skip


class Tiles:
    """Draws squares of `cell` pixels."""

    def __init__(self, cell: int, theme: Theme) -> None:
        self.cell, self.name = cell, theme.name
        self.pieces = Pieces(cell)
        self.ground = theme.ground

    def picture(self, drawing: Drawing) -> pygame.Surface:
        """All of a drawing but its players."""
        layer = pygame.Surface((drawing.cols * self.cell, drawing.rows * self.cell))
        self.draw(layer, drawing, range(drawing.rows * drawing.cols))
        return layer

    def draw(self, layer: pygame.Surface, drawing: Drawing, squares: Iterable[int]) -> None:
        """Some squares of a drawing, without players."""
        cell, cols = self.cell, drawing.cols
        placed: list[tuple[pygame.Surface, tuple[int, int]]] = []
        for square in squares:
            row, col = divmod(square, cols)
            number, place = drawing.cells[square], (col * cell, row * cell)
            kind, walls = number & KIND, _around(drawing, row, col, WALL)
            letter, other = _shown(box_letter(number)), _shown(target_letter(number))
            layer.fill(self.ground, (place, (cell, cell)))
            if kind == WALL:
                placed.append((wall_surface(walls, cell, self.name, _around(drawing, row, col) & ~walls), place))
                continue
            placed.append((floor_surface(cell, (row + col) % 2 == 1, self.name), place))
            if walls:
                placed.append((floor_shade(walls, cell, self.name), place))
            if kind in TARGETS and kind != BOX_ON_TARGET:
                placed.append((self._target(other), place))
            if kind in BOXES:
                home = kind == BOX_ON_TARGET and letter == other
                placed.append((self.pieces.box("home" if home else "box", letter), place))
                if other and not home:
                    placed.append((letters.tag(cell, other), place))
        layer.fblits(placed)

    def _target(self, letter: str) -> pygame.Surface:
        """The mark of a target, cut to its square."""
        target = target_picture(self.cell, letter, self.name)
        middle = pygame.Rect(0, 0, self.cell, self.cell)
        middle.center = target.get_rect().center
        return target.subsurface(middle.clip(target.get_rect()))

    def keeper_at(self, place: tuple[int, int], second: bool = False) -> tuple[pygame.Surface, tuple[int, int]]:
        """A player's picture, and where it goes for the square at `place`."""
        image = self.pieces.keeper(FACING, None, 0, False, second)
        extra = image.get_width() - self.cell
        return image, (place[0] - extra // 2, place[1] - (image.get_height() - self.cell))


def picture(drawing: Drawing, theme: Theme, cell: int = 0) -> pygame.Surface:
    """A still picture of a drawing, with squares of `cell` pixels; as for a file unless given."""
    cell = cell or max(8, min(PICTURE_CELL, PICTURE_SIDE // max(drawing.rows, drawing.cols)))
    tiles = Tiles(cell, theme)
    surface = tiles.picture(drawing)
    for second in (False, True):
        for square in drawing.squares(PLAYERS, second):
            row, col = divmod(square, drawing.cols)
            surface.blit(*tiles.keeper_at((col * cell, row * cell), second))
    return surface


def drawing_thumbnail(drawing: Drawing, theme: Theme, size: tuple[int, int]) -> pygame.Surface:
    """A drawing in the middle of exactly `size` pixels, for lists. The surface is shared: do not draw on it."""
    return _thumbnail(drawing, theme.name, size)


@kept
def _thumbnail(drawing: Drawing, name: ThemeName, size: tuple[int, int]) -> pygame.Surface:
    fits = min(size[0] // drawing.cols, size[1] // drawing.rows)
    still = picture(drawing, Theme(name), min(LARGEST_THUMBNAIL_CELL, fits) if fits >= LEAST_CELL else 2 * LEAST_CELL)
    share = min(size[0] / still.get_width(), size[1] / still.get_height(), 1.0)
    small = pygame.transform.smoothscale_by(still, share) if share < 1 else still
    made = pygame.Surface(size, pygame.SRCALPHA)
    made.blit(small, small.get_rect(center=(size[0] // 2, size[1] // 2)))
    return made


def _shown(letter: int) -> str:
    """The letter with a number, 1 for a; empty for 0."""
    return ascii_lowercase[letter - 1] if letter else ""


def _around(drawing: Drawing, row: int, col: int, kind: int | None = None) -> int:
    """Which of the eight neighbours are on the map (and of a kind), as `game.views.sokoban.walls` counts them."""
    mask = 0
    for bit, (down, across) in enumerate(AROUND):
        r, c = row + down, col + across
        if 0 <= r < drawing.rows and 0 <= c < drawing.cols:
            mask |= (kind is None or drawing.cells[r * drawing.cols + c] & KIND == kind) << bit
    return mask


def _with_neighbours(drawing: Drawing, squares: Iterable[int]) -> set[int]:
    found = set()
    for square in squares:
        row, col = divmod(square, drawing.cols)
        for down in (-1, 0, 1):
            for across in (-1, 0, 1):
                if 0 <= row + down < drawing.rows and 0 <= col + across < drawing.cols:
                    found.add((row + down) * drawing.cols + col + across)
    return found
