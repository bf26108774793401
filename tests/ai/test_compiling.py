"""The seconds that every kernel takes to compile belong to the kernels there are."""

import pytest

from ai import compiling, kernels
from game.rules.games import GAMES


@pytest.mark.parametrize("family", GAMES)
def test_the_table_has_the_kernels_of_the_present_sources(family: str) -> None:
    if not kernels.ready(family):
        kernels.warm(family)
    known, found = kernels.known_seconds()[family], compiling.measured(family)
    gone = known.keys() - found.keys()
    new = {kernel: sum(seconds) for kernel, seconds in found.items() if kernel not in known}
    print(f"gone: {sorted(gone)}; not in the table: {new}; `python -m ai.compiling` writes it again")
    whole = sum(map(sum, found.values()))
    assert sum(sum(known[kernel]) for kernel in gone) < 0.05 * sum(map(sum, known.values()))
    assert sum(new.values()) < 0.05 * whole
