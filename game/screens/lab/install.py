"""What trainings need beyond playing: whether it is there, how large it is, and its installation from the window."""

import importlib.util
import logging
import os
import subprocess
import sys
import threading
from functools import lru_cache

from game.screens.context import ROOT

REQUIREMENTS = "requirements.txt"
SIZE = "about 960 MB on disk, more where pip picks a build for graphics cards"
log = logging.getLogger("trilogic.app")


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


class Installation:
    """Starts at once, on a thread of its own; look at `finished` and then at `problem`."""

    def __init__(self) -> None:
        """Downloads what is missing."""
        self.finished = False
        self.problem = ""
        """Why it failed, in one sentence."""
        self.line = "Looking for what is missing."
        """What pip said last."""
        self._process: subprocess.Popen[str] | None = None
        threading.Thread(target=self._run, name="installing", daemon=True).start()

    def _run(self) -> None:
        settings = {**os.environ, "PIP_USER": "0", "PIP_NO_INPUT": "1"}
        lines: list[str] = []
        try:
            with subprocess.Popen(
                command(), cwd=ROOT, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", process_group=0,
            ) as process:  # fmt: skip
                self._process = process
                assert process.stdout is not None
                for line in process.stdout:
                    if line.strip():
                        lines.append(line.strip())
                        self.line = line.strip()
            code = process.returncode
        except OSError as error:
            code, lines = 1, [str(error.strerror or error)]
        if code:
            log.error("the installation failed:\n%s", "\n".join(lines[-40:]))
            said = next(
                (line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "pip failed"
            )
            self.problem = f"The installation failed: {said.removeprefix('ERROR: ').rstrip('.')}."
        _found.cache_clear()
        importlib.invalidate_caches()
        self.finished = True

    def cancel(self) -> None:
        """End it; what pip has begun it undoes or does again the next time."""
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
