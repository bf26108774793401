"""A training of the report's q-table: settings, figures, exact checkpoints, and the model that comes of it."""

import time
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from typing_extensions import override

from ai.agent import Thinking
from ai.connect4.board.board import board_of, new_board, tables
from ai.connect4.ntuple.showing import Showing
from ai.connect4.report import learning
from ai.connect4.report.learning import Progress, Rules, Table, learn, new_progress, new_table
from ai.connect4.report.master import master_move, new_master
from ai.connect4.report.model import AGENT, write
from ai.connect4.report.settings import Settings
from ai.connect4.report.state import find_state, move_states, signatures, state_key
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from game.rules import connect4
from game.rules.connect4 import State

HEURISTIC = "complex"
REPORT_GAMES = 400_000
_SLICE_SECONDS = 0.01
_MOST_GAMES = 2_000
_FIRST_PLACES = 1 << 16
_FULL = 0.6
"""Share of the table's places that are taken at most."""


class QLearning(Training[Settings]):
    """The report's Q-learning. A checkpoint's settings stay, but for those of one run."""

    game, agent, kind = "connect4", AGENT, Settings
    each_run = ("games", "seconds", "least")
    fixed = tuple(each.name for each in fields(Settings) if each.name not in ("games", "seconds", "least"))

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self.settings = Settings(**settings)
        self._progress: Progress = new_progress()
        if checkpoint is not None:
            self._load(checkpoint, settings)
        else:
            if not self.settings.fading:
                self.settings = replace(self.settings, fading=self.settings.games or REPORT_GAMES)
            self.shape = self.settings.shape()
            self.table: Table = new_table(_FIRST_PLACES, self.shape.columns)
        self._tables, self._board = tables(self.shape, HEURISTIC), new_board(self.shape, (), HEURISTIC)
        self._search, self._signatures = new_master(self._tables), signatures(self.shape)
        now = self.settings
        self._rules = Rules(
            np.array([now.seat - 1, now.depth, now.master, self.seed & (2**63 - 1)], np.int64),
            np.array([now.alpha, now.gamma, now.explore, now.fading, now.weakness]),
        )
        self._slice = 8
        self._showing, self._shown_search = Showing(self.shape, self._choose), new_master(self._tables)
        self._begun = self.games
        self._last = self._begun, self.seconds

    @property
    @override
    def games(self) -> int:
        """Games finished, in all runs."""
        return int(self._progress.head[learning.GAMES])

    @property
    def states(self) -> int:
        """States known."""
        return int(self._progress.head[learning.STATES])

    @property
    @override
    def goal(self) -> int | None:
        """Games at which this run ends."""
        return self._begun + self.settings.games if self.settings.games else None

    @override
    def learn(self, thinking: Thinking) -> None:
        count = self._slice if self.goal is None else min(self._slice, self.goal - self.games)
        self._make_room(count)
        began = time.perf_counter()
        learn(
            self._tables, self._board, self._signatures, self._search, self.table, self._rules, self._progress, count
        )  # fmt: skip
        if count == self._slice:
            wanted = int(count * _SLICE_SECONDS / max(time.perf_counter() - began, 1e-6))
            self._slice = max(1, min(_MOST_GAMES, 2 * count, wanted))

    @override
    def figures(self) -> Figures:
        """How far it is and how well it plays, exploration included; speed since the last call."""
        head, games = self._progress.head, max(1, self.games)
        since, before = self._last
        spent = self.seconds - before
        speed = (self.games - since) / spent if spent else 0.0
        self._last = self.games, self.seconds
        recent = self._progress.results[: min(games, learning.RECENT)]
        left = max(0.0, 1.0 - self.games / self.settings.fading) * self.settings.explore
        return {
            "games": self.games,
            "games_per_second": round(speed),
            "win_rate": float(np.mean(recent > 0)),
            "cumulative_win_rate": int(head[learning.WON]) / games,
            "draw_rate": int(head[learning.DRAWN]) / games,
            "exploration": left,
            "master_share": left if self.settings.master else 0.0,
            "states": self.states,
            "updates": int(head[learning.UPDATES]),
        }

    def watch(self) -> State:
        """A game of the table as it is now against the usual opponents, a move on at every call."""
        return self._showing.look()

    def _choose(self, state: State, random: Random) -> int:
        """The best column of the table, and for the other seats what they play in the training."""
        legal, now = connect4.legal_actions(state), self.settings
        board = board_of(state, HEURISTIC)
        if state.to_move == now.seat - 1:
            key = np.uint64(state_key(self._tables, board, self._signatures))
            slot = find_state(self.table.keys, key)
            values = self.table.values[slot]  # zeros where the state is new
            best = max(values[column] for column in legal)
            return random.choice([column for column in legal if values[column] == best])
        if random.random() < now.weakness:
            return random.choice(legal)
        return int(master_move(self._tables, board, self._shown_search, now.depth))

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        used = self.table.keys != 0
        arrays: dict[str, Array] = {
            "keys": self.table.keys[used],
            "values": self.table.values[used],
            "visits": self.table.visits[used],
            "head": self._progress.head,
            "results": self._progress.results,
        }
        self.write_checkpoint(path, command, arrays)

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        now = self.settings
        master = f"a master that fades out over {now.fading:,} games" if now.master else "no master"
        rule = f"Q-learning, alpha {now.alpha:g}, gamma {now.gamma:g}, {master}"
        card = self.card(path, title, command, rule)
        kept = self.table.visits >= now.least
        write(path, self.shape, now.seat - 1, self.table.keys[kept], self.table.values[kept], card)

    def _make_room(self, games: int) -> None:
        """Let the table grow where so many games might fill it."""
        most = self.states + games * -(-self.shape.cells // self.shape.players)
        places = len(self.table.keys)
        while most > _FULL * places:
            places *= 2
        if places > len(self.table.keys):
            larger = new_table(places, self.shape.columns)
            move_states(*self.table, *larger)
            self.table = larger

    def _load(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            self.read_header(file, wanted, check=_possible)
            self.shape = self.settings.shape()
            keys = file.array("keys", "U64", (None,))
            table = Table(
                keys,
                file.array("values", "F32", (len(keys), self.shape.columns)),
                file.array("visits", "I64", (len(keys),)),
            )
            progress = new_progress()
            progress.head[:] = file.array("head", "I64", progress.head.shape)
            progress.results[:] = file.array("results", "I64", progress.results.shape)
        if (keys == 0).any() or len(np.unique(keys)) != len(keys) or progress.head[learning.STATES] != len(keys):
            raise ModelError(path, "its states are not each there once")
        if not np.isfinite(table.values).all() or (progress.head < 0).any():
            raise ModelError(path, "it holds numbers that no training makes")
        self._progress = progress
        self.table = new_table(max(_FIRST_PLACES, 1 << (2 * len(keys)).bit_length()), self.shape.columns)
        move_states(*table, *self.table)


def _possible(settings: Settings) -> bool:
    """Whether a checkpoint may have such settings; raises ValueError for some that it may not."""
    settings.shape()
    shares = (settings.alpha, settings.gamma, settings.explore, settings.weakness)
    return all(0 <= share <= 1 for share in shares) and settings.fading > 0 and 1 <= settings.depth <= 8
