"""The standard match of a connect-4 model: against the opponent that the report trained with, in all other seats.

The opponent is alpha-beta, `complex`, depth 2, with four random moves in five. A Q-table sits where it learned and has
no help where it knows nothing; any other model sits everywhere in turn. A win counts 100, a draw is shared.
"""

import argparse
import random
import statistics
import time
from dataclasses import asdict

from ai import catalogue, kernels
from ai.agent import Thinking
from ai.connect4.board.names import parse_board
from ai.entries import Spec
from ai.models import ModelCard, Strength
from ai.tensors import ModelError
from game.cli.errors import CliError
from game.cli.measured import Measured
from game.cli.output import Bar, bar, notice
from game.play.asking import ask, check_plays, load_kernels, make
from game.rules import connect4
from game.rules.connect4 import GAME, Shape

OPPONENT = "alphabeta,heuristic=complex,depth=2,random_moves=0.8"
GAMES = 1000


def measure(arguments: argparse.Namespace, card: ModelCard) -> Measured:
    """Play the match; raises CliError."""
    if arguments.plies not in (None, 1):
        raise CliError("models of connect-4 are measured without looking ahead: leave --plies out")
    games = arguments.games or GAMES
    load_kernels(kernels.needed(card.game, Spec(card.agent), catalogue.parse(card.game, OPPONENT)), notice)
    began = time.perf_counter()
    with bar(games, "measuring", "game") as shown:
        found = played(card, games, shown, arguments.seed)
    seconds = round(time.perf_counter() - began, 3)
    return Measured(
        {1: found},
        {"seed": arguments.seed, "seconds": seconds, "opponent": OPPONENT, **asdict(found)},
        f": {found.mean:.1f} ± {found.stderr:.1f} % of the points over {found.games:,} games against {OPPONENT}",
    )


def start_of(card: ModelCard) -> connect4.State:
    """The empty board that the model is for; raises CliError where there is none."""
    try:
        return connect4.start(parse_board(card.board))
    except ValueError as error:
        raise CliError(f"{card.path}: {error}") from None


def spec_of(card: ModelCard) -> Spec:
    """The model's agent as it is measured."""
    settings = {"fallback": "random"} if card.agent == "qlearning" else {}
    return Spec(card.agent, dict(settings), str(card.path))


def played(card: ModelCard, games: int, shown: Bar, seed: int) -> Strength:
    """Play the match; the kernels are loaded. Raises CliError."""
    start, spec = start_of(card), spec_of(card)
    check_plays(GAME.id, spec, start)
    players = start.shape.players
    agent = make(GAME.id, spec, seed)
    rivals = [make(GAME.id, catalogue.parse(GAME.id, OPPONENT), seed) for _ in range(players - 1)]
    seats = _seats(card, start.shape)
    luck, points = random.Random(seed), list[float]()
    for game in range(games):
        seat = seats[game % len(seats)]
        table = [*rivals[:seat], agent, *rivals[seat:]]
        for player in table:
            player.new_game(luck.getrandbits(32))
        state = start
        while connect4.outcome(state) is None:
            plan = ask(table[state.to_move], str(spec), state, Thinking(), connect4.legal_actions)
            state = connect4.apply(state, plan.actions[0])
        points.append(100.0 / players if state.winner is None else 100.0 * (state.winner == seat))
        shown.update()
    return Strength(statistics.fmean(points), statistics.stdev(points) / len(points) ** 0.5, games)


def _seats(card: ModelCard, shape: Shape) -> list[int]:
    if card.agent != "qlearning":
        return list(range(shape.players))
    from ai.connect4.report import model

    try:
        return [model.load(card.path).seat]
    except ModelError as error:
        raise CliError(str(error)) from None
