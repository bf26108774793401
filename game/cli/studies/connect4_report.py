"""The study `connect4-report`: the report's tables and charts of connect-4 from games of our own.

It is made of many short parts, each kept when it is done, so that a study that was stopped goes on with the next.
"""

from collections.abc import Callable, MutableMapping
from typing import Any

from ai.agent import Thinking
from game.cli.studies import (
    connect4_contests,
    connect4_learner,
    connect4_learner_tables,
    connect4_parts,
    connect4_tables,
    connect4_times,
)
from game.cli.studies.pages import Findings

GAME = "connect4"
TRAININGS: tuple[str, ...] = ("qlearning",)


def total(quick: bool) -> int:
    """Games of all parts."""
    return sum(_games(quick).values())


def _games(quick: bool) -> dict[str, int]:
    """Of every part, by name, in the order in which they are played."""
    played = {name: contest.games for name, contest in connect4_parts.contests(quick).items()}
    return connect4_times.games(quick) | played | connect4_learner.games(quick)


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Play what is not kept already, and put everything into tables."""
    contests = connect4_parts.contests(quick)
    for name, games in _games(quick).items():
        if name in kept:
            done(games, name)
            continue

        def hear(games: int, name: str = name) -> None:
            done(games, name)

        if name in contests:
            found: Any = connect4_contests.play(contests[name], seed, thinking, hear)
        elif name in connect4_learner.LEARNERS:
            found = connect4_learner.study(name, quick, seed, thinking, hear)
        else:
            found = connect4_times.measure(name, quick, seed, thinking, hear)
        if found is None:
            break
        kept[name] = found
    return findings(quick, kept) if kept else None


def findings(quick: bool, kept: MutableMapping[str, Any]) -> Findings:
    """Tables and plots of the parts that are done; a plot has the name of its table."""
    found = connect4_parts.shares(kept, quick)
    sheets = (
        *connect4_tables.sheets(found),
        *connect4_learner_tables.sheets(kept, quick),
        connect4_times.sheet(kept, quick),
    )
    plots = (
        *connect4_tables.plots(found),
        *connect4_learner_tables.plots(kept, quick),
        connect4_times.plot(kept),
    )
    filled = {sheet.name for sheet in sheets if sheet.rows}
    return Findings(
        "Connect-4: the report's tables and charts",
        "Every random opening (two stones of each player) is played in every order of the agents. A share counts 1 for a win "
        "and its part of a draw; ± is its standard error, over openings. The same board has the same openings "
        "throughout, so differences are taken opening by opening.",
        tuple(sheet for sheet in sheets if sheet.name in filled),
        tuple(plot for plot in plots if plot.name in filled),
        len(kept),
        len(_games(quick)),
    )
