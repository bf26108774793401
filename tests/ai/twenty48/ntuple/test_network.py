"""N-tuple networks: values against a plain sum, symmetries, and learning against a plain twin."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.twenty48.board.packed import U0, pack, unpack
from ai.twenty48.ntuple.learning import find
from ai.twenty48.ntuple.network import best_slide, evaluate, make_network, make_rules, stage_base, tile_sum
from ai.twenty48.ntuple.shapes import CONTENTS, SHAPES, Tuples, format_tuples, parse_tuples, table_sizes
from game.rules import twenty48
from game.rules.twenty48 import State

ODD = parse_tuples("0 17 048c 01267b 2356")
RULES = make_rules()
boards = st.lists(st.integers(0, 15), min_size=16, max_size=16)


def packed(cells: Sequence[int]) -> np.uint64:
    return np.uint64(pack(np.array(cells, np.uint8)))


def unpacked(board: np.uint64) -> tuple[int, ...]:
    cells = np.zeros(16, np.uint8)
    unpack(np.uint64(board), cells)
    return tuple(int(cell) for cell in cells)


def all_symmetries(cells: Sequence[int]) -> list[np.ndarray]:
    square = np.array(cells).reshape(math.isqrt(len(cells)), -1)
    return [np.rot90(side, turns).ravel() for side in (square, square.T) for turns in range(4)]


def plain_places(cells: Sequence[int], tuples: Tuples) -> list[int]:
    """Where the weights of a board stand, by the definition."""
    found, start, side = [], 0, math.isqrt(len(cells))
    contents = CONTENTS[side]
    for shape, size in zip(tuples, table_sizes(tuples, side), strict=True):
        for board in all_symmetries([min(cell, contents - 1) for cell in cells]):
            found.append(start + sum(int(board[cell]) * contents**place for place, cell in enumerate(shape)))
        start += size
    return found


def network_of(tuples: Tuples, seed: int = 3):
    weights = np.random.default_rng(seed).normal(0, 100, sum(table_sizes(tuples))).astype(np.float32)
    return make_network(tuples, weights)


ODD_NETWORK = network_of(ODD)


@settings(max_examples=200, deadline=None)
@given(boards)
def test_weights_are_found_where_the_definition_says(cells: list[int]) -> None:
    found = np.zeros(8 * len(ODD), np.uint64)
    find(packed(cells), U0, ODD_NETWORK.layout, found)
    expected = plain_places(cells, ODD)
    for number in range(len(ODD)):
        eight = slice(8 * number, 8 * number + 8)
        assert sorted(found[eight]) == sorted(expected[eight]), (cells, ODD[number])


@settings(max_examples=100, deadline=None)
@given(boards)
def test_a_value_is_the_sum_and_the_same_for_all_symmetries(cells: list[int]) -> None:
    expected = float(ODD_NETWORK.weights[plain_places(cells, ODD)].sum())
    for board in all_symmetries(cells):
        assert evaluate(packed(board), U0, *ODD_NETWORK[:3]) == pytest.approx(expected, rel=1e-4, abs=0.01), cells


def test_sixteen_bits_and_steps_give_the_same_value() -> None:
    tuples = parse_tuples("0145 012")
    small = np.random.default_rng(1).integers(-300, 300, sum(table_sizes(tuples))).astype(np.int16)
    steps = np.array([2.0, 0.5], np.float32)
    wide = small.astype(np.float32)
    wide[:65536] *= 2
    wide[65536:] *= 0.5
    for seed in range(20):
        board = packed(np.random.default_rng(seed).integers(0, 12, 16))
        narrow, expected = make_network(tuples, small, steps), make_network(tuples, wide)
        assert evaluate(board, U0, *narrow[:3]) == evaluate(board, U0, *expected[:3])


@settings(max_examples=200, deadline=None)
@given(boards.map(lambda cells: [min(cell, 14) for cell in cells]))
def test_the_best_slide_is_that_of_the_plain_rules(cells: list[int]) -> None:
    state = State(4, tuple(cells), 0, 0, 0)
    action, after, reward, worth = best_slide(packed(cells), U0, *ODD_NETWORK[:3], *RULES)
    legal = twenty48.legal_actions(state)
    values = {}
    for each in legal:
        slide = twenty48.slide(state, each)
        assert slide is not None
        values[each] = slide.reward + float(ODD_NETWORK.weights[plain_places(slide.cells, ODD)].sum())
    print(twenty48.format_position(state), values, action)
    if not legal:
        assert (action, worth) == (-1, 0)
        return
    slide = twenty48.slide(state, action)
    assert slide is not None
    assert (unpacked(after), reward) == (slide.cells, slide.reward)
    assert worth == pytest.approx(values[action], rel=1e-4, abs=0.05)
    assert worth == pytest.approx(max(values.values()), rel=1e-4, abs=0.05)


def test_all_named_sets_have_the_size_their_names_say() -> None:
    for name, text in SHAPES.items():
        tuples = parse_tuples(text)
        number, cells = name.split("x")
        assert (len(tuples), {len(shape) for shape in tuples}) == (int(number), {int(cells)})
        assert format_tuples(tuples) == text


@pytest.mark.parametrize("text", ["", "01 10", "00", "0g", "0123456", "0A", "é", " ".join(["01"] * 17)])
def test_other_tuples_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no tuple|1 to 16 tuples"):
        parse_tuples(text)


def test_as_many_weights_as_the_tuples_need() -> None:
    with pytest.raises(ValueError, match="65,536 weights"):
        make_network(parse_tuples("0123"), np.zeros(65_535, np.float32))


@given(st.lists(st.integers(0, 12), min_size=16, max_size=16), st.integers(0, 60_000))
@settings(max_examples=60, deadline=None)
def test_the_stage_is_that_of_the_sum_of_all_tiles(cells: list[int], total: int) -> None:
    tuples, stages = parse_tuples("01 0145"), (100, 5_000, 20_000)
    size = sum(table_sizes(tuples))
    network = make_network(tuples, np.zeros(4 * size, np.float32), stages=stages)
    assert tile_sum(packed(cells)) == sum(2**cell for cell in cells if cell)
    assert stage_base(np.int64(total), network.layout, network.stages) == size * sum(
        total >= stage for stage in stages
    )


def test_a_weight_never_learned_is_that_of_the_stage_before() -> None:
    tuples = parse_tuples("01 0145")
    size = sum(table_sizes(tuples))
    weights = np.random.default_rng(4).normal(0, 100, 3 * size).astype(np.float32)
    weights[size:][np.random.default_rng(5).random(2 * size) < 0.6] = np.nan
    filled = weights.copy()
    for stage in (1, 2):
        part, before = filled[stage * size :][:size], filled[(stage - 1) * size :][:size]
        part[np.isnan(part)] = before[np.isnan(part)]
    sparse, dense = (make_network(tuples, each, stages=(64, 128)) for each in (weights, filled))
    chance = np.random.default_rng(6)
    for stage in (0, 1, 2):
        for _ in range(50):
            board = packed(chance.integers(0, 12, 16))
            found = best_slide(board, np.uint64(stage * size), *sparse[:3], *RULES)
            expected = best_slide(board, np.uint64(stage * size), *dense[:3], *RULES)
            print(stage, found, expected)
            assert found[:3] == expected[:3] and found[3] == pytest.approx(expected[3], rel=1e-4, abs=0.05)
