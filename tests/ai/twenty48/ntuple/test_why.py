"""The parts of a value: together they are what the network itself says, and they are about the right cells."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.models import ModelCard
from ai.twenty48.board.packed import pack
from ai.twenty48.ntuple import grid_network
from ai.twenty48.ntuple.model import NTupleModel
from ai.twenty48.ntuple.network import evaluate, make_network, stage_base, tile_sum
from ai.twenty48.ntuple.shapes import Tuples, parse_tuples, table_sizes
from ai.twenty48.ntuple.why import explain, symmetries
from game.rules import twenty48
from game.rules.twenty48 import State, parse_position

TUPLES = parse_tuples("0123 0145 456")
STAGES = (64, 512)


def model(tuples: Tuples = TUPLES, stages: tuple[int, ...] = STAGES, size: int = 4) -> NTupleModel:
    count = sum(table_sizes(tuples, size)) * (len(stages) + 1)
    weights = np.random.default_rng(3).integers(-900, 900, count).astype(np.int16)
    steps = np.array([1.0, 2.0, 0.5][: len(tuples)], np.float32)
    return NTupleModel(ModelCard(Path("any")), tuples, weights, steps, size, stages)


MODEL = model()
NETWORK = make_network(MODEL.tuples, MODEL.weights, MODEL.steps, MODEL.stages)


def value(cells: tuple[int, ...]) -> float:
    """By the kernel that plays."""
    board = np.uint64(pack(np.array(cells, np.uint8)))
    base = stage_base(tile_sum(board), NETWORK.layout, NETWORK.stages)
    return float(evaluate(board, base, NETWORK.weights, NETWORK.steps, NETWORK.layout))


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=16, max_size=16))
def test_the_parts_are_the_difference_of_what_the_kernel_says(cells):
    state = State(4, tuple(cells), 0, 0, 0)
    slides = {action: twenty48.slide(state, action) for action in twenty48.legal_actions(state)}
    worth = {action: slide.reward + value(slide.cells) for action, slide in slides.items()}
    print(twenty48.draw(state), worth)
    for action, slide in slides.items():
        for other in [None, *(each for each in slides if each != action)]:
            why = explain(MODEL, state, action, other)
            assert why is not None and (why.action, why.other) == (action, other)
            against = 0.0 if other is None else worth[other]
            assert why.reward + why.value == pytest.approx(worth[action] - against, abs=0.5)
            assert why.value == pytest.approx(sum(part.points for part in why.parts))
            assert [part.points for part in why.parts] == sorted((part.points for part in why.parts), reverse=True)
            assert why.reward == slide.reward - (0 if other is None else slides[other].reward)
    for action in set(range(4)) - set(slides):
        assert explain(MODEL, state, action, None) is None
        assert all(explain(MODEL, state, each, action) is None for each in slides)


def test_a_mirrored_board_is_no_argument():
    board = "0 0 0 0/0 0 0 0/0 0 0 0/0 2 4 0"
    state = parse_position(board)
    print(board)
    lone = model((tuple(range(4)),), ())
    lone.weights[:] = 0
    lone.weights[1 | 2 << 4] = 700  # 2 4 and two empty cells, read from either end
    lone.weights[2 | 1 << 4] = 300
    why = explain(lone, state, 3, 1)
    assert why is not None and why.value == 400
    # the row stays at the bottom in both: nothing speaks for another edge and against this one
    assert [(part.cells, part.points) for part in why.parts if part.points] == [((12, 13, 14, 15), 400)]
    up = explain(lone, parse_position("0 0 0 0/2 4 0 0/0 0 0 0/0 0 0 0"), 0, 2)
    assert up is not None and all(part.points == 0 for part in up.parts), "top and bottom edge are worth the same"


def test_a_weight_that_was_learned_for_one_row_speaks_for_that_row_alone():
    board = "0 0 0 0/0 0 0 0/0 0 0 0/0 2 4 8"
    state = parse_position(board)
    lone = model((tuple(range(4)),), ())
    lone.weights[:] = 0
    lone.weights[1 | 2 << 4 | 3 << 8] = 700  # 2 4 8 and an empty cell, as after a slide to the left
    print(board)
    left = explain(lone, state, 3, 0)
    assert left is not None
    assert left.parts[0].cells == (12, 13, 14, 15) and left.parts[0].points == 700
    assert all(part.points == 0 for part in left.parts[1:])
    assert len(left.parts) == 4  # the four edges of the square, each looked up from both ends
    up = explain(lone, state, 0, 3)
    assert up is not None and up.other == 3 and up.value == -700 and up.parts[-1].cells == (12, 13, 14, 15)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_there_are_eight_symmetries_and_each_keeps_neighbours(size):
    found = symmetries(size)
    assert len({tuple(cells) for cells in found}) == 8
    for cells in found:
        assert sorted(cells) == list(range(size * size))
        for cell in range(size * size - 1):
            if cell % size < size - 1:
                (row, col), (other_row, other_col) = divmod(cells[cell], size), divmod(cells[cell + 1], size)
                assert abs(row - other_row) + abs(col - other_col) == 1


def test_boards_of_other_sizes_are_explained_as_their_kernel_values_them():
    five = model(parse_tuples("01567 0156", 5), (), 5)
    network = grid_network.make_grid_network(five.tuples, five.weights, 5, five.steps)
    state = State(5, tuple(number % 7 for number in range(25)), 0, 2, 0)
    worth = {}
    for action in twenty48.legal_actions(state):
        slide = twenty48.slide(state, action)
        cells = np.array(slide.cells, np.uint8)
        weights, steps, spots, tables, _stages, _size, contents = network
        seen = np.zeros(25, np.uint64)
        said = grid_network.evaluate(cells, np.uint64(0), weights, steps, spots, tables, contents, seen)
        worth[action] = slide.reward + float(said)
    print(twenty48.draw(state), worth)
    best, other = sorted(worth, key=worth.__getitem__)[:-3:-1]
    why = explain(five, state, best, other)
    assert why is not None and why.other == other
    assert why.reward + why.value == pytest.approx(worth[best] - worth[other], abs=0.5)
