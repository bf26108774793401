"""The policy network in numpy says what the same network says in torch, and sees the level from all sides alike."""

from pathlib import Path

import numpy as np
import pytest

from ai.models import ModelCard
from ai.sokoban.board.layout import Layout, layout
from ai.sokoban.policy.features import see
from ai.sokoban.policy.inference import Network, neighbours, weights_of
from ai.sokoban.policy.model import PLANES, Floats, PolicyModel
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from tests.ai.sokoban.levels import level
from tests.ai.sokoban.policy.files import random_arrays

CHANNELS, BLOCKS = 12, 4
ARRAYS = random_arrays(CHANNELS, BLOCKS)
WEIGHTS = weights_of(PolicyModel(ModelCard(Path("none"), board="10x10"), CHANNELS, BLOCKS, 8, ARRAYS))
PLACES = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
WAYS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
TINY = """
#####
#@$.#
#####
"""
DIAGONAL = """
#######
#@ #  #
#  $  #
##   ##
#. $ .#
#######
"""


def positions() -> list[sokoban.State]:
    rooms = make_rooms(seed=3, rows=10, cols=8, boxes=3, count=3)
    return [level(TINY), level(DIAGONAL), *(rooms.state(number) for number in range(3))]


def seen_of(board: Layout, player: int | None = None) -> Floats:
    squares = len(board.squares)
    seen = np.zeros((squares, PLANES), np.float32)
    queue, far = np.zeros(squares, np.int32), np.zeros(squares, np.int32)
    see(board.steps, squares, board.is_target, board.occupied, board.player, queue, far, seen)
    return seen


def in_torch(board: Layout, seen: Floats) -> tuple[np.ndarray, np.ndarray]:
    """The same network as masked convolutions over the whole board, with the interpreter's own pooling."""
    torch = pytest.importorskip("torch")
    arrays = {name: torch.from_numpy(array) for name, array in ARRAYS.items()}
    rows, cols = board.state.warehouse.rows, board.state.warehouse.cols
    planes = torch.zeros(PLANES, rows * cols)
    planes[:, board.squares.astype(int)] = torch.from_numpy(seen.T.copy())
    mask = torch.zeros(rows * cols)
    mask[board.squares.astype(int)] = 1
    mask = mask.reshape(1, 1, rows, cols)

    def conv(x, name):  # type: ignore[no-untyped-def]
        weight = arrays[f"{name}.weight"]
        kernel = weight.permute(2, 1, 0).reshape(weight.shape[2], weight.shape[1], 3, 3)
        return torch.nn.functional.conv2d(x, kernel, arrays[f"{name}.bias"], padding=1) * mask

    def pooled(x):  # type: ignore[no-untyped-def]
        inside = x[0].reshape(x.shape[1], -1)[:, board.squares.astype(int)]
        return torch.cat([inside.mean(dim=1), inside.max(dim=1).values])

    x = torch.relu(conv(planes.reshape(1, PLANES, rows, cols), "stem"))
    for block in range(BLOCKS):
        y = torch.relu(conv(x, f"{block}.in"))
        z = conv(y, f"{block}.out")
        if block % 2:
            z = (z + (pooled(y) @ arrays[f"{block}.pool.weight"]).reshape(1, -1, 1, 1)) * mask
        x = torch.relu(x + z)
    inside = x[0].reshape(CHANNELS, -1)[:, board.squares.astype(int)].T
    hidden = torch.relu(pooled(x) @ arrays["value.hidden.weight"] + arrays["value.hidden.bias"])
    logits = inside @ arrays["policy.weight"] + arrays["policy.bias"]
    return logits.numpy(), (hidden @ arrays["value.weight"] + arrays["value.bias"]).numpy()


@pytest.mark.parametrize("number", range(5))
def test_it_says_what_torch_says(number: int) -> None:
    board = layout(positions()[number])
    seen = seen_of(board)
    network = Network(WEIGHTS, board, 1)
    network.seen[:] = seen
    logits, values = network.evaluate(1, lambda: None)
    wanted, worth = in_torch(board, seen)
    print(sokoban.to_array(board.state), logits[0].round(3), wanted.round(3), values, worth, sep="\n")
    assert float(np.abs(wanted).max()) > 0.3, "a network that says nothing proves nothing"
    np.testing.assert_allclose(logits[0], wanted, atol=1e-4)
    np.testing.assert_allclose(values[0], worth, atol=1e-4)


def test_positions_looked_at_together_do_not_mix() -> None:
    board = layout(positions()[2])
    squares, seen = len(board.squares), seen_of(board)
    network = Network(WEIGHTS, board, 300)
    luck = np.random.default_rng(1)
    network.seen[:] = luck.random(network.seen.shape, dtype=np.float32)
    assert len(network.seen) > 4 * 2048, "several matrix products are needed"
    calls: list[int] = []
    for place in (0, 137, 299):
        network.seen[place * squares : (place + 1) * squares] = seen
    logits, values = network.evaluate(300, lambda: calls.append(1))
    assert len(calls) > 4 * BLOCKS
    wanted, worth = in_torch(board, seen)
    for place in (0, 137, 299):
        np.testing.assert_allclose(logits[place], wanted, atol=1e-4)
        np.testing.assert_allclose(values[place], worth, atol=1e-4)
    assert float(np.abs(logits[1] - wanted).max()) > 1e-2


def test_neighbours_are_squares_of_the_level() -> None:
    board = layout(level(DIAGONAL))
    cols = board.state.warehouse.cols
    for square, row in enumerate(neighbours(board).tolist()):
        for (down, right), other in zip(PLACES, row, strict=True):
            there = int(board.squares[square]) + down * cols + right
            assert other == (board.squares.tolist().index(there) if there in board.squares else -1)


@pytest.mark.parametrize("sides", [2, 3, 5, 8])
def test_sides_are_turned_and_mirrored_levels(sides: int) -> None:
    """Looking from k sides is the mean of k turned levels, whose answers are turned back."""
    state = positions()[2]
    grid = sokoban.to_array(state)
    cells = np.arange(grid.size).reshape(grid.shape)
    board = layout(state)
    network = Network(WEIGHTS, board, 1, sides)
    network.seen[:] = seen_of(board)
    found, worth = network.evaluate(1, lambda: None)
    every, worths = [], []
    for mirrored in (False, True):
        for turns in range(4):
            turned, origin = (np.rot90(np.fliplr(each) if mirrored else each, turns) for each in (grid, cells))
            other = layout(sokoban.from_array(turned.copy()))
            one = Network(WEIGHTS, other, 1)
            one.seen[:] = seen_of(other)
            logits, value = one.evaluate(1, lambda: None)
            back = np.zeros_like(logits[0])
            for square, cell in enumerate(other.squares.tolist()):
                for action in range(4):
                    row, col = np.divmod(cell, other.state.warehouse.cols) + np.array(WAYS[action])
                    way = int(origin[row, col] - origin.flat[cell])
                    way = [-grid.shape[1], 1, grid.shape[1], -1].index(way)
                    back[board.squares.tolist().index(int(origin.flat[cell])), way] = logits[0, square, action]
            every.append(back)
            worths.append(value[0])
    close = [
        [float(np.abs(one - other).max()) < 1e-4 for other in every]
        for one in [_look(board, side) for side in range(8)]
    ]
    assert all(any(row) for row in close), "every side is one of the turned levels"
    assert len({row.index(True) for row in close}) == 8, "and all of them are different"
    assert close[0][0]
    chosen = [row.index(True) for row in close][:sides]
    np.testing.assert_allclose(found[0], np.mean([every[side] for side in chosen], axis=0), atol=1e-4)
    np.testing.assert_allclose(worth[0], np.mean([worths[side] for side in chosen], axis=0), atol=1e-4)


def _look(board: Layout, side: int) -> np.ndarray:
    """What it says from one side: the mean of the first k + 1 less that of the first k."""
    sums = []
    for count in (side, side + 1):
        network = Network(WEIGHTS, board, 1, max(count, 1))
        network.seen[:] = seen_of(board)
        sums.append(network.evaluate(1, lambda: None)[0][0].astype(float) * count)
    return sums[1] - sums[0]
