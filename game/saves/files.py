"""Files written whole or not at all, read strictly, and kept aside when they are damaged."""

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from ai.temporary import beside
from game.rules.files import read_regular
from game.saves.folder import Saves

T = TypeVar("T")
ValueT = TypeVar("ValueT")

MAX_BYTES = 64_000_000
"""Largest file that is read."""
MAX_RECORDS = 16_000_000
"""Largest file of small records: read, they take up to fifteen times their bytes."""


class DamagedFile(ValueError):
    """A file that cannot be used; the text is 'name: reason'."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name}: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """What a file gave: its value (None: no file, or a damaged one) and a sentence for people, if any."""

    value: T | None = None
    notice: str | None = None


MAX_TEXT = 500
"""Characters in one text of a record."""


def clean(text: str, limit: int = MAX_TEXT) -> str:
    """`text` as it can be written and read again: names of files may hold what is no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")[:limit]


def newest(table: Mapping[str, ValueT], key: str, value: ValueT, limit: int) -> dict[str, ValueT]:
    """The table with `value` last, without the first entries beyond `limit`."""
    kept = {name: each for name, each in table.items() if name != key}
    kept[key] = value
    while len(kept) > limit:
        del kept[next(iter(kept))]
    return kept


class _Head(msgspec.Struct):
    version: int


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` so that at every moment the file is the old one or the new one.

    Raises:
        OSError: when it cannot be written; the old file is then untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = beside(path)
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if sys.platform != "win32":  # the rename itself must survive a power cut; Windows cannot open a folder
        with contextlib.suppress(OSError):
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The file's content.

    Raises:
        FileNotFoundError: there is none.
        DamagedFile: it cannot be read or is larger than `limit` bytes.
    """
    try:
        return read_regular(path, limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedFile(path, error.strerror or "it cannot be read") from None


def read(path: Path, type: type[T], version: int = 1, limit: int = MAX_RECORDS) -> T:
    """The JSON file of at most `limit` bytes as a `type`, strictly checked; fields the type does not know are left out.

    Raises:
        FileNotFoundError: there is none.
        DamagedFile: it is no JSON of that type and version.
    """
    data = read_bytes(path, limit)
    try:
        found = msgspec.json.decode(data, type=_Head).version
        if found != version:
            raise DamagedFile(path, f"it is of version {found}, this app reads version {version}")
        return msgspec.json.decode(data, type=type)
    except RecursionError:
        raise DamagedFile(path, "it is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamagedFile(path, str(error)) from None


def load(saves: Saves, path: Path, type: type[T], version: int = 1) -> Loaded[T]:
    """Like `read`, but a damaged file is set aside with a sentence. Never raises."""
    try:
        return Loaded(read(path, type, version))
    except FileNotFoundError:
        return Loaded()
    except DamagedFile as error:
        return Loaded(notice=put_away(saves, error))


def put_away(saves: Saves, error: DamagedFile) -> str:
    """Set the damaged file aside, or protect it from being written over; returns the sentence for people."""
    name = error.path.name
    if not saves.writable:
        return f"{name} cannot be read ({error.reason})."
    try:
        kept = set_aside(error.path, saves.damaged)
    except OSError:
        saves.protected.add(error.path)
        return f"{name} cannot be read ({error.reason}) nor moved: it is left as it is and nothing is saved over it."
    return f"{name} could not be read ({error.reason}): it is kept as {kept.parent.name}/{kept.name}."


def set_aside(path: Path, folder: Path) -> Path:
    """Move `path` into `folder` under a free name and return its new place.

    Raises:
        OSError: when it cannot be moved; it then still stands where it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    target = free_name(folder, f"{path.stem}-{stamp}", path.suffix)
    os.rename(path, target)
    return target


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A path in `folder` at which nothing stands: 'stem.suffix', else 'stem-2.suffix' and so on.

    The holder of the folder's lock is the only one to take names, so a free name stays free.
    """
    candidate = folder / f"{stem}{suffix}"
    number = 2
    while os.path.lexists(candidate):
        candidate = folder / f"{stem}-{number}{suffix}"
        number += 1
    return candidate
