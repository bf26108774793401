"""The process that compiles the kernels at the first start, `python -m ai.kernels`."""

import math
import time
from typing import Any

from typing_extensions import override

from ai import child, compiling, kernels
from game.rules.games import GAMES
from game.screens.jobs.job import Job
from game.screens.jobs.process import Process

LOOK_SECONDS = 1.0


class Warming(Job):
    """Compiles what is missing, if anything is. What it has finished stays when it is ended."""

    stays = True

    def __init__(self) -> None:
        """Begins at once."""
        super().__init__()
        self.family: str | None = None
        """The game whose kernels are compiled."""
        self._share = 0.0
        self._looked = -math.inf
        if not kernels.all_ready():
            self.family = kernels.games()[0]
            self._begin("preparing the agents", child.command("ai.kernels"))

    @property
    def status(self) -> str:
        """What is being prepared, for the status bar; empty when nothing is."""
        if self.family is None:
            return ""
        title = GAMES[self.family].title if self.family in GAMES else self.family
        done = f"{int(self.share * 100)} %"
        return f"Preparing agents once for this machine: {done} ({title}) · you can play meanwhile"

    @property
    def share(self) -> float:
        """What part of all the compiling is done, 0 to 1; it is looked at once a second and never falls."""
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._looked = now
            self._share = max(self._share, compiling.share())
        return self._share

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        self.family = said.get("family")

    @override
    def _gone(self, process: Process) -> None:
        self.family = None
        if process.problem:
            self.problem = f"Agents cannot be prepared: {process.problem}."
        elif process.code != 0:
            self.problem = "Preparing the agents failed; you can still play without them. The log has the details."
