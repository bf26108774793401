"""Files from outside, opened without trust: regular files only, and never more of one than was asked for.

What stands under the name of a saved game may be anything: a pipe that nobody writes into, a link to an endless device,
a folder. Readers of every layer open their files here, so that none of them waits or fills the memory.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path) -> BinaryIO:
    """The regular file at `path` (or at the end of the links there), opened for reading bytes. Never waits.

    Raises:
        OSError: there is none, it cannot be opened, or it is something else; `strerror` is for people.
    """
    try:
        check_regular(os.stat(path))  # opening some devices does something
        handle = os.open(path, _FLAGS)
    except ValueError:
        raise OSError(errno.EINVAL, "this is no name that a file can have") from None
    try:
        check_regular(os.fstat(handle))  # what was opened, in case it was exchanged meanwhile
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, limit: int) -> bytes:
    """The content of a regular file.

    Raises:
        OSError: as `open_regular`, and where the file has more than `limit` bytes.
    """
    with open_regular(path) as file:
        data = file.read(limit + 1) if os.fstat(file.fileno()).st_size <= limit else None
    if data is None or len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1_000_000} MB")
    return data


def check_regular(found: os.stat_result) -> None:
    """Raise OSError, with the reason for people, where this is no regular file."""
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is a pipe or a device, not a file")
