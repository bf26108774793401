"""The standard measure of a DQN of Sokoban: greedy play of the board it was trained on, or of rooms it has never seen.

On its own board it plays from the start and from positions a few random steps after it that can still be won; all the
same for every model of one board. Every solution is replayed by the plain rules.
"""

import random
import statistics

from ai.agent import Status, Thinking
from ai.entries import Spec
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.output import Bar
from game.play.asking import make
from game.play.sokoban.solving import verify
from game.rules import sokoban

AGENT = "dqn"
GAMES = 100
RANDOM_STEPS = 10
_SECONDS = 60.0


def measure(card: ModelCard, count: int, shown: Bar, seed: int) -> tuple[Strength, int | None, str]:
    """Play; the kernels are loaded.

    Returns:
        The share solved in percent; moves from the start, None where it is not solved; what was played.

    Raises:
        CliError: the model cannot play, or says what is no solution.
    """
    from ai.sokoban.dqn import model

    agent = make(card.game, Spec(card.agent, {}, str(card.path)), 0)
    level = model.load(card.path).level
    states = _rooms(card, count, seed) if level is None else _positions(level, count, seed)
    solved, moves = list[float](), None
    for number, state in enumerate(states):
        plan = agent.plan(state, Thinking(_SECONDS))
        done = plan.status is Status.SOLVED
        if done:
            try:
                verify(state, plan.actions)
            except ValueError as error:
                raise CliError(f"{card.path}: the agent's solution is wrong: {error}") from None
            moves = len(plan.actions) if number == 0 and level is not None else moves
        solved.append(100.0 * done)
        shown.update()
    stderr = statistics.stdev(solved) / len(solved) ** 0.5
    kind = (
        "rooms never seen" if level is None else f"its board, from up to {RANDOM_STEPS} random steps after the start"
    )
    return Strength(statistics.fmean(solved), stderr, len(solved)), moves, kind


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
