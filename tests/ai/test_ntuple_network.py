"""N-tuple networks: values against a plain sum, symmetries, and learning against a plain twin."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai import catalogue
from ai.twenty48.ntuple import best_slide, evaluate, make_network, make_rules
from ai.twenty48.ntuple_learning import (
    BEFORE,
    COUNT,
    ERROR,
    GAMES,
    MOVES,
    POSITION,
    SCORE,
    SEED,
    SPAWNS,
    adjust,
    learn,
    make_episode,
)
from ai.twenty48.ntuple_shapes import SHAPES, Tuples, format_tuples, parse_tuples, table_sizes
from ai.twenty48.packed import pack, unpack
from ai.twenty48.spawns import random_number
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
    square = np.array(cells).reshape(4, 4)
    return [np.rot90(side, turns).ravel() for side in (square, square.T) for turns in range(4)]


def plain_places(cells: Sequence[int], tuples: Tuples) -> list[int]:
    """Where the weights of a board stand, by the definition."""
    found, start = [], 0
    for shape, size in zip(tuples, table_sizes(tuples), strict=True):
        for board in all_symmetries(cells):
            found.append(start + sum(int(board[cell]) << (4 * place) for place, cell in enumerate(shape)))
        start += size
    return found


def network_of(tuples: Tuples, seed: int = 3):
    weights = np.random.default_rng(seed).normal(0, 100, sum(table_sizes(tuples))).astype(np.float32)
    return make_network(tuples, weights)


ODD_NETWORK = network_of(ODD)
ODD_SUMS = np.zeros((len(ODD_NETWORK.weights), 2), np.float32)


@settings(max_examples=200, deadline=None)
@given(boards)
def test_weights_are_found_where_the_definition_says(cells: list[int]) -> None:
    found = np.zeros(8 * len(ODD), np.uint64)
    adjust(packed(cells), np.float32(0), np.float32(0), ODD_NETWORK.weights, ODD_SUMS, ODD_NETWORK.layout, found)
    expected = plain_places(cells, ODD)
    for number in range(len(ODD)):
        eight = slice(8 * number, 8 * number + 8)
        assert sorted(found[eight]) == sorted(expected[eight]), (cells, ODD[number])


@settings(max_examples=100, deadline=None)
@given(boards)
def test_a_value_is_the_sum_and_the_same_for_all_symmetries(cells: list[int]) -> None:
    expected = float(ODD_NETWORK.weights[plain_places(cells, ODD)].sum())
    for board in all_symmetries(cells):
        assert evaluate(packed(board), *ODD_NETWORK) == pytest.approx(expected, rel=1e-4, abs=0.01), cells


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
        assert evaluate(board, *narrow) == evaluate(board, *expected)


@settings(max_examples=200, deadline=None)
@given(boards.map(lambda cells: [min(cell, 14) for cell in cells]))
def test_the_best_slide_is_that_of_the_plain_rules(cells: list[int]) -> None:
    state = State(4, tuple(cells), 0, 0, 0)
    action, after, reward, worth = best_slide(packed(cells), *ODD_NETWORK, *RULES)
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


def test_all_named_sets_are_in_the_catalogue_and_have_the_size_their_names_say() -> None:
    choices = catalogue.trainer("twenty48", "ntuple").parameter("tuples").choices
    assert set(choices) == set(SHAPES)
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


def plain_adjust(weights: np.ndarray, sums: np.ndarray, where: list[int], target: float, alpha: float) -> float:
    """One step of temporal coherence learning, by the rule."""
    error = target - float(weights[where].sum())
    for place in where:
        signed, unsigned = sums[place]
        weights[place] += alpha / len(where) * (abs(signed) / unsigned if unsigned else 1.0) * error
        sums[place] += (error, abs(error))
    return error


def test_one_step_of_learning_follows_the_rule_look_ups_met_twice_included() -> None:
    tuples = parse_tuples("01 0145")
    network = network_of(tuples)
    chance = np.random.default_rng(9)
    sums = np.zeros((len(network.weights), 2), np.float32)
    plain_weights, plain_sums = network.weights.astype(np.float64), sums.astype(np.float64)
    where = np.zeros(16, np.uint64)
    for _ in range(60):
        cells = chance.integers(0, 3, 16)  # few tiles: the same weights again and again
        target = float(chance.normal(0, 500))
        error = adjust(
            packed(cells), np.float32(target), np.float32(0.7), network.weights, sums, network.layout, where
        )
        expected = plain_adjust(plain_weights, plain_sums, plain_places(cells, tuples), target, 0.7)
        assert error == pytest.approx(expected, rel=1e-3, abs=0.05)
    assert network.weights == pytest.approx(plain_weights, rel=1e-3, abs=0.05)
    assert sums == pytest.approx(plain_sums, rel=1e-3, abs=0.5)
    assert (plain_sums[:, 1] > 0).sum() > 50


def test_a_game_is_learned_as_a_plain_twin_learns_it() -> None:
    """Every move of one game: the choice, the spawn, the error made, and at the end the target 0."""
    tuples = parse_tuples("012 0145")
    size = sum(table_sizes(tuples))
    network, sums, episode = make_network(tuples, np.zeros(size, np.float32)), np.zeros((size, 2), np.float32), None
    episode = make_episode(len(tuples))
    weights, plain_sums = np.zeros(size), np.zeros((size, 2))
    seed = int(random_number(np.uint64(77), np.uint64(5)))
    state = twenty48.start(4, seed)
    before = None
    while True:
        values = {}
        for action in twenty48.legal_actions(state):
            slide = twenty48.slide(state, action)
            assert slide is not None
            values[action] = slide.reward + float(weights[plain_places(slide.cells, tuples)].sum())
        ends = not values
        errors = episode.errors.copy()
        learn(network, sums, RULES, episode, np.float32(1), np.uint64(77), 5, 1, 1, 1)
        if ends:
            error = plain_adjust(weights, plain_sums, plain_places(before, tuples), 0.0, 1.0)
            break
        board = unpacked(episode.boards[POSITION])
        chosen = [action for action in values if twenty48.apply(state, action).cells == board]
        print(twenty48.format_position(state), values, chosen)
        assert chosen and values[chosen[0]] == pytest.approx(max(values.values()), rel=1e-3, abs=0.1)
        if before is not None:
            error = plain_adjust(weights, plain_sums, plain_places(before, tuples), values[chosen[0]], 1.0)
            assert episode.errors[ERROR] - errors[ERROR] == pytest.approx(abs(error), rel=1e-2, abs=0.1)
        slide = twenty48.slide(state, chosen[0])
        assert slide is not None and unpacked(episode.boards[BEFORE]) == slide.cells
        before, state = slide.cells, twenty48.apply(state, chosen[0])
        assert (episode.head[SCORE], episode.luck[SEED], episode.luck[SPAWNS]) == (state.score, seed, state.spawns)
    assert episode.head[GAMES] == 1 and episode.scores[0] == state.score
    assert episode.tiles[0] == max(state.cells)
    assert episode.errors[COUNT] == episode.head[MOVES] == state.spawns - 2
    assert episode.errors[ERROR] - errors[ERROR] == pytest.approx(abs(error), rel=1e-2, abs=0.1)
    assert network.weights == pytest.approx(weights, rel=1e-2, abs=0.5)
