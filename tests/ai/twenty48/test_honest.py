"""Honest luck: a million spawns of every implementation, cells uniform and a tenth fours, by chi-square."""

from collections.abc import Callable

import numba
import numpy as np
import numpy.typing as npt
import pytest

from ai.twenty48.board import grid, packed
from ai.twenty48.board.batch import Batch
from game.rules import twenty48

TOTAL = 1_000_000
CELLS = (0, 3, 0, 1, 2, 0, 0, 5, 0, 0, 4, 1, 0, 6, 0, 0)
"""A board with nine empty cells."""
Counts = npt.NDArray[np.int64]
"""int64 (cells, 2): how often each cell got a 2 and a 4."""


@numba.njit
def count_packed(board: np.uint64, seed: np.uint64, total: int) -> Counts:
    counts = np.zeros((16, 2), np.int64)
    for spawns in range(total):
        cell, exponent = packed.spawn(board, seed, np.uint64(spawns))
        counts[cell, exponent - 1] += 1
    return counts


@numba.njit
def count_grid(cells: npt.NDArray[np.uint8], size: int, seed: np.uint64, total: int) -> Counts:
    counts = np.zeros((size * size, 2), np.int64)
    for spawns in range(total):
        cell, exponent = grid.spawn(cells, size, seed, np.uint64(spawns))
        counts[cell, exponent - 1] += 1
    return counts


def by_packed() -> Counts:
    return count_packed(np.uint64(packed.pack(np.array(CELLS, np.uint8))), np.uint64(11), TOTAL)


def by_grid() -> Counts:
    return count_grid(np.array(CELLS, np.uint8), 4, np.uint64(12), TOTAL)


def by_rules() -> Counts:
    counts = np.zeros((16, 2), np.int64)
    for spawns in range(TOTAL):
        cell, exponent = twenty48.spawn(CELLS, 13, spawns)
        counts[cell, exponent - 1] += 1
    return counts


def by_first_tiles() -> Counts:
    """The first tile of half a million games, and the second moved up past the first: over games, not in one."""
    counts = np.zeros((16, 2), np.int64)
    batch = Batch(TOTAL // 2)
    batch.start(np.arange(TOTAL // 2, dtype=np.uint64))
    cells = batch.games.cells
    for exponent in (1, 2):
        counts[:, exponent - 1] = (cells == exponent).sum(axis=0)
    return counts


def limit(freedom: int) -> float:
    """What a chi-square of so many degrees of freedom exceeds once in 30,000 times (Wilson, Hilferty: 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 4.0 * part**0.5) ** 3)


def chi_square(counts: Counts) -> tuple[float, int]:
    """(chi-square against the rules, degrees of freedom)."""
    expected = counts.sum() / len(counts) * np.array([0.9, 0.1])
    return float(((counts - expected) ** 2 / expected).sum()), 2 * len(counts) - 1


@pytest.mark.parametrize("count", [by_packed, by_grid, by_rules, by_first_tiles])
def test_a_million_spawns_follow_the_rules(count: Callable[[], Counts]) -> None:
    counts = count()
    print(counts)
    empty = np.array([exponent == 0 for exponent in CELLS]) if count is not by_first_tiles else np.ones(16, bool)
    assert counts.sum() == TOTAL and counts[~empty].sum() == 0, "tiles come to empty cells only"
    found, freedom = chi_square(counts[empty])
    print(found, limit(freedom))
    assert found < limit(freedom)


def test_the_measure_sees_a_dishonest_tenth() -> None:
    """Fours at 9.7 % or one cell at 97 % of its due fail: the test above can."""
    honest = np.tile(np.array([[900_000 / 9, 100_000 / 9]]), (9, 1))
    few = np.array([[903_000 / 9, 97_000 / 9]] * 9)
    uneven = honest.copy()
    uneven[0] *= 0.97
    for wrong in (few, uneven):
        found, freedom = chi_square(wrong)
        assert found > limit(freedom)
    assert chi_square(honest)[0] < 1e-9
