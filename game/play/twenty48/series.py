"""A series of 2048: many games of one agent in a process of their own, and what has been found so far."""

import csv
import io
import json
import statistics
from dataclasses import dataclass, field
from typing import Any

from ai import child
from ai.entries import Spec
from ai.models import Strength
from game.play.asking import told

BINS = 20
"""Columns of the scores' histogram at most."""
SHORTEST = 0.2
"""Seconds of play from which a speed can be told."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game that ended."""

    seed: int
    score: int
    tile: int
    """The largest one, as a power of two."""
    moves: int
    seconds: float
    """Spent by the agent."""


@dataclass
class Series:
    """The games that have ended, and how far the present one is."""

    spec: Spec
    size: int
    wanted: int
    games: list[Game] = field(default_factory=list)
    now: tuple[int, int, float] = (0, 0, 0.0)
    """Moves, score and the agent's seconds of the game that is being played."""
    problem: str = ""
    """One sentence when it broke off."""

    def command(self) -> list[str]:
        """What the process is started with."""
        words = (json.dumps(told(self.spec)), str(self.size), str(self.wanted))
        return child.command("game.play.twenty48.series_job", *words)

    def take(self, said: dict[str, Any]) -> None:
        """What the process says: a game that has ended, or how far the present one is."""
        if "now" in said:
            moves, score, seconds = said["now"]
            self.now = (moves, score, seconds)
            return
        self.games.append(Game(**said))
        self.rest()

    def rest(self) -> None:
        """No game is under way any more."""
        self.now = (0, 0, 0.0)

    @property
    def done(self) -> bool:
        """Whether all games were played."""
        return len(self.games) >= self.wanted

    @property
    def mean(self) -> float:
        """Of the scores; 0 before the first game has ended."""
        return statistics.fmean(game.score for game in self.games) if self.games else 0.0

    @property
    def error(self) -> float | None:
        """Standard error of the mean; None before the second game has ended."""
        return Strength.of([game.score for game in self.games]).stderr if len(self.games) > 1 else None

    @property
    def moves_per_second(self) -> float | None:
        """Of the agent's own time; None while that is too short to tell."""
        seconds = sum(game.seconds for game in self.games) + self.now[2]
        return (sum(game.moves for game in self.games) + self.now[0]) / seconds if seconds >= SHORTEST else None

    def reached(self) -> list[tuple[int, float]]:
        """(tile, share of the games that made it), from the largest tile down to the first that all games made."""
        rows: list[tuple[int, float]] = []
        if not self.games:
            return rows
        tile = max(game.tile for game in self.games)
        while tile >= 4:
            share = sum(game.tile >= tile for game in self.games) / len(self.games)
            rows.append((tile, share))
            if share == 1.0:
                break
            tile //= 2
        return rows

    def histogram(self) -> tuple[int, int, list[int]]:
        """(where the first column begins, width of a column, games in each), in round numbers of points."""
        if not self.games:
            return 0, 1, []
        low, high = min(game.score for game in self.games), max(game.score for game in self.games)
        width = next(
            step * 10**power
            for power in range(10)
            for step in (1, 2, 5)
            if high // (step * 10**power) - low // (step * 10**power) < BINS
        )
        first = low // width * width
        counts = [0] * ((high - first) // width + 1)
        for game in self.games:
            counts[(game.score - first) // width] += 1
        return first, width, counts

    def table(self) -> str:
        """Every game as CSV, with a line of names."""
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("agent", "size", "seed", "score", "largest_tile", "moves", "seconds"))
        for game in self.games:
            rows.writerow((str(self.spec), self.size, game.seed, game.score, game.tile, game.moves, game.seconds))
        return out.getvalue()
