"""What commands print: one JSON document, or text for people, aligned tables, notices and progress bars.

Titles, names and messages come from files that anybody may have written. Text for people goes through here, where
whatever a terminal would obey instead of showing is written as its code.
"""

import contextlib
import json
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any, Protocol, TextIO, cast

from tqdm import tqdm


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


class _Printable(tqdm):  # type: ignore[type-arg]
    """A bar whose last word is text like any other."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        """A word at the end of the bar."""
        super().set_postfix_str(one_line(s), refresh)


def table(head: Sequence[str], rows: Sequence[Sequence[object]], left: Sequence[int] = (0,)) -> str:
    """An aligned table; the columns in `left` hold words, the others numbers."""
    cells = [list(head), *([_cell(item) for item in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = []
    for row in cells:
        padded = [
            text.ljust(width) if column in left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(item: object) -> str:
    if item is None:
        return "–"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, float):
        return f"{item:,.3f}" if abs(item) < 100 else f"{item:,.0f}"
    return f"{item:,}" if isinstance(item, int) else one_line(str(item))
