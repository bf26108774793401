"""A Sokoban position as the flat arrays that kernels work on.

Only squares that the player could ever enter matter; they are numbered from 0 in the order of the board. Boxes and
targets elsewhere never change, so they are left out, and decide by themselves whether the level can be solved.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from game.rules import sokoban

Ints = npt.NDArray[np.int32]
Shorts = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Layout:
    """The part of a position that the player can enter; N squares, n boxes and as many targets."""

    steps: Ints
    """Shape (N, 4): neighbour up, right, down, left; -1 for none."""
    squares: Ints
    """Shape (N,): the board's number of each square."""
    is_target: Bytes
    """Shape (N,): 1 on targets."""
    boxes: Ints
    """Shape (n,), ascending."""
    targets: Ints
    """Shape (n,), ascending; of another length where the level has no solution."""
    player: int
    shut_off: bool
    """Whether outside this part a box is off target or a target has no box: then there is no solution."""

    @property
    def occupied(self) -> Bytes:
        """Shape (N,): 1 where a box is; a new array every time."""
        occupied: Bytes = np.zeros(len(self.squares), dtype=np.uint8)
        occupied[self.boxes] = 1
        return occupied


@lru_cache(maxsize=64)
def _entered(warehouse: sokoban.Warehouse, start: int) -> tuple[Ints, Ints, dict[int, int]]:
    """(steps, squares, number of each square) of the squares joined with `start`."""
    squares = sorted(warehouse.connected([start]))
    number = {square: index for index, square in enumerate(squares)}
    steps = [[number.get(other, -1) for other in warehouse.steps[square]] for square in squares]
    return np.array(steps, dtype=np.int32), np.array(squares, dtype=np.int32), number


def layout(state: sokoban.State) -> Layout:
    """The arrays of a position of any size."""
    steps, squares, number = _entered(state.warehouse, state.player)
    targets = state.warehouse.targets
    inside = np.array(sorted(number[box] for box in state.boxes if box in number), dtype=np.int32)
    wanted = np.array(sorted(number[target] for target in targets if target in number), dtype=np.int32)
    is_target: Bytes = np.zeros(len(squares), dtype=np.uint8)
    is_target[wanted] = 1
    shut_off = {box for box in state.boxes if box not in number} != {t for t in targets if t not in number}
    return Layout(steps, squares, is_target, inside, wanted, number[state.player], shut_off)
