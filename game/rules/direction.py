"""The four directions, shared by Sokoban and 2048.

The numbers are part of the file forms and the command line: 0 up, 1 right, 2 down, 3 left.
Rows grow downwards and columns to the right.
"""

from enum import IntEnum


class Direction(IntEnum):
    """A direction on a board whose row 0 is at the top."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    @property
    def delta(self) -> tuple[int, int]:
        """(row step, column step)."""
        return DELTAS[self]

    @property
    def opposite(self) -> "Direction":
        """The direction that undoes this one."""
        return Direction((self + 2) % 4)

    @property
    def label(self) -> str:
        """The word for people: 'up', 'right', 'down' or 'left'."""
        return self.name.lower()


DELTAS: tuple[tuple[int, int], ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
