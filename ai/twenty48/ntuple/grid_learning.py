"""Plays games on boards as arrays and lets a network learn from them: `ai.twenty48.ntuple.learning` for 3×3 to 5×5.

The rules of learning, the episode and the order of everything are the same; only boards are arrays.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.grid import Cells, spawn
from ai.twenty48.ntuple import episode as counter
from ai.twenty48.ntuple.episode import HISTORY, Episode, begin, finish, hear, remember
from ai.twenty48.ntuple.grid_network import STAGE_SIZE, GridNetwork, Seen, best_slide, find
from ai.twenty48.ntuple.network import stage_base
from ai.twenty48.ntuple.rules import Rule, Sums, rate_of, update, value_at


@kernel
def add_tile(cells: Cells, size: int, luck: npt.NDArray[np.uint64], head: npt.NDArray[np.int64]) -> None:
    """Put the next tile of its sequence on a board that is not full, and add it to the sum."""
    cell, exponent = spawn(cells, size, luck[counter.SEED], luck[counter.SPAWNS])
    cells[cell] = exponent
    luck[counter.SPAWNS] += np.uint64(1)
    head[counter.TOTAL] += 2 * exponent


@kernel
def learn_grid_backward(
    network: GridNetwork, sums: Sums, episode: Episode, alpha: np.float32, target: np.float32, seen: Seen
) -> None:
    """Learn the remembered afterstates, the last one first; `target` is what it should be worth."""
    weights, _, spots, tables, stages, _, contents = network
    size = tables[0, STAGE_SIZE]
    where = episode.where[0]
    for move in range(episode.head[counter.LENGTH] - 1, -1, -1):
        base = stage_base(episode.totals[move], tables, stages)
        find(episode.history[move], base, spots, tables, contents, where, seen)
        error = target - value_at(where, weights, size)
        episode.errors[counter.ERROR] += abs(error)
        episode.errors[counter.COUNT] += 1
        update(where, error, alpha, False, weights, sums, size)
        target = episode.earned[move] + value_at(where, weights, size)


@kernel
def learn_grid(
    network: GridNetwork,
    sums: Sums,
    episode: Episode,
    rule: Rule,
    seed: np.uint64,
    first: int,
    stride: int,
    games: int,
    moves: int,
) -> None:
    """Play and learn on; arguments as for `ai.twenty48.ntuple.learning.learn`."""
    weights, steps, spots, tables, stages, side, contents = network
    luck, head, errors, where, owed = episode.luck, episode.head, episode.errors, episode.where, episode.owed
    cells = episode.position[0]
    after, trial = np.zeros(len(cells), np.uint8), np.zeros(len(cells), np.uint8)
    seen, spare = np.zeros(len(cells), np.uint64), np.zeros(where.shape[1], np.uint64)
    horizon, size = len(owed), tables[0, STAGE_SIZE]
    until = head[counter.MOVES] + moves
    number = stride * head[counter.GAMES]
    alpha, coherent = rate_of(rule, number), number >= rule.coherent_from
    while head[counter.GAMES] < games and head[counter.MOVES] < until:
        if head[counter.TOTAL] == 0:
            number = stride * head[counter.GAMES]
            alpha, coherent = rate_of(rule, number), number >= rule.coherent_from
            begin(episode, rule, seed, np.uint64(first + number))
            if head[counter.FRESH]:
                add_tile(cells, side, luck, head)
            else:
                remember(episode, cells, np.float32(0.0), stages)
                if not rule.backward:
                    base = stage_base(head[counter.TOTAL], tables, stages)
                    find(cells, base, spots, tables, contents, where[head[counter.OLDEST]], seen)
                    head[counter.WAITING] = 1
            add_tile(cells, side, luck, head)
        base = stage_base(head[counter.TOTAL], tables, stages)
        action, reward, worth = best_slide(
            cells, base, weights, steps, spots, tables, side, contents, after, trial, seen, spare
        )
        if head[counter.WAITING]:
            told = worth if action >= 0 else np.float32(0.0)
            hear(head, errors, where, owed, told, rule, alpha, coherent, weights, sums, size, action < 0)
        if action < 0:
            if rule.backward:
                learn_grid_backward(network, sums, episode, alpha, np.float32(0.0), seen)
            finish(episode, np.int64(cells.max()), rule.late)
            continue
        head[counter.SCORE] += reward
        head[counter.MOVES] += 1
        if head[counter.LENGTH] == HISTORY:  # only the end of such a game is remembered
            if rule.backward:
                learn_grid_backward(network, sums, episode, alpha, worth, seen)
            head[counter.LENGTH] = 0
        remember(episode, after, np.float32(reward), stages)
        if not rule.backward and not (rule.late and base == 0):
            find(
                after,
                base,
                spots,
                tables,
                contents,
                where[(head[counter.OLDEST] + head[counter.WAITING]) % horizon],
                seen,
            )
            head[counter.WAITING] += 1
        cells[:] = after
        add_tile(cells, side, luck, head)
