"""A Sokoban position as the flat arrays that kernels work on.

Only squares that the player could ever enter matter; they are numbered from 0 in the order of the board. Boxes and
targets elsewhere never change, so they are left out, and decide by themselves whether the level can be solved.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from game.rules import sokoban

Ints = npt.NDArray[np.int32]
Shorts = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Whole = int | np.int64
"""A number in a kernel."""


@dataclass(frozen=True)
class Layout:
    """The part of a position that the players can enter; N squares, n boxes and as many targets."""

    steps: Ints
    """Shape (N, 4): neighbour up, right, down, left; -1 for none."""
    squares: Ints
    """Shape (N,): the board's number of each square."""
    is_target: Bytes
    """Shape (N,): 1 on targets."""
    boxes: Ints
    """Shape (n,), ascending; with fixed targets in the order of the letters."""
    targets: Ints
    """Shape (n,), ascending, or in the order of the letters; of another length where the level has no solution."""
    player: int
    shut_off: bool
    """Whether outside this part a box is off target or a target has no box: then there is no solution."""
    state: sokoban.State
    second: int = -1
    """Square of the second player, -1 where one plays."""

    @property
    def rules(self) -> sokoban.Rules:
        """What players may do."""
        return self.state.warehouse.rules

    @property
    def colours(self) -> Bytes:
        """Shape (n,): of every box and of its target; with fixed targets every box has its own, else all have 0."""
        kinds = np.arange(len(self.boxes)) if self.rules.fixed else np.zeros(len(self.boxes))
        return kinds.astype(np.uint8)

    @property
    def occupied(self) -> Bytes:
        """Shape (N,): 1 where a box is; a new array every time."""
        occupied: Bytes = np.zeros(len(self.squares), dtype=np.uint8)
        occupied[self.boxes] = 1
        return occupied

    @property
    def marked(self) -> Bytes:
        """Shape (N,): colour + 1 where a box is; a new array every time."""
        marked: Bytes = np.zeros(len(self.squares), dtype=np.uint8)
        marked[self.boxes] = self.colours + 1
        return marked

    def position(self, boxes: npt.NDArray[np.integer]) -> tuple[int, ...]:
        """The board's numbers of all boxes, those that nobody can get to included, where the others stand on `boxes`.

        With fixed targets in the order of the letters.
        """
        inside = self.squares[boxes].tolist()
        known = set(self.squares.tolist())
        if self.rules.fixed:
            standing = iter(inside)
            return tuple(next(standing) if box in known else box for box in self.state.placed)
        return (*inside, *sorted(box for box in self.state.boxes if box not in known))


@lru_cache(maxsize=64)
def _entered(warehouse: sokoban.Warehouse, *starts: int) -> tuple[Ints, Ints, dict[int, int]]:
    """(steps, squares, number of each square) of the squares joined with any of `starts`."""
    squares = sorted(warehouse.connected(starts))
    number = {square: index for index, square in enumerate(squares)}
    steps = [[number.get(other, -1) for other in warehouse.steps[square]] for square in squares]
    return np.array(steps, dtype=np.int32), np.array(squares, dtype=np.int32), number


def layout(state: sokoban.State) -> Layout:
    """The arrays of a position of any size, under any rules."""
    warehouse = state.warehouse
    players = [state.player] if state.second < 0 else [state.player, state.second]
    steps, squares, number = _entered(warehouse, *players)
    boxes, targets = sorted(state.boxes), sorted(warehouse.targets)
    if warehouse.rules.fixed:
        boxes, targets = list(state.placed), list(warehouse.homes)
        shut_off = any(a != b and not {a, b} <= number.keys() for a, b in zip(boxes, targets, strict=True))
    else:
        shut_off = {box for box in boxes if box not in number} != {t for t in targets if t not in number}
    inside = np.array([number[box] for box in boxes if box in number], dtype=np.int32)
    wanted = np.array([number[target] for target in targets if target in number], dtype=np.int32)
    is_target: Bytes = np.zeros(len(squares), dtype=np.uint8)
    is_target[wanted] = 1
    second = number[state.second] if state.second >= 0 else -1
    return Layout(steps, squares, is_target, inside, wanted, number[state.player], shut_off, state, second)


def without_pulls(board: Layout) -> Layout:
    """The same position for somebody who pulls no box; the same object where the rules are pull only or have no pulls."""
    rules = board.rules
    if not (rules.pull and rules.push):
        return board
    warehouse = replace(board.state.warehouse, rules=replace(rules, pull=False))
    return replace(board, state=replace(board.state, warehouse=warehouse))
