"""Tables of results for the clipboard, and as files for a spreadsheet."""

import time
from collections.abc import Callable
from pathlib import Path

from game.play.words import counted
from game.saves.files import write_whole
from game.screens.context import Context
from game.ui import clipboard
from game.ui.file_dialog import FileDialog
from game.ui.scene import Host


def put(window: Host, words: str, said: str) -> None:
    """A text on the clipboard, and what people are told then."""
    try:
        clipboard.write(words)
    except ValueError as error:
        window.say(f"This cannot be copied: {error}.", "bad")
    else:
        window.say(said, "good")


def copy(window: Host, games: int, table: Callable[[], str]) -> None:
    """The table of so many games as text."""
    if games:
        put(window, table(), f"The table of {counted(games, 'game')} is on the clipboard.")
    else:
        window.say("No game has ended yet.")


def save(window: Host, context: Context, name: str, games: int, table: Callable[[], str]) -> None:
    """The same as a file that people choose; `name` is the beginning of the name it is offered."""
    if not games:
        window.say("No game has ended yet.")
        return

    def write(path: Path) -> None:
        path = path.with_suffix(".csv")
        try:
            write_whole(path, table().encode())
        except OSError as error:
            window.say(f"{path.name} could not be saved: {error.strerror or error}.", "bad")
        else:
            window.say(f"Saved as {path.name}.", "good")

    folder = context.saves.root / "exports" if context.saves.writable else Path.home()
    offered = f"{name}-{games}-games-{time.strftime('%Y%m%d-%H%M')}.csv"
    window.push(FileDialog(window, "Save as", folder, (".csv",), write, offered))
