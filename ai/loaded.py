"""Models in memory: one copy of each file, shared by all agents that use it, for as long as one does."""

import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

ModelT = TypeVar("ModelT")


class Loaded(Generic[ModelT]):
    """What has been read of files of one kind; any thread may ask."""

    def __init__(self, read: Callable[[Path], ModelT]) -> None:
        """`read` reads and checks a file; it raises `ModelError` with what is wrong."""
        self._read = read
        self._known: weakref.WeakValueDictionary[tuple[Path, int, int], ModelT] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def load(self, path: Path) -> ModelT:
        """The model in a file, the one already in memory where the file has not changed; raises what `read` does."""
        try:
            known = path.stat()
        except (OSError, ValueError):
            return self._read(path)
        key = (path.absolute(), known.st_mtime_ns, known.st_size)
        with self._lock:
            model = self._known.get(key)
            if model is None:
                model = self._known[key] = self._read(path)
            return model
