"""The log: `saves/log/trilogic.log`, rotated, in UTF-8. Logging never raises and never stops the app."""

import contextlib
import logging
import os
import sys
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler

from typing_extensions import override

from game.rules.files import check_regular
from game.saves.files import DamagedFile, put_away
from game.saves.folder import Saves

MAX_BYTES = 1_000_000
KEPT = 3
"""Older files kept beside the newest."""

_FORM = "%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s"


class _QuietFile(RotatingFileHandler):
    """A full disk or a lost permission loses lines of the log, nothing else. What is no file is not written into."""

    @override
    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(self.baseFilename, flags, 0o666)
        try:
            check_regular(os.fstat(handle))
            return TextIOWrapper(os.fdopen(handle, "ab"), encoding=self.encoding, errors=self.errors)
        except OSError:
            os.close(handle)
            raise

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the line; the default would print a traceback."""


class _ForTerminals(logging.Formatter):
    """Names of files are part of messages: nothing in them moves a terminal's cursor."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Without what cannot be printed."""
        said = super().format(record)
        return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in said)


def set_up(saves: Saves, level: int = logging.INFO) -> logging.Handler:
    """Send the log to its file, or warnings to standard error when nothing can be written; call it once.

    Something else than a file that stands where the log should be is set aside.

    Returns:
        The handler, for `tear_down`.
    """
    handler: logging.Handler | None = None
    if saves.writable:
        with contextlib.suppress(OSError):
            saves.log.parent.mkdir(parents=True, exist_ok=True)
            _clear_the_way(saves)
            handler = _QuietFile(
                saves.log, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", errors="backslashreplace"
            )
    form: type[logging.Formatter] = logging.Formatter
    if handler is None:
        form = _ForTerminals
        handler = logging.StreamHandler(sys.stderr)
        level = max(level, logging.WARNING)
    handler.setLevel(level)
    handler.setFormatter(form(_FORM))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(min(root.level or level, level))
    logging.captureWarnings(True)
    return handler


def _clear_the_way(saves: Saves) -> None:
    try:
        check_regular(os.stat(saves.log))
    except FileNotFoundError:
        return
    except OSError as error:
        put_away(saves, DamagedFile(saves.log, error.strerror or "it cannot be read"))


def tear_down(handler: logging.Handler) -> None:
    """Take the handler away and close its file."""
    logging.captureWarnings(False)
    logging.getLogger().removeHandler(handler)
    handler.close()
