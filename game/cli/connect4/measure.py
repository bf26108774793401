"""The standard match of a connect-4 model: against the opponent that the report trained with, in all other seats.

The opponent is alpha-beta, `complex`, depth 2, with four random moves in five. A Q-table sits where it learned and has
no help where it knows nothing; any other model sits everywhere in turn. A win counts 100, a draw is shared.
"""

import random
from functools import partial

from ai import catalogue
from ai.agent import Seated, Thinking
from ai.connect4.board.names import parse_board
from ai.entries import Spec
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.measured import Match, Played
from game.cli.output import Bar
from game.play import matches
from game.play.asking import check_plays, make
from game.rules import connect4
from game.rules.connect4 import GAME

OPPONENT = "alphabeta,heuristic=complex,depth=2,random_moves=0.8"
GAMES = 1000


def match(card: ModelCard, plies: int | None) -> Match:
    """That of one model; raises CliError."""
    if plies not in (None, 1):
        raise CliError("models of connect-4 are measured without looking ahead: leave --plies out")
    return Match(GAMES, partial(_play, card))


def _play(card: ModelCard, games: int, seed: int, shown: Bar) -> Played:
    try:
        start = connect4.start(parse_board(card.board))
    except ValueError as error:
        raise CliError(f"{card.path}: {error}") from None
    spec = Spec(card.agent, catalogue.entry(GAME.id, card.agent).measured_with, str(card.path))
    check_plays(GAME.id, spec, start)
    players = start.shape.players
    agent = make(GAME.id, spec, seed)
    rivals = [make(GAME.id, catalogue.parse(GAME.id, OPPONENT), seed) for _ in range(players - 1)]
    seats = [agent.seat] if isinstance(agent, Seated) else list(range(players))
    luck, points = random.Random(seed), list[float]()
    for game in range(games):
        seat = seats[game % len(seats)]
        table = [*rivals[:seat], agent, *rivals[seat:]]
        for player in table:
            player.new_game(luck.getrandbits(32))
        *_, last = matches.play(start, table, [str(spec)] * players, Thinking)
        points.append(100.0 * GAME.points(last.state)[seat])
        shown.update()
    found = Strength.of(points)
    words = f": {found.mean:.1f} ± {found.stderr:.1f} % of the points over {found.games:,} games against {OPPONENT}"
    return Played(found, {"seed": seed, "opponent": OPPONENT}, words)
