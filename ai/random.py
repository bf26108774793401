"""Chance inside kernels: SplitMix64 (Steele, Lea and Flood 2014). The same state gives the same numbers everywhere.

A generator is the stream of one state that grows by `GAMMA`; number n of a stream can also be had at once, as `mix` of the
seed plus (n + 1) times `GAMMA`. `game.rules.twenty48.random_number` is the same in plain Python.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel

Stream = npt.NDArray[np.uint64]
"""(1,): the state of a generator."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """The finaliser: a number that looks random for each number, another one for each."""
    x = (word ^ (word >> _U30)) * _MIX_1
    x = (x ^ (x >> _U27)) * _MIX_2
    return np.uint64(x ^ (x >> _U31))


@kernel
def mixed(number: np.uint64) -> np.uint64:
    """A well mixed number for each number, small ones and 0 as well."""
    return mix((number + GAMMA) * GAMMA)


@kernel
def random_word(stream: Stream) -> np.uint64:
    """The next number of the stream, 64 bits."""
    stream[0] += GAMMA
    return mix(stream[0])


@kernel
def below(stream: Stream, count: int) -> int:
    """A random whole number from 0 to count - 1."""
    return int(np.int64(((random_word(stream) >> U32) * np.uint64(count)) >> U32))


@kernel
def unit(word: np.uint64) -> float:
    """A number above 0 and at most 1 from a word."""
    return (np.float64(word >> np.uint64(11)) + 0.5) * 2.0**-53
