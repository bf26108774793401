"""What a study leaves: tables as CSV and Markdown, plots as PNG, and one page that shows them all.

Every file is written whole or not at all. matplotlib is imported when the first plot is drawn.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ai import stopping
from game.saves.files import write_whole

Cell = str | int | float | None
PAGE = "results.md"
_INCHES = (7.0, 4.2)
_DPI = 110


@dataclass(frozen=True)
class Sheet:
    """One table."""

    name: str
    """Of its file."""
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    forms: tuple[str, ...] = ()
    """How the numbers of each column are shown, as format specifications; `,` where none is given."""
    note: str = ""
    on_page: bool = True
    """Whether it is short enough to be read; others are CSV only."""

    def markdown(self) -> str:
        """The table in Markdown."""
        forms = self.forms or (",",) * len(self.head)
        lines = [list(self.head), ["---" if column == 0 else "---:" for column in range(len(self.head))]]
        lines += [[_shown(cell, form) for cell, form in zip(row, forms, strict=True)] for row in self.rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def csv(self) -> str:
        """The table with all its digits."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.head)
        writer.writerows([["" if cell is None else cell for cell in row] for row in self.rows])
        return text.getvalue()


@dataclass(frozen=True)
class Plot:
    """One picture."""

    name: str
    title: str
    draw: Callable[[Any], None]
    """Draws on a matplotlib `Axes`; what has a label there stands in the legend."""
    across: str = ""
    """What the horizontal axis shows."""
    up: str = ""
    """What the vertical one shows."""
    legend: Mapping[str, Any] = field(default_factory=dict)
    """How the legend is set otherwise."""

    def png(self) -> bytes:
        """The picture."""
        from matplotlib.figure import Figure  # slow to import, and only studies need it

        figure = Figure(_INCHES, _DPI, layout="constrained")
        axes = figure.subplots()
        axes.set_title(self.title, fontsize=11)
        axes.grid(alpha=0.25)
        axes.set_axisbelow(True)
        self.draw(axes)
        if self.across:
            axes.set_xlabel(self.across)
        if self.up:
            axes.set_ylabel(self.up)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(**{"fontsize": 8, **self.legend})
        data = io.BytesIO()
        figure.savefig(data, format="png")
        return data.getvalue()


@dataclass(frozen=True)
class Film:
    """One animated GIF."""

    name: str
    title: str
    gif: Callable[[], bytes]


@dataclass(frozen=True)
class Findings:
    """What a study found."""

    title: str
    words: str
    """What was done, in a few sentences of Markdown."""
    sheets: tuple[Sheet, ...]
    plots: tuple[Plot, ...]
    done: int
    """Parts of the study that are in here …"""
    parts: int
    """… of so many."""
    films: tuple[Film, ...] = ()


def write(findings: Findings, folder: Path, command: str, pictures: bool = True) -> list[Path]:
    """Write everything; returns the files, the page first.

    Args:
        findings: Of a study.
        folder: Made where missing.
        command: The command line that repeats it.
        pictures: Whether plots and films are drawn, which takes seconds; a process that is told to end in the middle of
            that leaves those that it has drawn.

    Raises:
        OSError: when a file cannot be written.
    """
    page = [f"# {findings.title}", findings.words, f"`{command}`"]
    if findings.done < findings.parts:
        page.append(f"It was stopped: {findings.done} of {findings.parts} parts are in here.")
    files = [folder / PAGE]

    def put(name: str, data: bytes) -> None:
        files.append(folder / name)
        with stopping.held():
            write_whole(files[-1], data)

    for sheet in findings.sheets:
        put(f"{sheet.name}.csv", sheet.csv().encode())
        if sheet.on_page:
            put(f"{sheet.name}.md", (sheet.markdown() + "\n").encode())
            page += [f"## {sheet.title}", sheet.markdown()] + ([sheet.note] if sheet.note else [])
    for plot in findings.plots if pictures else ():
        put(f"{plot.name}.png", plot.png())
        page += [f"## {plot.title}", f"![{plot.title}]({plot.name}.png)"]
    for film in findings.films if pictures else ():
        put(f"{film.name}.gif", film.gif())
        page += [f"## {film.title}", f"![{film.title}]({film.name}.gif)"]
    with stopping.held():
        write_whole(files[0], ("\n\n".join(page) + "\n").encode())
    return files


def rounded(rows: Sequence[Sequence[Cell]], digits: int = 4) -> tuple[tuple[Cell, ...], ...]:
    """The rows without digits that mean nothing."""
    return tuple(tuple(round(cell, digits) if isinstance(cell, float) else cell for cell in row) for row in rows)


def _shown(cell: Cell, form: str) -> str:
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else format(cell, form)
