"""The thread that writes: off the drawing thread, newest content per file, at most once a second each.

The owner puts content and goes on; `problems` has sentences when something could not be written, and what failed
is tried again until it works or something newer takes its place.
"""

import contextlib
import errno
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from game.saves.files import write_whole
from game.saves.folder import Saves

Content = bytes | Callable[[], bytes] | None
"""What to write; a callable is called on the writing thread; None removes the file."""

INTERVAL = 1.0
"""Seconds between two writes of one file."""
RETRY = 5.0
"""Seconds until a failed write is tried again."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_log = logging.getLogger(__name__)


class Pending:
    """What waits to be written, by file, and from when on it may be. No thread, no disk, no clock of its own."""

    def __init__(self, interval: float = INTERVAL) -> None:
        self._interval = interval
        self._contents: dict[Path, Content] = {}
        self._not_before: dict[Path, float] = {}

    def __contains__(self, path: Path) -> bool:
        return path in self._contents

    def put(self, path: Path, content: Content) -> None:
        """Newer content takes the place of older, also in the queue."""
        self._contents[path] = content

    def put_back(self, path: Path, content: Content, not_before: float) -> None:
        """Content whose write failed, unless something newer came meanwhile."""
        self._contents.setdefault(path, content)
        self._not_before[path] = not_before

    def take(self, path: Path) -> Content:
        """The content that waits for `path`; raises KeyError when none does."""
        return self._contents.pop(path)

    def waiting(self) -> list[Path]:
        """Every file with content that waits, longest waiting first."""
        return list(self._contents)

    def due(self, now: float) -> Path | None:
        """The first file that may be written at `now`."""
        return next((path for path in self._contents if self._not_before.get(path, now) <= now), None)

    def written(self, path: Path, now: float) -> None:
        """Put the file's next write off, and forget the files whose time has come."""
        self._not_before = {p: due for p, due in self._not_before.items() if due > now or p in self._contents}
        self._not_before[path] = now + self._interval

    def wait(self, now: float) -> float | None:
        """Seconds until something may be written; None when nothing waits."""
        if not self._contents:
            return None
        return max(0.0, min(self._not_before.get(path, now) for path in self._contents) - now)


class Writer:
    """One thread that writes into one folder of saves. Does nothing when that is read-only."""

    def __init__(self, saves: Saves, clock: Callable[[], float] = time.monotonic, interval: float = INTERVAL) -> None:
        """The clock gives seconds and never goes back."""
        self._saves = saves
        self._clock = clock
        self._pending = Pending(interval)
        self._changed = threading.Condition()
        self._disk = threading.Lock()
        self._closed = False
        self._problems: list[str] = []
        self._failing: dict[Path, str] = {}
        self._thread: threading.Thread | None = None

    @property
    def writable(self) -> bool:
        """Whether anything is written at all."""
        return self._saves.writable

    def put(self, path: Path, content: Content) -> None:
        """Write `content` soon; what waited for the same file is dropped. Returns at once."""
        if not self._saves.writable:
            return
        with self._changed:
            self._pending.put(path, content)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="saves", daemon=True)
                self._thread.start()
            self._changed.notify()
        if self._closed:
            self.flush()

    def flush(self) -> None:
        """Write everything that waits, now and in this thread; what fails still waits."""
        with self._disk, self._changed:  # whatever the thread took before is on the disk now
            waiting = self._pending.waiting()
        for path in waiting:
            self._write_next(path)

    def close(self) -> None:
        """Write everything that waits and end the thread. Later puts are written at once."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self.flush()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def problems(self) -> list[str]:
        """Sentences about what could not be written since the last call."""
        with self._changed:
            found, self._problems = self._problems, []
        return found

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closed:
                    wait = self._pending.wait(self._clock())
                    if wait == 0.0:
                        break
                    self._changed.wait(wait)
                if self._closed:
                    return
            self._write_next()

    def _write_next(self, path: Path | None = None) -> None:
        """Write what waits for `path`, or for the first file whose time has come; nothing when none does."""
        with self._disk:  # taking and writing are one, so that an older content never lands after a newer one
            with self._changed:
                path = path or self._pending.due(self._clock())
                if path is None or path not in self._pending:
                    return
                content = self._pending.take(path)
            problem = self._write(path, content)
            with self._changed:
                now = self._clock()
                self._pending.written(path, now)
                if problem is None:
                    self._failing.pop(path, None)
                    return
                self._pending.put_back(path, content, now + RETRY)
                if self._failing.get(path) != problem:
                    self._failing[path] = problem
                    self._problems.append(problem)

    def _write(self, path: Path, content: Content) -> str | None:
        """Write or remove one file; returns the sentence about what went wrong."""
        if path in self._saves.protected:
            return f"{path.name} is not saved: the damaged file of that name could not be moved out of the way."
        try:
            if content is None:
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()
            else:
                write_whole(path, content if isinstance(content, bytes) else content())
        except OSError as error:
            _log.warning("%s cannot be written: %s", path, error)
            return _sentence(path, error)
        except Exception as error:  # a record that cannot be encoded must not end the thread that saves the others
            _log.exception("%s cannot be encoded", path)
            return f"{path.name} cannot be saved: {error}."
        return None


def _sentence(path: Path, error: OSError) -> str:
    if error.errno in _FULL:
        return f"The disk is full: {path.name} is not saved."
    if error.errno in _FORBIDDEN:
        return f"{path.name} is not saved: writing in {path.parent} is not allowed."
    return f"{path.name} is not saved: {error.strerror or error}."
