"""How much of the compiling is done and how long the rest takes, told by the files in the cache. Imports no numba.

numba writes a file for every signature of every kernel as soon as it is compiled. `compile_seconds.json` says which kernels
each unit needs and how long they took on one machine; the share of those seconds whose files are there is the share of the work
that is done, on any machine. A kernel that is being compiled counts when its file is written, so the share is never ahead of the
work.

`python -m ai.compiling` writes that table again: it compiles every unit by itself, each in an empty folder. A test fails when the
kernels are other ones than those in the table.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from ai import kernels
from game.rules.games import GAMES

Seconds = Mapping[str, list[float]]
"""Kernel -> seconds to compile each of its signatures, in the order in which the unit needs them."""

TABLE = Path(__file__).with_name("compile_seconds.json")
_FILE = re.compile(r"(?P<kernel>.+)-\d+\.py\d+\.(?P<number>\d+)\.nbc")
"""'moves.move-34.py311.2.nbc': the second signature of a kernel of the module `moves`. What is in the folder of the package
`board` counts as the kernel 'board/moves.move': modules of two packages may be called the same."""


@lru_cache(maxsize=1)
def _read(table: Path) -> Mapping[str, Seconds]:
    found: Mapping[str, Seconds] = json.loads(table.read_text("utf-8"))
    return found


def known(units: Iterable[str]) -> Seconds:
    """What is known of every kernel that these units need, each kernel once."""
    table = _read(TABLE)
    return {kernel: each for unit in units for kernel, each in table.get(unit, {}).items()}


def left(units: Iterable[str]) -> float:
    """Seconds that compiling what is missing of these units takes one process of the machine of the table."""
    missing = [unit for unit in units if not kernels.ready([unit])]
    seconds = 0.0
    for game in {kernels.game_of(unit) for unit in missing}:
        counts = _counts(game)
        needed = known(unit for unit in missing if kernels.game_of(unit) == game)
        seconds += sum(sum(each[counts[kernel] :]) for kernel, each in needed.items())
    return seconds


def whole(units: Iterable[str]) -> float:
    """Seconds that compiling all of these units takes there; a kernel that several need counts once."""
    wanted = list(units)
    games = {kernels.game_of(unit) for unit in wanted}
    return sum(
        sum(sum(each) for each in known(unit for unit in wanted if kernels.game_of(unit) == game).values())
        for game in games
    )


def share(games: Iterable[str] | None = None) -> float:
    """What part of the compiling of these games, or of all, is done, 0 to 1; 1 only when each of them is ready."""
    units = [unit for game in (GAMES if games is None else games) for unit in kernels.units(game)]
    if kernels.ready(units):
        return 1.0
    all_seconds = whole(units)
    return min(0.99, 1.0 - left(units) / all_seconds) if all_seconds else 0.0


def _counts(game: str) -> Counter[str]:
    """How many signatures of each kernel are compiled."""
    return Counter(kernel for kernel, _number, _file in files(kernels.cache_folder(game)))


def files(folder: Path) -> list[tuple[str, int, os.DirEntry[str]]]:
    """Kernel, number of the signature and file of all machine code in a game's folder, one folder for each of sources."""
    found: list[tuple[str, int, os.DirEntry[str]]] = []
    try:
        for room in os.scandir(folder):
            for file in os.scandir(room.path) if room.is_dir() else ():
                named = _FILE.fullmatch(file.name)
                if named is not None:
                    found.append((f"{room.name.rpartition('_')[0]}/{named['kernel']}", int(named["number"]), file))
    except OSError:
        pass  # not made yet, or being cleared away
    return found


def measured(unit: str) -> dict[str, list[float]]:
    """Seconds of processor time of each kernel that a unit needs, compiled from nothing in a process of its own.

    A kernel took as long as passed since the file before it: those that it calls are written before it. What of that was spent
    waiting for a processor is taken off in equal parts.
    """
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [sys.executable, "-c", _MEASURE, unit], env={**os.environ, "TRILOGIC_CACHE": folder}, check=True,
            capture_output=True, text=True,
        ).stdout  # fmt: skip
        began, ended, spent = map(float, said.split())
        game = Path(next(Path(folder, "kernels").glob(f"{kernels.game_of(unit)}-*")))
        found: dict[str, dict[int, float]] = {}
        before, pace = began, spent / (ended - began)
        for when, kernel, number in sorted((file.stat().st_mtime, kernel, no) for kernel, no, file in files(game)):
            found.setdefault(kernel, {})[number] = round(max(0.001, (when - before) * pace), 3)
            before = when
    return {kernel: [each[number] for number in sorted(each)] for kernel, each in sorted(found.items())}


_MEASURE = """
import sys, time
from ai import kernels, threads
from ai.entries import named
threads.hold()
named(sys.argv[1])
began, spent = time.time(), time.process_time()
kernels.warm([sys.argv[1]])
print(began, time.time(), time.process_time() - spent)
"""


def main() -> int:
    """Write the table, unit by unit."""
    found = {}
    for unit in (unit for game in GAMES for unit in kernels.units(game)):
        found[unit] = measured(unit)
        print(f"{unit}: {len(found[unit])} kernels, {sum(map(sum, found[unit].values())):.1f} s", flush=True)
    lines = [
        f" {json.dumps(unit)}: {{\n"
        + ",\n".join(f"  {json.dumps(kernel)}: {seconds}" for kernel, seconds in each.items())
        + "\n }"
        for unit, each in found.items()
    ]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
