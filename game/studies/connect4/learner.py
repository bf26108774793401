"""Q-learning with and without a master, of the study `connect4-report`: both are trained, and both tables play.

A training and all its games are one part, because a table is too large to be kept for the next.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ai import temporary
from ai.agent import Plan, Thinking
from ai.connect4.report.agent import QAgent
from ai.connect4.report.training import REPORT_GAMES, QLearning
from game.rules.connect4 import State
from game.studies.connect4.contests import STONES, Contest, play
from game.studies.connect4.parts import FLAT, searcher, some

LEARNERS: dict[str, bool] = {"with master": True, "without master": False}
"""Name -> whether the training has one."""
FALLBACKS = ("random", "alphabeta")
"""What is played where the table knows nothing."""
OPPONENTS: dict[str, str] = {
    "its training opponent": searcher("complex", 2, 0.8),
    "complex, depth 2": searcher("complex", 2),
    "complex, depth 4": searcher("complex", 4),
    "offensive": "offensive",
    "defensive": "defensive",
    "random": "random",
}
LUCK = 0.1
"""Probability of a random move of the complex agents where no opening makes their games differ."""
_POINTS = 200
"""Of a curve."""
GAMES = REPORT_GAMES
"""Of a training, before `--quick`."""
OPENINGS = 250
"""Of a contest after it, before `--quick`."""


def games(quick: bool) -> dict[str, int]:
    """Of every part, by name: those of the training and those after it."""
    played = sum(contest.games for contest in contests(quick).values())
    return dict.fromkeys(LEARNERS, some(GAMES, quick) + len(FALLBACKS) * played)


def contests(quick: bool) -> dict[str, Contest]:
    """Of one table: every opponent from random openings and from the empty board, the table always first."""
    openings = some(OPENINGS, quick)
    found = {}
    for stones in (STONES, 0):
        for name, text in OPPONENTS.items():
            lucky = f"{text},random_moves={LUCK:g}" if name.startswith("complex") and not stones else text
            found[contest_name(name, stones)] = Contest(FLAT, "qlearning", (lucky,), openings, stones, begins=True)
    return found


def contest_name(opponent: str, stones: int) -> str:
    """Of a contest."""
    return f"{opponent}, {'from openings' if stones else 'from the empty board'}"


def study(
    name: str, quick: bool, seed: int, thinking: Thinking, done: Callable[[int], None]
) -> dict[str, Any] | None:
    """Train a learner and let it play; None when cancelled.

    Returns:
        `curve`: [games, share of wins in all games, in the last 1,000] as it learned; `states` of its table;
        `cpu`: processor time of the training; `points`: fallback -> contest -> points; `look_up`: seconds of a move out
        of the table; `known`: share of the moves that the table knew, both where it plays alone.
    """
    settings = {"games": some(GAMES, quick), "master": LEARNERS[name]}
    training = QLearning(settings, seed)
    began = time.thread_time()
    curve = _learn(training, thinking, done)
    if curve is None:
        return None
    spent = time.thread_time() - began
    points: dict[str, dict[str, list[list[float]]]] = {}
    with temporary.folder() as folder:
        file = folder / "table.safetensors"
        training.save_model(file, name, "")
        agents = {fallback: _Watched(QAgent(file, fallback)) for fallback in FALLBACKS}
        for fallback, agent in agents.items():
            points[fallback] = {}
            for each, contest in contests(quick).items():
                found = play(contest, seed, thinking, done, agent)
                if found is None:
                    return None
                points[fallback][each] = found
    alone = agents["random"]
    return {
        "curve": curve,
        "states": training.states,
        "cpu": spent,
        "points": points,
        "look_up": alone.spent / max(1, alone.known),
        "known": alone.known / max(1, alone.asked),
    }


def _learn(training: QLearning, thinking: Thinking, done: Callable[[int], None]) -> list[list[float]] | None:
    """The whole training; its curve, or None when cancelled."""
    games = training.settings.games
    curve: list[list[float]] = []
    for point in range(1, _POINTS + 1):
        goal = games * point // _POINTS
        before = training.games
        # The goal of the run moves on from point to point; how exploration fades was settled at the beginning.
        training.settings = replace(training.settings, games=max(1, goal))
        while not training.advance(0.1, thinking):
            if thinking.cancelled:
                return None
        figures = training.figures()
        curve.append([training.games, float(figures["cumulative_win_rate"]), float(figures["win_rate"])])
        done(training.games - before)
    return curve


class _Watched:
    """A table, and how often and how fast it knew its move."""

    def __init__(self, agent: QAgent) -> None:
        self._agent = agent
        self.asked = self.known = 0
        self.spent = 0.0
        """Processor time of the moves that were known."""

    def new_game(self, seed: int) -> None:
        """As the agent's."""
        self._agent.new_game(seed)

    def plan(self, state: State, thinking: Thinking) -> Plan:
        """The agent's."""
        began = time.thread_time()
        plan = self._agent.plan(state, thinking)
        spent = time.thread_time() - began
        self.asked += 1
        if any(plan.values[action] for action in plan.actions if plan.values):
            self.known += 1
            self.spent += spent
        return plan


def whole(kept: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The learners that are done."""
    return {name: kept[name] for name in LEARNERS if name in kept}
