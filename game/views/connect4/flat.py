"""The flat view: the board from the front in one rack, or a deep board as its slices, one rack for each depth."""

from math import ceil

import pygame

from game.rules.connect4 import Shape
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme
from game.views.connect4 import pieces
from game.views.connect4.accent import ACCENT
from game.views.connect4.labels import place_labels
from game.views.connect4.picture import Picture
from game.views.connect4.rack import FOOT, PAD, Rack

ABOVE, ABOVE_SLICE = 1.04, 0.36
"""Room above a rack in cells: for the waiting stone, above a slice for a pointer only."""
NARROW = 34
"""Units of a cell below which values stand above columns as bare text."""
LARGEST = 116
"""Units of a cell at most."""


class FlatView:
    """Racks in a grid that makes their cells as large as the place allows."""

    def __init__(self) -> None:
        self.racks: list[Rack] = []
        self.across = 1

    def layout(self, theme: Theme, shape: Shape, rect: pygame.Rect) -> None:
        """Take this place."""
        self.theme, self.shape = theme, shape
        self.rect = rect = rect.inflate(-2 * theme.px(6), -2 * theme.px(6))
        self._images: dict[tuple[int, str], pygame.Surface] = {}
        self._pill = theme.px(24)
        self._flat = shape.depth == 1
        self._above = ABOVE if self._flat else ABOVE_SLICE
        self._round = self._above + 2 * PAD + (FOOT if self._flat else 0)
        under, gap = theme.px(20), theme.px(18)
        best = (0.0, 1)
        for across in range(1, shape.depth + 1):
            best = max(best, (self._cell(across, under, gap), -across))
        self.across = across = -best[1] if best[1] < 0 else 1
        self.size = size = max(6, min(theme.px(LARGEST), int(best[0])))
        down = ceil(shape.depth / across)
        wide = round(shape.cols * size + 2 * PAD * size + (0.5 * size if self._flat else 0))
        high = self._pill + round((shape.rows + self._round) * size) + under
        left = rect.centerx - (across * wide + (across - 1) * gap) // 2
        top = rect.centery - (down * high + (down - 1) * gap // 2) // 2
        self.racks = []
        for depth in range(shape.depth):
            row, col = divmod(depth, across)
            x = left + col * (wide + gap) + (wide - shape.cols * size) // 2
            y = top + row * (high + gap // 2) + self._pill + round((self._above + PAD) * size)
            self.racks.append(Rack(theme, shape.rows, shape.cols, size, x, y, foot=self._flat))

    def _cell(self, across: int, under: int, gap: int) -> float:
        shape, rect = self.shape, self.rect
        down = ceil(shape.depth / across)
        wide = (rect.width - (across - 1) * gap) / across / (shape.cols + 2 * PAD + (0.5 if self._flat else 0))
        high = (rect.height - (down - 1) * gap / 2) / down - self._pill - under
        return min(wide, high / (shape.rows + self._round))

    # --- geometry -------------------------------------------------------------------------------------------

    def cell_centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in pixels."""
        row, action = divmod(cell, self.shape.columns)
        return self._centre(action, row)

    def _centre(self, action: int, row: float) -> tuple[float, float]:
        depth, col = divmod(action, self.shape.cols)
        return self.racks[depth].centre(row, col)

    def column_top(self, action: int) -> tuple[float, float]:
        """Where the waiting stone of a column hovers, or the pointer to it."""
        return self._centre(action, self.shape.rows + (0.12 if self._flat else -0.16))

    def action_at(self, position: tuple[float, float], picture: Picture) -> int | None:
        """The column under a position, the space above its rack included."""
        for depth, rack in enumerate(self.racks):
            col = rack.col_at(position, self._above * self.size + self._pill)
            if col is not None:
                return depth * self.shape.cols + col
        return None

    def step(self, action: int, direction: int) -> int | None:
        """Left and right along the racks, on to the next one at an edge; up and down between racks."""
        depth, col = divmod(action, self.shape.cols)
        if direction in (1, 3):
            side = 1 if direction == 1 else -1
            line = depth // self.across * self.across
            number = (depth - line) * self.shape.cols + col + side
            if not 0 <= number < (min(self.shape.depth, line + self.across) - line) * self.shape.cols:
                return None
            return line * self.shape.cols + number
        other = depth + (self.across if direction == 2 else -self.across)
        return other * self.shape.cols + col if 0 <= other < self.shape.depth else None

    # --- drawing --------------------------------------------------------------------------------------------

    def _stone(self, seat: int, look: str) -> pygame.Surface:
        image = self._images.get((seat, look))
        if image is None:
            rack = self.racks[0]
            image = pieces.stone(self.theme, seat, rack.diameter, look)
            self._images[seat, look] = image
        return image

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw one moment."""
        faint = picture.faint()
        for depth, rack in enumerate(self.racks):
            self._draw_rack(surface, picture, depth, rack, faint)
        self._draw_marks(surface, picture)
        tops = [
            self._centre(action, self.shape.rows + self._above + PAD - 0.56) for action in range(self.shape.columns)
        ]
        narrow = self.size < self.theme.px(NARROW)
        place_labels(surface, self.theme, picture.overlay, tops, [0] * self.shape.columns, self.rect, narrow)

    def _draw_rack(
        self, surface: pygame.Surface, picture: Picture, depth: int, rack: Rack, faint: list[bool]
    ) -> None:
        shape, cells, fall = self.shape, picture.state.cells, picture.fall
        rack.draw_back(surface)
        half = rack.diameter / 2
        stones = []
        for row in range(shape.rows):
            first = (row * shape.depth + depth) * shape.cols
            for cell in range(first, first + shape.cols):
                if cells[cell]:
                    x, y = rack.centre(row, cell - first)
                    image = self._stone(cells[cell] - 1, "faint" if faint[cell] else "full")
                    stones.append((image, (round(x - half), round(y - half))))
        surface.fblits(stones)
        if fall is not None and fall.action // shape.cols == depth:
            pieces.place(surface, self._stone(fall.seat, "full"), rack.centre(fall.row, fall.action % shape.cols))
        chosen, landing = picture.overlay.chosen, picture.ghost_row()
        lit = chosen % shape.cols if chosen is not None and chosen // shape.cols == depth else None
        if lit is not None and landing is not None and picture.overlay.ghost_seat is not None:
            pieces.place(surface, self._stone(picture.overlay.ghost_seat, "ghost"), rack.centre(landing, lit))
        rack.draw_front(surface, lit)
        if picture.coordinates:
            self._draw_numbers(surface, rack, depth, chosen)

    def _draw_numbers(self, surface: pygame.Surface, rack: Rack, depth: int, chosen: int | None) -> None:
        theme = self.theme
        y = rack.cells.bottom + (PAD + (FOOT if self._flat else 0)) * rack.size + theme.px(11)
        here = chosen is not None and chosen // self.shape.cols == depth
        if self._flat:
            for col in range(self.shape.cols):
                pieces.number(surface, theme, col + 1, (rack.centre(0, col)[0], y), chosen == col)
            return
        name = (
            f"column {chosen % self.shape.cols + 1} · depth {depth + 1}"
            if here and chosen is not None
            else f"depth {depth + 1}"
        )
        text.draw(
            surface, theme, name, (rack.cells.centerx, y), size=FONT_SMALL, anchor="center",
            colour=theme.text if here else theme.muted, limit=rack.cells.width + 2 * rack.pad,
        )  # fmt: skip

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        overlay, theme, size = picture.overlay, self.theme, self.size
        hole = self.racks[0].diameter
        if picture.last is not None and not picture.lines:
            pieces.place(surface, pieces.last_ring(hole - 2, theme.text), self.cell_centre(picture.last))
        hint = picture.landing_row(overlay.hint)
        if hint is not None and overlay.hint is not None:
            image = pieces.hint_ring(hole, theme.thinking)
            pieces.place(surface, image, self._centre(overlay.hint, hint))
        for column, worth in overlay.worth.items():
            place = picture.landing_row(column)
            if place is not None:
                pieces.place(surface, pieces.shade(theme, hole, hole, worth * 0.7), self._centre(column, place))
        chosen, row, seat = overlay.chosen, picture.ghost_row(), overlay.ghost_seat
        if chosen is not None and row is not None and seat is not None:
            colour = pieces.stone_colour(seat)
            pieces.place(surface, shapes.ring(hole - 2, max(2.0, size * 0.045), colour), self._centre(chosen, row))
            if self._flat and (picture.fall is None or picture.fall.action != chosen):
                pieces.place(surface, self._stone(seat, "full"), self.column_top(chosen))
        waiting = self._flat and row is not None and seat is not None
        for action, ink in ((overlay.cursor, ACCENT.on(theme)), (overlay.hover, theme.muted)):
            if action is not None and not (waiting and action == chosen):
                x, y = self.column_top(action)
                pieces.place(
                    surface,
                    pieces.pointer(max(9, round(size * 0.28)), ink),
                    (x, y + size * (0.3 if self._flat else 0)),
                )
        for cell in picture.winners():
            image = pieces.winner(picture.state.cells[cell] - 1, hole - 2)
            pieces.place(surface, image, self.cell_centre(cell))
        for line in picture.lines:
            self._draw_line(surface, picture, line)

    def _draw_line(self, surface: pygame.Surface, picture: Picture, line: tuple[int, ...]) -> None:
        """Through the stones where they lie in one rack; across racks the rings alone tell the line."""
        columns, cols = self.shape.columns, self.shape.cols
        if len({cell % columns // cols for cell in line}) == 1:
            start, end = self.cell_centre(line[0]), self.cell_centre(line[-1])
            pieces.line_through(surface, start, end, picture.drawn, self.size * 0.08)
