"""The log: `saves/log/trilogic.log`, rotated, in UTF-8. Logging never raises and never stops the app."""

import contextlib
import logging
import sys
from logging.handlers import RotatingFileHandler

from game.saves.folder import Saves

MAX_BYTES = 1_000_000
KEPT = 3
"""Older files kept beside the newest."""

_FORM = "%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s"


class _QuietFile(RotatingFileHandler):
    """A full disk or a lost permission loses lines of the log, nothing else."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the line; the default would print a traceback."""


def set_up(saves: Saves, level: int = logging.INFO) -> logging.Handler:
    """Send the log to its file, or warnings to standard error when nothing can be written; call it once.

    Returns:
        The handler, for `tear_down`.
    """
    handler: logging.Handler | None = None
    if saves.writable:
        with contextlib.suppress(OSError):
            saves.log.parent.mkdir(parents=True, exist_ok=True)
            handler = _QuietFile(
                saves.log, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", errors="backslashreplace"
            )
    if handler is None:
        handler = logging.StreamHandler(sys.stderr)
        level = max(level, logging.WARNING)
    handler.setLevel(level)
    handler.setFormatter(logging.Formatter(_FORM))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(min(root.level or level, level))
    logging.captureWarnings(True)
    return handler


def tear_down(handler: logging.Handler) -> None:
    """Take the handler away and close its file."""
    logging.captureWarnings(False)
    logging.getLogger().removeHandler(handler)
    handler.close()
