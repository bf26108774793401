"""The n-tuple network of connect-4: what its tuples see, on any board, and the values that agents show."""

import random
from pathlib import Path

import numpy as np
import pytest

from ai import models
from ai.agent import Thinking
from ai.connect4.ntuple import model
from ai.connect4.ntuple.agent import NTuple
from ai.connect4.ntuple.network import SIZE, make_board, put
from ai.connect4.ntuple.shapes import image, shared_tuples, symmetries
from ai.models import ModelCard
from ai.tensors import ModelError
from game.rules import connect4
from game.rules.connect4 import Shape, State

SHAPES = [Shape(6, 7, 1, 4), Shape(4, 4, 4, 4), Shape(3, 4, 2, 3, 3), Shape(4, 5, 1, 3, 4)]
WALKS, LENGTH = 6, 5


def played(shape: Shape, plies: int, seed: int) -> State:
    """A random position in which the game goes on."""
    luck = random.Random(seed)
    while True:
        state = connect4.start(shape)
        for _ in range(plies):
            if connect4.legal_actions(state):
                state = connect4.apply(state, luck.choice(connect4.legal_actions(state)))
        if connect4.outcome(state) is None and len(state.moves) == plies:
            return state


def reference(shape: Shape, state: State, viewer: int, weights: np.ndarray) -> float:
    """The sum of a viewer's weights, straight from the definition."""
    base, size, total = shape.players + 2, len(weights) // shape.players, 0.0
    begin = viewer * size
    for images in shared_tuples(shape, WALKS, LENGTH):
        for cells in images:
            index = 0
            for power, cell in enumerate(cells):
                row, action = divmod(cell, shape.columns)
                stone = state.cells[cell]
                digit = 2 + (stone - 1 - viewer) % shape.players if stone else int(state.heights[action] == row)
                index += digit * base**power
            total += weights[begin + index]
        begin += base ** len(images[0])
    return total


def model_file(folder: Path, shape: Shape, seed: int = 1) -> tuple[Path, np.ndarray]:
    """A model with random weights, and what is stored of them."""
    count = model.weights_of(shape, WALKS, LENGTH)
    weights = np.random.default_rng(seed).integers(-20, 21, count).astype(np.float32) * np.float32(0.02)
    path = folder / "some.safetensors"
    model.write(path, shape, WALKS, LENGTH, weights, ModelCard(path))
    return path, weights


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_values_are_those_of_the_definition(shape: Shape, tmp_path: Path) -> None:
    path, weights = model_file(tmp_path, shape)
    agent = NTuple(path)
    for seed in range(6):
        state = played(shape, 3 + 2 * seed, seed)
        plan = agent.plan(state, Thinking())
        print(connect4.format_moves(state), plan.values)
        assert set(plan.values) == set(connect4.legal_actions(state))
        for action, value in plan.values.items():
            after = connect4.apply(state, action)
            wanted = 1.0 if after.winner is not None else np.tanh(reference(shape, after, state.to_move, weights))
            assert value == pytest.approx(wanted, abs=1e-5)
        assert plan.values[plan.actions[0]] == max(plan.values.values())


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_symmetric_positions_have_the_same_values(shape: Shape, tmp_path: Path) -> None:
    agent = NTuple(model_file(tmp_path, shape)[0])
    state = played(shape, 9, 4)
    values = agent.values(state)
    turned = symmetries(shape)
    assert len(turned) == (2 if shape.depth == 1 else 8 if shape.depth == shape.cols else 4)
    for symmetry in turned:
        other = connect4.start(shape)
        for move in state.moves:
            other = connect4.apply(other, symmetry[move])
        print(connect4.format_moves(state), connect4.format_moves(other))
        assert agent.values(other) == pytest.approx({symmetry[action]: value for action, value in values.items()})


def test_images_share_a_table_and_tables_are_not_made_twice() -> None:
    shape = Shape(6, 7, 1, 4)
    tables = shared_tuples(shape, 20, 8)
    seen = [frozenset(cells) for images in tables for cells in images]
    assert len(seen) == len(set(seen))
    assert sum(len(images) for images in tables if len(images[0]) == 4) == len(connect4.lines(shape))
    for images in tables:
        assert {frozenset(image(shape, images[0], each)) for each in symmetries(shape)} == set(map(frozenset, images))


def test_stones_can_be_put_in_any_order() -> None:
    board = make_board(SHAPES[0], WALKS, LENGTH)
    one = np.stack([board.begun] * 2)
    other = one.copy()
    for cell, seat in ((3, 0), (10, 1), (4, 1), (17, 0)):
        put(board, one, cell, seat)
    for cell, seat in ((4, 1), (3, 0), (10, 1), (17, 0)):
        put(board, other, cell, seat)
    assert np.array_equal(one, other)
    assert (one >= 0).all() and (one < board.head[SIZE]).all()


def test_a_model_is_for_its_board_only(tmp_path: Path) -> None:
    path, _ = model_file(tmp_path, SHAPES[0])
    card = models.check(path)
    assert (card.game, card.agent, card.board) == ("connect4", "ntuple", "6x7x1x4 for 2")
    with pytest.raises(ValueError, match="6x7x1x4 for 2 only"):
        NTuple(path).plan(connect4.start(SHAPES[1]), Thinking())


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [("shapes", "6 walks of 55", "tuples"), ("board", "6x7x9x4 for 2", "board"), ("shapes", "7 walks of 5", "table")],
)
def test_files_that_are_no_such_model_are_refused(tmp_path: Path, text: str, value: str, reason: str) -> None:
    from ai.tensors import TensorFile, write_whole

    path, _ = model_file(tmp_path, SHAPES[0])
    with TensorFile(path) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = {**file.metadata, text: value}
    write_whole(path, arrays, texts)
    with pytest.raises(ModelError, match=reason):
        model.read(path)
