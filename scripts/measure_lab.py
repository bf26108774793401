#!/usr/bin/env python3
"""Measures what watching a training costs it; the figures of docs/training.md.

    python scripts/measure_lab.py [--seconds 10] [--rounds 6]

One training of 2048 (`ntuple`) in a process of low priority, as the lab starts it. In alternation the lab's screen is
drawn 60 times a second, and nothing is drawn at all. Counted are the moves learned in a second of the training's
processor time, so that other work on the machine does not count, and the window's own processor time. Linux only,
because of /proc. Where there is a display the window is a real one.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ai import threads
from game.screens import app
from game.screens.lab.request import Request
from game.screens.lab.scene import LabScene
from game.screens.lab.training import Phase, Training
from game.ui.window import Window


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each stretch")
    parser.add_argument("--rounds", type=int, default=6, help="pairs of stretches")
    arguments = parser.parse_args()
    threads.hold()
    with tempfile.TemporaryDirectory() as folder:
        window, context = app.open_window(Path(folder), (1280, 800))
        try:
            job = Training(Request("twenty48", "ntuple", "measured"), context.saves.models)
            context.jobs.add(job)
            window.scenes.append(LabScene(window, context))
            window.scenes[0].rebuild()
            while job.phase is Phase.STARTING:
                job.update()
                time.sleep(0.05)
            speeds: dict[bool, list[float]] = {True: [], False: []}
            frames: list[float] = []
            for _ in range(60):
                window.turn()  # what is drawn is there by now
            for number in range(2 * arguments.rounds):
                watched = number % 2 == 0
                speed, busy = stretch(window, job, watched, arguments.seconds)
                speeds[watched].append(speed)
                if watched:
                    frames.append(busy)
        finally:
            window.close()
            app.close_context(context)
    with_it, without = (statistics.fmean(speeds[watched]) for watched in (True, False))
    for watched, name in ((True, "watched"), (False, "not watched")):
        print(f"{name}: {', '.join(f'{each:,.0f}' for each in speeds[watched])} moves/s")
    print(f"mean {with_it:,.0f} watched, {without:,.0f} not watched: {(with_it / without - 1):+.1%}")
    print(f"the window keeps {statistics.fmean(frames):.0%} of one core busy")
    print(f"{len(job.history.rows)} rows of figures in {job.seconds:.0f} s of learning")


def stretch(window: Window, job: Training, watched: bool, seconds: float) -> tuple[float, float]:
    """Moves a second of the training's processor time, and the share of a core that this process takes."""
    moves, spent, own, began = moves_so_far(job), processor_seconds(job), time.process_time(), time.perf_counter()
    while time.perf_counter() - began < seconds:
        if watched:
            window.turn()
        else:
            time.sleep(0.1)
            job.update()
    busy = (time.process_time() - own) / (time.perf_counter() - began)
    return (moves_so_far(job) - moves) / (processor_seconds(job) - spent), busy


def processor_seconds(job: Training) -> float:
    """Of the training's process, all its threads together."""
    assert job._process is not None and job._process._process is not None
    fields = Path(f"/proc/{job._process._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def moves_so_far(job: Training) -> float:
    """Moves learned, as they were told last."""
    job.update()
    return job.history.latest.get("moves", 0.0)


if __name__ == "__main__":
    main()
