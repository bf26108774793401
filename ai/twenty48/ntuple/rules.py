"""How a network learns from the errors of its values: the rules of temporal differences, whatever the board.

An afterstate is known here by where its weights stand (uint64 (look-ups,)); the loops that play find these.

- TD(0): the value of the afterstate before is moved towards reward + value of the new one, at the end of a game towards
  0; every weight takes an equal part. *Backward* learns a game from its end, each value towards one already learned
  (Szubert, Jaśkowski: Temporal Difference Learning of N-Tuple Networks for the Game 2048, 2014).
- TC(0), temporal coherence: each weight has a rate of its own, |sum of its errors| / sum of their sizes: errors that
  keep their sign mean that there is still something to learn, errors that cancel out mean noise (Beal, Smith: Temporal
  Coherence and Prediction Decay in TD Learning, 1999).
- TC(λ), delayed: an afterstate waits for some moves and then learns from all their errors at once, each λ times
  as much as the one before it (Jaśkowski: Mastering 2048 with Delayed Temporal Coherence Learning, 2016).
- OTD: TD from a high first value, so that everything is tried, then TC (Guei, Chen, Wu: Optimistic Temporal Difference
  Learning for 2048, 2021).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.ntuple.network import Weights, promoted

MAX_HORIZON = 16
"""Afterstates that wait at most: λ up to 0.85."""
_LEAST = 0.1
"""Errors that would count for less than this do not."""
NEVER = 2**62

Where = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.float32]
"""(weights, 2): sum of errors E and sum of their sizes A of each weight."""


class Rule(NamedTuple):
    """What a training does with errors."""

    td_alpha: float
    """Learning rate of a whole value by TD."""
    tc_alpha: float
    """The same by TC, at full coherence."""
    coherent_from: int
    """Games after which TC takes over from TD: 0 or NEVER for one of them alone."""
    final: float
    """What both rates have been multiplied by after `fading` games, evenly on the way there."""
    fading: int
    """0: the rates stay."""
    decay: float
    """λ."""
    horizon: int
    """Afterstates that wait, 1 for λ = 0."""
    backward: bool
    """Learn at the end of a game, from its end; λ does not count."""
    restart: bool
    """After a game, play again from its middle, until games get short (Matsuzaki 2017)."""
    carousel: bool
    """Begin every stage as often as the first, from remembered boards (Jaśkowski 2016)."""
    late: bool = False
    """The first stage is played, not learned; when enough boards are remembered all games begin in the later stages,
    and end where they leave these: a network that knows the first stage learns the others."""
    known: int = 15
    """Exponent of the largest tile that the first stage of a 4×4 network looks at as it is: boards with larger ones are
    looked at as `ai.twenty48.ntuple.downgrade` says, but for those of later stages."""


def horizon_of(decay: float) -> int:
    """How many afterstates wait for λ = `decay`."""
    return 1 if decay <= 0 else min(MAX_HORIZON, 1 + math.floor(math.log(_LEAST) / math.log(decay)))


@kernel
def value_at(where: Where, weights: Weights, size: np.uint64) -> np.float32:
    """The value of an afterstate; `size` is how many weights a stage has."""
    value = np.float32(0.0)
    for place in where:
        value += weights[place]
    if value != value:
        value = np.float32(0.0)
        for place in where:
            value += promoted(weights, place, size)
    return value


@kernel
def rate_of(rule: Rule, games: int) -> np.float32:
    """The learning rate of a whole value after that many games."""
    alpha = rule.tc_alpha if games >= rule.coherent_from else rule.td_alpha
    if rule.fading > 0:
        alpha *= 1.0 + (rule.final - 1.0) * min(1.0, games / rule.fading)
    return np.float32(alpha)


@kernel
def update(
    where: Where,
    error: np.float32,
    alpha: np.float32,
    coherent: bool,
    weights: Weights,
    sums: Sums,
    size: np.uint64,
) -> None:
    """Change the weights of an afterstate by `error`, of a stage that was NaN from what the stage before says."""
    rate = alpha * error / np.float32(len(where))
    magnitude = abs(error)
    for place in where:
        step = rate
        if coherent:
            signed, unsigned = sums[place, 0], sums[place, 1]
            if unsigned > 0:
                step *= abs(signed) / unsigned
            sums[place, 0] = signed + error
            sums[place, 1] = unsigned + magnitude
        weight = np.float32(weights[place])
        if weight != weight:
            weight = promoted(weights, place, size)
        weights[place] = weight + step
