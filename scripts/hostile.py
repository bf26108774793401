#!/usr/bin/env python3
"""Puts hostile files through everything that reads files, in the window and on the command line, and measures each.

    python scripts/hostile.py [--count 2000] [--seed 0] [--first 0]

Every file is made by its number and the seed (`hostile_files.py`): long lines, deep brackets, hosts of small elements, huge
counts, runs that stand for millions of squares, headers that promise what is not there, spoilt good files, and what is no
plain file at all. The readers run in child processes, many files each; a reader that hangs or a child that dies is
told by name, and the next child goes on behind it. Told are the longest time and the largest memory above what the child has
before it reads anything, and every exception that is not the reader's own. Times are processor time, so that other work on
the machine does not count; a reader that sits for 20 seconds counts as hung. The exit code is 1 where a file
took more than 2 seconds or 300 MB. Linux only, because of /proc.
"""

import argparse
import contextlib
import io
import json
import os
import resource
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts import hostile_files

SECONDS, MEGABYTES, HUNG = 2.0, 300, 20.0
BATCH = 40
"""Files that one child reads."""
ADDRESSES = 6_000_000_000
"""Bytes of addresses a child may have, so that a bomb fails there and not on the whole machine."""

Reader = Callable[[Path], object]


def readers(kind: str, path: Path, root: Path) -> Iterator[tuple[str, Reader]]:
    """What reads a file of that kind: name, and the function; whatever it raises is its own unless it is told here."""
    from ai import checkpoints, models
    from game.cli import boards, solve
    from game.cli.errors import CliError
    from game.cli.main import main
    from game.play.sokoban import packs
    from game.rules import levels
    from game.rules import replay as replays
    from game.rules.games import GAMES
    from game.rules.levels import LevelError
    from game.rules.replay import ReplayError
    from game.saves import draft, level_forms, resume, unfinished
    from game.saves import settings as settings_file
    from game.saves.folder import open_saves
    from game.saves.progress import Progress
    from game.saves.replays import Library
    from game.saves.user_packs import UserPacks
    from game.saves.writer import Writer
    from game.screens import opening
    from game.screens.models.shelf import Shelf, ShelfError
    from game.ui.reading import Unreadable

    own = (LevelError, ReplayError, models.ModelError, Unreadable, CliError, ShelfError)

    def told(read: Reader) -> Reader:
        def guarded(path: Path) -> object:
            with contextlib.suppress(*own):
                return read(path)

        return guarded

    def command(*words: str) -> Reader:
        def run(path: Path) -> object:
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = main([word.replace("FILE", str(path)) for word in words])
                except SystemExit as end:
                    code = end.code
            assert "Traceback" not in err.getvalue(), err.getvalue()[-300:]
            assert code in (0, 2), code
            return code

        return run

    if kind == "saves":
        saves = open_saves(root)
        writer = Writer(saves)
        yield "settings", lambda _path: settings_file.load(saves)
        yield "progress", lambda _path: Progress(saves, writer)
        for game in ("2048", *GAMES):
            yield f"resume {game}", lambda _path, game=game: resume.load(saves, game)
        yield "last session", lambda _path: resume.last_session(saves)
        yield "draft", lambda _path: draft.load(saves)
        yield "unfinished", lambda _path: unfinished.load(saves, root / "levels")
        yield "own packs", lambda _path: UserPacks(saves, writer)
        listing = packs.Packs(root / "none", root / "levels")
        yield "packs", lambda _path: [listing.get(file.id) for file in listing.files]
        yield "library", lambda _path: list(Library(saves, writer, root / "none").scan())
        yield "models", lambda _path: Shelf(saves).cards()
        yield "checkpoints", lambda _path: checkpoints.listing(saves.models)
        writer.close()
        saves.close()
        return
    yield "opening", told(opening.read_any)
    if kind == "level":
        yield "editor", told(level_forms.read)
        yield "levels.read", told(levels.read)
        yield "solve", told(solve._boards)
        yield "analyze", told(lambda path: boards.positions(GAMES["sokoban"], path, {}, 0))
        if path.is_file() and path.stat().st_size < 100_000_000:
            text = path.read_bytes()[:2_000_000].decode("utf-8", "replace")
            yield "pasted", told(lambda _path: levels.is_lurd(text) or opening._read_text(text, "the clipboard"))
            yield "edited", told(lambda _path: level_forms.documents(text, "the clipboard"))
    elif kind == "replay":
        yield "head", told(lambda path: replays.read_head(path, path.name))
        yield "replay", command("replay", "FILE")
    else:
        yield "card", told(models.card)
        yield "check", told(models.check)


def memory(name: str) -> float:
    """A figure of this process in megabytes: 'VmRSS' now, 'VmHWM' the highest since `reset`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    raise ValueError(name)


def child(seed: int, numbers: range) -> None:
    """Read the files of some numbers; say before and after each reader what there is to say."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    said = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with tempfile.TemporaryDirectory() as folder:
        for reader in readers("level", Path(folder), Path(folder)):  # what is imported once is no file's memory
            with contextlib.suppress(OSError):
                reader[1](Path(folder) / "none")
        for number in numbers:
            root = Path(folder) / str(number)
            root.mkdir()
            kind, what, path = hostile_files.make(number, seed, root)
            for name, read in readers(kind, path, root):
                normal = memory("VmRSS")
                Path("/proc/self/clear_refs").write_text("5")
                said.write(json.dumps({"begin": [number, kind, what, path.name, name]}) + "\n")
                wall, spent, problem = time.perf_counter(), time.process_time(), ""
                try:
                    read(path)
                except Exception as error:
                    problem = f"{type(error).__name__}: {error}"[:300]
                done = {"seconds": time.process_time() - spent, "wall": time.perf_counter() - wall, "problem": problem,
                        "megabytes": memory("VmHWM") - normal}  # fmt: skip
                said.write(json.dumps(done) + "\n")
            if path.is_file():
                path.unlink()


class Report:
    """What was found so far."""

    def __init__(self) -> None:
        self.readings = 0
        self.kinds: Counter[str] = Counter()
        self.slowest: list[tuple[float, list[object]]] = []
        self.largest: list[tuple[float, list[object]]] = []
        self.problems: list[tuple[str, list[object]]] = []

    def note(self, what: list[object], done: dict[str, object]) -> None:
        """One reader is done with one file."""
        self.readings += 1
        self.slowest = sorted([*self.slowest, (float(str(done["seconds"])), what)], key=lambda item: -item[0])[:5]
        self.largest = sorted([*self.largest, (float(str(done["megabytes"])), what)], key=lambda item: -item[0])[:5]
        if done["problem"]:
            self.problems.append((str(done["problem"]), what))
        for name, most in (("seconds", SECONDS), ("megabytes", MEGABYTES)):
            if float(str(done[name])) > most:
                self.problems.append((f"{float(str(done[name])):.1f} {name}", what))

    def show(self) -> None:
        """The figures, and every problem."""
        print(f"{self.readings:,} readings")
        for title, table, unit in (("longest", self.slowest, "s"), ("largest", self.largest, "MB above normal")):
            for value, what in table:
                print(f"{title}: {value:.2f} {unit}: {what}")
        for problem, what in self.problems:
            print(f"PROBLEM {what}: {problem}")
        print(f"{len(self.problems)} problems")


def watch(seed: int, numbers: range, report: Report) -> int:
    """Let one child read; returns the number to go on with."""
    command = [
        sys.executable,
        __file__,
        "--child",
        "--seed",
        str(seed),
        "--first",
        str(numbers[0]),
        "--count",
        str(len(numbers)),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    current: list[object] = []
    os.set_blocking(process.stdout.fileno(), False)
    buffer = b""
    last = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            ready = selector.select(1.0)
            data = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if ready and not data:
                break
            buffer += data
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                last, found = time.monotonic(), json.loads(line)
                if "begin" in found:
                    current = found["begin"]
                else:
                    report.note(current, found)
                    current = [*current[:1]]
            if time.monotonic() - last > HUNG and len(current) > 1:
                process.kill()
                report.problems.append((f"it hung for {HUNG:.0f} seconds", current))
                break
    words = process.stderr.read().decode("utf-8", "replace").strip()
    code = process.wait()
    at = int(str(current[0])) if current else numbers[0]
    if code == 0:
        return numbers[-1] + 1
    if len(current) > 1 and code != -9:
        report.problems.append((f"the child ended with {code}: {words[-300:]}", current))
    elif len(current) <= 1:
        report.problems.append((f"the child ended with {code} between files: {words[-300:]}", [at]))
    return at + 1


def main() -> int:
    """Read all files and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="files (2000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (0)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    end = arguments.first + arguments.count
    if arguments.child:
        child(arguments.seed, range(arguments.first, end))
        return 0
    report, at = Report(), arguments.first
    while at < end:
        at = watch(arguments.seed, range(at, min(end, at + BATCH)), report)
        print(f"{at - arguments.first} of {arguments.count} files", file=sys.stderr)
    report.show()
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
