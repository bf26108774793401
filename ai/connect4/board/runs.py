"""Runs: what the heuristics of the report count, as tables for the kernels of `ai.connect4.board.board`.

A *run* is a longest row of adjacent stones of one player in one of the 13 directions (4 on a flat board); a stone
stands in a run of each direction, so it may count several times, and a lone stone is a run of one. A run is
*unblocked* while it can still grow to a win where it stands: it lies in a stretch of cells, its own or empty, at least
as long as a win. Then at least one of its ends is open.

An *axis* is a whole straight row of cells from border to border; only those as long as a win can hold an unblocked
run, and no run reaches over two axes. A player sees each cell of an axis as empty (0), its own (1) or another's (2):
read as digits to base 3 that is the *content*, and a table tells for each content how many unblocked runs of each
length there are. All lengths share one word, each in a field wide enough for the fullest board, so that the counts of
the whole board are sums of such words.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from game.rules.connect4 import DIRECTIONS, Shape, coordinates

COUNTS_SIZE = sum(3**length for length in range(1, 9))
"""Contents of axes of all lengths."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How the runs of one shape are counted. Lists by length of a run have a place for 0, which is not used."""

    shifts: tuple[int, ...]
    """[length of a run] first bit of its field."""
    masks: tuple[int, ...]
    """[length of a run] mask of its field, after shifting."""
    starts: dict[int, int]
    """Length of an axis -> where its contents start in `counts`."""
    counts: tuple[int, ...]
    """[start + content] the word of an axis."""


@lru_cache(maxsize=32)
def axes(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """The straight rows of cells from border to border that are at least as long as a win, cells in order."""
    found = []
    edges = (shape.rows, shape.cols, shape.depth)
    for cell in range(shape.cells):
        start = coordinates(shape, cell)
        for direction in DIRECTIONS:
            before = tuple(at - step for at, step in zip(start, direction, strict=True))
            if all(0 <= at < edge for at, edge in zip(before, edges, strict=True)):
                continue
            length = 1
            while all(0 <= at + step * length < edge for at, step, edge in zip(start, direction, edges, strict=True)):
                length += 1
            up, right, deep = direction
            step = (up * shape.depth + deep) * shape.cols + right
            if length >= shape.win:
                found.append(tuple(cell + step * place for place in range(length)))
    return tuple(found)


@lru_cache(maxsize=32)
def counting(shape: Shape) -> Counting:
    """The tables of a shape."""
    lengths = [len(axis) for axis in axes(shape)]
    shifts, masks, used = [0], [0], 0
    for run in range(1, shape.win):
        # Between two runs of one axis stands another cell.
        bits = max(1, sum((length + 1) // (run + 1) for length in lengths).bit_length())
        shifts.append(used)
        masks.append((1 << bits) - 1)
        used += bits
    starts: dict[int, int] = {}
    counts: list[int] = []
    for length in sorted(set(lengths)):
        starts[length] = len(counts)
        for content in range(3**length):
            digits = [content // 3**place % 3 for place in range(length)]
            counts.append(sum(1 << shifts[run] for run in unblocked_runs(digits, shape.win) if run < shape.win))
    return Counting(tuple(shifts), tuple(masks), starts, tuple(counts))


def unblocked_runs(cells: list[int], win: int) -> list[int]:
    """Lengths of the unblocked runs of 1 in a row of cells: 0 empty, 1 own, 2 another's."""
    found = []
    for other, stretch in groupby(cells, lambda cell: cell == 2):
        inside = list(stretch)
        if not other and len(inside) >= win:
            found += [len(list(row)) for own, row in groupby(inside) if own]
    return found
