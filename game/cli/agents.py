"""`agents [GAME]`: the catalogue, for people or as JSON."""

import argparse
from typing import Any

from ai import catalogue
from ai.entries import Entry, Parameter
from game.cli.arguments import game, names
from game.cli.output import padded_to, print_json, say, table, terminal, wrapped
from game.rules.games import GAMES

_INDENT = "    "
_ID = max(len(entry.id) for name in GAMES for entry in catalogue.entries(name))
HELP = "list the agents, their parameters and the models that fit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One game, or all."""
    parser.add_argument("game", nargs="?", type=game, metavar="GAME", help=names())


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    wanted = [arguments.game.id] if arguments.game else list(GAMES)
    found = [entry for name in wanted for entry in catalogue.entries(name)]
    if arguments.json:
        print_json({"agents": [_entry(entry) for entry in found]})
        return 0
    for number, name in enumerate(wanted):
        say(("\n" if number else "") + GAMES[name].title)
        for entry in catalogue.entries(name):
            width = terminal()
            room = None if width is None else width - len(_INDENT)
            said = f"{padded_to(entry.id, _ID)}  {entry.title}. {entry.summary}"
            say("\n  " + "\n    ".join([said] if room is None else wrapped(said, room)))
            if entry.parameters:
                rows = [(each.name, each.describe(), _default(each), each.help) for each in entry.parameters]
                lines = table(("parameter", "value", "default", "meaning"), rows, left=(0, 1, 3), width=room)
                say("\n".join(f"{_INDENT}{line}" for line in lines.splitlines()))
            if entry.takes_model:
                names = ", ".join(card.name for card in catalogue.model_cards(entry)) or "none"
                said = f"models{'' if entry.needs_model else ', if wanted'}: {names}"
                say(_INDENT + f"\n{_INDENT}  ".join([said] if room is None else wrapped(said, room - 2)))
    return 0


def _default(parameter: Parameter) -> str:
    value = parameter.default
    return f"{value:,.12g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value).lower()


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "game": entry.game,
        "title": entry.title,
        "summary": entry.summary,
        "parameters": [_parameter(parameter) for parameter in entry.parameters],
        "needs_model": entry.needs_model,
        "models": [card.name for card in catalogue.model_cards(entry)] if entry.takes_model else [],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "type": parameter.type,
        "default": parameter.default,
        "min": parameter.min,
        "max": parameter.max,
        "choices": list(parameter.choices),
        "help": parameter.help,
    }
