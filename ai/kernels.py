"""Where compiled kernels are kept, and how they are warmed. Imports no numba: the menu may ask it anything.

numba does not notice that a function in *another* file changed, so a game's kernels are kept in a folder named by
a hash of every source they are made from (`ai/GAME/`, shared kernels, `game/rules/`), the versions of numba,
llvmlite and numpy, the interpreter and the processor: a change gives an empty folder, never an old kernel.
`python -m ai.kernels` fills it in a process of its own, one line of JSON per game on standard output, and writes
the file `ready` last.

Each game has a module with a function `warm()` that calls every kernel of play once on a tiny input with the types
used there; `FAMILIES` lists them. What only a training calls is compiled by the process of the first such training:
`TRAININGS` lists those modules (`python -m ai.kernels trainings` compiles these too).
"""

import argparse
import hashlib
import importlib
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import platformdirs

from ai import stopping, threads

FAMILIES: dict[str, str] = {
    "connect4": "ai.connect4.warm",
    "twenty48": "ai.twenty48.warm",
    "sokoban": "ai.sokoban.warm",
}
"""Game id -> module whose `warm()` compiles every kernel of that game; what is soonest done comes first."""

TRAININGS: dict[tuple[str, str], str] = {
    ("connect4", "ntuple"): "ai.connect4.ntuple.warm",
    ("connect4", "qlearning"): "ai.connect4.report.warm",
    ("twenty48", "ntuple"): "ai.twenty48.ntuple.warm",
    ("twenty48", "ntuple-report"): "ai.twenty48.report.warm",
    ("sokoban", "dqn"): "ai.sokoban.dqn.warm",
}
"""Game id and agent id of a training -> module whose `warm()` compiles what nothing else needs."""

_ROOT = Path(__file__).resolve().parent.parent
_KEEP = 3


def _processor() -> str:
    """What the machine code depends on: the architecture and, where Linux tells, the model and its flags."""
    text = platform.machine() + platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return text
    return text + "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _sources(family: str, root: Path) -> list[Path]:
    """What the machine code of a family is made from: its folder, shared kernels, and the rules' constants."""
    shared = [
        path for path in (root / "ai").glob("*.py") if path.name == "jit.py" or "ai.jit" in path.read_text("utf-8")
    ]
    return sorted([*(root / "ai" / family).rglob("*.py"), *shared, *(root / "game" / "rules").rglob("*.py")])


def sources_hash(family: str, root: Path = _ROOT) -> str:
    """Hash of a family's sources (place, date and content), library versions and processor."""
    digest = hashlib.sha256()
    for path in _sources(family, root):
        digest.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode())
        digest.update(path.read_bytes())
    libraries = [f"{name}={_version(name)}" for name in ("numba", "llvmlite", "numpy")]
    digest.update("\0".join([*libraries, sys.version, _processor()]).encode())
    return digest.hexdigest()[:20]


def cache_root() -> Path:
    """Where everything lies that is made on this machine and can be made again."""
    override = os.environ.get("TRILOGIC_CACHE")
    if override:
        return _ROOT / override  # one that is not absolute is the same for every process, wherever it was started
    return Path(platformdirs.user_cache_dir("trilogic", appauthor=False))


@lru_cache(maxsize=8)
def cache_folder(family: str) -> Path:
    """The folder for the kernels of exactly these sources on this machine; it may not exist yet."""
    return cache_root() / "kernels" / f"{family}-{sources_hash(family)}"


def ready(family: str, training: str = "") -> bool:
    """Whether every kernel of the family, or what only that training needs, is compiled and can be loaded at once."""
    return bool(training and (family, training) not in TRAININGS) or _marker(family, training).is_file()


def _marker(family: str, training: str) -> Path:
    """The file that is written last."""
    return cache_folder(family) / ("ready" + f"-{training}" * bool(training))


def all_ready() -> bool:
    """Whether nothing is left to compile."""
    return all(ready(family) for family in FAMILIES)


def warm(family: str, training: str = "") -> float:
    """Compile or load every kernel of one family, or what only one of TRAININGS needs, in *this* process.

    Returns:
        Seconds.
    """
    started = time.perf_counter()
    marker = _marker(family, training)
    marker.parent.mkdir(parents=True, exist_ok=True)
    importlib.import_module(TRAININGS[family, training] if training else FAMILIES[family]).warm()
    if not marker.exists():
        marker.write_text(f"{time.perf_counter() - started:.1f} s\n", encoding="utf-8")
    return time.perf_counter() - started


def prune(keep: int = _KEEP) -> None:
    """Remove the folders of older sources, all but the newest few of each family."""
    root = cache_root() / "kernels"
    for family in FAMILIES:
        folders = [path for path in root.glob(f"{family}-*") if path.is_dir() and path != cache_folder(family)]
        folders.sort(key=lambda path: path.stat().st_mtime)
        for old in folders[: max(0, len(folders) - keep + 1)]:
            shutil.rmtree(old, ignore_errors=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ai.kernels",
        description="Compile what the agents need to play on this machine, where that is not done yet (two to three minutes); "
        "says which game is under way, a line of JSON for each. The first start of the window does the same.",
        epilog=f"The compiled kernels are kept in {cache_root() / 'kernels'}, or under the folder that the environment "
        "variable TRILOGIC_CACHE names. It may be deleted whenever nothing of the app runs: what is missing is compiled again.",
    )
    parser.add_argument("what", nargs="?", choices=["trainings"], help="what the trainings need as well")
    return parser


def main(arguments: Sequence[str] = ()) -> int:
    """Warm every family that is not ready, saying so line by line; with the word `trainings` then those of TRAININGS.

    Returns:
        0 when all are ready, 2 where they cannot be kept.
    """
    wanted = _parser().parse_args(list(arguments)).what
    try:
        _prepare(wanted == "trainings")
    except OSError as error:
        print(f"trilogic: {cache_root()}: {error.strerror or error}; set TRILOGIC_CACHE to a folder", file=sys.stderr)
        return 2
    return 0


def _prepare(trainings: bool) -> None:
    todo = [family for family in FAMILIES if not ready(family)]
    for done, family in enumerate(todo):
        print(json.dumps({"family": family, "done": done, "of": len(todo)}), flush=True)
        warm(family)
    for family, training in TRAININGS if trainings else ():
        if not ready(family, training):
            warm(family, training)
    prune()
    print(json.dumps({"family": None, "done": len(todo), "of": len(todo)}), flush=True)


if __name__ == "__main__":
    stopping.install()
    threads.hold()
    stopping.leave(main(sys.argv[1:]))
