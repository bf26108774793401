"""Finds a game's screens by convention: `game.screens.ID.screen` has `SCENE`, `game.screens.ID.demo` has `DEMO`.

A game whose models have a short test has it in `game.screens.ID.short_test`, with the names of `ShortTest`; what it takes
from the clipboard is told by `game.screens.ID.pasting`, with the names of `Pasting`.
"""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from ai.entries import Spec
from ai.models import ModelCard
from game.rules.games import GAMES
from game.screens.context import Context
from game.screens.demo import Demo
from game.ui.scene import Host, Scene
from game.ui.theme import Theme


class ShortTest(Protocol):
    """How models of a game are tested in a minute or two."""

    GAMES: Mapping[int, int]
    """Plies -> games that are played."""

    def refusal(self, card: ModelCard) -> str | None:
        """Why a model of the game cannot be tested, in one sentence, or None when it can."""

    def command(self, card: ModelCard, spec: Spec, games: int) -> list[str]:
        """The command of a process that says each game as a line of JSON, with its `score`."""

    def reached(self, games: Sequence[Mapping[str, Any]]) -> str:
        """What the best of them came to, in a few words."""


class Pasting(Protocol):
    """What a game takes from the clipboard."""

    COMMANDS: Sequence[str]
    """Given to the game's screen one after the other, they show what is on the clipboard."""

    def reads(self, text: str) -> bool:
        """Whether the text means something in this game."""


def game_scene(game: str, window: Host, context: Context) -> Scene:
    """The screen of a game of the catalogue."""
    scene = importlib.import_module(f"game.screens.{game}.screen").SCENE
    return cast(Scene, scene(window, context))


def demo(game: str, context: Context, theme: Theme, animated: bool) -> Demo:
    """The live board of a game's menu card."""
    made = importlib.import_module(f"game.screens.{game}.demo").DEMO
    return cast(Demo, made(context, theme, animated))


def pasting(game: str) -> Pasting | None:
    """What a game takes from the clipboard; None where it takes nothing."""
    name = f"game.screens.{game}.pasting"
    known = importlib.util.find_spec(name) is not None
    return cast(Pasting, importlib.import_module(name)) if known else None


def short_test(game: str) -> ShortTest | None:
    """The short test of a game's models; None where it has none."""
    name = f"game.screens.{game}.short_test"
    known = game in GAMES and importlib.util.find_spec(name) is not None
    return cast(ShortTest, importlib.import_module(name)) if known else None
