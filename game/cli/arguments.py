"""The parser and the types of arguments that several commands share; whatever is wrong becomes one `CliError`."""

import argparse
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

from typing_extensions import override

from ai import catalogue
from ai.entries import CatalogueError, Spec
from game.cli.errors import CliError
from game.rules import games
from game.rules.files import read_regular
from game.rules.game import Game

MAX_SEED = 2**63 - 1
MAX_SECONDS = 86_400.0


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line and leaves the way out to `main`."""

    def __init__(self, **options: object) -> None:
        """Options are written in full: an abbreviation that works today may be another option's tomorrow."""
        super().__init__(**{"allow_abbrev": False, **options})  # type: ignore[arg-type]

    @override
    def error(self, message: str) -> NoReturn:
        """Raise CliError; argparse would print the usage, too."""
        raise CliError(message)


def whole(low: int, high: int) -> Callable[[str], int]:
    """An argument type: a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        # A number of thousands of digits is refused by its length: int() would take long or fail.
        number = int(text) if text.removeprefix("-").isdecimal() and len(text) <= 20 else None
        if number is None or not low <= number <= high:
            raise argparse.ArgumentTypeError(f"expected a whole number from {low} to {high}, not {_short(text)}")
        return number

    return parse


def seconds(text: str) -> float:
    """An argument type: a time in seconds, more than 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"expected seconds, more than 0 and at most a day, not {_short(text)}")
    return value


def game(text: str) -> Game[Any]:
    """An argument type: a game, as people write it."""
    try:
        return games.named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def names(some: Iterable[Game[Any]] = games.GAMES.values()) -> str:
    """What games are called here: 'sokoban, 2048 or connect4'."""
    *others, last = (each.name for each in some)
    return f"{', '.join(others)} or {last}" if others else last


def common() -> Parser:
    """What every command takes."""
    parser = Parser(add_help=False)
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.add_argument(
        "--seed", type=whole(0, MAX_SEED), default=0, metavar="N", help="seed of everything random (0)"
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")
    return parser


def add_agent(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """The option --agent, once or once per seat."""
    form = "ID[:MODEL][,NAME=VALUE…]"
    if several:
        parser.add_argument(
            "--agent", action="append", required=True, metavar="A", help=f"{form}; one for each seat", dest="agents"
        )
    else:
        parser.add_argument("--agent", required=True, metavar="A", help=f"{form}, see `agents`")


def add_budget(parser: argparse.ArgumentParser) -> None:
    """The options --time and --nodes; they override the agent's own limits."""
    parser.add_argument("--time", type=seconds, metavar="S", help="seconds for each answer")
    parser.add_argument("--nodes", type=whole(1, 10**12), metavar="N", help="positions for each answer")


def spec(game_id: str, text: str) -> Spec:
    """The agent written as `text`; raises CliError."""
    try:
        return catalogue.parse(game_id, text)
    except CatalogueError as error:
        raise CliError(str(error)) from None


def bounds(name: str) -> tuple[int, int]:
    """The least and the most that any game allows for an option of its set-up."""
    found = [option for each in games.GAMES.values() for option in each.options if option.name == name]
    return min(option.min for option in found), max(option.max for option in found)


def setup(
    game: Game[Any], board: str | None = None, size: int | None = None, players: int | None = None
) -> dict[str, int]:
    """The set-up that the options --board, --size and --players ask for, None where they are not given.

    Raises:
        CliError: an option means nothing in this game, or there is no such board.
    """
    only_for(game, lambda each: each.board_text is not None, board=board)
    only_for(game, lambda each: "size" in each.option_names, size=size)
    only_for(game, lambda each: "players" in each.option_names, players=players)
    try:
        found = dict(game.board_text.parse(board)) if board is not None and game.board_text is not None else {}
        found |= {name: value for name, value in (("size", size), ("players", players)) if value is not None}
        game.options_with(found)
        if not game.levelled:
            game.start(found)
    except ValueError as error:
        raise CliError(f"--board {board}: {error}" if board else str(error)) from None
    return found


def only_for(game: Game[Any], fits: Callable[[Game[Any]], bool], **options: object) -> None:
    """Refuse options (by name, None where not given) that mean nothing in this game; raises CliError."""
    for name, value in options.items():
        if value is not None and not fits(game):
            owners = ", ".join(each.title for each in games.GAMES.values() if fits(each))
            raise CliError(f"--{name.replace('_', '-')} belongs to {owners} only")


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a file of at most `limit` bytes; raises CliError."""
    try:
        return read_regular(path, limit)
    except OSError as error:
        raise CliError(f"{path}: {error.strerror or 'it cannot be read'}") from None


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
