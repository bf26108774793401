"""Random numbers of kernels: a generator of 64 bits (xorshift64*, Vigna 2016) that belongs to who uses it.

Its state is part of a search or a training, so that the same seed gives the same numbers.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel

Luck = npt.NDArray[np.uint64]
"""(1,) state of the generator, never 0."""


def new_luck(seed: int) -> Luck:
    """A generator for a seed of any size."""
    return np.array([(seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64 or 1], np.uint64)


@kernel
def reseed(luck: Luck, seed: np.uint64) -> None:
    """The generator that `new_luck` makes of the seed."""
    state = seed * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019)
    luck[0] = state if state != np.uint64(0) else np.uint64(1)


@kernel
def next_random(luck: Luck) -> np.uint64:
    """The next 64 random bits."""
    x = luck[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    luck[0] = x
    return np.uint64(x * np.uint64(0x2545F4914F6CDD1D))


@kernel
def chance(luck: Luck) -> float:
    """A random number from 0 to 1, 1 excluded."""
    return float(next_random(luck) >> np.uint64(11)) * 2.0**-53


@kernel
def lowest(mask: int) -> int:
    """The number of the lowest bit of a mask that is not empty."""
    number = 0
    while (mask >> number) & 255 == 0:
        number += 8
    while (mask >> number) & 1 == 0:
        number += 1
    return number


@kernel
def random_column(mask: int, columns: int, luck: Luck) -> int:
    """One of the columns of a mask that is not empty, each as likely as the others."""
    if mask & (mask - 1) == 0:
        return lowest(mask)
    while True:
        bits = next_random(luck)
        for _ in range(4):
            column = np.int64(((bits & np.uint64(0xFFFF)) * np.uint64(columns)) >> np.uint64(16))
            if (mask >> column) & 1:
                return int(column)
            bits >>= np.uint64(16)
