"""Two simple agents."""

import random

from game.rules.noughts import State

from ai.agent import Plan, Thinking
from game.rules import noughts


class Random:
    """Any square."""

    def new_game(self, seed: int) -> None:
        """Begin."""
        self._luck = random.Random(seed)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One action."""
        return Plan((self._luck.choice(noughts.actions(state)),))


class Careful(Random):
    """Wins where it can, takes the square where the other would win, else any."""

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """One action, with a value of each."""
        values = {action: self._worth(state, action) for action in noughts.actions(state)}
        best = max(values.values())
        return Plan(
            (self._luck.choice([action for action, value in values.items() if value == best]),), values=values
        )

    def _worth(self, state: State, action: int) -> float:
        after = noughts.apply(state, action)
        if noughts.outcome(after) is not None:
            return 1.0
        loses = any(noughts.outcome(noughts.apply(after, answer)) for answer in noughts.actions(after))
        return -1.0 if loses else 0.0
