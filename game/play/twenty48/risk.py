"""How likely the game is lost within the next moves when the agent plays on: many quick games in the background.

The agent looks one move ahead in them, whatever it looks ahead at the board; luck is drawn anew for each. They are
played in short portions with pauses between, so that the window stays smooth.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ai import catalogue
from ai.agent import Agent, Thinking
from ai.entries import Spec, Value
from ai.making import Maker
from ai.worker import Worker
from game.play.solo import FastPlayer
from game.rules.twenty48 import State

MOVES = 20
"""How far the games are played."""
MOST = 1000
"""Games for one position."""
PORTION_SECONDS, PAUSE_SECONDS = 0.001, 0.002
SAY_SECONDS = 0.25
FIRST_WAIT, RUNNING_WAIT, RUNNING_SECONDS = 0.25, 0.8, 0.4
"""Seconds a position rests before it is looked at, between two looks at a running agent, and for such a look."""
LOOK_AHEAD = ("plies", "depth", "simulations", "time", "empties")
"""Settings that are put to their least."""
SURE = 1.96
"""Standard errors to either side in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What was found."""

    lost: int
    games: int

    @property
    def range(self) -> tuple[float, float]:
        """Where the probability is, in 95 of 100 cases (Wilson: Probable inference, 1927)."""
        share, square = self.lost / self.games, SURE**2
        middle = (share + square / (2 * self.games)) / (1 + square / self.games)
        half = SURE / (1 + square / self.games)
        half *= (share * (1 - share) / self.games + square / (4 * self.games**2)) ** 0.5
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def words(self) -> str:
        """'12 ± 2 %', or how little or much it is at most or at least."""
        low, high = self.range
        if self.lost == 0:
            return f"under {_percent(high)} %"
        if self.lost == self.games:
            return f"over {int(low * 100)} %"
        return f"{_percent(self.lost / self.games)} ± {_percent((high - low) / 2)} %"


def _percent(share: float) -> str:
    return f"{share * 100:.1f}" if share < 0.0995 else f"{share * 100:.0f}"


def quick(spec: Spec) -> Spec:
    """The same agent, looking ahead as little as it can."""
    settings: dict[str, Value] = dict(spec.settings)
    for parameter in catalogue.entry("twenty48", spec.id).parameters:
        if parameter.name in LOOK_AHEAD and parameter.min is not None:
            settings[parameter.name] = int(parameter.min) if parameter.type == "int" else parameter.min
    return Spec(spec.id, settings, spec.model)


def sample(agent: FastPlayer, state: State, games: int, luck: random.Random, thinking: Thinking) -> int:
    """How many of so many games end within `MOVES` moves; -1 when it was cancelled."""
    lost = 0
    for _ in range(games):
        played = agent.play_many(replace(state, seed=luck.getrandbits(63), spawns=0), MOVES, thinking)
        if thinking.cancelled:
            return -1
        lost += len(played) < MOVES
    return lost


class RiskView:
    """Looks at one position at a time, with an agent of its own that shares the model."""

    def __init__(self) -> None:
        """No thread is started before a position is looked at."""
        self.risk: Risk | None = None
        """Of the position looked at last, while that is on the board or was a moment ago."""
        self._state: State | None = None
        self._worker: Worker[Risk | None] | None = None
        self._maker = Maker("twenty48")
        self._agent: tuple[str, Agent[Any]] | None = None
        self._waited = 0.0
        self._seen: State | None = None

    def update(self, dt: float, spec: Spec | None, state: State, running: bool) -> None:
        """Once a frame. `spec` is None while there is nothing to ask: no agent is at the board, or the game is over."""
        self._poll()
        self._waited += dt
        if spec is None:
            self.forget()
            return
        if state != self._seen:
            self._seen = state
            if not running:
                self._waited = 0.0
                self.risk = None
                if self._worker is not None:
                    self._worker.cancel()
        busy = self._worker is not None and self._worker.busy
        if state != self._state and not busy and self._waited >= (RUNNING_WAIT if running else FIRST_WAIT):
            self._waited = 0.0
            self._ask(quick(spec), state, RUNNING_SECONDS if running else None)

    def forget(self) -> None:
        """Nothing is known; nothing is looked at."""
        self.risk = self._state = self._seen = None
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.close()

    def _ask(self, spec: Spec, state: State, seconds: float | None) -> None:
        self._state = state
        if self._worker is None:
            self._worker = Worker("risk-2048")

        def job(thinking: Thinking, emit: Callable[[object], None]) -> Risk | None:
            if self._agent is None or self._agent[0] != str(spec):
                made = self._maker.agent(spec, thinking)
                if made is None:
                    return None
                self._agent = str(spec), made
            agent = self._agent[1]
            if not isinstance(agent, FastPlayer):
                return None
            luck, begun = random.Random(str(state)), time.perf_counter()
            lost = games = 0
            said, portion = begun, 1
            while games < MOST and (seconds is None or time.perf_counter() - begun < seconds):
                began, portion = time.perf_counter(), min(portion, MOST - games)
                found = sample(agent, state, portion, luck, thinking)
                if found < 0:
                    break
                lost, games, now = lost + found, games + portion, time.perf_counter()
                portion = (
                    min(2 * portion, MOST - games) if now - began < PORTION_SECONDS / 2 else max(1, portion // 2)
                )
                if now - said > SAY_SECONDS:
                    said = now
                    emit(Risk(lost, games))
                time.sleep(PAUSE_SECONDS)
            return Risk(lost, games) if games else None

        self._worker.start((0, state.spawns), job)

    def _poll(self) -> None:
        if self._worker is None:
            return
        for said in self._worker.poll():
            found = said.item if said.item is not None else said.result
            if isinstance(found, Risk):
                self.risk = found
            elif said.error is not None:
                self.risk = None  # the agent at the board says what is wrong with it
