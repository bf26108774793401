"""`match GAME --agent A …`: games without a window, played by the plain rules, so that no agent can cheat."""

import argparse
from pathlib import Path

from game.cli import match_seats, match_solo
from game.cli.arguments import add_agent, game, only_for, seconds, shape, spec, whole
from game.cli.errors import CliError
from game.cli.recorder import Recorder
from game.rules.connect4 import MAX_PLAYERS, MIN_PLAYERS
from game.rules.twenty48 import MAX_SIZE, MIN_SIZE

HELP = "play games without a window and count"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, who plays, and how much."""
    parser.add_argument("game", type=game, metavar="GAME", help="2048 or connect4")
    add_agent(parser, several=True)
    parser.add_argument("--games", type=whole(1, 1_000_000), default=10, metavar="N", help="games in all (10)")
    parser.add_argument("--time-per-move", type=seconds, metavar="S", help="overrides the agents' own limits")
    parser.add_argument("--board", metavar="R,C,D,W", help="connect4: rows, columns, depth, win length (6,7,1,4)")
    parser.add_argument(
        "--size", type=whole(MIN_SIZE, MAX_SIZE), metavar="N", help=f"2048: {MIN_SIZE} to {MAX_SIZE} (4)"
    )
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
    if arguments.game == "sokoban":
        raise CliError("a match is played in 2048 or connect4; for Sokoban use solve")
    only_for("connect4", arguments.game, board=arguments.board, openings=arguments.openings)
    only_for("connect4", arguments.game, balanced=arguments.balanced or None, keep_seats=arguments.keep_seats or None)
    only_for("twenty48", arguments.game, size=arguments.size)
    specs = [spec(arguments.game, text) for text in arguments.agents]
    recorder = Recorder(arguments.record) if arguments.record else None
    keep = recorder.keep if recorder else None
    if arguments.game == "twenty48":
        match_solo.run(arguments, specs, keep)
        return 0
    if not MIN_PLAYERS <= len(specs) <= MAX_PLAYERS:
        raise CliError(f"connect4 has {MIN_PLAYERS} to {MAX_PLAYERS} seats: give --agent once for each")
    if arguments.balanced and (len(specs) != MIN_PLAYERS or arguments.openings is None):
        raise CliError("--balanced is for two players and goes with --openings")
    match_seats.run(arguments, specs, shape(arguments.board, len(specs)), keep)
    return 0
