"""The gradient of a DQN: double and dueling, Huber loss, Adam. With `dqn_report_training` the only module that needs torch.

Double DQN (van Hasselt, Guez and Silver 2016), dueling networks (Wang et al. 2016).
"""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from ai.sokoban import dqn_shapes
from ai.sokoban.dqn_dense import Floats, judge
from ai.sokoban.dqn_replay import Replay, dense_batch
from ai.sokoban.dqn_shapes import Shape
from ai.sokoban.dqn_world import Games, World
from ai.sokoban.layout import Longs
from ai.tensors import Array

_NONE: Floats = np.zeros((1, 1), np.float32)
MARGIN = 0.2
"""By which an action of a shown game has to look better at first."""
MOMENTS = ("exp_avg", "exp_avg_sq")


class Learner:
    """A dense network that learns, its target network and its optimiser."""

    def __init__(self, shape: Shape, world: World, batch: int, rate: float, double: bool, seed: int) -> None:
        """First weights by `seed`."""
        torch.set_num_threads(1)
        self.shape, self._world, self._double = shape, world, double
        self._parameters = {
            name: torch.nn.Parameter(torch.from_numpy(each)) for name, each in first_weights(shape, seed).items()
        }
        self._target = {name: each.detach().clone() for name, each in self._parameters.items()}
        self._optimiser = torch.optim.Adam(self._parameters.values(), lr=rate, fused=True)
        self.weights: dict[str, Floats] = {name: each.detach().numpy() for name, each in self._parameters.items()}
        """The weights themselves, which change as they are learned."""
        self._nothing = dqn_shapes.inputs(shape) - 1
        static = int((world.walls.sum(1) + world.targets.sum(1)).max()) * 2 if shape.static else 0
        most = 1 + 2 * world.boxes.shape[1] + static
        self._active = np.zeros(most, np.int32)
        self._layers = np.zeros((2, max(shape.hidden)), np.float32)
        self._occupied = np.zeros(shape.rows * shape.cols, np.uint8)
        self._seen: Longs = np.zeros((2 * batch, most), np.int64)
        self._illegal = np.zeros((batch, shape.actions), np.float32)
        self._actions: Longs = np.zeros(batch, np.int64)
        self._returns, self._discounts = np.zeros(batch, np.float32), np.zeros(batch, np.float32)

    def judge(self, games: Games, q: Floats) -> None:
        """Fill `q` (E, actions) for all games."""
        w = self.weights
        judge(
            self._world, games, self.shape.static, self.shape.dueling,
            w["hidden1.weight"], w["hidden1.bias"], w["hidden2.weight"], w["hidden2.bias"],
            w["advantage.weight"], w["advantage.bias"], w.get("value.weight", _NONE), w.get("value.bias", _NONE[0]),
            self._active, self._layers, q,
        )  # fmt: skip

    def learn(self, replay: Replay, places: Longs, weights: Floats, trust: float = 0.0) -> tuple[float, Floats]:
        """One step on these transitions, each with its weight; returns the loss and the errors (b,).

        `trust` weighs the margin by which actions of shown games have to look better than all others.
        """
        dense_batch(
            self._world, replay, places, self.shape.static, self._nothing, self._active, self._occupied,
            self._seen, self._illegal, self._actions, self._returns, self._discounts,
        )  # fmt: skip
        batch = len(places)
        seen, actions = torch.from_numpy(self._seen), torch.from_numpy(self._actions)[:, None]
        with torch.no_grad():
            below = torch.from_numpy(self._illegal) * -1e9
            estimates = self._forward(self._target, seen[batch:]) + below
            if self._double:
                chosen = (self._forward(self._parameters, seen[batch:]) + below).argmax(1, keepdim=True)
                rest = estimates.gather(1, chosen)[:, 0]
            else:
                rest = estimates.max(1).values
            # where nothing can be done any more the estimate is that of an action that cannot: it is not used
            rest = rest.clamp(min=-1e6)
            wanted = torch.from_numpy(self._returns) + torch.from_numpy(self._discounts) * rest
        all_ = self._forward(self._parameters, seen[:batch])
        found = all_.gather(1, actions)[:, 0]
        loss = (torch.from_numpy(weights) * functional.smooth_l1_loss(found, wanted, reduction="none")).mean()
        if trust > 0.0 and replay.shown[0]:
            shown = torch.from_numpy(places < replay.shown[0])
            others = (all_ + MARGIN).scatter(1, actions, found.detach()[:, None] - MARGIN)
            loss = loss + trust * (shown * (others.max(1).values - found).clamp(min=0.0)).mean()
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()
        return float(loss.detach()), (found.detach() - wanted).numpy()

    def copy_to_target(self) -> None:
        """The target network is the network from now on, until this is called again."""
        for name, each in self._target.items():
            each.copy_(self._parameters[name].detach())

    def arrays(self) -> dict[str, Array]:
        """Everything that `restore` needs."""
        found: dict[str, Array] = {}
        for name, parameter in self._parameters.items():
            state = self._optimiser.state.get(parameter, {})
            found[name] = self.weights[name].copy()
            found[f"{name}.target"] = self._target[name].numpy().copy()
            for moment in MOMENTS:
                kept = state.get(moment)
                found[f"{name}.{moment}"] = np.zeros_like(found[name]) if kept is None else kept.numpy().copy()
        return found

    def restore(self, arrays: Mapping[str, Array], updates: int) -> None:
        """Go on after so many updates."""
        for name, parameter in self._parameters.items():
            self.weights[name][...] = arrays[name]
            self._target[name].copy_(torch.from_numpy(arrays[f"{name}.target"]))
            if updates:
                self._optimiser.state[parameter] = {
                    "step": torch.tensor(float(updates)),
                    **{moment: torch.from_numpy(arrays[f"{name}.{moment}"]).clone() for moment in MOMENTS},
                }

    def _forward(self, weights: Mapping[str, torch.Tensor], seen: torch.Tensor) -> torch.Tensor:
        return forward(weights, seen, self._nothing)


def forward(weights: Mapping[str, torch.Tensor], seen: torch.Tensor, nothing: int) -> torch.Tensor:
    """`dqn_dense.forward` in torch, for many positions: which inputs of each are 1, `nothing` where there are fewer."""
    here = functional.embedding_bag(seen, weights["hidden1.weight"], mode="sum", padding_idx=nothing)
    here = (here + weights["hidden1.bias"]).relu()
    here = torch.addmm(weights["hidden2.bias"], here, weights["hidden2.weight"]).relu()
    advantage = torch.addmm(weights["advantage.bias"], here, weights["advantage.weight"])
    if "value.weight" not in weights:
        return advantage
    value = torch.addmm(weights["value.bias"], here, weights["value.weight"])
    return value + advantage - advantage.mean(1, keepdim=True)


def first_weights(shape: Shape, seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """Biases 0, weights normal with variance 2 / inputs that are not 0; those of the last layers a tenth as wide."""
    luck = np.random.default_rng((seed, 3))
    found = {}
    for name, size in dqn_shapes.sizes(shape).items():
        if name.endswith(".bias"):
            found[name] = np.zeros(size, np.float32)
            continue
        spread = {"hidden1.weight": 0.25, "hidden2.weight": math.sqrt(2 / size[0])}.get(
            name, 0.1 * math.sqrt(2 / size[0])
        )
        found[name] = (luck.standard_normal(size) * spread).astype(np.float32)
    return found
