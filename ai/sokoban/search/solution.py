"""A solution as something to work on: its positions, what each costs, and a piece of it exchanged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ai.sokoban.board.layout import Bytes, Ints, Layout, Longs, Shorts
from ai.sokoban.board.moves import walk
from ai.sokoban.search.run import Done

_UNIT = 1 << 20


class Price(NamedTuple):
    """Two counts as one number: the first decides, the second breaks ties."""

    walk: int
    """Of a move without a push."""
    push: int
    """Of a move that pushes."""

    def counts(self, cost: int) -> tuple[int, int]:
        """(moves, pushes) of a cost."""
        first, second = divmod(cost, _UNIT)
        return (first, second) if self.walk == _UNIT else (second, first)


PRICES = {"moves": Price(_UNIT, _UNIT + 1), "pushes": Price(1, _UNIT + 1)}


@dataclass(frozen=True)
class Solution:
    """Pushes with the shortest walks between them; P pushes, n boxes."""

    pushes: tuple[Done, ...]
    places: Shorts
    """Shape (P + 1, n): the boxes by their slots before the first push and after each."""
    players: Ints
    """Shape (P + 1,)."""
    stands: Ints
    """Shape (P + 1,): where the player stands to push next; -1 at the end."""
    costs: Longs
    """Shape (P + 1,): of everything so far."""
    before: Longs
    """Shape (P + 1,): the same with the walk to the next push."""

    @property
    def cost(self) -> int:
        """Of all of it."""
        return int(self.costs[-1])


def solution(board: Layout, pushes: Iterable[Done], price: Price) -> Solution:
    """Walks through the pushes, which must be possible."""
    pushes = tuple(pushes)
    length, squares = len(pushes), len(board.squares)
    places: Shorts = np.empty((length + 1, len(board.boxes)), dtype=np.uint16)
    players: Ints = np.full(length + 1, board.player, dtype=np.int32)
    stands: Ints = np.full(length + 1, -1, dtype=np.int32)
    costs: Longs = np.zeros(length + 1, dtype=np.int64)
    before: Longs = np.zeros(length + 1, dtype=np.int64)
    queue: Ints = np.zeros(squares, dtype=np.int32)
    came: Ints = np.zeros(squares, dtype=np.int32)
    path: Bytes = np.zeros(squares, dtype=np.uint8)
    occupied = board.occupied
    slot = {int(box): index for index, box in enumerate(board.boxes)}
    places[0] = board.boxes
    for index, (action, start, goal) in enumerate(pushes):
        stands[index] = board.steps[start, (action + 2) % 4]
        length = walk(board.steps, occupied, int(players[index]), int(stands[index]), queue, came, path)
        assert length >= 0, (index, action, start, goal)
        before[index] = costs[index] + length * price.walk
        costs[index + 1] = before[index] + price.push
        slot[goal] = slot.pop(start)
        places[index + 1] = places[index]
        places[index + 1, slot[goal]] = goal
        players[index + 1] = start
        occupied[start], occupied[goal] = 0, 1
    before[-1] = costs[-1]
    return Solution(pushes, places, players, stands, costs, before)


def pushes_of(board: Layout, actions: Sequence[int]) -> list[Done]:
    """The pushes among the actions of a plan."""
    occupied, player = board.occupied, board.player
    pushes: list[Done] = []
    for action in actions:
        goal = int(board.steps[player, action])
        if occupied[goal]:
            beyond = int(board.steps[goal, action])
            occupied[goal], occupied[beyond] = 0, 1
            pushes.append(Done(action, goal, beyond))
        player = goal
    return pushes
