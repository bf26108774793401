"""Plots of the study `sokoban-search`. What is not done yet is left out."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from game.studies.pages import Plot
from game.studies.sokoban import runs as played
from game.studies.sokoban.runs import OTHERS, Contender, Run
from game.studies.sokoban.tables import Place, Results, mean

_LOOKS = {
    played.BEAM.name: ("o", "#4c9be8"),
    played.LRTA.name: ("^", "#ef6f5e"),
    played.LRTA_EXTRA.name: ("v", "#8b7cf6"),
    played.BEAM_MATCHED.name: ("o", "#4c9be8"),
    played.LRTA_MATCHED.name: ("^", "#ef6f5e"),
    played.LRTA_EXTRA_MATCHED.name: ("v", "#8b7cf6"),
}
_PLAIN = (played.BEAM, played.LRTA)
_EXTRA = (played.BEAM, played.LRTA_EXTRA)
_MATCHED = (played.BEAM_MATCHED, played.LRTA_MATCHED)


def plots(results: Results) -> list[Plot]:
    """All plots."""
    if not any(results.of(contender) for contender in played.REPORTED):
        return []
    found = [
        _by_level(results, "time", "Time by level", _PLAIN, _milliseconds, "ms"),
        _by_level(results, "visited", "Visited states by level", _PLAIN, _visited, "states"),
        _by_level(results, "length", "Length of the solution by level", _PLAIN, _moves, "moves"),
        _by_level(results, "time-extra", "Time with 100 more restarts", _EXTRA, _milliseconds, "ms"),
        _by_level(results, "length-extra", "Length with 100 more restarts", _EXTRA, _moves, "moves"),
        _by_level(results, "time-matching", "Time by level, matched push distances", _MATCHED, _milliseconds, "ms"),
        _by_level(results, "length-matching", "Length by level, matched push distances", _MATCHED, _moves, "moves"),
    ]
    return [*found, _solved(results)]


def _milliseconds(run: Run) -> float:
    return 1e3 * run.seconds


def _visited(run: Run) -> float:
    return float(max(1, run.visited))


def _moves(run: Run) -> float | None:
    return None if run.moves is None else float(run.moves)


def order(results: Results, contenders: Sequence[Contender]) -> list[Place]:
    """The levels that some of the agents solve, those with a short solution first."""
    lengths: dict[Place, float] = {}
    for contender in contenders:
        for place, runs in results.of(contender).items():
            moves = mean(runs, _moves)
            if moves is not None:
                lengths[place] = min(moves, lengths.get(place, moves))
    return sorted(lengths, key=lambda place: (results.shortest.get(place, lengths[place]), place))


def _by_level(
    results: Results,
    name: str,
    title: str,
    contenders: Sequence[Contender],
    what: Callable[[Run], float | None],
    unit: str,
) -> Plot:
    def draw(axes: Any) -> None:
        places = order(results, contenders)
        for contender in contenders:
            levels = results.of(contender)
            values = [mean(levels.get(place, []), what) for place in places]
            look, colour = _LOOKS[contender.name]
            axes.plot(
                range(1, len(places) + 1), [math.nan if value is None else value for value in values], f"{look}-",
                color=colour, label=contender.name, markersize=4, linewidth=0.8,
            )  # fmt: skip
        if unit == "moves":
            shortest = [
                (at, results.shortest[place]) for at, place in enumerate(places, 1) if place in results.shortest
            ]
            axes.plot(
                [at for at, _ in shortest], [moves for _, moves in shortest], "_", color="#7f8794", label="shortest"
            )
        else:
            axes.set_yscale("log")

    return Plot(name, title, draw, "level, those with a short solution first", unit)


def _solved(results: Results) -> Plot:
    """How many levels every agent solves within a time."""

    def draw(axes: Any) -> None:
        for number, contender in enumerate((*_PLAIN, *OTHERS)):
            times = [mean(runs, _milliseconds) for runs in results.of(contender).values()]
            known = sorted(time for time in times if time is not None)
            look = "--" if number >= 10 else "-"
            axes.step(known, range(1, len(known) + 1), look, where="post", label=contender.name, linewidth=1.2)
        axes.set_xscale("log")

    legend = {"fontsize": 7, "ncols": 2, "loc": "lower right"}
    return Plot("solved", "Levels solved within a time, all agents", draw, "ms", "levels solved", legend)
