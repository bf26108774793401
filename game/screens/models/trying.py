"""The window's side of a short test: starts the process, listens, reckons mean and error, cancels."""

import contextlib
import json
import logging
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from ai import catalogue, kernels
from ai.models import ModelCard, Strength
from game.screens.context import ROOT
from game.screens.models.trial import GAME
from game.screens.twenty48.sizes import size_for

GAMES = {1: 100, 2: 20, 3: 10}
"""Plies -> games of the short test."""
log = logging.getLogger("trilogic.agent")


@dataclass(slots=True)
class Trial:
    """One test, under way or done."""

    card: ModelCard
    plies: int
    scores: list[int] = field(default_factory=list)
    tiles: list[int] = field(default_factory=list)
    moves: int = 0
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0
    done: bool = False
    problem: str = ""
    """One sentence when it failed."""

    @property
    def games(self) -> int:
        """Games in all."""
        return GAMES[self.plies]

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return len(self.scores) / self.games

    @property
    def strength(self) -> Strength | None:
        """Mean and standard error of the games so far; None before the second."""
        if len(self.scores) < 2:
            return None
        error = statistics.stdev(self.scores) / len(self.scores) ** 0.5
        return Strength(statistics.fmean(self.scores), error, len(self.scores))

    @property
    def best_tile(self) -> int:
        """The largest tile of any game; 0 before the first has ended."""
        return max(self.tiles, default=0)


class Tester:
    """One test at a time, in a process of low priority."""

    def __init__(self) -> None:
        """Nothing is being tested."""
        self.trial: Trial | None = None
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def busy(self) -> bool:
        """Whether a test is under way."""
        return self._process is not None

    @staticmethod
    def refusal(card: ModelCard) -> str | None:
        """Why a model cannot be tested, in one sentence, or None when it can."""
        if card.problem is not None:
            return "It cannot be used."
        if card.game != GAME:
            return "Only models of 2048 have a short test."
        if size_for(card) is None:
            return f"There are no boards of {card.board}."
        if not kernels.ready(GAME):
            return "Agents are still being prepared for this machine."
        return None

    @staticmethod
    def command(card: ModelCard, plies: int) -> list[str]:
        """What the process is started with."""
        module = [sys.executable, "-m", "game.screens.models.trial"]
        return [*module, str(card.path), card.agent, str(size_for(card)), str(plies), str(GAMES[plies])]

    def start(self, card: ModelCard, plies: int) -> None:
        """Begin, with as many plies as the agent has at most; a test under way is cancelled."""
        self.cancel()
        plies = min(plies, catalogue.entry(card.game, card.agent).most_plies)
        self.trial = Trial(card, plies)
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        lower = (lambda: os.nice(10)) if hasattr(os, "nice") else None
        try:
            self._process = subprocess.Popen(
                self.command(card, plies),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                creationflags=flags,
                preexec_fn=lower,
            )
        except OSError as error:
            self._end(f"The test cannot be started: {error.strerror or error}.")
            return
        self._lines = queue.SimpleQueue()
        listener = threading.Thread(target=_listen, args=(self._process, self._lines), name="model-test", daemon=True)
        listener.start()

    def update(self) -> bool:
        """Once a frame: take what was said; True when the test has just ended."""
        trial = self.trial
        if self._process is None or trial is None:
            return False
        trial.seconds = time.perf_counter() - trial.started
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._lines.get_nowait()
                if line is None:
                    short = len(trial.scores) < trial.games
                    self._end("The test broke off; the log has the details." if short else "")
                    return True
                said = json.loads(line)
                if "refused" in said:
                    self._end(f"The test is not possible: {said['refused']}.")
                    return True
                trial.scores.append(said["score"])
                trial.tiles.append(said["tile"])
                trial.moves += said["moves"]
        return False

    def cancel(self) -> None:
        """End a test that is under way; what it has found so far is dropped."""
        if self._process is not None:
            self._process.terminate()
            self._process = None
            self.trial = None

    def _end(self, problem: str) -> None:
        self._process = None
        if self.trial is not None:
            self.trial.done, self.trial.problem = True, problem


def _listen(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str | None]") -> None:
    """Hand on each line; at the end None. In a thread of its own, which also waits for the process."""
    assert process.stdout is not None and process.stderr is not None
    with process.stdout, process.stderr:
        for line in process.stdout:
            lines.put(line)
        trouble = process.stderr.read()
    if process.wait() not in (0, 2) and trouble:
        log.error("the test of a model failed:\n%s", trouble)
    lines.put(None)
