"""Shows a folder in the system's own file manager."""

import subprocess
import sys
from functools import partial
from pathlib import Path

from game.ui.reading import Unreadable
from game.ui.scene import Host

PROGRAMS = {"darwin": "open", "win32": "explorer"}
"""System -> what shows a folder; everywhere else xdg-open."""
SECONDS = 3.0
"""A program that is still at work after so long has the folder on the screen."""


def open_folder(window: Host, folder: Path) -> None:
    """Show a folder, soon; where that is not possible, say so and where it is."""
    window.read(f"Opening {folder.name}", partial(_show, folder), lambda _done: None)


def _show(folder: Path) -> None:
    program = PROGRAMS.get(sys.platform, "xdg-open")
    failed = Unreadable(f"The folder cannot be opened from here. It is {folder}.")
    try:
        process = subprocess.Popen(
            [program, str(folder)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        raise failed from None
    try:
        code = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return
    if code and sys.platform != "win32":  # explorer answers 1 also where all went well
        raise failed
