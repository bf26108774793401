"""Which rooms the policy network learns from: every round has a kind of its own, drawn by weight."""

from typing import NamedTuple

import numpy as np

from ai.sokoban.policy.features import Codes
from ai.sokoban.rooms.kinds import RoomError
from ai.sokoban.rooms.maker import RoomMaker

VALIDATION_SEED = 1 << 62
"""Rooms of this seed and those after it are never learned from: seeds of rounds are smaller."""


class Kind(NamedTuple):
    """A family of rooms."""

    weight: float
    least: int
    """Rows and columns at least."""
    most: int
    """At most."""
    boxes: tuple[int, int]
    """At least, at most."""
    mode: str
    """Of `ai.sokoban.rooms.maker`."""


MIXED = (
    Kind(0.60, 10, 10, (4, 4), "established"),
    Kind(0.08, 10, 10, (2, 7), "fast"),
    Kind(0.10, 7, 9, (1, 4), "fast"),
    Kind(0.12, 9, 13, (2, 8), "fast"),
    Kind(0.10, 13, 16, (1, 10), "fast"),
)
SQUARES = 16384
"""Rooms of a round have so many cells in their pictures together, about, so that large ones take no more time."""


def rooms_of_round(seed: int, number: int) -> Codes:
    """The rooms of a round, (n, rows, cols); fewer or none where there are no more of that kind."""
    luck = np.random.default_rng((seed, 3, number))
    kind = MIXED[int(luck.choice(len(MIXED), p=[each.weight for each in MIXED]))]
    rows, cols = (int(each) for each in luck.integers(kind.least, kind.most + 1, 2))
    boxes = int(luck.integers(kind.boxes[0], kind.boxes[1] + 1))
    count = max(32, SQUARES // (max(rows, cols) - 2) ** 2)
    word = int(luck.integers(0, VALIDATION_SEED))
    try:
        return RoomMaker(word, rows, cols, boxes, kind.mode, record=False).make(count).boards
    except RoomError:
        return np.zeros((0, rows, cols), np.int8)


def validation(count: int, boxes: int = 4) -> Codes:
    """Rooms to measure by: 10 x 10, made by the established steps, the same ones always."""
    return RoomMaker(VALIDATION_SEED, 10, 10, boxes, "established", record=False).make(count).boards
