"""The gradient of a DQN: double and dueling, Huber loss, Adam.

Double DQN (van Hasselt, Guez and Silver 2016), dueling networks (Wang et al. 2016), Adam (Kingma and Ba 2015).
Without torch: the first layer adds a few rows, the others are small, and what a library does around each of these
products takes longer than they do.
"""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.layout import Longs
from ai.sokoban.dqn import shapes
from ai.sokoban.dqn.dense import Floats, forward, heads, layers, see_all
from ai.sokoban.dqn.replay import Replay, dense_batch
from ai.sokoban.dqn.shapes import Shape
from ai.sokoban.dqn.world import Games, World
from ai.tensors import Array

MARGIN = 0.2
"""By which an action of a shown game has to look better at first."""
MOMENTS = ("exp_avg", "exp_avg_sq")
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8
"""Of Adam."""


class Learner:
    """A dense network that learns, its target network and its optimiser."""

    def __init__(self, shape: Shape, world: World, batch: int, rate: float, double: bool, seed: int) -> None:
        """First weights by `seed`."""
        self.shape, self._world, self._double, self._rate = shape, world, double, rate
        first = first_weights(shape, seed)
        self._flat, self.weights = _flat(first)
        """The weights themselves, which change as they are learned."""
        self._target = {name: each.copy() for name, each in first.items()}
        self._gradients, self._slopes = _flat({name: np.zeros_like(each) for name, each in first.items()})
        self._moments = np.zeros_like(self._flat), np.zeros_like(self._flat)
        self._steps = 0
        self._nothing = shapes.inputs(shape) - 1
        static = int((world.walls.sum(1) + world.targets.sum(1)).max()) * 2 if shape.static else 0
        most = 1 + 2 * world.boxes.shape[1] + static
        self._active = np.zeros(most, np.int32)
        self._occupied = np.zeros(shape.rows * shape.cols, np.uint8)
        self._seen: Longs = np.zeros((2 * batch, most), np.int64)
        self._watched: Longs = np.zeros((0, most), np.int64)
        self._illegal = np.zeros((batch, shape.actions), np.float32)
        self._actions: Longs = np.zeros(batch, np.int64)
        self._returns, self._discounts = np.zeros(batch, np.float32), np.zeros(batch, np.float32)

    def judge(self, games: Games, q: Floats) -> None:
        """Fill `q` (E, actions) for all games."""
        if len(self._watched) != len(q):
            self._watched = np.zeros((len(q), len(self._active)), np.int64)
        see_all(self._world, games, self.shape.static, self._nothing, self._active, self._watched)
        q[:] = forward(self.weights, self._watched, self._nothing)

    def learn(self, replay: Replay, places: Longs, weights: Floats, trust: float = 0.0) -> tuple[float, Floats]:
        """One step on these transitions, each with its weight; returns the loss and the errors (b,).

        `trust` weighs the margin by which actions of shown games have to look better than all others.
        """
        dense_batch(
            self._world, replay, places, self.shape.static, self._nothing, self._active, self._occupied,
            self._seen, self._illegal, self._actions, self._returns, self._discounts,
        )  # fmt: skip
        batch = np.arange(len(places))
        one, other = layers(self.weights, self._seen, self._nothing)
        all_ = heads(self.weights, other)
        below = self._illegal * np.float32(-1e9)
        estimates = forward(self._target, self._seen[len(batch) :], self._nothing) + below
        chosen = ((all_[len(batch) :] if self._double else estimates) + below).argmax(1)
        # where nothing can be done any more the estimate is that of an action that cannot: it is not used
        rest = np.maximum(estimates[batch, chosen], -1e6)
        all_, one, other = all_[: len(batch)], one[: len(batch)], other[: len(batch)]
        found = all_[batch, self._actions]
        errors = found - (self._returns + self._discounts * rest)
        size = np.abs(errors)
        loss = float((weights * np.where(size < 1, errors * errors / 2, size - 0.5)).mean())
        slope = np.zeros_like(all_)
        slope[batch, self._actions] = weights * np.clip(errors, -1, 1)
        if trust > 0.0 and replay.shown[0]:
            others = all_ + np.float32(MARGIN)
            others[batch, self._actions] -= np.float32(2 * MARGIN)
            rival = others.argmax(1)
            short = np.maximum(others[batch, rival] - found, 0) * (places < replay.shown[0])
            loss += trust * float(short.mean())
            slope[batch, rival] += trust * (short > 0)
            slope[batch, self._actions] -= trust * (short > 0)
        slope /= len(batch)
        self._descend(one, other, slope)
        return loss, errors

    def _descend(self, one: Floats, other: Floats, slope: Floats) -> None:
        """A step of Adam against the gradient, given the hidden layers and the loss by each Q value (b, actions)."""
        w, into = self.weights, self._slopes
        if self.shape.dueling:
            total = slope.sum(1, keepdims=True)
            slope -= total / slope.shape[1]
            into["value.weight"][:], into["value.bias"][:] = other.T @ total, total.sum(0)
        into["advantage.weight"][:], into["advantage.bias"][:] = other.T @ slope, slope.sum(0)
        below: Floats = slope @ w["advantage.weight"].T
        if self.shape.dueling:
            below += total @ w["value.weight"].T
        below *= other > 0
        into["hidden2.weight"][:], into["hidden2.bias"][:] = one.T @ below, below.sum(0)
        first: Floats = below @ w["hidden2.weight"].T
        first *= one > 0
        into["hidden1.bias"][:] = first.sum(0)
        into["hidden1.weight"][:] = 0
        scatter(self._seen, self._nothing, first, into["hidden1.weight"])
        self._steps += 1
        spread = 1 - SECOND_DECAY**self._steps
        pace = self._rate / (1 - FIRST_DECAY**self._steps)
        mean, square = self._moments
        adam(self._flat, self._gradients, mean, square, np.float32(pace), np.float32(1 / math.sqrt(spread)))

    @property
    def batch(self) -> tuple[Longs, Floats, Longs, Floats, Floats]:
        """The last batch, as `dense_batch` lays it out: seen, illegal, actions, returns, discounts."""
        return self._seen, self._illegal, self._actions, self._returns, self._discounts

    def copy_to_target(self) -> None:
        """The target network is the network from now on, until this is called again."""
        for name, each in self._target.items():
            each[:] = self.weights[name]

    def arrays(self) -> dict[str, Array]:
        """Everything that `restore` needs."""
        found: dict[str, Array] = {}
        for name, each in self.weights.items():
            found[name], found[f"{name}.target"] = each.copy(), self._target[name].copy()
        for moment, flat in zip(MOMENTS, self._moments, strict=True):
            found |= {f"{name}.{moment}": each.copy() for name, each in _views(flat, self._target).items()}
        return found

    def restore(self, arrays: Mapping[str, Array], updates: int) -> None:
        """Go on after so many updates."""
        self._steps = updates
        for name, each in self.weights.items():
            each[:], self._target[name][:] = arrays[name], arrays[f"{name}.target"]
        for moment, flat in zip(MOMENTS, self._moments, strict=True):
            for name, each in _views(flat, self._target).items():
                each[:] = arrays[f"{name}.{moment}"]


def _flat(arrays: Mapping[str, Floats]) -> tuple[Floats, dict[str, Floats]]:
    """The numbers of all arrays in one, and the arrays as views of it."""
    flat = np.concatenate([each.ravel() for each in arrays.values()])
    return flat, _views(flat, arrays)


def _views(flat: Floats, arrays: Mapping[str, Floats]) -> dict[str, Floats]:
    """Parts of `flat` in the shapes of the arrays."""
    ends = np.cumsum([each.size for each in arrays.values()])
    parts = np.split(flat, ends[:-1])
    return {name: part.reshape(each.shape) for (name, each), part in zip(arrays.items(), parts, strict=True)}


@kernel
def scatter(seen: Longs, nothing: int, slope: Floats, into: Floats) -> None:
    """Add each row of `slope` (b, H1) to the rows of `into` (inputs, H1) of its inputs that are 1."""
    for index in range(len(slope)):
        for place in seen[index]:
            if place == nothing:
                break
            into[place] += slope[index]


@kernel
def adam(
    flat: Floats, gradients: Floats, first: Floats, second: Floats, pace: np.float32, widening: np.float32
) -> None:
    """A step of all weights; `pace` is the rate and `widening` the factor of the root, corrected for a beginning at 0."""
    kept, new = np.float32(FIRST_DECAY), np.float32(1 - FIRST_DECAY)
    kept_2, new_2, tiny = np.float32(SECOND_DECAY), np.float32(1 - SECOND_DECAY), np.float32(TINY)
    for place in range(len(flat)):
        slope = gradients[place]
        first[place] = kept * first[place] + new * slope
        second[place] = kept_2 * second[place] + new_2 * slope * slope
        flat[place] -= np.divide(pace * first[place], np.sqrt(second[place]) * widening + tiny)


def first_weights(shape: Shape, seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """Biases 0, weights normal with variance 2 / inputs that are not 0; those of the last layers a tenth as wide."""
    luck = np.random.default_rng((seed, 3))
    found = {}
    for name, size in shapes.sizes(shape).items():
        if name.endswith(".bias"):
            found[name] = np.zeros(size, np.float32)
            continue
        spread = {"hidden1.weight": 0.25, "hidden2.weight": math.sqrt(2 / size[0])}.get(
            name, 0.1 * math.sqrt(2 / size[0])
        )
        found[name] = (luck.standard_normal(size) * spread).astype(np.float32)
    return found
