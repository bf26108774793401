"""A process of low priority that says what it finds, one line of JSON after the other; the window asks once a frame.

Its standard input is ours, and it ends when that ends (`ai.child`), so that it never outlives the window; where it is to
be led, it is told words there, one a line.
"""

import contextlib
import json
import logging
import os
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ai.program import ROOT

log = logging.getLogger("trilogic.jobs")

NICE = 10
"""How much lower its priority is than the window's."""
KEPT = 40
"""Lines for people that are kept: the last ones."""
Command = Sequence[str] | AbstractContextManager[Sequence[str]]
"""The words of a command that ends with its standard input; as a context, what has to be there while it runs."""


class Process:
    """Started at once, on a thread of its own, because what it needs may have to be written first."""

    def __init__(self, name: str, command: Command, settings: Mapping[str, str] | None = None) -> None:
        """`name` is what the log calls it; `settings` come into its environment."""
        self.ended = False
        """Whether all that it said has been handed on and it is gone."""
        self.code: int | None = None
        """Its exit code; None before its end, and where it never began."""
        self.problem = ""
        """Why it could not begin, in a few words."""
        self.lines: deque[str] = deque(maxlen=KEPT)
        """What it said that is not JSON, without blank lines: why it fails, as a rule."""
        self._name = name
        self._said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._untold: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, args=(command, settings or {}), name=name, daemon=True)
        self._thread.start()

    @property
    def last(self) -> str:
        """The last line that is not JSON; empty where there was none."""
        return self.lines[-1] if self.lines else ""

    def said(self) -> list[dict[str, Any]]:
        """Everything since the last call, oldest first. Never waits."""
        found = []
        with contextlib.suppress(queue.Empty):
            while (each := self._said.get_nowait()) is not None:
                found.append(each)
            self.ended = True
        return found

    def tell(self, word: str) -> None:
        """Write a line to its standard input, if it still listens."""
        with self._lock:
            if self._process is None:
                self._untold.append(word)
            else:
                _write(self._process, word)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end so long at most; whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """Tell it to end."""
        with self._lock:
            self._cancelled = True
            if self._process is not None:
                self._process.terminate()

    def _run(self, command: Command, settings: Mapping[str, str]) -> None:
        try:
            with command if isinstance(command, AbstractContextManager) else nullcontext(command) as words:
                self._follow(words, settings)
        except OSError as error:
            self.problem = error.strerror or str(error)
        except Exception as error:
            log.exception("%s could not begin", self._name)
            self.problem = str(error) or type(error).__name__
        self._said.put(None)

    def _follow(self, words: Sequence[str], settings: Mapping[str, str]) -> None:
        """Begin it and listen until it is gone."""
        with self._lock:
            if self._cancelled:
                return
            self._process = process = subprocess.Popen(
                words, cwd=ROOT, env={**os.environ, **settings}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
                process_group=0,  # what a terminal tells its processes is for us
            )  # fmt: skip
            _give_way(process)
            for word in self._untold:
                _write(process, word)
        assert process.stdout is not None
        with contextlib.suppress(OSError), process:  # it may have ended before it read what it was told
            for line in process.stdout:
                self._hear(line.rstrip())
        self.code = process.returncode
        if self.code != 0 and self.lines and not self._cancelled:
            log.error("%s failed:\n%s", self._name, "\n".join(self.lines))

    def _hear(self, line: str) -> None:
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if isinstance(said, dict):
            self._said.put(said)
        elif line:
            self.lines.append(line)


def _write(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):  # gone, or closed by now
        process.stdin.write(f"{word}\n")
        process.stdin.flush()


def _give_way(process: "subprocess.Popen[str]") -> None:
    """Lower the priority of a process that was just started, so that the window has the processor first.

    From here, not by a function that the process runs before its program: for that this whole process is copied, and whoever
    starts it waits until the copy has had the processor; on a busy machine that took two seconds.
    """
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
