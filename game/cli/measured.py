"""What the standard match of a model found: what is written into its file, and what is said of it.

`game.cli.GAME.measure` has `measure(arguments, card)` for the games whose models can be measured.
"""

import argparse
import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any, cast

from ai.models import ModelCard, Strength


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of one match."""

    strength: dict[int, Strength]
    """By plies looked ahead."""
    document: dict[str, Any]
    """The JSON form, without the model's name."""
    words: str
    """One line for people."""


def measure(arguments: argparse.Namespace, card: ModelCard) -> Measured:
    """Play the standard match of a model; raises CliError."""
    return cast(Measured, importlib.import_module(f"game.cli.{card.game}.measure").measure(arguments, card))
