"""`train GAME AGENT --out MODEL`: learns, with a log and checkpoints beside the model; Ctrl-C saves and stops."""

import argparse
import importlib.util
import os
import re
import shlex
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from ai import catalogue, kernels, models, stopping, trainers
from ai.agent import Thinking
from ai.entries import CatalogueError, Trainer, Value
from ai.tensors import ModelError
from ai.trainers import Report
from ai.training import Training
from game.cli import train_lines
from game.cli.arguments import game, names
from game.cli.errors import CliError, Stopped
from game.cli.output import Bar, bar, notice, print_json, say
from game.play.asking import NotReady, load_kernels
from game.rules.games import GAMES
from game.saves.folder import why_not_writable

HELP = "train a model; Ctrl-C saves and stops"
_NEXT_SETTING = re.compile(r",(?=\s*\w+=)")
"""A comma between two settings; others belong to a text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to train, how, and where it goes."""
    parser.add_argument("game", type=game, metavar="GAME", help=names())
    parser.add_argument("agent", metavar="AGENT", help="; ".join(_described(each) for each in catalogue.TRAINERS))
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", dest="settings", help="a setting, or several"
    )
    parser.add_argument("--out", metavar="MODEL", help="name in the folder of models, or a path")
    parser.add_argument("--resume", metavar="MODEL", help="go on from this model's checkpoint")
    parser.add_argument(
        "--lines",
        action="store_true",
        help="for programs that lead a training: a line of JSON for every round; takes the words pause, continue and "
        "stop from standard input, whose end stops it too",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train and print."""
    try:
        return _train(arguments)
    except (CliError, NotReady) as error:
        if arguments.lines:
            train_lines.refused(error)
        raise


def _train(arguments: argparse.Namespace) -> int:
    led = train_lines.Led() if arguments.lines else None
    try:
        trainer = catalogue.trainer(arguments.game.id, arguments.agent)
        settings = _settings(trainer, arguments.settings)
    except CatalogueError as error:
        raise CliError(str(error)) from None
    if trainer.needs_torch and importlib.util.find_spec("torch") is None:
        raise CliError("this training needs torch: ./play train installs it, or pip install -r requirements.txt")
    name = arguments.out or arguments.resume
    if name is None:
        raise CliError("--out MODEL is missing: say where the model goes")
    model = models.file_of(name, next((each for each in models.FOLDERS if why_not_writable(each) is None), None))
    checkpoint = _checkpoint(arguments.resume, trainer)
    if checkpoint is None and os.path.lexists(trainers.checkpoint_of(model)):
        notice(f"{model.name} begins anew: the checkpoint of the training before will be replaced.")
    if led is not None:
        led.listen()
    needed = [*kernels.units(trainer.game), *kernels.training(trainer.game, trainer.id)]
    if not kernels.ready(needed):  # else each is loaded when it is needed, a few of many
        load_kernels(needed, train_lines.compiling if arguments.lines else notice)
    training = _begin(trainer, settings, arguments.seed, checkpoint)
    given = {parameter.name: settings.get(parameter.name, parameter.default) for parameter in trainer.parameters}
    thinking = Thinking(seconds=float(given.get("seconds", 0)) or None)
    try:
        if led is not None:
            led.begin(training, thinking)
        with stopping.politely(thinking.cancel if led is None else led.stop):
            figures = _learn(arguments, trainer, training, model, thinking, given, led)
    except (OSError, ValueError) as error:
        if stopping.received() and isinstance(error, ValueError):
            raise Stopped(f"{error}; its checkpoint is saved.") from None
        said = error.strerror if isinstance(error, OSError) else None
        raise CliError(f"{model}: {said or error}") from None
    _print(arguments, trainer, training, model, figures, thinking)
    return 0


def _learn(
    arguments: argparse.Namespace,
    trainer: Trainer,
    training: Training,
    model: Path,
    thinking: Thinking,
    given: Mapping[str, Value],
    led: train_lines.Led | None,
) -> Mapping[str, float]:
    """Run it, before a person or led by a program; returns the last figures."""
    command = _command(arguments)
    if led is not None:
        return trainers.run(training, model, command, thinking, led.hear)
    with _bar(given, training) as shown:
        return trainers.run(training, model, command, thinking, _Watcher(shown, trainer, training.games).hear)


def _described(trainer: Trainer) -> str:
    names = ", ".join(parameter.name for parameter in trainer.parameters)
    return f"{trainer.id} ({GAMES[trainer.game].title}; settings: {names})"


def _settings(trainer: Trainer, texts: list[str]) -> dict[str, Value]:
    """The settings that were given; raises CatalogueError."""
    found: dict[str, Value] = {}
    for part in (part for text in texts for part in _NEXT_SETTING.split(text)):
        name, equals, value = part.partition("=")
        if not equals:
            raise CatalogueError(f"--set {part}: expected NAME=VALUE")
        found[name.strip()] = trainer.parameter(name.strip()).parse(value.strip())
    return found


def _checkpoint(resume: str | None, trainer: Trainer) -> Path | None:
    """The checkpoint to go on from, or the model where that does; raises CliError where there is neither."""
    if resume is None:
        return None
    model = None
    if resume.endswith(models.CHECKPOINT):
        path = Path(resume)
    else:
        model = models.find(resume)
        path = trainers.checkpoint_of(model or models.file_of(resume))
    if os.path.isfile(path):
        return path
    if model is None or not trainer.from_models:
        raise CliError(f"{path}: there is no checkpoint to go on from")
    notice(f"{path.name} is not there: the training goes on from the model, with error sums that start anew.")
    return model


def _begin(trainer: Trainer, settings: Mapping[str, Value], seed: int, checkpoint: Path | None) -> Training:
    try:
        training: Training = trainer.begin(settings, seed, checkpoint)
    except (ModelError, ValueError) as error:
        raise CliError(str(error)) from None
    except MemoryError:
        raise CliError("there is not enough memory for these tables") from None
    return training


def _command(arguments: argparse.Namespace) -> str:
    """The command line that repeats this training."""
    words = ["train", arguments.game.name, arguments.agent]
    for text in arguments.settings:
        words += ["--set", text]
    words += ["--seed", str(arguments.seed)]
    for option in ("out", "resume"):
        value = getattr(arguments, option)
        if value is not None:
            words += [f"--{option}", Path(value).name]
    return shlex.join(words)


def _bar(given: Mapping[str, Value], training: Training) -> Bar:
    total = training.goal - training.games if training.goal is not None else None
    return bar(total, "training", "game")


def _in_words(trainer: Trainer, figures: Mapping[str, float]) -> str:
    """The figures worth a glance."""
    told = {name: each.words for name, each in trainer.figures.items() if each.words and name in figures}
    return ", ".join(words.format(figures[name]) for name, words in told.items())


class _Watcher:
    """Moves the bar."""

    def __init__(self, shown: Bar, trainer: Trainer, games: int) -> None:
        self._shown, self._trainer = shown, trainer
        self._games = games

    def hear(self, report: Report) -> None:
        """A round is over."""
        figures = report.figures
        left = "" if report.eta is None else f", {timedelta(seconds=round(report.eta))} left"
        self._shown.set_postfix_str(_in_words(self._trainer, figures) + left)
        self._shown.update(report.games - self._games)
        self._games = report.games


def _print(
    arguments: argparse.Namespace,
    trainer: Trainer,
    training: Training,
    model: Path,
    figures: Mapping[str, float],
    thinking: Thinking,
) -> None:
    size = model.stat().st_size
    found = {
        "game": arguments.game.id,
        "agent": arguments.agent,
        "model": str(model),
        "checkpoint": str(trainers.checkpoint_of(model)),
        "bytes": size,
        "seconds": round(training.seconds, 3),
        "stopped": thinking.cancelled,
        **figures,
    }
    if arguments.lines:
        train_lines.say({"done": found})
        return
    if arguments.json:
        print_json(found)
        return
    parts = [
        f"{training.games:,} games in {training.seconds:,.0f} s",
        _in_words(trainer, figures),
        f"{size / 1e6:.2f} MB",
    ]
    say(
        f"{model.name}: {', '.join(part for part in parts if part)}"
        + (" (stopped; go on with --resume)" if thinking.cancelled else "")
    )
