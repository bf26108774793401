"""Calls every Sokoban kernel once, on a tiny level, with the types used in play."""

import numpy as np

from ai.agent import Thinking
from ai.sokoban import bestfirst, fess, fess_search
from ai.sokoban.layout import layout
from ai.sokoban.moves import move, solved
from ai.sokoban.rooms import make_rooms
from game.rules import sokoban

_LEVEL = (
    (1, 1, 1, 1, 1, 1, 1),
    (1, 4, 0, 0, 0, 0, 1),
    (1, 0, 2, 0, 2, 0, 1),
    (1, 3, 0, 0, 0, 3, 1),
    (1, 1, 1, 1, 1, 1, 1),
)


def warm() -> None:
    """Compile or load everything that solvers, room makers, environments and their tests call."""
    state = sokoban.from_array(np.array(_LEVEL))
    bestfirst.astar(60.0, 1000).plan(state, Thinking())
    fess.Fess(60.0, 1000).plan(state, Thinking())
    fess_search.rehash(np.full(4, -1, dtype=np.int32), np.zeros(1, dtype=np.uint64), 1)
    board = layout(state)
    occupied = board.occupied
    move(board.steps, occupied, board.player, 1)
    solved(occupied, board.is_target)
    make_rooms(seed=0, rows=5, cols=5, boxes=1, count=2)
