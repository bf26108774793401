"""`policy`: a trained network chooses every push, without any search.

It looks at a position once, takes the push it thinks the likeliest of those that lead to a position where it has not
been, walks behind the box and pushes. The plan is the whole solution, or it gives up: where a box is stuck for good,
where no push leads to anything new, or after too many pushes.
"""

from dataclasses import dataclass, replace

import numpy as np

from ai.agent import Plan, Thinking
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy.inference import Network, weights_of
from ai.sokoban.policy.macro import MacroGame
from ai.sokoban.policy.model import PolicyModel
from ai.sokoban.policy.playing import Game
from ai.sokoban.policy.settings import PolicySettings
from ai.sokoban.search.run import Run
from ai.threads import one_thread
from game.rules import sokoban


@dataclass(eq=False)
class Policy(PolicySettings):
    """Plays a level to its end by intuition. Making one raises ModelError where its file is no such model."""

    def __post_init__(self) -> None:
        self._model = self.model if isinstance(self.model, PolicyModel) else policy_model.load(self.model)
        self._weights = weights_of(self._model)
        self._luck = np.random.default_rng(0)

    def new_game(self, seed: int) -> None:
        """`seed` drives the draw."""
        self._luck = np.random.default_rng(seed)

    @one_thread()
    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), UNSOLVABLE where that shows at once, GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self.time, self.pushes)
        known = frame.known(state)
        if known is not None:
            return known
        network = Network(self._weights, frame.board, max(1, self.caution), self.views)
        kind = MacroGame if self.levels == "macro" else Game
        plan = kind(frame, network, self.temperature, self._luck, self.caution).plan()
        return replace(plan, note=plan.note + beyond(self._model, state))


def beyond(model: PolicyModel, state: sokoban.State) -> str:
    """A remark where a level is larger than those that a model was trained on."""
    rows, cols = state.warehouse.rows, state.warehouse.cols
    if max(rows, cols) <= max(model.largest):
        return ""
    return f" (a level of {rows} x {cols}, larger than those it was trained on: {model.card.board})"
