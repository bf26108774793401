"""Sokoban's environments by the names under which gym-sokoban made them known. Imports nothing heavy."""

from typing import Any

_ROOMS: dict[str, tuple[tuple[int, int], int]] = {
    "Sokoban-v0": ((10, 10), 3),
    "Sokoban-v1": ((10, 10), 4),
    "Sokoban-v2": ((10, 10), 5),
    "Sokoban-small-v0": ((7, 7), 2),
    "Sokoban-small-v1": ((7, 7), 3),
    "Sokoban-large-v0": ((13, 11), 3),
    "Sokoban-large-v1": ((13, 11), 4),
    "Sokoban-large-v2": ((13, 11), 5),
    "Sokoban-huge-v0": ((13, 13), 5),
    "FixedTarget-Sokoban-v0": ((10, 10), 3),
    "FixedTarget-Sokoban-v1": ((10, 10), 4),
    "FixedTarget-Sokoban-v2": ((7, 7), 2),
    "FixedTarget-Sokoban-v3": ((7, 7), 3),
    "PushAndPull-Sokoban-v0": ((10, 10), 3),
    "PushAndPull-Sokoban-v1": ((10, 10), 4),
    "PushAndPull-Sokoban-v2": ((7, 7), 2),
    "PushAndPull-Sokoban-v3": ((7, 7), 3),
    "PushAndPull-Sokoban-v4": ((13, 11), 4),
    "PushAndPull-Sokoban-v5": ((13, 11), 5),
    "TwoPlayer-Sokoban-v0": ((7, 7), 2),
    "TwoPlayer-Sokoban-v1": ((7, 7), 3),
    "TwoPlayer-Sokoban-v2": ((10, 10), 3),
    "TwoPlayer-Sokoban-v3": ((10, 10), 4),
    "TwoPlayer-Sokoban-v4": ((13, 11), 3),
    "TwoPlayer-Sokoban-v5": ((13, 11), 4),
}
"""Name -> (rows and columns, boxes)."""

_VARIANTS: dict[str, dict[str, Any]] = {
    "FixedTarget": {"fixed": True},
    "PushAndPull": {"pulls": True},
    "TwoPlayer": {"players": 2},
}

_BOXOBAN = {
    "Boxoban-Train-v0": ("unfiltered", "train"),
    "Boxoban-Test-v0": ("unfiltered", "test"),
    "Boxoban-Val-v0": ("unfiltered", "valid"),
    "Boxoban-Train-v1": ("medium", "train"),
    "Boxoban-Val-v1": ("medium", "valid"),
}
"""Name -> (difficulty, split): the folders of Boxoban levels."""


def generated() -> dict[str, dict[str, Any]]:
    """The environments with generated rooms: name -> what their class is made with."""
    return {
        name: {"dim_room": size, "num_boxes": boxes, **_VARIANTS.get(name.partition("-")[0], {})}
        for name, (size, boxes) in _ROOMS.items()
    }


def from_folder() -> dict[str, dict[str, Any]]:
    """The environments with levels from a folder of the user's, likewise."""
    return {name: {"difficulty": difficulty, "split": split} for name, (difficulty, split) in _BOXOBAN.items()}
