"""Sokoban rooms without end: made by a kernel, each solvable by construction, no two alike within a batch.

    rooms = make_rooms(seed=1, rows=10, cols=10, boxes=4, count=1000)
    rooms.boards[0], rooms.state(0), rooms.solution(0)

Every room comes about in three steps: a random walk carves floor (`carve`), boxes stand on their targets, and the
game is played backwards by pulls to the position with the best score (`reverse`, or `wander` in the fast mode).
The pulls backwards are a solution. `RoomMaker` makes more of the same batch in slices, with progress and cancel.
"""

import time as clock
from dataclasses import replace
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.agent import Progress, Thinking
from ai.sokoban.rooms.batch import make_batch, remember_all
from ai.sokoban.rooms.kinds import FAST, MODES, RoomError, check_size
from ai.sokoban.rooms.reverse import DEPTH, FRAME, LIMIT, TABLE
from ai.sokoban.rooms.wander import PULLS, WALKS
from game.rules import sokoban

MOST_PUSHES = 300
PATIENCE = 50_000
"""Attempts without a new room before it is given up."""
_SLICE_SECONDS = 0.008
_MARKS_SEED = 20


class Rooms(NamedTuple):
    """n rooms; squares are row * cols + col."""

    boards: npt.NDArray[np.int8]
    """(n, rows, cols): 0 empty, 1 wall, 2 box, 3 target, 4 player; a second player is not on it."""
    homes: npt.NDArray[np.int16]
    """(n, boxes): the target from which each box was pulled."""
    places: npt.NDArray[np.int16]
    """(n, boxes): the square on which each box stands."""
    players: npt.NDArray[np.int16]
    """(n, 1), or (n, 2) with a second player, who stands still in the solution."""
    scores: npt.NDArray[np.int64]
    """(n,): box swaps * sum of displacements on the way backwards."""
    pushes: npt.NDArray[np.int16]
    """(n, 300): the solution, each push 4 * (square of the box) + direction; (n, 0) where it was not recorded."""
    lengths: npt.NDArray[np.int64]
    """(n,): pushes of that solution."""

    def state(self, number: int, rules: sokoban.Rules = sokoban.PUSH_ONLY) -> sokoban.State:
        """A room as a position of the plain rules; the second player only where `rules` say that two play.

        With fixed targets every box has the target from which it was pulled, lettered from a.
        """
        state = sokoban.from_array(self.boards[number])
        warehouse, placed = state.warehouse, tuple[int, ...]()
        if rules.fixed:
            homes, placed = tuple(self.homes[number].tolist()), tuple(self.places[number].tolist())
            letters = ascii_lowercase[: len(homes)]
            warehouse = replace(warehouse, rules=rules, homes=homes, letters=letters)
        else:
            warehouse = replace(warehouse, rules=rules)
        second = int(self.players[number, 1]) if rules.players == 2 else -1
        return sokoban.State(warehouse, state.boxes, state.player, second, placed)

    def solution(self, number: int, rules: sokoban.Rules = sokoban.PUSH_ONLY) -> tuple[int, ...]:
        """The recorded solution as actions of the first player, with the shortest walks between its pushes.

        Raises:
            RoomError: it was not recorded.
        """
        if not self.pushes.shape[1]:
            raise RoomError("the solutions of these rooms were not recorded")
        state, actions = self.state(number, rules), list[int]()
        for push in self.pushes[number, : self.lengths[number]].tolist():
            box, way = divmod(push, 4)
            walk = sokoban.walk_path(state, state.warehouse.steps[box][(way + 2) % 4])
            assert walk is not None
            for action in (*walk, way):
                state = sokoban.apply(state, action)
                actions.append(action)
        return tuple(actions)


class RoomMaker:
    """Makes rooms of one kind, a different one every time. Use it on one thread."""

    def __init__(
        self,
        seed: int,
        rows: int,
        cols: int,
        boxes: int,
        mode: str = "established",
        players: int = 1,
        record: bool = True,
        distinct: bool = True,
    ) -> None:
        """`seed` 0 to 2^64 - 1 decides all rooms; `record` keeps a solution of each.

        Without `distinct` rooms are different within one call of `make` only, so that they never run out.

        Raises:
            RoomError: there is no such size or mode.
        """
        check_size(rows, cols, boxes)
        if mode not in MODES:
            raise RoomError(f"there is no mode {mode!r} (there are: {', '.join(MODES)})")
        self.rows, self.cols, self.boxes, self.players, self.record = rows, cols, boxes, players, record
        self.distinct = distinct
        self.attempts = 0
        """Rooms begun so far, those that came to nothing included."""
        self._seed = np.uint64(seed)
        self._mode = MODES[mode]
        cells = rows * cols
        limit = 0 if self._mode == FAST else LIMIT
        random = np.random.default_rng(_MARKS_SEED)
        self._known = np.zeros(1024, np.uint64)
        self._count = self._fresh = 0
        self._scratch = (
            random.integers(0, 2**64, 2 * cells, dtype=np.uint64),
            np.zeros(limit, np.uint64),
            np.zeros(limit * -(-cells // 64), np.uint64),
            np.zeros(TABLE if limit else 0, np.int32),
            np.zeros((DEPTH, FRAME), np.int32),
            np.zeros(12 * cells + PULLS, np.int32),
        )

    def make(self, count: int, thinking: Thinking | None = None) -> Rooms:
        """The next `count` rooms; fewer where no more are found, `thinking` was cancelled or its time is over.

        Raises:
            RoomError: not one was found.
        """
        thinking = thinking or Thinking()
        cells, width = self.rows * self.cols, MOST_PUSHES if self.record else 0
        rooms = Rooms(
            np.zeros((count, cells), np.int8),
            np.zeros((count, self.boxes), np.int16),
            np.zeros((count, self.boxes), np.int16),
            np.zeros((count, self.players), np.int16),
            np.zeros(count, np.int64),
            np.zeros((count, width), np.int16),
            np.zeros(count, np.int64),
        )
        self._make_place(count)
        made, tries = 0, 1
        while made < count and not thinking.over():
            began = clock.perf_counter()
            made, self.attempts, self._fresh = make_batch(
                self._seed, self.attempts, self.attempts + tries, self._fresh, PATIENCE, made, self.rows, self.cols,
                self._mode, WALKS, PULLS, *rooms, self._known, *self._scratch,
            )  # fmt: skip
            if self.attempts - self._fresh >= PATIENCE:
                self._fresh = self.attempts
                if not made:
                    raise RoomError(self._barren())
                break
            took = clock.perf_counter() - began
            tries = int(min(max(tries * _SLICE_SECONDS / max(took, 1e-6), tries / 2, 1), 2 * tries))
            thinking.report(Progress(made, made / count))
        self._count += made
        rooms = Rooms._make(array[:made] for array in rooms)
        return rooms._replace(boards=rooms.boards.reshape(made, self.rows, self.cols))

    def _make_place(self, count: int) -> None:
        """Enlarge the set of fingerprints for so many more."""
        if not self.distinct:
            self._known[:] = 0
            self._count = 0
        size = len(self._known)
        while size < 2 * (self._count + count):
            size *= 2
        if size > len(self._known):
            known = np.zeros(size, np.uint64)
            remember_all(known, self._known)
            self._known = known

    def _barren(self) -> str:
        what = f"{self.rows}x{self.cols} squares with {self.boxes} box{'es' * (self.boxes > 1)}"
        more = f"more than {self._count} different rooms" if self._count else "a room"
        return f"{more} of {what} could not be found in {PATIENCE:,} further attempts"


def make_rooms(
    seed: int,
    rows: int,
    cols: int,
    boxes: int,
    count: int,
    mode: str = "fast",
    players: int = 1,
    record: bool = False,
) -> Rooms:
    """`count` different rooms in one call, for training: the same rooms for the same arguments.

    Raises:
        RoomError: there is no such size or mode, or there are not so many different rooms.
    """
    rooms = RoomMaker(seed, rows, cols, boxes, mode, players, record).make(count)
    if len(rooms.boards) < count:
        raise RoomError(f"there are no more than {len(rooms.boards)} different rooms of this kind, not {count}")
    return rooms
