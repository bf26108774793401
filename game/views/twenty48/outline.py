"""A line around a group of cells of the board, with round corners, drawn once for each group."""

from collections.abc import Collection

import pygame

from game.ui.shapes import paint, svg_open
from game.ui.surfaces import kept
from game.ui.svg import rasterise
from game.ui.theme import Theme, str_hex
from game.views.twenty48.board import BoardView

Corner = tuple[int, int]
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Right, down, left, up, as (row, column)."""


def outline(
    cells: Collection[int], board: BoardView, theme: Theme, inset: int, thick: int, filled: bool
) -> tuple[pygame.Surface, tuple[int, int]]:
    """The picture and where it goes.

    Args:
        cells: of the board.
        board: where they are.
        theme: the line wears the thinking colour.
        inset: pixels between the middle of the gaps between cells and the line.
        thick: of the line, in pixels.
        filled: whether the cells are tinted.
    """
    assert board.state is not None
    size, step = board.state.size, board.side + board.gap
    places = [divmod(cell, size) for cell in cells]
    row, col = min(row for row, _col in places), min(col for _row, col in places)
    moved = tuple(sorted((each_row - row, each_col - col) for each_row, each_col in places))
    image = _drawn(moved, step, board.gap, inset, thick, filled, str_hex(theme.thinking))
    return image, (board.frame.left + col * step, board.frame.top + row * step)


@kept
def _drawn(
    cells: tuple[Corner, ...], step: int, gap: int, inset: int, thick: int, filled: bool, colour: str
) -> pygame.Surface:
    high, wide = (step * (1 + max(cell[axis] for cell in cells)) + gap for axis in (0, 1))
    path = " ".join(
        "M" + " L".join(f"{gap / 2 + x:g} {gap / 2 + y:g}" for x, y in _moved(loop, step, inset)) + " Z"
        for loop in loops(cells)
    )
    veil = pygame.Color(colour)
    veil.a = 46 if filled else 0
    return rasterise(
        f'{svg_open(wide, high)}<path d="{path}" {paint("fill", veil)} {paint("stroke", colour)} '
        f'stroke-width="{thick}" stroke-linejoin="round" fill-rule="evenodd"/></svg>',
        (wide, high),
    )


def loops(cells: Collection[Corner]) -> list[list[Corner]]:
    """The lines around a group of cells, each given by (row, column): the corners in turn, the group on the right.

    Cells that touch at a corner only are two loops.
    """
    group = set(cells)
    ways: dict[Corner, list[int]] = {}
    for row, col in group:
        for corner, turn, beside in (
            ((row, col), 0, (row - 1, col)),
            ((row, col + 1), 1, (row, col + 1)),
            ((row + 1, col + 1), 2, (row + 1, col)),
            ((row + 1, col), 3, (row, col - 1)),
        ):
            if beside not in group:
                ways.setdefault(corner, []).append(turn)
    found = []
    while ways:
        first = min(ways)
        corner, turn = first, ways[first][0]
        loop: list[Corner] = []
        while corner in ways:
            # at a corner that two cells share, the way that keeps to the same cell
            onward = min(ways[corner], key=lambda way: (turn - way + 1) % 4) if loop else turn
            ways[corner].remove(onward)
            if not ways[corner]:
                del ways[corner]
            if not loop or onward != turn:
                loop.append(corner)
            turn = onward
            corner = (corner[0] + STEPS[turn][0], corner[1] + STEPS[turn][1])
        found.append(loop)
    return found


def _moved(loop: list[Corner], step: int, inset: int) -> list[tuple[float, float]]:
    """The corners in pixels, (x, y), each moved into the group by `inset`."""
    points: list[tuple[float, float]] = []
    for number, (row, col) in enumerate(loop):
        before, after = loop[number - 1], loop[(number + 1) % len(loop)]
        x, y = col * step, row * step
        for (row_a, col_a), (row_b, col_b) in ((before, (row, col)), ((row, col), after)):
            # the group lies to the right of the way from a to b
            down, right = row_b - row_a, col_b - col_a
            x -= inset * ((down > 0) - (down < 0))
            y += inset * ((right > 0) - (right < 0))
        points.append((x, y))
    return points
