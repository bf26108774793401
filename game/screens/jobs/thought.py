"""One question at a time for a thread that thinks: it begins when the game's agents are ready, and can be dropped."""

import logging
from collections.abc import Sequence
from typing import Generic, TypeVar

from ai import kernels
from ai.agent import Progress
from ai.worker import Job, Worker

AnswerT = TypeVar("AnswerT")
log = logging.getLogger("trilogic.agent")


class Thought(Generic[AnswerT]):
    """`update` once a frame, `close` in the end; the thread starts with the first question."""

    what = "The solver"
    """Who thinks, as a sentence begins."""

    def __init__(self, units: Sequence[str], name: str) -> None:
        """Nothing was asked yet; `units` are the kernels that it needs, `name` is the thread's."""
        self.answer: AnswerT | None = None
        self.progress = Progress()
        self.problem = ""
        """A sentence: why there is no answer."""
        self._units, self._name = units, name
        self._job: Job[AnswerT] | None = None
        self._limit: float | None = None
        self._worker: Worker[AnswerT] | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._job is not None

    @property
    def waiting(self) -> bool:
        """Whether the agents are still being prepared for this machine."""
        return self.busy and (self._worker is None or not self._worker.busy)

    @property
    def seconds(self) -> float:
        """How long it has been at it."""
        return self._worker.elapsed if self._worker is not None else 0.0

    def begin(self, job: Job[AnswerT], seconds: float | None = None) -> None:
        """Ask, and drop what was asked before; `seconds` is how long it may think."""
        self.forget()
        self._job, self._limit, self.problem = job, seconds, ""

    def stop_early(self) -> None:
        """The best answer so far will do."""
        if self._worker is not None:
            self._worker.stop_early()

    def forget(self) -> None:
        """Stop thinking and drop the question and its answer."""
        if self._worker is not None:
            self._worker.cancel()
        self._job, self.answer, self.progress = None, None, Progress()

    def update(self) -> None:
        """Begin when the agents are ready, and listen."""
        if self._job is not None and self.waiting and kernels.ready(self._units):
            self._worker = self._worker or Worker(self._name)
            self._worker.start((0, 0), self._job, seconds=self._limit)
        for said in self._worker.poll() if self._worker is not None else ():
            if said.progress is not None:
                self.progress = said.progress
            elif said.result is not None:
                self.answer, self._job = said.result, None
            elif said.error is not None:
                self.forget()
                self.problem = self._failed(said.error)

    def _failed(self, error: BaseException) -> str:
        """What people are told of an exception, which the log keeps."""
        log.error("%s failed", self.what, exc_info=error)
        return f"{self.what} failed: {error or type(error).__name__}. The log has the details."

    def close(self) -> None:
        """End the thread."""
        self.forget()
        if self._worker is not None:
            self._worker.close()
