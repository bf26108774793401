"""One upright rack with round holes, seen from the front: a flat board, or one slice of a deep one.

The rack is two drawings, the recess behind the stones and the front with its holes cut out, each made once per size;
stones stand between the two, so that a falling one passes behind the front.
"""

import pygame

from game.ui.shapes import svg_open
from game.ui.surfaces import Colour as SurfaceColour
from game.ui.surfaces import hexadecimal, kept
from game.ui.svg import rasterise
from game.ui.theme import Colour, Theme, blend
from game.views.connect4 import pieces

STONE = 0.86
"""Diameter of a stone in cells; holes are a little smaller, so stones stand behind their rim."""
HOLE = 0.8
PAD = 0.16
"""Of the rack around its cells, in cells."""
FOOT = 0.2
"""Height of the foot, in cells."""


class Rack:
    """The place and the drawings of one rack. Cells are squares of `size` pixels."""

    def __init__(self, theme: Theme, rows: int, cols: int, size: int, left: int, top: int, foot: bool) -> None:
        """`left` and `top` are those of the upper left cell in pixels; `foot`: it stands on one."""
        self.theme, self.rows, self.cols, self.size, self.foot = theme, rows, cols, size, foot
        self.cells = pygame.Rect(left, top, cols * size, rows * size)
        self.diameter = max(6, round(STONE * size / 2) * 2)
        front, lit, low, recess, rim = rack_colours(theme)
        self.pad = round(PAD * size)
        shade = 0.34 if theme.dark else 0.2
        self._front = _front(rows, cols, size, self.pad, front, low, rim, shade)
        self._lit = _front(rows, cols, size, self.pad, lit, front, rim, shade)
        self._recess = recess
        self._foot_colour = low

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """Middle of a cell, row 0 at the bottom; rows may be fractions and above the rack."""
        return self.cells.left + (col + 0.5) * self.size, self.cells.bottom - (row + 0.5) * self.size

    def col_at(self, position: tuple[float, float], above: float) -> int | None:
        """The column under a position, counted up to `above` pixels over the rack."""
        zone = self.cells.inflate(2 * self.pad, 0)
        zone.top, zone.height = zone.top - round(above), zone.height + round(above) + self.pad
        if not zone.collidepoint(position):
            return None
        return min(self.cols - 1, max(0, int((position[0] - self.cells.left) // self.size)))

    def draw_back(self, surface: pygame.Surface) -> None:
        """BestSolutions and recess: what stands behind the stones."""
        size, cells = self.size, self.cells
        if self.foot:
            foot = pygame.Rect(0, 0, cells.width + 2 * self.pad + round(size * 0.5), round(FOOT * size))
            foot.midtop = (cells.centerx, cells.bottom + self.pad - 2)
            shade = pieces.spot(foot.width + size, round(size * 0.5), 120 if self.theme.dark else 60)
            pieces.place(surface, shade, (foot.centerx, foot.bottom))
            pygame.draw.rect(surface, self._foot_colour, foot, border_radius=foot.height // 2)
        pygame.draw.rect(surface, self._recess, cells)

    def draw_front(self, surface: pygame.Surface, lit: int | None) -> None:
        """The front over the stones, with one column lit."""
        left, top = self.cells.left - self.pad, self.cells.top - self.pad
        if lit is None:
            surface.blit(self._front, (left, top))
            return
        width, height = self._front.get_size()
        start = self.pad + lit * self.size
        end = start + self.size
        for image, first, last in ((self._front, 0, start), (self._lit, start, end), (self._front, end, width)):
            surface.blit(image, (left + first, top), pygame.Rect(first, 0, last - first, height))


def rack_colours(theme: Theme) -> tuple[Colour, Colour, Colour, Colour, Colour]:
    """Front, lit front, its lower end, recess and rim."""
    if theme.dark:
        return (
            blend(theme.wall_low, theme.raised, 0.25), blend(theme.wall_top, theme.wall, 0.3),
            blend(theme.wall_low, theme.raised, 0.6), blend(theme.ground, pygame.Color("#000000"), 0.15), theme.wall_top,
        )  # fmt: skip
    return (
        blend(theme.wall_top, theme.surface, 0.2), blend(theme.wall_top, theme.surface, 0.55),
        blend(theme.wall, theme.wall_top, 0.5), blend(theme.line, theme.raised, 0.35), theme.wall,
    )  # fmt: skip


@kept
def _front(
    rows: int, cols: int, size: int, pad: int, upper: Colour, lower: Colour, rim: Colour, shade: float
) -> pygame.Surface:
    """The front plate with its holes; `shade` is the opacity of the shadow it casts on what stands in them."""
    width, height, corner = cols * size + 2 * pad, rows * size + 2 * pad, size * 0.24
    radius, stroke, light = HOLE * size / 2, max(1.2, size * 0.035), hexadecimal(rim)
    holes, rims = [], []
    for row in range(rows):
        for col in range(cols):
            x, y = pad + (col + 0.5) * size, pad + (row + 0.5) * size
            arc = f"a{radius} {radius} 0 1 0"
            holes.append(f"M{x - radius} {y}{arc} {2 * radius} 0{arc} {-2 * radius} 0Z")
            circle = f'<circle cx="{x}" cy="{y}"'
            rims.append(f'{circle} r="{radius}" fill="url(#s)"/>')
            rims.append(
                f'{circle} r="{radius + size * 0.012}" fill="none" stroke="url(#r)" stroke-width="{stroke:.2f}"/>'
            )
    turn = f"A{corner} {corner} 0 0 1"
    edge = (
        f"M{corner} 0H{width - corner}{turn} {width} {corner}V{height - corner}{turn} {width - corner} {height}"
        f"H{corner}{turn} 0 {height - corner}V{corner}{turn} {corner} 0Z"
    )
    ramps = (
        _ramp("f", (0, upper, 1), (100, lower, 1))
        + _ramp("s", (0, "#000000", shade), (34, "#000000", 0), (100, "#000000", 0))
        + _ramp("r", (0, "#000000", 0.4), (55, "#000000", 0.12), (100, light, 0.85))
    )
    return rasterise(
        f"{svg_open(width, height)}<defs>{ramps}</defs>"
        f'<path fill-rule="evenodd" fill="url(#f)" d="{edge}{"".join(holes)}"/>'
        f'<path d="M{corner} 1H{width - corner}" stroke="#ffffff" stroke-opacity="0.3" stroke-width="1.6"/>'
        f"{''.join(rims)}</svg>",
        (width, height),
    )


def _ramp(name: str, *stops: tuple[int, SurfaceColour, float]) -> str:
    """A vertical gradient from (percent, colour, opacity) stops."""
    drawn = "".join(
        f'<stop offset="{at}%" stop-color="{hexadecimal(colour)}" stop-opacity="{part}"/>'
        for at, colour, part in stops
    )
    return f'<linearGradient id="{name}" x1="0%" y1="0%" x2="0%" y2="100%">{drawn}</linearGradient>'
