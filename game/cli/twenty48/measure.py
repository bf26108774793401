"""The standard match of a model of 2048: so many games of the seeds from --seed on."""

import argparse
import time
from dataclasses import replace

from ai import catalogue, kernels
from ai.entries import CatalogueError
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.match_solo import play_games
from game.cli.measured import Measured
from game.cli.output import bar, notice
from game.play.asking import check_plays, load_kernels
from game.play.twenty48.sizes import size_for
from game.rules.twenty48 import GAME

STANDARD_GAMES = {1: 1000, 2: 200, 3: 100}
"""Plies -> games of the standard match."""


def measure(arguments: argparse.Namespace, card: ModelCard) -> Measured:
    """Play the match; raises CliError."""
    plies = arguments.plies or 1
    games = arguments.games or STANDARD_GAMES[plies]
    try:
        spec = catalogue.entry(card.game, card.agent).looking(plies, str(card.path))
    except CatalogueError as error:
        raise CliError(str(error)) from None
    size = size_for(card)
    if size is None:
        raise CliError(f"{card.path}: it is for boards of {card.board[:20]}, which no game of 2048 has")
    check_plays(card.game, spec, GAME.start({"size": size}))
    load_kernels(kernels.needed(card.game, spec), notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        tally = play_games(GAME, {"size": size}, spec, games, shown, arguments.seed)
    tally.agent = str(replace(spec, model=card.name))
    found, seconds = tally.summary(), round(time.perf_counter() - began, 3)
    return Measured(
        {plies: Strength(found["mean"], found["stderr"], games)},
        {"plies": plies, "seed": arguments.seed, "seconds": seconds, **found},
        f" at {plies}-ply: {found['mean']:,.0f} ± {found['stderr']:,.0f} over {found['games']:,} games, "
        f"{found['moves_per_second']:,.0f} moves/s",
    )
