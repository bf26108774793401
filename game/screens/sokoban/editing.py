"""The way from a level to the editor."""

from game.rules.editing import checks
from game.rules.levels import Level
from game.screens.context import Context
from game.ui.scene import Host


def open_in_editor(window: Host, context: Context, level: Level, stem: str = "") -> None:
    """Open a level in the editor; `stem` is the user's own pack that it is in, empty for none."""
    from game.screens.editor.scene import EditorScene  # which itself plays levels on the Sokoban screen

    window.push(EditorScene(window, context, checks.document_of(level, stem)))
