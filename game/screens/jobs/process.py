"""A process of low priority that says what it finds, one line of JSON after the other; the window asks once a frame.

Its standard input is ours, and it ends when that ends (`ai.child`), so that it never outlives the window; where it is to
be led, it is told words there, one a line.
"""

import contextlib
import json
import logging
import queue
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from game.screens.context import ROOT, give_way

log = logging.getLogger("trilogic.agent")


class LineProcess:
    """Started at once. What it writes to standard error when it fails goes to the log.

    Raises:
        OSError: from the constructor, when it cannot be started.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        """`name` is what the log calls it; the command reads its standard input to the end, and ends then."""
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        self.ended = False
        """Whether all that it said has been handed on and it is gone."""
        self.trouble = ""
        """The last line that it wrote to standard error, once it has ended."""
        self._name = name
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", creationflags=flags,
            process_group=0,  # what a terminal tells its processes is for us
        )  # fmt: skip
        give_way(self._process)
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
                try:
                    found.append(json.loads(line))
                except ValueError:
                    log.warning("%s said: %s", self._name, line.rstrip())
        return found

    def tell(self, word: str) -> None:
        """Write a line to its standard input, if it still listens."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):  # gone, or closed by now
                self._process.stdin.write(f"{word}\n")
                self._process.stdin.flush()

    def wait(self, seconds: float) -> bool:
        """Wait for its end so long at most; whether it has come."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

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
        self.trouble = next((line for line in reversed(trouble.splitlines()) if line.strip()), "").strip()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if process.wait() != 0 and trouble and not self._cancelled:
            log.error("%s failed:\n%s", self._name, trouble)
        self._lines.put(None)
