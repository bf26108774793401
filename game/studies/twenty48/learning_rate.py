"""The study `2048-learning-rate`: the report's tables and plots from trainings of our own, beside the report's figures.

`ai.twenty48.report.study` trains and plays; here its runs become tables and plots.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from ai.agent import Thinking
from ai.twenty48.ntuple.shapes import format_tuples
from ai.twenty48.report import shapes, study
from ai.twenty48.report.study import BEST, Run, Setup
from ai.twenty48.report.training import Games
from game.studies.pages import Cell, Findings, Plot, Sheet, rounded
from game.studies.twenty48 import figures as report

GAME = "twenty48"
TRAININGS: tuple[str, ...] = ("ntuple-report",)
_QUICK = 10
_COLOURS = ("#4c9be8", "#35b8a6", "#f2a541", "#ef6f5e", "#8b7cf6", "#7f8794")
_REPORTED = "#22252e"


def games_of(quick: bool) -> int:
    """Games of one training."""
    return study.GAMES // _QUICK if quick else study.GAMES


def total(quick: bool) -> int:
    """Games of all trainings."""
    return len(study.SETUPS) * games_of(quick)


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Train, play, and put into tables. Nothing is kept: a study that is stopped begins anew."""
    games = games_of(quick)
    runs: list[Run] = []
    for setup in study.SETUPS:
        found = study.run_setup(setup, games, study.PLAYED, seed, thinking, _Steps(done, setup.name).hear)
        if found is None:
            break
        runs.append(found)
    if not runs:
        return None
    # A tenth of a second: also after a Ctrl-C, which is for the trainings.
    return findings(runs, study.random_games(study.PLAYED, seed, Thinking()), games)


class _Steps:
    """Turns games done into games since the last time."""

    def __init__(self, done: Callable[[int, str], None], what: str) -> None:
        self._done, self._what, self._games = done, what, 0

    def hear(self, games: int) -> None:
        self._done(games - self._games, self._what)
        self._games = games


def findings(runs: Sequence[Run], random: Games, games: int) -> Findings:
    """Tables and plots of finished runs.

    Args:
        runs: In the order of `report_study.SETUPS`; at least one.
        random: Games of random moves.
        games: Of each training.
    """
    played = len(runs[0].played.scores)
    return Findings(
        "2048: four learning rates of the report's n-tuple network",
        f"Eight patterns, {sum(shapes.SIZES):,} weights that begin at 10, {games:,} games of learning with "
        f"exploration, then {played:,} without. The report's own figures are of 50,000 and 1,000 games. Where nothing "
        "else is said the rule is the report's, which leaves rewards out of the target, and patterns are looked up in "
        "all eight symmetric positions. Tiles above 8192 count as 8192.",
        (
            _scores(runs),
            _tiles("tiles-training", f"Largest tile of the last {played:,} games of the training, %", runs, False),
            _tiles("tiles-played", f"Largest tile of {played:,} games without exploration, %", runs, True),
            _random(random),
            _importance(runs),
            _touched(runs),
            _curves(runs),
            _weights(runs),
        ),
        (
            _curve_plot("score", "Score while learning", "mean score", runs, _reported_scores),
            _curve_plot("td-error", "TD error while learning", "mean |TD error|", _rule_of_report(runs), None),
            _curve_plot("reached-2048", "Games that reach 2048", "% of the games", runs, _reported_shares),
            _tile_plot(runs, played),
            _importance_plot(runs),
            _weight_plot(_rule_of_report(runs)),
            _symmetry_plot(runs),
        ),
        len(runs),
        len(study.SETUPS),
    )


# Tables


def _of_report(setup: Setup, figures: dict[float, float]) -> float | None:
    """The report's figure for a training of its kind."""
    return figures.get(setup.alpha) if setup == Setup(setup.alpha) else None


def _scores(runs: Sequence[Run]) -> Sheet:
    rows = []
    for each in runs:
        scores = each.played.scores
        error = float(np.std(scores, ddof=1) / len(scores) ** 0.5) if len(scores) > 1 else 0.0
        rows.append(
            (
                each.setup.name,
                float(np.mean(each.trained.scores)),
                _of_report(each.setup, report.LAST_GAMES),
                100 * each.trained.reached,
                _of_report(each.setup, report.LAST_REACHED),
                float(np.mean(scores)),
                error,
                _of_report(each.setup, report.PLAYED),
                100 * each.played.reached,
                float(np.mean(each.trained.errors)),
                each.moves / 1e6,
                each.seconds,
            )
        )
    head = (
        "training", "last games", "report", "2048, %", "report", "played", "±", "report", "2048, %", "TD error",
        "moves, M", "CPU s",
    )  # fmt: skip
    forms = ("", ",.0f", ",.0f", ".1f", ".1f", ",.0f", ",.0f", ",.0f", ".1f", ".2f", ".1f", ",.0f")
    note = (
        "*Last games*: mean score of the training's last games, with exploration; *played*: after it, without. "
        "± is the standard error over games of one network; two trainings with other seeds differ by more."
    )
    return Sheet("scores", "Scores", head, rounded(rows), forms, note)


def _exponents(parts: Sequence[Games], reported: Mapping[int, float]) -> range:
    """Every largest tile that is met here or in the report, as exponents."""
    met = [int(each.tiles.min()) for each in parts] + [int(each.tiles.max()) for each in parts]
    met += [tile.bit_length() - 1 for tile in reported]
    return range(min(met), max(met) + 1)


def _tiles(name: str, title: str, runs: Sequence[Run], played: bool) -> Sheet:
    parts = [each.played if played else each.trained for each in runs]
    rows: list[tuple[Cell, ...]] = []
    for exponent in _exponents(parts, report.PLAYED_TILES if played else {}):
        ours = [100 * study.shares(part, [exponent])[0] for part in parts]
        rows.append((str(1 << exponent), *ours, *([report.PLAYED_TILES.get(1 << exponent)] if played else [])))
    more = (f"report, α = {report.BEST:g}",) if played else ()
    head = ("tile", *(each.setup.name for each in runs), *more)
    return Sheet(name, title, head, rounded(rows), ("", *(".1f",) * (len(head) - 1)))


def _random(random: Games) -> Sheet:
    rows: list[tuple[Cell, ...]] = [("mean score", float(np.mean(random.scores)), report.RANDOM)]
    for exponent in _exponents([random], report.RANDOM_TILES):
        share = 100 * study.shares(random, [exponent])[0]
        rows.append((f"largest tile {1 << exponent}, %", share, report.RANDOM_TILES.get(1 << exponent)))
    title = f"Random moves, {len(random.scores):,} games"
    return Sheet("random", title, ("", "here", "report"), rounded(rows), ("", ",.1f", ",.1f"))


def _patterns() -> list[tuple[str, str]]:
    return list(zip(shapes.NAMES, format_tuples(shapes.PATTERNS).split(), strict=True))


def _importance(runs: Sequence[Run]) -> Sheet:
    rows: list[tuple[Cell, ...]] = [
        (name, cells, *(each.knowledge.importance[number] for each in runs), report.IMPORTANCE[number])
        for number, (name, cells) in enumerate(_patterns())
    ]
    head = ("pattern", "cells", *(each.setup.name for each in runs), f"report, α = {report.BEST:g}")
    title = "Importance of the patterns: mean |w − 10| over the touched weights"
    return Sheet("importance", title, head, rounded(rows), ("", "", *(",.3f",) * (len(runs) + 1)))


def _touched(runs: Sequence[Run]) -> Sheet:
    rows: list[tuple[Cell, ...]] = [
        (name, shapes.SIZES[number], *(100 * each.knowledge.touched[number] for each in runs), None)
        for number, (name, _) in enumerate(_patterns())
    ]
    whole = (100 * each.knowledge.touched_of_all for each in runs)
    rows.append(("all", sum(shapes.SIZES), *whole, report.TOUCHED))
    head = ("pattern", "weights", *(each.setup.name for each in runs), f"report, α = {report.BEST:g}")
    return Sheet("touched", "Touched weights, %", head, rounded(rows), ("", ",", *(".1f",) * (len(runs) + 1)))


def _curves(runs: Sequence[Run]) -> Sheet:
    head = ["games"]
    columns: list[Sequence[Cell]] = [[int(games) for games in runs[0].curve.games]]
    for each in runs:
        for name, values in (
            ("score", each.curve.score),
            ("reached", each.curve.reached),
            ("error", each.curve.error),
        ):
            head.append(f"{each.setup.name}: {name}")
            columns.append([float(value) for value in values])
    return Sheet("curves", "Curves", tuple(head), rounded(list(zip(*columns, strict=True))), on_page=False)


def _weights(runs: Sequence[Run]) -> Sheet:
    rows = [
        (each.setup.name, float(low), float(high), int(count))
        for each in runs
        for low, high, count in zip(
            each.knowledge.edges, each.knowledge.edges[1:], each.knowledge.counts, strict=False
        )
    ]
    head = ("training", "from", "to", "touched weights")
    return Sheet("weights", "Histogram of the touched weights", head, rounded(rows), on_page=False)


# Plots


def _colour(setup: Setup) -> str:
    return _COLOURS[study.SETUPS.index(setup) % len(_COLOURS)]


def _rule_of_report(runs: Sequence[Run]) -> list[Run]:
    """The runs whose values are of one kind."""
    return [each for each in runs if each.setup.rule == "report"] or list(runs)


def _reported_scores(setup: Setup) -> float | None:
    return _of_report(setup, report.LAST_GAMES)


def _reported_shares(setup: Setup) -> float | None:
    return _of_report(setup, report.LAST_REACHED)


def _curve_plot(
    name: str, title: str, label: str, runs: Sequence[Run], reported: Callable[[Setup], float | None] | None
) -> Plot:
    def draw(axes: Any) -> None:
        for each in runs:
            curve = each.curve
            values = {"score": curve.score, "td-error": curve.error, "reached-2048": 100 * curve.reached}[name]
            axes.plot(curve.games, values, color=_colour(each.setup), label=each.setup.name, linewidth=1.4)
            known = reported(each.setup) if reported is not None else None
            if known is not None:
                place = curve.games[-1]
                axes.plot([place], [known], "D", color=_colour(each.setup), markeredgecolor=_REPORTED, clip_on=False)
        if reported is not None:
            axes.plot([], [], "D", color="white", markeredgecolor=_REPORTED, label="report, last 1,000 of 50,000")
        if name == "td-error":
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)

    return Plot(f"curve-{name}", title, draw, "games", label)


def _tile_plot(runs: Sequence[Run], played: int) -> Plot:
    def draw(axes: Any) -> None:
        exponents = _exponents([each.played for each in runs], report.PLAYED_TILES)
        places = np.arange(len(exponents))
        wide = 0.8 / (len(runs) + 1)
        for number, each in enumerate(runs):
            shares = [100 * share for share in study.shares(each.played, exponents)]
            axes.bar(places + number * wide, shares, wide, color=_colour(each.setup), label=each.setup.name)
        known = [report.PLAYED_TILES.get(1 << exponent, 0.0) for exponent in exponents]
        axes.bar(places + len(runs) * wide, known, wide, color="white", edgecolor=_REPORTED, hatch="///",
                 label=f"report, α = {report.BEST:g}")  # fmt: skip
        axes.set_xticks(places + 0.4 - wide / 2, [f"{1 << exponent:,}" for exponent in exponents])

    title = f"Largest tile of {played:,} games without exploration"
    return Plot("tiles-played", title, draw, "largest tile", "% of the games")


def _importance_plot(runs: Sequence[Run]) -> Plot:
    best = next((each for each in runs if each.setup == Setup(BEST)), runs[0])

    def draw(axes: Any) -> None:
        places = np.arange(len(shapes.NAMES))
        axes.bar(places - 0.2, best.knowledge.importance, 0.4, color=_colour(best.setup), label=best.setup.name)
        axes.bar(places + 0.2, report.IMPORTANCE, 0.4, color="white", edgecolor=_REPORTED, hatch="///",
                 label=f"report, α = {report.BEST:g}")  # fmt: skip
        axes.set_xticks(places, [name.replace(" ", "\n", 1) for name in shapes.NAMES], fontsize=8)

    return Plot("importance", "Importance of the patterns", draw, up="mean |w − 10|")


def _weight_plot(runs: Sequence[Run]) -> Plot:
    def draw(axes: Any) -> None:
        for each in runs:
            found = each.knowledge
            axes.stairs(found.counts, found.edges, color=_colour(each.setup), label=each.setup.name, linewidth=1.4)
        axes.set_yscale("log")

    return Plot("weights", "Learned weights", draw, "weight", "touched weights")


def _symmetry_plot(runs: Sequence[Run]) -> Plot:
    wanted = [each for each in runs if each.setup in (Setup(BEST), Setup(BEST, symmetries=False))] or [runs[0]]

    def draw(axes: Any) -> None:
        for each in wanted:
            axes.plot(each.curve.games, each.curve.score, color=_colour(each.setup), label=each.setup.name)
        axes.set_ylim(bottom=0)

    return Plot("symmetries", "Symmetries on and off", draw, "games", "mean score")
