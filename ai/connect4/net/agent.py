"""The `net` agent: the column that a network for flat boards chooses. No search, no torch.

A stone that wins is played. Otherwise the column with the highest logit of choosing; the value shown for a column is the
network's probability that it wins minus that it loses.
"""

from pathlib import Path

import numpy as np

from ai.agent import Plan, Thinking
from ai.connect4.board.names import board_name
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.net import model as net_model
from ai.connect4.net.features import features, forward
from ai.threads import one_thread
from game.rules import connect4
from game.rules.connect4 import State


class Net:
    """A network by itself. Plans depend on the position alone."""

    def __init__(self, model: Path) -> None:
        """Load the model, or share the one already loaded.

        Raises:
            ModelError: when the file is no such model.
        """
        self.model = net_model.load(model)

    def new_game(self, seed: int) -> None:
        """Nothing is remembered from game to game, and nothing is left to chance."""

    @one_thread()
    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The column it chooses, with the values of all legal ones, whatever the budget.

        Raises:
            ValueError: when the state is on another board.
        """
        legal = connect4.legal_actions(state)
        if not legal:
            return Plan((), seconds=thinking.elapsed, note="the game is over")
        priors, values, _ = self.judge(state)
        best = max(legal, key=lambda action: (values[action] == 1.0, priors[action]))
        return Plan((best,), values=values, pv=(best,), nodes=1, seconds=thinking.elapsed, depth=1)

    def judge(self, state: State) -> tuple[dict[int, float], dict[int, float], float]:
        """What a search may start from.

        Returns:
            The probability of choosing each legal column, what each is worth, and what the position is worth: -1 to 1
            for the side to move. Columns that win at once are worth exactly 1.
        """
        shape = self.model.shape
        if state.shape != shape:
            raise ValueError(f"the model {self.model.card.name!r} plays {board_name(shape)} only")
        legal = list(connect4.legal_actions(state))
        found = forward(self.model.arrays, features(shape, np.array([words(state)], np.uint64)))
        columns = _softmax(found.columns[0][legal])
        worth = columns[:, 2] - columns[:, 0]
        priors = _softmax(found.choice[0][legal])
        value = _softmax(found.value[0])
        values = {
            action: 1.0 if connect4.apply(state, action).winner is not None else min(float(each), 0.9999)
            for action, each in zip(legal, worth, strict=True)
        }
        return dict(zip(legal, map(float, priors), strict=True)), values, float(value[2] - value[0])


def _softmax(
    logits: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)
