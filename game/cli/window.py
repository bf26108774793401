"""Without a command the window opens. pygame is imported only then."""

import argparse
from pathlib import Path

from game.cli.errors import CliError
from game.rules.files import open_regular
from game.saves.folder import unusable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the window."""
    parser.add_argument("--scene", metavar="NAME", help="open this screen: menu, sokoban, 2048, connect4 …")
    parser.add_argument("--open", type=Path, metavar="FILE", help="open this file: levels or a replay")
    parser.add_argument("--saves", type=Path, metavar="DIR", help="keep games and settings in this folder")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")


def run(arguments: argparse.Namespace) -> int:
    """Open the window and stay until it is closed."""
    from game.screens import app
    from game.screens.navigation import SCENES

    if arguments.scene is not None and arguments.scene not in SCENES:
        raise CliError(f"there is no screen {arguments.scene!r} (there are: {', '.join(SCENES)})")
    if arguments.open is not None:
        try:
            open_regular(arguments.open).close()
        except OSError as error:
            raise CliError(f"{arguments.open}: {error.strerror or 'it cannot be opened'}") from None
    saves: Path | None = arguments.saves
    reason = None if saves is None else unusable(saves.expanduser())
    if reason is not None:
        raise CliError(f"--saves {saves}: {reason}")
    return app.run(arguments.scene, arguments.open, saves)
