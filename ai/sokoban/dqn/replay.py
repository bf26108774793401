"""What a DQN remembers: n-step returns on their way into the replay memory, and the batches drawn from it.

A transition is a position, an action, the discounted rewards after it, the position from which the rest is estimated,
and the discount of that estimate (0 where the game ended). Prioritised replay (Schaul et al. 2016) keeps a priority for
each in a sum tree.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below, random_word, unit
from ai.sokoban.board.layout import Bytes, Ints, Longs
from ai.sokoban.dqn.dense import Floats, see
from ai.sokoban.dqn.world import Doubles, Squares, World, try_action


class Replay(NamedTuple):
    """Room for R transitions of games with n boxes, written round and round."""

    positions: Squares
    """(R, 2 n + 3): board, player, boxes, then player and boxes from which the rest is estimated."""
    actions: Bytes
    """(R,)."""
    returns: Floats
    """(R,)."""
    discounts: Floats
    """(R,)."""
    tree: Doubles
    """(2 P,) with P >= R a power of two: sums of priorities, those of the transitions from P on; (0,) without priorities."""
    state: Longs
    """(2,): where the next one goes, how many there are."""
    largest: Doubles
    """(1,): the highest priority so far."""
    shown: Longs
    """(1,): so many at the beginning are of games that it was shown, and stay."""


class Pending(NamedTuple):
    """The last steps of E games, whose returns are not complete: N steps at most."""

    positions: Squares
    """(E, N, n + 1): player and boxes."""
    actions: Longs
    """(E, N)."""
    rewards: Doubles
    """(E, N)."""
    waiting: Longs
    """(E,): how many."""


def replay_of(room: int, boxes: int, prioritised: bool) -> Replay:
    """An empty memory."""
    leaves = 1 << (room - 1).bit_length()
    return Replay(
        np.zeros((room, 2 * boxes + 3), np.int16),
        np.zeros(room, np.uint8),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(2 * leaves if prioritised else 0),
        np.zeros(2, np.int64),
        np.ones(1),
        np.zeros(1, np.int64),
    )


def pending_of(games: int, steps: int, boxes: int) -> Pending:
    """Nothing on its way."""
    return Pending(
        np.zeros((games, steps, boxes + 1), np.int16),
        np.zeros((games, steps), np.int64),
        np.zeros((games, steps)),
        np.zeros(games, np.int64),
    )


@kernel
def set_priority(tree: Doubles, place: int, priority: float) -> None:
    """Change one priority and the sums above it."""
    node = len(tree) // 2 + place
    change = priority - tree[node]
    while node >= 1:
        tree[node] += change
        node //= 2


@kernel
def remember(
    replay: Replay,
    pending: Pending,
    game: int,
    board: int,
    player: int,
    boxes: Longs,
    discount: float,
    ended: bool,
    least: int,
) -> None:
    """Complete what waits in `game`, all but the newest `least`, with an estimate of this position, or none if it ended."""
    count = pending.waiting[game]
    size = len(boxes)
    for first in range(count - least):
        found, factor = 0.0, 1.0
        for step in range(first, count):
            found += factor * pending.rewards[game, step]
            factor *= discount
        place = replay.state[0]
        replay.positions[place, 0] = board
        for index in range(size + 1):
            replay.positions[place, 1 + index] = pending.positions[game, first, index]
        replay.positions[place, size + 2] = player
        for index in range(size):
            replay.positions[place, size + 3 + index] = boxes[index]
        replay.actions[place] = pending.actions[game, first]
        replay.returns[place] = found
        replay.discounts[place] = 0.0 if ended else factor
        if len(replay.tree):
            set_priority(replay.tree, place, replay.largest[0])
        replay.state[0] = place + 1 if place + 1 < len(replay.actions) else replay.shown[0]
        replay.state[1] = min(replay.state[1] + 1, len(replay.actions))
    kept = min(count, least)
    for index in range(kept):
        old = count - kept + index
        pending.positions[game, index] = pending.positions[game, old]
        pending.actions[game, index] = pending.actions[game, old]
        pending.rewards[game, index] = pending.rewards[game, old]
    pending.waiting[game] = kept


@kernel
def draw(replay: Replay, stream: Stream, correction: float, places: Longs, weights: Floats) -> None:
    """Draw transitions: evenly, or by priority with weights (count * share) ** -correction, the largest being 1.

    The first quarter is drawn evenly from games that were shown, if any were.
    """
    count, batch = replay.state[1], len(places)
    weights[:] = 1.0
    first = batch // 4 if replay.shown[0] else 0
    for index in range(batch if not len(replay.tree) else first):
        places[index] = below(stream, replay.shown[0] if index < first else count)
    if not len(replay.tree):
        return
    tree = replay.tree
    leaves = len(tree) // 2
    for index in range(first, batch):
        wanted = (index - first + unit(random_word(stream))) / (batch - first) * tree[1]
        node = 1
        while node < leaves:
            node *= 2
            if wanted >= tree[node] and tree[node + 1] > 0.0:
                wanted -= tree[node]
                node += 1
        places[index] = min(node - leaves, count - 1)
        weights[index] = (count * max(tree[node], 1e-12) / tree[1]) ** -correction
    weights[first:] /= weights[first:].max()


@kernel
def reprioritise(replay: Replay, places: Longs, errors: Floats, power: float) -> None:
    """Priorities (|error| + 0.01) ** power of transitions that were learned."""
    for index in range(len(places)):
        priority = (abs(float(errors[index])) + 0.01) ** power
        replay.largest[0] = max(replay.largest[0], priority)
        set_priority(replay.tree, places[index], priority)


@kernel
def dense_batch(
    world: World,
    replay: Replay,
    places: Longs,
    static: bool,
    nothing: int,
    active: Ints,
    occupied: Bytes,
    seen: Longs,
    illegal: Floats,
    actions: Longs,
    returns: Floats,
    discounts: Floats,
) -> None:
    """Lay out transitions for the dense network.

    Args:
        world: boards.
        replay: where they are.
        places: (b,): which.
        static: whether walls and targets are seen.
        nothing: the input that is never 1.
        active: scratch.
        occupied: scratch, (S,).
        seen: (2 b, most): filled with the inputs that are 1, of the positions, then of those from which the rest is
            estimated; `nothing` after the last.
        illegal: (b, actions): 1 where an action cannot be done in the latter.
        actions: (b,).
        returns: (b,).
        discounts: (b,).
    """
    batch, size = len(places), (replay.positions.shape[1] - 3) // 2
    seen[:] = nothing
    boxes = np.zeros(size, np.int64)
    for index in range(batch):
        row = replay.positions[places[index]]
        board = int(row[0])
        for half in range(2):
            begin = 1 + half * (size + 1)
            for box in range(size):
                boxes[box] = row[begin + 1 + box]
            player = int(row[begin])
            count = see(world.size, world.walls[board], world.targets[board], player, boxes, static, active)
            for each in range(count):
                seen[half * batch + index, each] = active[each]
        legal(world, board, player, boxes, occupied, illegal[index])
        actions[index] = replay.actions[places[index]]
        returns[index] = replay.returns[places[index]]
        discounts[index] = replay.discounts[places[index]]


@kernel
def legal(world: World, board: int, player: int, boxes: Longs, occupied: Bytes, illegal: Floats) -> None:
    """Fill `illegal` (actions,) with 1 where an action cannot be done; `occupied` (S,) is scratch, all 0, and left so."""
    for box in range(len(boxes)):
        occupied[boxes[box]] = 1
    for action in range(len(illegal)):
        square, _, _ = try_action(world, board, occupied, player, action)
        illegal[action] = 1.0 if square < 0 else 0.0
    for box in range(len(boxes)):
        occupied[boxes[box]] = 0
