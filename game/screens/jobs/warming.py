"""The process that leads the compiling of the kernels at the first start, `python -m ai.preparing`."""

import math
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from typing_extensions import override

from ai import compiling, kernels
from ai.preparing import processes
from game.play.words import about
from game.rules.games import GAMES
from game.screens.jobs.job import Job
from game.screens.jobs.process import Process

LOOK_SECONDS = 1.0
SURE_SECONDS = 15.0
"""So long the machine of the table counts for how fast this one is, beside what this one has compiled itself."""


class Warming(Job):
    """Compiles what is missing, if anything is. What it has finished stays when it is ended."""

    stays = True
    command: Sequence[str] = (sys.executable, "-m", "ai.preparing", "--led")

    def __init__(self) -> None:
        """Begins at once."""
        super().__init__()
        self._units = [unit for game in GAMES for unit in kernels.units(game)]
        self._under_way: list[str] = []
        self._share = 0.0
        self._looked = -math.inf
        self._until: dict[tuple[str, ...], float] = {}
        """What was said of units since that."""
        self._left = self._first_left = 0.0
        self._began = time.monotonic()
        if not kernels.all_ready():
            self._left = self._first_left = compiling.left(self._units)
            self._begin("preparing the agents", self.command)

    def first(self, units: Iterable[str]) -> None:
        """These are compiled next, in this order, where they are not there."""
        missing = [unit for unit in units if not kernels.ready([unit])]
        if missing and self._process is not None:
            self._process.tell(" ".join(missing))

    @property
    def status(self) -> str:
        """What is being prepared, for the status bar; empty when nothing is."""
        if not self.busy:
            return ""
        done = f"{int(self.share * 100)} %, {about(self._left / self._pace)} left"
        return f"Preparing agents once for this machine: {done} · you can play meanwhile"

    @property
    def share(self) -> float:
        """What part of all the compiling is done, 0 to 1; it is looked at once a second and never falls."""
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._looked = now
            self._until.clear()
            self._share = max(self._share, compiling.share())
            self._left = compiling.left(self._units)
        return self._share

    @property
    def _pace(self) -> float:
        """Seconds of the table that all processes together do in a second here."""
        passed = time.monotonic() - self._began
        return (self._first_left - self._left + processes() * SURE_SECONDS) / (passed + SURE_SECONDS)

    def seconds_until(self, units: Iterable[str]) -> float | None:
        """How long it takes until these units are ready when they come next, after what is under way; None: nobody compiles."""
        if not self.busy:
            return None
        wanted = tuple(units)
        if self.share < 1.0 and wanted not in self._until:
            self._until[wanted] = self._work_until([unit for unit in wanted if not kernels.ready([unit])])
        return self._until.get(wanted, 0.0)

    def _work_until(self, missing: list[str]) -> float:
        if not missing:
            return 0.0
        alone = self._pace / processes()
        seconds = compiling.left(missing) / min(len(missing), processes())
        if len(self._under_way) == processes() and not set(missing) & set(self._under_way):
            seconds += min(compiling.left([unit]) for unit in self._under_way)
        return seconds / alone

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        if "begun" in said:
            self._under_way.append(said["begun"])
        elif said.get("ready") in self._under_way:
            self._under_way.remove(said["ready"])

    @override
    def _gone(self, process: Process) -> None:
        if process.problem:
            self.problem = f"Agents cannot be prepared: {process.problem}."
        elif process.code != 0:
            self.problem = "Preparing the agents failed; you can still play without them. The log has the details."
