"""Positions that the command line is given: as text, or a file of them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from game.cli.arguments import read_bytes
from game.cli.errors import CliError
from game.rules import levels
from game.rules.game import Game, State
from game.rules.levels import Level, LevelError
from game.saves import level_forms

Told = Callable[[str, Mapping[str, Any]], tuple[str, int | None]]
"""Parts a line of a file, on a board of that set-up, into a position and the score that stands behind it, if any."""


def position(game: Game[Any], text: str, setup: Mapping[str, Any], seed: int) -> State:
    """The position written as `text`; raises CliError.

    In a game of levels it may be the name of a file as well (its first level).
    """
    try:
        if game.levelled and "#" not in text:
            path = Path(text)
            return _levels(read_bytes(path, level_forms.MAX_BYTES), path.name)[0].state
        return game.position(text, setup, seed)
    except ValueError as error:
        raise CliError(f"the position cannot be read: {error}") from None


def positions(
    game: Game[Any], path: Path, setup: Mapping[str, Any], seed: int, told: Told = lambda line, setup: (line, None)
) -> list[tuple[State, int | None]]:
    """Every position of a file, a level or a line each, with the score that `told` finds behind it; raises CliError."""
    data = read_bytes(path, levels.MAX_BYTES)
    if game.levelled:
        try:
            return [(level.state, None) for level in _levels(data, path.name)]
        except LevelError as error:
            raise CliError(str(error)) from None
    found: list[tuple[State, int | None]] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        text, score = told(line, setup)
        try:
            found.append((position(game, text, setup, seed), score))
        except CliError as error:
            raise CliError(f"{path}:{number}: {error}") from None
    if not found:
        raise CliError(f"{path}: there is no position in it")
    return found


def _levels(data: bytes, source: str) -> tuple[Level, ...]:
    """The levels of a file of any form; raises LevelError for the first that is none."""
    pack, boards = level_forms.boards(data, source)
    for board in boards:
        if isinstance(board, LevelError):
            raise board
    return pack.levels
