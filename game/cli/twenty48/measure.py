"""The standard match of a model of 2048: so many games of the seeds from --seed on."""

from dataclasses import replace
from functools import partial

from ai import catalogue
from ai.entries import CatalogueError, Spec
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.match_solo import play_games
from game.cli.measured import Match, Played
from game.cli.output import Bar
from game.play.asking import check_plays
from game.play.twenty48.sizes import size_for
from game.rules.twenty48 import GAME

STANDARD_GAMES = {1: 1000, 2: 200, 3: 100}
"""Plies -> games of the standard match."""


def match(card: ModelCard, plies: int | None) -> Match:
    """That of one model; raises CliError."""
    plies = plies or 1
    try:
        spec = catalogue.entry(card.game, card.agent).looking(plies, str(card.path))
    except CatalogueError as error:
        raise CliError(str(error)) from None
    size = size_for(card)
    if size is None:
        raise CliError(f"{card.path}: it is for boards of {card.board[:20]}, which no game of 2048 has")
    check_plays(card.game, spec, GAME.start({"size": size}))
    return Match(STANDARD_GAMES[plies], partial(_play, card.name, spec, size, plies), plies=plies)


def _play(name: str, spec: Spec, size: int, plies: int, games: int, seed: int, shown: Bar) -> Played:
    tally = play_games(GAME, {"size": size}, spec, games, shown, seed)
    tally.agent = str(replace(spec, model=name))
    found = tally.summary()
    return Played(
        Strength(found["mean"], found["stderr"], games),
        {"plies": plies, "seed": seed, **found},
        f" at {plies}-ply: {found['mean']:,.0f} ± {found['stderr']:,.0f} over {found['games']:,} games, "
        f"{found['moves_per_second']:,.0f} moves/s",
    )
