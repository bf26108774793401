"""`replay FILE`: checks a replay step by step against the rules, prints it, or makes a picture or video of it."""

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ai import stopping
from game.cli.arguments import seconds as positive
from game.cli.arguments import whole
from game.cli.errors import CliError, Stopped
from game.cli.output import bar, one_line, print_json, say
from game.rules import games
from game.rules import replay as replays
from game.rules.game import State
from game.rules.games import GAMES
from game.rules.replay import Replay, ReplayError

HELP = "check a replay, print it, or export it"
_WIDTH = 96
_OPTIONS = ("size", "speed", "move", "pictures", "light", "plain", "progress")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and what to make of it."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a replay (JSON)")
    parser.add_argument("--export", type=Path, metavar="OUT", help="write OUT.gif, .mp4, .png or, for Sokoban, .lurd")
    parser.add_argument("--size", type=whole(96, 2160), metavar="PX", help="the longer side (480, 720, 960)")
    parser.add_argument(
        "--speed", type=positive, metavar="S", help="moves a second (5); a long game is played faster"
    )
    parser.add_argument(
        "--move", type=whole(0, replays.MAX_STEPS), metavar="N", help="png: after so many moves (all)"
    )
    parser.add_argument("--pictures", type=whole(2, 100), metavar="N", help="png: so many positions on one sheet")
    parser.add_argument("--light", action="store_true", help="in the light theme")
    parser.add_argument("--plain", action="store_true", help="without the line of words below")
    parser.add_argument("--progress", action="store_true", help="say how far it is in JSON lines on standard error")


def run(arguments: argparse.Namespace) -> int:
    """Check and print or export; raises CliError at the first step that cannot be played."""
    try:
        game = replays.read(arguments.file)
        *_, last = replays.play(game, str(arguments.file))
        result = replays.result_of(game)
    except ReplayError as error:
        raise CliError(str(error)) from None
    wrong = [key for key, said in game.result.items() if key in result and result[key] != said]
    if wrong:
        key = wrong[0]
        raise CliError(f"{arguments.file}: its result says {key} {game.result[key]}, its steps end in {result[key]}")
    made = _export(arguments, game)
    moves = games.of(last).words(replays.initial(game), [step.action for step in game.steps])
    if arguments.json:
        print_json({**_document(str(arguments.file), game, result, moves), **made})
    elif made:
        said = made["export"]
        frames = f", {said['frames']} frames in {said['seconds']:.1f} s" if said["seconds"] else ""
        say(f"{said['file']}: {said['bytes']:,} bytes{frames}")
    else:
        _print(game, last, result, moves)
    return 0


def _export(arguments: argparse.Namespace, game: Replay) -> dict[str, Any]:
    """Make the picture or video that is asked for; raises CliError."""
    path: Path | None = arguments.export
    if path is None:
        for option in _OPTIONS:
            if getattr(arguments, option):
                raise CliError(f"--{option} belongs to --export")
        return {}
    from game.screens.replays.export import KINDS, ExportError, Request, export, kind_of
    from game.screens.replays.positions import Positions

    kind = kind_of(path)
    if kind is None:
        raise CliError(f"--export {path}: the ending must be one of {', '.join('.' + known for known in KINDS)}")
    if os.path.isdir(path):
        raise CliError(f"--export {path}: that is a folder")
    if arguments.move is not None and arguments.move > len(game.steps):
        raise CliError(f"--move {arguments.move}: the game has {len(game.steps)} moves")
    if kind != "png" and (arguments.move is not None or arguments.pictures):
        raise CliError("--move and --pictures belong to .png")
    request = Request(kind, arguments.size or 0, arguments.speed or 0.0, "light" if arguments.light else "dark",
                not arguments.plain, arguments.move, arguments.pictures or 1)  # fmt: skip
    positions = Positions(game)
    positions.build()
    try:
        with bar(1, "drawing", "frame") as shown, stopping.politely():
            made = export(positions, request, path, _obeying(_lines() if arguments.progress else _onto(shown)))
    except ExportError as error:
        raise CliError(str(error)) from None
    return {
        "export": {
            "file": str(path), "kind": kind, "width": made.width, "height": made.height, "frames": made.frames,
            "seconds": round(made.seconds, 3), "moves_per_second": round(made.speed, 3), "bytes": made.size,
        }
    }  # fmt: skip


def _obeying(told: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Progress, and after every step a look whether to end: nothing half written stays."""

    def hear(done: int, of: int) -> None:
        if stopping.received():
            raise Stopped
        told(done, of)

    return hear


def _onto(shown: Any) -> Callable[[int, int], None]:
    """Progress for people."""

    def told(done: int, of: int) -> None:
        shown.total = of
        shown.update(done - shown.n)

    return told


def _lines() -> Callable[[int, int], None]:
    """Progress for programs: a line for each hundredth of the way."""
    said = -1

    def told(done: int, of: int) -> None:
        nonlocal said
        share = done * 100 // of
        if share != said:
            said = share
            print(json.dumps({"done": done, "of": of}), file=sys.stderr, flush=True)

    return told


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
    title = f" · {one_line(game.title)}" if game.title else ""
    say(f"{GAMES[game.game].title}{title}")
    say(f"played   {one_line(game.started)}, {game.seconds:.0f} s, seed {game.seed}")
    say(f"seats    {', '.join(map(one_line, game.seats))}")
    say(f"steps    {len(game.steps)}, all legal")
    shown = {**result, "winner": f"seat {result['winner'] + 1}"} if result.get("winner") is not None else result
    say("result   " + ", ".join(f"{key.replace('_', ' ')} {said}" for key, said in shown.items() if said is not None))
    say(f"\n{games.of(last).draw(last)}\n")
    say(textwrap.fill(moves, _WIDTH))
