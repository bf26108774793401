"""A process that works for the window gives way to it, says and is told lines, and ends when it is asked to."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from game.screens.jobs.job import Job, Jobs
from game.screens.jobs.process import Process

ECHO = "import json\nwhile True:\n    print(json.dumps({'heard': input()}), flush=True)"
SLEEP = "import time; time.sleep(60)"


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def all_said(process: Process) -> list[dict[str, Any]]:
    assert process.wait(20)
    said = process.said()
    assert process.ended
    return said


def test_it_has_a_lower_priority_and_nothing_runs_before_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    real = subprocess.Popen

    def start(*words: Any, **options: Any) -> "subprocess.Popen[str]":
        given.append(options)
        return real(*words, **options)

    monkeypatch.setattr(subprocess, "Popen", start)
    process = Process("waiting", python(ECHO))
    try:
        process.tell("go on")
        while not process.said():
            time.sleep(0.005)
        assert process._process is not None
        own, its = (os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, process._process.pid))
        print(f"priority {its}, ours {own}")
        assert its == min(19, own + 10)
        assert given[0].get("preexec_fn") is None, "whoever starts it would wait for a copy of this process"
    finally:
        process.cancel()
        assert process.wait(10)


def test_what_is_told_before_it_begins_arrives_in_its_order() -> None:
    process = Process("an echo", python("print('[1]'); print('hello'); print('{\"a\": 1}')\n" + ECHO))
    process.tell("one")
    process.tell("two")
    said: list[dict[str, Any]] = []
    end = time.monotonic() + 20
    while len(said) < 3 and time.monotonic() < end:
        said += process.said()
    assert said == [{"a": 1}, {"heard": "one"}, {"heard": "two"}]
    assert list(process.lines) == ["[1]", "hello"] and not process.ended
    process.cancel()
    assert all_said(process) == [] and process.code not in (0, None)


def test_one_that_is_cancelled_at_once_never_begins_or_ends(caplog: pytest.LogCaptureFixture) -> None:
    began = time.perf_counter()
    process = Process("sleeping", python(SLEEP))
    process.cancel()
    asked = time.perf_counter() - began
    assert all_said(process) == [] and process.code != 0
    assert asked < 0.05, "the window would stand still"
    assert not caplog.records, "to be ended is no fault"


def test_what_a_failed_one_said_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    process = Process("counting", python("import sys; print('one', file=sys.stderr); print(); sys.exit('two')"))
    all_said(process)
    assert (process.code, process.last, process.problem) == (1, "two", "")
    assert [record.getMessage() for record in caplog.records] == ["counting failed:\none\ntwo"]


def test_one_that_cannot_begin_says_why(tmp_path: Path) -> None:
    process = Process("nothing", [str(tmp_path / "none")])
    assert all_said(process) == []
    assert (process.problem, process.code) == ("No such file or directory", None)


def test_what_it_needs_is_there_while_it_runs(tmp_path: Path) -> None:
    file = tmp_path / "needed"

    @contextmanager
    def command() -> Iterator[list[str]]:
        file.write_text('{"needed": true}')
        yield python(f"print(open({str(file)!r}).read())")
        file.unlink()

    assert all_said(Process("reading", command())) == [{"needed": True}]
    assert not file.exists()


class Counting(Job):
    """Says numbers, then ends; a negative one is its end before the process's."""

    def __init__(self, program: str, place: str = "", stays: bool = False, patience: float | None = 0.0) -> None:
        super().__init__()
        self.heard: list[int] = []
        self.place, self.stays, self.patience = place, stays, patience
        self._begin("counting", python(program))

    def _hear(self, said: dict[str, Any]) -> None:
        self.heard.append(said["number"])
        if said["number"] < 0:
            self._process = None

    def _gone(self, process: Process) -> None:
        self.problem = process.last


def numbers(*values: int, then: str = "") -> str:
    return "".join(f"print('{{\"number\": {value}}}', flush=True)\n" for value in values) + then


def followed(jobs: Jobs, count: int) -> list[Job]:
    """Those that end, one after the other."""
    ended: list[Job] = []
    end = time.monotonic() + 20
    while len(ended) < count and time.monotonic() < end:
        ended += jobs.update()
        time.sleep(0.002)
    return ended


def test_a_job_ends_once_and_only_what_stays_is_kept() -> None:
    jobs = Jobs()
    passing, staying = Counting(numbers(1, 2)), Counting(numbers(3, then="raise SystemExit('no')"), stays=True)
    jobs.add(passing)
    jobs.add(staying)
    assert passing.busy and jobs.every(Counting) == [passing, staying]
    assert set(followed(jobs, 2)) == {passing, staying}
    assert (passing.heard, passing.problem, passing.mood) == ([1, 2], "", "good")
    assert (staying.heard, staying.outcome, staying.mood) == ([3], "no", "bad")
    assert jobs.one(Counting) is staying and not staying.update()
    jobs.remove(Counting)
    assert jobs.one(Counting) is None


def test_a_job_that_ends_by_what_it_hears_hears_no_more() -> None:
    jobs = Jobs()
    job = Counting(numbers(1, -1, 2))
    jobs.add(job)
    assert followed(jobs, 1) == [job] and job.heard == [1, -1]


def test_the_end_of_the_app_waits_for_those_that_clean_up() -> None:
    jobs = Jobs()
    slow = "import signal, time\nsignal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.3), exit()))\n"
    patient = Counting(slow + numbers(1) + SLEEP, patience=None)
    patient.cancel = lambda: patient._process.cancel()  # type: ignore[method-assign, union-attr]
    jobs.add(patient)
    jobs.add(Counting(SLEEP))
    while not patient.heard:
        jobs.update()
    jobs.close()
    assert patient._process is not None and patient._process.wait(0.0) and patient._process.code == 0
