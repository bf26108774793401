"""Plays 4×4 games and lets a network learn from them, as a kernel that goes on in slices.

`rules` says what is learned, `episode` where games begin and what is remembered of them. Several threads
may learn on the same weights, each with an `Episode` of its own; a lost update does no harm. A board holds tiles up to
32768 (`ai.twenty48.board.packed`): two of these do not merge while learning. Boards beyond `Rule.known` are looked at as smaller
ones, and what is learned of them are the points of these.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import U0, U1, U15, Board, reward_of, slide, spawn
from ai.twenty48.board.spawns import is_four, pick, random_number
from ai.twenty48.ntuple import episode as counter
from ai.twenty48.ntuple.downgrade import fits, seen_as
from ai.twenty48.ntuple.episode import HISTORY, Episode, begin, finish, hear, remember
from ai.twenty48.ntuple.network import (
    STAGE_SIZE,
    Network,
    Rules,
    best_slide,
    places,
    stage_base,
    symmetries,
    tile_sum,
)
from ai.twenty48.ntuple.rules import Rule, Sums, rate_of, update, value_at
from ai.twenty48.ntuple.shapes import LARGEST


@kernel
def next_tile(board: Board, luck: npt.NDArray[np.uint64]) -> tuple[int, int]:
    """(cell, exponent) of the next tile of a sequence, seed and spawns; the board may be empty."""
    if board == U0:  # which `spawn` takes for a full one
        number = random_number(luck[counter.SEED], luck[counter.SPAWNS])
        cell, exponent = int(pick(number, np.int64(16))), 2 if is_four(number) else 1
    else:
        cell, exponent = spawn(board, luck[counter.SEED], luck[counter.SPAWNS])
    luck[counter.SPAWNS] += U1
    return cell, exponent


@kernel
def with_tile(board: Board, luck: npt.NDArray[np.uint64], head: npt.NDArray[np.int64]) -> Board:
    """The board with the next tile of its sequence, added to the sum."""
    cell, exponent = next_tile(board, luck)
    head[counter.TOTAL] += 2 * exponent
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
def learn_backward(network: Network, sums: Sums, episode: Episode, alpha: np.float32, target: np.float32) -> None:
    """Learn the remembered afterstates, the last one first; `target` is what it should be worth."""
    weights, _, layout, stages = network
    size = layout[0, STAGE_SIZE]
    where = episode.where[0]
    for move in range(episode.head[counter.LENGTH] - 1, -1, -1):
        find(episode.history[move], stage_base(episode.totals[move], layout, stages), layout, where)
        error = target - value_at(where, weights, size)
        episode.errors[counter.ERROR] += abs(error)
        episode.errors[counter.COUNT] += 1
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
    horizon, size = len(where), layout[0, STAGE_SIZE]
    until = head[counter.MOVES] + moves
    number = stride * head[counter.GAMES]
    alpha, coherent = rate_of(rule, number), number >= rule.coherent_from
    while head[counter.GAMES] < games and head[counter.MOVES] < until:
        if position[0] == U0:
            number = stride * head[counter.GAMES]
            alpha, coherent = rate_of(rule, number), number >= rule.coherent_from
            begin(episode, rule, seed, np.uint64(first + number))
            if head[counter.FRESH]:
                position[0] = with_tile(position[0], luck, head)
            else:
                remember(episode, position[0], np.float32(0.0), stages)
                if not rule.backward:
                    base = stage_base(head[counter.TOTAL], layout, stages)
                    find(position[0], base, layout, where[head[counter.OLDEST]])
                    head[counter.WAITING] = 1
            position[0] = with_tile(position[0], luck, head)
        board, seen, base = position[0], position[0], stage_base(head[counter.TOTAL], layout, stages)
        if rule.known < LARGEST and not fits(board, rule.known):
            seen = seen_as(board, rule.known, stages)
            if seen != board:
                base = stage_base(tile_sum(seen), layout, stages)
        action, seen_after, reward, worth = best_slide(seen, base, weights, steps, layout, rows, rewards)
        left = rule.late and not head[counter.FRESH] and (base == U0 or seen != board)
        if head[counter.WAITING]:
            told = worth if action >= 0 else np.float32(0.0)
            hear(head, errors, where, owed, told, rule, alpha, coherent, weights, sums, size, action < 0 or left)
        if action < 0 or left:
            if rule.backward:
                learn_backward(network, sums, episode, alpha, np.float32(0.0))
            finish(episode, largest(board), rule.late)
            continue
        after = seen_after
        if seen != board:
            after = slide(board, action, rows)
        head[counter.SCORE] += np.int64(reward_of(board, action, rewards))
        head[counter.MOVES] += 1
        if head[counter.LENGTH] == HISTORY:  # only the end of such a game is remembered
            if rule.backward:
                learn_backward(network, sums, episode, alpha, worth)
            head[counter.LENGTH] = 0
        remember(episode, after, reward, stages)
        if not rule.backward and not (rule.late and base == U0):
            find(seen_after, base, layout, where[(head[counter.OLDEST] + head[counter.WAITING]) % horizon])
            head[counter.WAITING] += 1
        position[0] = with_tile(after, luck, head)
