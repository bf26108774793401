"""Replays of what a command played or solved, for its option --record."""

import os
from pathlib import Path

from ai import stopping
from game.cli.errors import CliError
from game.rules import replay


class Recorder:
    """Writes replays into a folder, each file whole."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder; raises CliError where that is impossible."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CliError(f"--record {folder}: {error.strerror or 'it is no folder'}") from None

    def keep(self, name: str, game: replay.Replay) -> None:
        """Write one game as `name`.json; raises CliError where that is impossible."""
        path = self._folder / f"{name}.json"
        temporary = path.with_suffix(".tmp")
        try:
            with stopping.held():
                temporary.write_text(replay.dumps(game), encoding="utf-8")
                os.replace(temporary, path)
        except OSError as error:
            raise CliError(f"{path}: {error.strerror or 'it cannot be written'}") from None
