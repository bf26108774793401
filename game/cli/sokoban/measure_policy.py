"""The standard measure of a policy network of Sokoban: the share of new rooms that it solves without any search.

The rooms are our own, 10 x 10 with four boxes, the same ones for every model, and no training ever sees them. Every
solution is replayed by the plain rules.
"""

import statistics

from ai.agent import Status, Thinking
from ai.entries import Spec
from ai.models import ModelCard, Strength
from game.cli.errors import CliError
from game.cli.output import Bar
from game.play.asking import make
from game.play.sokoban.solving import verify

AGENTS = ("policy",)
ROOMS = 1000
KIND = "own rooms, 10 x 10, 4 boxes"
_SECONDS = 60.0


def measure(card: ModelCard, count: int, shown: Bar) -> Strength:
    """Play the rooms; the kernels are loaded. Raises CliError."""
    from ai.sokoban.policy.rooms import VALIDATION_SEED
    from ai.sokoban.rooms.maker import RoomMaker

    agent = make(card.game, Spec(card.agent, {}, str(card.path)), 0)
    maker, solved = RoomMaker(VALIDATION_SEED + 1, 10, 10, 4, "established", record=False), list[float]()
    for _ in range(count):
        state = maker.make(1).state(0)
        agent.new_game(0)
        plan = agent.plan(state, Thinking(_SECONDS))
        if plan.status is Status.SOLVED:
            try:
                verify(state, plan.actions)
            except ValueError as error:
                raise CliError(f"{card.path}: the agent's solution is wrong: {error}") from None
        solved.append(100.0 * (plan.status is Status.SOLVED))
        shown.update()
    return Strength(statistics.fmean(solved), statistics.stdev(solved) / len(solved) ** 0.5, count)
