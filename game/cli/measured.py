"""The standard match of a model: what is played, and what it found. `game.cli.GAME.measure` has `match(card, plies)`."""

import argparse
import importlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ai import kernels
from ai.models import ModelCard, Strength
from game.cli.output import Bar, bar, notice
from game.play.asking import load_kernels


@dataclass(frozen=True, slots=True)
class Played:
    """What a match found."""

    strength: Strength
    document: dict[str, Any]
    """The JSON form, without the model's name and the seconds."""
    words: str
    """One line for people."""


@dataclass(frozen=True, slots=True)
class Match:
    """The standard match of one model."""

    games: int
    """How many are played where nothing is said."""
    play: Callable[[int, int, Bar], Played]
    """Plays so many games with this seed, before a bar; the kernels are loaded. Raises CliError."""
    unit: str = "game"
    plies: int = 1
    """Own moves that are looked ahead."""


def measure(arguments: argparse.Namespace, card: ModelCard) -> tuple[dict[int, Strength], dict[str, Any], str]:
    """Play the standard match of a model.

    Returns:
        Its strength by plies, the JSON form, and a line for people.

    Raises:
        CliError: there is no such match of this model, or it cannot play.
    """
    match: Match = importlib.import_module(f"game.cli.{card.game}.measure").match(card, arguments.plies)
    games = arguments.games or match.games
    load_kernels(kernels.units(card.game), notice)
    began = time.perf_counter()
    with bar(games, "measuring", match.unit) as shown:
        found = match.play(games, arguments.seed, shown)
    seconds = round(time.perf_counter() - began, 3)
    return (
        {match.plies: found.strength},
        {"seconds": seconds, **found.document, **asdict(found.strength)},
        found.words,
    )
