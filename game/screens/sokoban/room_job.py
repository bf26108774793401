"""A room made in a background thread: what is wanted, how far it is, and what came out."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai import kernels
from ai.agent import Progress, Thinking
from ai.sokoban.rooms.kinds import HARDEST, MAX_SIDE, MIN_SIDE, RoomError, most_boxes
from ai.worker import Worker
from game.play.words import counted
from game.rules import sokoban
from game.rules.levels import Level

if TYPE_CHECKING:
    from ai.sokoban.rooms.graded import GradedRoom

log = logging.getLogger("trilogic.agent")
SECONDS = 60.0
"""After so long the nearest room is taken."""


@dataclass(frozen=True, slots=True)
class Band:
    """A range of difficulty and what it is called."""

    id: str
    title: str
    low: int = 0
    high: int = HARDEST

    @property
    def whole(self) -> bool:
        """Whether every room is in it."""
        return (self.low, self.high) == (0, HARDEST)

    @property
    def note(self) -> str:
        """'25 to 39 of 100'."""
        return "the first room that comes" if self.whole else f"{self.low} to {self.high} of {HARDEST}"

    @property
    def words(self) -> str:
        """'hard, 25 to 39 of 100', or 'any difficulty'."""
        return "any difficulty" if self.whole else f"{self.title.lower()}, {self.note}"


BANDS = (
    Band("any", "Any"),
    Band("easy", "Easy", 0, 14),
    Band("medium", "Medium", 15, 24),
    Band("hard", "Hard", 25, 39),
    Band("hardest", "Very hard", 40),
)


@dataclass(frozen=True, slots=True)
class Request:
    """What kind of room."""

    rows: int = 10
    cols: int = 10
    boxes: int = 4
    band: Band = BANDS[0]

    def fitted(self) -> "Request":
        """The same within what there is."""
        rows, cols = (min(MAX_SIDE, max(MIN_SIDE, side)) for side in (self.rows, self.cols))
        return Request(rows, cols, min(most_boxes(rows, cols), max(1, self.boxes)), self.band)

    @property
    def words(self) -> str:
        """'10 × 10, 4 boxes'."""
        return f"{self.rows} × {self.cols}, {counted(self.boxes, 'box')}"


class RoomJob:
    """One room at a time. `update` once a frame; `close` it in the end."""

    def __init__(self) -> None:
        """Nothing is wanted yet."""
        self.request: Request | None = None
        """What is being made; None while nothing is."""
        self.progress = Progress()
        self.made: GradedRoom | None = None
        self.problem = ""
        """One sentence: why there is no room."""
        self._worker: Worker[list[GradedRoom]] | None = None

    @property
    def waiting(self) -> bool:
        """Whether the solvers are still being prepared for this machine."""
        return self.request is not None and (self._worker is None or not self._worker.busy)

    @property
    def seconds(self) -> float:
        """How long it has been at it."""
        return self._worker.elapsed if self._worker is not None else 0.0

    def start(self, request: Request) -> None:
        """Make a room."""
        self.cancel()
        self.request, self.made, self.problem, self.progress = request, None, "", Progress()

    def take_nearest(self) -> bool:
        """Look no further: the room that comes nearest will do. False where there is none yet."""
        if self._worker is None or self.progress.measure is None:
            return False
        self._worker.stop_early()
        return True

    def cancel(self) -> None:
        """Make none."""
        self.request = None
        if self._worker is not None:
            self._worker.cancel()

    def update(self) -> None:
        """Start when the solvers are ready, and listen."""
        if self.waiting and kernels.ready(kernels.needed_by("sokoban", "rooms")):
            self._begin()
        for said in self._worker.poll() if self._worker is not None else ():
            if said.progress is not None:
                self.progress = said.progress
            elif said.result is not None:
                self._end(said.result)
            elif said.error is not None:
                self._fail(said.error)

    def _begin(self) -> None:
        request, seed = self.request, secrets.randbits(63)
        assert request is not None
        self._worker = self._worker or Worker("rooms")

        def job(thinking: Thinking, _emit: Callable[[object], None]) -> "list[GradedRoom]":
            from ai.sokoban.rooms.graded import graded_rooms
            from ai.sokoban.rooms.maker import RoomMaker

            maker = RoomMaker(seed, request.rows, request.cols, request.boxes, record=False)
            return graded_rooms(maker, 1, request.band.low, request.band.high, thinking)

        self._worker.start((0, 0), job, seconds=SECONDS)

    def _end(self, rooms: "list[GradedRoom]") -> None:
        self.request = None
        if rooms:
            self.made = rooms[0]
        else:
            self.problem = "No such room was found that the solver finishes: try fewer boxes."

    def _fail(self, error: BaseException) -> None:
        self.request = None
        if isinstance(error, RoomError):
            self.problem = f"{str(error)[:1].upper()}{str(error)[1:]}."
        else:
            log.error("making a room failed", exc_info=error)
            self.problem = f"Making the room failed: {error or type(error).__name__}. The log has the details."

    def close(self) -> None:
        """End the thread."""
        self.cancel()
        if self._worker is not None:
            self._worker.close()


def level_of(room: "GradedRoom", title: str) -> Level:
    """The room as a level, with its grade and the solver's solution."""
    grade = room.grade
    comment = f"Difficulty {grade.difficulty}: {grade.pushes} pushes, {grade.changes} box changes, "
    solution = sokoban.to_lurd(room.state, grade.actions)
    return Level(room.state, title, comment=f"{comment}{grade.positions:,} positions", solution=solution)
