"""Tables and plots of the learners of the study `connect4-report`."""

from collections.abc import Mapping
from typing import Any

from game.studies.connect4 import figures as report
from game.studies.connect4 import learner
from game.studies.connect4.contests import STONES, Shares, difference
from game.studies.connect4.parts import some
from game.studies.pages import Cell, Plot, Sheet, rounded

_COLOURS = {"with master": "#4c9be8", "without master": "#f2a541"}
_FIRST = 1_000
"""Games whose share of wins is too much luck to look for a dip in."""


def sheets(kept: Mapping[str, Any], quick: bool) -> tuple[Sheet, ...]:
    """All tables of the learners."""
    found = learner.whole(kept)
    return (_learning(found, quick), _curve(found), *(_played(found, quick, way) for way in learner.FALLBACKS))


def plots(kept: Mapping[str, Any], quick: bool) -> tuple[Plot, ...]:
    """All plots of the learners."""
    found = learner.whole(kept)
    return (_curve_plot(found, quick), _played_plot(found, quick))


def _learning(found: Mapping[str, Any], quick: bool) -> Sheet:
    dip = some(report.DIP, quick)
    rows: list[tuple[Cell, ...]] = []
    for name, part in found.items():
        curve = part["curve"]
        lowest = min([row for row in curve if row[0] >= _FIRST] or curve, key=lambda row: row[1])
        early = next((row for row in curve if row[0] >= dip), curve[-1])
        rows.append(
            (
                name,
                100 * curve[0][1],
                100 * lowest[1],
                int(lowest[0]),
                100 * early[1],
                100 * curve[-1][1],
                report.LEARNED if learner.LEARNERS[name] else None,
                100 * curve[-1][2],
                int(part["states"]),
                100 * part["known"],
                part["cpu"],
                1e3 * part["look_up"],
                1e3 * report.LOOK_UP_SECONDS,
            )
        )
    head = (
        "learner", "first games, %", "lowest, %", "at game", f"at {dip:,}, %", "at the end, %", "report, %",
        f"last {_FIRST:,}, %", "states", "known, %", "CPU s", "look-up, ms", "report, ms",
    )  # fmt: skip
    forms = ("", ".1f", ".1f", ",", ".1f", ".1f", ".0f", ".1f", ",", ".1f", ".0f", ".3f", ".2f")
    note = (
        f"Share of wins in all games so far, exploration included, of {some(learner.GAMES, quick):,} games; *lowest* "
        f"from game {_FIRST:,} on; *known*: moves of the games after it that the table alone had learned. The report's "
        f"share falls over its first {report.DIP:,} of 400,000 games."
    )
    return Sheet("learning", "Q-learning, (6,7,1,4), first player", head, rounded(rows), forms, note)


def _curve(found: Mapping[str, Any]) -> Sheet:
    rows: list[tuple[Cell, ...]] = [
        (name, int(games), 100 * wins, 100 * recent)
        for name, part in found.items()
        for games, wins, recent in part["curve"]
    ]
    head = ("learner", "games", "wins in all games, %", f"in the last {_FIRST:,}, %")
    return Sheet("learning-curve", "Learning curves", head, rounded(rows), on_page=False)


def _shares(part: Mapping[str, Any] | None, fallback: str, name: str, quick: bool) -> Shares | None:
    return None if part is None else learner.contests(quick)[name].shares(part["points"][fallback][name])


def _played(found: Mapping[str, Any], quick: bool, fallback: str) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for opponent in learner.OPPONENTS if found else ():
        for stones in (STONES, 0):
            name = learner.contest_name(opponent, stones)
            pair = [_shares(found.get(each), fallback, name, quick) for each in learner.LEARNERS]
            cells: list[Cell] = []
            for shares in pair:
                cells += [None, None] if shares is None else [100 * shares.mean, 100 * shares.error]
            apart: list[Cell] = [None, None]
            if pair[0] is not None and pair[1] is not None:
                apart = [100 * value for value in difference(pair[0], pair[1])]
            rows.append((opponent, "openings" if stones else "empty board", *cells, *apart))
    head = ("against", "from", "with master, %", "±", "without, %", "±", "difference", "±")
    games = some(learner.OPENINGS, quick)
    unknown = "any column" if fallback == "random" else "alpha-beta, complex, depth 2"
    note = (
        f"{games} games each, the table always first. Where it knows nothing it plays {unknown}. From the empty board the "
        f"complex agents play one move in ten at random, or every game would be the same."
    )
    title = f"Learned with a master and without; unknown positions: {unknown}"
    return Sheet(f"master-{fallback}", title, head, rounded(rows), ("", "", *(".1f",) * 6), note)


def _curve_plot(found: Mapping[str, Any], quick: bool) -> Plot:
    def draw(axes: Any) -> None:
        for name, part in found.items():
            games, wins, recent = zip(*part["curve"], strict=True)
            axes.plot(games, [100 * share for share in wins], color=_COLOURS[name], label=f"{name}, all games")
            axes.plot(games, [100 * share for share in recent], color=_COLOURS[name], alpha=0.35, linewidth=1,
                      label=f"{name}, last {_FIRST:,}")  # fmt: skip
        end = some(learner.GAMES, quick)
        axes.plot([end], [report.LEARNED], "D", color="white", markeredgecolor="#22252e", clip_on=False,
                  label="report, at the end of 400,000")  # fmt: skip
        axes.axvspan(0, some(report.DIP, quick), color="#7f8794", alpha=0.12, label="the report's dip")

    return Plot("learning-curve", "Q-learning: share of wins", draw, "games", "wins, %")


def _played_plot(found: Mapping[str, Any], quick: bool) -> Plot:
    def draw(axes: Any) -> None:
        places = range(len(learner.OPPONENTS))
        for number, (name, part) in enumerate(found.items()):
            every = [
                _shares(part, learner.FALLBACKS[0], learner.contest_name(opponent, 0), quick)
                for opponent in learner.OPPONENTS
            ]
            known = [shares for shares in every if shares is not None]
            axes.bar(
                [place + 0.4 * number - 0.2 for place in places],
                [100 * shares.mean for shares in known],
                0.38,
                yerr=[100 * shares.error for shares in known],
                color=_COLOURS[name],
                label=name,
                capsize=2,
            )
        axes.set_xticks(
            places,
            [name.replace(", ", "\n").replace("its training", "its training\n") for name in learner.OPPONENTS],
            fontsize=8,
        )
        axes.set_ylim(0, 118)

    name, legend = f"master-{learner.FALLBACKS[0]}", {"loc": "upper center", "ncols": 2}
    return Plot(name, "The tables alone, from the empty board", draw, up="share, %", legend=legend)
