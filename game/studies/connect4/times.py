"""Time per move by depth, of the study `connect4-report`."""

import statistics
from collections.abc import Callable, Mapping
from typing import Any

from ai.agent import Thinking
from game.studies.connect4 import figures as report
from game.studies.connect4.contests import seconds_per_move
from game.studies.connect4.parts import DEPTHS, FLAT, some
from game.studies.pages import Cell, Plot, Sheet

GAMES = 100
_AGAINST = "defensive"
_COLOURS = {"minimax": "#ef6f5e", "alphabeta": "#4c9be8"}


def games(quick: bool) -> dict[str, int]:
    """Of every part, by name."""
    return {_name(agent, depth): some(GAMES, quick) for depth in DEPTHS for agent in report.SECONDS}


def measure(name: str, quick: bool, seed: int, thinking: Thinking, done: Callable[[int], None]) -> list[float] | None:
    """Seconds per move of each game of a part; None when cancelled."""
    agent, depth = next((agent, depth) for agent in report.SECONDS for depth in DEPTHS if _name(agent, depth) == name)
    text = f"{agent},heuristic=complex,depth={depth}"
    return seconds_per_move(text, _AGAINST, FLAT, some(GAMES, quick), seed, thinking, done)


def sheet(kept: Mapping[str, Any], quick: bool) -> Sheet:
    """Milliseconds beside the report's."""
    rows: list[tuple[Cell, ...]] = []
    for depth in DEPTHS:
        row: list[Cell] = [depth]
        for agent, reported in report.SECONDS.items():
            found = kept.get(_name(agent, depth))
            middle = 1e3 * statistics.median(found) if found else None
            mean = 1e3 * statistics.fmean(found) if found else None
            reported_here = 1e3 * reported[depth - 1]
            row += [middle, mean, reported_here, reported_here / middle if middle else None]
        rows.append(tuple(row))
    head = (
        "depth", "minimax, ms", "mean", "report, ms", "faster by", "alphabeta, ms", "mean", "report, ms", "faster by",
    )  # fmt: skip
    forms = (",", ".3f", ".3f", ",.2f", ",.0f", ".3f", ".3f", ",.2f", ",.0f")
    note = (
        f"Heuristic complex; processor time per move, median and mean over {some(GAMES, quick)} games from the empty board "
        f"against {_AGAINST}; the report's are means. Ours deepen step by step, and everything that an answer takes is in "
        "the time, also alpha-beta's new table at the start of each game."
    )
    return Sheet("time-per-move", "Time per move on (6,7,1,4)", head, tuple(rows), forms, note)


def plot(kept: Mapping[str, Any]) -> Plot:
    """Both curves beside the report's."""

    def draw(axes: Any) -> None:
        for agent, reported in report.SECONDS.items():
            known = [depth for depth in DEPTHS if kept.get(_name(agent, depth))]
            ours = [statistics.median(kept[_name(agent, depth)]) for depth in known]
            axes.plot(known, ours, "o-", color=_COLOURS[agent], label=agent)
            axes.plot(
                range(1, len(reported) + 1),
                reported,
                "D--",
                color=_COLOURS[agent],
                alpha=0.6,
                label=f"{agent}, report",
            )
        axes.set_yscale("log")
        axes.set_xticks(DEPTHS)

    return Plot("time-per-move", "Time per move on (6,7,1,4), complex", draw, "depth", "seconds per move")


def _name(agent: str, depth: int) -> str:
    return f"time of {agent}, depth {depth}"
