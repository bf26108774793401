"""Command lines, run in this process."""

from tests.command_line import log_elsewhere, run

__all__ = ["log_elsewhere", "run"]
