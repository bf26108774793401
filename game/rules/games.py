"""The games of the house, in the order of the menu: the only list of them."""

from typing import Any

from game.rules import connect4, twenty48
from game.rules.game import Game, State
from game.rules.sokoban.game import GAME as SOKOBAN

GAMES: dict[str, Game[Any]] = {
    game.id: game
    for game in (
        SOKOBAN,
        twenty48.GAME,
        connect4.GAME,
    )
}
"""Game id -> game."""

_BY_STATE: dict[type, Game[Any]] = {game.state: game for game in GAMES.values()}


def of(state: State) -> Game[Any]:
    """The game that a position belongs to."""
    return _BY_STATE[type(state)]


def named(text: str) -> Game[Any]:
    """The game that people call `text`: by its id, its name on the command line or its title.

    Raises:
        ValueError: there is none; the message lists what there is.
    """
    wanted = text.lower()
    for game in GAMES.values():
        if wanted in (game.id, game.name, game.title.lower()):
            return game
    raise ValueError(f"there is no game {text!r} ({', '.join(game.name for game in GAMES.values())})")
