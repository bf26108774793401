"""The random numbers behind spawned tiles as kernels, bit for bit those of `game.rules.twenty48.spawn`."""

import numpy as np

from ai.jit import kernel
from ai.random import GAMMA, U32, mix
from game.rules.twenty48 import FOUR_BELOW

_U1 = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)
_FOUR_BELOW = np.uint64(FOUR_BELOW)


@kernel
def random_number(seed: np.uint64, spawns: np.uint64) -> np.uint64:
    """Number `spawns` (from 0) of the stream of `seed`."""
    return mix(seed + (spawns + _U1) * GAMMA)


@kernel
def pick(number: np.uint64, count: np.int64) -> np.int64:
    """Which of `count` empty cells the number chooses."""
    return np.int64(((number >> U32) * np.uint64(count)) >> U32)


@kernel
def is_four(number: np.uint64) -> np.bool_:
    """Whether the tile is a 4."""
    return (number & _LOW) < _FOUR_BELOW
