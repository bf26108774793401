"""Training of an n-tuple network for connect-4: games with itself, then exact labels where the board has them.

Without labels all games are played. With them, half of the games come first; then the rates of all weights begin anew, and
every root (`ai.connect4.exact.labels`) is learned as often as there are passes, in an order of its own each time. The other
half of the games is played between them, so that what the labels say of late positions comes to the early ones, which
are too costly to label. The last pass has a third of the rate.

At the end come games that are corrected (`ai.connect4.exact.corrections`): after each its positions, others of those before,
and a root are learned. The rates of all weights begin anew there, too, and alpha falls to a tenth.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from typing_extensions import override

from ai.agent import Thinking
from ai.connect4.board.names import parse_board
from ai.connect4.exact.bitboard import Words
from ai.connect4.exact.bitboard_shape import why_not
from ai.connect4.exact.corrections import Corrections
from ai.connect4.exact.labels import Labeller, Signs
from ai.connect4.ntuple import model
from ai.connect4.ntuple.learning import GAMES, MOVES, Rule, learn_labels, play_games
from ai.connect4.ntuple.network import make_board
from ai.connect4.ntuple.settings import Settings
from ai.connect4.ntuple.showing import Showing, column_values
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from game.rules import connect4
from game.rules.connect4 import State

_SLICE_GAMES = 20
_FINAL = 1 / 3
_CORRECTED_FINAL = 0.1
_AGAIN = 1000
"""Corrected positions that are learned again after a game."""
_SHOWN_OPENING = 3
"""Random moves at most in a game that is watched."""


class NTupleTraining(Training[Settings]):
    """Self-play and labels. A checkpoint's board, tuples, roots and passes stay.

    There may be more games than were planned: those that should have come before the next root are played first.
    """

    game, agent, kind = "connect4", model.AGENT, Settings
    fixed = ("board", "players", "walks", "length", "roots", "passes")

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._done = 0
        self._counts = np.zeros(4, np.int64)
        self._draws = np.array([seed], np.uint64)
        self._learned = np.zeros((0, 3), np.float32)
        """(weights, 3): weight, sum of its errors, sum of their sizes."""
        if checkpoint is None:
            self.settings = Settings(**settings)
        else:
            self._load(checkpoint, settings)
        told = self.settings
        self.shape = parse_board(f"{told.board} for {told.players}")
        for name, number in (("roots", told.roots), ("corrected", told.corrected)):
            reason = why_not(self.shape) if number else None
            if reason is not None:
                raise ValueError(f"{name}={number}: {reason}")
        self._labeller = Labeller(self.shape, self.seed) if told.roots else None
        self._board = make_board(self.shape, told.walks, told.length)
        if checkpoint is None:
            count = model.weights_of(self.shape, told.walks, told.length)
            self._learned = np.full((count, 3), 0, np.float32)
        self._rule = Rule(told.alpha, told.lam, told.explore, told.opening)
        self._tally = np.zeros(4)
        self._last = self._counts.copy()
        self._errors = 0.0
        if checkpoint is None:
            self._corrections = Corrections(self.shape, self.seed)
        self._showing = Showing(self.shape, self._choose)

    @property
    @override
    def games(self) -> int:
        """Games played and roots learned, each root as often as it was, and games corrected, in all runs."""
        return int(self._counts[GAMES]) + self._done + self._corrections.games

    @property
    @override
    def goal(self) -> int:
        """Games to play, roots to learn and games to correct in all."""
        return self.settings.games + self.settings.roots * self.settings.passes + self.settings.corrected

    @override
    def learn(self, thinking: Thinking) -> None:
        left = self._games_due() - int(self._counts[GAMES])
        if left > 0:
            games = min(_SLICE_GAMES, left)
            rule = self._rule._replace(alpha=self._alpha())
            self._errors += play_games(self._board, self._learned, rule, games, self._draws, self._counts)
        elif self._done < self.settings.roots * self.settings.passes:
            self._root(thinking)
        else:
            self._correct(thinking)

    @override
    def figures(self) -> Figures:
        """How far it is, and since the last call: errors, results, and how often the best value keeps the worth."""
        games, moves, wins, draws = (int(each) for each in self._counts - self._last)
        self._last = self._counts.copy()
        tally, self._tally = self._tally, np.zeros(4)
        errors, self._errors = self._errors, 0.0
        return {
            "games": self.games,
            "moves": int(self._counts[MOVES]),
            "first_wins": wins / max(1, games),
            "draws": draws / max(1, games),
            "td_error": errors / max(1, moves),
            "labels": tally[2],
            "kept": tally[1] / max(1.0, tally[0]),
            "own_kept": self._corrections.figure(),
            "label_error": tally[3] / max(1.0, tally[2]),
        }

    def watch(self) -> State:
        """A game by the weights as they are now, with some random moves at its beginning, a move on at every call."""
        return self._showing.look()

    def _choose(self, state: State, random: Random) -> int:
        legal = connect4.legal_actions(state)
        if len(state.moves) < random.randrange(_SHOWN_OPENING + 1):
            return random.choice(legal)
        return self._best(state)

    def _best(self, state: State) -> int:
        values = column_values(self._board, self._learned[:, 0], state)
        return max(connect4.legal_actions(state), key=values.__getitem__)

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = {"learned": self._learned, "counts": self._counts, "draws": self._draws}
        arrays |= self._corrections.arrays()
        self.write_checkpoint(path, command, arrays, done=self._done, corrected=self._corrections.games)

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        told = self.settings
        played, done, planned = int(self._counts[GAMES]), self._done, told.roots * told.passes
        labels = ""
        if done == planned > 0:
            labels = f", exact labels of {told.roots:,} roots, {told.passes} passes"
        elif done:
            labels = f", exact labels of {told.roots:,} roots, stopped after {done:,} of {planned:,}"
        if self._corrections.games:
            labels += f", {self._corrections.games:,} games corrected"
        rule = f"TC({told.lam:g}), alpha {told.alpha:g}, {played:,} games{labels}"
        weights = np.ascontiguousarray(self._learned[:, 0])
        model.write(path, self.shape, told.walks, told.length, weights, self.card(path, title, command, rule))

    # Inside

    def _games_due(self) -> int:
        """Games that come before the next root."""
        told = self.settings
        first = told.games // 2 if told.roots else told.games
        return first + (told.games - first) * self._done // max(1, told.roots * told.passes)

    def _alpha(self) -> float:
        """The learning rate now."""
        told = self.settings
        if self._corrections.games:
            share = min(1.0, self._corrections.games / max(1, told.corrected))
            return told.alpha * (1 - (1 - _CORRECTED_FINAL) * share)
        last = told.roots > 0 and self._done >= told.roots * (told.passes - 1) and self._done > 0
        return told.alpha * (_FINAL if last else 1.0)

    def _correct(self, thinking: Thinking) -> None:
        """Correct the next game and learn from it, or nothing where the thinking is over."""
        told, number = self.settings, self._corrections.games
        root = None
        if self._labeller is not None:
            root = self._labeller.root(number % told.roots, thinking)
            if root is None:
                return
        found = self._corrections.lesson(self._best, told.explore, told.opening, root, _AGAIN, thinking)
        if found is None:
            return
        if number == 0:
            self._learned[:, 1:] = 0
        self._learn_labels(*found, 3, number)

    def _learn_labels(self, positions: Words, signs: Signs, *luck: int) -> None:
        """Learn labels in random order."""
        shuffled = np.random.default_rng((self.seed, *luck)).permutation(len(positions))
        learn_labels(
            self._board, self._learned, positions[shuffled], signs[shuffled], self._alpha(), self.settings.choice, self._tally
        )  # fmt: skip

    def _root(self, thinking: Thinking) -> None:
        """Learn the next root, or nothing where the thinking is over."""
        assert self._labeller is not None
        told = self.settings
        turn, within = divmod(self._done, told.roots)
        order = np.random.default_rng((self.seed, turn)).permutation(told.roots)
        found = self._labeller.root(int(order[within]), thinking)
        if found is None:
            return
        if self._done == 0:
            self._learned[:, 1:] = 0
        self._learn_labels(found.positions, found.signs, 1, self._done)
        self._done += 1

    def _load(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            _begun, numbers = self.read_header(file, wanted, "done", "corrected", check=_possible)
            self._done = numbers["done"]
            told = self.settings
            if self._done > told.roots * told.passes:
                raise ModelError(path, "it has learned more than it was told to")
            if int(file.array("counts", "I64", (4,))[GAMES]) > told.games:
                raise ValueError(f"games={told.games}: more than that are played already")
            shape = parse_board(f"{told.board} for {told.players}")
            count = model.weights_of(shape, told.walks, told.length)
            self._learned = file.array("learned", "F32", (count, 3))
            self._counts = file.array("counts", "I64", (4,))
            self._draws = file.array("draws", "U64", (1,))
            self._corrections = Corrections(shape, self.seed)
            self._corrections.restore(file, numbers["corrected"])
        if not np.isfinite(self._learned).all() or (self._counts < 0).any():
            raise ModelError(path, "it holds numbers that no training makes")


def _possible(settings: Settings) -> bool:
    """Whether a checkpoint may have such settings; raises ValueError for some that it may not."""
    shape = parse_board(f"{settings.board} for {settings.players}")
    return (
        0 <= settings.walks <= model.MAX_WALKS
        and 2 <= settings.length <= model.MAX_LENGTH
        and shape.players <= model.MAX_PLAYERS
    )
