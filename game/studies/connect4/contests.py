"""Contests of the study `connect4-report`: one agent, its *subject*, at a table with others, paired and counted.

Every random opening is played in every order of the agents that is not the same as another. Openings depend on the
seed and the board alone, so contests on the same board are played from the same positions and can be compared opening
by opening. The games of one opening belong together: standard errors are over openings.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ai import catalogue
from ai.agent import Agent, Thinking
from game.play import asking, matches
from game.rules import connect4
from game.rules.connect4 import Shape

NODES = 4_000_000
"""Of one move at most. No search of the study comes near it, and without a clock the same seed gives the same games."""
STONES = 2
"""Random stones of each player before the agents play, where nothing else is said."""


@dataclass(frozen=True)
class Contest:
    """Who meets whom, and how often."""

    shape: Shape
    subject: str
    """As on the command line."""
    others: tuple[str, ...]
    openings: int
    stones: int = STONES
    """Random stones of each player before the agents play. Without any, an opening is the empty board."""
    begins: bool = False
    """Whether the subject always has the first seat."""

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """[seating][seat] 0 for the subject, i for `others[i - 1]`; agents that are alike are not told apart."""
        first = {other: number for number, other in reversed(list(enumerate(self.others, 1)))}
        alike = [0, *(first[other] for other in self.others)]
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for order in permutations(range(len(alike))):
            if not self.begins or order[0] == 0:
                found.setdefault(tuple(alike[index] for index in order), order)
        return tuple(found.values())

    def shares(self, points: Sequence[Sequence[float]]) -> "Shares":
        """Of these points, as `play` returns them."""
        return Shares(tuple(tuple(each) for each in points), tuple(order.index(0) for order in self.orders))

    @property
    def games(self) -> int:
        """All of them."""
        return self.openings * len(self.orders)


@dataclass(frozen=True)
class Shares:
    """What the subject won of each game: 1 a win, 0 a loss, of a draw its part."""

    points: tuple[tuple[float, ...], ...]
    """[opening][seating]"""
    seats: tuple[int, ...]
    """[seating] where the subject sat."""

    @property
    def by_opening(self) -> tuple[float, ...]:
        """Means over the seatings."""
        return tuple(statistics.fmean(each) for each in self.points)

    @property
    def mean(self) -> float:
        """Over all games."""
        return statistics.fmean(self.by_opening)

    @property
    def error(self) -> float:
        """Standard error of the mean, over openings."""
        return standard_error(self.by_opening)

    @property
    def by_seat(self) -> tuple[float, ...]:
        """Mean on each seat."""
        return tuple(
            statistics.fmean(
                point for each in self.points for point, at in zip(each, self.seats, strict=True) if at == place
            )
            for place in sorted(set(self.seats))
        )

    @property
    def games(self) -> int:
        """How many."""
        return len(self.points) * len(self.seats)


def standard_error(values: Sequence[float]) -> float:
    """Of their mean; 0 of a single one."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def difference(ours: Shares, theirs: Shares) -> tuple[float, float]:
    """Mean and standard error of ours minus theirs, opening by opening."""
    apart = [a - b for a, b in zip(ours.by_opening, theirs.by_opening, strict=True)]
    return statistics.fmean(apart), standard_error(apart)


def play(
    contest: Contest,
    seed: int,
    thinking: Thinking,
    done: Callable[[int], None],
    subject: Agent[Any] | None = None,
) -> list[list[float]] | None:
    """The subject's points, [opening][seating]; None when `thinking` was cancelled meanwhile.

    Args:
        contest: What is played.
        seed: Of openings and agents.
        thinking: Its cancel ends the move that is being thought about.
        done: Hears the games of every opening once they are played.
        subject: The agent itself, where it is not in the catalogue.
    """
    agents = [subject or agent(contest.subject, seed), *(agent(text, seed) for text in contest.others)]
    orders = contest.orders
    found: list[list[float]] = []
    for number in range(contest.openings):
        luck = random.Random(f"{seed}/{contest.shape}/{number}")
        start = matches.opening(connect4.start(contest.shape), contest.stones * contest.shape.players, luck)
        points: list[float] = []
        for game, order in enumerate(orders):
            if thinking.cancelled:
                return None
            for index, each in enumerate(agents):
                each.new_game(((seed + number) * len(orders) + game) * len(agents) + index)
            final = _final(agents, order, start, thinking)
            if final is None:
                return None
            points.append(connect4.GAME.points(final)[order.index(0)])
        found.append(points)
        done(len(orders))
    return found


def _final(
    agents: Sequence[Agent[Any]],
    order: Sequence[int],
    start: connect4.State,
    thinking: Thinking,
    took: Callable[[int, float], None] = lambda _agent, _seconds: None,
) -> connect4.State | None:
    """The end of one game, None when cancelled; `took` hears who thought and for how long, in seconds of the processor."""
    final, table = start, [agents[index] for index in order]
    moves = matches.play(
        start,
        table,
        [str(index) for index in order],
        lambda: Thinking(nodes=NODES, within=thinking),
        time.thread_time,
    )
    try:
        for turn in moves:
            final = turn.state
            took(order[turn.seat], turn.seconds)
            if thinking.cancelled:
                return None
    except asking.AgentFailed:
        if thinking.cancelled:
            return None
        raise
    return final


def agent(text: str, seed: int) -> Agent[Any]:
    """An agent as it is written on the command line."""
    return asking.make("connect4", catalogue.parse("connect4", text), seed)


def seconds_per_move(
    text: str, against: str, shape: Shape, games: int, seed: int, thinking: Thinking, done: Callable[[int], None]
) -> list[float] | None:
    """Processor time that an agent takes for a move, the mean of each game; None when cancelled.

    Games begin on the empty board, and the agents take turns to begin.
    """
    agents = [agent(text, seed), agent(against, seed)]
    found: list[float] = []
    for number in range(games):
        if thinking.cancelled:
            return None
        for index, each in enumerate(agents):
            each.new_game((seed + number) * 2 + index)
        spent: list[float] = []

        def took(index: int, seconds: float, spent: list[float] = spent) -> None:
            if index == 0:
                spent.append(seconds)

        if _final(agents, matches.rotation(number, 2), connect4.start(shape), thinking, took) is None:
            return None
        found.append(statistics.fmean(spent))
        done(1)
    return found
