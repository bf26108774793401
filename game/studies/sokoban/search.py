"""The study `sokoban-search`: the report's comparison of beam search and LRTA*, and all other agents beside it.

Every agent on every pack of levels is a part, kept when it is done, so that a study that was stopped goes on with the next.
"""

from collections.abc import Callable, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from ai.agent import Thinking
from game.studies.kept import Play, play
from game.studies.pages import Findings
from game.studies.sokoban import plots, runs, tables
from game.studies.sokoban.runs import CONTENDERS, Contender, Pack
from game.studies.sokoban.tables import Results

GAME = "sokoban"
TRAININGS: tuple[str, ...] = ()

_packs: list[Pack] = []


def use(path: Path | None) -> None:
    """Study the levels of this file, or those that ship with the program; raises LevelError or OSError."""
    _packs[:] = runs.own_packs() if path is None else [runs.read(path)]


def total(quick: bool) -> int:
    """Runs of all agents on all levels."""
    return sum(_runs(contender, pack, quick) for contender, pack in _parts(quick).values())


def _runs(contender: Contender, pack: Pack, quick: bool) -> int:
    return len(pack.levels) * runs.runs_of(contender, quick)


def _parts(quick: bool) -> dict[str, tuple[Contender, Pack]]:
    """By name, in the order in which they are played."""
    packs = [runs.some(pack, quick) for pack in _packs]
    return {f"{each.name} on {pack.name}": (each, pack) for each in CONTENDERS for pack in packs}


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Play what is not kept already, and put everything into tables."""
    parts: dict[str, tuple[int, Play]] = {
        name: (_runs(contender, pack, quick), partial(runs.play, contender, pack, quick, seed, thinking))
        for name, (contender, pack) in _parts(quick).items()
    }
    play(parts, done, kept)
    return findings(quick, kept) if kept else None


def findings(quick: bool, kept: MutableMapping[str, Any]) -> Findings:
    """Tables and plots of the parts that are done."""
    results = Results()
    for name, (contender, pack) in _parts(quick).items():
        if name in kept:
            results.add(contender, pack, runs.runs(kept[name]))
    sheets = [sheet for sheet in tables.sheets(results) if sheet.rows]
    levels = sum(len(runs.some(pack, quick).levels) for pack in _packs)
    return Findings(
        "Sokoban: beam search, LRTA* and all other agents",
        f"{levels} levels, push only. Stochastic agents run {runs.runs_of(CONTENDERS[0], quick)} times on each. Every "
        f"answer may look at {runs.NODES:,} positions; there is no clock. Seconds are of the processor, all that an "
        "answer takes included.",
        tuple(sheets),
        tuple(plots.plots(results)),
        len(kept),
        len(_parts(quick)),
    )
