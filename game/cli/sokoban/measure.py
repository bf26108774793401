"""The standard measures of Sokoban's models: what a network solves without any search."""

import argparse
import time
from dataclasses import asdict

from ai import kernels
from ai.models import ModelCard
from game.cli.errors import CliError
from game.cli.measured import Measured
from game.cli.output import bar, notice
from game.cli.sokoban import measure_dqn, measure_policy
from game.play.asking import load_kernels


def measure(arguments: argparse.Namespace, card: ModelCard) -> Measured:
    """Play; raises CliError."""
    if arguments.plies is not None:
        raise CliError("models of Sokoban are measured without any search: leave --plies out")
    if card.agent == measure_dqn.AGENT:
        return _dqn(arguments, card)
    if card.agent not in measure_policy.AGENTS:
        raise CliError(
            f"{card.path}: of Sokoban's models only those of {', '.join(measure_policy.AGENTS)} are measured"
        )
    rooms = arguments.games or measure_policy.ROOMS
    load_kernels(kernels.units(card.game), notice)
    began = time.perf_counter()
    with bar(rooms, "measuring", "room") as shown:
        found = measure_policy.measure(card, rooms, shown)
    return Measured(
        {1: found},
        {"seconds": round(time.perf_counter() - began, 3), "rooms": measure_policy.KIND, **asdict(found)},
        f": {found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} rooms solved without search "
        f"({measure_policy.KIND})",
    )


def _dqn(arguments: argparse.Namespace, card: ModelCard) -> Measured:
    games = arguments.games or measure_dqn.GAMES
    load_kernels(kernels.units(card.game), notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        found, moves, kind = measure_dqn.measure(card, games, shown, arguments.seed)
    seconds = round(time.perf_counter() - began, 3)
    start = "" if moves is None else f"the start in {moves} moves; "
    return Measured(
        {1: found},
        {"seed": arguments.seed, "seconds": seconds, "played": kind, "moves": moves, **asdict(found)},
        f": {start}{found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} games solved greedily ({kind})",
    )
