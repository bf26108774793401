"""A training of an n-tuple network: settings, threads, figures, checkpoints, and the model that comes of it."""

import math
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from ai import checkpoints
from ai.agent import Thinking
from ai.models import CHECKPOINT
from ai.tensors import Array, ModelError, TensorFile
from ai.training import Figures, Training
from ai.twenty48.board.packed import cells_of
from ai.twenty48.ntuple import episode as counter
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.episode import HISTORY, RECENT, REMEMBERED, Episode, make_episode
from ai.twenty48.ntuple.grid_learning import learn_grid
from ai.twenty48.ntuple.grid_network import GridNetwork, make_grid_network
from ai.twenty48.ntuple.learning import learn
from ai.twenty48.ntuple.network import SYMMETRIES, Network, make_network, make_rules
from ai.twenty48.ntuple.rules import NEVER, Rule, Sums, horizon_of
from ai.twenty48.ntuple.settings import Settings
from ai.twenty48.ntuple.shapes import (
    LARGEST,
    SHAPES_OF,
    format_stages,
    format_tuples,
    table_sizes,
)
from ai.twenty48.ntuple.starts import boards_of
from game.rules.twenty48 import State

_SLICE_MOVES = 10_000
_REACHED = (11, 13, 14, 15)
"""Exponents of the tiles of which the figures say how often they are reached."""
MAX_THREADS = 64


class NTupleTraining(Training[Settings]):
    """Temporal difference learning from games against nothing but the spawns.

    With more than one thread chance has a part in the weights. It may also go on from a model, which has 16 bits a weight
    and no error sums: these start anew. A checkpoint's tuples and threads stay, and a model's tuples; later stages may be
    added to both.
    """

    game, agent, kind = "twenty48", "ntuple", Settings
    each_run = ("games", "seconds", "replays")
    version = 2

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        super().__init__(seed)
        self._games_before = 0
        if checkpoint is None:
            self.settings = _begun(Settings(**settings))
            self._build()
            self._weights[:] = self.settings.optimistic / (
                len(self._tuples) * SYMMETRIES
            )  # np.zeros is slow to touch
            self._weights[self._size :] = self._unlearned()
            self._sums[:] = 0
        elif checkpoint.name.endswith(CHECKPOINT):
            self._load(checkpoint, settings)
        else:
            self._take_up(checkpoint, settings)
        if self.settings.replays:
            self._remember(*boards_of(self.settings.replays, self._network.stages))
        self._begun = [int(episode.head[counter.GAMES]) for episode in self._episodes]
        self._last_moves = self.moves
        self._last_seconds = self.seconds

    @property
    @override
    def games(self) -> int:
        """Games finished, in all runs."""
        return self._games_before + int(sum(episode.head[counter.GAMES] for episode in self._episodes))

    @property
    def moves(self) -> int:
        """Moves played, in all runs."""
        return int(sum(episode.head[counter.MOVES] for episode in self._episodes))

    @property
    @override
    def goal(self) -> int | None:
        """Games at which this run ends."""
        return self._games_before + sum(self._begun) + self.settings.games if self.settings.games else None

    @override
    def advance(self, seconds: float, thinking: Thinking) -> bool:
        """Learn for about that long or until the thinking is over; returns whether all games are played."""
        started = time.perf_counter()

        def run(number: int) -> None:
            episode, until = self._episodes[number], self._share(number)
            while not thinking.over() and episode.head[counter.GAMES] < until:
                self._learn(episode, number, until)
                if time.perf_counter() - started >= seconds:
                    break

        threads = [threading.Thread(target=run, args=(number,)) for number in range(1, len(self._episodes))]
        for thread in threads:
            thread.start()
        run(0)
        for thread in threads:
            thread.join()
        self.seconds += time.perf_counter() - started
        return all(
            episode.head[counter.GAMES] >= self._share(number) for number, episode in enumerate(self._episodes)
        )

    @override
    def figures(self) -> Figures:
        """How far it is and how well it plays; speed and TD error since the last call."""
        each = -(-RECENT // len(self._episodes))
        scores = np.concatenate([_recent(episode, episode.scores, each) for episode in self._episodes])
        tiles = np.concatenate([_recent(episode, episode.tiles, each) for episode in self._episodes])
        errors = sum(episode.errors for episode in self._episodes)
        assert not isinstance(errors, int)
        for episode in self._episodes:
            episode.errors[:] = 0
        moves, seconds = self.moves, self.seconds
        spent = seconds - self._last_seconds
        speed = (moves - self._last_moves) / spent if spent else 0.0
        self._last_moves, self._last_seconds = moves, seconds
        return {
            "games": self.games,
            "moves": moves,
            "moves_per_second": round(speed),
            "mean_score": float(np.mean(scores)) if len(scores) else 0.0,
            **{
                f"reached_{2**exponent}": float(np.mean(tiles >= exponent)) if len(scores) else 0.0
                for exponent in _REACHED
            },
            "td_error": float(errors[counter.ERROR] / errors[counter.COUNT]) if errors[counter.COUNT] else 0.0,
        }

    def watch(self) -> State | None:
        """The position of the first thread's game now."""
        episode, size = self._episodes[0], self.settings.size
        if not episode.head[counter.TOTAL]:
            return None
        board = episode.position[0]
        cells = cells_of(int(board)) if size == 4 else tuple(int(cell) for cell in board)
        return State(size, cells, int(episode.head[counter.SCORE]), self.seed, int(episode.luck[counter.SPAWNS]))

    @override
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        arrays: dict[str, Array] = {"weights": self._weights, "sums": self._sums}
        for name in Episode._fields:
            arrays[name] = np.stack([getattr(episode, name) for episode in self._episodes])
        self.write_checkpoint(path, command, arrays, games_before=self._games_before)

    @override
    def save_model(self, path: Path, title: str, command: str) -> None:
        card = self.card(path, title, command, self.settings.sentence())
        size, stages = self.settings.size, self.settings.thresholds()
        ntuple_model.write(
            path,
            self._tuples,
            self._learned(),
            card,
            stages=stages,
            size=size,
            promoted=self.settings.promote,
            known=self.settings.known if self.settings.known < LARGEST else 0,
        )

    def _remember(self, boards: npt.NDArray[np.uint64], totals: npt.NDArray[np.int64]) -> None:
        """Games of later stages may begin in these boards, given with the sums of their tiles."""
        order = np.random.default_rng(self.seed).permutation(len(boards))
        stages = np.searchsorted(self._network.stages, totals[order], side="right") - 1
        for stage in range(len(self._network.stages)):
            chosen = order[stages == stage][:REMEMBERED]
            for episode in self._episodes:
                episode.begun[stage, : len(chosen)] = boards[chosen]
                episode.begun_totals[stage, : len(chosen)] = totals[chosen]
                episode.known[stage] = len(chosen)

    def _learn(self, episode: Episode, number: int, until: int) -> None:
        """One slice of one thread, in a kernel."""
        rule, seed, stride = self._rule, np.uint64(self.seed), len(self._episodes)
        if isinstance(self._network, GridNetwork):
            learn_grid(self._network, self._sums, episode, rule, seed, number, stride, until, _SLICE_MOVES)
        else:
            learn(self._network, self._sums, self._rules, episode, rule, seed, number, stride, until, _SLICE_MOVES)

    def _share(self, number: int) -> int:
        """Games of one episode at which this run ends."""
        games, threads = self.settings.games, len(self._episodes)
        if not games:
            return 2**62
        return self._begun[number] + games // threads + (number < games % threads)

    def _learned(self) -> npt.NDArray[np.float32]:
        """(stages, weights): those that go into a model."""
        weights = self._weights.reshape(-1, self._size)
        if self.settings.least <= 0:
            return weights
        weights = weights.copy()
        for stage, unsigned in enumerate(self._sums[:, 1].reshape(-1, self._size)):
            weights[stage][(unsigned > 0) & (unsigned < self.settings.least)] = self._unlearned() if stage else 0.0
        return weights

    def _unlearned(self) -> float:
        """What weights of later stages are before they learn: NaN stands for the weight of the stage before."""
        return math.nan if self.settings.promote else 0.0

    def _build(self) -> None:
        """Room for the weights of the settings; not filled."""
        self._tuples = self.settings.shape()
        self._rule = _rule(self.settings)
        stages = self.settings.thresholds()
        side = self.settings.size
        self._size = sum(table_sizes(self._tuples, side))
        total = self._size * (len(stages) + 1)
        self._weights: npt.NDArray[np.float32] = np.empty(total, np.float32)
        self._sums: Sums = np.empty((total, 2), np.float32)
        self._network: Network | GridNetwork = (
            make_network(self._tuples, self._weights, stages=stages)
            if side == 4
            else make_grid_network(self._tuples, self._weights, side, stages=stages)
        )
        self._rules = make_rules()
        self._episodes = [
            make_episode(len(self._tuples), self._rule.horizon, len(stages) + 1, side)
            for _ in range(self.settings.threads)
        ]

    def _load(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            kept, numbers = self.read_header(file, wanted, "games_before", check=_possible)
            had, tuples = kept.thresholds(), kept.shape()
            fixed = ("size", "tuples", "threads", "optimistic", *(("promote",) if had else ()))
            checkpoints.keep(file, kept, wanted, fixed)
            if self.settings.thresholds()[: len(had)] != had:
                raise ValueError(
                    f"{path.name} has the stages {kept.stages!r}: later ones can be added, none taken away"
                )
            self._games_before = numbers["games_before"]
            self._build()
            filled = sum(table_sizes(tuples, kept.size)) * (len(had) + 1)
            self._weights[:filled] = file.array("weights", "F32", (filled,))
            self._sums[:filled] = file.array("sums", "F32", (filled, 2))
            self._weights[filled:] = self._unlearned()
            self._sums[filled:] = 0
            self._load_episodes(file, horizon_of(kept.lam), len(had) + 1)
        good = bool(np.isfinite(self._sums).all() and np.isfinite(self._weights[: self._size]).all())
        good = good and not np.isinf(self._weights).any()
        if not good or any((episode.head < 0).any() for episode in self._episodes):
            raise ModelError(path, "it holds numbers that no training makes")

    def _load_episodes(self, file: TensorFile, horizon: int, stages: int) -> None:
        """The games being played. What waits for its errors is lost when λ changes."""
        written = make_episode(len(self._tuples), horizon, stages, self.settings.size)._asdict()
        for name, field in written.items():
            rows = file.like(name, field, len(self._episodes))
            for episode, row in zip(self._episodes, rows, strict=True):
                mine = getattr(episode, name)
                if name in ("where", "owed") and len(mine) != len(row):
                    continue
                mine[: len(row)] = row
        for episode in self._episodes:
            head, lookups = episode.head, episode.where.shape[1]
            inside = head[counter.WAITING] <= horizon and head[counter.OLDEST] < horizon and lookups
            inside = inside and head[counter.LENGTH] <= HISTORY and bool((episode.where < len(self._weights)).all())
            if not inside or head[counter.TURN] > len(episode.known) or not bool(np.isfinite(episode.owed).all()):
                raise ModelError(file.path, "it holds numbers that no training makes")
            if len(episode.owed) != horizon:
                head[counter.OLDEST] = head[counter.WAITING] = 0

    def _take_up(self, path: Path, wanted: Mapping[str, Any]) -> None:
        """Begin with the weights of a model."""
        model = ntuple_model.load(path)
        kept = {"tuples": format_tuples(model.tuples), "stages": format_stages(model.stages)}
        named = next((name for name, text in SHAPES_OF[model.size].items() if text == kept["tuples"]), kept["tuples"])
        settings = Settings(
            **{
                **kept,
                "size": model.size,
                "tuples": named,
                "promote": model.promoted,
                "known": model.known or LARGEST,
                **wanted,
            }
        )
        if settings.size != model.size:
            raise ValueError(f"{path.name} is for boards of size {model.size} and keeps it")
        if settings.shape() != model.tuples:
            raise ValueError(f"{path.name} has the tuples {kept['tuples']!r} and keeps them")
        if settings.thresholds()[: len(model.stages)] != model.stages:
            raise ValueError(
                f"{path.name} has the stages {kept['stages']!r}: later ones can be added, none taken away"
            )
        if settings.promote != model.promoted and model.stages:
            raise ValueError(f"{path.name} was begun with promote={model.promoted} and keeps it")
        self.settings = _begun(settings)
        self.seconds, self._games_before = model.card.seconds, model.card.games
        self.earlier = checkpoints.earlier(model.card.command)
        self._build()
        begin = 0
        for _ in range(len(model.stages) + 1):
            for step, size in zip(model.steps, table_sizes(model.tuples, model.size), strict=True):
                np.multiply(model.weights[begin : begin + size], step, out=self._weights[begin : begin + size])
                begin += size
        self._weights[begin:] = self._unlearned()
        later = len(model.stages) if model.promoted else 0
        for stage in range(later * self._size, 0, -self._size):  # what was never learned there is as before
            part, before = self._weights[stage:][: self._size], self._weights[stage - self._size :][: self._size]
            part[part == before] = np.nan
        self._sums[:] = 0


def _begun(settings: Settings) -> Settings:
    """The settings with what is fixed when a training begins."""
    return replace(settings, td_games=round(settings.games * settings.td_share) if settings.rule == "otd" else 0)


def _recent(episode: Episode, values: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """The values of the last games of an episode, at most `count`."""
    games = int(episode.head[counter.COUNTED])
    last = np.arange(max(0, games - min(count, RECENT)), games) % RECENT
    return values[last]


def _possible(settings: Settings) -> bool:
    """Whether a checkpoint may have such settings; raises ValueError or KeyError for some that it may not."""
    settings.thresholds()
    settings.shape()
    _rule(settings)
    return 1 <= settings.threads <= MAX_THREADS and settings.alpha > 0


def _rule(told: Settings) -> Rule:
    """The settings as the kernels take them. Raises ValueError when they do not go together."""
    told.check()
    return Rule(
        td_alpha=told.td_alpha,
        tc_alpha=told.alpha,
        coherent_from={"tc": 0, "otd": told.td_games}.get(told.rule, NEVER),
        final=told.final,
        fading=told.fading,
        decay=told.lam,
        horizon=horizon_of(told.lam),
        backward=told.rule == "td-backward",
        restart=told.restart,
        carousel=told.carousel,
        late=told.late,
        known=told.known,
    )
