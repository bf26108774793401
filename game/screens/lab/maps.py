"""A level of Sokoban as something to be learned: kept in a file of its own, and the lab's form filled for it."""

import hashlib

from ai.entries import Value
from game.rules import levels
from game.rules.levels import Level, Pack
from game.saves.files import write_whole
from game.screens.context import Context
from game.screens.lab.request import LEVEL, NUMBER, Request, map_trainer, named
from game.screens.lab.training import Training
from game.screens.models.shelf import clean_name
from game.screens.navigation import show
from game.ui.scene import Host

FOLDER = "maps"
"""Of the saves: levels that are or were learned."""
LONGEST = 40
"""Characters of a title in a file's name."""


def refusal(context: Context) -> str | None:
    """Why no level can be learned here, in one sentence, or None."""
    if map_trainer() is None:
        return "No training of this app learns a single level."
    return None if context.saves.writable else "The saves folder is read-only, so nothing can be trained here."


def train_on(window: Host, context: Context, level: Level) -> None:
    """Keep the level and go to the lab, with its form filled; or say why not."""
    trainer, reason = map_trainer(), refusal(context)
    if trainer is None or reason is not None:
        window.say(reason or "", "bad")
        return
    text = levels.dump(Pack((level,)))
    stem = clean_name(level.title)[:LONGEST].rstrip(" .") if level.title else "map"
    path = context.saves.root / FOLDER / f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.xsb"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        window.say(f"{path.name} could not be saved: {error.strerror or error}.", "bad")
        return
    wanted: dict[str, Value] = {LEVEL: str(path.resolve()), NUMBER: 1}
    settings = {name: value for name, value in wanted.items() if value != trainer.parameter(name).default}
    name = named(f"{stem}-{trainer.id}", context.saves.models)
    show("lab", window, context).take(Request(trainer.game, trainer.id, name, settings))
    training = context.jobs.one(Training)
    if training is not None and training.active:
        window.say("A training is running: this level will be ready in the form when it ends.")
