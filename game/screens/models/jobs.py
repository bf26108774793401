"""What takes longer than a frame: copying a model here, writing into its file. One after the other, in one thread."""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ai.agent import Thinking
from ai.models import ModelCard
from ai.worker import Worker
from game.screens.models.shelf import ShelfError

log = logging.getLogger("trilogic.models")

Job = Callable[[], ModelCard]


@dataclass(frozen=True, slots=True)
class Done:
    """How a job ended: with a card or with a sentence."""

    importing: str
    """The name of the file that was to be imported; empty for other jobs."""
    card: ModelCard | None = None
    problem: str = ""


class Jobs:
    """The thread starts with the first job."""

    def __init__(self) -> None:
        """Nothing to do."""
        self.importing = ""
        """The name of the file that is being imported."""
        self._waiting: deque[tuple[str, Job]] = deque()
        self._worker: Worker[ModelCard] | None = None

    def add(self, job: Job, importing: str = "") -> None:
        """Do it as soon as what came before is done."""
        self._waiting.append((importing, job))

    @property
    def busy(self) -> bool:
        """Whether anything is being done or waits."""
        return bool(self._waiting) or (self._worker is not None and self._worker.busy)

    def update(self) -> list[Done]:
        """Once a frame: what has ended since the last time."""
        ended = []
        for said in self._worker.poll() if self._worker is not None else ():
            if said.result is not None:
                ended.append(Done(self.importing, said.result))
            elif isinstance(said.error, ShelfError):
                ended.append(Done(self.importing, problem=str(said.error)))
            elif said.error is not None:
                log.error("a model could not be written", exc_info=said.error)
                ended.append(Done(self.importing, problem=f"The model could not be written: {said.error}."))
        if self._waiting and (self._worker is None or not self._worker.busy):
            self._start()
        return ended

    def _start(self) -> None:
        self.importing, job = self._waiting.popleft()
        self._worker = self._worker or Worker("models")

        def run(_thinking: Thinking, _emit: Callable[[object], None]) -> ModelCard:
            return job()

        self._worker.start((0, 0), run)

    def close(self) -> None:
        """End the thread; what waits is not done."""
        self._waiting.clear()
        if self._worker is not None:
            self._worker.close()
