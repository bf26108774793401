"""What a training has said of itself: for each figure a curve over the time learned, thinned where it gets long."""

import contextlib
import csv
import math
from collections.abc import Mapping
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

from ai.entries import Trainer
from game.rules.files import open_regular

MOST = 1200
"""Rows kept; beyond that every second one goes."""
_ROUNDING = 0.005
"""Seconds: the file has hundredths."""


class History:
    """Rows of figures in the order of time."""

    def __init__(self, trainer: Trainer) -> None:
        """No rows yet; `trainer` knows its figures."""
        self.trainer = trainer
        self.rows: list[tuple[float, Mapping[str, float]]] = []
        """(seconds learned in all runs, figures)."""
        self.latest: Mapping[str, float] = {}
        self.changes = 0
        """Grows with every row."""
        self._every, self._left = 1, 0

    def add(self, seconds: float, figures: Mapping[str, float]) -> None:
        """One more row; it is always the last one, even where rows are left out."""
        self.latest = {**self.latest, **figures}
        self.changes += 1
        if self._left and self.rows:
            self.rows[-1] = (seconds, figures)
            self._left -= 1
            return
        self.rows.append((seconds, figures))
        self._left = self._every - 1
        if len(self.rows) > MOST:
            del self.rows[1:-1:2]
            self._every *= 2

    @property
    def drawn(self) -> list[str]:
        """The figures that are curves, in the order in which they were told."""
        return [name for name in self.latest if self.trainer.figure(name).scale != "count"]

    @property
    def counts(self) -> list[str]:
        """The figures that only count what was done."""
        return [name for name in self.latest if self.trainer.figure(name).scale == "count"]

    def curve(self, name: str) -> list[tuple[float, float]]:
        """(seconds, value) of one figure."""
        return [(seconds, figures[name]) for seconds, figures in self.rows if name in figures]

    def read(self, path: Path, until: float) -> None:
        """Take the rows of a training's CSV file up to `until` seconds; a file that cannot be read has none."""
        with (
            contextlib.suppress(OSError, ValueError, csv.Error),
            TextIOWrapper(open_regular(path), encoding="utf-8", newline="") as file,
        ):
            for row in islice(csv.DictReader(file), 1_000_000):
                numbers = {name: float(value) for name, value in row.items() if name and value}
                seconds = numbers.pop("seconds")
                if seconds <= until + _ROUNDING and all(map(math.isfinite, numbers.values())):
                    self.add(seconds, numbers)
