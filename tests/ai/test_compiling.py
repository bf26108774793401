"""The seconds that every kernel takes to compile belong to the kernels there are."""

import pytest

from ai import compiling, kernels
from game.rules.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_table_has_the_kernels_of_the_present_sources(game: str) -> None:
    units = kernels.units(game)
    if not kernels.ready(units):
        kernels.warm(units)
    known = compiling.known(units)
    found = {kernel for kernel, _number, _file in compiling.files(kernels.cache_folder(game))}
    for name in kernels.trainings():
        if kernels.game_of(name) == game and kernels.ready([name]):
            found &= known.keys()  # those of trainings are there as well
    gone, new = known.keys() - found, found - known.keys()
    print(f"gone: {sorted(gone)}; not in the table: {sorted(new)}; `python -m ai.compiling` writes it again")
    assert sum(sum(known[kernel]) for kernel in gone) < 0.05 * sum(map(sum, known.values()))
    assert len(new) < 0.05 * len(found)


def test_every_unit_is_known_and_no_large_kernel_is_compiled_for_two_kinds_of_arguments() -> None:
    for game in GAMES:
        for unit in kernels.units(game):
            known = compiling.known([unit])
            twice = {kernel: seconds for kernel, seconds in known.items() if len(seconds) > 1}
            print(unit, len(known), f"{compiling.whole([unit]):.1f} s", twice)
            assert known and sum(sum(seconds[1:]) for seconds in twice.values()) < 0.3
