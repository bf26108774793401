"""Whole games played by a network in training, a batch of them at once, without search."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.sokoban.board.layout import Bytes, Ints
from ai.sokoban.policy.batch import PLAYING, drawn, play, random_words, side_of
from ai.sokoban.policy.features import Codes, Floats

Judge = Callable[[Floats], tuple[Floats, Floats]]
"""From pictures (n, side, side, PLANES) to logits of pushes and values, as `network.Network.forward`."""


class Games(NamedTuple):
    """n games."""

    history: Codes
    """(pushes + 1, n, cells): the positions; after the end of a game its last one."""
    lengths: Ints
    """(n,): pushes."""
    status: Bytes
    """(n,): SOLVED, LOST, or PLAYING where it was not finished."""


def play_games(boards: Codes, judge: Judge, most: int, noise: Floats, seed: int, hopeless: float = -np.inf) -> Games:
    """Play until all are solved or lost, or so many pushes are made.

    Args:
        boards: (n, rows, cols), closed by walls.
        judge: The network.
        most: Pushes of a game at most.
        noise: (n,): temperatures; 0 for the most probable push always.
        seed: Of the noise.
        hopeless: A game is given up where the logit of being solvable is below.
    """
    count, rows, cols = boards.shape
    side = side_of(rows, cols)
    flat: Codes = boards.reshape(count, -1).copy()
    history: Codes = np.zeros((most + 1, *flat.shape), np.int8)
    history[0] = flat
    lengths: Ints = np.zeros(count, np.int32)
    status: Bytes = np.full(count, PLAYING, np.uint8)
    visited: npt.NDArray[np.uint64] = np.zeros((count, most + 2), np.uint64)
    words = random_words(rows * cols)
    stream = np.array([seed], np.uint64)
    playing = np.arange(count)
    for depth in range(most):
        planes, legal, _ = drawn(flat, cols, side, playing)
        logits, values = judge(planes)
        before, met, now = flat[playing], visited[playing], status[playing]
        after = before.copy()
        play(after, cols, side, logits, legal, noise[playing], stream, words, met, depth, now)
        flat[playing], visited[playing], status[playing] = after, met, now
        lengths[playing] += (after != before).any(1)
        history[depth + 1] = flat
        playing = playing[(now == PLAYING) & (values[:, 1] > hopeless)]
        if not len(playing):
            history = history[: depth + 2]
            break
    return Games(history, lengths, status)
