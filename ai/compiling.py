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
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from ai import kernels

TABLE = Path(__file__).with_name("compile_seconds.json")
_FILE = re.compile(r"(?P<kernel>.+)-\d+\.py\d+\.(?P<number>\d+)\.nbc")
"""'moves.move-34.py311.2.nbc': the second signature of a kernel of the module `moves`."""

Seconds = Mapping[str, Mapping[str, list[float]]]
"""Family -> kernel -> seconds to compile each of its signatures, in the order in which play needs them."""


def table() -> Seconds:
    """What is known of every kernel that play needs."""
    return _read(TABLE)


@lru_cache(maxsize=1)
def _read(path: Path) -> Seconds:
    found: dict[str, dict[str, list[float]]] = json.loads(path.read_text("utf-8"))
    return found


def share(families: Iterable[str] = tuple(kernels.FAMILIES)) -> float:
    """What part of the compiling of these families is done, 0 to 1; 1 only when each of them is ready."""
    done = whole = 0.0
    all_ready = True
    for family in families:
        known = table().get(family, {})
        seconds = sum(sum(each) for each in known.values())
        whole += seconds
        if kernels.ready(family):
            done += seconds
        else:
            all_ready = False
            counts = _counts(kernels.cache_folder(family))
            done += sum(sum(each[: counts.get(kernel, 0)]) for kernel, each in known.items())
    return 1.0 if all_ready else min(0.99, done / whole) if whole else 0.0


def _counts(folder: Path) -> dict[str, int]:
    """Kernel -> how many of its signatures are compiled."""
    counts: dict[str, int] = {}
    for entry in _files(folder):
        named = _FILE.fullmatch(entry.name)
        if named is not None:
            counts[named["kernel"]] = counts.get(named["kernel"], 0) + 1
    return counts


def _files(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in the folders within a family's folder, one for each folder of sources."""
    found: list[os.DirEntry[str]] = []
    try:
        for inside in os.scandir(folder):
            if inside.is_dir():
                found.extend(os.scandir(inside.path))
    except OSError:
        pass  # not made yet, or being cleared away
    return found


def measured(family: str) -> dict[str, list[float]]:
    """Seconds of each kernel of a family that was compiled from nothing, by one process, as the files' times tell.

    A kernel took as long as passed since the file before it: those that it calls are written before it.

    Raises:
        FileNotFoundError: the family is not ready.
    """
    marker = kernels.cache_folder(family) / "ready"
    end = marker.stat().st_mtime
    before = end - float(marker.read_text("utf-8").split()[0])
    written = []
    for entry in _files(kernels.cache_folder(family)):
        named, when = _FILE.fullmatch(entry.name), entry.stat().st_mtime
        if named is not None and when <= end:  # later ones belong to trainings
            written.append((when, named["kernel"], int(named["number"])))
    found: dict[str, dict[int, float]] = {}
    for when, kernel, number in sorted(written):
        found.setdefault(kernel, {})[number] = round(max(0.001, when - before), 3)
        before = when
    return {kernel: [each[number] for number in sorted(each)] for kernel, each in sorted(found.items())}


def main() -> int:
    """Write the table from the present cache."""
    found = {family: measured(family) for family in kernels.FAMILIES}
    lines = [
        f" {json.dumps(family)}: {{\n"
        + ",\n".join(f"  {json.dumps(kernel)}: {seconds}" for kernel, seconds in each.items())
        + "\n }"
        for family, each in found.items()
    ]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for family, each in found.items():
        print(f"{family}: {len(each)} kernels, {sum(map(sum, each.values())):.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
