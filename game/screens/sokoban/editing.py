"""The way from a level to the editor."""

from game.rules.editing import checks
from game.rules.levels import Level
from game.screens.context import Context
from game.screens.navigation import open_scene
from game.ui.scene import Host


def open_in_editor(window: Host, context: Context, level: Level, stem: str = "") -> None:
    """Open a level in the editor; `stem` is the user's own pack that it is in, empty for none."""
    open_scene("editor", window, context, checks.document_of(level, stem))
