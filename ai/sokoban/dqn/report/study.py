"""Trainings and greedy games of the study `sokoban-dqn`: what each leaves is JSON, so that it can be kept."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ai import temporary
from ai.agent import Status, Thinking
from ai.sokoban.dqn.agent import Dqn
from ai.training import Training
from game.rules import sokoban

POINTS = 200
"""Of a curve at most."""
ROUND = 0.5


class Curve(msgspec.Struct):
    """A training and the greedy game of its best network."""

    episodes: list[int]
    reward: list[float]
    """Mean of the last games."""
    success: list[float]
    """Share of the last 100 games."""
    seconds: float
    """Of the processor."""
    solved: bool
    """Whether the greedy game is."""
    moves: int
    start: str
    """The position, as text."""
    actions: list[int]
    """Of the greedy game; where it goes round in circles, up to there."""
    first_win: int
    """Games until the first was solved, 0 where none was."""


def train(
    training: Training, start: sokoban.State, text: str, limit: float, thinking: Thinking, said: Callable[[], None]
) -> Curve | None:
    """Train to the end, or for `limit` seconds of the processor; None where the thinking is over before."""
    began = time.process_time()
    rows: list[Mapping[str, float]] = []
    first, done = 0, False
    while not done and time.process_time() - began < limit:
        if thinking.over():
            return None
        done = training.advance(ROUND, thinking)
        rows.append(training.figures())
        if not first and rows[-1]["success"] > 0:
            first = training.games
        said()
    spent = time.process_time() - began
    with temporary.folder() as folder:
        path = folder / "some.safetensors"
        training.save_model(path, "some", "experiment sokoban-dqn")
        plan = greedy(path, start)
    rows = rows[:: max(1, -(-len(rows) // POINTS))]
    solved = plan.status is Status.SOLVED
    return Curve(
        [int(row["games"]) for row in rows],
        [float(row.get("reward_10", row["reward"])) for row in rows],
        [float(row["success"]) for row in rows],
        spent,
        solved,
        len(plan.actions) if solved else 0,
        text,
        list(plan.pv)[:POINTS],
        first,
    )


def greedy(path: Path, start: sokoban.State) -> Any:
    """The greedy game of a model: a plan."""
    return Dqn(path, POINTS, "game", False).plan(start, Thinking())
