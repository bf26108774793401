"""A training of an n-tuple network: settings, threads, figures, checkpoints, and the model that comes of it."""

import json
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from ai.agent import Thinking
from ai.models import ModelCard
from ai.tensors import Array, ModelError, TensorFile, write_whole
from ai.trainers import CHECKPOINT_FORMAT, CHECKPOINT_VERSION, Figures
from ai.twenty48 import ntuple_model
from ai.twenty48.ntuple import make_network, make_rules
from ai.twenty48.ntuple_learning import (
    COUNT,
    ERROR,
    GAMES,
    MOVES,
    RECENT,
    Episode,
    Sums,
    learn,
    make_episode,
)
from ai.twenty48.ntuple_shapes import SHAPES, parse_tuples, table_sizes

_SLICE_MOVES = 10_000
_WON = 11
"""Exponent of the tile 2048."""
MAX_THREADS = 64


@dataclass(frozen=True, slots=True)
class Settings:
    """What a training was told; `ai.catalogue` says what each may be."""

    tuples: str = "5x4"
    alpha: float = 1.0
    threads: int = 1
    games: int = 0
    """Games to play in this run, 0 for no limit."""
    seconds: float = 0.0
    """Time for this run, 0 for no limit; kept by whoever calls `advance`."""


class NTupleTraining:
    """Temporal coherence learning from games against nothing but the spawns.

    With one thread the same settings and seed give the same weights, in one run or in several.
    """

    def __init__(self, settings: Mapping[str, Any], seed: int, checkpoint: Path | None = None) -> None:
        """Begin, or go on from a checkpoint, whose tuples, threads and seed then stay.

        Args:
            settings: Fields of `Settings`; those missing are the checkpoint's or the defaults.
            seed: Of all games.
            checkpoint: What `save_checkpoint` wrote.

        Raises:
            ModelError: when the checkpoint cannot be used.
            ValueError: when the settings are not the checkpoint's.
        """
        self.seed = seed
        self.settings = Settings(**settings)
        self.seconds = 0.0
        if checkpoint is None:
            self._build()
            self._weights[:] = 0  # not np.zeros: pages that are touched one by one are slow
            self._sums[:] = 0
        else:
            self._load(checkpoint, settings)
        self._begun = [int(episode.head[GAMES]) for episode in self._episodes]
        self._last_moves = self.moves
        self._last_seconds = self.seconds

    @property
    def games(self) -> int:
        """Games finished, in all runs."""
        return int(sum(episode.head[GAMES] for episode in self._episodes))

    @property
    def moves(self) -> int:
        """Moves played, in all runs."""
        return int(sum(episode.head[MOVES] for episode in self._episodes))

    @property
    def goal(self) -> int | None:
        """Games at which this run ends."""
        return sum(self._begun) + self.settings.games if self.settings.games else None

    def advance(self, seconds: float, thinking: Thinking) -> bool:
        """Learn for about that long or until the thinking is over; returns whether all games are played."""
        started = time.perf_counter()

        def run(number: int) -> None:
            episode, until = self._episodes[number], self._share(number)
            while not thinking.over() and episode.head[GAMES] < until:
                learn(
                    self._network,
                    self._sums,
                    self._rules,
                    episode,
                    np.float32(self.settings.alpha),
                    np.uint64(self.seed),
                    number,
                    len(self._episodes),
                    until,
                    _SLICE_MOVES,
                )
                if time.perf_counter() - started >= seconds:
                    break

        threads = [threading.Thread(target=run, args=(number,)) for number in range(1, len(self._episodes))]
        for thread in threads:
            thread.start()
        run(0)
        for thread in threads:
            thread.join()
        self.seconds += time.perf_counter() - started
        return all(episode.head[GAMES] >= self._share(number) for number, episode in enumerate(self._episodes))

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
            "reached_2048": float(np.mean(tiles >= _WON)) if len(scores) else 0.0,
            "td_error": float(errors[ERROR] / errors[COUNT]) if errors[COUNT] else 0.0,
        }

    def save_checkpoint(self, path: Path) -> None:
        """Write everything needed to go on exactly here. Raises OSError."""
        arrays: dict[str, Array] = {"weights": self._weights, "sums": self._sums}
        for name in Episode._fields:
            if name != "where":
                arrays[name] = np.stack([getattr(episode, name) for episode in self._episodes])
        texts = {
            "format": CHECKPOINT_FORMAT,
            "version": str(CHECKPOINT_VERSION),
            "game": "twenty48",
            "agent": "ntuple",
            "settings": json.dumps(asdict(self.settings)),
            "seed": str(self.seed),
            "seconds": repr(self.seconds),
        }
        write_whole(path, arrays, texts)

    def save_model(self, path: Path, title: str, command: str) -> None:
        """Write the 16-bit model, without what only learning needs. Raises OSError and ValueError."""
        alpha = f"{self.settings.alpha:g}"
        card = ModelCard(
            path,
            title=title,
            rule=f"TC(0), alpha {alpha}",
            games=self.games,
            seed=self.seed,
            command=command,
            seconds=self.seconds,
            date=datetime.now().astimezone().isoformat(timespec="seconds"),
        )
        ntuple_model.write(path, self._tuples, self._weights, card)

    def _share(self, number: int) -> int:
        """Games of one episode at which this run ends."""
        games, threads = self.settings.games, len(self._episodes)
        if not games:
            return 2**62
        return self._begun[number] + games // threads + (number < games % threads)

    def _build(self) -> None:
        """Room for the weights of the settings; not filled."""
        self._tuples = parse_tuples(SHAPES[self.settings.tuples])
        size = sum(table_sizes(self._tuples))
        self._weights: npt.NDArray[np.float32] = np.empty(size, np.float32)
        self._sums: Sums = np.empty((size, 2), np.float32)
        self._network = make_network(self._tuples, self._weights)
        self._rules = make_rules()
        self._episodes = [make_episode(len(self._tuples)) for _ in range(self.settings.threads)]

    def _load(self, path: Path, wanted: Mapping[str, Any]) -> None:
        with TensorFile(path) as file:
            texts = file.metadata
            kind = (texts.get("format"), texts.get("version"), texts.get("game"), texts.get("agent"))
            if kind != (CHECKPOINT_FORMAT, str(CHECKPOINT_VERSION), "twenty48", "ntuple"):
                raise ModelError(path, "it is no checkpoint of an n-tuple training that this app reads")
            try:
                kept = msgspec.json.decode(texts["settings"], type=Settings)
                seed, self.seconds = int(texts["seed"]), float(texts["seconds"])
                good = kept.tuples in SHAPES and 1 <= kept.threads <= MAX_THREADS and 0 <= seed < 2**64
                good = good and math.isfinite(self.seconds) and kept.alpha > 0
            except (KeyError, ValueError, RecursionError):
                good = False
            if not good:
                raise ModelError(path, "the settings in its header cannot be read")
            for name in ("tuples", "threads"):
                if name in wanted and wanted[name] != getattr(kept, name):
                    raise ValueError(f"{path.name} was begun with {name}={getattr(kept, name)} and keeps it")
            self.settings = replace(kept, **{"games": 0, "seconds": 0.0, **wanted})
            self.seed = seed
            self._build()
            self._weights[:] = file.array("weights", "F32", self._weights.shape)
            self._sums[:] = file.array("sums", "F32", self._sums.shape)
            for name, field in self._episodes[0]._asdict().items():
                if name == "where":
                    continue
                kind_of = {"uint64": "U64", "int64": "I64", "float64": "F64"}[field.dtype.name]
                rows = file.array(name, kind_of, (len(self._episodes), *field.shape))
                for episode, row in zip(self._episodes, rows, strict=True):
                    getattr(episode, name)[:] = row
        good = all(bool(np.isfinite(part).all()) for part in (self._weights, self._sums))
        if not good or any((episode.head < 0).any() for episode in self._episodes):
            raise ModelError(path, "it holds numbers that no training makes")


def _recent(episode: Episode, values: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """The values of the last games of an episode, at most `count`."""
    games = int(episode.head[GAMES])
    last = np.arange(max(0, games - min(count, RECENT)), games) % RECENT
    return values[last]
