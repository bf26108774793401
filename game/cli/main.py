"""Finds the command, runs it, and turns every way to fail into one line and an exit code.

0 done, 2 bad input, 1 an unexpected error (its traceback goes to the log), 141 the reader of the output has gone; told to
end by a signal: 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP, whatever was saved first (`ai.stopping`).
"""

import contextlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ai import models as saved_models
from ai import stopping
from game.cli import agents, analyze, bench, experiment, generate, match, models, replay, review, solve, train, window
from game.cli.arguments import Parser, common
from game.cli.errors import CliError, Stopped
from game.cli.output import notice
from game.play.asking import NotReady
from game.saves import log as log_file
from game.saves.folder import PROGRAM_SAVES, Saves, user_folder, why_not_writable

COMMANDS = {
    "agents": agents,
    "solve": solve,
    "match": match,
    "analyze": analyze,
    "train": train,
    "models": models,
    "generate": generate,
    "experiment": experiment,
    "replay": replay,
    "review": review,
    "bench": bench,
}
"""Name -> module with `HELP`, `add_arguments(parser)` and `run(arguments) -> exit code`."""

BAD_INPUT = 2
UNEXPECTED = 1
PIPE_GONE = 141


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="trilogic",
        description="Sokoban, 2048 and connect-4 in three dimensions, with agents at every board. "
        "Without a command the window opens.",
    )
    window.add_arguments(top)
    top.set_defaults(run=window.run)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    shared = common()
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=module.HELP, description=module.HELP, parents=[shared])
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (the process's own where none is given); returns the exit code."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output belongs to the commands
    words = list(sys.argv[1:] if argv is None else argv)
    saved_models.use_folders(PROGRAM_SAVES / "models", user_folder() / "models")
    try:
        arguments = parser().parse_args(words)
        code = int(arguments.run(arguments))
        sys.stdout.flush()
    except SystemExit as error:  # --help
        return error.code if isinstance(error.code, int) else 0
    except (CliError, NotReady) as error:
        return _fail(" ".join(str(error).split()), BAD_INPUT)
    except (Stopped, KeyboardInterrupt) as error:
        return _stopped(str(error))
    except BrokenPipeError:
        _drop_output()
        return PIPE_GONE
    except Exception as error:
        if stopping.received() and isinstance(error, OSError):  # nobody is there to read what it prints
            return _stopped()
        if "--debug" in words:
            raise
        return _fail(_unexpected(error), UNEXPECTED)
    return _stopped() if stopping.received() else code


def _stopped(left: str = "") -> int:
    """One line about a command that was told to end; `left` is what there is of it."""
    return _fail(f"stopped: {left}" if left else stopping.LINE, stopping.exit_code())


def _fail(line: str, code: int) -> int:
    with stopping.held(), contextlib.suppress(OSError):
        notice(line)
        stopping.told()
    return code


def _drop_output() -> None:
    """Let nothing be written to the closed pipe when the interpreter flushes at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> str:
    """Write the traceback to the log; returns the line for people."""
    said = f"something unexpected went wrong ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
    folder = _log_folder()
    if folder is None:
        return f"{said}; please report it with what --debug shows."
    saves = Saves(folder, True)  # not locked: a window may have it open, and both only append
    handler = log_file.set_up(saves)
    logging.getLogger("trilogic.cli").error("a command failed", exc_info=error)
    log_file.tear_down(handler)
    return f"{said}; please report it with the end of {saves.log}."


def _log_folder() -> Path | None:
    return next((folder for folder in (PROGRAM_SAVES, user_folder()) if why_not_writable(folder) is None), None)
