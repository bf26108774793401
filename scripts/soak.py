#!/usr/bin/env python3
"""An hour of everything at random in the real window, without a display: does the app stay quick, small and free of errors?

    python scripts/soak.py [--minutes 60] [--seed 0] [--visit SECONDS] [--saves DIR]

Somebody careless visits every screen again and again (scripts/soak_tour.py) while agents think. Every minute a line is
printed; at the end a verdict. The exit code is 1 when an error was logged, a frame took more than 500 ms of our own work,
memory at rest (at the menu, between two visits) grew by more than 10 % after the first third, or files and threads pile up.

Own work of a frame is what passes by the clock without the time for which the drawing thread was ready but other programs had
the processor, where the system tells (Linux). Saves, home folder and clipboard are the soak's own.
"""

import argparse
import contextlib
import gc
import logging
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pygame
from soak_tour import USUAL, Tour

from ai import kernels, preparing
from game.screens import app
from game.screens.jobs.warming import Warming
from game.screens.lab.scene import LabScene
from game.screens.navigation import make_scene
from game.ui import clipboard
from game.ui.file_dialog import FileDialog
from game.ui.window import Window

ROOT = Path(__file__).resolve().parents[1]
LONGEST_MS = 500.0
GROWTH = 0.10
MORE_FILES, MORE_THREADS = 6, 6
"""How many more open files and threads there may be at rest at the end than after a third of the time."""
SLOW_MS = 300.0
"""A frame that takes longer is looked at while it lasts."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What was held between two visits, with nothing but the menu open."""

    seconds: float
    memory: float
    """MB."""
    files: int
    threads: int


class Errors(logging.Handler):
    """Keeps what is logged as an error, and exceptions that ended a thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[tuple[float, str]] = []
        """(when, the record and its traceback)."""
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s [%(threadName)s] %(message)s"))
        threading.excepthook = self._thread_died

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.found.append((time.monotonic(), f"logged: {self.format(record)}"))

    def _thread_died(self, died: threading.ExceptHookArgs) -> None:
        lines = traceback.format_exception(died.exc_type, died.exc_value, died.exc_traceback)
        self.found.append((time.monotonic(), f"a thread died: {''.join(lines)}"))


class Frames:
    """Every frame of the window, timed; and where the drawing thread was in those that took long."""

    def __init__(self, window: Window, doing: Callable[[], str]) -> None:
        """`doing` says what is being visited."""
        self.doing = doing
        self.count, self.longest, self.longest_clock = 0, 0.0, 0.0
        self.slow: list[tuple[float, str]] = []
        """(when, what and where it was)."""
        self._real, self._began = window.frame, 0.0
        self._place, self._thread = "", threading.get_ident()
        self._waits = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        setattr(window, "frame", self._frame)  # noqa: B010 (mypy calls it a method)
        threading.Thread(target=self._look, name="looking at slow frames", daemon=True).start()

    def start_minute(self) -> None:
        """Forget the longest frame."""
        self.count, self.longest, self.longest_clock = 0, 0.0, 0.0

    def _waited(self) -> float:
        """Milliseconds that this thread was ready and others had the processor."""
        try:
            return int(self._waits.read_text().split()[1]) / 1e6
        except OSError:
            return 0.0

    def _frame(self, dt: float) -> None:
        waited, began = self._waited(), time.perf_counter()
        self._place, self._began = "", began
        self._real(dt)
        clock = (time.perf_counter() - began) * 1000
        self._began = 0.0
        own = clock - (self._waited() - waited)
        self.count += 1
        self.longest, self.longest_clock = max(self.longest, own), max(self.longest_clock, clock)
        if own > LONGEST_MS:
            words = f"{self.doing()}: a frame took {own:.0f} ms of our own work ({clock:.0f} ms by the clock)"
            self.slow.append((time.monotonic(), f"{words}\n{self._place}"))

    def _look(self) -> None:
        while True:
            time.sleep(0.02)
            began = self._began
            if began and not self._place and (time.perf_counter() - began) * 1000 > SLOW_MS:
                frame = sys._current_frames().get(self._thread)
                self._place = "".join(traceback.format_stack(frame)[-8:]) if frame is not None else ""


def _resident() -> float:
    """Memory of this process in MB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _open_files() -> int:
    """Open files, pipes and sockets; not fonts, one for each size in use, of which so many at most are kept."""
    found = 0
    for handle in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += not os.readlink(handle).endswith((".otf", ".ttf"))
    return found


def make_files(folder: Path, chance: random.Random) -> list[Path]:
    """What is dropped on the window: good files of every kind, damaged ones, and some that are no files."""
    good = [*(ROOT / "levels").glob("*.xsb"), *(ROOT / "saves" / "replays" / "examples").glob("*.json"),
            *(ROOT / "saves" / "models").glob("*dqn-one-box*"), *(ROOT / "saves" / "models").glob("2048-small*")]  # fmt: skip
    files = [Path(shutil.copy(path, folder)) for path in sorted(good)]
    for path in list(files):
        data = bytearray(path.read_bytes())
        cut = folder / f"cut-{path.name}"
        cut.write_bytes(data[: len(data) // 2])
        for _ in range(20):
            data[chance.randrange(len(data))] = chance.randrange(256)
        torn = folder / f"torn-{path.name}"
        torn.write_bytes(data)
        files += [cut, torn]
    level = "#######\n#@ $ .#\n#######\n"
    for name, content in {
        "empty.xsb": b"", "bytes.xsb": b"\xff\xfe", "braces.json": b"{}", "head.safetensors": b"\x08\0", "head.npy": b"\x93NUMPY",
        "many.xsb": "\n".join(f"Title: {number}\n{level}" for number in range(400)).encode(),
        "deep.json": b"[" * 50_000, "long.xsb": b"#" * 200_000, "picture.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        "text.txt": b"not a level\n" * 1000,
    }.items():  # fmt: skip
        (folder / name).write_bytes(content)
        files.append(folder / name)
    return [*files, folder, folder / "missing.xsb"]


class Soak:
    """One window, one tour, what was measured."""

    def __init__(self, folder: Path, arguments: argparse.Namespace) -> None:
        chance = random.Random(arguments.seed)
        (folder / "home").mkdir()
        (folder / "dropped").mkdir()
        self.window, self.context = app.open_window(arguments.saves or folder / "saves", USUAL)
        self.errors = Errors()
        logging.getLogger().addHandler(self.errors)
        self.frames = Frames(self.window, lambda: self.tour.doing)
        self.tour = Tour(self.window, self.context, make_files(folder / "dropped", chance), chance, arguments.visit)
        self.rests: list[Rest] = []
        self.seconds = arguments.minutes * 60
        self._began, self._minute, self._rested, self._told = time.monotonic(), 0, 0.0, 0
        self._keep_inside(folder / "home")
        self._script = self._visits()
        app_does = self.window.on_frame

        def every_frame(dt: float) -> None:
            app_does(dt)
            self.tour.frame(dt)
            next(self._script)

        self._every_frame = every_frame
        self.window.on_frame = every_frame

    def _keep_inside(self, home: Path) -> None:
        """Nothing is written elsewhere, nothing is installed, and the clipboard is the soak's own."""
        os.environ["HOME"] = str(home)
        enter = FileDialog.enter_folder

        def enter_inside(dialog: FileDialog, place: Path) -> None:
            enter(dialog, place if place.resolve().is_relative_to(home) else home)

        replaced: list[tuple[Any, str, Any]] = [
            (FileDialog, "enter_folder", enter_inside), (LabScene, "_ask_install", lambda scene: None),
            (clipboard, "read", lambda: self.tour.pasted), (clipboard, "write", lambda text: None),
        ]  # fmt: skip
        for where, name, with_what in replaced:
            setattr(where, name, with_what)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def run(self) -> None:
        """Until the time is over."""
        window = self.window
        window.push(make_scene("menu", window, self.context))
        self.context.jobs.add(Warming())
        window.running = True
        self._line("minute", "visits", "frames", "longest", "by clock", "memory", "files", "threads", "errors")
        while self.elapsed < self.seconds:
            window.turn()
            window.running = True
            if window.on_frame is not self._every_frame:
                raise RuntimeError("what is done every frame failed three times")
            if self._rested:
                self._rest()
            if self.elapsed >= 60 * (self._minute + 1):
                self._tell()
        self._tell()
        self.window.close()
        app.close_context(self.context)

    def _visits(self) -> Iterator[None]:
        """One step a frame."""
        yield
        for visit in self.tour.visits():
            for frames in visit:
                for _ in range(max(1, frames)):
                    yield
            pygame.display.set_mode(USUAL, pygame.RESIZABLE)
            pygame.event.post(pygame.event.Event(pygame.WINDOWSIZECHANGED, x=USUAL[0], y=USUAL[1]))
            for _ in range(20):  # laid out anew; cancelled agents end
                yield
            self._rested = self.elapsed
            yield

    def _rest(self) -> None:
        self._rested = 0.0
        gc.collect()
        self.rests.append(Rest(self.elapsed, _resident(), _open_files(), len(os.listdir("/proc/self/task"))))

    def _line(self, *cells: object) -> None:
        print("  ".join(f"{cell!s:>8}" for cell in cells), flush=True)

    def _tell(self) -> None:
        self._minute = int(self.elapsed // 60)
        last, frames = self.rests[-1] if self.rests else Rest(0, 0, 0, 0), self.frames
        self._line(f"{self.elapsed / 60:.1f}", self.tour.done, frames.count, f"{frames.longest:.0f} ms",
                   f"{frames.longest_clock:.0f} ms", f"{last.memory:.0f} MB", last.files, last.threads,
                   len(self.errors.found))  # fmt: skip
        frames.start_minute()
        problems = self._problems()
        for problem in problems[self._told :]:
            print(f"- {problem}", flush=True)
        self._told = len(problems)

    def _problems(self) -> list[str]:
        """Slow frames and logged errors so far, in the order in which they came."""
        return [problem for _when, problem in sorted([*self.frames.slow, *self.errors.found])]

    def _around(self, seconds: float) -> list[Rest]:
        """The rests within a twelfth of the time before that moment, the last one before it at least."""
        near = [rest for rest in self.rests if seconds * 11 / 12 <= rest.seconds <= seconds]
        return near or [rest for rest in self.rests if rest.seconds <= seconds][-1:] or self.rests[:1]

    def verdict(self) -> list[str]:
        """What is not as it should be, a sentence each."""
        found = []
        if not self.rests:
            return ["no visit came to its end"]
        then, now = self._around(self.seconds / 3), self._around(self.seconds)
        before, after = (statistics.median(rest.memory for rest in rests) for rests in (then, now))
        print(
            f"\nmemory at rest after a third {before:.0f} MB, at the end {after:.0f} MB ({100 * (after / before - 1):+.1f} %)"
        )
        if after > before * (1 + GROWTH):
            found.append(f"memory grew by {100 * (after / before - 1):.1f} % after the first third")
        for name, more in (("files", MORE_FILES), ("threads", MORE_THREADS)):
            first, last = (statistics.median(getattr(rest, name) for rest in rests) for rests in (then, now))
            print(f"{name} at rest after a third {first:.0f}, at the end {last:.0f}")
            if last > first + more:
                found.append(f"open {name} rose from {first:.0f} to {last:.0f}")
        return [*found, *self._problems()]


def main() -> int:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long")
    parser.add_argument("--seed", type=int, default=0, help="of what is done at random")
    parser.add_argument(
        "--visit", type=float, default=9.0, metavar="SECONDS", help="about how long a visit to a screen takes"
    )
    parser.add_argument(
        "--saves", type=Path, metavar="DIR", help="keep saves and log here instead of a temporary folder"
    )
    arguments = parser.parse_args()
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    if not kernels.all_ready():
        print("preparing the agents first", flush=True)
        preparing.main()
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as folder:
        soak = Soak(Path(folder), arguments)
        soak.run()
        problems = soak.verdict()
    for problem in problems:
        print(f"- {problem}")
    print("not good" if problems else "good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
