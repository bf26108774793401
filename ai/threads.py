"""How many threads the matrix libraries of numpy and torch take: one. Imports neither of them.

They start a thread for every core, and these wait for each other by spinning: as soon as anything else runs on the
machine, an agent of ours is ten times slower for it, and where nothing does, the second core gains nothing
(docs/threads.md has the figures). So a process of ours calls `hold` before anything else; the processes that it
starts inherit it. Whoever imports agents or trainings into a program of their own keeps the threads that they have;
there `one_thread` holds the libraries only while such an agent thinks.

What runs on several cores here does so by threads or processes of ours: `cores`, `threads`, `--jobs`.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""What the libraries that numpy and torch may be built with look at when they are loaded."""

_lock = Lock()
_held = False
_inside = 0
"""Threads that are within `one_thread`."""
_undo: list[Any] = []
"""What gives the libraries back the threads that they had before the first of these."""


def hold() -> None:
    """Hold the matrix libraries of this process, and of those that it starts, to one thread for good.

    Call it where a process begins, before numpy is imported; where that has happened already it still helps. What the
    user's environment says of these threads is for other programs, often set for all of them: it is not asked.
    """
    global _held
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    if _loaded():
        _limit()
    _held = True


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold the matrix libraries of the process to one thread while this lasts; free where `hold` was called.

    Also a decorator. Several threads may be within it at once.
    """
    global _inside
    if _held:
        yield
        return
    with _lock:
        if not _inside:
            _undo[:] = _limit()
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            while not _inside and _undo:
                _undo.pop()()


def _loaded() -> bool:
    return "numpy" in sys.modules or "torch" in sys.modules


def _limit() -> list[Any]:
    """One thread for every library that is loaded; returns functions that undo it."""
    from threadpoolctl import threadpool_limits

    undo: list[Any] = [threadpool_limits(1).restore_original_limits]
    torch: Any = sys.modules.get("torch")
    if torch is not None:  # which counts for itself besides what its libraries do
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        undo.append(lambda: torch.set_num_threads(before))
    return undo
