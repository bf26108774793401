"""The errors of the command line that are not faults of the program."""


class CliError(Exception):
    """What was asked for cannot be done; the text is one clear line, and the exit code is 2."""


class Stopped(Exception):
    """A signal ended the command before it was done; the text says what is left of it, if anything."""
