"""The one error of the command line that is not a fault of the program."""

STOPPED = 130
"""Exit code of a command that Ctrl-C has stopped before it was done."""


class CliError(Exception):
    """What was asked for cannot be done; the text is one clear line, and the exit code is 2."""
