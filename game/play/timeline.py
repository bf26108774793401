"""The course of one game: every state from the start, what led from one to the next, and where we are in it.

Undo and redo move the cursor; playing after an undo cuts what was undone.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from game.rules.replay import Step

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Moment(Generic[StateT]):
    """A timeline as it stood once, for another thread to read later: taken at once, however long the game is."""

    initial: StateT
    cursor: int
    _steps: list[Step]
    _count: int

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, those that were undone and could be redone included."""
        return tuple(self._steps[: self._count])


@dataclass(slots=True)
class Timeline(Generic[StateT]):
    """`states[n]` is the position after `steps[:n]`; the cursor is the number of steps played.

    The lists only ever grow; what is cut makes new ones, so that a `Moment` stays what it was.
    """

    states: list[StateT]
    steps: list[Step] = field(default_factory=list)
    cursor: int = 0

    @classmethod
    def start(cls, initial: StateT) -> "Timeline[StateT]":
        """A game of which nothing was played."""
        return cls([initial])

    @property
    def initial(self) -> StateT:
        """The first position."""
        return self.states[0]

    @property
    def state(self) -> StateT:
        """The present position."""
        return self.states[self.cursor]

    @property
    def played(self) -> tuple[Step, ...]:
        """The steps up to the cursor."""
        return tuple(self.steps[: self.cursor])

    @property
    def last(self) -> Step | None:
        """The step that led here."""
        return self.steps[self.cursor - 1] if self.cursor else None

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self.cursor > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step."""
        return self.cursor < len(self.steps)

    def play(self, step: Step, after: StateT) -> None:
        """Append a step; what had been undone is gone."""
        if self.can_redo:
            self.steps, self.states = self.steps[: self.cursor], self.states[: self.cursor + 1]
        self.steps.append(step)
        self.states.append(after)
        self.cursor += 1

    def moment(self) -> Moment[StateT]:
        """The game as it stands; what is played from now on is not in it."""
        return Moment(self.initial, self.cursor, self.steps, len(self.steps))

    def go(self, ply: int) -> StateT:
        """Move the cursor to `ply`, clamped to the game; returns the position there."""
        self.cursor = min(max(0, ply), len(self.steps))
        return self.state
