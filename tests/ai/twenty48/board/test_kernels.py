"""The kernels of 2048 are the plain rules: slides, rewards and spawns on random boards of every size."""

import random

import numba
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.twenty48.board import grid, packed
from ai.twenty48.board.spawns import is_four, pick, random_number
from ai.twenty48.search.evaluation import Weights, build_lines, evaluate_grid, evaluate_packed, line_worth
from ai.twenty48.search.grid_lines import ASIS, INNER, LEFT, OUTER, RIGHT, cell_of, learn, make_lines, slot_of
from game.rules import twenty48
from game.rules.twenty48 import State

WEIGHTS = Weights()


def tables() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    rows, rewards = np.zeros((2, 65536), np.uint16), np.zeros(65536, np.int64)
    packed.build_rows(rows, rewards)
    return rows, rewards


ROWS, REWARDS = tables()


@st.composite
def positions(draw: st.DrawFn, sizes: st.SearchStrategy[int], largest: int) -> State:
    """A board with at least one tile and any share of empty cells."""
    size = draw(sizes)
    tile = st.one_of(st.just(0), st.integers(1, draw(st.integers(1, largest))))
    cells = draw(st.lists(tile, min_size=size * size, max_size=size * size).filter(any))
    return State(size, tuple(cells), 0, draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**40)))


def packed_of(cells: tuple[int, ...]) -> np.uint64:
    return np.uint64(packed.pack(np.array(cells, np.uint8)))


def cells_of(board: np.uint64) -> tuple[int, ...]:
    cells = np.zeros(16, np.uint8)
    packed.unpack(np.uint64(board), cells)
    return tuple(cells.tolist())


@settings(deadline=None)  # the first example may compile
@given(positions(st.just(4), 15))
def test_packed_boards_play_by_the_plain_rules(state: State) -> None:
    board = packed_of(state.cells)
    print(twenty48.format_position(state), hex(board))
    assert cells_of(board) == state.cells
    assert bool(packed.fits(board)) == (state.cells.count(15) < 2)
    if state.cells.count(15) > 1:
        return
    for action in range(4):
        after = np.uint64(packed.slide(board, action, ROWS))
        slide = twenty48.slide(state, action)
        if slide is None:
            assert after == board
            continue
        assert cells_of(after) == slide.cells
        assert packed.reward_of(board, action, REWARDS) == slide.reward
        expected = twenty48.spawn(slide.cells, state.seed, state.spawns)
        assert packed.spawn(after, np.uint64(state.seed), np.uint64(state.spawns)) == expected


@settings(deadline=None)  # the first example may compile
@given(positions(st.integers(3, 8), 40))
def test_grids_play_by_the_plain_rules(state: State) -> None:
    cells = np.array(state.cells, np.uint8)
    after = np.full(len(cells), 99, np.uint8)
    print(twenty48.format_position(state))
    for action in range(4):
        reward = grid.slide(cells, state.size, action, after)
        slide = twenty48.slide(state, action)
        if slide is None:
            assert reward == -1 and tuple(after) == state.cells
            continue
        assert (tuple(after), reward) == (slide.cells, slide.reward)
        expected = twenty48.spawn(slide.cells, state.seed, state.spawns)
        assert grid.spawn(after, state.size, np.uint64(state.seed), np.uint64(state.spawns)) == expected


def test_every_packed_row_slides_as_a_row_of_the_plain_rules() -> None:
    chooser = random.Random(4)
    for row in [*range(256), *(chooser.randrange(65536) for _ in range(2000))]:
        line = tuple((row >> (4 * i)) & 15 for i in range(4))
        if line.count(15) > 1:
            continue
        for action, right in ((3, 0), (1, 1)):
            slide = twenty48.slide(State(4, line + (0,) * 12, 0, 0, 0), action)
            after = slide.cells[:4] if slide else line
            assert ROWS[right, row] == sum(e << (4 * i) for i, e in enumerate(after)), (line, action)
            assert REWARDS[row] == (slide.reward if slide else 0), (line, action)


@settings(deadline=None)  # the first example may compile
@given(positions(st.just(4), 15))
def test_the_line_table_is_the_evaluation(state: State) -> None:
    lines = np.zeros((2, 65536), np.float32)
    build_lines(lines, WEIGHTS.numbers(), WEIGHTS.powers())
    square = np.array(state.cells, np.uint8).reshape(4, 4)
    print(square)
    direct = evaluate_grid(square.ravel(), 4, WEIGHTS.numbers(), WEIGHTS.powers())
    for turns in range(4):
        for image in (np.rot90(square, turns), np.rot90(square, turns).T):
            worth = evaluate_packed(packed_of(tuple(image.ravel().tolist())), lines)
            assert worth == pytest.approx(direct, abs=1e-3), "symmetric boards are worth the same"


def test_sums_of_line_worths_are_exact() -> None:
    """The search adds and subtracts them in another order than the evaluation, and must not change a bit."""
    lines = np.zeros((2, 65536), np.float32)
    build_lines(lines, WEIGHTS.numbers(), WEIGHTS.powers())
    lowest = np.abs(lines).min() * 2.0**-23  # no worth has a smaller last bit than the smallest worth
    largest = 32 * float(np.abs(lines).max())
    print(lowest, largest)
    assert lowest > 0
    assert largest / lowest < 2.0**53


@settings(deadline=None)
@given(st.lists(st.integers(0, 20), min_size=3, max_size=8))
def test_a_remembered_line_is_slid_and_evaluated_like_any_other(cells: list[int]) -> None:
    size = len(cells)
    lines = make_lines(size, WEIGHTS.numbers(), WEIGHTS.powers())
    line = np.uint64(sum(exponent << (8 * cell) for cell, exponent in enumerate(cells)))
    learn(line, size, lines.known, lines.worths, lines.numbers, lines.powers, lines.scratch)
    slot = slot_of(line)
    for way, action in ((ASIS, None), (LEFT, 3), (RIGHT, 1)):
        slide = action and twenty48.slide(State(size, tuple(cells) + (0,) * (size * size - size), 0, 0, 0), action)
        expected = slide.cells[:size] if slide else tuple(cells)
        found = tuple(int(cell_of(lines.known[slot, way], cell)) for cell in range(size))
        print(cells, way, found, lines.worths[slot, way])
        assert found == expected
        row = np.array(expected, np.uint8)
        for edge in (OUTER, INNER):
            worth = line_worth(row, 0, 1, size, edge == OUTER, lines.numbers, lines.powers)
            assert lines.worths[slot, way, edge] == worth


@numba.njit
def count_spawns(seed: np.uint64, total: int, empty: int) -> npt.NDArray[np.int64]:
    counts = np.zeros((empty, 2), np.int64)
    for spawns in range(total):
        number = random_number(seed, np.uint64(spawns))
        counts[pick(number, np.int64(empty)), 1 if is_four(number) else 0] += 1
    return counts


@pytest.mark.parametrize(("seed", "empty"), [(0, 14), (1, 3), (2**64 - 1, 62)])
def test_a_million_spawns_are_uniform_and_a_tenth_are_fours(seed: int, empty: int) -> None:
    total = 1_000_000
    counts = count_spawns(np.uint64(seed), total, empty)
    print(counts)
    cells = counts.sum(axis=1)
    expected = total / empty
    chi_square = float(((cells - expected) ** 2 / expected).sum())
    assert chi_square < empty - 1 + 5 * (2 * (empty - 1)) ** 0.5, "cells are equally likely"
    fours = counts[:, 1] / cells
    assert abs(counts[:, 1].sum() / total - 0.1) < 5 * (0.09 / total) ** 0.5
    assert np.abs(fours - 0.1).max() < 5 * (0.09 / cells.min()) ** 0.5, "the tile does not depend on the cell"
