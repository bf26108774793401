"""Where compiled kernels are kept, and how they are warmed. Imports no numba: the menu may ask it anything.

numba does not notice that a function in *another* file changed, so a game's kernels are kept in a folder named by
a hash of every source they are made from (`ai/GAME/`, shared kernels, `game/rules/`), the versions of numba,
llvmlite and numpy, the interpreter and the processor: a change gives an empty folder, never an old kernel.
`python -m ai.kernels` fills it in a process of its own, one line of JSON per game on standard output, and writes
the file `ready` last.

Each game's family (`ai.family`) names modules with a function `warm()` that calls every kernel of play once on a tiny
input with the types used there. What only a training calls is compiled by the process of the first such training: its
trainer names that module (`python -m ai.kernels trainings` compiles these too).
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
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import platformdirs

from ai import stopping, threads
from ai.family import families, family
from game.rules.games import GAMES

SHARED = "shared"
"""In the place of a game: kernels that belong to none."""
TABLE = Path(__file__).with_name("compile_seconds.json")

Seconds = Mapping[str, Mapping[str, list[float]]]
"""Game id -> kernel -> seconds to compile each of its signatures, in the order in which play needs them."""

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


def _sources(game: str, root: Path) -> list[Path]:
    """What the machine code of a game is made from: its folder, shared kernels, and the rules' constants."""
    shared = [
        path for path in (root / "ai").glob("*.py") if path.name == "jit.py" or "ai.jit" in path.read_text("utf-8")
    ]
    if game == SHARED:
        return sorted(shared)
    return sorted([*(root / "ai" / game).rglob("*.py"), *shared, *(root / "game" / "rules").rglob("*.py")])


def sources_hash(game: str, root: Path = _ROOT) -> str:
    """Hash of a game's sources (place, date and content), library versions and processor."""
    digest = hashlib.sha256()
    for path in _sources(game, root):
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
def cache_folder(game: str) -> Path:
    """The folder for the kernels of exactly these sources on this machine; it may not exist yet."""
    return cache_root() / "kernels" / f"{game}-{sources_hash(game)}"


@lru_cache(maxsize=1)
def _read(table: Path) -> Seconds:
    found: Seconds = json.loads(table.read_text("utf-8"))
    return found


def known_seconds() -> Seconds:
    """What is known of every kernel that play needs, from `ai.compiling`."""
    return _read(TABLE)


def games() -> list[str]:
    """The ids of all games; what is soonest compiled comes first."""
    known = known_seconds() if TABLE.exists() else {}
    return sorted(GAMES, key=lambda game: sum(map(sum, known.get(game, {}).values())))


def _trainings() -> list[tuple[str, str]]:
    """Game id and id of every training that has kernels of its own."""
    return [(game, trainer.id) for game, each in families().items() for trainer in each.trainers if trainer.warm]


def _modules(game: str, training: str) -> tuple[str, ...]:
    """The modules whose `warm()` compiles the kernels of a game, or what only that training needs."""
    if not training:
        return family(game).warm
    trainer = family(game).trainer(training)
    return (trainer.warm,) if trainer and trainer.warm else ()


def ready(game: str, training: str = "") -> bool:
    """Whether every kernel of the game, or what only that training needs, is compiled and can be loaded at once."""
    return not _modules(game, training) or _marker(game, training).is_file()


def _marker(game: str, training: str) -> Path:
    """The file that is written last."""
    return cache_folder(game) / ("ready" + f"-{training}" * bool(training))


def all_ready() -> bool:
    """Whether nothing is left to compile."""
    return all(map(ready, GAMES))


def warm(game: str, training: str = "") -> float:
    """Compile or load every kernel of one game, or what only one of its trainings needs, in *this* process.

    Returns:
        Seconds.
    """
    started = time.perf_counter()
    marker = _marker(game, training)
    marker.parent.mkdir(parents=True, exist_ok=True)
    for module in _modules(game, training):
        importlib.import_module(module).warm()
    if not marker.exists():
        marker.write_text(f"{time.perf_counter() - started:.1f} s\n", encoding="utf-8")
    return time.perf_counter() - started


def prune(keep: int = _KEEP) -> None:
    """Remove the folders of older sources, all but the newest few of each game."""
    root = cache_root() / "kernels"
    for name in (*GAMES, SHARED):
        folders = [path for path in root.glob(f"{name}-*") if path.is_dir() and path != cache_folder(name)]
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
    """Warm every game that is not ready, saying so line by line; with the word `trainings` then what only trainings need.

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
    todo = [game for game in games() if not ready(game)]
    for done, game in enumerate(todo):
        print(json.dumps({"family": game, "done": done, "of": len(todo)}), flush=True)
        warm(game)
    for game, training in _trainings() if trainings else ():
        if not ready(game, training):
            warm(game, training)
    prune()
    print(json.dumps({"family": None, "done": len(todo), "of": len(todo)}), flush=True)


if __name__ == "__main__":
    stopping.install()
    threads.hold()
    stopping.leave(main(sys.argv[1:]))
