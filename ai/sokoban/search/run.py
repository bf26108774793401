"""What all search agents do around their kernels: the clock, the listener, and the answer as moves for people.

An agent's `plan` makes one `Run`; the kernel's slices are as long as the machine is fast.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ai.agent import Plan, Progress, Status, Thinking
from ai.sokoban.board.ground import Pace
from ai.sokoban.board.layout import Bytes, Ints, Layout, layout
from ai.sokoban.board.moves import walk
from ai.sokoban.board.successors import SINGLE
from ai.sokoban.search.walks import shortened
from game.rules import sokoban
from game.rules.sokoban.variants import PULL

MAX_BYTES = 1_500_000_000
"""Memory for positions at most; beyond it a search gives up."""

_Item = TypeVar("_Item", bound=np.generic)


class Stop(Exception):
    """The budget is spent, or the memory; the message is for people."""


class Done(NamedTuple):
    """One step of a solution."""

    action: int
    before: int
    """The box's square, -1 for none."""
    after: int


class Run:
    """One search for one position: budget, progress, answer."""

    def __init__(self, state: sokoban.State, thinking: Thinking, seconds: float, nodes: int) -> None:
        """`seconds` and `nodes` hold where the request sets no limits of its own."""
        self.board = layout(state)
        self._start = state
        self.thinking = thinking
        self.seconds = thinking.seconds_limit if thinking.seconds_limit is not None else seconds
        self.limit = thinking.node_limit if thinking.node_limit is not None else nodes
        self._pace = Pace()

    def known(self, state: sokoban.State) -> Plan | None:
        """The answer where nothing need be searched."""
        if sokoban.is_solved(state):
            return Plan((), Status.SOLVED, exact=True, seconds=self.thinking.elapsed, note="already solved")
        if self.board.shut_off:
            return self.unsolvable(0, "a box or a target is where the player never gets")
        return None

    def unsolvable(self, nodes: int, note: str) -> Plan:
        """Proved: there is no solution."""
        return Plan((), Status.UNSOLVABLE, exact=True, nodes=nodes, seconds=self.thinking.elapsed, note=note)

    def stopped(self, stop: Stop, nodes: int, depth: int | None = None) -> Plan:
        """No answer within the budget."""
        status = Status.CANCELLED if self.thinking.cancelled else Status.GAVE_UP
        note = "cancelled" if self.thinking.cancelled else str(stop)
        return Plan((), status, nodes=nodes, seconds=self.thinking.elapsed, depth=depth, note=note)

    def solved(self, steps: Iterable[Done], mode: int, nodes: int, best: str = "") -> Plan:
        """The whole solution; `best` says in what it is proved to be the shortest ('pushes', 'moves')."""
        actions, pushes = moves(self.board, steps, mode)
        if self._start.second >= 0:
            actions = shortened(self._start, actions)
        note = f"{pushes} push{'es' if pushes != 1 else ''}, {len(actions)} moves"
        if best:
            note += f", fewest {best}"
        depth = {"pushes": pushes, "moves": len(actions)}.get(best)
        return Plan(
            actions,
            Status.SOLVED,
            exact=bool(best),
            pv=actions,
            nodes=nodes,
            seconds=self.thinking.elapsed,
            depth=depth,
            note=note,
        )

    def until_cancelled(self, steps: Iterable[Done]) -> Iterator[Done]:
        """The steps of a solution; raises Stop where somebody cancelled. That time is over does not matter: it has been found."""
        for step in steps:
            self.unless_cancelled()
            yield step

    def unless_cancelled(self) -> None:
        """Raises Stop where somebody cancelled."""
        if self.thinking.cancelled:
            raise Stop("cancelled")

    def pause(self, progress: Progress) -> None:
        """Between slices: tell the listener; raises Stop where time is over or somebody cancelled."""
        fraction = min(1.0, self.thinking.elapsed / self.seconds) if self.seconds > 0 else None
        self.thinking.report(replace(progress, fraction=fraction))
        if self.thinking.cancelled or self.thinking.elapsed >= self.seconds:
            raise Stop(f"no solution within {self.seconds:g} seconds")

    def timed(self, work: Callable[[int], int]) -> int:
        """Call `work` with a budget of elementary steps that takes it about a slice of time."""
        return self._pace.timed(work)


def moves(board: Layout, steps: Iterable[Done], mode: int) -> tuple[tuple[int, ...], int]:
    """The actions of a solution, with the shortest walks before every push or pull, and how many of these it has."""
    if mode == SINGLE:
        single = list(steps)
        return tuple(step.action for step in single), sum(step.before >= 0 for step in single)
    occupied, player = board.occupied, board.player
    queue: Ints = np.zeros(len(board.squares), dtype=np.int32)
    came: Ints = np.zeros(len(board.squares), dtype=np.int32)
    path: Bytes = np.zeros(len(board.squares), dtype=np.uint8)
    actions: list[int] = []
    pushes = 0
    for action, before, after in steps:
        pulled = bool(action & PULL)
        stand = after if pulled else int(board.steps[before, (action + 2) % 4])
        length = walk(board.steps, occupied, player, stand, queue, came, path)
        actions += [*path[:length].tolist(), action]
        occupied[before], occupied[after] = 0, 1
        player = int(board.steps[stand, action % 4])
        pushes += 1
    return tuple(actions), pushes


def doubled(old: npt.NDArray[_Item]) -> npt.NDArray[_Item]:
    """A copy of twice the length; raises Stop beyond MAX_BYTES."""
    if 2 * old.nbytes > MAX_BYTES:
        raise Stop(f"no solution within {MAX_BYTES / 1e9:g} GB of memory")
    return np.concatenate([old, np.zeros_like(old)])
