"""Runs one agent in one background thread: progress out, cancel in.

The owner (a scene) calls `start` and, once a frame, `poll`; nothing here ever calls into the owner. A new request
cancels the one before. Every message carries the ticket of its request (game and ply), so late ones are dropped.

Nobody waits for a thread to end while a window is open: most agents answer a cancel within 50 ms, but one that is reading
a large model takes seconds. `wait_for_all` does that once, at the end: a thread that is still inside torch or a kernel when
the interpreter ends would abort the process.
"""

import atexit
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ai.agent import Progress, Thinking

ResultT = TypeVar("ResultT")
Ticket = tuple[int, int]
"""(game number, ply): what a result belongs to."""


@dataclass(frozen=True, slots=True)
class Said(Generic[ResultT]):
    """One message of a worker: progress, an item of a running job, the result, or the exception that ended it.

    `request` counts the requests of the worker, so that an answer to a cancelled request with the same ticket
    is recognised.
    """

    ticket: Ticket
    request: int
    progress: Progress | None = None
    item: object | None = None
    result: ResultT | None = None
    error: BaseException | None = None

    @property
    def final(self) -> bool:
        """Whether this is the last word on its ticket."""
        return self.result is not None or self.error is not None


Job = Callable[[Thinking, Callable[[object], None]], ResultT]
"""Work for the thread: gets its budget and `emit(item)` for results on the way; returns the last result."""


@dataclass(frozen=True, slots=True)
class _Request(Generic[ResultT]):
    number: int
    ticket: Ticket
    job: Job[ResultT]
    thinking: Thinking


ENDING_SECONDS = 2.0
_open: "set[Worker[Any]]" = set()
"""Workers whose threads have not ended yet."""


def wait_for_all(seconds: float = ENDING_SECONDS) -> bool:
    """Wait for the threads of all closed workers, so long together at most; whether they have ended."""
    workers = [worker for worker in list(_open) if worker.closed]
    end = time.monotonic() + seconds
    ended = [worker.join(max(0.0, end - time.monotonic())) for worker in workers]
    return all(ended)


@atexit.register
def _close_all() -> None:
    for worker in list(_open):
        worker.close()
    wait_for_all()


class Worker(Generic[ResultT]):
    """One thread, one request at a time. `close` it when it is no longer needed."""

    def __init__(self, name: str) -> None:
        """`name` shows in the log and in debuggers."""
        self._requests: queue.SimpleQueue[_Request[ResultT] | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[Said[ResultT]] = queue.SimpleQueue()
        self._current: _Request[ResultT] | None = None
        self._count = 0
        self.closed = False
        """Whether its thread is to end."""
        self._latest_progress: tuple[int, Progress] | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        _open.add(self)
        self._thread.start()

    @property
    def ticket(self) -> Ticket | None:
        """The ticket being worked on, None when idle."""
        return self._current.ticket if self._current else None

    @property
    def busy(self) -> bool:
        """Whether a request is open (its final message has not been polled yet)."""
        return self._current is not None

    @property
    def elapsed(self) -> float:
        """Seconds the open request has been running; 0 when idle."""
        return self._current.thinking.elapsed if self._current else 0.0

    def start(
        self, ticket: Ticket, job: Job[ResultT], seconds: float | None = None, nodes: int | None = None
    ) -> None:
        """Cancel what runs and start `job`; its messages will carry `ticket`."""
        self.cancel()
        self._count += 1
        number = self._count

        def listen(progress: Progress) -> None:
            self._latest_progress = (number, progress)

        self._current = _Request(number, ticket, job, Thinking(seconds, nodes, listen))
        self._requests.put(self._current)

    def cancel(self) -> None:
        """Stop the open request and forget it: none of its messages will be delivered."""
        if self._current is not None:
            self._current.thinking.cancel()
            self._current = None
            self._latest_progress = None

    def stop_early(self) -> None:
        """Ask the open request to stop but keep listening: its best so far will arrive as the result."""
        if self._current is not None:
            self._current.thinking.cancel()

    def poll(self) -> list[Said[ResultT]]:
        """Everything said on the open ticket since the last call, oldest first. Never waits."""
        said: list[Said[ResultT]] = []
        if self._current is None:
            self._drop()
            return said
        request = self._current
        latest, self._latest_progress = self._latest_progress, None
        if latest is not None and latest[0] == request.number:
            said.append(Said(request.ticket, request.number, progress=latest[1]))
        with contextlib.suppress(queue.Empty):
            while True:
                message = self._said.get_nowait()
                if message.request != request.number:
                    continue
                said.append(message)
                if message.final:
                    self._current = None
                    break
        return said

    def close(self) -> None:
        """Cancel, and let the thread end as soon as it can. Never waits: `wait_for_all` does."""
        self.closed = True
        self.cancel()
        self._requests.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for the thread of a closed worker, so long at most; whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _drop(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._said.get_nowait()

    def _run(self) -> None:
        try:
            self._answer()
        finally:
            _open.discard(self)

    def _answer(self) -> None:
        while (request := self._requests.get()) is not None:
            if request is not self._current:  # forgotten; one that is only to stop early still has its last word
                continue

            def emit(item: object, request: _Request[ResultT] = request) -> None:
                self._said.put(Said(request.ticket, request.number, item=item))

            try:
                result = request.job(request.thinking, emit)
                self._said.put(Said(request.ticket, request.number, result=result))
            except BaseException as error:  # the owner shows it; the thread lives on
                self._said.put(Said(request.ticket, request.number, error=error))
