"""Which cells the tuples of an n-tuple network look at, on any board: its winning lines, and random walks.

All symmetric images of a tuple share one table: two on a flat board (the mirror), four on a deep one, eight on a square
ground. Tuples of walks follow Thill, Koch, Konen: Reinforcement Learning with N-tuples on the Game Connect-4, 2012.
"""

import random
from functools import lru_cache

from game.rules import connect4
from game.rules.connect4 import Shape

Tuple = tuple[int, ...]
MAX_TABLE = 1 << 18
"""Weights of one table at most."""


def symmetries(shape: Shape) -> list[Tuple]:
    """The mirrors and, on a square ground, the turns of a board as permutations of its columns; the identity first."""
    grid = [[depth * shape.cols + col for col in range(shape.cols)] for depth in range(shape.depth)]
    turned = [grid]
    if shape.depth == shape.cols:
        turned.append([list(line) for line in zip(*grid, strict=True)])
    found: dict[Tuple, None] = {}
    for view in turned:
        for deep in (1, -1):
            for right in (1, -1):
                found[tuple(column for line in view[::deep] for column in line[::right])] = None
    return list(found)


def image(shape: Shape, cells: Tuple, symmetry: Tuple) -> Tuple:
    """Where a symmetry takes cells."""
    return tuple(cell // shape.columns * shape.columns + symmetry[cell % shape.columns] for cell in cells)


@lru_cache(maxsize=8)
def shared_tuples(shape: Shape, walks: int, length: int) -> tuple[tuple[Tuple, ...], ...]:
    """For each table the tuples that look into it: images of one another, the first of them as it was made.

    A tuple that is its own image is there once for every order of its cells.

    Args:
        shape: The board.
        walks: Tables for random walks, beside those for the winning lines.
        length: Cells of a walk; fewer where a table would be too large or the board is too small.
    """
    images = symmetries(shape)
    found: dict[frozenset[Tuple], tuple[Tuple, ...]] = {}

    def add(cells: Tuple) -> None:
        seen = dict.fromkeys(image(shape, cells, symmetry) for symmetry in images)
        found.setdefault(frozenset(tuple(sorted(each)) for each in seen), tuple(seen))

    for line in connect4.lines(shape):
        if (shape.players + 2) ** len(line) <= MAX_TABLE:
            add(line)
    while length > 1 and (shape.players + 2) ** length > MAX_TABLE:
        length -= 1
    length = min(length, shape.cells)
    choose = random.Random(7)
    most = len(found) + walks
    for _ in range(50 * walks):
        if len(found) == most:
            break
        add(_walk(shape, length, choose))
    return tuple(found.values())


def _walk(shape: Shape, length: int, choose: random.Random) -> Tuple:
    """Connected cells, each next to one of those before."""
    cells = [choose.randrange(shape.cells)]
    while len(cells) < length:
        near = sorted({other for cell in cells for other in _neighbours(shape, cell)} - set(cells))
        recent = [other for other in near if other in _neighbours(shape, cells[-1])]
        cells.append(choose.choice(recent or near))
    return tuple(sorted(cells))


@lru_cache(maxsize=4096)
def _neighbours(shape: Shape, cell: int) -> frozenset[int]:
    row, col, depth = connect4.coordinates(shape, cell)
    return frozenset(
        ((row + up) * shape.depth + depth + deep) * shape.cols + col + right
        for up in (-1, 0, 1)
        for right in (-1, 0, 1)
        for deep in (-1, 0, 1)
        if (up, right, deep) != (0, 0, 0)
        and 0 <= row + up < shape.rows
        and 0 <= col + right < shape.cols
        and 0 <= depth + deep < shape.depth
    )
