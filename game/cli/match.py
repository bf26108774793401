"""`match GAME --agent A …`: games without a window, played by the plain rules, so that no agent can cheat."""

import argparse
from pathlib import Path
from typing import Any

from game.cli import match_seats, match_solo
from game.cli.arguments import add_agent, bounds, game, names, only_for, seconds, setup, spec, whole
from game.cli.errors import CliError
from game.cli.recorder import Recorder
from game.rules.game import Game
from game.rules.games import GAMES

HELP = "play games without a window and count"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, who plays, and how much."""
    parser.add_argument("game", type=game, metavar="GAME", help=names(filter(_is_played, GAMES.values())))
    add_agent(parser, several=True)
    parser.add_argument("--games", type=whole(1, 1_000_000), default=10, metavar="N", help="games in all (10)")
    parser.add_argument("--time-per-move", type=seconds, metavar="S", help="overrides the agents' own limits")
    parser.add_argument("--board", metavar="R,C,D,W", help="connect4: rows, columns, depth, win length (6,7,1,4)")
    least, most = bounds("size")
    parser.add_argument("--size", type=whole(least, most), metavar="N", help=f"2048: {least} to {most} (4)")
    parser.add_argument(
        "--openings", type=whole(1, 500), metavar="PLIES", help="connect4: random openings, each from every seat"
    )
    parser.add_argument(
        "--balanced",
        action="store_true",
        help="connect4 for two: openings that a search of 200,000 nodes finds decided are left out",
    )
    parser.add_argument(
        "--keep-seats", action="store_true", help="connect4: the first agent begins every game, and so on"
    )
    parser.add_argument("--record", type=Path, metavar="DIR", help="write every game's replay into this folder")


def run(arguments: argparse.Namespace) -> int:
    """Play and print."""
    game = arguments.game
    if not _is_played(game):
        raise CliError(
            f"a match is played in {names(filter(_is_played, GAMES.values()))}; for {game.title} use solve"
        )
    only_for(game, lambda each: each.board_text is not None, board=arguments.board)
    only_for(
        game,
        _has_seats,
        openings=arguments.openings,
        balanced=arguments.balanced or None,
        keep_seats=arguments.keep_seats or None,
    )
    only_for(game, lambda each: "size" in each.option_names, size=arguments.size)
    specs = [spec(game.id, text) for text in arguments.agents]
    recorder = Recorder(arguments.record) if arguments.record else None
    keep = recorder.keep if recorder else None
    if not _has_seats(game):
        match_solo.run(arguments, game, setup(game, arguments.board, arguments.size), specs, keep)
        return 0
    least, most = game.seats
    if not least <= len(specs) <= most:
        seats = f"{least} to {most}" if least < most else str(most)
        raise CliError(f"{game.name} has {seats} seats: give --agent once for each")
    if arguments.balanced and (len(specs) != least or arguments.openings is None):
        raise CliError("--balanced is for two players and goes with --openings")
    players = len(specs) if "players" in game.option_names else None
    match_seats.run(arguments, game, setup(game, arguments.board, arguments.size, players), specs, keep)
    return 0


def _has_seats(game: Game[Any]) -> bool:
    """Whether several play it."""
    return game.seats[1] > 1


def _is_played(game: Game[Any]) -> bool:
    """Whether a match says who is stronger."""
    return _has_seats(game) or game.score is not None
