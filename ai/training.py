"""What all trainings have in common: what they were told, how long they have learned, the headers of what they write."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from ai import checkpoints
from ai.agent import Thinking
from ai.models import ModelCard
from ai.tensors import Array, ModelError, TensorFile, write_whole
from ai.threads import one_thread

Figures = Mapping[str, float]
"""Name -> number: what a training says of itself, the same names every time."""

SettingsT = TypeVar("SettingsT", bound=Any, default=Any)
"""A frozen dataclass with defaults, `seconds` among its fields: the time of one run."""


class Training(ABC, Generic[SettingsT]):
    """Something that learns in rounds; `ai.trainers.run` leads it.

    One is made with (settings, seed, checkpoint). The settings are fields of its class of settings; those missing are the
    checkpoint's or the defaults. The seed is that of all that is random; the same settings and seed give the same weights,
    in one run or in several. Without a checkpoint, which is what `save_checkpoint` wrote, a training begins; with one it goes
    on, and that one's seed stays, and so do those of its settings that do not belong to one run. Making one raises ModelError
    when the checkpoint cannot be used, and ValueError when other settings are wanted than it keeps or they do not go together.
    """

    game: ClassVar[str]
    agent: ClassVar[str]
    """As checkpoints name it: the id of its trainer, or the agent of its models."""
    kind: ClassVar[type[Any]]
    """The class of its settings."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Settings that it keeps for good."""
    each_run: ClassVar[tuple[str, ...]] = ("seconds",)
    """Settings of one run: their defaults where nothing is wanted."""
    version: ClassVar[int] = checkpoints.VERSION
    """Of its checkpoints."""
    settings: SettingsT
    seconds: float
    """Learning time in all runs."""
    earlier: str
    """The command lines of the runs before, each with `; ` after it."""

    def __init__(self, seed: int) -> None:
        self.seed, self.seconds, self.earlier = seed, 0.0, ""

    @property
    @abstractmethod
    def games(self) -> int:
        """Games finished, or whatever is counted instead of games, in all runs."""

    @property
    @abstractmethod
    def goal(self) -> int | None:
        """The number of them at which this run ends, if one was asked for."""

    @property
    def done(self) -> bool:
        """Whether this run has nothing left to learn."""
        return self.goal is not None and self.games >= self.goal

    def learn(self, thinking: Thinking) -> None:
        """Learn a little: what comes between two looks at the clock."""
        raise NotImplementedError

    @one_thread()
    def advance(self, seconds: float, thinking: Thinking) -> bool:
        """Learn for about that long or until the thinking is over; returns whether it is done."""
        started = time.perf_counter()
        while not self.done and not thinking.over():
            self.learn(thinking)
            if time.perf_counter() - started >= seconds:
                break
        self.seconds += time.perf_counter() - started
        return self.done

    @abstractmethod
    def figures(self) -> Figures:
        """Progress since the last call."""

    @abstractmethod
    def save_checkpoint(self, path: Path, command: str = "") -> None:
        """Write everything needed to go on exactly here, `command` being all that led here. Raises OSError."""

    @abstractmethod
    def save_model(self, path: Path, title: str, command: str) -> None:
        """Write the model, without what only learning needs. Raises OSError, and ValueError when it is not usable."""

    def write_checkpoint(
        self, path: Path, command: str, arrays: Mapping[str, Array], level: str = "", **numbers: int
    ) -> None:
        """Write arrays and numbers with the header of this training, and the level that it learns. Raises OSError."""
        texts = {
            "format": checkpoints.FORMAT,
            "version": str(self.version),
            "game": self.game,
            "agent": self.agent,
            "settings": json.dumps(asdict(self.settings)),
            "seed": str(self.seed),
            "seconds": repr(self.seconds),
            "command": command,
            **{name: str(number) for name, number in numbers.items()},
        }
        write_whole(path, arrays, {**texts, "level": level} if level else texts)

    def read_header(
        self,
        file: TensorFile,
        wanted: Mapping[str, Any],
        *names: str,
        check: Callable[[SettingsT], bool] = lambda _settings: True,
    ) -> tuple[SettingsT, dict[str, int]]:
        """Take over what the header of a checkpoint says, and of the settings what is wanted now.

        Args:
            file: The checkpoint.
            wanted: Settings of the run that begins.
            names: Of the numbers that the training has written.
            check: Whether settings are possible; may raise ValueError or KeyError instead of answering False.

        Returns:
            The settings that it was begun with, and the numbers, none of them negative.

        Raises:
            ModelError: it is another file, or says what no training writes.
            ValueError: something else is wanted than what it keeps.
        """
        texts = file.metadata
        found = (texts.get("format"), texts.get("version"), texts.get("game"), texts.get("agent"))
        if found != (checkpoints.FORMAT, str(self.version), self.game, self.agent):
            of = f"a training of {self.agent!r} in {self.game}"
            raise ModelError(file.path, f"it is no checkpoint of {of} that this app reads")
        try:
            begun: SettingsT = msgspec.json.decode(texts["settings"], type=self.kind)
            seed, seconds = int(texts["seed"]), float(texts["seconds"])
            numbers = {name: int(texts[name]) for name in names}
            good = (
                0 <= seed < 2**64 and math.isfinite(seconds) and all(0 <= each < 2**62 for each in numbers.values())
            )
            good = good and check(begun)
        except (KeyError, ValueError, RecursionError):
            good = False
        if not good:
            raise ModelError(file.path, "the settings in its header cannot be read")
        checkpoints.keep(file, begun, wanted, self.fixed)
        fresh = self.kind()
        self.settings = replace(begun, **{name: getattr(fresh, name) for name in self.each_run} | dict(wanted))
        self.seed, self.seconds, self.earlier = seed, seconds, checkpoints.earlier(texts.get("command", ""))
        return begun, numbers

    def card(self, path: Path, title: str, command: str, rule: str) -> ModelCard:
        """What the header of its model says of the training; the model's own `write` adds what it is."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        return ModelCard(
            path, title=title, rule=rule, games=self.games, seed=self.seed, command=command, seconds=self.seconds, date=now
        )  # fmt: skip
