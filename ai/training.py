"""What all trainings have in common: what they were told, how long they have learned, the headers of what they write."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Generic

from ai import checkpoints
from ai.agent import Thinking
from ai.checkpoints import Header, SettingsT
from ai.models import ModelCard
from ai.tensors import Array, TensorFile, write_whole
from ai.threads import one_thread


class BaseTraining(Generic[SettingsT]):
    """The beginning of every `ai.trainers.Training`.

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

    def __init__(self, seed: int) -> None:
        self.seed, self.seconds, self.earlier = seed, 0.0, ""

    @property
    def games(self) -> int:
        """Games finished, or whatever is counted instead of games, in all runs."""
        raise NotImplementedError

    @property
    def goal(self) -> int | None:
        """The number of them at which this run ends, if one was asked for."""
        raise NotImplementedError

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

    def write_checkpoint(
        self, path: Path, command: str, arrays: Mapping[str, Array], level: str = "", **numbers: int
    ) -> None:
        """Write arrays and numbers with the header of this training, and the level that it learns. Raises OSError."""
        texts = checkpoints.header(
            self.game, self.agent, self.settings, self.seed, self.seconds, command, version=self.version, **numbers
        )
        write_whole(path, arrays, {**texts, "level": level} if level else texts)

    def read_header(
        self,
        file: TensorFile,
        wanted: Mapping[str, Any],
        *numbers: str,
        check: Callable[[SettingsT], bool] = lambda _settings: True,
    ) -> Header[SettingsT]:
        """Take over what the header of a checkpoint says; what it raises are the errors of `ai.checkpoints.read`."""
        found: Header[SettingsT] = checkpoints.read(
            file, self.game, self.agent, self.kind, wanted,
            fixed=self.fixed, each_run=self.each_run, numbers=numbers, check=check, version=self.version,
        )  # fmt: skip
        self.settings, self.seed = found.settings, found.seed
        self.seconds, self.earlier = found.seconds, found.earlier
        return found

    def card(self, path: Path, title: str, command: str, rule: str) -> ModelCard:
        """What the header of its model says of the training; the model's own `write` adds what it is."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        return ModelCard(
            path, title=title, rule=rule, games=self.games, seed=self.seed, command=command, seconds=self.seconds, date=now
        )  # fmt: skip
