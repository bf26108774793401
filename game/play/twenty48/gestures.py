"""Which moves belong together when they are taken back: a person's slide, and what an agent played after it.

The agent's moves are kept as stretches `(first, end)` of the numbers of their steps, `end` not included, one after the other.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

MOST = 32
"""Stretches that are saved, the last ones; moves before them are taken back one by one."""
_TEXT = re.compile(r"(?:[0-9]{1,7}-[0-9]{1,7}(?: |$)){0,32}", re.ASCII)


@dataclass(slots=True)
class Gestures:
    """The agent's stretches of one game."""

    runs: list[tuple[int, int]] = field(default_factory=list)

    def played(self, step: int, by_agent: bool) -> None:
        """Step number `step` was played; those from it on, which had been taken back, are gone."""
        while self.runs and self.runs[-1][1] > step:
            first, _end = self.runs.pop()
            if first < step:
                self.runs.append((first, step))
        if by_agent:
            first = self.runs.pop()[0] if self.runs and self.runs[-1][1] == step else step
            self.runs.append((first, step + 1))

    def before(self, ply: int) -> int:
        """Where one undo leads from the position after `ply` steps."""
        run = next((each for each in self.runs if each[0] < ply <= each[1]), None)
        return max(0, ply - 1 if run is None else run[0] - 1)

    def after(self, ply: int, end: int) -> int:
        """Where one redo leads from there; the game has `end` steps."""
        own = ply if any(first <= ply < last for first, last in self.runs) else ply + 1
        run = next((each for each in self.runs if each[0] <= own < each[1]), None)
        return min(end, own if run is None else run[1])

    @property
    def text(self) -> str:
        """For a file: '3-7 12-13'."""
        return " ".join(f"{first}-{end}" for first, end in self.runs[-MOST:])

    @classmethod
    def parse(cls, text: object, steps: int) -> "Gestures":
        """What a file says about a game of so many steps; nothing where that makes no sense."""
        if not isinstance(text, str) or not _TEXT.fullmatch(text):
            return cls()
        runs = [(int(first), int(end)) for first, end in (each.split("-") for each in text.split())]
        edges = [edge for run in runs for edge in run]
        # a person's slide lies between two stretches
        fits = all(one < two for one, two in pairwise(edges)) and max(edges, default=0) <= steps
        return cls(runs) if fits else cls()
