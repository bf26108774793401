"""Temporal coherence learning of afterstate values, as a kernel that plays and learns in slices.

TC(0): after every slide the value of the afterstate before is moved towards reward + value of the new one, at the end
of a game towards 0. Each weight has its own rate, |sum of its errors| / sum of their sizes: errors that keep their sign
mean that there is still something to learn, errors that cancel out mean noise. (Beal, Smith: Temporal Coherence and
Prediction Decay in TD Learning, 1999; Jaśkowski: Mastering 2048 with Delayed Temporal Coherence Learning, 2016.)

Several threads may learn on the same weights, each with an `Episode` of its own; a lost update does no harm.
A board holds tiles up to 32768 (`ai.twenty48.packed`): two of these do not merge while learning.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.ntuple import SYMMETRIES, Network, Rules, Weights, best_slide, places, symmetries
from ai.twenty48.packed import U0, U1, U15, Board, spawn
from ai.twenty48.spawns import is_four, pick, random_number

RECENT = 1000
"""Games over which averages are taken."""

POSITION, BEFORE = range(2)
"""Indices into `Episode.boards`: the position to move in (0: a new game begins), and the afterstate before (0: none)."""
SEED, SPAWNS = range(2)
"""Indices into `Episode.luck`."""
GAMES, SCORE, MOVES = range(3)
"""Indices into `Episode.head`: games finished, score of the game being played, moves in all."""
ERROR, COUNT = range(2)
"""Indices into `Episode.errors`: sum of |TD error| and how many, since they were last set to 0."""

Sums = npt.NDArray[np.float32]
"""(weights, 2): sum of errors E and sum of their sizes A of each weight."""


class Episode(NamedTuple):
    """What one thread keeps between slices: the game being played, and figures."""

    boards: npt.NDArray[np.uint64]
    luck: npt.NDArray[np.uint64]
    head: npt.NDArray[np.int64]
    errors: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int64]
    """(RECENT,): of the last games; game n of the episode is at n % RECENT."""
    tiles: npt.NDArray[np.int64]
    """(RECENT,): the exponents of their largest tiles."""
    where: npt.NDArray[np.uint64]
    """(tuples * 8,): room for the weights of one value."""


def make_episode(tuples: int) -> Episode:
    """An episode before its first game."""
    return Episode(
        np.zeros(2, np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(3, np.int64),
        np.zeros(2, np.float64),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.int64),
        np.zeros(tuples * SYMMETRIES, np.uint64),
    )


@kernel
def with_tile(board: Board, luck: npt.NDArray[np.uint64]) -> Board:
    """The board with the next tile of its sequence; the board may be empty."""
    if board == U0:  # which `spawn` takes for a full one
        number = random_number(luck[SEED], luck[SPAWNS])
        cell, exponent = int(pick(number, np.int64(16))), 2 if is_four(number) else 1
    else:
        cell, exponent = spawn(board, luck[SEED], luck[SPAWNS])
    luck[SPAWNS] += U1
    return board | (np.uint64(exponent) << np.uint64(4 * cell))


@kernel
def largest(board: Board) -> np.int64:
    """The exponent of the largest tile."""
    found = U0
    while board:
        found = max(found, board & U15)
        board >>= np.uint64(4)
    return np.int64(found)


@kernel
def adjust(
    after: Board,
    target: np.float32,
    alpha: np.float32,
    weights: Weights,
    sums: Sums,
    layout: npt.NDArray[np.uint64],
    where: npt.NDArray[np.uint64],
) -> np.float32:
    """Move the value of an afterstate towards `target`; returns the TD error and leaves the places in `where`."""
    boards = symmetries(after)
    value = np.float32(0.0)
    at = 0
    for number in range(len(layout)):
        for place in places(boards, layout, number):
            where[at] = place
            value += weights[place]
            at += 1
    error = target - value
    size = abs(error)
    rate = alpha * error / np.float32(at)
    for i in range(at):
        place = where[i]
        signed, unsigned = sums[place, 0], sums[place, 1]
        coherence = abs(signed) / unsigned if unsigned > 0 else np.float32(1.0)
        weights[place] += rate * coherence
        sums[place, 0] = signed + error
        sums[place, 1] = unsigned + size
    return error


@kernel
def learn(
    network: Network,
    sums: Sums,
    rules: Rules,
    episode: Episode,
    alpha: np.float32,
    seed: np.uint64,
    first: int,
    stride: int,
    games: int,
    moves: int,
) -> None:
    """Play and learn on until the episode has finished `games` games or `moves` more moves are played.

    Args:
        network: Its weights, float32, are changed.
        sums: Changed.
        rules: Row tables.
        episode: Changed.
        alpha: Learning rate of a whole value, at full coherence.
        seed: Of the training: game n has the spawns of the n-th number of its stream.
        first: Number of the episode's first game.
        stride: From there to its next one.
        games: Games of this episode at which to stop.
        moves: Moves in this slice.
    """
    weights, steps, layout = network
    rows, rewards = rules
    boards, luck, head, errors, scores, tiles, where = episode
    until = head[MOVES] + moves
    while head[GAMES] < games and head[MOVES] < until:
        board, before = boards[POSITION], boards[BEFORE]
        if board == U0:
            luck[SEED] = random_number(seed, np.uint64(first + stride * head[GAMES]))
            luck[SPAWNS] = U0
            board = with_tile(with_tile(U0, luck), luck)
            before = U0
            head[SCORE] = 0
        action, after, reward, worth = best_slide(board, weights, steps, layout, rows, rewards)
        if before != U0:
            target = worth if action >= 0 else np.float32(0.0)
            errors[ERROR] += abs(adjust(before, target, alpha, weights, sums, layout, where))
            errors[COUNT] += 1
        if action < 0:
            scores[head[GAMES] % RECENT] = head[SCORE]
            tiles[head[GAMES] % RECENT] = largest(board)
            head[GAMES] += 1
            boards[POSITION] = U0
            continue
        head[SCORE] += np.int64(reward)
        head[MOVES] += 1
        boards[POSITION] = with_tile(after, luck)
        boards[BEFORE] = after
