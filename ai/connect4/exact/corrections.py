"""Exact labels for the games of a network: it plays with itself, and the exact search says what every column was worth.

What `ai.connect4.exact.labels` makes are positions from the middle of a game on; those of the first stones would cost it too
much. Here only those are solved that a network comes to by its own moves, and now and then a random one, so that
its errors are met where it makes them (Ross, Gordon, Bagnell: A Reduction of Imitation Learning and Structured
Prediction to No-Regret Online Learning, 2011: *DAgger*). All searches share one table, positions of few stones are
remembered, and every label is exact whatever it takes: the same network and seed give the same positions.
"""

from collections.abc import Callable
from random import Random

import numpy as np

from ai.agent import Thinking
from ai.connect4.exact.bitboard import Words
from ai.connect4.exact.bitboard_shape import words
from ai.connect4.exact.labels import FULL, Labelled, Signs
from ai.connect4.exact.solver import Solver, new_table
from ai.tensors import Array, ModelError, TensorFile
from game.rules import connect4
from game.rules.connect4 import Shape, State

_TABLE_BITS = 26
"""512 MB: early positions lean so much on each other's searches that far less of it takes several times as long."""
_REMEMBERED = 18
"""Positions with fewer stones are remembered: a pass over the games so far would otherwise take as long as they did."""
_ANYWAY = 0.125
"""Share of the positions in which the network is right that are learned as well."""


class Corrections:
    """Games of a network, and the positions in which it errs with what every column is worth."""

    def __init__(self, shape: Shape, seed: int) -> None:
        """For a board that `ai.connect4.exact.bitboard_shape.why_not` lets pass; no game so far."""
        self.shape = shape
        self.games = 0
        self._asked = self._kept = 0
        self._seed = seed
        self._positions = np.zeros((0, 2), np.uint64)
        self._signs = np.zeros((0, shape.columns), np.int8)
        self._worth: dict[int, int] = {}
        """Of the folded key of a position: 1, 0, -1 for the side to move."""
        self._made: Solver | None = None

    def play(
        self, choose: Callable[[State], int], explore: float, opening: int, thinking: Thinking
    ) -> Labelled | None:
        """Play the next game and judge its positions.

        Args:
            choose: The network's column.
            explore: Share of random moves instead.
            opening: The game begins with 0 to so many random moves.
            thinking: May end it; the game is then played again by the next call.

        Returns:
            Of the positions after these random moves in which nobody wins at once: those where the network's column
            does not keep what they are worth, and some others. None where the thinking is over before.
        """
        luck = Random(f"{self._seed} {self.games}")
        begun = luck.randrange(opening + 1)
        state = connect4.start(self.shape)
        met: list[tuple[tuple[int, int], int, bool]] = []
        while connect4.outcome(state) is None:
            legal = connect4.legal_actions(state)
            wins = [move for move in legal if connect4.apply(state, move).winner is not None]
            action, anyway, random = luck.choice(legal), luck.random() < _ANYWAY, luck.random() < explore
            if len(state.moves) >= begun and not wins:
                favourite = choose(state)
                met.append((words(state), favourite, anyway))
                action = action if random else favourite
            state = connect4.apply(state, wins[0] if wins else action)
        positions, signs = list[tuple[int, int]](), list[Signs]()
        for position, favourite, anyway in reversed(met):
            worth = self._ask(*position, thinking)
            reached = self._ask(*self._solver.moves(*position)[favourite], thinking)
            if worth is None or reached is None:
                return None
            self._asked += 1
            self._kept += -reached == worth
            if anyway or -reached < worth:
                row = self._settle(*position, thinking)
                if row is None:
                    return None
                positions.append(position)
                signs.append(row)
        found = Labelled(
            np.array(positions, np.uint64).reshape(-1, 2), np.array(signs, np.int8).reshape(-1, self.shape.columns)
        )
        self._positions = np.concatenate([self._positions, found.positions])
        self._signs = np.concatenate([self._signs, found.signs])
        self.games += 1
        return found

    def lesson(
        self,
        choose: Callable[[State], int],
        explore: float,
        opening: int,
        root: Labelled | None,
        again: int,
        thinking: Thinking,
    ) -> tuple[Words, Signs] | None:
        """Positions and labels to learn after the next game: its own, `again` of all so far, as many of a root.

        What the roots teach of late positions is not forgotten that way. The rest is as for `play`.
        """
        luck = np.random.default_rng((self._seed, 4, self.games))
        played = self.play(choose, explore, opening, thinking)
        if played is None:
            return None
        parts = [played]
        for more in (Labelled(self._positions, self._signs), root):
            if more is not None and len(more.positions):
                taken = luck.integers(len(more.positions), size=again)
                parts.append(Labelled(more.positions[taken], more.signs[taken]))
        return np.concatenate([each.positions for each in parts]), np.concatenate([each.signs for each in parts])

    def figure(self) -> float:
        """Of the moves that the network chose itself since the last call, the share that kept the position's worth."""
        share = self._kept / max(1, self._asked)
        self._asked = self._kept = 0
        return share

    def arrays(self) -> dict[str, Array]:
        """For a checkpoint, which keeps the number of games as well."""
        return {"corrected": self._positions, "corrections": self._signs.view(np.uint8)}

    def restore(self, file: TensorFile, games: int) -> None:
        """Go on with what a checkpoint holds. Raises ModelError."""
        self._positions = file.array("corrected", "U64", (None, 2))
        size = (len(self._positions), self.shape.columns)
        self._signs = file.array("corrections", "U8", size).view(np.int8)
        if not np.isin(self._signs, (-1, 0, 1, FULL)).all():
            raise ModelError(file.path, "it holds labels that no training makes")
        self.games = games
        for (mine, mask), row in zip(self._positions.tolist(), self._signs, strict=True):
            if mask.bit_count() + 1 < _REMEMBERED:
                for column, child in self._solver.moves(mine, mask).items():
                    self._worth[self._solver.folded(*child)] = -int(row[column])

    # Inside

    @property
    def _solver(self) -> Solver:
        if self._made is None:
            table = new_table(_TABLE_BITS)
            assert table is not None
            self._made = Solver(self.shape, table)
        return self._made

    def _settle(self, mine: int, mask: int, thinking: Thinking) -> Signs | None:
        """What every column of a position is worth, None where the thinking is over before."""
        row = np.full(self.shape.columns, FULL, np.int8)
        if thinking.over():
            return None
        for column, child in self._solver.moves(mine, mask).items():
            worth = self._ask(*child, thinking)
            if worth is None:
                return None
            row[column] = -worth
        return row

    def _ask(self, mine: int, mask: int, thinking: Thinking) -> int | None:
        solver = self._solver
        few = mask.bit_count() < _REMEMBERED
        key = solver.folded(mine, mask) if few else 0
        if few and key in self._worth:
            return self._worth[key]
        solver.begin(mine, mask)
        for alpha in (-1, 0):
            while not solver.test(alpha):
                if thinking.over():
                    return None
        worth = (solver.low > 0) - (solver.high < 0)
        if few:
            self._worth[key] = worth
        return worth
