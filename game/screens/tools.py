"""What the app offers besides the games: the table behind the menu's row of small cards."""

from collections.abc import Callable
from dataclasses import dataclass

from game.play.words import counted
from game.screens.context import Context


@dataclass(frozen=True, slots=True)
class Tool:
    """One small card of the menu."""

    scene: str
    """Its name in `game.screens.navigation`."""
    icon: str
    title: str
    subtitle: Callable[[Context], str]
    """What there is, in two or three words; asked each time the menu is shown."""


def _editor(_context: Context) -> str:
    return "draw, check, play"


def _models(_context: Context) -> str:
    from ai import models

    return f"{sum(card.problem is None for card in models.listing()):,} saved"


def _replays(context: Context) -> str:
    count = len(context.library.paths())
    return counted(count, "game")


def _lab(context: Context) -> str:
    from ai import checkpoints

    training = context.jobs.at("lab")
    chip = training.chip if training is not None else None
    if chip is not None and chip.busy:
        return chip.text
    count = len(checkpoints.listing(context.saves.models))
    return f"{count:,} can go on learning" if count else "train agents"


TOOLS: tuple[Tool, ...] = (
    Tool("editor", "edit", "Level editor", _editor),
    Tool("replays", "replay", "Replays", _replays),
    Tool("models", "cube", "Models", _models),
    Tool("lab", "flask", "Lab", _lab),
)
"""From left to right."""
