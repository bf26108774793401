"""From one screen to another by name, so that no screen has to import those that lead back to it."""

import importlib
from collections.abc import Callable
from typing import Any, cast

from game.rules import games
from game.rules.games import GAMES
from game.screens.context import Context
from game.screens.games import game_scene
from game.ui.scene import Host, Scene

CLASSES: dict[str, str] = {
    "menu": "game.screens.menu:MenuScene",
    "settings": "game.screens.settings:SettingsScene",
    "editor": "game.screens.editor.scene:EditorScene",
    "replays": "game.screens.replays.library:LibraryScene",
    "models": "game.screens.models.screen:ModelsScene",
    "lab": "game.screens.lab.scene:LabScene",
    "theatre": "game.screens.replays.theatre:TheatreScene",
}
"""Name -> module and class of a screen that is no game's; it is imported when it is opened first."""
SCENES = ("menu", "settings", *(game.name for game in GAMES.values()), "editor", "replays", "models", "lab")
"""The screens that need nothing but window and context: what `--scene` takes."""


def make_scene(name: str, window: Host, context: Context, *more: object) -> Scene:
    """The screen of that name, one of `SCENES`, or one of `CLASSES` with what `more` it takes."""
    if name not in CLASSES:
        return game_scene(games.named(name).id, window, context)
    return cast(Scene, _class(name)(window, context, *more))


def open_scene(name: str, window: Host, context: Context, *more: object) -> None:
    """Show a new screen over the present one."""
    window.push(make_scene(name, window, context, *more))


def show(name: str, window: Host, context: Context) -> Any:
    """The screen of that name in front: the one that is open already, else a new one. Two would save over each other."""
    kind = _class(name)
    there = in_front(window, lambda scene: isinstance(scene, kind))
    if there is None:
        open_scene(name, window, context)
    return there or window.top


def in_front(window: Host, fits: Callable[[Scene], bool]) -> Scene | None:
    """Close what covers the first screen that fits; None where none does."""
    for scene in window.scenes:
        if fits(scene):
            while window.top is not scene:
                window.pop()
            return scene
    return None


def _class(name: str) -> type[Any]:
    module, _, kind = CLASSES[name].partition(":")
    return cast(type[Any], getattr(importlib.import_module(module), kind))
