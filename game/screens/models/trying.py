"""The window's side of a short test: starts the process, listens, reckons mean and error, cancels."""

import time
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from ai import catalogue, child, kernels
from ai.models import ModelCard, Strength
from game.play.twenty48.sizes import size_for
from game.screens.jobs.job import Job
from game.screens.jobs.process import Process
from game.screens.models.trial import GAME

GAMES = {1: 100, 2: 20, 3: 10}
"""Plies -> games of the short test."""


@dataclass(slots=True)
class Trial:
    """One test, under way or done."""

    card: ModelCard
    plies: int
    scores: list[int] = field(default_factory=list)
    tiles: list[int] = field(default_factory=list)
    moves: int = 0
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0
    done: bool = False
    problem: str = ""
    """One sentence when it failed."""

    @property
    def games(self) -> int:
        """Games in all."""
        return GAMES[self.plies]

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return len(self.scores) / self.games

    @property
    def strength(self) -> Strength | None:
        """Mean and standard error of the games so far; None before the second."""
        return Strength.of(self.scores) if len(self.scores) > 1 else None

    @property
    def best_tile(self) -> int:
        """The largest tile of any game; 0 before the first has ended."""
        return max(self.tiles, default=0)


class Tester(Job):
    """One test at a time, in a process of low priority."""

    def __init__(self) -> None:
        """Nothing is being tested."""
        super().__init__()
        self.trial: Trial | None = None

    @staticmethod
    def refusal(card: ModelCard) -> str | None:
        """Why a model cannot be tested, in one sentence, or None when it can."""
        if card.problem is not None:
            return "It cannot be used."
        if card.game != GAME:
            return "Only models of 2048 have a short test."
        if size_for(card) is None:
            return f"There are no boards of {card.board}."
        if not kernels.ready(kernels.needed_by(GAME, card.agent)):
            return "Agents are still being prepared for this machine."
        return None

    @staticmethod
    def command(card: ModelCard, plies: int) -> list[str]:
        """What the process is started with."""
        words = str(card.path), card.agent, str(size_for(card)), str(plies), str(GAMES[plies])
        return child.command("game.screens.models.trial", *words)

    def start(self, card: ModelCard, plies: int) -> None:
        """Begin, with as many plies as the agent has at most; a test under way is cancelled."""
        plies = min(plies, catalogue.entry(card.game, card.agent).most_plies)
        self._begin("the test of a model", self.command(card, plies))
        self.trial = Trial(card, plies)

    @override
    def update(self) -> bool:
        """Once a frame: take what was said; True when the test has just ended."""
        if self.busy and self.trial is not None:
            self.trial.seconds = time.perf_counter() - self.trial.started
        return super().update()

    @override
    def cancel(self) -> None:
        """End a test that is under way; what it has found so far is dropped."""
        if self.busy:
            self.trial = None
        super().cancel()

    @override
    def _hear(self, said: dict[str, Any]) -> None:
        trial = self.trial
        assert trial is not None
        if "refused" in said:
            self._end(f"The test is not possible: {said['refused']}.")
            return
        trial.scores.append(said["score"])
        trial.tiles.append(said["tile"])
        trial.moves += said["moves"]

    @override
    def _gone(self, process: Process) -> None:
        assert self.trial is not None
        if process.problem:
            self._end(f"The test cannot be started: {process.problem}.")
        else:
            short = len(self.trial.scores) < self.trial.games
            self._end("The test broke off; the log has the details." if short else "")

    def _end(self, problem: str) -> None:
        self._process = None
        if self.trial is not None:
            self.trial.done, self.trial.problem = True, problem
