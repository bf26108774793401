"""Which folder keeps what outlives the window, and whether this window may write there.

`--saves DIR` wins; else `saves/` beside the program; where that cannot be written, the user's data folder. The
first window takes an operating-system lock on the folder, which ends with its process however that dies; a second
window opens the same saves for reading only and is told so.
"""

import contextlib
import errno
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import filelock
import platformdirs

from ai.program import ROOT
from ai.temporary import beside, sweep

PROGRAM_SAVES = ROOT / "saves"
"""`saves/` beside the program."""
_WRITTEN = ("", "resume", "replays", "replays/auto", "levels", "models", "exports", "damaged")
"""Folders in which a process that is killed may leave temporary files."""


@dataclass
class Saves:
    """One opened folder. `close` it, or leave its `with` block, to let the next window write."""

    root: Path
    writable: bool
    notices: tuple[str, ...] = ()
    """Sentences for people about the folder itself."""
    protected: set[Path] = field(default_factory=set)
    """Damaged files that could not be set aside: nothing is written over them."""
    _lock: filelock.BaseFileLock | None = None

    @property
    def settings(self) -> Path:
        """The file of settings."""
        return self.root / "settings.json"

    @property
    def progress(self) -> Path:
        """The file of results."""
        return self.root / "progress.json"

    @property
    def replays(self) -> Path:
        """The folder of finished games."""
        return self.root / "replays"

    @property
    def models(self) -> Path:
        """The folder of learned models."""
        return self.root / "models"

    @property
    def log(self) -> Path:
        """The file of the log."""
        return self.root / "log" / "trilogic.log"

    @property
    def damaged(self) -> Path:
        """Where files that could not be read are kept."""
        return self.root / "damaged"

    def resume(self, game: str) -> Path:
        """The file of the game that goes on where it was."""
        return self.root / "resume" / f"{game}.json"

    def close(self) -> None:
        """Give the lock back. Close the writer first."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_saves(override: Path | None = None) -> Saves:
    """Open the folder for this window; never raises, whatever stands in the way.

    Args:
        override: the folder given with `--saves`; it alone is tried when given.
    """
    if override is not None:
        root = override.expanduser().absolute()
        reason = why_not_writable(root)
        return _locked(root) if reason is None else _read_only(root, reason)
    beside = why_not_writable(PROGRAM_SAVES)
    if beside is None:
        return _locked(PROGRAM_SAVES)
    root = user_folder()
    reason = why_not_writable(root)
    return _locked(root) if reason is None else _read_only(root, reason)


def unusable(folder: Path) -> str | None:
    """Why a folder can be neither made nor read, so that it is none for saves; None where at least it can be read."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if os.path.lexists(folder) and not os.path.isdir(folder):
            return "this is no folder"
        if not os.path.isdir(folder):
            return error.strerror or type(error).__name__
    except ValueError:
        return "this is no name that a folder can have"
    return None if os.access(folder, os.R_OK | os.X_OK) else os.strerror(errno.EACCES)


def user_folder() -> Path:
    """The user's data folder for this app."""
    return Path(platformdirs.user_data_dir("trilogic", appauthor=False))


def why_not_writable(folder: Path) -> str | None:
    """What keeps this process from writing into `folder` (made when missing), or None. Tries it for real."""
    probe = beside(folder / "probe")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
    except OSError as error:
        return error.strerror or type(error).__name__
    with contextlib.suppress(OSError):
        probe.unlink()
    return None


def _read_only(root: Path, reason: str) -> Saves:
    return Saves(root, False, (f"The folder {root} cannot be written ({reason}): nothing will be saved.",))


def _locked(root: Path) -> Saves:
    # A soft lock (a file that merely exists) would outlive a killed process, so none is used in its place.
    lock = filelock.FileLock(root / "lock", thread_local=False, fallback_to_soft=False)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return Saves(root, False, ("Another window has these saves open: this one will not save.",))
    except (OSError, NotImplementedError):
        notice = f"The folder {root} cannot be locked: two windows could save over each other."
        return Saves(root, True, (notice,))
    for name in _WRITTEN:
        sweep(root / name)
    return Saves(root, True, _lock=lock)
