"""The exact search as an object of plain Python: a board, a table, one position under way, in slices.

`solve_positions` scores positions in bulk; the agent (`perfect`) and the making of the book (`book_training`) drive a
`Solver` position by position.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ai.connect4.exact import search as kernels
from ai.connect4.exact.bitboard import BOARD, BOTTOM, HEIGHT, Words, geometry, has_four, inner_first, winning_cells
from game.rules.connect4 import Shape

SLICE = 60_000
"""Nodes between two looks at the clock: about 10 ms."""
TABLE_BITS = 22
"""32 MB."""
_TOUCHED_AT_ONCE = 1 << 17


def new_table(bits: int, cancelled: Callable[[], bool] = lambda: False) -> Words | None:
    """A table of 2**bits words, every page touched once: a lazily zeroed one runs at a third of the speed.

    Done piece by piece; None as soon as `cancelled` says so.
    """
    table = np.empty(1 << bits, np.uint64)
    return table if clear(table, cancelled) else None


def clear(table: Words, cancelled: Callable[[], bool] = lambda: False) -> bool:
    """Forget what a table holds, piece by piece; False when cancelled meanwhile."""
    for start in range(0, len(table), _TOUCHED_AT_ONCE):
        if cancelled():
            return False
        table[start : start + _TOUCHED_AT_ONCE] = 0
    return True


class Solver:
    """Scores positions of one board. What it learns stays in the table and is true for ever."""

    def __init__(self, shape: Shape, table: Words) -> None:
        """`table`: a power of two of words, at least 2**20, from `new_table` or used on the same board before."""
        self.shape = shape
        self.geometry = geometry(shape)
        self._search = kernels.new_search(self.geometry, table)
        self._board, self._bottom = int(self.geometry[BOARD]), int(self.geometry[BOTTOM])
        self._height = int(self.geometry[HEIGHT])

    @property
    def table(self) -> Words:
        """Bounds of the positions met, `search` says how they are kept."""
        return self._search.table

    def use(self, table: Words) -> bool:
        """Go on with another table, whatever is under way."""
        self._search = self._search._replace(table=table)
        return True

    @property
    def low(self) -> int:
        """The score of the position under way is at least this."""
        return int(self._search.state[kernels.LOW])

    @property
    def high(self) -> int:
        """The score of the position under way is at most this."""
        return int(self._search.state[kernels.HIGH])

    @property
    def nodes(self) -> int:
        """Spent on the position under way."""
        return int(self._search.state[kernels.NODES])

    def begin(self, pos: int, mask: int, low: int = -64, high: int = 64) -> bool:
        """Set up a position whose score is known to lie from `low` to `high`; returns whether that settles it."""
        state = self._search.state
        kernels.begin(self.geometry, self._search.bits, state, np.uint64(pos), np.uint64(mask))
        state[kernels.LOW] = min(max(self.low, low), self.high)
        state[kernels.HIGH] = max(min(self.high, high), self.low)
        return self.low == self.high

    def narrow(self, nodes: int = SLICE) -> bool:
        """Go on for so many nodes; returns whether `low` and `high` have met."""
        return bool(kernels.narrow(*self._search, self.nodes + nodes))

    def test(self, alpha: int, nodes: int = SLICE) -> bool:
        """Go on with the one question whether the score is above `alpha`; returns whether it is answered.

        `low` and `high` then say so. A question once begun is put until it is answered.
        """
        state = self._search.state
        if not self.low <= alpha < self.high:
            return True
        if state[kernels.PLY] == 0 and state[kernels.ENTERING] == 0:
            state[kernels.ALPHA], state[kernels.ENTERING] = alpha, 1
        if not kernels.search(*self._search, self.nodes + nodes):
            return False
        found = int(state[kernels.RESULT])
        if found > alpha:
            state[kernels.LOW] = min(found, self.high)
        else:
            state[kernels.HIGH] = max(found, self.low)
        return True

    def moves(self, pos: int, mask: int) -> dict[int, tuple[int, int]]:
        """Column -> the position (pos, mask) after a stone there."""
        height = self._height
        playable = (mask + self._bottom) & self._board
        found = {}
        for column in range(self.shape.cols):
            move = playable & ((1 << self.shape.rows) - 1) << (column * height)
            if move:
                found[column] = (pos ^ mask, mask | move)
        return found

    def columns(self, mask: int) -> list[int]:
        """The columns that are not full, the inner ones first."""
        top = self.shape.rows - 1
        return [column for column in inner_first(self.shape.cols) if not mask >> (column * self._height + top) & 1]

    def threats(self, pos: int, mask: int) -> int:
        """How many empty cells win for the side that has just moved."""
        height, empty = self.geometry[HEIGHT], np.uint64(self._board ^ mask)
        return int(np.bitwise_count(winning_cells(np.uint64(pos ^ mask), height) & empty))

    def won(self, stones: int) -> bool:
        """Whether these stones hold four in a row."""
        return bool(has_four(np.uint64(stones), self.geometry[HEIGHT]))

    def folded(self, pos: int, mask: int) -> int:
        """The key that a position and its mirror image share."""
        key = pos + mask
        field = (1 << self._height) - 1
        other = 0
        for column in range(self.shape.cols):
            other = other << self._height | (key >> (column * self._height)) & field
        return min(key, other)

    def unfolded(self, key: int) -> tuple[int, int]:
        """(pos, mask) of a key."""
        pos = mask = 0
        for column in range(self.shape.cols):
            field = (key >> (column * self._height)) & ((1 << self._height) - 1)
            stones = (1 << ((field + 1).bit_length() - 1)) - 1
            mask |= stones << (column * self._height)
            pos |= (field - stones) << (column * self._height)
        return pos, mask


def solve_positions(shape: Shape, positions: Sequence[tuple[int, int]], table: Words) -> list[int]:
    """The scores of many positions (pos, mask), finished games among them or not, from the side to move."""
    search = kernels.new_search(geometry(shape), table)
    asked = np.array(positions, np.uint64).reshape(-1, 2)
    scores = np.zeros(len(asked), np.int64)
    kernels.solve_many(*search, asked, scores, 0, np.iinfo(np.int64).max)
    return [int(score) for score in scores]
