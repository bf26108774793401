"""The best solutions that are known of a level: those people and agents played, those agents found, and the file's own."""

from collections.abc import Iterable

from game.rules import levels, replay, sokoban
from game.rules.levels import Level, LevelError
from game.rules.replay import Replay, Step
from game.rules.sokoban import State
from game.saves.progress import Progress, Solution

FILE = "file"
"""Whose solution it is that stands in the level's file."""


class Best:
    """The solutions of one level at a time."""

    def __init__(self, progress: Progress) -> None:
        """No level yet."""
        self._progress = progress
        self._level_id = ""
        self._start: State | None = None
        self._own: tuple[Solution, ...] = ()

    def open(self, level_id: str, level: Level) -> None:
        """Another level; the solution in its file counts if it is one."""
        self._level_id, self._start = level_id, level.state
        self._own = ()
        try:
            actions = levels.replayed(level.state, level.solution, FILE) if level.solution else ()
        except LevelError:
            actions = ()
        if actions and sokoban.is_solved(played(level.state, actions)):
            lurd = sokoban.to_lurd(level.state, actions)
            self._own = (Solution(len(actions), pushes(lurd), lurd, FILE),)

    @property
    def by_moves(self) -> Solution | None:
        """The one with the fewest moves, and of those the fewest pushes; None where none is known."""
        return min(self._known, key=lambda each: (each.moves, each.pushes, not each.lurd), default=None)

    @property
    def by_pushes(self) -> Solution | None:
        """The one with the fewest pushes, and of those the fewest moves."""
        return min(self._known, key=lambda each: (each.pushes, each.moves, not each.lurd), default=None)

    @property
    def _known(self) -> tuple[Solution, ...]:
        return (*self._progress.solutions(self._level_id), *self._own) if self._start is not None else ()

    def replay(self, solution: Solution, title: str) -> Replay | None:
        """A solution to watch; None where its moves were let go, or do not fit the level."""
        if self._start is None or not solution.lurd:
            return None
        steps = [Step(action) for action in sokoban.from_lurd(solution.lurd)]
        try:
            return replay.record(self._start, steps, seats=(solution.by,), title=title)
        except replay.ReplayError:
            return None


def played(state: State, actions: Iterable[int]) -> State:
    """The position after some actions."""
    for action in actions:
        state = sokoban.apply(state, action)
    return state


def pushes(lurd: str) -> int:
    """Pushes and pulls of a solution."""
    return sum(letter.isupper() for letter in lurd)
