"""The report's learning, and the correct rule beside it, as a kernel that plays and learns in slices.

One move: with probability ε any legal slide, else the one of the highest r + V(s'). After the tile that follows,

- rule `report`: δ = max over the legal slides of V(s'_{t+1}) − V(s'_t): the reward is left out of the target (γ = 1);
- rule `correct`, TD(0) of afterstates: δ = max over the legal slides of (r_{t+1} + V(s'_{t+1})) − V(s'_t);

and 0 in place of the target when nothing moves any more. Each of a pattern's look-ups gets α·δ / look-ups: α·δ/8 with
symmetries, α·δ without. The next slide is chosen by the weights so changed. In game n (from 0) ε is 0.5·0.995ⁿ,
at least 0.001.

Symmetries are eight look-ups of one shared table in all eight positions of the square. Tiles above 8192 count as 8192;
two tiles of 32768 do not merge while learning (`ai.twenty48.board.packed`).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import U0, U1, Board, reward_of, slide
from ai.twenty48.board.spawns import random_number
from ai.twenty48.ntuple.learning import largest, next_tile
from ai.twenty48.ntuple.network import Rules
from ai.twenty48.report.network import ReportNetwork, any_action, choose_report, find
from ai.twenty48.report.shapes import INITIAL

RECENT = 1000
"""Games over which averages are taken."""
FIRST_EPSILON = 0.5
EPSILON_DECAY = 0.995
LEAST_EPSILON = 0.001

REPORT, CORRECT, PLAY = range(3)
"""Rules: the report's, the correct one, and learning nothing."""
RULES = ("report", "correct")
"""Names of the rules that learn, by number."""

POSITION, BEFORE = range(2)
"""Indices into `Episode.boards`: the position to move in (0: a new game begins), and the afterstate before (0: none)."""
SEED, SPAWNS = range(2)
"""Indices into `Episode.luck`."""
GAMES, SCORE, MOVES = range(3)
"""Indices into `Episode.head`: games finished, score of the game being played, moves in all."""
ERROR, COUNT = range(2)
"""Indices into `Episode.sums`: sum of |TD error| and how many, in the game being played."""

_SHIFT = np.uint64(11)
_UNIT = 1.0 / 2**53


class Episode(NamedTuple):
    """What is kept between slices: the game being played, and the figures of the last games."""

    boards: npt.NDArray[np.uint64]
    luck: npt.NDArray[np.uint64]
    head: npt.NDArray[np.int64]
    sums: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int64]
    """(RECENT,): game n is at n % RECENT."""
    tiles: npt.NDArray[np.int64]
    """(RECENT,): the exponents of their largest tiles."""
    errors: npt.NDArray[np.float64]
    """(RECENT,): their mean |TD error|."""


def make_episode() -> Episode:
    """An episode before its first game."""
    return Episode(
        np.zeros(2, np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(3, np.int64),
        np.zeros(2, np.float64),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.float64),
    )


@kernel
def with_tile(board: Board, luck: npt.NDArray[np.uint64]) -> Board:
    """The board with the next tile of its sequence; the board may be empty."""
    cell, exponent = next_tile(board, luck)
    return board | (np.uint64(exponent) << np.uint64(4 * cell))


@kernel
def adjust_report(
    after: Board, target: np.float32, alpha: np.float32, network: ReportNetwork, where: npt.NDArray[np.uint64]
) -> np.float32:
    """Move V of an afterstate towards `target`; `where` (patterns * looks,) is room. Returns the TD error."""
    weights, _, layout, looks = network
    find(after, layout, looks, where)
    value = np.float32(INITIAL * len(where))
    for place in where:
        value += weights[place]
    error = target - value
    change = alpha * error / np.float32(looks)
    for place in where:
        weights[place] += change
    return error


@kernel
def learn_report(
    network: ReportNetwork,
    rules: Rules,
    episode: Episode,
    rule: int,
    alpha: np.float32,
    epsilon: float,
    seed: np.uint64,
    games: int,
    moves: int,
) -> None:
    """Play and learn on until the episode has finished `games` games or `moves` more moves are played.

    Args:
        network: Its weights, float32, are changed.
        rules: Row tables.
        episode: Changed.
        rule: REPORT, CORRECT or PLAY.
        alpha: Learning rate.
        epsilon: The same ε in every game; negative for the report's schedule.
        seed: Game n has the spawns of the n-th number of its stream.
        games: Games of this episode at which to stop.
        moves: Moves in this slice.
    """
    boards, luck, head, sums, scores, tiles, errors = episode
    where = np.zeros(len(network.layout) * network.looks, np.uint64)
    until = head[MOVES] + moves
    while head[GAMES] < games and head[MOVES] < until:
        board, before = boards[POSITION], boards[BEFORE]
        if board == U0:
            luck[SEED] = random_number(seed, np.uint64(head[GAMES]))
            luck[SPAWNS] = U0
            board = with_tile(with_tile(U0, luck), luck)
            before = U0
            head[SCORE] = 0
            sums[:] = 0.0
        action, after, reward, worth, highest = choose_report(board, network, rules)
        if before != U0 and rule != PLAY:
            target = np.float32(0.0)
            if action >= 0:
                target = highest if rule == REPORT else worth
            sums[ERROR] += abs(adjust_report(before, target, alpha, network, where))
            sums[COUNT] += 1.0
            if action >= 0:
                action, after, reward, worth, highest = choose_report(board, network, rules)
        if action < 0:
            at = head[GAMES] % RECENT
            scores[at] = head[SCORE]
            tiles[at] = largest(board)
            errors[at] = sums[ERROR] / sums[COUNT] if sums[COUNT] else 0.0
            head[GAMES] += 1
            boards[POSITION] = U0
            continue
        chance = epsilon
        if epsilon < 0.0:
            chance = max(LEAST_EPSILON, FIRST_EPSILON * EPSILON_DECAY ** np.float64(head[GAMES]))
        if chance > 0.0 and np.float64(random_number(~luck[SEED], luck[SPAWNS]) >> _SHIFT) * _UNIT < chance:
            action = any_action(board, random_number(~luck[SEED] + U1, luck[SPAWNS]), rules)
            after = slide(board, action, rules.rows)
            reward = np.float32(reward_of(board, action, rules.rewards))
        head[SCORE] += np.int64(reward)
        head[MOVES] += 1
        boards[POSITION] = with_tile(after, luck)
        boards[BEFORE] = after
