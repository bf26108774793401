"""Temporary files and folders, named so that those of a process that was killed can be told and removed later.

A name says which process made it: its number, and when that process began, because numbers are given again. What
belongs to a process that still runs is never touched.
"""

import contextlib
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ai import stopping

_UNKNOWN = "0"
"""The beginning of a process where the system does not tell it."""
_LONGEST = 60
"""Characters of a file's name that its temporary name keeps: file systems allow 255 bytes in all."""
_FOLDER = "trilogic"
_FILE = re.compile(r"\..+?-(?P<process>\d{1,10})(-(?P<began>\d{1,20}))?-[0-9a-f]{8}\.tmp")
_FOLDERS = re.compile(rf"{_FOLDER}-(?P<process>\d{{1,10}})-(?P<began>\d{{1,20}})-[0-9a-f]{{8}}")


def beside(path: Path) -> Path:
    """Where this process writes a file, or a folder, before it is whole and takes its name; a new one at every call."""
    return path.parent / f".{path.name[:_LONGEST]}-{_mark()}.tmp"


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder of this process in the system's folder for such, gone at the end, also where a signal ends the process.

    Those of dead processes are removed.
    """
    sweep_folders()
    made = Path(tempfile.gettempdir()) / f"{_FOLDER}-{_mark()}"

    def clean() -> None:
        shutil.rmtree(made, ignore_errors=True)

    try:
        with stopping.cleaning(clean):
            made.mkdir(mode=0o700)
            yield made
    finally:
        clean()


def sweep(where: Path) -> None:
    """Remove what `beside` has named in a folder and is of no running process. Never raises."""
    for path in _left(where, _FILE):
        _remove(path)


def sweep_folders() -> None:
    """The same for the folders of `folder`."""
    for path in _left(Path(tempfile.gettempdir()), _FOLDERS):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        with contextlib.suppress(OSError):
            path.unlink()
    elif sys.platform != "win32":  # where it is not known who runs, and what lies in it is not always open
        shutil.rmtree(path, ignore_errors=True)


def _left(where: Path, names: re.Pattern[str]) -> list[Path]:
    try:
        found = [(path, names.fullmatch(path.name)) for path in where.iterdir()]
    except (OSError, ValueError):
        return []
    return [path for path, name in found if name and not _runs(int(name["process"]), name["began"] or _UNKNOWN)]


def _mark() -> str:
    return f"{os.getpid()}-{_began(os.getpid())}-{secrets.token_hex(4)}"


def _began(process: int) -> str:
    """When a process began, in a count that only this machine understands.

    Raises:
        ProcessLookupError: it has ended, and nobody has asked how.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            state, *fields = file.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return _UNKNOWN
    if state in "ZX":
        raise ProcessLookupError(process)
    return fields[18]


def _runs(process: int, began: str) -> bool:
    """Whether the process that has this number and began then still runs; in doubt it does."""
    if sys.platform == "win32":
        return False  # what is open there cannot be removed
    try:
        os.kill(process, 0)
        now = _began(process)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's
        return True
    return _UNKNOWN in (now, began) or now == began
