"""What trainings need beyond playing: whether it is there, how large it is, and its installation from the window."""

import importlib.util
import sys
from functools import lru_cache

from typing_extensions import override

from ai.program import ROOT
from game.screens.jobs.job import Job
from game.screens.jobs.process import Process

REQUIREMENTS = "requirements.txt"
SIZE = "about 960 MB on disk, more where pip picks a build for graphics cards"


@lru_cache(maxsize=1)
def _found() -> bool:
    return importlib.util.find_spec("torch") is not None


def missing() -> str:
    """What has to be installed before a training with torch, in one sentence; empty where nothing has."""
    if _found():
        return ""
    return f"This training needs torch, which is not installed: {SIZE}. `./play train` installs it too."


def command() -> list[str]:
    """The installation, into the Python that runs the app; it ends when its standard input does."""
    return [
        sys.executable,
        "-I",
        str(ROOT / "ai" / "child.py"),
        "pip",
        "install",
        "--disable-pip-version-check",
        "-r",
        str(ROOT / REQUIREMENTS),
    ]


class Installation(Job):
    """Begins at once to download what is missing. What pip has begun when it is ended it undoes or does again the next time."""

    def __init__(self) -> None:
        """Installs into the Python that runs the app."""
        super().__init__()
        self._begin("the installation", command(), PIP_USER="0", PIP_NO_INPUT="1")

    @property
    def line(self) -> str:
        """What pip said last."""
        return (self._process.last if self._process is not None else "") or "Looking for what is missing."

    @property
    @override
    def outcome(self) -> str:
        """How it ended, in a sentence."""
        return self.problem or "Everything that training needs is installed."

    @override
    def _gone(self, process: Process) -> None:
        _found.cache_clear()
        importlib.invalidate_caches()
        if process.code == 0:
            return
        said = next((line for line in reversed(process.lines) if line.startswith("ERROR")), process.last)
        reason = said.removeprefix("ERROR: ").rstrip(".") or process.problem or "pip failed"
        self.problem = f"The installation failed: {reason}."
