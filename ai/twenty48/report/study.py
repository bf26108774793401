"""The report's study of learning rates, run again: what is trained, and what is found out about every training.

Four learning rates with the report's own rule, then its best one without symmetries and with the correct rule. Each
network learns from 50,000 games with exploration and plays 1,000 more without; the random agent plays 1,000.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ai import kernels
from ai.agent import Thinking
from ai.twenty48.report.shapes import INITIAL, tables
from ai.twenty48.report.training import Games, ReportTraining, joined

ALPHAS = (0.0025, 0.005, 0.01, 0.05)
BEST = 0.01
"""The report's best learning rate."""
GAMES = 50_000
"""Games of one training."""
PLAYED = 1_000
"""Games at its end that are looked at, and games played after it."""
POINTS = 100
"""Of a curve."""
BINS = 80
_SECONDS = 0.25
_MASK = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Setup:
    """One training."""

    alpha: float
    rule: str = "report"
    symmetries: bool = True

    @property
    def name(self) -> str:
        """For people: 'α = 0.01, no symmetries'."""
        more = "" if self.rule == "report" else ", correct rule"
        return f"α = {self.alpha:g}{more}{'' if self.symmetries else ', no symmetries'}"


SETUPS = (*(Setup(alpha) for alpha in ALPHAS), Setup(BEST, symmetries=False), Setup(BEST, rule="correct"))


@dataclass(frozen=True)
class Curve:
    """A training in parts of equally many games, one after the other; each array (points,)."""

    games: npt.NDArray[np.int64]
    """At the end of each part."""
    score: npt.NDArray[np.float64]
    reached: npt.NDArray[np.float64]
    """Share of the games that reached 2048."""
    error: npt.NDArray[np.float64]
    """Mean |TD error|."""


@dataclass(frozen=True)
class Knowledge:
    """What the weights of a network look like after a training; one number for each pattern where not said otherwise."""

    touched: tuple[float, ...]
    """Share of the weights that are no longer 10."""
    touched_of_all: float
    """The same over all patterns."""
    importance: tuple[float, ...]
    """Mean |w − 10| over these weights, 0 of none."""
    counts: npt.NDArray[np.int64]
    """(BINS,): how many of these weights, of all patterns, lie between two edges."""
    edges: npt.NDArray[np.float64]
    """(BINS + 1,): weights."""


@dataclass(frozen=True)
class Run:
    """One training and what came of it."""

    setup: Setup
    moves: int
    seconds: float
    """Of processor time, for the training and the games after it."""
    curve: Curve
    trained: Games
    """The last games of the training."""
    played: Games
    """The games after it, without exploration."""
    knowledge: Knowledge


def run_setup(
    setup: Setup, games: int, played: int, seed: int, thinking: Thinking, listener: Callable[[int], None]
) -> Run | None:
    """Train and play.

    Args:
        setup: What is trained.
        games: To learn from.
        played: Games after it; as many of the training's last ones are kept.
        seed: Of all games.
        thinking: Its cancel ends the run.
        listener: Hears how many games of the training are done.

    Returns:
        The run, None when it was cancelled.
    """
    settings = {"alpha": setup.alpha, "rule": setup.rule, "symmetries": setup.symmetries, "games": games}
    kernels.warm(kernels.training("twenty48", "ntuple-report"))
    began = time.process_time()
    training = ReportTraining(settings, seed)
    parts: list[Games] = []
    done = False
    while not done:
        done = training.advance(_SECONDS, thinking)
        if thinking.over():
            return None
        parts.append(training.take())
        listener(training.games)
    found = joined(parts)
    after = training.play(played, ~seed & _MASK, thinking)
    if thinking.over():
        return None
    return Run(
        setup,
        training.moves,
        time.process_time() - began,
        curve(found),
        Games(found.scores[-played:], found.tiles[-played:], found.errors[-played:]),
        after,
        knowledge(training.weights),
    )


def random_games(games: int, seed: int, thinking: Thinking) -> Games:
    """What the random agent reaches."""
    return ReportTraining({}, seed).play(games, ~seed & _MASK, thinking, epsilon=1.0)


def curve(games: Games) -> Curve:
    """At most `POINTS` parts of all games of a training."""
    each = max(1, len(games.scores) // POINTS)
    ends = np.arange(each, len(games.scores) + 1, each)

    def means(values: npt.NDArray[np.bool_ | np.int64 | np.float64]) -> npt.NDArray[np.float64]:
        parts: npt.NDArray[np.float64] = values[: len(ends) * each].reshape(len(ends), each).astype(np.float64)
        return np.asarray(parts.mean(axis=1))

    return Curve(ends, means(games.scores), means(games.won), means(games.errors))


def knowledge(weights: npt.NDArray[np.float32]) -> Knowledge:
    """What the weights, as differences from 10, look like."""
    changed = [np.abs(table[table != 0]) for table in tables(weights)]
    sizes = [table.size for table in tables(weights)]
    learned = np.concatenate([table[table != 0] for table in tables(weights)]) + np.float32(INITIAL)
    counts, edges = np.histogram(learned, BINS)
    return Knowledge(
        tuple(len(part) / size for part, size in zip(changed, sizes, strict=True)),
        len(learned) / sum(sizes),
        tuple(float(np.mean(part, dtype=np.float64)) if len(part) else 0.0 for part in changed),
        counts,
        edges.astype(np.float64),
    )


def shares(games: Games, exponents: Sequence[int]) -> list[float]:
    """The share of the games whose largest tile is each of these."""
    return [float(np.mean(games.tiles == exponent)) for exponent in exponents]
