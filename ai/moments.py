"""What torch's Adam and AdamW remember of a parameter, as arrays of a checkpoint. Needs torch."""

from collections.abc import Mapping

import torch

from ai.tensors import Array

MOMENTS = ("exp_avg", "exp_avg_sq")
"""Running means of the gradient and of its square."""


def moments_of(optimiser: torch.optim.Optimizer, parameter: torch.nn.Parameter) -> dict[str, Array]:
    """Copies of both, of the parameter's shape; all 0 before the first step."""
    state = optimiser.state.get(parameter, {})
    return {
        name: state.get(name, torch.zeros_like(parameter)).detach().cpu().contiguous().numpy().copy()
        for name in MOMENTS
    }


def steps_of(optimiser: torch.optim.Optimizer) -> int:
    """How many steps it has done."""
    return max((int(state["step"]) for state in optimiser.state.values()), default=0)


def go_on(
    optimiser: torch.optim.Optimizer, parameter: torch.nn.Parameter, steps: int, kept: Mapping[str, Array]
) -> None:
    """Go on after so many steps, with copies of what `moments_of` said; at the beginning where there was none."""
    if steps:
        moments = {name: torch.from_numpy(kept[name]).clone().to(parameter.device) for name in MOMENTS}
        optimiser.state[parameter] = {"step": torch.tensor(float(steps)), **moments}
