"""The study `connect4-report`: the report's tables and charts of connect-4 from games of our own.

It is made of many short parts, each kept when it is done, so that a study that was stopped goes on with the next.
"""

from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any

from ai.agent import Thinking
from game.studies import kept as kept_parts
from game.studies.connect4 import learner, learner_tables, parts, tables, times
from game.studies.connect4.contests import play as contest
from game.studies.pages import Findings

GAME = "connect4"
TRAININGS: tuple[str, ...] = ("qlearning",)


def total(quick: bool) -> int:
    """Games of all parts."""
    return sum(_games(quick).values())


def _games(quick: bool) -> dict[str, int]:
    """Of every part, by name, in the order in which they are played."""
    played = {name: contest.games for name, contest in parts.contests(quick).items()}
    return times.games(quick) | played | learner.games(quick)


def run(
    quick: bool, seed: int, thinking: Thinking, done: Callable[[int, str], None], kept: MutableMapping[str, Any]
) -> Findings | None:
    """Play what is not kept already, and put everything into tables."""
    contests = parts.contests(quick)

    def part(name: str) -> kept_parts.Play:
        if name in contests:
            return partial(contest, contests[name], seed, thinking)
        return partial(learner.study if name in learner.LEARNERS else times.measure, name, quick, seed, thinking)

    kept_parts.play({name: (games, part(name)) for name, games in _games(quick).items()}, done, kept)
    return findings(quick, kept) if kept else None


def findings(quick: bool, kept: MutableMapping[str, Any]) -> Findings:
    """Tables and plots of the parts that are done; a plot has the name of its table."""
    found = parts.shares(kept, quick)
    sheets = (
        *tables.sheets(found),
        *learner_tables.sheets(kept, quick),
        times.sheet(kept, quick),
    )
    plots = (
        *tables.plots(found),
        *learner_tables.plots(kept, quick),
        times.plot(kept),
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
