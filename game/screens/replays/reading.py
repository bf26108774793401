"""Reads replays on a thread of its own."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from game.rules import replay as replays
from game.rules.replay import Replay

_reader = ThreadPoolExecutor(1, "replays")


def read_soon(path: Path) -> Future[Replay]:
    """The replay in a file; the future raises ReplayError."""
    return _reader.submit(replays.read, path, path.name)


def read_if_there(path: Path) -> Future[Replay | None]:
    """Like `read_soon`; None where there is no such file at the time of reading."""
    return _reader.submit(lambda: replays.read(path, path.name) if path.exists() else None)
