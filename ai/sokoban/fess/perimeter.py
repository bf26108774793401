"""A search from both ends: greedily forward from the position, and backward by pulls from the solved one.

The positions that the backward search has met are a perimeter around the solution: the forward search ends as soon as it
reaches one of them, and the other way round. Small crowded levels whose last pushes are the hard ones yield to it.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Layout
from ai.sokoban.board.successors import flood
from ai.sokoban.search import bestfirst_search
from ai.sokoban.search.bestfirst import Method, Search
from ai.sokoban.search.run import Done, Run
from game.rules import sokoban

_GREEDY = Method(cost_weight=0.0)


class BothEnds:
    """Two searches that take turns, push only."""

    def __init__(self, frame: Run, backward: bool = True, ground: Callable[[bool], Ground] | None = None) -> None:
        """Nothing is searched yet.

        Args:
            frame: told how the search goes, for how long it may.
            backward: whether there is a search from the other end at all.
            ground: measures the level, played backwards where it is told so; without it each search does that itself.
        """
        self._frame = frame
        self._ground = ground
        self._both = backward
        self._sides: list[Search] = []

    @property
    def count(self) -> int:
        """Positions kept."""
        return sum(side.count for side in self._sides)

    @property
    def bytes(self) -> int:
        """Memory in use."""
        return sum(side.bytes for side in self._sides)

    def advance(self, limit: int, room: int) -> int:
        """Search on until each side has `limit` positions, `room` more together; answers as `bestfirst_search`."""
        if not self._sides and not self._begin():
            return bestfirst_search.EXHAUSTED
        for side, other in zip(self._sides, reversed(self._sides), strict=True):
            had = side.count
            answer = side.advance(min(limit, had + room), other.positions if other is not side else None)
            room -= side.count - had
            if answer != bestfirst_search.AT_LIMIT:
                return answer
        return bestfirst_search.AT_LIMIT

    def _begin(self) -> bool:
        """Look at both ends; False: there is no solution."""
        board = self._frame.board
        self._sides = [Search(self._frame, board, _GREEDY)]
        if not self._sides[0].begin(ground=self._measured(False)):
            return False
        if self._both:
            end = reversed_board(board)
            self._sides.append(Search(self._frame, end, _GREEDY, home=False))
            return self._sides[1].begin(parts_of_floor(end), self._measured(True))
        return True

    def _measured(self, backward: bool) -> Ground | None:
        """What is known of one end, None for nothing."""
        if self._ground is None:
            return None
        ground = self._ground(backward)
        return ground._replace(estimate=ground.nearest)

    def steps(self) -> Iterator[Done]:
        """The solution as pushes."""
        forward, backward = self._sides[0], self._sides[-1]
        if backward is not forward and backward.met >= 0:
            yield from forward.steps(backward.met)
            yield from turned_round(backward.steps())
        else:
            yield from forward.steps()
            if forward.met >= 0:
                yield from turned_round(backward.steps(forward.met))


def reversed_board(board: Layout) -> Layout:
    """The board played backwards: boxes begin on the targets and are pulled to where they are now."""
    is_target: Bytes = np.zeros_like(board.is_target)
    is_target[board.boxes] = 1
    warehouse = replace(board.state.warehouse, rules=sokoban.Rules(push=False, pull=True))
    state = replace(board.state, warehouse=warehouse)
    return replace(board, boxes=board.targets, targets=board.boxes, is_target=is_target, state=state)


def parts_of_floor(board: Layout) -> Iterator[int]:
    """One square of each part of the floor that the player may be in at the start."""
    seen: Ints = np.zeros(len(board.squares), dtype=np.int32)
    queue = np.zeros_like(seen)
    occupied = board.occupied
    for square in range(len(seen)):
        if not occupied[square] and not seen[square]:
            yield int(flood(board.steps, occupied, seen, 1, square, queue))


def turned_round(pulls: Iterator[Done]) -> Iterator[Done]:
    """The pushes that undo pulls, the last pull first."""
    for pull in reversed(list(pulls)):
        yield Done((pull.action + 2) % 4, pull.after, pull.before)
