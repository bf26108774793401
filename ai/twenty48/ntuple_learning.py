"""Plays 4×4 games and lets a network learn from them, as a kernel that goes on in slices.

`ntuple_rules` says what is learned; here stands where games begin and what is remembered of them. Several threads may
learn on the same weights, each with an `Episode` of its own; a lost update does no harm. A board holds tiles up to 32768
(`ai.twenty48.packed`): two of these do not merge while learning.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.ntuple import (
    STAGE_SIZE,
    SYMMETRIES,
    Network,
    Rules,
    best_slide,
    places,
    stage_base,
    symmetries,
)
from ai.twenty48.ntuple_rules import Rule, Sums, rate_of, settle, update, value_at
from ai.twenty48.packed import U0, U1, U15, Board, spawn
from ai.twenty48.spawns import is_four, pick, random_number

RECENT = 1000
"""Games over which averages are taken."""
HISTORY = 1 << 16
"""Moves of a game that are remembered; nobody plays that many on 4×4."""
REMEMBERED = 1024
"""Boards with which a stage began, the latest ones."""
_SHORT = 32
"""Moves of a game after which none is begun from its middle."""

(GAMES, SCORE, MOVES, TOTAL, FRESH, COUNTED, LENGTH, OLDEST, WAITING, TURN) = range(10)
"""Indices into `Episode.head`: games finished; score of the game being played; moves in all; sum of the tiles of the
position; whether the game began from an empty board; such games finished; moves of the game that are remembered; ring of
`ntuple_rules.settle`; the stage whose turn it is to be begun."""
SEED, SPAWNS = range(2)
"""Indices into `Episode.luck`."""
ERROR, COUNT = range(2)
"""Indices into `Episode.errors`: sum of |TD error| and how many, since they were last set to 0."""


class Episode(NamedTuple):
    """What one thread keeps between slices: the game being played, and figures."""

    position: npt.NDArray[np.uint64]
    """(1,): to move in; 0: a new game begins."""
    luck: npt.NDArray[np.uint64]
    head: npt.NDArray[np.int64]
    errors: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int64]
    """(RECENT,): of the last games begun from an empty board; the n-th is at n % RECENT."""
    tiles: npt.NDArray[np.int64]
    """(RECENT,): the exponents of their largest tiles."""
    where: npt.NDArray[np.uint64]
    """(horizon, look-ups): the weights of the afterstates that wait."""
    owed: npt.NDArray[np.float32]
    """(horizon,): the errors noted for them."""
    history: npt.NDArray[np.uint64]
    """(HISTORY,): the afterstates of the game being played."""
    earned: npt.NDArray[np.float32]
    """(HISTORY,): the reward of the slide that led to each."""
    totals: npt.NDArray[np.int64]
    """(HISTORY,): the sum of their tiles."""
    begun: npt.NDArray[np.uint64]
    """(stages - 1, REMEMBERED): the first afterstates in each later stage."""
    begun_totals: npt.NDArray[np.int64]
    """(stages - 1, REMEMBERED): the sums of their tiles."""
    known: npt.NDArray[np.int64]
    """(stages - 1,): how many first afterstates there were."""


def make_episode(tuples: int, horizon: int = 1, stages: int = 1) -> Episode:
    """An episode before its first game."""
    return Episode(
        np.zeros(1, np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(10, np.int64),
        np.zeros(2, np.float64),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.int64),
        np.zeros((horizon, tuples * SYMMETRIES), np.uint64),
        np.zeros(horizon, np.float32),
        np.zeros(HISTORY, np.uint64),
        np.zeros(HISTORY, np.float32),
        np.zeros(HISTORY, np.int64),
        np.zeros((stages - 1, REMEMBERED), np.uint64),
        np.zeros((stages - 1, REMEMBERED), np.int64),
        np.zeros(stages - 1, np.int64),
    )


@kernel
def with_tile(board: Board, luck: npt.NDArray[np.uint64], head: npt.NDArray[np.int64]) -> Board:
    """The board with the next tile of its sequence, added to the sum; the board may be empty."""
    if board == U0:  # which `spawn` takes for a full one
        number = random_number(luck[SEED], luck[SPAWNS])
        cell, exponent = int(pick(number, np.int64(16))), 2 if is_four(number) else 1
    else:
        cell, exponent = spawn(board, luck[SEED], luck[SPAWNS])
    luck[SPAWNS] += U1
    head[TOTAL] += 2 * exponent
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
def find(board: Board, base: np.uint64, layout: npt.NDArray[np.uint64], where: npt.NDArray[np.uint64]) -> None:
    """Write down where the weights of an afterstate stand."""
    boards = symmetries(board)
    at = 0
    for number in range(len(layout)):
        for place in places(boards, base, layout, number):
            where[at] = place
            at += 1


@kernel
def begin(episode: Episode, rule: Rule, seed: np.uint64, number: np.uint64) -> Board:
    """Begin game `number`; returns the afterstate it goes on from, 0 for an empty board."""
    luck, head = episode.luck, episode.head
    luck[SEED] = random_number(seed, number)
    luck[SPAWNS] = U0
    head[SCORE] = 0
    moves = head[LENGTH]
    head[LENGTH] = head[WAITING] = head[TOTAL] = 0
    after = U0
    if rule.restart and moves >= _SHORT:
        after, head[TOTAL] = episode.history[moves // 2], episode.totals[moves // 2]
    elif rule.carousel and len(episode.known):
        head[TURN] = (head[TURN] + 1) % (len(episode.known) + 1)
        stage = head[TURN] - 1
        if stage >= 0 and episode.known[stage]:
            which = pick(random_number(~luck[SEED], luck[SPAWNS]), min(episode.known[stage], np.int64(REMEMBERED)))
            after, head[TOTAL] = episode.begun[stage, which], episode.begun_totals[stage, which]
    head[FRESH] = after == U0
    return after


@kernel
def remember(episode: Episode, after: Board, reward: np.float32, stages: npt.NDArray[np.int64]) -> None:
    """Note an afterstate of the game being played; `head[TOTAL]` is the sum of its tiles."""
    head = episode.head
    length, total = head[LENGTH], head[TOTAL]
    if length:
        for stage in range(len(stages)):
            if episode.totals[length - 1] < stages[stage] <= total:
                at = episode.known[stage] % REMEMBERED
                episode.begun[stage, at], episode.begun_totals[stage, at] = after, total
                episode.known[stage] += 1
    episode.history[length], episode.earned[length], episode.totals[length] = after, reward, total
    head[LENGTH] += 1


@kernel
def learn_backward(network: Network, sums: Sums, episode: Episode, alpha: np.float32, target: np.float32) -> None:
    """Learn the remembered afterstates, the last one first; `target` is what it should be worth."""
    weights, _, layout, stages = network
    size = layout[0, STAGE_SIZE]
    where = episode.where[0]
    for move in range(episode.head[LENGTH] - 1, -1, -1):
        find(episode.history[move], stage_base(episode.totals[move], layout, stages), layout, where)
        error = target - value_at(where, weights, size)
        episode.errors[ERROR] += abs(error)
        episode.errors[COUNT] += 1
        update(where, error, alpha, False, weights, sums, size)
        target = episode.earned[move] + value_at(where, weights, size)


@kernel
def learn(
    network: Network,
    sums: Sums,
    rules: Rules,
    episode: Episode,
    rule: Rule,
    seed: np.uint64,
    first: int,
    stride: int,
    games: int,
    moves: int,
) -> None:
    """Play and learn on until the episode has finished `games` games or `moves` more moves are played.

    Args:
        network: Its weights, float32, are changed.
        sums: Changed; unused, and may be empty, where nothing is learned by TC.
        rules: Row tables.
        episode: Changed.
        rule: What is learned.
        seed: Of the training: game n has the spawns of the n-th number of its stream.
        first: Number of the episode's first game.
        stride: From there to its next one.
        games: Games of this episode at which to stop.
        moves: Moves in this slice.
    """
    weights, steps, layout, stages = network
    rows, rewards = rules
    position, luck, head, errors = episode.position, episode.luck, episode.head, episode.errors
    where, owed = episode.where, episode.owed
    horizon, size = len(owed), layout[0, STAGE_SIZE]
    until = head[MOVES] + moves
    alpha, coherent = rate_of(rule, stride * head[GAMES]), stride * head[GAMES] >= rule.coherent_from
    while head[GAMES] < games and head[MOVES] < until:
        if position[0] == U0:
            alpha, coherent = rate_of(rule, stride * head[GAMES]), stride * head[GAMES] >= rule.coherent_from
            after = begin(episode, rule, seed, np.uint64(first + stride * head[GAMES]))
            if after == U0:
                position[0] = with_tile(with_tile(after, luck, head), luck, head)
            else:
                remember(episode, after, np.float32(0.0), stages)
                if not rule.backward:
                    find(after, stage_base(head[TOTAL], layout, stages), layout, where[head[OLDEST]])
                    head[WAITING] = 1
                position[0] = with_tile(after, luck, head)
        base = stage_base(head[TOTAL], layout, stages)
        action, after, reward, worth = best_slide(position[0], base, weights, steps, layout, rows, rewards)
        if head[WAITING]:
            newest = (head[OLDEST] + head[WAITING] - 1) % horizon
            error = (worth if action >= 0 else np.float32(0.0)) - value_at(where[newest], weights, size)
            errors[ERROR] += abs(error)
            errors[COUNT] += 1
            head[OLDEST], head[WAITING] = settle(
                where,
                owed,
                head[OLDEST],
                head[WAITING],
                error,
                rule,
                alpha,
                coherent,
                weights,
                sums,
                size,
                action < 0,
            )
        if action < 0:
            if rule.backward:
                learn_backward(network, sums, episode, alpha, np.float32(0.0))
            if head[FRESH]:
                episode.scores[head[COUNTED] % RECENT] = head[SCORE]
                episode.tiles[head[COUNTED] % RECENT] = largest(position[0])
                head[COUNTED] += 1
            head[GAMES] += 1
            position[0] = U0
            continue
        head[SCORE] += np.int64(reward)
        head[MOVES] += 1
        if head[LENGTH] == HISTORY:  # only the end of such a game is remembered
            if rule.backward:
                learn_backward(network, sums, episode, alpha, worth)
            head[LENGTH] = 0
        remember(episode, after, reward, stages)
        if not rule.backward:
            find(after, base, layout, where[(head[OLDEST] + head[WAITING]) % horizon])
            head[WAITING] += 1
        position[0] = with_tile(after, luck, head)
