"""The random numbers behind spawned tiles as kernels, bit for bit those of `game.rules.twenty48.spawn`."""

import numpy as np

from ai.jit import kernel
from game.rules.twenty48 import FOUR_BELOW

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U1 = np.uint64(1)
_U27 = np.uint64(27)
_U30 = np.uint64(30)
_U31 = np.uint64(31)
_U32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FOUR_BELOW = np.uint64(FOUR_BELOW)


@kernel
def random_number(seed: np.uint64, spawns: np.uint64) -> np.uint64:
    """Number `spawns` (from 0) of the SplitMix64 stream of `seed`."""
    x = seed + (spawns + _U1) * _GAMMA
    x = (x ^ (x >> _U30)) * _MIX_1
    x = (x ^ (x >> _U27)) * _MIX_2
    return x ^ (x >> _U31)


@kernel
def pick(number: np.uint64, count: np.int64) -> np.int64:
    """Which of `count` empty cells the number chooses."""
    return np.int64(((number >> _U32) * np.uint64(count)) >> _U32)


@kernel
def is_four(number: np.uint64) -> np.bool_:
    """Whether the tile is a 4."""
    return (number & _LOW) < _FOUR_BELOW
