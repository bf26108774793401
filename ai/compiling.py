"""How much of the first start's compiling is done, told by the files in the cache. Imports no numba.

numba writes a file for every signature of every kernel as soon as it is compiled. `compile_seconds.json` says how long each took
on one machine; the share of those seconds whose files are there is the share of the work that is done, on any machine. A kernel
that is being compiled counts when its file is written, so the share is never ahead of the work.

`python -m ai.compiling` writes that table again from the times of the files in the present cache. A test fails when the
kernels are other ones than those in the table.
"""

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ai import kernels

_FILE = re.compile(r"(?P<kernel>.+)-\d+\.py\d+\.(?P<number>\d+)\.nbc")
"""'moves.move-34.py311.2.nbc': the second signature of a kernel of the module `moves`. What is in the folder of the package
`board` counts as the kernel 'board/moves.move': modules of two packages may be called the same."""


def share(games: Iterable[str] | None = None) -> float:
    """What part of the compiling of these games, or of all, is done, 0 to 1; 1 only when each of them is ready."""
    done = whole = 0.0
    all_ready = True
    for game in kernels.games() if games is None else games:
        known = kernels.known_seconds().get(game, {})
        seconds = sum(sum(each) for each in known.values())
        whole += seconds
        if kernels.ready(game):
            done += seconds
        else:
            all_ready = False
            counts = Counter(kernel for kernel, _number, _file in _files(kernels.cache_folder(game)))
            done += sum(sum(each[: counts[kernel]]) for kernel, each in known.items())
    return 1.0 if all_ready else min(0.99, done / whole) if whole else 0.0


def _files(folder: Path) -> list[tuple[str, int, os.DirEntry[str]]]:
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


def measured(game: str) -> dict[str, list[float]]:
    """Seconds of each kernel of a game that was compiled from nothing, by one process, as the files' times tell.

    A kernel took as long as passed since the file before it: those that it calls are written before it.

    Raises:
        FileNotFoundError: the game is not ready.
    """
    marker = kernels.cache_folder(game) / "ready"
    end = marker.stat().st_mtime
    before = end - float(marker.read_text("utf-8").split()[0])
    files = [(file.stat().st_mtime, kernel, number) for kernel, number, file in _files(kernels.cache_folder(game))]
    found: dict[str, dict[int, float]] = {}
    for when, kernel, number in sorted(files):
        if when <= end:  # later ones belong to trainings
            found.setdefault(kernel, {})[number] = round(max(0.001, when - before), 3)
            before = when
    return {kernel: [each[number] for number in sorted(each)] for kernel, each in sorted(found.items())}


def main() -> int:
    """Write the table from the present cache."""
    found = {game: measured(game) for game in kernels.games()}
    lines = [
        f" {json.dumps(game)}: {{\n"
        + ",\n".join(f"  {json.dumps(kernel)}: {seconds}" for kernel, seconds in each.items())
        + "\n }"
        for game, each in found.items()
    ]
    kernels.TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for game, each in found.items():
        print(f"{game}: {len(each)} kernels, {sum(map(sum, each.values())):.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
