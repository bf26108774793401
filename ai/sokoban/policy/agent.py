"""`policy`: a trained network chooses every push, without any search.

It looks at a position once, takes the push it thinks the likeliest of those that lead to a position where it has not
been, walks behind the box and pushes. The plan is the whole solution, or it gives up: where a box is stuck for good,
where no push leads to anything new, or after too many pushes.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from ai.agent import Plan, Thinking
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy.inference import Network, weights_of
from ai.sokoban.policy.macro import MacroGame
from ai.sokoban.policy.model import PolicyModel
from ai.sokoban.policy.playing import Game
from ai.sokoban.search.run import Run
from ai.threads import one_thread
from game.rules import sokoban


class Policy:
    """Plays a level to its end by intuition."""

    def __init__(
        self,
        model: Path | PolicyModel,
        time: float = 60.0,
        pushes: int = 500,
        temperature: float = 0.0,
        views: int = 1,
        levels: str = "flat",
        caution: int = 0,
    ) -> None:
        """Load a model.

        Args:
            model: It, or its file.
            time: Seconds, where a request sets no limit of its own.
            pushes: Before it gives up, likewise.
            temperature: Above 0 pushes are drawn: the higher, the more often an unlikely one.
            views: From how many sides it looks, 1 to 8.
            caution: So many of the likeliest pushes it follows by one look, whether the level can still be solved then.
            levels: `flat`, push by push, or `macro`, box by box (`ai.sokoban.policy.macro`).

        Raises:
            ModelError: where the file is no such model.
        """
        self._model = model if isinstance(model, PolicyModel) else policy_model.load(model)
        self._weights = weights_of(self._model)
        self._time, self._pushes, self._temperature, self._views = time, pushes, temperature, views
        self._macro, self._caution = levels == "macro", caution
        self._luck = np.random.default_rng(0)

    def new_game(self, seed: int) -> None:
        """`seed` drives the draw."""
        self._luck = np.random.default_rng(seed)

    @one_thread()
    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        """The whole solution (SOLVED), UNSOLVABLE where that shows at once, GAVE_UP or CANCELLED."""
        frame = Run(state, thinking, self._time, self._pushes)
        known = frame.known(state)
        if known is not None:
            return known
        network = Network(self._weights, frame.board, max(1, self._caution), self._views)
        kind = MacroGame if self._macro else Game
        plan = kind(frame, network, self._temperature, self._luck, self._caution).plan()
        return replace(plan, note=plan.note + beyond(self._model, state))


def beyond(model: PolicyModel, state: sokoban.State) -> str:
    """A remark where a level is larger than those that a model was trained on."""
    rows, cols = state.warehouse.rows, state.warehouse.cols
    if max(rows, cols) <= max(model.largest):
        return ""
    return f" (a level of {rows} x {cols}, larger than those it was trained on: {model.card.board})"
