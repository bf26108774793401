"""Runs one agent in one background thread: progress out, cancel in.

The owner (a scene) calls `start` and, once a frame, `poll`; nothing here ever calls into the owner. A new request
cancels the one before. Every message carries the ticket of its request (game and ply), so late ones are dropped.
"""

import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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


class Worker(Generic[ResultT]):
    """One thread, one request at a time. Create it on the main thread and `close` it before leaving."""

    def __init__(self, name: str) -> None:
        """`name` shows in the log and in debuggers."""
        self._requests: queue.SimpleQueue[_Request[ResultT] | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[Said[ResultT]] = queue.SimpleQueue()
        self._current: _Request[ResultT] | None = None
        self._count = 0
        self._latest_progress: tuple[int, Progress] | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
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

    def close(self, timeout: float = 2.0) -> bool:
        """Cancel, end the thread and wait for it; returns whether it ended in time."""
        self.cancel()
        self._requests.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _drop(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._said.get_nowait()

    def _run(self) -> None:
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
