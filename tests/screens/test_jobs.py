"""A process that works for the window gives way to it, and is started without a copy of the window's own process."""

import os
import subprocess
import sys
from typing import Any

import pytest

from game.screens.jobs.process import LineProcess


def test_it_has_a_lower_priority_and_nothing_runs_before_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    real = subprocess.Popen

    def start(*words: Any, **options: Any) -> "subprocess.Popen[str]":
        given.append(options)
        return real(*words, **options)

    monkeypatch.setattr(subprocess, "Popen", start)
    process = LineProcess([sys.executable, "-c", "input()"], "waiting")
    try:
        own, its = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, process._process.pid))
        print(f"priority {its}, ours {own}")
        assert its == min(19, own + 10)
        assert given[0].get("preexec_fn") is None, "the drawing thread would wait for a copy of this process"
    finally:
        process.tell("go on")
        assert process.wait(10)
