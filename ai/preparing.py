"""Compiles kernels unit by unit, in one process a core; what is asked for meanwhile comes first. Imports no numba.

`python -m ai.preparing` compiles what play needs and this machine has not (`trainings`: what only trainings need as well), and
says which unit is begun and which is ready, a line of JSON for each. With `--led` another program leads it: every line of its
standard input names units that come first from now on, and it ends with its input. Each of its processes reads a unit a line,
compiles it and says its name; these end with their input too, so that none outlives whoever wanted the kernels.

Two processes would compile a kernel that two units share twice, so each takes a unit of a game that no other is at, where
there is one; where there is none, they wait for each other kernel by kernel (`ai.jit`).
"""

import argparse
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from ai import kernels, stopping, threads
from ai.program import ROOT

MOST_PROCESSES = 4
"""More would wait for the longest unit, and each takes 300 MB."""
GONE = 1


class NotPrepared(RuntimeError):
    """A unit could not be compiled: a fault of the program; what its process said stands on standard error."""


def processes() -> int:
    """How many compile at once: one a core that this program may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_PROCESSES)


class Preparation:
    """Compiles units that are not ready, in their order, as long as nobody asks for another one first."""

    def __init__(self, wanted: Iterable[str], tell: Callable[[str, str], None] = lambda _what, _unit: None) -> None:
        """`tell` is called with 'begun' and with 'ready' for every unit; from several threads, one at a time."""
        self._open = [unit for unit in wanted if not kernels.ready([unit])]
        self._asked: list[str] = []
        self._under_way: set[str] = set()
        self._failed: list[str] = []
        self._tell = tell
        self._lock = threading.Lock()

    def first(self, wanted: Iterable[str]) -> None:
        """These come next, in this order."""
        with self._lock:
            self._asked = list(dict.fromkeys([*wanted, *self._asked]))

    def run(self) -> None:
        """Compile everything; returns when it is done.

        Raises:
            OSError: the kernels cannot be kept.
            NotPrepared: a unit could not be compiled; all others are.
        """
        for unit in self._open:
            kernels.cache_folder(kernels.game_of(unit)).mkdir(parents=True, exist_ok=True)
        count = min(processes(), len(self._open))
        serving = [threading.Thread(target=self._serve, name=f"compiling-{number}") for number in range(count)]
        for thread in serving:
            thread.start()
        for thread in serving:
            thread.join()
        if self._failed:
            raise NotPrepared(f"the kernels of {', '.join(self._failed)} could not be compiled")

    def _serve(self) -> None:
        """Hand one unit after the other to a process."""
        with _process() as process:
            assert process.stdin is not None and process.stdout is not None
            while (unit := self._take()) is not None:
                try:
                    process.stdin.write(f"{unit}\n")
                    process.stdin.flush()
                    done = process.stdout.readline().strip() == unit
                except OSError:
                    done = False
                with self._lock:
                    self._under_way.discard(unit)
                    if not done:
                        self._failed.append(unit)
                        break
                    self._tell("ready", unit)
            process.stdin.close()

    def _take(self) -> str | None:
        """The unit that is compiled next; None when all are, or others are at them."""
        with self._lock:
            unit = self._next()
            while unit is not None and kernels.ready([unit]):  # somebody else compiled it meanwhile
                self._open.remove(unit)
                unit = self._next()
            if unit is not None:
                self._open.remove(unit)
                self._under_way.add(unit)
                self._tell("begun", unit)
            return unit

    def _next(self) -> str | None:
        games = {kernels.game_of(unit) for unit in self._under_way}
        asked = (unit for unit in self._asked if unit in self._open)
        apart = (unit for unit in self._open if kernels.game_of(unit) not in games)
        return next(asked, None) or next(apart, None) or next(iter(self._open), None)


def _process() -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "ai.preparing", "--units"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, encoding="utf-8", process_group=0,  # what a terminal tells its processes is for us
    )  # fmt: skip


def _lines() -> Iterator[str]:
    """The lines of standard input; its end is the end of this process, whatever it is at."""
    found: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            found.put(line)
        os._exit(GONE)

    threading.Thread(target=read, name="parent", daemon=True).start()
    while True:
        yield found.get()


def _work() -> None:
    """One of the processes: compile what is named, a line for each."""
    for line in _lines():
        kernels.warm([line.strip()])
        print(line.strip(), flush=True)


def _prepare(wanted: Sequence[str], led: bool) -> None:
    preparation = Preparation(wanted, lambda what, unit: print(json.dumps({what: unit}), flush=True))

    def listen() -> None:
        for line in _lines():
            preparation.first(line.split())

    if led:
        threading.Thread(target=listen, name="words", daemon=True).start()
    preparation.run()
    kernels.prune()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ai.preparing",
        description="Compile what the agents need to play on this machine, where that is not done yet (about two minutes of "
        "processor time, in one process a core); says what is begun and what is ready, a line of JSON for each part. The "
        "first start of the window does the same.",
        epilog=f"The compiled kernels are kept in {kernels.cache_root() / 'kernels'}, or under the folder that the environment "
        "variable TRILOGIC_CACHE names. It may be deleted whenever nothing of the app runs: what is missing is compiled again.",
    )
    parser.add_argument("what", nargs="?", choices=["trainings"], help="what the trainings need as well")
    parser.add_argument("--led", action="store_true", help="standard input names units that come first; end with it")
    parser.add_argument("--units", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(arguments: Sequence[str] = ()) -> int:
    """Compile what is missing of play; with the word `trainings` also what only trainings need.

    Returns:
        0 when all are ready, 1 where one could not be compiled, 2 where they cannot be kept.
    """
    found = _parser().parse_args(list(arguments))
    if found.units:
        _work()
    try:
        _prepare([*kernels.in_order(), *(kernels.trainings() if found.what else ())], found.led)
    except OSError as error:
        root = kernels.cache_root()
        print(f"trilogic: {root}: {error.strerror or error}; set TRILOGIC_CACHE to a folder", file=sys.stderr)
        return 2
    except NotPrepared as error:
        print(f"trilogic: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    stopping.install()
    threads.hold()
    stopping.leave(main(sys.argv[1:]))
