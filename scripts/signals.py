#!/usr/bin/env python3
"""Tells every command to end at random moments, and looks at what it leaves; the figures of docs/architecture.md.

    python scripts/signals.py [--count 300] [--kills 50] [--seed 0] [--only NAME …]

Each run is a process in a session, a folder and a TMPDIR of its own. Ctrl-C and SIGHUP go to its whole group, as from a
terminal, SIGTERM to the process alone; `kill -9` to programs that have others at work for them. Afterwards: the exit code
is that of the signal, standard error has exactly one line about it and no traceback, what the command promises to save is
there, no process of the session is left two seconds later. Temporary files that are left are counted, not judged: the next
start sweeps them. Moments begin when the process has taken the signals over; how long that takes is said as well. The
kernels should be compiled (`python -m ai.preparing trainings`). Linux only, because of /proc.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from signal_cases import CASES, MODELS, PARENTS, ROOT, Case, saved_training

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
LEFT_SECONDS = 2.0
"""After which no process may be left."""
END_SECONDS = 30.0
"""After which a process that was told to end counts as deaf."""
MOST_LATE = 40


@dataclass
class Tally:
    """What came of one case."""

    runs: int = 0
    late: int = 0
    """It was done before the signal came."""
    seconds: list[float] = field(default_factory=list)
    """From the signal to the end."""
    others: list[int] = field(default_factory=list)
    """Processes that a parent had when it was killed."""
    temporary: set[str] = field(default_factory=set)
    """Names of temporary files that were left."""
    faults: list[str] = field(default_factory=list)


def begin(case: Case, folder: Path) -> "subprocess.Popen[bytes]":
    """Start it in a session of its own."""
    for name in ("tmp", "record"):
        (folder / name).mkdir()
    if case.name == "models measure":
        shutil.copy(MODELS / "2048-small.safetensors", folder / "copy.safetensors")
    environment = os.environ | {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "TMPDIR": str(folder / "tmp")}
    if case.name == "warmer":
        environment["TRILOGIC_CACHE"] = str(folder / "cache")
    words = ["-c", case.program, str(folder)] if case.program else ["main.py", *case.words]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        return subprocess.Popen(
            [sys.executable, *(word.replace("{}", str(folder)) for word in words)],
            cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
        )  # fmt: skip


def ready(process: "subprocess.Popen[bytes]") -> bool:
    """Wait until it has taken the signals over; False where it ended before."""
    wanted = 1 << (signal.SIGHUP - 1)
    while process.poll() is None:
        with contextlib.suppress(OSError, IndexError):
            text = Path(f"/proc/{process.pid}/status").read_text()
            if int(text.partition("SigCgt:")[2].split()[0], 16) & wanted:
                return True
        time.sleep(0.0005)
    return False


def in_session(session: int) -> list[str]:
    """The processes of a session, as `pid command`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, rest = path.read_text().rpartition(")")
            state, _parent, _group, its = rest.split()[:4]
            if int(its) == session and state != "Z":
                command = (path.parent / "cmdline").read_text().replace("\0", " ")
                found.append(f"{head.split()[0]} {command[:120]}")
    return found


def gone(session: int) -> list[str]:
    """The processes that are left after the time they have; they are ended then."""
    end = time.monotonic() + LEFT_SECONDS
    while (left := in_session(session)) and time.monotonic() < end:
        time.sleep(0.01)
    for line in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(line.split()[0]), signal.SIGKILL)
    return left


def temporary(folder: Path) -> list[str]:
    """Files that are nobody's; torch keeps its folder for the next time."""
    found = [*(folder / "tmp").iterdir(), *folder.rglob("*.tmp")]
    return [path.name for path in found if not path.name.startswith("torchinductor")]


def told(case: Case, number: signal.Signals, share: float, tally: Tally, starts: list[float]) -> bool:
    """One run that is told to end after `share` of its time; False where it was done before that."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        process = begin(case, folder)
        hit = ready(process)
        starts.append(time.monotonic() - began)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(share)
        if not hit or process.poll() is not None:
            tally.late += 1
            if process.returncode:
                tally.faults.append(f"{case.name}: {(folder / 'err').read_text('utf-8').strip()[-300:]}")
            gone(process.pid)
            return False
        sent = time.monotonic()
        (os.kill if number == signal.SIGTERM else os.killpg)(process.pid, number)
        try:
            code: int | None = process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        tally.seconds.append(time.monotonic() - sent)
        left = gone(process.pid)
        process.wait()
        out, err = ((folder / stream).read_text("utf-8", "replace") for stream in ("out", "err"))
        faults = [f"left: {line}" for line in left] if code is not None else ["it does not end"]
        lines = err.splitlines()
        said = sum(line.startswith("trilogic: stopped") for line in lines)
        if (code, said) not in ((CODES[number], 1), (0, 0)):
            faults.append(f"exit code {code}, {said} lines about it")
        faults += [f"said: {line[:200]}" for line in lines if not line.startswith("trilogic: ")][-3:]
        faults += case.check(folder, out)
        if case.name.startswith("train") and not faults and (folder / "m.checkpoint.safetensors").exists():
            faults += goes_on(case, folder)
        tally.temporary |= set(temporary(folder))
        tally.runs += 1
        where = f"{case.name}: {number.name} after {share:.3f} s"
        tally.faults += [f"{where}: {fault}" for fault in faults]
    return True


def goes_on(case: Case, folder: Path) -> Iterator[str]:
    """A training that was stopped is taken up again: led by lines, it is stopped after its first round."""
    _, game, agent, *rest = case.words
    words = [sys.executable, "main.py", "train", game, agent, *rest[: rest.index("--out")]]
    words += ["--resume", str(folder / "m.safetensors"), "--lines"]
    said = []
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in process.stdout:
            said.append(json.loads(line))
            if "games" in said[-1]:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write("stop\n")
                    process.stdin.flush()
    soon = "go on with --resume" in str(said[-1:])  # it has not learned enough for a model; the checkpoint is there
    if not soon and (process.returncode != 0 or "done" not in said[-1]):
        yield f"it does not go on: {said[-1:]}"


def killed(case: Case, share: float, tally: Tally) -> bool:
    """One parent that is killed; False where it was done before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = begin(case, folder)
        while case.program and process.poll() is None and "begun" not in (folder / "out").read_text("utf-8"):
            time.sleep(0.01)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(share)
        if process.poll() is not None:
            tally.late += 1
            gone(process.pid)
            return False
        others = len(in_session(process.pid)) - 1
        tally.others.append(others)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        sent = time.monotonic()
        left = gone(process.pid)
        tally.seconds.append(time.monotonic() - sent)
        where = f"{case.name}: killed after {share:.3f} s with {others} processes"
        tally.faults += [f"{where}: left: {line}" for line in left]
        if "training" in case.name:
            tally.faults += [f"{where}: {fault}" for fault in saved_training(folder, "")]
        tally.temporary |= set(temporary(folder))
        tally.runs += 1
    return True


def main() -> int:
    """Tell, kill, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="signals (300)")
    parser.add_argument("--kills", type=int, default=50, help="parents that are killed (50)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="commands whose name begins so")
    arguments = parser.parse_args()
    for number in (
        signal.SIGINT,
        signal.SIGHUP,
    ):  # a job in the background or under nohup ignores them, and so would ours
        signal.signal(number, signal.default_int_handler)
    luck = random.Random(arguments.seed)
    starts: list[float] = []
    faults = 0
    for title, cases, count in (
        ("told to end", CASES, arguments.count),
        ("parents killed", PARENTS, arguments.kills),
    ):
        chosen = [case for case in cases if not arguments.only or case.name.startswith(tuple(arguments.only))]
        tallies = {case.name: Tally() for case in chosen}
        known = dict.fromkeys(tallies, 0)
        spans = {case.name: case.seconds for case in chosen}
        for number in range(count if chosen else 0):
            case = chosen[number % len(chosen)]
            tally, which = tallies[case.name], luck.choice(list(CODES))
            while True:
                share = luck.uniform(0, spans[case.name])
                if cases is CASES and told(case, which, share, tally, starts):
                    break
                if cases is PARENTS and killed(case, share, tally):
                    break
                spans[case.name] *= 0.7
                if tally.late > MOST_LATE:
                    tally.faults.append(f"{case.name}: it never took the signals over, or was always done before")
                    break
            for fault in tally.faults[known[case.name] :]:
                print(fault, flush=True)
            known[case.name] = len(tally.faults)
        if chosen:
            print(f"\n{title}: runs, longest seconds to the end, temporary files left, faults, processes")
        for name, tally in tallies.items():
            if tally.seconds:
                others = " ".join(["/".join(map(str, sorted(set(tally.others)))), *sorted(tally.temporary)])
                print(
                    f"{name:34} {tally.runs:4} {max(tally.seconds):7.2f} {len(tally.temporary):4} {len(tally.faults):4} {others}"
                )
        faults += sum(len(tally.faults) for tally in tallies.values())
    if starts:
        print(
            f"\nfrom the start of a process to its taking signals over: median {1000 * statistics.median(starts):.0f} ms"
        )
    print(f"faults: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
