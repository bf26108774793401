"""Steps on their way: a queue of single moves that the view plays one after the other, never losing one.

The game itself has already moved on; what is queued here is only what the eye still has to see. The longer the queue
the faster it runs, so that a held key or a fast agent is followed and not chased.
"""

from collections import deque
from dataclasses import dataclass

from game.rules.sokoban import PULL, SECOND, State
from game.ui.tween import ease_out

CATCH_UP = 1.2
"""Share by which each waiting step beyond the first speeds the present one up."""

CHAIN_GAP = 0.05
"""Seconds of rest after which the next step starts from standing: it eases out instead of keeping its pace."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move from `before` to `after`, in `seconds`; the box that it moves, if any, goes `box_from` → `box_to`."""

    before: State
    after: State
    action: int
    """The step, or where it runs `back` the one before it."""
    seconds: float
    back: bool = False

    @property
    def letter(self) -> str:
        """The letter of the box that it moves; empty where boxes have none."""
        placed = zip(self.before.placed, self.after.placed, self.before.warehouse.letters, strict=True)
        return next((letter for old, new, letter in placed if old != new), "")

    @property
    def box_from(self) -> int | None:
        """The square that a box leaves."""
        return min(self.before.boxes - self.after.boxes, default=None)

    @property
    def box_to(self) -> int | None:
        """The square that a box reaches."""
        return min(self.after.boxes - self.before.boxes, default=None)


def facing_of(action: int) -> int:
    """Where a keeper looks after a step: at the box, so when he pulls the other way than he goes."""
    return action & 3 ^ (2 if action & PULL else 0)


class Motion:
    """The state that is shown, the step in progress and those that wait."""

    def __init__(self) -> None:
        self.shown: State | None = None
        self.facings = [2, 2]
        """Where the first and the second keeper look."""
        self.current: Step | None = None
        self.paces = 0
        self._waiting: deque[Step] = deque()
        self._age = 0.0
        self._rest = CHAIN_GAP
        self._chained = False

    @property
    def busy(self) -> bool:
        """Whether anything still moves."""
        return self.current is not None

    @property
    def last(self) -> State | None:
        """The state at which the queue ends."""
        newest = self._waiting[-1] if self._waiting else self.current
        return newest.after if newest else self.shown

    @property
    def progress(self) -> float:
        """How far the present step is, 0 to 1: at a steady pace within a chain, else with a soft end."""
        if self.current is None or self.current.seconds <= 0:
            return 1.0
        share = min(1.0, self._age / self.current.seconds)
        return share if self._chained else ease_out(share)

    def jump(self, state: State, action: int) -> None:
        """Stand at `state` at once, after `action`; what was queued is forgotten."""
        self._waiting.clear()
        self.current = None
        self.shown = state
        self._face(action)
        self._rest = CHAIN_GAP

    def push(self, step: Step) -> None:
        """Queue a step."""
        if self.current is None:
            self._start(step)
        else:
            self._waiting.append(step)

    def update(self, dt: float) -> list[Step]:
        """Let `dt` seconds pass; the steps that arrived meanwhile, in order."""
        arrived: list[Step] = []
        if self.current is None:
            self._rest += dt
        while self.current is not None:
            pace = 1 + CATCH_UP * max(0, len(self._waiting) - 1)
            needed = (self.current.seconds - self._age) / pace
            if dt < needed:
                self._age += dt * pace
                break
            dt -= max(0.0, needed)
            arrived.append(self._arrive())
            self._rest = dt if self.current is None else 0.0
        return arrived

    def settle(self) -> list[Step]:
        """Let everything arrive at once; the steps that did."""
        arrived = []
        while self.current is not None:
            arrived.append(self._arrive())
        self._rest = CHAIN_GAP
        return arrived

    def _start(self, step: Step) -> None:
        self._chained = self._rest < CHAIN_GAP or bool(self._waiting)
        self._age, self._rest = 0.0, 0.0
        self.current = step
        self._face(step.action)

    def _face(self, action: int) -> None:
        self.facings[action & SECOND > 0] = facing_of(action)

    def _arrive(self) -> Step:
        step = self.current
        assert step is not None
        self.shown = step.after
        self.paces += 1
        self.current = None
        if self._waiting:
            self._rest = 0.0
            self._start(self._waiting.popleft())
        return step
