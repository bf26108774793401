"""The policy network in torch, for training. `ai.sokoban.policy.model` says what the weights mean."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from typing_extensions import override

from ai.sokoban.policy.features import FLOOR
from ai.sokoban.policy.model import PLANES

HIDDEN = 64
Arrays = dict[str, npt.NDArray[np.float32]]


class Network(torch.nn.Module):
    """Fully convolutional: a stem, residual blocks, a head for pushes, one for the value."""

    def __init__(self, channels: int, blocks: int, seed: int) -> None:
        """Weights normal with variance 2 / inputs, those that end blocks and heads a tenth as wide; biases 0."""
        super().__init__()
        luck = torch.Generator().manual_seed(seed)

        def weight(*shape: int, wide: float = 1.0) -> torch.nn.Parameter:
            spread = wide * math.sqrt(2 / math.prod(shape[1:]))
            return torch.nn.Parameter(torch.randn(*shape, generator=luck) * spread)

        def bias(size: int) -> torch.nn.Parameter:
            return torch.nn.Parameter(torch.zeros(size))

        self.blocks = blocks
        named: dict[str, torch.nn.Parameter] = {
            "stem.weight": weight(channels, PLANES, 3, 3),
            "stem.bias": bias(channels),
        }
        for block in range(blocks):
            named[f"{block}.in.weight"] = weight(channels, channels, 3, 3)
            named[f"{block}.in.bias"] = bias(channels)
            named[f"{block}.out.weight"] = weight(channels, channels, 3, 3, wide=0.3)
            named[f"{block}.out.bias"] = bias(channels)
            if block % 2:
                named[f"{block}.pool.weight"] = weight(channels, 2 * channels, wide=0.3)
        named["policy.weight"] = weight(4, channels, wide=0.1)
        named["policy.bias"] = bias(4)
        named["value.hidden.weight"] = weight(HIDDEN, 2 * channels)
        named["value.hidden.bias"] = bias(HIDDEN)
        named["value.weight"] = weight(2, HIDDEN, wide=0.1)
        named["value.bias"] = bias(2)
        self.named = torch.nn.ParameterDict({_key(name): each for name, each in named.items()})

    @override
    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What it says of pictures (n, side, side, PLANES): logits of pushes (n, side * side * 4), values (n, 2)."""
        seen = planes.permute(0, 3, 1, 2)
        floor = seen[:, FLOOR : FLOOR + 1]
        squares = floor.sum((2, 3))
        here = (self._convolution("stem", seen).relu()) * floor
        for block in range(self.blocks):
            between = self._convolution(f"{block}.in", here).relu() * floor
            added = self._convolution(f"{block}.out", between)
            if block % 2:
                pooled = functional.linear(_pooled(between, squares), self._get(f"{block}.pool.weight"))
                added = added + pooled[:, :, None, None]
            here = (here + added).relu() * floor
        weight = self._get("policy.weight")[:, :, None, None]
        choice = functional.conv2d(here, weight, self._get("policy.bias"))
        hidden = functional.linear(
            _pooled(here, squares), self._get("value.hidden.weight"), self._get("value.hidden.bias")
        ).relu()
        value = functional.linear(hidden, self._get("value.weight"), self._get("value.bias"))
        return choice.permute(0, 2, 3, 1).flatten(1).float(), value.float()

    def arrays(self) -> Arrays:
        """The weights as a model has them: convolutions (9, in, out), matrices (in, out)."""
        found = {}
        for key, parameter in self.named.items():
            each = parameter.detach()
            if each.ndim == 4:
                each = each.permute(2, 3, 1, 0).flatten(0, 1)
            elif each.ndim == 2:
                each = each.T
            found[_name(key)] = np.ascontiguousarray(each.numpy())
        return found

    def load(self, arrays: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Take over what `arrays` gave."""
        with torch.no_grad():
            for key, parameter in self.named.items():
                each = torch.from_numpy(np.ascontiguousarray(arrays[_name(key)]))
                if parameter.ndim == 4:
                    each = each.reshape(3, 3, *each.shape[1:]).permute(3, 2, 0, 1)
                elif parameter.ndim == 2:
                    each = each.T
                parameter.copy_(each)

    def _get(self, name: str) -> torch.Tensor:
        found: torch.Tensor = self.named[_key(name)]
        return found

    def _convolution(self, name: str, at: torch.Tensor) -> torch.Tensor:
        return functional.conv2d(at, self._get(f"{name}.weight"), self._get(f"{name}.bias"), padding=1)


def _pooled(at: torch.Tensor, squares: torch.Tensor) -> torch.Tensor:
    """Mean and maximum over the squares, of numbers that are not negative and 0 elsewhere."""
    return torch.cat([at.sum((2, 3)) / squares.clamp(min=1), at.amax((2, 3))], 1)


def _key(name: str) -> str:
    return name.replace(".", "_")


def _name(key: str) -> str:
    """`value_hidden_weight` -> `value.hidden.weight`."""
    return key.replace("_", ".")


def log_chances(choice: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """(n, pushes): logarithms of the probabilities, very small for what is not legal."""
    return torch.where(legal, choice, torch.tensor(-1e9)).log_softmax(1)


def losses(
    choice: torch.Tensor, value: torch.Tensor, legal: torch.Tensor, best: torch.Tensor, to_go: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Means over a batch.

    Args:
        choice: (n, pushes), logits.
        value: (n, 2): logarithm of 1 + pushes to go, logit of being solvable.
        legal: (n, pushes), booleans.
        best: (n, pushes): 1.0 for each best push.
        to_go: (n,): pushes to go, negative where there is no solution.

    Returns:
        Cross-entropy with all best pushes alike; smooth L1 of the pushes to go; cross-entropy of being solvable.
    """
    alive = (to_go >= 0).float()
    living = alive.sum().clamp(min=1)
    wanted = best / best.sum(1, keepdim=True).clamp(min=1)
    pushes = -(wanted * torch.where(legal, log_chances(choice, legal), torch.tensor(0.0))).sum() / living
    far = functional.smooth_l1_loss(value[:, 0], torch.log1p(to_go.clamp(min=0).float()), reduction="none")
    solvable = functional.binary_cross_entropy_with_logits(value[:, 1], alive)
    return pushes, (far * alive).sum() / living, solvable
