"""The standard measures of Sokoban's models: what a network solves without any search, each solution replayed by the plain rules.

A policy network plays new rooms of our own, 10 x 10 with four boxes, the same ones for every model; no training ever sees
them. A DQN plays greedily: rooms of its size that it has never seen, or the board it was trained on, from the start and
from positions a few random steps after it that can still be won, the same ones for every model of one board.
"""

import random
from collections.abc import Iterable
from functools import partial

from ai.agent import Status, Thinking
from ai.entries import Spec
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.measured import Match, Played
from game.cli.output import Bar
from game.play.asking import make
from game.play.sokoban.solving import verify
from game.rules import sokoban

DQN, POLICY = "dqn", "policy"
DQN_GAMES, ROOMS = 100, 1000
KIND = "own rooms, 10 x 10, 4 boxes"
RANDOM_STEPS = 10
_SECONDS = 60.0


def match(card: ModelCard, plies: int | None) -> Match:
    """That of one model; raises CliError."""
    if plies is not None:
        raise CliError("models of Sokoban are measured without any search: leave --plies out")
    if card.agent == DQN:
        return Match(DQN_GAMES, partial(_dqn, card))
    if card.agent != POLICY:
        raise CliError(f"{card.path}: of Sokoban's models only those of {POLICY} are measured")
    return Match(ROOMS, partial(_policy, card), "room")


def _policy(card: ModelCard, rooms: int, _seed: int, shown: Bar) -> Played:
    from ai.sokoban.policy.rooms import VALIDATION_SEED
    from ai.sokoban.rooms.maker import RoomMaker

    maker = RoomMaker(VALIDATION_SEED + 1, 10, 10, 4, "established", record=False)
    found = _solved(card, (maker.make(1).state(0) for _ in range(rooms)), shown)[0]
    words = f": {found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} rooms solved without search ({KIND})"
    return Played(found, {"rooms": KIND}, words)


def _dqn(card: ModelCard, games: int, seed: int, shown: Bar) -> Played:
    from ai.sokoban.dqn import model

    level = model.load(card.path).level
    states = _rooms(card, games, seed) if level is None else _positions(level, games, seed)
    found, first = _solved(card, states, shown)
    moves = first if level is not None else None
    kind = (
        "rooms never seen" if level is None else f"its board, from up to {RANDOM_STEPS} random steps after the start"
    )
    start = "" if moves is None else f"the start in {moves} moves; "
    words = f": {start}{found.mean:.1f} ± {found.stderr:.1f} % of {found.games:,} games solved greedily ({kind})"
    return Played(found, {"seed": seed, "played": kind, "moves": moves}, words)


def _solved(card: ModelCard, states: Iterable[sokoban.State], shown: Bar) -> tuple[Strength, int | None]:
    """The share solved in percent, and the moves of the first solution where that is solved; raises CliError."""
    agent = make(card.game, Spec(card.agent, {}, str(card.path)), 0)
    solved, first = list[float](), None
    for number, state in enumerate(states):
        agent.new_game(0)
        plan = agent.plan(state, Thinking(_SECONDS))
        done = plan.status is Status.SOLVED
        if done:
            try:
                verify(state, plan.actions)
            except ValueError as error:
                raise CliError(f"{card.path}: the agent's solution is wrong: {error}") from None
            first = len(plan.actions) if number == 0 else first
        solved.append(100.0 * done)
        shown.update()
    return Strength.of(solved), first


def _positions(start: sokoban.State, count: int, seed: int) -> list[sokoban.State]:
    """The start, and positions after it that can still be won and are not."""
    luck, found = random.Random(seed), [start]
    while len(found) < count:
        state = start
        for _ in range(luck.randint(1, RANDOM_STEPS)):
            state = sokoban.apply(state, luck.choice(sokoban.legal_actions(state)))
            if sokoban.is_solved(state) or sokoban.is_dead(state):
                break
        else:
            found.append(state)
    return found


def _rooms(card: ModelCard, count: int, seed: int) -> list[sokoban.State]:
    from ai.sokoban.dqn import model
    from ai.sokoban.rooms.maker import make_rooms

    shape = model.load(card.path).shape
    boxes = int(card.rule.partition(" rooms, ")[2].partition(" ")[0] or 1)
    rooms = make_rooms(seed + 2_000_003, shape.rows, shape.cols, boxes, count)
    return [rooms.state(number, sokoban.Rules(pull=shape.pull)) for number in range(count)]
