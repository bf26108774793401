#!/usr/bin/env python3
"""Tells every command to end at random moments, and looks at what it leaves; the figures of docs/architecture.md.

    python scripts/signals.py [--count 300] [--kills 50] [--seed 0] [--only NAME …]

Each run is a process in a session, a folder and a TMPDIR of its own. Ctrl-C and SIGHUP go to its whole group, as from a
terminal, SIGTERM to the process alone; `kill -9` to programs that have others at work for them. Afterwards: the exit code
is that of the signal, standard error has exactly one line about it and no traceback, what the command promises to save is
there, no process of the session is left two seconds later. Temporary files that are left are counted, not judged: the next
start sweeps them. Moments begin when the process has taken the signals over; how long that takes is said as well. The
kernels should be compiled (`python -m ai.kernels trainings`). Linux only, because of /proc.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ai import models  # noqa: E402
from game.rules import levels  # noqa: E402

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
LEFT_SECONDS = 2.0
"""After which no process may be left."""
END_SECONDS = 30.0
"""After which a process that was told to end counts as deaf."""
MOST_LATE = 40
MODELS = ROOT / "saves" / "models"
EXAMPLE = ROOT / "saves" / "replays" / "examples" / "2048-expectimax-1-00001.json"
HARD = ROOT / "levels" / "3-night-shift.xsb"

Check = Callable[[Path, str], Iterator[str]]
"""What is wrong in the folder of a run, given what it printed."""


def nothing(_folder: Path, _out: str) -> Iterator[str]:
    """The command promises nothing."""
    return iter(())


@dataclass(frozen=True)
class Case:
    """One command line; `{}` in a word is the folder of the run."""

    name: str
    words: tuple[str, ...]
    seconds: float
    """Moments are drawn from so long."""
    check: Check = nothing
    program: str = ""
    """Instead of a command: a program that starts processes as the window does."""


def saved_training(folder: Path, out: str) -> Iterator[str]:
    """Once it learns (its log is there), checkpoint and model are saved when it is stopped, and it goes on."""
    if not (folder / "m.csv").exists():
        return
    if not (folder / "m.checkpoint.safetensors").exists():
        yield "it had begun to learn, and there is no checkpoint"
    elif out and models.card(folder / "m.safetensors").problem:
        yield f"the model cannot be used: {models.card(folder / 'm.safetensors').problem}"


def whole_model(folder: Path, _out: str) -> Iterator[str]:
    """Its strength is written into the file or not."""
    problem = models.card(folder / "copy.safetensors").problem
    if problem:
        yield f"the model is damaged: {problem}"


def whole_rooms(folder: Path, _out: str) -> Iterator[str]:
    """What was made is a file of levels."""
    if (folder / "rooms.xsb").exists():
        try:
            levels.read(folder / "rooms.xsb")
        except ValueError as error:
            yield f"the rooms cannot be read: {error}"


def whole_replays(folder: Path, _out: str) -> Iterator[str]:
    """Every game that was recorded is whole."""
    for path in (folder / "record").glob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            yield f"{path.name} is not whole"


def whole_study(folder: Path, out: str) -> Iterator[str]:
    """Finished parts are kept, and where there are some the page is there."""
    kept = folder / "study" / "unfinished.json"
    if kept.exists():
        parts = json.loads(kept.read_text("utf-8"))["parts"]
        if out and parts and not (folder / "study" / "results.md").exists():
            yield "parts are done, and there is no page"


def no_export(folder: Path, _out: str) -> Iterator[str]:
    """Nothing half written stays, at any moment."""
    for path in folder.glob(".film*"):
        yield f"{path.name} was left"


def whole_saves(folder: Path, _out: str) -> Iterator[str]:
    """The window's files are whole, and its log knows no error."""
    for path in (folder / "saves").rglob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            yield f"{path.name} is not whole"
    for path in (folder / "saves").rglob("*.log"):
        if "Traceback" in path.read_text("utf-8"):
            yield "the log has a traceback"


def _train(game: str, agent: str, *settings: str, seconds: float = 9.0) -> Case:
    words = [word for each in settings for word in ("--set", each)]
    name = f"train {game} {agent}"
    return Case(name, ("train", game, agent, *words, "--out", "{}/m.safetensors", "--json"), seconds, saved_training)


def _study(name: str) -> Case:
    return Case(f"experiment {name}", ("experiment", name, "--quick", "--out", "{}/study"), 8.0, whole_study)


def _window(scene: str) -> Case:
    return Case(f"window {scene}", ("--scene", scene, "--saves", "{}/saves"), 3.0, whole_saves)


CASES = (
    Case("agents", ("agents",), 0.4),
    Case("solve", ("solve", str(HARD), "--agent", "astar", "--record", "{}/record"), 2.0, whole_replays),
    Case("solve --jobs 2", ("solve", str(HARD), "--agent", "ida,time=20", "--jobs", "2"), 5.0),
    Case("match 2048", ("match", "2048", "--agent", "expectimax,depth=3", "--games", "99", "--record", "{}/record"), 4.0,
         whole_replays),
    Case("match 2048 ntuple", ("match", "2048", "--agent", "ntuple:2048-small", "--games", "999"), 4.0),
    Case("match connect4", ("match", "connect4", "--agent", "alphabeta,time=0.1", "--agent", "net:connect4-net",
                            "--games", "99", "--record", "{}/record"), 5.0, whole_replays),
    Case("analyze sokoban", ("analyze", "sokoban", "--agent", "beam", "--time", "9", "--position", str(HARD)), 3.0),
    Case("analyze 2048", ("analyze", "2048", "--agent", "mcts,time=5", "--position",
                          "2 4 8 16/256 128 64 32/512 1024 2048 4096/0 2 0 0"), 3.0),
    Case("analyze connect4", ("analyze", "connect4", "--agent", "perfect", "--position", "4453"), 2.0),
    _train("2048", "ntuple", "tuples=4x3"),
    _train("2048", "ntuple-report"),
    _train("connect4", "qlearning"),
    _train("connect4", "ntuple"),
    _train("connect4", "net", seconds=12.0),
    _train("connect4", "book"),
    _train("sokoban", "policy", "rooms=200", seconds=15.0),
    _train("sokoban", "dqn", "number=1"),
    _train("sokoban", "dqn-report", "number=1"),
    Case("generate", ("generate", "--size", "10x10", "--boxes", "4", "--count", "9999", "--out", "{}/rooms.xsb"), 4.0,
         whole_rooms),
    Case("generate --difficulty", ("generate", "--size", "8x8", "--boxes", "3", "--count", "999", "--difficulty", "10-90",
                                   "--out", "{}/rooms.xsb"), 4.0, whole_rooms),
    *(_study(name) for name in ("2048-learning-rate", "connect4-report", "sokoban-search", "sokoban-dqn", "2048-3x3")),
    Case("replay", ("replay", str(EXAMPLE)), 0.6),
    *(Case(f"replay --export {kind}", ("replay", str(EXAMPLE), "--export", "{}/film." + kind), 4.0, no_export)
      for kind in ("gif", "mp4", "png")),
    Case("models", ("models",), 0.6),
    Case("models measure", ("models", "measure", "{}/copy.safetensors", "--games", "20"), 3.0, whole_model),
    *(Case(f"bench {name}", ("bench", name), seconds)
      for name, seconds in (("menu-warm-start", 4.0), ("kernels", 8.0), ("nodes-connect4", 4.0), ("cancel-sokoban", 4.0),
                            ("frame-work-sokoban", 6.0), ("policy-sokoban", 2.0))),
    *(_window(scene) for scene in ("menu", "sokoban", "2048", "connect4", "editor", "lab", "replays")),
)  # fmt: skip

_BEGIN = """
import sys, time
from pathlib import Path
from ai import stopping
stopping.install()
folder = Path(sys.argv[1])
{}
print("begun", flush=True)
time.sleep(600)
"""
_JOB = """
from game.screens.lab.job import Job
from game.screens.lab.wish import Wish
job = Job(Wish({!r}, {!r}, "m"), folder)
"""
_LINES = """
from game.screens.line_process import LineProcess
from ai.entries import Spec
{}
"""
PROGRAMS = {
    "training of 2048": _JOB.format("twenty48", "ntuple"),
    "training of Sokoban with torch": _JOB.format("sokoban", "policy"),
    "warmer": "from game.screens.context import Warmer; warmer = Warmer(); warmer.start(); assert warmer.family",
    "many games": _LINES.format(
        "from game.screens.twenty48.series import Player\n"
        "job = LineProcess(Player.command(Spec('expectimax', {'depth': 3}), 4, 100), 'many games')"
    ),
    "test of a model": _LINES.format(
        "from ai import child\njob = LineProcess(child.command('game.screens.models.trial', "
        f"{str(MODELS / '2048-strong.safetensors')!r}, 'ntuple', '4', '3', '100'), 'a test')"
    ),
    "export": (
        "from game.rules import replay\nfrom game.screens.replays.export import Wish\n"
        "from game.screens.replays.export_job import ExportJob\n"
        f"job = ExportJob(replay.read(Path({str(EXAMPLE)!r})), Wish('mp4', size=1080), folder / 'film.mp4')"
    ),
    "installation": (
        "import socket\nfrom game.screens.lab import install\n"
        "door = socket.create_server(('127.0.0.1', 0))\nwords = install.command()[:4]\n"
        "install.command = lambda: [*words, 'download', '--index-url', f'http://127.0.0.1:{door.getsockname()[1]}', 'x']\n"
        "job = install.Installation()"
    ),
}
"""What a window has at work for it."""
PARENTS = (
    *(Case(name, (), 5.0, program=_BEGIN.format(program)) for name, program in PROGRAMS.items()),
    *(
        case
        for case in CASES
        if case.name in ("solve --jobs 2", "replay --export mp4", "bench kernels", "bench menu-warm-start")
    ),
)


@dataclass
class Tally:
    """What came of one case."""

    runs: int = 0
    late: int = 0
    """It was done before the signal came."""
    seconds: list[float] = field(default_factory=list)
    """From the signal to the end."""
    temporary: int = 0
    """Runs that left a temporary file."""
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
    """Files that are nobody's."""
    return [path.name for path in (*(folder / "tmp").iterdir(), *folder.rglob("*.tmp"))]


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
        tally.temporary += bool(temporary(folder))
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
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in process.stdout:
            said.append(json.loads(line))
            if "games" in said[-1]:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write("stop\n")
                    process.stdin.flush()
    if process.returncode != 0 or "done" not in said[-1]:
        yield f"it does not go on: {said[-1:]}"


def killed(case: Case, share: float, tally: Tally) -> bool:
    """One parent that is killed; False where it was done before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = begin(case, folder)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(share)
        if process.poll() is not None:
            tally.late += 1
            gone(process.pid)
            return False
        others = len(in_session(process.pid)) - 1
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        sent = time.monotonic()
        left = gone(process.pid)
        tally.seconds.append(time.monotonic() - sent)
        where = f"{case.name}: killed after {share:.3f} s with {others} processes"
        tally.faults += [f"{where}: left: {line}" for line in left]
        if "training" in case.name:
            tally.faults += [f"{where}: {fault}" for fault in saved_training(folder, "")]
        tally.temporary += bool(temporary(folder))
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
            print(f"\n{title}: runs, longest seconds to the end, runs with temporary files left, faults")
        for name, tally in tallies.items():
            if tally.seconds:
                print(f"{name:34} {tally.runs:4} {max(tally.seconds):7.2f} {tally.temporary:4} {len(tally.faults):4}")
        faults += sum(len(tally.faults) for tally in tallies.values())
    if starts:
        print(
            f"\nfrom the start of a process to its taking signals over: median {1000 * statistics.median(starts):.0f} ms"
        )
    print(f"faults: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
