"""The policy network asked on two levels: which box goes to a target first, and how.

Which box: the one whose pushes are the likeliest together. To which target, and how: the network pushes that box alone,
always by its likeliest push to something new, until it stands on a target. Where it never does the next box is asked; and
where none does, a single push is made as without levels.
"""

from typing import NamedTuple

import numpy as np
from typing_extensions import override

from ai.sokoban.board.layout import Bytes, Ints
from ai.sokoban.policy.features import Floats
from ai.sokoban.policy.playing import Game

LONGEST = 100
"""Pushes of one box at most before it is given up."""


class _Saved(NamedTuple):
    """Where a game was."""

    occupied: Bytes
    player: int
    found: Ints
    logs: Floats
    done: int
    known: set[int]


class MacroGame(Game):
    """One level, box by box."""

    @override
    def _push(self) -> None:
        """Bring one box to a target, or make one push; raises Stop where the game is over."""
        self.check()
        count = len(self._look())
        for box in self._boxes(count):
            before = self._save(count)
            if self._bring(box, count):
                return
            self._restore(before)
        self.push_once(self._logs[:count])

    def _boxes(self, count: int) -> list[int]:
        """The squares of the boxes, the one whose pushes are the likeliest together first."""
        boxes, where = np.unique(self._found[:count] // 4, return_inverse=True)
        likely = np.bincount(where, np.exp(self._logs[:count]), len(boxes))
        chosen: list[int] = boxes[np.argsort(-likely, kind="stable")].tolist()
        return chosen

    def _bring(self, box: int, count: int) -> bool:
        """Push a box alone until it stands on a target; whether it does."""
        for _ in range(LONGEST):
            self.check()
            order = [each for each in self.order(self._logs[:count]) if self._found[each] // 4 == box]
            if not self.take(order):
                return False
            box = self._done[-1].after
            if self._run.board.is_target[box]:
                return True
            count = len(self._look())
        return False

    def _save(self, count: int) -> _Saved:
        return _Saved(
            self._occupied.copy(), self._player, self._found[:count].copy(), self._logs[:count].copy(),
            len(self._done), set(self._known),
        )  # fmt: skip

    def _restore(self, saved: _Saved) -> None:
        self._occupied[:], self._player, self._known = saved.occupied, saved.player, saved.known
        self._found[: len(saved.found)], self._logs[: len(saved.logs)] = saved.found, saved.logs
        del self._done[saved.done :], self._choices[saved.done + 1 :]
