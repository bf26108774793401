"""The network of `ai.connect4.net.features` once more, as kernels on the board of the search: for `mcts`.

The same numbers for one position at a time. Inputs and rectified layers are mostly zeros, and those are skipped.
"""

from typing import NamedTuple

import numpy as np

from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints
from ai.connect4.net.features import PLANES, REACH, SCALE, Floats, inputs
from ai.connect4.net.model import NetModel
from ai.jit import kernel


class Network(NamedTuple):
    """Weights as in `features.forward`, and room to work in; without columns there is no network."""

    first: Floats
    """(2 * REACH + 1, inputs, width)"""
    first_bias: Floats
    inner: Floats
    """(2 * blocks, 2 * REACH + 1, width, width)"""
    inner_bias: Floats
    """(2 * blocks, width)"""
    column: Floats
    """(width, 4)"""
    column_bias: Floats
    value: Floats
    """(width, 3)"""
    value_bias: Floats
    seen: Floats
    """(columns, inputs)"""
    layers: Floats
    """(3, columns, width)"""


def network_of(model: NetModel) -> Network:
    """The network of a loaded model."""
    arrays, shape = model.arrays, model.shape
    width = len(arrays["first.bias"])
    blocks = sum(name.endswith(".in.bias") for name in arrays)
    parts = [f"{block}.{part}" for block in range(blocks) for part in ("in", "out")]
    span = 2 * REACH + 1
    inner, biases = np.zeros((len(parts), span, width, width), np.float32), np.zeros((len(parts), width), np.float32)
    for number, part in enumerate(parts):
        inner[number], biases[number] = arrays[f"{part}.weight"], arrays[f"{part}.bias"]
    return Network(
        arrays["first.weight"],
        arrays["first.bias"],
        inner,
        biases,
        arrays["column.weight"],
        arrays["column.bias"],
        arrays["value.weight"],
        arrays["value.bias"],
        np.zeros((shape.cols, inputs(shape)), np.float32),
        np.zeros((3, shape.cols, width), np.float32),
    )


def no_network() -> Network:
    """What stands for no network."""
    return Network(*(np.zeros((0,) * dimensions, np.float32) for dimensions in (3, 1, 4, 2, 2, 1, 2, 1, 2, 3)))


@kernel
def see(tables: Ints, board: Ints, seen: Floats) -> None:
    """Write what the network sees of the position into `seen` (columns, inputs)."""
    rows, columns = tables[layout.ROWS], tables[layout.COLUMNS]
    mover = board[layout.TO_MOVE]
    stones = board[layout.STONES]
    seen[:] = 0.0
    for column in range(columns):
        height = board[layout.HEIGHTS + column]
        for row in range(height, rows):
            cell = row * columns + column
            for place in range(tables[layout.OFFSETS + cell], tables[layout.OFFSETS + cell + 1]):
                word = board[layout.LINES + tables[layout.MEMBERS + place]]
                count = (word >> layout.COUNT_SHIFT) & layout.COUNT
                if word & layout.OWNER != layout.BLOCKED and 1 <= count <= 3:
                    side = 3 if word & layout.OWNER == mover + 1 else 6
                    seen[column, (side + count - 1) * rows + row] += SCALE
        if height < rows:
            seen[column, 2 * rows + height] = 1.0
        seen[column, PLANES * rows] = stones & 1
    # Whose stones they are is not kept on the board: from the last move back, each is the uppermost left.
    for ply in range(stones - 1, -1, -1):
        column = board[layout.MOVES + ply]
        height = board[layout.HEIGHTS + column] - 1
        board[layout.HEIGHTS + column] = height
        seen[column, height if (stones - ply) & 1 == 0 else rows + height] = 1.0
    for ply in range(stones):
        board[layout.HEIGHTS + board[layout.MOVES + ply]] += 1


@kernel
def convolve(seen: Floats, weight: Floats, bias: Floats, made: Floats) -> None:
    """Rectified convolution along the columns: (columns, in) by (2 * REACH + 1, in, out) into `made` (columns, out)."""
    columns, numbers, width = seen.shape[0], seen.shape[1], made.shape[1]
    for column in range(columns):
        for out in range(width):
            made[column, out] = bias[out]
        for source in range(max(0, column - REACH), min(columns, column + REACH + 1)):
            at = source - column + REACH
            for number in range(numbers):
                worth = seen[source, number]
                if worth != 0.0:
                    for out in range(width):
                        made[column, out] += worth * weight[at, number, out]
        for out in range(width):
            made[column, out] = max(made[column, out], np.float32(0.0))


@kernel
def judge(tables: Ints, board: Ints, net: Network, candidates: int, priors: Floats, guesses: Floats) -> float:
    """What the network says of a position that goes on.

    Args:
        tables: Of the shape.
        board: The position.
        net: The network of the shape.
        candidates: Mask of the columns that may be chosen, not empty.
        priors: (columns,) is filled with the probability of choosing each of them.
        guesses: (columns,) is filled with what a stone there is worth to the side to move, -1 to 1.

    Returns:
        What the position is worth to the side to move, -1 to 1.
    """
    columns = tables[layout.COLUMNS]
    see(tables, board, net.seen)
    here, between, added = net.layers[0], net.layers[1], net.layers[2]
    convolve(net.seen, net.first, net.first_bias, here)
    for block in range(len(net.inner) // 2):
        convolve(here, net.inner[2 * block], net.inner_bias[2 * block], between)
        convolve(between, net.inner[2 * block + 1], net.inner_bias[2 * block + 1], added)
        for column in range(columns):
            for number in range(here.shape[1]):
                here[column, number] += added[column, number]
    heads, value = np.empty(4, np.float32), np.empty(3, np.float32)
    for head in range(3):
        value[head] = net.value_bias[head]
    highest = -np.inf
    for column in range(columns):
        for head in range(4):
            heads[head] = net.column_bias[head]
        for number in range(here.shape[1]):
            for head in range(4):
                heads[head] += here[column, number] * net.column[number, head]
            for head in range(3):
                value[head] += here[column, number] * net.value[number, head] / columns
        guesses[column] = _balance(heads)
        priors[column] = heads[3]
        if (candidates >> column) & 1:
            highest = max(highest, heads[3])
    total = 0.0
    for column in range(columns):
        priors[column] = np.exp(priors[column] - highest) if (candidates >> column) & 1 else 0.0
        total += priors[column]
    for column in range(columns):
        priors[column] /= total
    return _balance(value)


@kernel
def _balance(logits: Floats) -> float:
    """The probability of a win minus that of a loss, of logits of loss, draw and win."""
    highest = max(logits[0], logits[1], logits[2])
    loss, draw, win = np.exp(logits[0] - highest), np.exp(logits[1] - highest), np.exp(logits[2] - highest)
    return float((win - loss) / (loss + draw + win))
