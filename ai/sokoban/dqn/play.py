"""Games that a DQN plays to learn from them: actions chosen, rewards, and what goes into the memory."""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below, random_word, unit
from ai.sokoban.board.layout import Longs
from ai.sokoban.dqn.dense import Floats
from ai.sokoban.dqn.replay import Pending, Replay, remember
from ai.sokoban.dqn.starts import Pool, begin_somewhere, heed, longest
from ai.sokoban.dqn.world import DEAD, GOES_ON, SOLVED, Doubles, Games, World, act, begin_on, try_action

RECENT = 100
"""Games over which shares are taken."""
CURIOUS = 0.2
"""Random actions at most in games that begin near their end: chance alone solves these."""


class Pay(NamedTuple):
    """Rewards, all of them for the action just done.

    To these comes discount * potential(after) - potential(before), the potential being a guess of what the position is
    worth: `solved`, less `shaping` for each push left by the matching, less `walking` for each step to the nearest such push;
    0 where the game has ended. It changes no comparison of ways to play (Ng, Harada and Russell 1999).
    """

    step: float
    """Cost of every step."""
    solved: float
    dead: float
    """Cost of a proved deadlock, which ends the game; more than step / (1 - discount), the cost of never ending."""
    shaping: float
    walking: float
    discount: float


class Recent(NamedTuple):
    """The last games that ended of those that began at the start of a board, written round and round."""

    rewards: Doubles
    """(RECENT,): undiscounted, without potentials."""
    lengths: Longs
    """(RECENT,)."""
    solved: Longs
    """(RECENT,)."""
    state: Longs
    """(3,): games so far; steps so far; games so far that began at the start of a board."""
    sums: Doubles
    """(E,): rewards of the games that are played."""


def recent_of(games: int) -> Recent:
    """None so far."""
    return Recent(
        np.zeros(RECENT),
        np.zeros(RECENT, np.int64),
        np.zeros(RECENT, np.int64),
        np.zeros(3, np.int64),
        np.zeros(games),
    )


@kernel
def begin_all(world: World, games: Games, pool: Pool, share: float, stream: Stream) -> None:
    """Begin every game at a start."""
    for game in range(len(games.player)):
        begin_somewhere(world, games, pool, game, share, stream)


@kernel
def potential(pay: Pay, games: Games, game: int) -> float:
    """Of a game that goes on."""
    return float(pay.solved - pay.shaping * games.left[game] - pay.walking * games.near[game])


@kernel
def reward_of(pay: Pay, end: int, before: float, after: float) -> tuple[float, float]:
    """(reward, with the potentials' difference) of a step; `before` and `after` are potentials, the latter if it goes on."""
    plain = -pay.step
    if end == SOLVED:
        plain += pay.solved
    elif end == DEAD:
        plain -= pay.dead
    return plain, plain + (pay.discount * after if end == GOES_ON else 0.0) - before


@kernel
def best_action(world: World, games: Games, game: int, q: Floats) -> int:
    """The legal action of the highest value, the first of equals; -1 where none is legal."""
    board, best = games.board[game], -1
    for action in range(len(q)):
        if best < 0 or q[action] > q[best]:
            square, _, _ = try_action(world, board, games.occupied[game], games.player[game], action)
            if square >= 0:
                best = action
    return best


@kernel
def play(
    world: World,
    games: Games,
    pending: Pending,
    replay: Replay,
    recent: Recent,
    pool: Pool,
    pay: Pay,
    q: Floats,
    epsilon: float,
    exploring: bool,
    share: float,
    limit: int,
    ahead: int,
    stream: Stream,
) -> None:
    """One step of every game, chosen by `q` (E, actions) or with probability `epsilon` at random among the legal ones.

    With `exploring` the first action of a game that begins before a solution is random (exploring starts: Sutton and Barto
    2018, 5.3): what the best play never comes by is learned as well. Returns of up to `ahead` steps go into the memory;
    they end before an action that was not the best (Watkins 1989), so that they estimate the best play. A game ends when
    it is solved, proved dead, or after `limit` steps; in the last case its returns are completed by an estimate.
    """
    for game in range(len(q)):
        board, boxes = games.board[game], games.boxes[game]
        best = best_action(world, games, game, q[game])
        action = best
        often = epsilon if games.depth[game] == 0 else min(epsilon, CURIOUS)
        if exploring and games.depth[game] > 0 and games.clock[game] == 0:
            often = 1.0
        if best >= 0 and unit(random_word(stream)) < often:
            while True:
                action = below(stream, q.shape[1])
                square, _, _ = try_action(world, board, games.occupied[game], games.player[game], action)
                if square >= 0:
                    break
        if best < 0:
            pending.waiting[game] = 0
            recent.sums[game] = 0.0
            begin_somewhere(world, games, pool, game, share, stream)
            continue
        if action != best:
            remember(replay, pending, game, board, games.player[game], boxes, pay.discount, False, 0)
        row = pending.waiting[game]
        pending.positions[game, row, 0] = games.player[game]
        for box in range(len(boxes)):
            pending.positions[game, row, 1 + box] = boxes[box]
        before = potential(pay, games, game)
        end = act(world, games, game, action)
        plain, shaped = reward_of(pay, end, before, potential(pay, games, game))
        pending.actions[game, row] = action
        pending.rewards[game, row] = shaped
        pending.waiting[game] = row + 1
        recent.sums[game] += plain
        recent.state[1] += 1
        over = end != GOES_ON or games.clock[game] >= longest(games, game, limit)
        if over or row + 1 == ahead:
            least = 0 if over else ahead - 1
            remember(replay, pending, game, board, games.player[game], boxes, pay.discount, end != GOES_ON, least)
        if over:
            if games.depth[game] == 0:
                place = recent.state[2] % RECENT
                recent.rewards[place] = recent.sums[game]
                recent.lengths[place] = games.clock[game]
                recent.solved[place] = end == SOLVED
                recent.state[2] += 1
            recent.state[0] += 1
            heed(games, pool, game, end == SOLVED)
            recent.sums[game] = 0.0
            begin_somewhere(world, games, pool, game, share, stream)


@kernel
def begin_each(world: World, games: Games) -> None:
    """Begin one game on each board."""
    for game in range(len(games.player)):
        begin_on(world, games, game, game)


@kernel
def follow(world: World, games: Games, q: Floats, ends: Longs, lengths: Longs) -> int:
    """One greedy step of every game that goes on, marked by `ends` (E,), and its length noted; returns how many go on."""
    left = 0
    for game in range(len(q)):
        if ends[game] == GOES_ON:
            action = best_action(world, games, game, q[game])
            ends[game] = act(world, games, game, action) if action >= 0 else DEAD
            lengths[game] = games.clock[game]
            left += ends[game] == GOES_ON
    return left
