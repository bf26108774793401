"""Plays recorded moves again by the rules: what a run of many games counts, and the check that no move was wrong."""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board import grid
from ai.twenty48.search.engine import Played, luck_of
from game.rules.twenty48 import State


def retrace(state: State, played: Played) -> State:
    """The position after `played`, as the plain rules have it: a microsecond for each move.

    Raises:
        ValueError: when a move slides nothing, or its tile is not the next one of the state's seed.
    """
    if not played:
        return state
    cells = np.array(state.cells, np.uint8)
    luck = luck_of(state)
    record = np.array(played, np.int64).reshape(-1, 3)
    reward, wrong = _follow(cells, state.size, luck, record)
    if wrong >= 0:
        raise ValueError(f"move {int(wrong) + 1} of the agent was {played[int(wrong)]}, which the rules do not allow")
    done = len(played)
    return State(
        state.size, tuple(int(cell) for cell in cells), state.score + int(reward), state.seed, state.spawns + done
    )


@kernel
def _follow(
    cells: npt.NDArray[np.uint8], size: int, luck: npt.NDArray[np.uint64], record: npt.NDArray[np.int64]
) -> tuple[np.int64, int]:
    """Change `cells` by the moves of `record`; returns (points, the move that was wrong or -1)."""
    after = np.zeros(size * size, np.uint8)
    total = np.int64(0)
    for number in range(len(record)):
        action = record[number, 0]
        if action < 0 or action > 3:
            return total, number
        reward = grid.slide(cells, size, action, after)
        if reward < 0:
            return total, number
        cell, exponent = grid.spawn(after, size, luck[0], luck[1] + np.uint64(number))
        if cell != record[number, 1] or exponent != record[number, 2]:
            return total, number
        after[cell] = exponent
        cells[:] = after
        total += reward
    return total, -1
