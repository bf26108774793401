"""How the rollouts of the `mcts` agent go, on boards of every kind."""

from typing import NamedTuple

RANDOM, REWARD, EVALUATION = range(3)
"""How a rollout chooses: any slide, the one of the largest reward, the one of the best evaluation."""
POLICIES: dict[str, int] = {"random": RANDOM, "greedy": REWARD, "evaluation": EVALUATION}
"""By the names that people choose from."""
MAX_LENGTH = 1_000


class Rollout(NamedTuple):
    """How an afterstate is valued: by playing on from it."""

    length: int
    """Slides at most, 0 to 1,000."""
    policy: int
    score: bool
    """Whether it is worth the points made, or else what the evaluation says of the board in the end."""
