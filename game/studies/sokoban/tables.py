"""Tables of the study `sokoban-search`. What is not done yet is left out."""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from game.studies.pages import Cell, Sheet, rounded
from game.studies.sokoban import figures as report
from game.studies.sokoban import runs as played
from game.studies.sokoban.runs import CONTENDERS, SHORTEST, Contender, Pack, Run

Place = tuple[str, int]
"""A level: its pack and its number there."""


@dataclass
class Results:
    """Everything that was played."""

    runs: dict[str, dict[Place, list[Run]]] = field(default_factory=dict)
    """Contender -> level -> its runs."""
    titles: dict[Place, str] = field(default_factory=dict)

    def add(self, contender: Contender, pack: Pack, found: Sequence[Run]) -> None:
        """One part: the runs of one level after the other."""
        each = len(found) // len(pack.levels)
        levels = self.runs.setdefault(contender.name, {})
        for index, (number, level) in enumerate(pack.levels):
            place = (pack.name, number)
            self.titles[place] = level.title
            levels[place] = list(found[index * each : (index + 1) * each])

    def of(self, contender: Contender) -> dict[Place, list[Run]]:
        """The runs of a contender by level."""
        return self.runs.get(contender.name, {})

    @property
    def shortest(self) -> dict[Place, int]:
        """Level -> moves of the shortest solution, where that is proved."""
        found = {place: runs[0].moves for place, runs in self.of(SHORTEST).items()}
        return {place: moves for place, moves in found.items() if moves is not None}


def sheets(results: Results) -> list[Sheet]:
    """All tables."""
    return [_claims(results), _agents(results), _packs(results), _levels(results)]


def mean(runs: Sequence[Run], what: Callable[[Run], float | None]) -> float | None:
    """Over the runs that solved the level and have the figure; None where at least half did not solve it."""
    values = [value for run in runs if run.solved and (value := what(run)) is not None]
    return statistics.fmean(values) if values and 2 * len(values) >= len(runs) else None


def pairs(
    ours: dict[Place, list[Run]], theirs: dict[Place, list[Run]], what: Callable[[Run], float | None]
) -> list[tuple[float, float]]:
    """(ours, theirs) by level, where both solve it."""
    both = [(mean(runs, what), mean(theirs.get(place, []), what)) for place, runs in ours.items()]
    return [(one, other) for one, other in both if one and other]


def ratio(found: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Geometric mean of first : second, and its standard error in per cent."""
    logs = [math.log(one / other) for one, other in found]
    if len(logs) < 2:
        return None
    return math.exp(statistics.fmean(logs)), 100 * statistics.stdev(logs) / math.sqrt(len(logs))


def _claims(results: Results) -> Sheet:
    rows: list[list[Cell]] = []
    duels = (
        (played.BEAM, played.LRTA, report.FASTER),
        (played.BEAM, played.LRTA_EXTRA, None),
        (played.BEAM_MATCHED, played.LRTA_MATCHED, None),
        (played.BEAM_MATCHED, played.LRTA_EXTRA_MATCHED, None),
    )
    for beam, lrta, claimed in duels:
        ours, theirs = results.of(beam), results.of(lrta)
        times = pairs(ours, theirs, lambda run: run.seconds)
        visits = pairs(ours, theirs, lambda run: float(run.visited))
        lengths = pairs(ours, theirs, lambda run: None if run.moves is None else float(run.moves))
        faster, fewer, longer = ratio(times), ratio(visits), ratio([(b, a) for a, b in lengths])
        if faster is None or fewer is None or longer is None:
            continue
        shorter = sum(one < other for one, other in lengths) / len(lengths)
        rows.append([beam.name, lrta.name, len(times), *faster, claimed, *fewer, *longer, 100 * shorter])
    head = (
        "beam", "LRTA*", "levels", "LRTA* faster by", "±, %", "report", "visits fewer by", "±, %", "LRTA* longer by", "±, %",
        "beam shorter on, %",
    )  # fmt: skip
    note = (
        f"*Levels*: those that both solve in at least half of their runs. Factors are geometric means over these levels; "
        f"the report says that LRTA* is about {report.FASTER:g} times as fast and that the solutions of {report.SHORTER} "
        f"search are shorter."
    )
    forms = ("", "", ",", ".2f", ".0f", ".0f", ".2f", ".0f", ".2f", ".0f", ".0f")
    return Sheet("claims", "LRTA* and beam search", head, rounded(rows), forms, note)


def _agents(results: Results) -> Sheet:
    rows: list[list[Cell]] = []
    shortest = results.shortest
    for contender in CONTENDERS:
        levels = results.of(contender)
        runs = [run for each in levels.values() for run in each]
        if not runs:
            continue
        solved = [run for run in runs if run.solved]
        over = [
            run.moves / shortest[place]
            for place, each in levels.items()
            for run in each
            if run.moves is not None and shortest.get(place)
        ]
        rows.append(
            [
                contender.name,
                sum(mean(each, lambda run: run.seconds) is not None for each in levels.values()),
                100 * len(solved) / len(runs),
                1e3 * statistics.fmean(run.seconds for run in runs),
                1e3 * statistics.median(run.seconds for run in runs),
                statistics.fmean(run.visited for run in runs),
                statistics.median(run.visited for run in runs),
                statistics.fmean(over) if over else None,
                contender.text,
            ]
        )
    head = (
        "agent", "levels solved", "runs solved, %", "mean ms", "median ms", "mean visited", "median visited", "moves × shortest",
        "set as",
    )  # fmt: skip
    note = (
        "*Levels solved*: in at least half of the runs. *Visited*: positions that entered the beam, steps of LRTA*, positions "
        "expanded. *Moves × shortest*: over runs that solve a level whose shortest solution is proved, "
        f"{len(shortest)} levels."
    )
    forms = ("", ",", ".1f", ",.1f", ",.2f", ",.0f", ",.0f", ".2f", "")
    return Sheet("agents", "All agents", head, rounded(rows), forms, note)


def _packs(results: Results) -> Sheet:
    names = sorted({pack for levels in results.runs.values() for pack, _ in levels})
    rows: list[list[Cell]] = []
    for contender in CONTENDERS:
        levels = results.of(contender)
        row: list[Cell] = [contender.name]
        for name in names:
            here = [runs for (pack, _), runs in levels.items() if pack == name]
            solved = sum(mean(runs, lambda run: run.seconds) is not None for runs in here)
            row.append(f"{solved} of {len(here)}" if here else None)
        if levels:
            rows.append(row)
    return Sheet("packs", "Levels solved by pack", ("agent", *names), rounded(rows), ("",) * (1 + len(names)))


def _levels(results: Results) -> Sheet:
    rows: list[list[Cell]] = []
    for contender in CONTENDERS:
        for place, runs in results.of(contender).items():
            rows.append(
                [
                    *place,
                    results.titles[place],
                    contender.name,
                    len(runs),
                    sum(run.solved for run in runs),
                    1e3 * statistics.fmean(run.seconds for run in runs),
                    statistics.fmean(run.visited for run in runs),
                    mean(runs, lambda run: run.moves),
                    min((run.moves for run in runs if run.moves is not None), default=None),
                    mean(runs, lambda run: run.pushes),
                ]
            )
    head = (
        "pack", "level", "title", "agent", "runs", "solved", "mean ms", "mean visited", "mean moves", "fewest moves",
        "mean pushes",
    )  # fmt: skip
    return Sheet("levels", "Every agent on every level", head, rounded(rows), on_page=False)
