"""The policy network of Sokoban on the squares of one level: numpy for the matrix products, kernels for the rest.

A 3x3 convolution is done on squares that the player may enter only: the nine neighbours of every square are gathered
into one row (what is no square counts 0), and one matrix product makes the layer of all squares of all positions. No
torch; the interpreter lock is free while kernels and products run.

    conv(x)[s] = bias + sum over the neighbours t of s of x[t] @ weight[place of t]
    x = relu(stem(seen)); for each block: y = relu(in(x)), x = relu(x + out(y) + pooled), where in odd blocks pooled is
    (mean over squares of y, max over squares of y) @ pool on every square, else nothing
    policy = x @ policy.weight + bias; value = relu((mean of x, max of x) @ hidden + bias) @ value.weight + bias
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Ints, Layout
from ai.sokoban.policy.model import PLANES, Floats, PolicyModel

CHUNK = 2048
"""Rows of one matrix product at most: about 10 ms with the largest networks."""


class Convolution(NamedTuple):
    """One layer."""

    weight: Floats
    """Shape (9 in, out)."""
    bias: Floats
    """Shape (out,)."""


@dataclass(frozen=True, eq=False)
class Weights:
    """A loaded model's arrays as the products take them."""

    stem: Convolution
    layers: tuple[tuple[Convolution, Convolution, Floats | None], ...]
    """Of every block: in, out, and the pool (2 C, C) where it has one."""
    policy: Convolution
    hidden: Convolution
    value: Convolution

    @property
    def channels(self) -> int:
        """Numbers on every square between two layers."""
        return len(self.stem.bias)


def weights_of(model: PolicyModel) -> Weights:
    """The weights of a loaded model."""

    def layer(name: str) -> Convolution:
        weight, bias = model.arrays[f"{name}.weight"], model.arrays[f"{name}.bias"]
        return Convolution(np.ascontiguousarray(weight.reshape(-1, weight.shape[-1])), bias)

    blocks = [
        (layer(f"{block}.in"), layer(f"{block}.out"), model.arrays.get(f"{block}.pool.weight"))
        for block in range(model.blocks)
    ]
    return Weights(layer("stem"), tuple(blocks), layer("policy"), layer("value.hidden"), layer("value"))


def neighbours(board: Layout) -> Ints:
    """Shape (N, 9): the square at each place of the 3x3 around every square, row by row; -1 where there is none."""
    warehouse = board.state.warehouse
    rows, cols = np.divmod(board.squares, warehouse.cols)
    grid: Ints = np.full((warehouse.rows + 2, warehouse.cols + 2), -1, dtype=np.int32)
    grid[rows + 1, cols + 1] = np.arange(len(rows))
    return np.stack([grid[rows + down, cols + right] for down in range(3) for right in range(3)], axis=1)


def views(around: Ints) -> tuple[list[Ints], list[list[int]]]:
    """The level turned and mirrored in all eight ways: for each its neighbours, and the direction that each one becomes.

    The first is the level as it is.
    """
    ways = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    places = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    tables, directions = [], []
    for mirrored in (1, -1):
        for a, b, c, d in ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)):

            def seen(way: tuple[int, int], a: int = a, b: int = b, c: int = c, d: int = d) -> tuple[int, int]:
                down, right = way
                return a * down + b * right * mirrored, c * down + d * right * mirrored  # noqa: B023

            tables.append(np.ascontiguousarray(around[:, [places.index(seen(place)) for place in places]]))
            directions.append([ways.index(seen(way)) for way in ways])
    return tables, directions


class Network:
    """The network on one level, with room for some positions at a time."""

    def __init__(self, weights: Weights, board: Layout, positions: int, seen_from: int = 1) -> None:
        """`positions` is how many are looked at together at most.

        The answer is the mean of what it says of the level seen from so many sides (1 to 8).
        """
        self._weights = weights
        tables, directions = views(neighbours(board))
        squares, channels = len(board.squares), weights.channels
        shifted = [np.where(table < 0, -1, table + view * squares) for view, table in enumerate(tables[:seen_from])]
        self._around: Ints = np.concatenate(shifted).astype(np.int32)
        self._directions = directions[:seen_from]
        self.squares = squares
        looks = positions * seen_from
        rows = looks * squares
        self.seen: Floats = np.zeros((positions * squares, PLANES), dtype=np.float32)
        """What it sees (`ai.sokoban.policy.features`), the squares of each position after those of the one before."""
        self._gathered: Floats = np.zeros(min(rows, CHUNK) * 9 * max(PLANES, channels), dtype=np.float32)
        self._layers: Floats = np.zeros((3, rows, channels), dtype=np.float32)
        self._pooled: Floats = np.zeros((looks, 2 * channels), dtype=np.float32)
        self._none: Floats = np.zeros((looks, channels), dtype=np.float32)

    def evaluate(self, positions: int, pause: Callable[[], None]) -> tuple[Floats, Floats]:
        """Look at the first `positions` of `seen`; calls `pause` every few milliseconds, which may raise.

        Returns:
            The logits of pushing the box on each square up, right, down, left, shape (positions, N, 4); and for each
            position log(1 + pushes to go) and the logit of its being solvable, shape (positions, 2).
        """
        sides, squares = len(self._directions), self.squares
        seen = self.seen[: positions * squares]
        if sides == 1:
            logits, values = self._look(seen, positions, pause)
            return logits.reshape(positions, squares, 4), values
        every = np.repeat(seen.reshape(positions, 1, squares, PLANES), sides, axis=1).reshape(-1, PLANES)
        found, worth = self._look(every, positions * sides, pause)
        found = found.reshape(positions, sides, squares, 4)
        logits = np.zeros((positions, squares, 4), dtype=np.float32)
        for side, directions in enumerate(self._directions):
            logits[:, :, directions] += found[:, side] / np.float32(sides)
        return logits, worth.reshape(positions, sides, 2).mean(axis=1)

    def _look(self, seen: Floats, looks: int, pause: Callable[[], None]) -> tuple[Floats, Floats]:
        """The same for every position from every side: logits, shape (looks * N, 4), and values, shape (looks, 2)."""
        weights, rows = self._weights, looks * self.squares
        here, between, added = (layer[:rows] for layer in self._layers)
        pooled = self._pooled[:looks]
        self._convolve(seen, weights.stem, here, pause)
        rectify(here, weights.stem.bias)
        for first, second, pool in weights.layers:
            self._convolve(here, first, between, pause)
            rectify(between, first.bias)
            everywhere = self._none[:looks]
            if pool is not None:
                gather_up(between, self.squares, pooled)
                everywhere = pooled @ pool
            self._convolve(between, second, added, pause)
            add_rectified(here, added, second.bias, everywhere, self.squares)
        logits = here @ weights.policy.weight + weights.policy.bias
        gather_up(here, self.squares, pooled)
        hidden = np.maximum(pooled @ weights.hidden.weight + weights.hidden.bias, 0.0)
        return logits, hidden @ weights.value.weight + weights.value.bias

    def _convolve(self, here: Floats, layer: Convolution, made: Floats, pause: Callable[[], None]) -> None:
        """All but the bias."""
        width = len(layer.weight)
        for start in range(0, len(here), CHUNK):
            stop = min(start + CHUNK, len(here))
            rows = self._gathered[: (stop - start) * width].reshape(stop - start, width)
            gather(here, self._around, start, rows)
            np.dot(rows, layer.weight, out=made[start:stop])
            pause()


@kernel
def gather(here: Floats, around: Ints, start: int, rows: Floats) -> None:
    """Write the neighbours of the squares from row `start` of `here` (positions * N, C) on into `rows` (some, 9 C)."""
    squares, channels = len(around), here.shape[1]
    square = start % squares
    first = start - square
    for row in range(len(rows)):
        for place in range(9):
            other, at = around[square, place], place * channels
            if other < 0:
                for channel in range(channels):
                    rows[row, at + channel] = 0.0
            else:
                for channel in range(channels):
                    rows[row, at + channel] = here[first + other, channel]
        square += 1
        if square == squares:
            square = 0
            first += squares


@kernel
def rectify(here: Floats, bias: Floats) -> None:
    """Here = relu(here + bias), shape (rows, C)."""
    for row in range(here.shape[0]):
        for channel in range(here.shape[1]):
            here[row, channel] = max(here[row, channel] + bias[channel], np.float32(0.0))


@kernel
def add_rectified(here: Floats, added: Floats, bias: Floats, everywhere: Floats, squares: int) -> None:
    """Here = relu(here + added + bias + what belongs to its position), shape (positions * squares, C)."""
    for position in range(len(everywhere)):
        for row in range(position * squares, (position + 1) * squares):
            for channel in range(here.shape[1]):
                sum_ = here[row, channel] + added[row, channel] + bias[channel] + everywhere[position, channel]
                here[row, channel] = max(sum_, np.float32(0.0))


@kernel
def gather_up(here: Floats, squares: int, pooled: Floats) -> None:
    """The mean and the maximum over the squares of each position, (positions * squares, C) into (positions, 2 C)."""
    channels = here.shape[1]
    share = np.float32(1.0) / np.float32(squares)
    for position in range(len(pooled)):
        for channel in range(channels):
            pooled[position, channel] = 0.0
            pooled[position, channels + channel] = -np.inf
        for row in range(position * squares, (position + 1) * squares):
            for channel in range(channels):
                value = here[row, channel]
                pooled[position, channel] += value
                pooled[position, channels + channel] = max(pooled[position, channels + channel], value)
        for channel in range(channels):
            pooled[position, channel] *= share
