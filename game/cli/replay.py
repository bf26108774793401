"""`replay FILE`: checks a replay step by step against the rules, and prints it."""

import argparse
import textwrap
from pathlib import Path
from typing import Any

from ai.catalogue import GAMES
from game.cli.boards import State, draw, label
from game.cli.errors import CliError
from game.cli.output import print_json
from game.rules import connect4, sokoban
from game.rules import replay as replays
from game.rules.replay import Replay, ReplayError

HELP = "check a replay and print it"
_WIDTH = 96


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a replay (JSON)")


def run(arguments: argparse.Namespace) -> int:
    """Check and print; raises CliError at the first step that cannot be played."""
    try:
        game = replays.read(arguments.file)
        states = replays.states(game, str(arguments.file))
        result = replays.result_of(game)
    except ReplayError as error:
        raise CliError(str(error)) from None
    wrong = [key for key, said in game.result.items() if key in result and result[key] != said]
    if wrong:
        key = wrong[0]
        raise CliError(f"{arguments.file}: its result says {key} {game.result[key]}, its steps end in {result[key]}")
    moves = _moves(game, states)
    if arguments.json:
        print_json(_document(str(arguments.file), game, result, moves))
    else:
        _print(game, states[-1], result, moves)
    return 0


def _moves(game: Replay, states: list[State]) -> str:
    """All actions in one text, as people write them."""
    first, actions = states[0], tuple(step.action for step in game.steps)
    if isinstance(first, sokoban.State):
        return sokoban.to_lurd(first, actions)
    labels = [label(first, action) for action in actions]
    flat = isinstance(first, connect4.State) and first.shape.depth == 1
    return ("" if flat else " ").join(labels)


def _document(source: str, game: Replay, result: dict[str, Any], moves: str) -> dict[str, Any]:
    return {
        "file": source,
        "game": game.game,
        "title": game.title,
        "started": game.started,
        "seconds": game.seconds,
        "seed": game.seed,
        "seats": list(game.seats),
        "setup": game.setup,
        "steps": len(game.steps),
        "moves": moves,
        "result": result,
        "valid": True,
    }


def _print(game: Replay, last: State, result: dict[str, Any], moves: str) -> None:
    title = f" · {game.title}" if game.title else ""
    print(f"{GAMES[game.game]}{title}")
    print(f"played   {game.started}, {game.seconds:.0f} s, seed {game.seed}")
    print(f"seats    {', '.join(game.seats)}")
    print(f"steps    {len(game.steps)}, all legal")
    shown = {**result, "winner": f"seat {result['winner'] + 1}"} if result.get("winner") is not None else result
    print(
        "result   " + ", ".join(f"{key.replace('_', ' ')} {said}" for key, said in shown.items() if said is not None)
    )
    print(f"\n{draw(last)}\n")
    print(textwrap.fill(moves, _WIDTH))
