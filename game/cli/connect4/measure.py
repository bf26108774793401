"""The standard match of a connect-4 model: against the opponent that the report trained with, in all other seats.

The opponent is alpha-beta, `complex`, depth 2, with four random moves in five. A Q-table sits where it learned and has
no help where it knows nothing; any other model sits everywhere in turn. A win counts 100, a draw is shared.
"""

import random
import statistics

from ai import catalogue
from ai.agent import Thinking
from ai.connect4.board.names import parse_board
from ai.entries import Spec
from ai.models import ModelCard, Strength
from ai.tensors import ModelError
from game.cli.errors import CliError
from game.cli.output import Bar
from game.play.asking import ask, check_plays, make
from game.rules import connect4
from game.rules.connect4 import Shape

OPPONENT = "alphabeta,heuristic=complex,depth=2,random_moves=0.8"
GAMES = 1000


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


def measure(card: ModelCard, games: int, shown: Bar, seed: int) -> Strength:
    """Play the match; the kernels are loaded. Raises CliError."""
    start, spec = start_of(card), spec_of(card)
    check_plays("connect4", spec, start)
    players = start.shape.players
    agent = make("connect4", spec, seed)
    rivals = [make("connect4", catalogue.parse("connect4", OPPONENT), seed) for _ in range(players - 1)]
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
