"""Checkpoints, as whoever is no training sees them: which trainings can go on.

A checkpoint is a `.safetensors` file with which a training goes on exactly where it was. Its header says which training
it is of, what that was told, its seed, the time it has learned and the commands that led to it; `ai.training` writes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ai.models import CHECKPOINT, SUFFIX
from ai.tensors import ModelError, TensorFile

FORMAT = "trilogic-checkpoint"
VERSION = 1


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
