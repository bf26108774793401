"""`models [measure MODEL]`: the saved models, and the standard match that measures one."""

import argparse
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ai import catalogue, models, stopping
from ai.entries import CatalogueError
from ai.models import ModelCard, Strength
from ai.temporary import sweep
from ai.tensors import ModelError
from game.cli.arguments import whole
from game.cli.connect4 import measure
from game.cli.errors import CliError
from game.cli.match_solo import Tally, play_games
from game.cli.output import bar, notice, print_json, say, table
from game.cli.sokoban import measure_dqn, measure_policy
from game.play.asking import check_plays, load_kernels
from game.play.twenty48.sizes import size_for
from game.rules import twenty48
from game.rules.games import GAMES

HELP = "list the saved models, or measure one"
STANDARD_GAMES = {1: 1000, 2: 200, 3: 100}
"""Plies -> games of the standard match."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing, or the model to measure."""
    parser.add_argument("action", nargs="?", choices=["measure"], help="play the standard match, write the result")
    parser.add_argument("model", nargs="?", metavar="MODEL", help="name or file")
    parser.add_argument("--plies", type=whole(1, max(STANDARD_GAMES)), metavar="N", help="own moves looked ahead (1)")
    parser.add_argument(
        "--games",
        type=whole(2, 1_000_000),
        metavar="N",
        help="games (1000, 200, 100 by plies); rooms of Sokoban (1000)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or measure."""
    if arguments.action is None:
        if arguments.plies is not None or arguments.games is not None:
            raise CliError("--plies and --games belong to: models measure MODEL")
        _list(arguments)
        return 0
    if arguments.model is None:
        raise CliError("say which model to measure: models measure MODEL")
    card = _found(arguments.model)
    {"connect4": _measure_connect4, "sokoban": _measure_sokoban}.get(card.game, _measure)(arguments, card)
    return 0


def _found(name: str) -> ModelCard:
    """The card of the model people call `name`; raises CliError where it cannot be measured."""
    path = models.find(name)
    if path is None:
        known = ", ".join(card.name for card in models.listing()) or "none"
        raise CliError(f"there is no model {name!r} (there are: {known})")
    card = models.card(path)
    if card.problem is not None:
        raise CliError(f"{path}: {card.problem}")
    return card


def _measure(arguments: argparse.Namespace, card: ModelCard) -> None:
    plies = arguments.plies or 1
    games = arguments.games or STANDARD_GAMES[plies]
    try:
        spec = catalogue.entry(card.game, card.agent).looking(plies, str(card.path))
    except CatalogueError as error:
        raise CliError(str(error)) from None
    size = size_for(card)
    if size is None:
        raise CliError(f"{card.path}: it is for boards of {card.board[:20]}, which no game of 2048 has")
    check_plays(card.game, spec, twenty48.start(size))
    load_kernels(card.game, tell=notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        tally = play_games(spec, games, shown, size, arguments.seed)
    found = tally.summary()
    _write(card, {plies: Strength(found["mean"], found["stderr"], games)})
    tally.agent = str(replace(spec, model=card.name))
    _print(arguments, card, plies, tally, time.perf_counter() - began)


def _measure_connect4(arguments: argparse.Namespace, card: ModelCard) -> None:
    if arguments.plies not in (None, 1):
        raise CliError("models of connect-4 are measured without looking ahead: leave --plies out")
    games = arguments.games or measure.GAMES
    load_kernels(card.game, tell=notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        found = measure.measure(card, games, shown, arguments.seed)
    _write(card, {1: found})
    if arguments.json:
        document = {"model": card.name, "seed": arguments.seed, "seconds": round(time.perf_counter() - began, 3)}
        print_json({**document, "opponent": measure.OPPONENT, **asdict(found)})
        return
    say(
        f"{card.name}: {found.mean:.1f} ± {found.stderr:.1f} % of the points over {found.games:,} games against "
        f"{measure.OPPONENT}; written into {card.path.name}"
    )


def _measure_dqn(arguments: argparse.Namespace, card: ModelCard) -> None:
    games = arguments.games or measure_dqn.GAMES
    load_kernels(card.game, tell=notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        found, moves, kind = measure_dqn.measure(card, games, shown, arguments.seed)
    _write(card, {1: found})
    if arguments.json:
        document = {"model": card.name, "seed": arguments.seed, "seconds": round(time.perf_counter() - began, 3)}
        print_json({**document, "played": kind, "moves": moves, **asdict(found)})
        return
    start = "" if moves is None else f"the start in {moves} moves; "
    say(
        f"{card.name}: {start}{found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} games solved greedily ({kind}); "
        f"written into {card.path.name}"
    )


def _measure_sokoban(arguments: argparse.Namespace, card: ModelCard) -> None:
    if arguments.plies is not None:
        raise CliError("models of Sokoban are measured without any search: leave --plies out")
    if card.agent == "dqn":
        _measure_dqn(arguments, card)
        return
    if card.agent not in measure_policy.AGENTS:
        raise CliError(
            f"{card.path}: of Sokoban's models only those of {', '.join(measure_policy.AGENTS)} are measured"
        )
    rooms = arguments.games or measure_policy.ROOMS
    load_kernels(card.game, tell=notice)
    began = time.perf_counter()
    with bar(rooms, "measuring", "room") as shown:
        found = measure_policy.measure(card, rooms, shown)
    _write(card, {1: found})
    if arguments.json:
        document = {"model": card.name, "seconds": round(time.perf_counter() - began, 3)}
        print_json({**document, "rooms": measure_policy.KIND, **asdict(found)})
        return
    say(
        f"{card.name}: {found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} rooms solved without search "
        f"({measure_policy.KIND}); written into {card.path.name}"
    )


def _write(card: ModelCard, measured: dict[int, Strength]) -> None:
    sweep(card.path.parent)
    try:
        with stopping.held():
            models.write_strength(card.path, measured)
    except ModelError as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"{card.path}: {error.strerror or 'it cannot be written'}") from None


def _print(arguments: argparse.Namespace, card: ModelCard, plies: int, tally: Tally, spent: float) -> None:
    found = tally.summary()
    if arguments.json:
        print_json({"model": card.name, "plies": plies, "seed": arguments.seed, "seconds": round(spent, 3), **found})
        return
    say(
        f"{card.name} at {plies}-ply: {found['mean']:,.0f} ± {found['stderr']:,.0f} over {found['games']:,} games, "
        f"{found['moves_per_second']:,.0f} moves/s; written into {card.path.name}"
    )


def _list(arguments: argparse.Namespace) -> None:
    cards = models.listing()
    if arguments.json:
        print_json({"models": [_form(card) for card in cards]})
        return
    rows: list[tuple[Any, ...]] = [
        (
            card.name,
            card.problem
            or f"{card.agent}, {GAMES[card.game].title if card.game in GAMES else card.game} {card.board}",
            "; ".join(f"{_plies(card.game, ply)}{_points(each)}" for ply, each in card.strength.items()),
            card.games,
            card.seconds,
            card.date[:10],
            f"{card.size / 1e6:.2f} MB",
        )
        for card in cards
    ]
    say(table(("model", "for", "strength", "games", "seconds", "date", "size"), rows, left=(0, 1, 2)))


def _plies(game: str, plies: int) -> str:
    """'2-ply ' of 2048; networks of the other games are measured in one way only."""
    return f"{plies}-ply " if game == "twenty48" else ""


def _points(strength: Strength) -> str:
    """The mean and its error: one decimal where that is not noise."""
    decimals = 1 if strength.stderr < 1 else 0
    return f"{strength.mean:,.{decimals}f} ± {strength.stderr:,.{decimals}f}"


def _form(card: ModelCard) -> dict[str, Any]:
    form = asdict(card)
    form["path"] = str(Path(card.path))
    form["strength"] = {str(plies): each for plies, each in form["strength"].items()}
    return {"name": card.name, **form}
