"""Where compiled kernels are kept, and what has to be compiled for whom. Imports no numba: the menu may ask it anything.

numba does not notice that a function in *another* file changed, so a game's kernels are kept in a folder named by
a hash of every source they are made from (`ai.kernel_sources`), the versions of numba, llvmlite and numpy, the interpreter
and the processor: a change gives an empty folder, never an old kernel.

Each game's family (`ai.family`) names its kernels in units, which are compiled one by one (`ai.preparing`), and what needs them:
a unit's function calls each of its kernels once on a tiny input with the types used in play, and then a file `ready-…` is
written. What only a training calls is one unit more: its trainer names that module.
"""

import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import platformdirs

from ai.entries import Entry, Spec, named
from ai.family import families, family
from ai.kernel_sources import constant_files, kernel_files
from game.rules.games import GAMES

SHARED = "shared"
"""In the place of a game: kernels that belong to none."""

_ROOT = Path(__file__).resolve().parent.parent
_KEEP = 3


@cache
def _processor() -> str:
    """What the machine code depends on: the architecture and, where Linux tells, the model and its flags."""
    text = platform.machine() + platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return text
    return text + "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def sources_hash(game: str, root: Path = _ROOT) -> str:
    """Hash of a game's sources, library versions and processor.

    The date of a module with kernels counts as well, because numba asks for it; of one with constants only its content does.
    """
    digest = hashlib.sha256()
    folder = "" if game == SHARED else game
    for path in kernel_files(folder, root):
        digest.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode())
        digest.update(path.read_bytes())
    for path in constant_files(folder, root):
        digest.update(f"{path}\0".encode())
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


# What needs which units


def game_of(unit: str) -> str:
    """The game whose kernels a unit has: 'ai.GAME.…'."""
    return unit.split(".")[1]


def units(game: str) -> tuple[str, ...]:
    """All units of play of a game, as its family lists them."""
    return tuple(unit.warm for unit in family(game).warm)


def needed_by(game: str, *words: str) -> tuple[str, ...]:
    """The units that agents of these ids, or whatever else families have a word for, need together."""
    return tuple(unit.warm for unit in family(game).warm if set(words) & set(unit.needed_by))


def needed(game: str, *specs: Spec) -> tuple[str, ...]:
    """The units that these agents need as they are set: also those of an agent that one begins with or whose model it borrows."""
    words = {word for spec in specs for word in _led(game, spec)}
    return needed_by(game, *words)


def _led(game: str, spec: Spec) -> set[str]:
    """The ids of the agent and of those that play within it."""
    found, entry = {spec.id}, family(game).agent(spec.id)
    if entry is None:
        return found
    if spec.model is not None and entry.borrows:
        found.add(entry.borrows)
    ids = {each.id for each in family(game).agents}
    inner = [each for each in entry.parameters if each.choices and ids >= set(each.choices)]
    return found | {str(spec.settings.get(each.name, each.default)) for each in inner}


def training(game: str, agent_id: str) -> tuple[str, ...]:
    """The unit that only that training needs, where it has one."""
    trainer = family(game).trainer(agent_id)
    return (f"{trainer.warm}:warm",) if trainer is not None and trainer.warm else ()


def trainings() -> tuple[str, ...]:
    """The units of all trainings."""
    return tuple(
        unit for game, each in families().items() for one in each.trainers for unit in training(game, one.id)
    )


def in_order() -> tuple[str, ...]:
    """All units of play of all games, what should be there soonest first.

    That is who plays where everything else is missing, then who plays unless somebody else was chosen, then all other agents;
    what no agent needs comes last.
    """
    first = {unit for game, each in families().items() for unit in needed(game, *each.strongest[-1:])}
    second = {unit for game, each in families().items() for unit in needed(game, *each.strongest)}
    agents = {
        unit.warm for each in families().values() for unit in each.warm if _is_played(each.agents, unit.needed_by)
    }
    return tuple(sorted(
        (unit for game in GAMES for unit in units(game)),
        key=lambda unit: 0 if unit in first else 1 if unit in second else 2 if unit in agents else 3,
    ))  # fmt: skip


def _is_played(agents: Iterable[Entry], words: Iterable[str]) -> bool:
    return bool({entry.id for entry in agents} & set(words))


# What is there


def ready(wanted: Iterable[str]) -> bool:
    """Whether every kernel of these units is compiled and can be loaded at once."""
    return all(_marker(unit).is_file() for unit in wanted)


def game_ready(game: str) -> bool:
    """Whether all kernels of play of a game are."""
    return ready(units(game))


def all_ready() -> bool:
    """Whether nothing is left to compile."""
    return all(map(game_ready, GAMES))


def _marker(unit: str) -> Path:
    """The file that is written when a unit is compiled."""
    return cache_folder(game_of(unit)) / f"ready-{unit.replace(':', '.')}"


def warm(wanted: Iterable[str]) -> float:
    """Compile or load every kernel of these units in *this* process.

    Returns:
        Seconds.
    """
    started = time.perf_counter()
    for unit in wanted:
        marker = _marker(unit)
        marker.parent.mkdir(parents=True, exist_ok=True)
        named(unit)()
        marker.touch()
    return time.perf_counter() - started


def prune(keep: int = _KEEP) -> None:
    """Remove the folders of older sources, all but the newest few of each game."""
    root = cache_root() / "kernels"
    for name in (*GAMES, SHARED):
        folders = [path for path in root.glob(f"{name}-*") if path.is_dir() and path != cache_folder(name)]
        folders.sort(key=lambda path: path.stat().st_mtime)
        for old in folders[: max(0, len(folders) - keep + 1)]:
            shutil.rmtree(old, ignore_errors=True)
