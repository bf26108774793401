"""How hard a room is, and rooms of about a wanted difficulty.

A room is solved with the fewest pushes by A*. Its difficulty is a whole number from 0 to 100:

    pushes / 2 + box changes + 4 * log10(positions)

where a box change is a push of another box than the one before (the first push counts as one) and positions are those that
the solver looked at. On this scale first lessons lie around 10, ordinary rooms of 10x10 squares with four boxes around 20,
and levels made to be hard at 40 and more.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from typing_extensions import override

from ai.agent import Progress, Status, Thinking
from ai.sokoban.rooms.kinds import HARDEST, RoomError
from ai.sokoban.rooms.maker import RoomMaker
from ai.sokoban.search.bestfirst import AStar
from game.rules import sokoban

MOST_POSITIONS = 200_000
"""Positions after which the solver gives a room up; it then has no grade."""
PATIENCE = 3_000
"""Rooms looked at in a row without a suitable one before the search is given up."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What the solver says of a position."""

    pushes: int
    """The fewest there are."""
    changes: int
    """Pushes of another box than the one before, in that solution."""
    positions: int
    """Positions that the solver looked at."""
    actions: tuple[int, ...]
    """The solution."""

    @property
    def difficulty(self) -> int:
        """0 to 100, see the module."""
        return min(HARDEST, round(self.pushes / 2 + self.changes + 4 * math.log10(max(1, self.positions))))


@dataclass(frozen=True, slots=True)
class GradedRoom:
    """A room with its grade."""

    state: sokoban.State
    grade: Grade


def grade(state: sokoban.State, thinking: Thinking | None = None) -> Grade | None:
    """The grade of a position that is only pushed; None where the solver gave up, was cancelled or proved it unsolvable."""
    limits = Thinking(nodes=MOST_POSITIONS) if thinking is None else thinking
    plan = AStar(3600.0, MOST_POSITIONS).plan(state, limits)
    if plan.status is not Status.SOLVED:
        return None
    pushes, changes, last = 0, 0, -1
    reached = state
    for action in plan.actions:
        after = sokoban.apply(reached, action)
        if after.boxes != reached.boxes:
            pushes += 1
            changes += after.player != last
            last = after.warehouse.steps[after.player][action]
        reached = after
    return Grade(pushes, changes, plan.nodes, plan.actions)


def graded_rooms(
    maker: RoomMaker,
    count: int,
    low: int = 0,
    high: int = HARDEST,
    thinking: Thinking | None = None,
    found: Callable[[GradedRoom], None] | None = None,
    patience: int = PATIENCE,
) -> list[GradedRoom]:
    """Rooms of the maker whose difficulty is from `low` to `high`, in the order in which they are made.

    Args:
        maker: makes the rooms.
        count: how many are wanted.
        low: least difficulty, from 0.
        high: greatest difficulty, up to 100.
        thinking: cancel, time limit, and progress: nodes are rooms looked at, the measure is the difficulty that comes
            nearest so far.
        found: told of every room that suits, as soon as it is found.
        patience: rooms in a row that do not suit, before it is given up.

    Returns:
        The rooms; fewer than `count` where it was cancelled or given up. Where none suits, but one could be graded, the
        one whose difficulty comes nearest.

    Raises:
        RoomError: there are no (more) rooms of this size at all.
    """
    thinking = thinking or Thinking()
    rooms = list[GradedRoom]()
    nearest: GradedRoom | None = None
    looked = barren = 0
    while len(rooms) < count and barren < patience and not thinking.over():
        try:
            batch = maker.make(1, _Within(thinking))
        except RoomError:
            if not rooms and nearest is None:
                raise
            break
        if not len(batch.boards):
            break
        state = batch.state(0)
        graded = grade(state, _Within(thinking))
        looked, barren = looked + 1, barren + 1
        if graded is not None:
            room = GradedRoom(state, graded)
            if low <= graded.difficulty <= high:
                rooms.append(room)
                barren = 0
                if found is not None:
                    found(room)
            elif nearest is None or _off(room, low, high) < _off(nearest, low, high):
                nearest = room
        near = float(nearest.grade.difficulty) if nearest is not None else None
        note = f"{len(rooms)} of {count} found, {looked} looked at"
        thinking.report(Progress(looked, len(rooms) / count, measure=near, note=note))
    return rooms or ([nearest] if nearest is not None else [])


def _off(room: GradedRoom, low: int, high: int) -> int:
    """How far a room's difficulty is from the wanted ones."""
    return max(low - room.grade.difficulty, room.grade.difficulty - high)


class _Within(Thinking):
    """The budget of one grading: its own positions, the cancel flag and the time limit of the whole search."""

    def __init__(self, whole: Thinking) -> None:
        super().__init__(nodes=MOST_POSITIONS)
        self._whole = whole

    @property
    @override
    def cancelled(self) -> bool:
        """Whether the whole search is to stop."""
        return self._whole.over()
