"""Runs the commands that stand in the documents and compares what they print with the figures beside them.

`docs/figures.toml` has every command of README.md, docs/*.md and saves/models/README.md: those that print a figure of
the document, with the place of the figure in their JSON, and those that only show how something is used. A test
(`tests/test_figures.py`) holds that table and the documents together and runs the quick ones.

    python scripts/check_figures.py                    # the quick ones, half a minute
    python scripts/check_figures.py fess microban      # those with all these words
    python scripts/check_figures.py --all --files FOLDER --most 600 --busy

Public test sets are not part of this project: `--files` names folders that have them; what needs a file that is in none
is skipped, with a line. Models are measured on copies. Exit code 1 where a figure is not what the command gives.
"""

import argparse
import json
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "figures.toml"
PROGRAM = "python main.py "
ERRORS = 3.0
"""Standard errors that a strength may be off."""
_INLINE = re.compile(r"(?:…|(?:solve|match|train|models|analyze|generate|experiment|replay|bench) \S.*?) --[\w-]+ \S")
"""A command without the program's name; `solve --jobs`, without a value, is only a word for it."""
_FENCE = re.compile(r"```.*?```", re.S)
_NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?(?:e\d+)?")
_ERROR = re.compile(r" ± (\d[\d,]*(?:\.\d+)?)")
_FILE = re.compile(r"\{([^{}]+)\}")
_TAKE: dict[str, Callable[[list[Any]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": sum,
    "max": max,
    "min": min,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a document, and where the command says it."""

    said: str
    """A passage of the document; the number is the first in it, or the first between square brackets."""
    at: str
    """Where it stands in the JSON: keys and places with dots between them, `*` for each, `key=value` for the one with it."""
    take: str = ""
    """What becomes of several values: mean, median, sum, max, min, or `share VALUE`, in percent, or `count VALUE`."""
    times: float = 1.0
    """The document's number is so many times that of the command."""
    factor: float = 0.0
    """A speed or a time may be so many times larger or smaller; 0: no speed."""
    within: float = 0.0
    """It may be so much off; 0: by `factor`, by its standard error or not at all."""
    most: float = 0.0
    """The command's number is at most this, whatever the document says was measured; 0: no limit of that kind."""

    @property
    def text(self) -> str:
        """The passage as it stands in the document."""
        return self.said.replace("[", "").replace("]", "")

    @property
    def value(self) -> float:
        """The number."""
        return number(self._number())

    @property
    def error(self) -> float | None:
        """The standard error behind it, if there is one."""
        after = self.said[self.said.index(self._number()) + len(self._number()) :]
        found = _ERROR.match(after.replace("]", ""))
        return number(found[1]) if found else None

    def _number(self) -> str:
        found = _NUMBER.search(self.said[self.said.find("[") + 1 :])
        if found is None:
            raise ValueError(f"no number in {self.said!r}")
        return found[0]

    def right(self, found: float) -> bool:
        """Whether the command's number is the document's, as far as it can be."""
        if self.most:
            return found <= self.most
        if self.factor:
            return self.value / self.factor <= found <= self.value * self.factor
        decimals = len(self._number().partition(".")[2])
        return abs(found - self.value) <= max(0.51 * 10.0**-decimals, self.within, ERRORS * (self.error or 0.0))


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the documents that prints figures."""

    shown: str
    """As it stands there."""
    pages: tuple[str, ...]
    """Where, below the project's folder."""
    seconds: float
    """Processor time it takes about."""
    figures: tuple[Figure, ...]
    run: str = ""
    """What is run, where words of it are left open there: the words after `main.py`; {NAME} is a public file, {out} a folder."""
    before: tuple[str, ...] = ()
    """What is run before, in the same form."""
    quick: bool = False

    @property
    def words(self) -> list[str]:
        """What is run, after `main.py`."""
        words = shlex.split(self.run or self.shown.removeprefix(PROGRAM))
        return words if "--json" in words else [*words, "--json"]

    @property
    def needs(self) -> list[str]:
        """The public files."""
        return [name for name in _FILE.findall(" ".join([self.run, *self.before])) if name != "out"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Commands that print no figure of the document."""

    why: str
    pages: tuple[str, ...]
    commands: tuple[str, ...]


def table() -> tuple[list[Command], list[Usage]]:
    """What stands in docs/figures.toml."""
    found = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    commands = [
        Command(
            **{**each, "pages": tuple(each["pages"]), "before": tuple(each.get("before", ())), "figures": figures}
        )
        for each in found["command"]
        for figures in [tuple(Figure(**figure) for figure in each["figures"])]
    ]
    usages = [Usage(each["why"], tuple(each["pages"]), tuple(each["commands"])) for each in found["usage"]]
    return commands, usages


def pages() -> dict[str, str]:
    """Name -> text of every document that the table covers."""
    files = [ROOT / "README.md", ROOT / "saves" / "models" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def plain(text: str) -> str:
    """The text with one blank for every stretch of them, as passages are looked for."""
    return " ".join(text.split())


def commands_in(text: str) -> set[str]:
    """The command lines in a document: in code blocks, indented lines and between backticks."""
    found = set[str]()
    for line in "\n".join(_FENCE.findall(text)).splitlines():
        found |= _line(line.strip())
    rest = _FENCE.sub("", text)
    for line in rest.splitlines():
        found |= _line(line.strip()) if line.startswith("    ") else set()
    rest = "\n".join(line for line in rest.splitlines() if not line.startswith("    "))
    for code in map(plain, re.findall(r"`([^`]+)`", rest)):
        if code.startswith(PROGRAM) or _INLINE.match(code):
            found.add(code)
    return found


def _line(line: str) -> set[str]:
    return {plain(re.sub(r"\s#\s.*", "", line))} if line.startswith(PROGRAM) else set()


def number(text: str) -> float:
    """'1,234.5' or '−3' as a number."""
    return float(text.replace(",", "").replace("−", "-"))


def read(document: Any, figure: Figure) -> float:
    """The figure in a command's JSON; raises KeyError, IndexError, ValueError or TypeError where it is not there."""
    found = [document]
    several = False
    for step in figure.at.split("."):
        several |= step == "*"
        found = [each for one in found for each in _step(one, step)]
    if figure.take:
        kind, _, wanted = figure.take.partition(" ")
        if kind in ("share", "count"):
            count = sum(str(each) == wanted for each in found)
            return count * 100.0 / len(found) if kind == "share" else float(count)
        return _TAKE[kind]([float(each) for each in found if each is not None]) * figure.times
    if several or len(found) != 1:
        raise ValueError(f"{figure.at} names {len(found)} values")
    return float(found[0]) * figure.times


def _step(one: Any, step: str) -> list[Any]:
    if step == "*":
        return list(one.values()) if isinstance(one, dict) else list(one)
    key, equals, value = step.partition("=")
    if equals:
        return [each for each in one if str(each[key]) == value]
    return [one[int(step)] if isinstance(one, list) else one[step]]


def run(command: Command, folders: Sequence[Path]) -> Iterator[tuple[Figure, float | str]]:
    """Run it and yield each figure with what was found, or why nothing was."""
    places = {
        name: next((each / name for each in folders if (each / name).is_file()), None) for name in command.needs
    }
    missing = [name for name, place in places.items() if place is None]
    if missing:
        yield from (
            (figure, f"skipped: {', '.join(missing)} is in none of the folders") for figure in command.figures
        )
        return
    files = tuple((name, str(place)) for name, place in places.items())
    document = _printed((*map(tuple, map(shlex.split, command.before)), tuple(command.words)), files)
    for figure in command.figures:
        try:
            yield figure, document if isinstance(document, str) else read(document, figure)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            yield figure, f"failed: {figure.at} is not in what it prints ({error!r})"


@cache
def _printed(lines: tuple[tuple[str, ...], ...], files: tuple[tuple[str, str], ...]) -> Any:
    """The JSON of the last of these command lines, or why there is none; once where several figures are in it."""
    done = None
    with tempfile.TemporaryDirectory(prefix="figures-") as out:
        put = {**dict(files), "out": out}
        for words in lines:
            told = [_FILE.sub(lambda match: put[match[1]], word) for word in words]
            line = [sys.executable, str(ROOT / "main.py"), *_on_a_copy(told, Path(out))]
            done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                return f"failed: {done.stderr.strip()[-300:]}"
    return json.loads(done.stdout) if done else "failed: no command"


def _on_a_copy(words: list[str], out: Path) -> list[str]:
    """A measure writes into the model's file: that of a copy."""
    if words[:2] != ["models", "measure"]:
        return words
    model = ROOT / "saves" / "models" / f"{words[2]}.safetensors"
    return [*words[:2], str(shutil.copy(model, out)), *words[3:]]


def check(command: Command, folders: Sequence[Path], speeds: bool = True) -> bool:
    """Run a command and print how its figures compare, speeds where asked for; returns whether none is wrong."""
    print(f"{PROGRAM}{shlex.join(command.words)}", flush=True)
    if command.seconds >= 60:
        print(f"  takes about {command.seconds / 60:,.0f} min of processor time", flush=True)
    began, good = time.monotonic(), True
    for figure, found in run(command, folders):
        if isinstance(found, str):
            word, right = found, found.startswith("skipped")
        else:
            judged = speeds or not figure.factor
            right = not judged or figure.right(found)
            shown = f"{found:,.4g}" if abs(found) < 1000 else f"{found:,.0f}"
            word = f"{('ok' if right else 'NOT') if judged else 'not judged'}: {shown}"
        good &= right
        print(f"  {figure.text}  {word}", flush=True)
    print(f"  {time.monotonic() - began:,.0f} s", flush=True)
    return good


def main(argv: Sequence[str] | None = None) -> int:
    """Check those that are asked for; returns the exit code."""
    parser = argparse.ArgumentParser(description="compare the figures of the documents with what their commands give")
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="commands with all these words; none: the quick ones"
    )
    parser.add_argument("--all", action="store_true", help="all commands: hours")
    parser.add_argument("--most", type=float, metavar="S", help="only those that take so many seconds at most")
    parser.add_argument(
        "--files", action="append", default=[], type=Path, metavar="FOLDER", help="has public test sets"
    )
    parser.add_argument("--busy", action="store_true", help="the machine does much else: say speeds, judge none")
    parser.add_argument("--list", action="store_true", help="say which would be run, and how long they take")
    told = parser.parse_args(argv)
    chosen = [
        each
        for each in table()[0]
        if (told.all or each.quick or told.words)
        and all(word in f"{each.shown} {each.run}" for word in told.words)
        and (told.most is None or each.seconds <= told.most)
    ]
    if told.list:
        for each in chosen:
            print(f"{each.seconds:8,.0f} s  {PROGRAM}{shlex.join(each.words)}")
        return 0
    wrong = [each for each in chosen if not check(each, [folder.resolve() for folder in told.files], not told.busy)]
    print(f"{len(chosen)} commands, {len(wrong)} with figures that are not those of the documents")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
