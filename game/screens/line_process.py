"""A process of low priority that says what it finds, one line of JSON after the other; the window asks once a frame."""

import contextlib
import json
import logging
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from game.screens.context import ROOT

log = logging.getLogger("trilogic.agent")


class LineProcess:
    """Started at once. What it writes to standard error when it fails goes to the log.

    Raises:
        OSError: from the constructor, when it cannot be started.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        """`name` is what the log calls it."""
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        lower = (lambda: os.nice(10)) if hasattr(os, "nice") else None
        self.ended = False
        """Whether all that it said has been handed on and it is gone."""
        self._name = name
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            creationflags=flags, preexec_fn=lower,
        )  # fmt: skip
        self._cancelled = False
        threading.Thread(target=self._listen, name=name, daemon=True).start()

    def said(self) -> list[dict[str, Any]]:
        """Everything since the last call, oldest first. Never waits."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._lines.get_nowait()
                if line is None:
                    self.ended = True
                    break
                found.append(json.loads(line))
        return found

    def cancel(self) -> None:
        """End it; what it says from now on is dropped."""
        self._cancelled = True
        self._process.terminate()

    def _listen(self) -> None:
        process = self._process
        assert process.stdout is not None and process.stderr is not None
        with process.stdout, process.stderr:
            for line in process.stdout:
                self._lines.put(line)
            trouble = process.stderr.read()
        if process.wait() != 0 and trouble and not self._cancelled:
            log.error("%s failed:\n%s", self._name, trouble)
        self._lines.put(None)
