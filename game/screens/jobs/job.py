"""What goes on behind the screens: a job, and all those of one window."""

from collections.abc import Callable
from typing import Any, TypeVar

from game.screens.jobs.process import Command, Process
from game.ui.chrome import Chip
from game.ui.toast import Kind

JobT = TypeVar("JobT", bound="Job")


class Job:
    """Work in a process of its own. `update` once a frame: what has been found by then are its attributes."""

    place = ""
    """The screen that shows it, where nothing has to be said of its end; also the command that leads there."""
    show: Callable[[], object] | None = None
    """Leads to that screen, where that is none of the app's own."""
    at_exit = ""
    """What becomes of it when the app is closed meanwhile, as a clause."""
    stays = False
    """Whether it is still asked for once it has ended."""
    patience: float | None = 0.0
    """Seconds that the end of the app waits for its process; None: until it has ended."""

    def __init__(self) -> None:
        """Nothing to do yet."""
        self.problem = ""
        """Why it failed, in one sentence."""
        self.cancelled = False
        """Whether it was ended before it was done."""
        self._process: Process | None = None

    @property
    def busy(self) -> bool:
        """Whether its process is at work."""
        return self._process is not None

    @property
    def outcome(self) -> str:
        """How it ended, in a sentence; empty where nothing is to be said."""
        return self.problem

    @property
    def mood(self) -> Kind:
        """How that is said."""
        return "bad" if self.problem else "info" if self.cancelled else "good"

    @property
    def chip(self) -> Chip | None:
        """What the status bar of other screens than its own says of it."""
        return None

    def update(self) -> bool:
        """Take what was said; True when it has just ended."""
        process = self._process
        if process is None:
            return False
        for said in process.said():
            self._hear(said)
            if self._process is not process:
                return True
        if not process.ended:
            return False
        self._process = None
        self._gone(process)
        return True

    def cancel(self) -> None:
        """End it; what it says from now on is dropped."""
        if self._process is not None:
            self._process.cancel()
        self._process, self.cancelled = None, True

    def close(self) -> None:
        """The app ends."""
        self.cancel()

    def wait(self) -> None:
        """Wait for what is still to be saved or cleaned up."""
        if self._process is not None:
            self._process.wait(self.patience)

    def _begin(self, name: str, command: Command, **settings: str) -> None:
        """Start a process, after the one before."""
        self.cancel()
        self.problem, self.cancelled = "", False
        self._process = Process(name, command, settings)

    def _hear(self, said: dict[str, Any]) -> None:
        """Take one line of what it says."""

    def _gone(self, process: Process) -> None:
        """It has ended, and all that it said was taken."""


class Jobs:
    """The jobs of one window, whichever screen is shown."""

    def __init__(self) -> None:
        """None."""
        self._jobs: list[Job] = []

    def add(self, job: Job) -> None:
        """Follow it from now on."""
        self._jobs.append(job)

    def remove(self, kind: type[Job]) -> None:
        """Forget those of a kind that have ended."""
        self._jobs = [job for job in self._jobs if job.busy or not isinstance(job, kind)]

    def every(self, kind: type[JobT]) -> list[JobT]:
        """Those of a kind, the first one first."""
        return [job for job in self._jobs if isinstance(job, kind)]

    def one(self, kind: type[JobT]) -> JobT | None:
        """The first of a kind, if there is one."""
        return next(iter(self.every(kind)), None)

    def at(self, place: str) -> Job | None:
        """The first that belongs to a screen, if there is one."""
        return next((job for job in self._jobs if job.place == place), None)

    def chip(self, place: str = "") -> Chip | None:
        """What the status bar says of them on that screen: of one that is at work, else of one that has ended."""
        chips = [job.chip for job in self._jobs if job.place != place]
        found = [chip for chip in chips if chip is not None]
        return next((chip for chip in found if chip.busy), found[0] if found else None)

    @property
    def at_exit(self) -> list[str]:
        """What becomes of those at work when the app is closed now."""
        return [job.at_exit for job in self._jobs if job.at_exit and job.chip is not None and job.chip.busy]

    def update(self) -> list[Job]:
        """Once a frame: those that have just ended."""
        ended = [job for job in self._jobs if job.update()]
        self._jobs = [job for job in self._jobs if job.stays or job not in ended]
        return ended

    def close(self) -> None:
        """The app ends: all are told to, and those that save or clean up are waited for."""
        for job in self._jobs:
            job.close()
        for job in self._jobs:
            job.wait()
