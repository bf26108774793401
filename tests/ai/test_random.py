"""The one generator of random numbers."""

from pathlib import Path

import numpy as np
import pytest

from ai import random
from game.rules import twenty48

ROOT = Path(random.__file__).parents[1]
KNOWN = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)
"""Of the seed 1234567, as Vigna's reference in C prints them."""


def test_the_stream_is_splitmix64() -> None:
    stream = np.array([1234567], np.uint64)
    assert tuple(int(random.random_word(stream)) for _ in KNOWN) == KNOWN
    assert tuple(twenty48.random_number(1234567, number) for number in range(5)) == KNOWN


@pytest.mark.parametrize("count", [1, 2, 7, 2**31])
def test_numbers_below_and_shares_keep_their_bounds(count: int) -> None:
    stream = np.array([9], np.uint64)
    drawn = [random.below(stream, count) for _ in range(2000)]
    assert min(drawn) >= 0 and max(drawn) < count
    assert count > 7 or set(drawn) == set(range(count))
    assert all(0.0 < random.unit(np.uint64(random.random_word(stream))) < 1.0 for _ in range(100))
    assert random.unit(np.uint64(0)) > 0.0 and random.unit(np.uint64(2**64 - 1)) == 1.0


def test_it_is_written_once_for_kernels_and_once_in_plain_python() -> None:
    sources = [path for folder in ("ai", "game") for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in sources if "0xBF58476D1CE4E5B9" in path.read_text("utf-8")}
    assert found == {"ai/random.py", "game/rules/twenty48.py"}
