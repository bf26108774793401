"""What is done to files behind the screens, one thing after the other on one thread: each is done whole or not at all."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

DoneT = TypeVar("DoneT")


class Files(Generic[DoneT]):
    """The thread starts with the first thing to do."""

    def __init__(self) -> None:
        """Nothing to do."""
        self._thread: ThreadPoolExecutor | None = None
        self._open: list[tuple[str, Future[DoneT]]] = []

    def add(self, what: str, action: Callable[[], DoneT]) -> None:
        """Do it as soon as what came before is done; `what` comes back with what came of it."""
        self._thread = self._thread or ThreadPoolExecutor(1, "files")
        self._open.append((what, self._thread.submit(action)))

    @property
    def doing(self) -> str | None:
        """What is done now; None while nothing is."""
        return self._open[0][0] if self._open else None

    def ended(self) -> list[tuple[str, Future[DoneT]]]:
        """What was done since the last call."""
        done = [each for each in self._open if each[1].done()]
        self._open = [each for each in self._open if each not in done]
        return done

    def close(self, finish: bool) -> None:
        """End the thread: with `finish` when all is done, else without what has not begun, and without waiting."""
        if self._thread is not None:
            self._thread.shutdown(wait=finish, cancel_futures=not finish)
