"""Finds a game's screens by convention: `game.screens.ID.screen` has `SCENE`, `game.screens.ID.demo` has `DEMO`."""

import importlib
from typing import cast

from game.screens.context import Context
from game.screens.demo import Demo
from game.ui.scene import Host, Scene
from game.ui.theme import Theme


def game_scene(game: str, window: Host, context: Context) -> Scene:
    """The screen of a game of the catalogue."""
    scene = importlib.import_module(f"game.screens.{game}.screen").SCENE
    return cast(Scene, scene(window, context))


def demo(game: str, context: Context, theme: Theme, animated: bool) -> Demo:
    """The live board of a game's menu card."""
    made = importlib.import_module(f"game.screens.{game}.demo").DEMO
    return cast(Demo, made(context, theme, animated))
