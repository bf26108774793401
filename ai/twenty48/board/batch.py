"""Many games of 2048 side by side, one step of all of them in one kernel call: for learning from large batches.

Board i of a batch with seed s is the game that `game.rules.twenty48` plays with that seed, tile by tile; the game that
follows it has the seed `next_seed(s)`. An action that moves nothing leaves its board as it is: no tile, no reward.
`game.envs` gives the same to users of Gymnasium. Imports numba; needs nothing else.

4×4 boards go through the row tables of `ai.twenty48.board.packed`, other sizes and boards with too large tiles through
`ai.twenty48.board.grid`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board import grid, packed
from ai.twenty48.board.packed import U0, U1, U4, U16, Board, Rewards, Rows, build_rows, empty_bits, fits, transpose
from ai.twenty48.board.spawns import random_number
from game.rules.twenty48 import MAX_SIZE, MIN_SIZE

_HAS_LEFT = np.uint64(0x0111011101110111)
"""The low bits of the cells with one behind them in a row, seen from the left."""
_HAS_UPPER = np.uint64(0x0000111111111111)
_NEXT_GAME = np.uint64(2**63)
"""The number in a seed's stream that `game.rules.twenty48.next_seed` takes."""


class Games(NamedTuple):
    """The boards of a batch; a kernel takes the arrays one by one."""

    cells: npt.NDArray[np.uint8]
    """(n, size²): exponents, row by row."""
    seeds: npt.NDArray[np.uint64]
    """(n,)."""
    spawns: npt.NDArray[np.uint64]
    """(n,): tiles spawned so far."""
    scores: npt.NDArray[np.int64]
    """(n,)."""
    legal: npt.NDArray[np.bool_]
    """(n, 4): which actions move something."""
    over: npt.NDArray[np.bool_]
    """(n,): whether none does."""


class Batch:
    """`count` games on boards of one size. Call `start` first.

    The arrays of `games` are the batch's own and change with every step: copy what is to be kept.
    """

    def __init__(self, count: int, size: int = 4) -> None:
        """`size`: edge of the boards, 3 to 8.

        Raises:
            ValueError: when it is not, or there is not at least one board.
        """
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"A board of 2048 has {MIN_SIZE} to {MAX_SIZE} rows, not {size}.")
        if count < 1:
            raise ValueError(f"A batch has at least one board, not {count}.")
        self.count, self.size = count, size
        self.games = Games(
            np.zeros((count, size * size), np.uint8),
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
            np.zeros(count, np.int64),
            np.zeros((count, 4), np.bool_),
            np.ones(count, np.bool_),
        )
        self._rows = np.zeros((2, 65536), np.uint16)
        self._rewards = np.zeros(65536, np.int64)
        build_rows(self._rows, self._rewards)
        self._all = np.ones(count, np.bool_)

    def start(self, seeds: npt.NDArray[np.uint64], which: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin new games.

        Args:
            seeds: uint64 (n,): the seed of each board's game.
            which: bool (n,): only on these boards; None for all.
        """
        which = self._all if which is None else which
        self.games.seeds[which] = seeds[which]
        start_games(*self.games, self.size, which, False)

    def follow(self, which: npt.NDArray[np.bool_]) -> None:
        """Begin the games that follow on those boards of `which`, bool (n,)."""
        start_games(*self.games, self.size, which, True)

    def step(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """One action on every board: slide, then a tile where something moved.

        Args:
            actions: int64 (n,), 0 up, 1 right, 2 down, 3 left.

        Returns:
            float64 (n,): the rewards, the sum of the tiles made by merging.

        Raises:
            ValueError: when there are not n actions from 0 to 3.
        """
        if actions.shape != (self.count,) or actions.min() < 0 or actions.max() > 3:
            raise ValueError(f"A step takes {self.count} actions, each 0 up, 1 right, 2 down or 3 left.")
        rewards = np.zeros(self.count)
        step_games(*self.games, self.size, actions, rewards, self._rows, self._rewards)
        return rewards


@kernel
def equal_neighbours(board: Board, shift: Board) -> Board:
    """The low bit of every cell that holds what the cell `shift` bits further holds; empty cells as well."""
    differ = board ^ (board >> shift)
    return empty_bits(differ)


@kernel
def legal_packed(board: Board, legal: npt.NDArray[np.bool_]) -> bool:
    """Write down which actions move something, bool (4,); returns whether any does.

    A slide moves something where a tile has an empty cell or an equal tile before it.
    """
    empty = empty_bits(board)
    tiles = empty ^ packed.LOW_BITS
    level = (equal_neighbours(board, U4) & tiles & _HAS_LEFT) != U0
    upright = (equal_neighbours(board, U16) & tiles & _HAS_UPPER) != U0
    legal[0] = upright or (empty & (tiles >> U16) & _HAS_UPPER) != U0
    legal[1] = level or (tiles & (empty >> U4) & _HAS_LEFT) != U0
    legal[2] = upright or (tiles & (empty >> U16) & _HAS_UPPER) != U0
    legal[3] = level or (empty & (tiles >> U4) & _HAS_LEFT) != U0
    return bool(legal[0] or legal[1] or legal[2] or legal[3])


@kernel
def legal_grid(cells: npt.NDArray[np.uint8], size: int, legal: npt.NDArray[np.bool_]) -> bool:
    """`legal_packed` for uint8 (size²,)."""
    legal[:] = False
    for cell in range(size * size):
        here = cells[cell]
        for across in range(2):
            if (cell % size if across else cell // size) == size - 1:
                continue
            there = cells[cell + (1 if across else size)]
            onward, backward = (1, 3) if across else (2, 0)
            legal[onward] |= here != 0 and (there == 0 or there == here)
            legal[backward] |= there != 0 and (here == 0 or there == here)
    return bool(legal[0] or legal[1] or legal[2] or legal[3])


@kernel
def start_games(
    cells: npt.NDArray[np.uint8],
    seeds: npt.NDArray[np.uint64],
    spawns: npt.NDArray[np.uint64],
    scores: npt.NDArray[np.int64],
    legal: npt.NDArray[np.bool_],
    over: npt.NDArray[np.bool_],
    size: int,
    which: npt.NDArray[np.bool_],
    follow: bool,
) -> None:
    """Begin games on the boards of `which`: of their seeds, or of the seeds that follow those. See `Games`."""
    for i in range(len(which)):
        if not which[i]:
            continue
        if follow:
            seeds[i] = random_number(seeds[i], _NEXT_GAME)
        cells[i] = 0
        for number in range(2):
            cell, exponent = grid.spawn(cells[i], size, seeds[i], np.uint64(number))
            cells[i, cell] = exponent
        spawns[i] = np.uint64(2)
        scores[i] = 0
        over[i] = not legal_grid(cells[i], size, legal[i])


@kernel
def step_games(
    cells: npt.NDArray[np.uint8],
    seeds: npt.NDArray[np.uint64],
    spawns: npt.NDArray[np.uint64],
    scores: npt.NDArray[np.int64],
    legal: npt.NDArray[np.bool_],
    over: npt.NDArray[np.bool_],
    size: int,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float64],
    rows: Rows,
    row_rewards: Rewards,
) -> None:
    """One action on every board; see `Games` and `Batch.step`. `rewards` is zeroed."""
    after = np.zeros(size * size, np.uint8)
    for i in range(len(actions)):
        action = actions[i]
        if not legal[i, action]:
            continue
        board = packed.U0
        small = np.bool_(size == 4)
        if small:
            largest = np.uint8(0)
            for cell in range(16):
                largest = max(largest, cells[i, cell])
                board |= np.uint64(cells[i, cell]) << np.uint64(4 * cell)
            small = np.bool_(largest <= 15 and fits(board))
        if small:
            turned = action == 0 or action == 2
            if turned:
                board = transpose(board)
            reward = packed.reward_of(board, 1, row_rewards)
            board = packed.slide_rows(board, rows, 1 if action == 1 or action == 2 else 0)
            if turned:
                board = transpose(board)
            cell, exponent = packed.spawn(board, seeds[i], spawns[i])
            board |= np.uint64(exponent) << np.uint64(4 * cell)
            packed.unpack(board, cells[i])
            over[i] = not legal_packed(board, legal[i])
        else:
            reward = grid.slide(cells[i], size, action, after)
            cell, exponent = grid.spawn(after, size, seeds[i], spawns[i])
            after[cell] = exponent
            cells[i] = after
            over[i] = not legal_grid(after, size, legal[i])
        spawns[i] += U1
        scores[i] += reward
        rewards[i] = reward
