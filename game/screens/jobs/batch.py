"""Many games in a process of their own: what has been played so far, how long it takes, how it ends."""

import time
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import override

from game.screens.jobs.job import Job
from game.screens.jobs.process import Process


class Batch(Protocol):
    """The games that have ended, and how far the present one is."""

    problem: str
    """One sentence when it broke off."""

    @property
    def games(self) -> Sequence[Any]:
        """Those that have ended."""
        ...

    @property
    def wanted(self) -> int:
        """Games in all."""
        ...

    def take(self, said: dict[str, Any]) -> None:
        """What the process says: a game that has ended, or how far the present one is."""
        ...

    def rest(self) -> None:
        """No game is under way any more."""
        ...


BatchT = TypeVar("BatchT", bound=Batch)


class BatchPlayer(Job, Generic[BatchT]):
    """Plays one batch at a time."""

    what = "The games"
    """What people are told of, as a sentence begins."""

    def __init__(self) -> None:
        """Nothing is played yet."""
        super().__init__()
        self.batch: BatchT | None = None
        self.seconds = 0.0
        """Since it began."""
        self._began = 0.0

    @property
    def left(self) -> float | None:
        """Seconds still needed, as far as that can be told."""
        batch = self.batch
        if batch is None or not batch.games or not self.busy:
            return None
        return self.seconds / len(batch.games) * (batch.wanted - len(batch.games))

    def begin(self, batch: BatchT, command: Sequence[str]) -> None:
        """Play it; one under way is ended."""
        self.stop()
        self.batch = batch
        self._began, self.seconds = time.perf_counter(), 0.0
        self._begin(self.what.lower(), command)

    def stop(self) -> None:
        """End it; the games that have ended count."""
        self.cancel()
        if self.batch is not None:
            self.batch.rest()

    @override
    def update(self) -> bool:
        """Once a frame: take what was said; whether all of it has just ended."""
        if self.busy:
            self.seconds = time.perf_counter() - self._began
        return super().update()

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        assert self.batch is not None
        if "refused" in said:
            self.batch.problem = f"{self.what} cannot be played: {said['refused'].rstrip('.')}."
        else:
            self.batch.take(said)

    @override
    def _gone(self, process: Process) -> None:
        batch = self.batch
        assert batch is not None
        batch.rest()
        if process.problem:
            batch.problem = f"{self.what} cannot be started: {process.problem}."
        elif len(batch.games) < batch.wanted and not batch.problem:
            batch.problem = f"{self.what} stopped unexpectedly; the log has the details."
