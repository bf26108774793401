"""What is to be trained, and the command line that does it. Knows no window."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ai import catalogue, models, trainers
from ai.checkpoints import Unfinished
from ai.entries import CatalogueError, Trainer, Value
from ai.models import CHECKPOINT, SUFFIX
from ai.program import ROOT
from game.rules.games import GAMES
from game.screens.models.shelf import name_problem

MAX_SEED = 2**31 - 1
SECONDS = "seconds"
"""The parameter of every training that says how long it learns; 0 for no limit."""
LEVEL, NUMBER, ROOMS = "level", "number", "rooms"
"""The parameters of trainings that learn one level: its file, its number in it, and how many rooms are learned instead."""


@dataclass(frozen=True, slots=True)
class Request:
    """A training as the form has it."""

    game: str
    trainer_id: str
    name: str
    """Of the model."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    """Those that differ from the defaults."""
    seed: int = 0
    going_on: Unfinished | None = None
    """The training that it continues."""

    @property
    def trainer(self) -> Trainer:
        """Of the catalogue."""
        return catalogue.trainer(self.game, self.trainer_id)

    def value(self, name: str) -> Value:
        """A setting in force."""
        return self.settings.get(name, self.trainer.parameter(name).default)

    @property
    def title(self) -> str:
        """What is trained, in words."""
        return f"{self.trainer.title} · {GAMES[self.game].title}"

    def words(self, folder: Path | None = None) -> list[str]:
        """The words of the command line; the model goes into `folder`, or where the command line puts it."""
        words = ["train", GAMES[self.game].name, self.trainer_id]
        for name, value in self._given():
            words += ["--set", f"{name}={_written(value)}"]
        model = self.name if folder is None else str(folder / self.name)
        if self.going_on is not None:
            return [*words, "--resume", model]
        return [*words, "--seed", str(self.seed), "--out", model]

    def _given(self) -> list[tuple[str, Value]]:
        """What has to be said: a training that goes on keeps what it was begun with, not the defaults."""
        kept = self.going_on.settings if self.going_on is not None else {}
        found = []
        for parameter in self.trainer.parameters:
            value = self.value(parameter.name)
            if value != parameter.default or value != kept.get(parameter.name, value):
                found.append((parameter.name, value))
        return found

    @property
    def level(self) -> tuple[Path, int] | None:
        """(file, number from 1) of the level that it learns; None where it learns none, or the file is gone."""
        if not self._learns_level:
            return None
        path = Path(str(self.value(LEVEL)))
        try:
            found = next((each for each in (path, ROOT / path) if each.is_file()), None)
        except (OSError, ValueError):
            return None
        return None if found is None else (found, int(self.value(NUMBER)))

    @property
    def _learns_level(self) -> bool:
        known = {parameter.name for parameter in self.trainer.parameters}
        return {LEVEL, NUMBER} <= known and not (ROOMS in known and self.value(ROOMS))

    def command_line(self) -> str:
        """As a person would type it."""
        return shlex.join(["./play", *self.words()])

    def command(self, folder: Path) -> list[str]:
        """What the process is started with."""
        return [sys.executable, str(ROOT / "main.py"), *self.words(folder), "--lines"]

    def problem(self, folder: Path) -> str | None:
        """Why it cannot be begun, in one sentence, or None."""
        if self.going_on is not None:
            gone = not trainers.checkpoint_of(self.going_on.path).is_file()
            return f"The checkpoint of {self.name} is no longer there." if gone else None
        trouble = name_problem(self.name)
        if trouble is not None:
            return trouble
        if taken(self.name, folder):
            return (
                f"There is a model or a training called {self.name!r} already: choose another name, or go on with it."
            )
        for name, value in self.settings.items():
            try:
                self.trainer.parameter(name).check(value)
            except CatalogueError as error:
                return f"{error}."
        if self._learns_level and self.level is None:
            return f"There is no file of levels {str(self.value(LEVEL))!r}: choose the one with the level to learn."
        return None


def _written(value: Value) -> str:
    return (
        str(value).lower() if isinstance(value, bool) else f"{value:.12g}" if isinstance(value, float) else str(value)
    )


def taken(name: str, folder: Path) -> bool:
    """Whether a model or a checkpoint has that name, whatever the case of its letters; models that ship count too."""
    wanted = name.casefold()
    for each in {folder, *models.FOLDERS}:
        try:
            files = [path.name for path in each.iterdir() if path.name.endswith(SUFFIX)]
        except OSError:
            continue
        if any(file.removesuffix(CHECKPOINT).removesuffix(SUFFIX).casefold() == wanted for file in files):
            return True
    return False


def free_name(game: str, trainer_id: str, folder: Path) -> str:
    """A name for a model of that training which no model has yet."""
    return named(f"{GAMES[game].name}-{trainer_id}", folder)


def named(stem: str, folder: Path) -> str:
    """The first free name that begins so."""
    number = 1
    while taken(f"{stem}-{number}", folder):
        number += 1
    return f"{stem}-{number}"


def trainers_of(game: str) -> tuple[Trainer, ...]:
    """The trainers of a game, as the catalogue lists them."""
    return tuple(each for each in catalogue.TRAINERS if each.game == game)


def preferred(game: str) -> Trainer:
    """The trainer that is offered first: one that learns a single level is done in minutes; else the catalogue's first.

    Raises:
        ValueError: nothing can be trained in this game.
    """
    found = trainers_of(game)
    if not found:
        raise ValueError(f"nothing can be trained in {GAMES[game].title}")
    learner = map_trainer()
    return learner if learner in found and learner is not None else found[0]


def map_trainer() -> Trainer | None:
    """The trainer that learns one level from a file, if there is one."""
    trainers = (each for game in GAMES for each in trainers_of(game))
    return next(
        (each for each in trainers if {LEVEL, NUMBER} <= {parameter.name for parameter in each.parameters}), None
    )


def continued(unfinished: Unfinished) -> Request | None:
    """The request to go on with a training; None where this app has no such trainer."""
    try:
        trainer = catalogue.trainer(unfinished.game, unfinished.agent)
    except CatalogueError:
        return None
    settings: dict[str, Value] = {}
    for parameter in trainer.parameters:
        value = unfinished.settings.get(parameter.name)
        try:
            if value is not None and parameter.check(value) != parameter.default:
                settings[parameter.name] = value
        except CatalogueError:
            continue
    name = unfinished.path.name.removesuffix(SUFFIX)
    return Request(unfinished.game, unfinished.agent, name, settings, unfinished.seed, unfinished)
