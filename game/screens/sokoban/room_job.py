"""A room made in a background thread: what is wanted, how far it is, and what came out."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai import kernels
from ai.agent import Thinking
from ai.sokoban.rooms.kinds import HARDEST, MAX_SIDE, MIN_SIDE, RoomError, most_boxes
from game.play.sokoban.crop import cropped
from game.play.words import counted
from game.rules import sokoban
from game.rules.levels import Level
from game.rules.sokoban.game import GAME
from game.screens.jobs.thought import Thought

if TYPE_CHECKING:
    from ai.sokoban.rooms.graded import GradedRoom

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


class RoomJob(Thought["list[GradedRoom]"]):
    """One room at a time."""

    what = "Making the room"

    def __init__(self) -> None:
        """Nothing is wanted yet."""
        super().__init__(kernels.needed_by(GAME.id, "rooms"), "rooms")
        self.request = Request()
        """What is being made, or was last."""

    @property
    def made(self) -> "GradedRoom | None":
        """The room, when it is there."""
        return self.answer[0] if self.answer else None

    def start(self, request: Request) -> None:
        """Make a room."""
        self.request, seed = request, secrets.randbits(63)

        def job(thinking: Thinking, _emit: Callable[[object], None]) -> "list[GradedRoom]":
            from ai.sokoban.rooms.graded import graded_rooms
            from ai.sokoban.rooms.maker import RoomMaker

            maker = RoomMaker(seed, request.rows, request.cols, request.boxes, record=False)
            return graded_rooms(maker, 1, request.band.low, request.band.high, thinking)

        self.begin(job, SECONDS)

    def take_nearest(self) -> bool:
        """Look no further: the room that comes nearest will do. False where there is none yet."""
        found = self.progress.measure is not None
        if found:
            self.stop_early()
        return found

    @override
    def update(self) -> None:
        """Listen; no room at all is a problem."""
        super().update()
        if self.answer == []:
            self.forget()
            self.problem = "No such room was found that the solver finishes: try fewer boxes."

    @override
    def _failed(self, error: BaseException) -> str:
        if isinstance(error, RoomError):
            return f"{str(error)[:1].upper()}{str(error)[1:]}."
        return super()._failed(error)


def level_of(room: "GradedRoom", number: int) -> Level:
    """The room as the level of that number, called by its size, with its grade and the solver's solution."""
    state, grade = cropped(room.state), room.grade
    size = Request(state.warehouse.rows, state.warehouse.cols, len(state.boxes))
    comment = f"Difficulty {grade.difficulty}: {grade.pushes} pushes, {grade.changes} box changes, "
    solution = sokoban.to_lurd(room.state, grade.actions)
    return Level(
        state, f"Room {number}: {size.words}", comment=f"{comment}{grade.positions:,} positions", solution=solution
    )
