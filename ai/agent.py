"""The one protocol that every agent and solver obeys.

An agent gets an immutable state and a `Thinking` (its budget, the cancel flag and a way to report progress)
and answers with a `Plan`. A solver is an agent whose plan is the whole solution. Agents know nothing of
windows, threads or files of games: `ai.worker` runs them in a thread, the command line calls them directly.

Long work happens in resumable numba kernels of about 10 ms a slice; between slices the agent asks
`thinking.over` and calls `thinking.report`, so that a cancel is answered within 50 ms.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar, runtime_checkable

Action = int
"""One legal choice as a number: a direction (0 up, 1 right, 2 down, 3 left) or a column (depth * C + column)."""

StateT = TypeVar("StateT", contravariant=True)


class Status(StrEnum):
    """How a plan came to be. Proved, gave up and cancelled are three different answers."""

    PLAN = "plan"  # actions to play next
    SOLVED = "solved"  # the actions reach the goal of the game
    LOST = "lost"  # proved lost against best play; actions hold the longest resistance
    UNSOLVABLE = "unsolvable"  # proved: no sequence of actions reaches the goal
    GAVE_UP = "gave_up"  # the budget ran out before an answer
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """What an agent says while it thinks. Every field but `nodes` may be unknown."""

    nodes: int = 0
    """Positions looked at so far."""
    fraction: float | None = None
    """Share of the work done, 0 to 1, only where that is honest (a time limit, a fixed depth)."""
    depth: int | None = None
    """Depth or plies completed, or the current lower bound of a solver."""
    best: Action | None = None
    values: Mapping[Action, float] = field(default_factory=dict)
    """Value of each legal action so far, from the side to move."""
    pv: tuple[Action, ...] = ()
    """Principal variation so far."""
    measure: float | None = None
    """One number worth a curve (lower bound, evaluation, boxes packed)."""
    position: tuple[int, ...] = ()
    """The position that the search thinks the best so far, as squares of the board: in Sokoban (row * cols + col) where
    its boxes stand, with fixed targets in the order of the letters. Empty where it has none to show. The position
    that `measure` is about."""
    open: int | None = None
    """Positions known but not looked into yet: the queue, or the beam of a beam search."""
    closed: int | None = None
    """Positions looked into: their successors were made."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """An agent's answer."""

    actions: tuple[Action, ...]
    """What to play next, in order. Empty when there is nothing to play."""
    status: Status = Status.PLAN
    values: Mapping[Action, float] = field(default_factory=dict)
    """Value of each legal action, where the agent has one, from the side to move."""
    exact: bool = False
    """Whether values and status are proved."""
    pv: tuple[Action, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    depth: int | None = None
    note: str = ""
    """One sentence for people, e.g. 'wins in 7' or '31 pushes, optimal'."""
    choices: tuple[Mapping[tuple[int, int], float], ...] = ()
    """Where an agent of Sokoban weighs pushes: for every push of the plan in turn how likely each of those that could have
    been made was to it, 0 to 1, by (square of the box on the board, direction). Without a plan the first one only."""


class Thinking:
    """An agent's view of its budget. Made by whoever asks, read by the agent, cancelled from any thread."""

    def __init__(
        self,
        seconds: float | None = None,
        nodes: int | None = None,
        listener: Callable[[Progress], object] | None = None,
        within: "Thinking | None" = None,
    ) -> None:
        """`seconds` and `nodes` override the agent's own limits where given; the clock starts now.

        `within` is what this is a part of: when that is over, this is cancelled.
        """
        self.started = time.perf_counter()
        self.seconds_limit = seconds
        self.node_limit = nodes
        self._listener = listener
        self._cancelled = threading.Event()
        self._within = within

    def part(self, seconds: float | None = None, nodes: int | None = None) -> "Thinking":
        """A budget for a part of the work, whose clock starts now and which nobody listens to; a cancel ends it as well."""
        part = Thinking(seconds, nodes)
        part._cancelled = self._cancelled
        return part

    def cancel(self) -> None:
        """Ask the agent to stop; it answers within 50 ms with its best so far or CANCELLED."""
        self._cancelled.set()

    @property
    def watched(self) -> bool:
        """Whether somebody listens."""
        return self._listener is not None

    @property
    def cancelled(self) -> bool:
        """True once somebody asked to stop."""
        return self._cancelled.is_set() or (self._within is not None and self._within.over())

    @property
    def elapsed(self) -> float:
        """Seconds since the request was made."""
        return time.perf_counter() - self.started

    def over(self, nodes: int = 0, seconds: float | None = None, node_limit: int | None = None) -> bool:
        """Whether to stop now: cancelled, out of time or out of nodes.

        `seconds` and `node_limit` are the agent's own defaults, used where the request sets none.
        """
        if self.cancelled:
            return True
        time_limit = self.seconds_limit if self.seconds_limit is not None else seconds
        if time_limit is not None and self.elapsed >= time_limit:
            return True
        limit = self.node_limit if self.node_limit is not None else node_limit
        return limit is not None and nodes >= limit

    def report(self, progress: Progress) -> None:
        """Tell the listener, if any. Cheap; call it after every slice."""
        if self._listener is not None:
            self._listener(progress)


class Agent(Protocol[StateT]):
    """Anything that chooses. Same seed, same game so far, same budget in nodes: same plan."""

    def new_game(self, seed: int) -> None:
        """Forget the game before; `seed` drives whatever is random."""
        ...

    def plan(self, state: StateT, thinking: Thinking) -> Plan:
        """Answer for `state`, within the budget of `thinking`. Raises nothing on a legal state."""
        ...


@runtime_checkable
class Seated(Protocol):
    """An agent that has learned to play one seat only."""

    seat: int


@runtime_checkable
class Scorer(Protocol[StateT]):
    """An agent that can tell the score of a position sooner than a whole plan."""

    def score(self, state: StateT, thinking: Thinking) -> Plan:
        """A plan whose highest value is the score; no limits but those of `thinking`."""
        ...
