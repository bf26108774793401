"""`train … --lines`: a training that another program leads, by lines on standard input and output.

It writes a line of JSON after every round, and reads the words `pause`, `continue` and `stop`, each on a line of its
own. The end of standard input is a `stop`, so that a training never outlives the program that began it without saving.
What has not begun to learn has nothing to save: a `stop` ends it at once.

Lines: `{"compiling": sentence}` where that comes before everything else; `{"begun": {"games", "goal"}}`; for a round
`{"games", "seconds", "eta", "fraction"}`, with `figures` where there are new ones and `board` (as `--position` takes it)
where the training shows another position than before; `{"paused": true}` and `{"paused": false}`; last `{"done": …}`, what
`--json` prints, or `{"problem": sentence}`.
"""

import contextlib
import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from ai import stopping
from ai.agent import Thinking
from ai.trainers import Report, Watched
from ai.training import Figures, Training
from game.cli.errors import CliError
from game.play.asking import NotReady
from game.rules import games

PAUSE, CONTINUE, STOP = "pause", "continue", "stop"
STANDARD_INPUT = 0


def say(document: dict[str, Any]) -> None:
    """One line of JSON. When nobody reads any more it is dropped: the training still saves."""
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps(document, allow_nan=False), flush=True)


class Led:
    """Hears the reports of a training and holds it while that is wanted."""

    def __init__(self) -> None:
        """Nothing is trained yet. `listen` has to be called for words to arrive."""
        self._training: Training | None = None
        self._thinking: Thinking | None = None
        self._running = threading.Event()
        self._running.set()
        self._board = ""
        self._figures: Figures | None = None

    def begin(self, training: Training, thinking: Thinking) -> None:
        """It learns from now on, and saves when it is stopped."""
        self._training, self._thinking = training, thinking
        say({"begun": {"games": training.games, "goal": training.goal}})

    def listen(self, read: Callable[[], bytes] = lambda: os.read(STANDARD_INPUT, 4096)) -> None:
        """Take words from standard input, on a thread of its own."""
        # the descriptor itself is read: a stream's lock, held here, would be in the way at the end of the process
        threading.Thread(target=self._take, args=(read,), name="words", daemon=True).start()

    def _take(self, read: Callable[[], bytes]) -> None:
        waiting = b""
        while True:
            try:
                new = read()
            except OSError:
                new = b""
            *lines, waiting = (waiting + new).split(b"\n")
            for line in lines:
                self.told(line.decode("utf-8", "replace").strip())
            if not new:
                self.told(STOP)
                return

    def told(self, word: str) -> None:
        """One word; others than the three are none."""
        if word == PAUSE:
            self._running.clear()
        elif word == CONTINUE:
            self._running.set()
        elif word == STOP and self._thinking is None:
            stopping.receive(signal.SIGTERM)
        elif word == STOP:
            self.stop()

    def stop(self) -> None:
        """Let it save and end, also while it rests."""
        if self._thinking is not None:
            self._thinking.cancel()
        self._running.set()

    def hear(self, report: Report) -> None:
        """A round is over: say so, and wait while paused. Rest counts for no limit of time."""
        found: dict[str, Any] = {
            "games": report.games,
            "seconds": round(report.seconds, 3),
            "eta": None if report.eta is None else round(report.eta, 1),
            "fraction": None if report.fraction is None else round(report.fraction, 5),
        }
        if report.figures is not self._figures:
            self._figures = report.figures
            found["figures"] = {name: float(value) for name, value in report.figures.items() if math.isfinite(value)}
        board = self._shown()
        if board != self._board:
            self._board = found["board"] = board
        say(found)
        if not self._running.is_set():
            say({"paused": True})
            before = time.perf_counter()
            self._running.wait()
            if self._thinking is not None:
                self._thinking.started += time.perf_counter() - before
            say({"paused": False})

    def _shown(self) -> str:
        training: object = self._training
        if not isinstance(training, Watched):
            return ""
        state = training.watch()
        return "" if state is None else games.of(state).write(state)


def compiling(what: str) -> None:
    """Say that kernels are compiled first."""
    say({"compiling": what})


def refused(error: CliError | NotReady) -> None:
    """Say why the training is not possible."""
    say({"problem": " ".join(str(error).split())})
