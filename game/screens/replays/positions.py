"""The positions of one replay, rebuilt a slice at a time, so that a game of any length stops no frame.

Only every so many positions are kept; the ones between are played again from the last one kept.
"""

import time
from array import array
from collections.abc import Iterator

from game.rules import replay as replays
from game.rules.game import State
from game.rules.replay import Replay, ReplayError, Step
from game.views.value_bars import Weighing
from game.views.view import View, view_of

KEPT = 2000
"""About so many positions are kept."""
RECENT = 16
"""Positions that were asked for last are kept, too."""
LOOK_EVERY = 32
"""Steps between two looks at the clock."""


class Positions:
    """One replay with its positions as far as they are known: `build` until `done`."""

    def __init__(self, replay: Replay, source: str = "replay") -> None:
        """Raises ReplayError when the set-up makes no position; the steps are checked by `build`."""
        self.replay, self.source = replay, source
        self.view: View = view_of(replay.game)
        self.problem = ""
        """What is wrong with the step after the last one known, in one sentence."""
        self.valued = any(step.value is not None for step in replay.steps)
        """Whether an agent gave a value of any move."""
        self.weighed = any(step.values for step in replay.steps)
        """Whether an agent gave the values of all the actions it had."""
        self.every = max(1, len(replay.steps) // KEPT)
        first = replays.initial(replay, source)
        self._kept: list[State] = [first]
        self._tallies = array("q", [self.view.tally(first, first, 0)])
        self._played: Iterator[State] = replays.play(replay, source)
        self._newest = next(self._played)
        self._recent = {0: first}
        self._done = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, known to be playable or not."""
        return self.replay.steps

    @property
    def length(self) -> int:
        """Steps that can be shown: all of them, or as many as could be played."""
        return self.known if self.problem else len(self.replay.steps)

    @property
    def known(self) -> int:
        """Steps whose positions are known."""
        return len(self._tallies) - 1

    @property
    def done(self) -> bool:
        """Whether everything that can be known is known."""
        return self._done

    def build(self, seconds: float | None = None) -> bool:
        """Go on for about so long (None: to the end); returns `done`."""
        until = None if seconds is None else time.perf_counter() + seconds
        while not self._done:
            for _ in range(LOOK_EVERY):
                if not self._next():
                    return True
            if until is not None and time.perf_counter() >= until:
                break
        return self._done

    def _next(self) -> bool:
        """One position more; False at the end."""
        try:
            state = next(self._played, None)
        except ReplayError as error:
            state, self.problem = None, f"The game can be shown up to move {self.known:,}: {error.reason}."
        if state is None:
            self._done = True
            return False
        self._tallies.append(self.view.tally(self._newest, state, self._tallies[-1]))
        self._newest = state
        if self.known % self.every == 0:
            self._kept.append(state)
        return True

    def state(self, ply: int) -> State:
        """The position after `ply` steps, of those known."""
        ply = min(max(0, ply), self.known)
        found = self._recent.get(ply)
        if found is not None:
            return found
        at, state = ply - ply % self.every, self._kept[ply // self.every]
        near = max((known for known in self._recent if at < known < ply), default=at)
        if near > at:
            at, state = near, self._recent[near]
        while at < ply:
            state = replays.after(state, self.steps[at])
            at += 1
        if len(self._recent) >= RECENT:
            del self._recent[next(iter(self._recent))]
        self._recent[ply] = state
        return state

    def states(self, last: int) -> list[State]:
        """Every position from the first to the one after `last` steps."""
        return [self.state(ply) for ply in range(min(last, self.known) + 1)]

    def tally(self, ply: int) -> int:
        """What the game counts (pushes, points) after `ply` steps, of those known."""
        return self._tallies[min(max(0, ply), self.known)]

    def facts(self, ply: int) -> list[tuple[str, str]]:
        """What there is to say about the position after `ply` steps."""
        return self.view.facts(self.state(ply), min(ply, self.known), self.tally(ply))

    def step_to(self, ply: int) -> Step | None:
        """The step that led to the position after `ply` steps; None for the first one and beyond the end."""
        return self.steps[ply - 1] if 0 < ply <= self.length else None

    def weighing(self, ply: int) -> Weighing:
        """What the agent thought of every action in the position after `ply` steps, before it played the next one."""
        step = self.step_to(ply + 1)
        values = dict(step.values) if step is not None else {}
        return self.view.weighing(self.state(ply), values, step.action if step is not None else None)

    def label(self, ply: int) -> str:
        """The step that follows the position after `ply` steps, as people write it."""
        return self.view.label(self.state(ply), self.steps[ply].action)
