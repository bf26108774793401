#!/usr/bin/env python3
"""Measures what the threads of the matrix libraries cost; the table of docs/threads.md.

    python scripts/measure_threads.py [NAME …] [--rooms 30] [--repeat 1] [--ways library,ours,hand]

Every agent and training that multiplies matrices does the same work in a process of its own: with as many threads as
the library takes by itself (`library`), as the app does it (`ours`), and as `library` with every library held to one
thread by hand, by the environment (`hand`). Each on an idle machine and with a busy loop beside it for every core. Prints
wall and processor seconds, start-up included, with several repeats the least of each.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ai import models
from ai.threads import VARIABLES

CORES = os.cpu_count() or 1
ROOT = Path(__file__).resolve().parents[1]
LIBRARY = "import sys; from ai import threads; threads._held = True; from game.cli.main import main; sys.exit(main())"
"""The command line in a process that is taken for one that is held, and is not."""
WAYS = ("library", "ours", "hand")
ROOMS = "rooms.xsb"
FILES = (ROOMS, "made", models.SUFFIX)
JOBS: dict[str, tuple[str, ...]] = {
    "policy": ("solve", ROOMS, "--agent", "policy:sokoban-policy"),
    "policy-search": ("solve", ROOMS, "--agent", "policy-search:sokoban-policy,expansions=100"),
    "dqn": ("models", "measure", "sokoban-dqn-two-boxes.safetensors", "--games", "100"),
    "dqn-report": ("models", "measure", "sokoban-dqn-report.safetensors", "--games", "100"),
    "net": ("match", "connect4", "--agent", "net:connect4-net", "--agent", "random", "--games", "100"),
    "mcts with a net": (
        "match", "connect4", "--agent", "mcts:connect4-net,simulations=50", "--agent", "random", "--games", "2",
    ),
    "train policy": ("train", "sokoban", "policy", "--set", "rooms=600", "--out", "made"),
    "train dqn": ("train", "sokoban", "dqn", "--set", "number=2", "--set", "games=400", "--out", "made"),
    "train dqn-report": ("train", "sokoban", "dqn-report", "--set", "episodes=5", "--out", "made"),
    "train net": ("train", "connect4", "net", "--set", "roots=4", "--set", "passes=1", "--out", "made"),
}  # fmt: skip


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of: {', '.join(JOBS)}")
    parser.add_argument("--rooms", type=int, default=30, help="rooms of 10 x 10 with four boxes to solve")
    parser.add_argument("--repeat", type=int, default=1, help="times; the least counts")
    parser.add_argument("--ways", default=",".join(WAYS), help="which of these")
    parser.add_argument("--machine", default="idle,busy", help="which of these")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in JOBS:
            parser.error(f"there is no {name!r} (there are: {', '.join(JOBS)})")
    with tempfile.TemporaryDirectory() as folder:
        made = ("generate", "--size", "10x10", "--boxes", "4", "--count", str(arguments.rooms), "--out", ROOMS)
        run("ours", made, folder)
        for model in (word for words in JOBS.values() for word in words if word.endswith(models.SUFFIX)):
            shutil.copy(ROOT / "saves" / "models" / model, folder)  # a measurement is written into the file
        print("| what | machine | threads | wall s | processor s |\n|---|---|---|---|---|")
        for name in arguments.names or JOBS:
            for machine in arguments.machine.split(","):
                with busy(CORES if machine == "busy" else 0):
                    table(name, machine, arguments.ways.split(","), arguments.repeat, folder)


def table(name: str, machine: str, ways: list[str], repeat: int, folder: str) -> None:
    """Print the rows of one job; the ways take turns, so that what else happens on the machine meets all of them."""
    took: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(repeat):
        for way in ways:
            took[way].append(run(way, JOBS[name], folder))
    for way, times in took.items():
        wall, processor = (min(each) for each in zip(*times, strict=True))
        print(f"| {name} | {machine} | {way} | {wall:.1f} | {processor:.1f} |", flush=True)


def run(way: str, words: tuple[str, ...], folder: str) -> tuple[float, float]:
    """Run one command in a folder; returns its wall and processor seconds."""
    environment = {key: value for key, value in os.environ.items() if key not in VARIABLES}
    if way == "hand":
        environment |= dict.fromkeys(VARIABLES, "1")
    environment["PYTHONPATH"] = str(ROOT)
    program = [str(ROOT / "main.py")] if way == "ours" else ["-c", LIBRARY]
    words = tuple(str(Path(folder) / word) if word.endswith(FILES) else word for word in words)
    seed = () if words[0] == "solve" else ("--seed", "1")
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *program, *words, *seed, "--json"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {said.strip()[-300:]}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that do nothing but run, while this lasts."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
