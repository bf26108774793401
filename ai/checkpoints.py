"""What the checkpoints of all trainings have in their headers, written and read back with care.

A checkpoint is a `.safetensors` file with which a training goes on exactly where it was. Its header says which training
it is of, what that was told, its seed, the time it has learned and the commands that led to it.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from ai.models import CHECKPOINT, SUFFIX
from ai.tensors import ModelError, TensorFile

FORMAT = "trilogic-checkpoint"
VERSION = 1

SettingsT = TypeVar("SettingsT", bound=Any)
"""A frozen dataclass with defaults, `seconds` among its fields: the time of one run."""


@dataclass(frozen=True, slots=True)
class Header(Generic[SettingsT]):
    """What a checkpoint says of its training."""

    settings: SettingsT
    """Those that it was begun with, changed as far as may be by what is wanted now."""
    begun: SettingsT
    """Those that it was begun with."""
    seed: int
    seconds: float
    """Learned, in all runs."""
    earlier: str
    """The command lines of the runs before, each with `; ` after it."""
    numbers: Mapping[str, int]
    """Others, by name; none is negative."""


def header(
    game: str,
    agent: str,
    settings: Any,
    seed: int,
    seconds: float,
    command: str,
    *,
    version: int = VERSION,
    **more: int,
) -> dict[str, str]:
    """The texts of a header; `more` are numbers of this training alone."""
    return {
        "format": FORMAT,
        "version": str(version),
        "game": game,
        "agent": agent,
        "settings": json.dumps(asdict(settings)),
        "seed": str(seed),
        "seconds": repr(seconds),
        "command": command,
        **{name: str(number) for name, number in more.items()},
    }


def read(
    file: TensorFile,
    game: str,
    agent: str,
    kind: type[SettingsT],
    wanted: Mapping[str, Any],
    *,
    fixed: Iterable[str] = (),
    each_run: Iterable[str] = ("seconds",),
    numbers: Iterable[str] = (),
    check: Callable[[SettingsT], bool] = lambda _settings: True,
    version: int = VERSION,
) -> Header[SettingsT]:
    """The header of an opened checkpoint.

    Args:
        file: The checkpoint.
        game: The game it has to be of.
        agent: The agent whose training it has to be of.
        kind: The settings' class.
        wanted: What the run that begins is told.
        fixed: Settings that a training keeps.
        each_run: Settings of one run, their defaults where nothing is wanted.
        numbers: Names of `Header.numbers`.
        check: Whether settings are possible; may raise ValueError or KeyError instead of answering False.
        version: The one that can be read.

    Raises:
        ModelError: it is another file, or says what no training writes.
        ValueError: something else is wanted than what it keeps.
    """
    texts = file.metadata
    found = (texts.get("format"), texts.get("version"), texts.get("game"), texts.get("agent"))
    if found != (FORMAT, str(version), game, agent):
        raise ModelError(file.path, f"it is no checkpoint of a training of {agent!r} in {game} that this app reads")
    try:
        begun = msgspec.json.decode(texts["settings"], type=kind)
        seed, seconds = int(texts["seed"]), float(texts["seconds"])
        more = {name: int(texts[name]) for name in numbers}
        good = 0 <= seed < 2**64 and math.isfinite(seconds) and all(0 <= number < 2**62 for number in more.values())
        good = good and check(begun)
    except (KeyError, ValueError, RecursionError):
        good = False
    if not good:
        raise ModelError(file.path, "the settings in its header cannot be read")
    keep(file, begun, wanted, fixed)
    fresh = kind()
    settings = replace(begun, **{name: getattr(fresh, name) for name in each_run} | dict(wanted))
    return Header(settings, begun, seed, seconds, earlier(texts.get("command", "")), more)


def keep(file: TensorFile, begun: Any, wanted: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise ValueError where something else is wanted of the settings that a training keeps."""
    for name in names:
        if name in wanted and wanted[name] != getattr(begun, name):
            raise ValueError(f"{file.path.name} was begun with {name}={getattr(begun, name)} and keeps it")


def earlier(command: str) -> str:
    """The commands of the runs before, as those of the next are written behind them."""
    return f"{command}; " if command else ""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A training that can go on, as its checkpoint's header tells."""

    path: Path
    """Of the model; the checkpoint stands beside it."""
    game: str
    agent: str
    """The trainer's id."""
    settings: Mapping[str, Any]
    seed: int
    seconds: float
    """Learned, in all runs."""
    changed: float
    """When it was saved, in seconds since 1970."""


def listing(folder: Path) -> list[Unfinished]:
    """The trainings with a checkpoint in a folder, the latest first; files that are none are left out."""
    try:
        paths = [path for path in folder.iterdir() if path.name.endswith(CHECKPOINT) and path.name[0] != "."]
    except OSError:
        return []
    found = [each for each in map(_unfinished, paths) if each is not None]
    return sorted(found, key=lambda each: each.changed, reverse=True)


def _unfinished(path: Path) -> Unfinished | None:
    try:
        with TensorFile(path) as file:
            texts = file.metadata
        if texts.get("format") != FORMAT:
            return None
        settings = msgspec.json.decode(texts["settings"], type=dict[str, bool | int | float | str])
        model = path.with_name(path.name.removesuffix(CHECKPOINT) + SUFFIX)
        seed, seconds, changed = int(texts["seed"]), float(texts["seconds"]), path.stat().st_mtime
        return Unfinished(model, texts["game"], texts["agent"], settings, seed, seconds, changed)
    except (ModelError, OSError, KeyError, ValueError, RecursionError):
        return None
