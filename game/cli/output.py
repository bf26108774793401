"""What commands print: one JSON document, or text for people, aligned tables, notices and progress bars.

Titles, names and messages come from files that anybody may have written. Text for people goes through here, where
whatever a terminal would obey instead of showing is written as its code.
"""

import contextlib
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Protocol, TextIO, cast

from tqdm import tqdm

_GAP = "  "
_WORD = 24
"""A word that takes more columns of a terminal may be broken."""


class Bar(Protocol):
    """A progress bar as commands use it."""

    def update(self, n: float = 1) -> object:
        """So much more is done."""
        ...

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> object:
        """A word at the end of the bar."""
        ...

    def close(self) -> object:
        """Take the bar away."""
        ...

    def __enter__(self) -> "Bar": ...

    def __exit__(self, *details: object) -> object: ...


def print_json(document: dict[str, Any]) -> None:
    """One document on standard output; raises ValueError for a number that is not finite."""
    print(json.dumps(document, allow_nan=False, indent=1))


def say(text: str = "") -> None:
    """Text for people on standard output, one line or several."""
    print(printable(text))


def notice(text: str) -> None:
    """One line on standard error."""
    print(f"trilogic: {one_line(text)}", file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """`text` as a terminal shows it; control characters, direction marks and the like are written as their codes."""
    if text.isprintable():
        return text
    return "".join(letter if _shown(letter) else letter.encode("unicode_escape").decode() for letter in text)


def one_line(text: str) -> str:
    """The same, with line breaks written as codes, too."""
    return printable(text).replace("\n", "\\n")


def _shown(letter: str) -> bool:
    return letter.isprintable() or letter == "\n" or unicodedata.category(letter) == "Zs"  # a blank of any width


def bar(total: int | None, what: str, unit: str) -> Bar:
    """A progress bar on standard error, shown only to people; `total` None: nobody knows how far it goes."""
    file = _Shown(sys.stderr)
    return cast(Bar, _Printable(total=total, desc=what, unit=unit, file=file, leave=False, disable=None))


class _Shown:
    """A stream for what may be lost: its terminal may have gone while there is something to save."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Printable(tqdm):  # type: ignore[misc]
    """A bar whose last word is text like any other."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        """A word at the end of the bar."""
        super().set_postfix_str(one_line(s), refresh)


def table(
    head: Sequence[str], rows: Sequence[Sequence[object]], left: Sequence[int] = (0,), width: int | None = None
) -> str:
    """An aligned table; the columns in `left` hold words, the others numbers.

    Where it is wider than `width` (that of the terminal, where none is given), words go on in the line below.
    """
    cells = [list(head), *([_cell(item) for item in row] for row in rows)]
    widths = [max(columns(row[number]) for row in cells) for number in range(len(head))]
    limit = terminal() if width is None else width
    if limit is not None:
        least = [max(columns(word) for row in cells for word in row[number].split(" ")) for number in left]
        spare = {number: widths[number] - min(word, _WORD) for number, word in zip(left, least, strict=True)}
        while sum(widths) + len(_GAP) * (len(widths) - 1) > limit and any(spare.values()):
            widest = max((number for number in spare if spare[number]), key=lambda number: widths[number])
            widths[widest] -= 1
            spare[widest] -= 1
    lines = []
    for row in cells:
        parts = [
            wrapped(text, size) if number in left else [text]
            for number, (text, size) in enumerate(zip(row, widths, strict=True))
        ]
        for line in zip_longest(*parts, fillvalue=""):
            padded = [
                padded_to(text, size) if number in left else text.rjust(size)
                for number, (text, size) in enumerate(zip(line, widths, strict=True))
            ]
            lines.append(_GAP.join(padded).rstrip())
    return "\n".join(lines)


def terminal() -> int | None:
    """The width of the terminal in columns, None where the output goes elsewhere and nobody has said COLUMNS."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return None
    return shutil.get_terminal_size().columns


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian wide signs two, accents of their own none."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text
    )


def padded_to(text: str, size: int) -> str:
    """The text and as many blanks as make it that wide."""
    return text + " " * (size - columns(text))


def wrapped(text: str, size: int) -> list[str]:
    """The text in lines of at most that many columns, at blanks where there are any; a text without signs is one line."""
    lines = [""]
    for word in text.split(" "):
        rest = word
        if lines[-1] and columns(f"{lines[-1]} {word}") <= size:
            lines[-1] += f" {word}"
            continue
        if lines[-1]:
            lines.append("")
        while columns(rest) > size and len(rest) > 1:
            fits = 1
            while columns(rest[: fits + 1]) <= size:
                fits += 1
            lines[-1] = rest[:fits]
            lines.append("")
            rest = rest[fits:]
        lines[-1] = rest
    return lines


def _cell(item: object) -> str:
    if item is None:
        return "–"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, float):
        return f"{item:,.3f}" if abs(item) < 100 else f"{item:,.0f}"
    return f"{item:,}" if isinstance(item, int) else one_line(str(item))
