"""A training of the report's network: settings, figures, exact checkpoints, and the model that comes of it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from ai.agent import Thinking
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from ai.twenty48.board.packed import cells_of
from ai.twenty48.ntuple.network import make_rules
from ai.twenty48.report import learning, model
from ai.twenty48.report.learning import Episode, learn_report, make_episode
from ai.twenty48.report.network import make_report_network
from ai.twenty48.report.settings import Settings
from ai.twenty48.report.shapes import PLACES, tables
from game.rules.twenty48 import State

_SLICE_MOVES = 5_000
_WON = 11
"""Exponent of the tile 2048."""
_NEVER = 2**62


@dataclass(frozen=True)
class Games:
    """What is known of finished games."""

    scores: npt.NDArray[np.int64]
    """(games,)."""
    tiles: npt.NDArray[np.int64]
    """(games,): exponents of their largest tiles."""
    errors: npt.NDArray[np.float64]
    """(games,): their mean |TD error|, 0 where nothing was learned."""

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """(games,): whether they reached 2048."""
        return self.tiles >= _WON

    @property
    def reached(self) -> float:
        """The share of the games that reached 2048; 0 of none."""
        return float(np.mean(self.won)) if len(self.tiles) else 0.0


class ReportTraining(Training[Settings]):
    """The report's learning, or the correct rule on its network. A checkpoint's rule and symmetries stay."""

    game, agent, kind = "twenty48", model.AGENT, Settings
    fixed, each_run = ("rule", "symmetries"), ("games", "seconds")

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self.settings = Settings(**settings)
        self._episode = make_episode()
        self.weights: npt.NDArray[np.float32] = np.full(sum(PLACES), 0, np.float32)
        """(sum of 16**cells,): differences from the first value. Filled: pages that are touched one by one are slow."""
        if checkpoint is not None:
            self._load(checkpoint, settings)
        self._network = make_report_network(self.weights, symmetric=self.settings.symmetries)
        self._rules = make_rules()
        self._begun = self._figured = self._taken = self.games
        self._last_moves = self.moves
        self._last_seconds = self.seconds

    @property
    @override
    def games(self) -> int:
        """Games finished, in all runs."""
        return int(self._episode.head[learning.GAMES])

    @property
    def moves(self) -> int:
        """Moves played, in all runs."""
        return int(self._episode.head[learning.MOVES])

    @property
    @override
    def goal(self) -> int | None:
        """Games at which this run ends."""
        return self._begun + self.settings.games if self.settings.games else None

    @override
    def advance(self, seconds: float, thinking: Thinking) -> bool:
        """Learn for about that long or until the thinking is over; returns whether all games are played.

        It also returns after `RECENT` games, so that `take` misses none.
        """
        started = time.perf_counter()
        goal = self.goal or _NEVER
        until = min(goal, self.games + learning.RECENT)
        while self.games < until and not thinking.over():
            learn_report(
                self._network,
                self._rules,
                self._episode,
                learning.RULES.index(self.settings.rule),
                np.float32(self.settings.alpha),
                -1.0,
                np.uint64(self.seed),
                until,
                _SLICE_MOVES,
            )
            if time.perf_counter() - started >= seconds:
                break
        self.seconds += time.perf_counter() - started
        return self.games >= goal

    def take(self) -> Games:
        """The games finished since the last call, the last `RECENT` of them at most."""
        found = self._last(self.games - self._taken)
        self._taken = self.games
        return found

    @override
    def figures(self) -> Figures:
        """How far it is and how well it plays; speed and TD error since the last call."""
        recent = self._last(learning.RECENT)
        errors = self._last(max(1, self.games - self._figured)).errors
        moves, seconds = self.moves, self.seconds
        spent = seconds - self._last_seconds
        speed = (moves - self._last_moves) / spent if spent else 0.0
        self._figured, self._last_moves, self._last_seconds = self.games, moves, seconds
        return {
            "games": self.games,
            "moves": moves,
            "moves_per_second": round(speed),
            "mean_score": float(np.mean(recent.scores)) if self.games else 0.0,
            "reached_2048": recent.reached,
            "td_error": float(np.mean(errors)) if self.games else 0.0,
        }

    def watch(self) -> State | None:
        """The position of the game being played; its score is not kept."""
        board = int(self._episode.boards[learning.POSITION])
        return State(4, cells_of(board), 0, self.seed, 0) if board else None

    def play(self, games: int, seed: int, thinking: Thinking, epsilon: float = 0.0) -> Games:
        """Play without learning, by the weights as they are.

        Args:
            games: How many.
            seed: Of these games.
            thinking: Where it is over, fewer games come back.
            epsilon: Share of random moves: 0 for none, 1 for the random agent.
        """
        episode, found = make_episode(), list[Games]()
        while episode.head[learning.GAMES] < games and not thinking.over():
            before = int(episode.head[learning.GAMES])
            until = min(games, before + learning.RECENT - before % learning.RECENT)
            while episode.head[learning.GAMES] < until and not thinking.over():
                learn_report(
                    self._network,
                    self._rules,
                    episode,
                    learning.PLAY,
                    np.float32(0.0),
                    epsilon,
                    np.uint64(seed),
                    until,
                    _SLICE_MOVES,
                )
            found.append(_slice(episode, before, int(episode.head[learning.GAMES])))
        return joined(found)

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = dict(self._episode._asdict())
        for number, table in enumerate(tables(self.weights)):
            arrays[f"table.{number}"] = np.ascontiguousarray(table).ravel()
        self.write_checkpoint(path, command, arrays)

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        rule = {"report": "the report's TD, rewards left out of the target", "correct": "TD(0)"}[self.settings.rule]
        card = self.card(path, title, command, f"{rule}, alpha {self.settings.alpha:g}")
        model.write(path, self.weights, self.settings.symmetries, card)

    def _last(self, count: int) -> Games:
        """The last games of the training, at most `RECENT` and at most those there were."""
        games = self.games
        return _slice(self._episode, max(0, games - min(count, learning.RECENT)), games)

    def _load(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            self.read_header(file, wanted, check=lambda told: told.rule in learning.RULES and told.alpha > 0)
            for number, table in enumerate(tables(self.weights)):
                table[...] = file.array(f"table.{number}", "F32", (table.size,)).reshape(table.shape)
            for name, field in self._episode._asdict().items():
                field[:] = file.like(name, field)
        good = bool(np.isfinite(self.weights).all() and np.isfinite(self._episode.sums).all())
        if not good or (self._episode.head < 0).any():
            raise ModelError(path, "it holds numbers that no training makes")


def joined(parts: list[Games]) -> Games:
    """Several runs of games as one."""
    return Games(
        np.concatenate([np.zeros(0, np.int64), *(part.scores for part in parts)]),
        np.concatenate([np.zeros(0, np.int64), *(part.tiles for part in parts)]),
        np.concatenate([np.zeros(0, np.float64), *(part.errors for part in parts)]),
    )


def _slice(episode: Episode, first: int, last: int) -> Games:
    """Games `first` up to `last` of an episode, which still remembers them."""
    at = np.arange(first, last) % learning.RECENT
    return Games(episode.scores[at], episode.tiles[at], episode.errors[at])
