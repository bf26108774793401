"""`models [measure MODEL]`: the saved models, and the standard match that measures one."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ai import models, stopping
from ai.models import ModelCard, Strength
from ai.temporary import sweep
from ai.tensors import ModelError
from game.cli.arguments import whole
from game.cli.errors import CliError
from game.cli.measured import measure
from game.cli.output import print_json, say, table
from game.rules.games import GAMES

HELP = "list the saved models, or measure one"
MOST_PLIES = 3
"""Own moves that a measured agent looks ahead at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing, or the model to measure."""
    parser.add_argument("action", nargs="?", choices=["measure"], help="play the standard match, write the result")
    parser.add_argument("model", nargs="?", metavar="MODEL", help="name or file")
    parser.add_argument("--plies", type=whole(1, MOST_PLIES), metavar="N", help="own moves looked ahead (1)")
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
    strength, document, words = measure(arguments, card)
    _write(card, strength)
    if arguments.json:
        print_json({"model": card.name, **document})
    else:
        say(f"{card.name}{words}; written into {card.path.name}")
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


def _write(card: ModelCard, measured: dict[int, Strength]) -> None:
    sweep(card.path.parent)
    try:
        with stopping.held():
            models.write_strength(card.path, measured)
    except ModelError as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"{card.path}: {error.strerror or 'it cannot be written'}") from None


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
    """'2-ply ' in games for points; models of the other games are measured in one way only."""
    return f"{plies}-ply " if game in GAMES and GAMES[game].score is not None else ""


def _points(strength: Strength) -> str:
    """The mean and its error: one decimal where that is not noise."""
    decimals = 1 if strength.stderr < 1 else 0
    return f"{strength.mean:,.{decimals}f} ± {strength.stderr:,.{decimals}f}"


def _form(card: ModelCard) -> dict[str, Any]:
    form = asdict(card)
    form["path"] = str(Path(card.path))
    form["strength"] = {str(plies): each for plies, each in form["strength"].items()}
    return {"name": card.name, **form}
