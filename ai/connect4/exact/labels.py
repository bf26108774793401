"""Exact labels to learn from: positions of flat boards with the win, draw or loss that every column is worth.

A *root* is a position of some careless or careful game. The exact search works on it for a fixed number of nodes, and
leaves its table full of positions that it has proved: the plausible ones and those that refute the others. Some
of every number of stones are taken from there, and their columns are settled by the same search, for which little is
left to do. Where it still needs too many nodes a column stays unknown.

Root number i of a seed, and all that comes of it, is always the same. Positions have the form of
`ai.connect4.exact.bitboard`: the stones of the side to move, all stones.
"""

import contextlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.agent import Thinking
from ai.connect4.exact import search as kept
from ai.connect4.exact.bitboard import BOARD, BOTTOM, COLUMNS, HEIGHT, Words, geometry, popcount, winning_cells
from ai.connect4.exact.search import Ints, begin, lower, new_search, search, upper
from ai.jit import kernel
from ai.kernels import cache_root
from ai.models import SUFFIX
from ai.random import GAMMA, mix
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules.connect4 import Shape

Signs = npt.NDArray[np.int8]
FULL, UNKNOWN = 2, 3
"""A column without room; one that was not settled. The others are 1, 0, -1: win, draw, loss of the side to move."""
CARELESS = 4
"""Kinds of games: of four moves, 0 to 3 are played without looking at what wins or loses at once."""

_INVERSE = pow(kept.MULTIPLIER, -1, 2**64)
_VERSION = 1
"""Changes with whatever changes what comes of a root."""
_TABLE_BITS = 21
_SLICE = 50_000
_ROOT_NODES = 600_000
_COLUMN_NODES = 2_000
_EARLY_NODES = 15_000
QUOTA = 120
"""Positions of each number of stones that are taken from a root's table at most."""
_OTHERS = 200
_SETTLED = 20


class Labelled(NamedTuple):
    """Positions and what is known of them."""

    positions: Words
    """(n, 2): stones of the side to move, all stones; the side to move has no win at once."""
    signs: Signs
    """(n, columns)."""


class Labeller:
    """Makes labelled positions of one board, root after root; keeps the table of its searches."""

    def __init__(self, shape: Shape, seed: int) -> None:
        """For a board that `ai.connect4.exact.bitboard.why_not` lets pass; `seed` is that of the roots."""
        self.shape = shape
        self._seed = seed
        self._folder = cache_root() / "labels" / f"{shape}-{seed}-{_VERSION}"
        cells = shape.cells
        self._opening = np.arange(cells // 5, cells // 3 - 1, dtype=np.int64)
        self._middle = np.arange(cells // 4, cells - 4, dtype=np.int64)
        self._geometry = geometry(shape)
        self._search = new_search(self._geometry, np.zeros(1 << _TABLE_BITS, np.uint64))

    def root(self, number: int, thinking: Thinking) -> Labelled | None:
        """What comes of one root, from its file in the cache where it has been made before.

        Returns:
            None where the thinking is over before.

        Raises:
            OSError: when the cache cannot be written.
        """
        path = self._folder / f"{number:06d}{SUFFIX}"
        with contextlib.suppress(ModelError), TensorFile(path) as file:
            positions = file.array("positions", "U64", (None, 2))
            signs = file.array("signs", "U8", (len(positions), self.shape.columns)).view(np.int8)
            return Labelled(positions, signs)
        made = self._make(number, thinking)
        if made is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, {"positions": made.positions, "signs": made.signs.view(np.uint8)}, {})
        return made

    def _make(self, number: int, thinking: Thinking) -> Labelled | None:
        """The root itself, what its search has proved, and some positions of other games."""
        found = self._search
        found.table[:] = 0
        root = np.zeros((1, 2), np.uint64)
        sample(self._geometry, self._seed, number, self._opening, root)
        for alpha in (-1, 0):
            begin(found.geometry, found.bits, found.state, root[0, 0], root[0, 1])
            if found.state[kept.LOW] == found.state[kept.HIGH]:
                break
            found.state[kept.ALPHA], found.state[kept.ENTERING] = alpha, 1
            for limit in range(_SLICE, _ROOT_NODES + 1, _SLICE):
                if thinking.over():
                    return None
                if search(*found, limit):
                    break
        positions = np.zeros((self.shape.cells, QUOTA, 2), np.uint64)
        counts = np.zeros(self.shape.cells, np.int64)
        harvest(self._geometry, found.table, self._seed + number, positions, counts)
        counts = np.minimum(counts, QUOTA)
        proved = [some[:count] for some, count in zip(positions, counts, strict=True)]
        others = np.zeros((_OTHERS, 2), np.uint64)
        sample(self._geometry, self._seed + 1, number * _OTHERS, self._middle, others)
        taken = np.concatenate([root, *proved, others])
        signs = np.full((len(taken), self.shape.columns), UNKNOWN, np.int8)
        settle(*found, taken[:1], _ROOT_NODES // 4, signs[:1])
        for begun in range(1, len(taken), _SETTLED):
            if thinking.over():
                return None
            part = slice(begun, begun + _SETTLED)
            early = int(taken[part][0, 1]).bit_count() <= self.shape.cells // 3
            settle(*found, taken[part], _EARLY_NODES if early else _COLUMN_NODES, signs[part])
        return Labelled(taken, signs)


@kernel
def sample(geometry: Words, seed: int, first: int, stones: Ints, positions: Words) -> None:
    """Positions `first`, `first + 1`, … of a seed: nobody has won in them, nor can by the next stone.

    Careless moves are any; the others block what would lose at once and put no stone below a cell on which the
    other wins, where that is possible.

    Args:
        geometry: Of the board.
        seed: Which positions.
        first: Number of the first.
        stones: (kinds,): how many stones a position has, each of these as often as the others.
        positions: (n, 2): filled.
    """
    board, bottom, height = geometry[BOARD], geometry[BOTTOM], geometry[HEIGHT]
    one = np.uint64(1)
    none = np.uint64(0)
    for number in range(len(positions)):
        draws = np.uint64(seed) * GAMMA + np.uint64(first + number) * np.uint64(0xD1B54A32D192ED03)
        draws, random = draw(draws)
        goal = stones[random % np.uint64(len(stones))]
        careless = (random >> np.uint64(32)) % np.uint64(CARELESS)
        mine = mask = none
        played = 0
        while True:
            free = (mask + bottom) & board
            if winning_cells(mine, height) & free != none or free == none:
                mine = mask = none
                played = 0
                continue
            if played == goal:
                break
            draws, random = draw(draws)
            if random % np.uint64(CARELESS) >= careless:
                lost = winning_cells(mask ^ mine, height) & (board ^ mask)
                if free & lost != none:
                    free &= lost
                elif free & ~(lost >> one) != none:
                    free &= ~(lost >> one)
            skip = (random >> np.uint64(32)) % popcount(free)
            while skip > none:
                free &= free - one
                skip -= one
            move = free & (~free + one)
            mine = mask ^ mine
            mask |= move
            played += 1
        positions[number, 0], positions[number, 1] = mine, mask


@kernel
def draw(draws: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The next state of a generator and what it gives."""
    draws += GAMMA
    return draws, mix(draws)


@kernel
def harvest(geometry: Words, table: Words, seed: int, positions: Words, counts: Ints) -> None:
    """Some of the positions that the table has proved, of each number of stones.

    Args:
        geometry: Of the board.
        table: Of the search.
        seed: Of the choice: every such position is as likely as the others of as many stones.
        positions: (cells, quota, 2): filled, by number of stones.
        counts: (cells,): 0 at first; how many there were.
    """
    one = np.uint64(1)
    height, columns = geometry[HEIGHT], np.int64(geometry[COLUMNS])
    field = (one << height) - one
    shift = np.uint64(65) - popcount(np.uint64(len(table) - 1))
    quota = positions.shape[1]
    draws = np.uint64(seed) * GAMMA
    for at in range(len(table)):
        word = table[at]
        if word == np.uint64(0) or not (lower(word) > 0 or upper(word) < 0 or lower(word) == upper(word)):
            continue
        key = ((np.uint64(at >> 1) << shift) | (word >> np.uint64(kept.DATA_BITS))) * np.uint64(_INVERSE)
        mine = mask = np.uint64(0)
        for column in range(columns):
            place = np.uint64(column) * height
            sums = (key >> place) & field
            full = one
            while sums + one >= (full << one):
                full <<= one
            mask |= (full - one) << place
            mine |= (sums - (full - one)) << place
        stones = np.int64(popcount(mask))
        seen = counts[stones]
        counts[stones] = seen + 1
        if seen < quota:
            slot = np.uint64(seen)
        else:
            draws, random = draw(draws)
            slot = random % np.uint64(seen + 1)
        if slot < np.uint64(quota):
            positions[stones, slot, 0], positions[stones, slot, 1] = mine, mask


@kernel
def settle(
    geometry: Words,
    table: Words,
    bits: Words,
    numbers: Ints,
    state: Ints,
    positions: Words,
    limit: int,
    signs: Signs,
) -> None:
    """What every column of the positions is worth, as far as that takes at most `limit` nodes a question."""
    one = np.uint64(1)
    board, bottom, height = geometry[BOARD], geometry[BOTTOM], geometry[HEIGHT]
    for number in range(len(positions)):
        mine, mask = positions[number, 0], positions[number, 1]
        free = (mask + bottom) & board
        for column in range(signs.shape[1]):
            move = free & (((one << height) - one) << (np.uint64(column) * height))
            if move == np.uint64(0):
                signs[number, column] = FULL
                continue
            if winning_cells(mine, height) & move != np.uint64(0):
                signs[number, column] = 1
                continue
            signs[number, column] = UNKNOWN
            begin(geometry, bits, state, mask ^ mine, mask | move)
            if state[kept.LOW] < state[kept.HIGH]:
                for alpha in (-1, 0):
                    state[kept.PLY], state[kept.NODES], state[kept.ALPHA], state[kept.ENTERING] = 0, 0, alpha, 1
                    if not search(geometry, table, bits, numbers, state, limit):
                        break
                    if state[kept.RESULT] > alpha:
                        state[kept.LOW] = max(state[kept.LOW], state[kept.RESULT])
                    else:
                        state[kept.HIGH] = min(state[kept.HIGH], state[kept.RESULT])
                        break
            if state[kept.LOW] > 0:
                signs[number, column] = -1
            elif state[kept.HIGH] < 0:
                signs[number, column] = 1
            elif state[kept.LOW] == 0 and state[kept.HIGH] == 0:
                signs[number, column] = 0
