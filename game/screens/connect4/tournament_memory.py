"""What the settings remember of the last tournament: its agents, its length, its openings."""

from collections.abc import Container, Sequence
from typing import Any

from ai import catalogue
from ai.entries import CatalogueError, Spec
from game.rules import connect4
from game.rules.connect4 import Shape
from game.screens.connect4.tournament_player import GAME
from game.screens.context import Context

MOST, FIRST = 6, 3
"""Agents at most, and at the first time."""
MEMORY = "connect4/tournament"


def known(context: Context, name: str, choices: Container[Any], default: Any) -> Any:
    """A number as it was last set; `default` where it is none of the choices."""
    found = context.settings.remembered.get(f"{MEMORY}/{name}", default)
    return found if found in choices and not isinstance(found, bool) else default


def entrants(context: Context, shape: Shape) -> list[Spec]:
    """The agents of the last tournament, else the first ones that play on a board of that shape."""
    found = []
    for number in range(MOST):
        kept = context.settings.remembered.get(f"{MEMORY}/{number}")
        if isinstance(kept, str) and kept:
            try:
                found.append(catalogue.parse(GAME, kept))
            except CatalogueError:
                continue
    if len(found) < 2:
        state = connect4.start(shape)
        able = [catalogue.default_spec(GAME, entry.id, state) for entry in catalogue.entries(GAME)]
        found = [spec for spec in able if catalogue.why_not(GAME, spec, state) is None][:FIRST]
    while len(found) < max(2, shape.players):
        found.append(found[0])
    return found


def keep(context: Context, specs: Sequence[Spec]) -> None:
    """Remember the agents."""
    for number in range(MOST):
        text = str(specs[number]) if number < len(specs) else ""
        if context.settings.remembered.get(f"{MEMORY}/{number}", "") != text:
            context.remember(f"{MEMORY}/{number}", text)
