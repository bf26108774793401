"""Replays of what a command played or solved, for its option --record."""

from pathlib import Path

from ai import stopping
from ai.temporary import sweep
from game.cli.errors import CliError
from game.rules import replay
from game.saves.files import write_whole


class Recorder:
    """Writes replays into a folder, each file whole."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder; raises CliError where that is impossible."""
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CliError(f"--record {folder}: {error.strerror or 'it is no folder'}") from None
        sweep(folder)

    def keep(self, name: str, game: replay.Replay) -> None:
        """Write one game as `name`.json; raises CliError where that is impossible."""
        path = self._folder / f"{name}.json"
        try:
            with stopping.held():
                write_whole(path, replay.dumps(game).encode())
        except OSError as error:
            raise CliError(f"{path}: {error.strerror or 'it cannot be written'}") from None
