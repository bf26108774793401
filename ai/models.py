"""Saved models: what their headers say, where they are, and whether they can be used.

A model is one `.safetensors` file whose header says everything that people are told about it. `listing` reads headers
only. What the arrays mean is the business of the agent's own loader, which its entry names; `check` calls it.

The header's texts: format, version, game, agent, board, title, shapes, stages, rule, games, seed, command, seconds,
date, and strength as JSON: `{"plies": {"1": {"mean": …, "stderr": …, "games": …}}}`.
"""

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ai.entries import named
from ai.family import family
from ai.program import ROOT
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules.games import GAMES

FORMAT = "trilogic-model"
VERSION = 2
"""1 had tables that were not deflated."""
SUFFIX = ".safetensors"
CHECKPOINT = ".checkpoint.safetensors"
"""Ending of the files with which a training goes on; they are no models."""
MAX_TEXT = 2_000

_TEXTS = ("game", "agent", "board", "title", "shapes", "stages", "rule", "command", "date")
"""What a header and its card say in the same words."""

FOLDERS: list[Path] = [ROOT / "saves" / "models"]
"""Where models are looked for, the first that has the name wins; `use_folders` changes it."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A measured mean score."""

    mean: float
    stderr: float
    """Standard error of the mean; 0 of a single game."""
    games: int

    @classmethod
    def of(cls, scores: Sequence[float]) -> "Strength":
        """Of games with these scores, at least one."""
        games = len(scores)
        error = statistics.stdev(scores) / games**0.5 if games > 1 else 0.0
        return cls(statistics.fmean(scores), error, games)


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the header of a model says. With a `problem` only path and size mean anything."""

    path: Path
    size: int = 0
    """Bytes of the file."""
    problem: str | None = None
    """Why it cannot be used, in one sentence."""
    game: str = ""
    agent: str = ""
    board: str = ""
    """As the catalogue's entry of the agent names boards: '4x4'. The sizes it was trained on, '7x7-16x16', where it plays
    boards of any size."""
    title: str = ""
    shapes: str = ""
    """What it is made of: the tuples of an n-tuple network."""
    stages: str = ""
    """Sums of all tiles at which the next tables of an n-tuple network begin to count: '16384 24576'."""
    rule: str = ""
    games: int = 0
    seed: int = 0
    command: str = ""
    seconds: float = 0.0
    """Training time."""
    date: str = ""
    strength: Mapping[int, Strength] = field(default_factory=dict)
    """By plies."""

    @property
    def name(self) -> str:
        """What people call it: the file's name without its ending."""
        return self.path.name.removesuffix(SUFFIX)

    def metadata(self) -> dict[str, str]:
        """The texts for the header."""
        measured = {
            str(plies): {"mean": found.mean, "stderr": found.stderr, "games": found.games}
            for plies, found in sorted(self.strength.items())
        }
        return {
            "format": FORMAT,
            "version": str(VERSION),
            **{name: getattr(self, name) for name in _TEXTS},
            "games": str(self.games),
            "seed": str(self.seed),
            "seconds": f"{self.seconds:.1f}",
            "strength": json.dumps({"plies": measured}),
        }

    def refusal(self, game: str, agent: str, board: str) -> str | None:
        """Why this model cannot be used there, in one sentence, or None when it can; any `board` will do where it is ''."""
        if self.problem is not None:
            return f"{self.path.name}: {self.problem}"
        if (self.game, self.agent) != (game, agent):
            return f"model {self.name!r} is for {self.agent} in {self.game}, not for {agent} in {game}"
        if board not in ("", self.board):
            return f"model {self.name!r} was trained for boards of {self.board}, this one is {board}"
        return None


def use_folders(*folders: Path) -> None:
    """Look for models in these folders from now on, in this order."""
    FOLDERS[:] = folders


def file_of(name: str, folder: Path | None = None) -> Path:
    """The file of a model given by name (in `folder`, or the first one) or by path, which may leave its ending out."""
    path = Path(name if name.endswith(SUFFIX) else name + SUFFIX)
    return path if _is_path(name) else (folder or FOLDERS[0]) / path


def find(name: str) -> Path | None:
    """The file of the model given by its name in the folders, or by a path; None when there is none."""
    candidates = [Path(name), file_of(name)] if _is_path(name) else []
    if Path(name).name == name:
        candidates += [folder / (name.removesuffix(SUFFIX) + SUFFIX) for folder in FOLDERS]
    for path in candidates:
        try:
            if path.is_file():
                return path
        except (OSError, ValueError):
            continue
    return None


def listing(folders: Iterable[Path] | None = None) -> list[ModelCard]:
    """The cards of all models in the folders (`FOLDERS` where none are given), by game and name."""
    found: dict[str, ModelCard] = {}
    for folder in FOLDERS if folders is None else folders:
        try:
            paths = [path for path in folder.iterdir() if path.name.endswith(SUFFIX) and path.name[0] != "."]
        except OSError:
            continue
        for path in paths:
            if not path.name.endswith(CHECKPOINT):
                found.setdefault(path.name, card(path))
    return sorted(found.values(), key=lambda each: (each.problem is not None, each.game, each.name))


def card(path: Path) -> ModelCard:
    """What the file's header says; a file that is no model gets a card with a problem. Never raises."""
    try:
        known = path.stat()
        return _card(path, known.st_mtime_ns, known.st_size)
    except (OSError, ValueError):
        return _card(path, 0, 0)


def card_for(file: TensorFile, game: str, agent: str) -> ModelCard:
    """The card of an opened file; raises ModelError where it is no model for this agent as well."""
    card = read_card(file)
    if (card.game, card.agent) != (game, agent):
        raise ModelError(file.path, f"it is for {card.agent} in {card.game}, not for {agent} in {game}")
    return card


def read_card(file: TensorFile) -> ModelCard:
    """The card of an opened file, its texts checked.

    Raises:
        ModelError: when it is no model of a version that this app reads.
    """
    texts = file.metadata
    if texts.get("format") != FORMAT:
        raise ModelError(file.path, "it is no model of this app")
    if texts.get("version") != str(VERSION):
        raise ModelError(file.path, f"it is of version {_text(file, 'version')}, this app reads version {VERSION}")
    for name in ("game", "agent", "board"):
        if not _text(file, name):
            raise ModelError(file.path, f"its header does not say what its {name} is")
    found = ModelCard(
        file.path, file.size,
        games=int(_number(file, "games")), seed=int(_number(file, "seed")), seconds=_number(file, "seconds"),
        strength=_strength(file),
    )  # fmt: skip
    said: dict[str, Any] = {name: _text(file, name) for name in _TEXTS}
    return replace(found, **said)


def write_strength(path: Path, measured: Mapping[int, Strength]) -> ModelCard:
    """Put measured strengths into the header, next to those of other plies; returns the new card.

    Raises:
        ModelError: when the file is no model.
        OSError: when it cannot be written.
    """
    with TensorFile(path) as file:
        old = read_card(file)
        new = replace(old, strength={**old.strength, **measured})
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = {**file.metadata, **new.metadata()}
    write_whole(path, arrays, texts)
    return card(path)


def check(path: Path) -> ModelCard:
    """Load the model as its agent would, and forget it; returns its card.

    Raises:
        ModelError: with why it cannot be used.
    """
    with TensorFile(path) as file:
        found = read_card(file)
    loader = _loader(found)
    if not loader:
        raise ModelError(path, _homeless(found))
    named(loader)(path)
    return found


def _loader(card: ModelCard) -> str:
    """What loads models of its kind; empty where this app has no such agent."""
    agent = family(card.game).agent(card.agent) if card.game in GAMES else None
    return agent.loader if agent else ""


def _homeless(card: ModelCard) -> str:
    return f"this app has no agent {card.agent!r} that plays {card.game!r} with a model"


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith(SUFFIX)


@lru_cache(maxsize=256)
def _card(path: Path, _changed: int, size: int) -> ModelCard:
    """`card`, read once for each state of the file."""
    try:
        with TensorFile(path) as file:
            found = read_card(file)
    except ModelError as error:
        return ModelCard(path, size, error.reason)
    if not _loader(found):
        return ModelCard(path, size, _homeless(found))
    return found


def _text(file: TensorFile, name: str) -> str:
    """A text of the header as it can be shown: printable, of bounded length."""
    text = file.metadata.get(name, "")
    return "".join(letter if letter.isprintable() else " " for letter in text[:MAX_TEXT])


def _number(file: TensorFile, name: str) -> float:
    """A count or a time of the header."""
    text = file.metadata.get(name, "0")
    if len(text) <= 24:
        try:
            value = float(text) if "." in text else int(text)
        except ValueError:
            value = math.nan
        if 0 <= value < 2**64:
            return value
    raise ModelError(file.path, f"its header says {text[:24]!r} for {name}, which is no such number")


def _strength(file: TensorFile) -> dict[int, Strength]:
    text = file.metadata.get("strength", '{"plies": {}}')
    try:
        found = {
            int(plies): Strength(float(each["mean"]), float(each["stderr"]), int(each["games"]))
            for plies, each in json.loads(text)["plies"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise ModelError(file.path, "the strength in its header cannot be read") from None
    if not all(math.isfinite(each.mean) and math.isfinite(each.stderr) for each in found.values()):
        raise ModelError(file.path, "the strength in its header is no number")
    return found
