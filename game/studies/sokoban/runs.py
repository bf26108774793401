"""The agents of the study `sokoban-search`, the levels they are given, and one agent on one pack.

Without a clock: every agent may look at so many positions, so that the same seed gives the same solutions.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai import catalogue
from ai.agent import Progress, Status, Thinking
from ai.program import ROOT
from game.play.asking import make
from game.play.sokoban.solving import verify
from game.rules import levels, sokoban
from game.rules.levels import Level
from game.studies.sokoban import figures as report

NODES = 1_000_000
"""Positions of one answer at most."""
SEEDS = 10
"""Runs of a stochastic agent on each level."""
QUICK = 10
OWN = ("1-first-steps.xsb", "2-depot.xsb", "3-night-shift.xsb", "4-report.xsb")
"""The packs that ship with the program and are push only."""

_REPORT = "successors=moves,pruning=none"
_BEAM = f"beam,{_REPORT},k={report.K},iterations={report.ITERATIONS},temperature=1,remember=false"
_LRTA = f"lrta,{_REPORT},steps={report.PATIENCE},length={report.ITERATIONS},restarts={report.RESTARTS}"


@dataclass(frozen=True)
class Contender:
    """An agent of the study."""

    name: str
    text: str
    """As on the command line."""
    stochastic: bool = False


BEAM = Contender("beam", f"{_BEAM},heuristic=manhattan", True)
LRTA = Contender("LRTA*", f"{_LRTA},heuristic=manhattan", True)
LRTA_EXTRA = Contender("LRTA* + 100", f"{_LRTA},heuristic=manhattan,extra={report.EXTRA}", True)
BEAM_MATCHED = Contender("beam, matching", f"{_BEAM},heuristic=matching", True)
LRTA_MATCHED = Contender("LRTA*, matching", f"{_LRTA},heuristic=matching", True)
LRTA_EXTRA_MATCHED = Contender("LRTA* + 100, matching", f"{_LRTA},heuristic=matching,extra={report.EXTRA}", True)
REPORTED = (BEAM, LRTA, LRTA_EXTRA, BEAM_MATCHED, LRTA_MATCHED, LRTA_EXTRA_MATCHED)
SHORTEST = Contender("astar, moves", "astar,optimal=moves")
OTHERS = (
    Contender("beam, ours", "beam", True),
    Contender("LRTA*, ours", "lrta", True),
    Contender("fess", "fess"),
    Contender("greedy", "greedy"),
    Contender("weighted-astar", "weighted-astar"),
    Contender("astar", "astar"),
    Contender("ida", "ida"),
    Contender("ucs", "ucs"),
    Contender("bfs", "bfs"),
    SHORTEST,
    Contender("ucs, moves", "ucs,optimal=moves"),
    Contender("bfs, moves", "bfs,optimal=moves"),
)
CONTENDERS = (*REPORTED, *OTHERS)


@dataclass(frozen=True)
class Pack:
    """Some levels of a file."""

    name: str
    levels: tuple[tuple[int, Level], ...]
    """With their numbers in the file, from 1."""


@dataclass(frozen=True)
class Run:
    """One agent on one level, once."""

    solved: bool
    seconds: float
    """Of the processor."""
    visited: int
    """Positions that entered the beam, steps of LRTA*, positions expanded."""
    moves: int | None
    pushes: int | None


def own_packs() -> list[Pack]:
    """The levels that ship with the program."""
    return [read(ROOT / "levels" / name) for name in OWN]


def read(path: Path) -> Pack:
    """The push-only levels of a file; raises LevelError or OSError."""
    found = [
        (number, level)
        for number, level in enumerate(levels.read(path).levels, start=1)
        if level.state.warehouse.rules == sokoban.PUSH_ONLY
    ]
    if not found:
        raise levels.LevelError(path.name, 1, "there is no level that is push only")
    return Pack(path.stem, tuple(found))


def some(pack: Pack, quick: bool) -> Pack:
    """All of a pack, or every tenth level."""
    return Pack(pack.name, pack.levels[::QUICK]) if quick else pack


def runs_of(contender: Contender, quick: bool) -> int:
    """On each level."""
    return 1 if not contender.stochastic else max(2, SEEDS // QUICK) if quick else SEEDS


def play(
    contender: Contender, pack: Pack, quick: bool, seed: int, thinking: Thinking, done: Callable[[int], None]
) -> list[list[Any]] | None:
    """Every run on every level, as JSON; None when cancelled.

    A run that solves nothing is not told from one that proves that there is no solution.
    """
    agent = make("sokoban", catalogue.parse("sokoban", contender.text), seed)
    found: list[list[Any]] = []
    for _, level in pack.levels:
        for run in range(runs_of(contender, quick)):
            if thinking.cancelled:
                return None
            agent.new_game(seed + run)
            told = deque([Progress()], maxlen=1)
            asked = Thinking(3600.0, NODES, told.append, thinking)
            began = time.thread_time()
            plan = agent.plan(level.state, asked)
            took = time.thread_time() - began
            if asked.cancelled:
                return None
            solved = plan.status is Status.SOLVED
            pushes = verify(level.state, plan.actions)[1] if solved else None
            visited = told[0].closed if told[0].closed is not None else plan.nodes
            found.append([solved, took, visited, len(plan.actions) if solved else None, pushes])
            done(1)
    return found


def runs(kept: Sequence[Sequence[Any]]) -> list[Run]:
    """What `play` found."""
    return [Run(*each) for each in kept]
