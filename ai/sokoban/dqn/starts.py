"""Starts of a DQN's games: the board's own, and positions before its solution, farther and farther from it.

A reverse curriculum (Florensa et al. 2017). From all boxes on their targets pushes (and pulls, where the rules have them)
are undone, breadth first: layer d of the pool has positions that are solved in d of them, each once. A layer keeps `WIDTH`
positions at most: one half those nearest to the start by a matching like that of pushes left, the other by chance; a
board's layers end with its start. Games begin so far before the end that half of them are won.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below, mixed, random_word, unit
from ai.sokoban.board.layout import Bytes, Ints, Longs, Words
from ai.sokoban.dqn.world import Doubles, Games, Squares, World, begin, games_of, matching_of, settle, spread

WIDTH = 4096
"""Positions of a layer."""
ROOM = 400_000
"""Positions of all layers."""
LAYERS = 400
FIRST_REACH = 2.0
STEP = 0.25
"""So much farther after a game that was won, less far after one that was not."""
BEYOND = 1.5
"""The farthest start, in layers: draws from beyond the last layer are games from the start of a board."""
EMPTY, TAKEN = np.uint64(0), np.uint64(1)


class Pool(NamedTuple):
    """Positions before solutions, of B boards with n boxes."""

    positions: Squares
    """(ROOM, n + 2): board, player, boxes."""
    ends: Longs
    """(LAYERS + 1,): layer d is positions[ends[d]:ends[d + 1]]; layer 0 has the solved ones."""
    state: Longs
    """(2,): how many layers, with layer 0; 1 when there will be no more."""
    home: Longs
    """(B,): the layer with the start of the board; 0 while it is not there."""
    reach: Doubles
    """(1,): the farthest layer from which games begin now."""
    met: Words
    """(4,194,304,): hashes of all positions that were met, near their places."""


def pool_of(world: World) -> Pool:
    """The solved positions of the boards."""
    boards, boxes = world.boxes.shape
    pool = Pool(
        np.zeros((ROOM, boxes + 2), np.int16),
        np.zeros(LAYERS + 1, np.int64),
        np.array([1, 0], np.int64),
        np.zeros(boards, np.int64),
        np.full(1, FIRST_REACH),
        np.zeros(1 << 22, np.uint64),
    )
    pool.ends[1] = finish(world, games_of(world, 1), pool)
    return pool


def grow(world: World, pool: Pool, layers: int) -> None:
    """Add layers until there are so many, or no more to be had. They depend on the boards alone."""
    games = games_of(world, 1)
    boards, boxes = world.boxes.shape
    found: Squares = np.zeros((WIDTH * 32, boxes + 2), np.int16)
    away, luck = np.zeros(len(found), np.int32), np.zeros(len(found), np.uint64)
    while pool.state[0] < layers and not pool.state[1]:
        depth = int(pool.state[0])
        count = undo(world, games, pool, found, away, luck)
        first, room = int(pool.ends[depth]), min(WIDTH, ROOM - int(pool.ends[depth]))
        if not count or not room or depth == LAYERS:
            pool.state[1] = 1
            break
        board = found[:count, 0]
        ended = (pool.home[board] == depth) & (away[:count] >= 0)
        order = np.lexsort((luck[:count], away[:count], board))
        order = order[~ended[order]]
        each = board[order]
        rank = np.arange(len(order)) - np.searchsorted(each, each)
        near = rank < max(1, room // 2 // boards)
        rest = order[~near]
        rest = rest[np.argsort(luck[rest])]
        order = np.concatenate((order[near][np.argsort(rank[near], kind="stable")], rest))[:room]
        pool.positions[first : first + len(order)] = found[order]
        pool.ends[depth + 1] = first + len(order)
        pool.state[0] = depth + 1
        pool.state[1] = pool.home.all()


@kernel
def begin_somewhere(world: World, games: Games, pool: Pool, game: int, share: float, stream: Stream) -> None:
    """A new game: with probability `share` before a solution, otherwise at the start. The farther of two layers is taken."""
    begin(world, games, game, stream)
    games.depth[game] = 0
    if share > 0.0 and unit(random_word(stream)) < share:
        reach = int(pool.reach[0])
        depth = 1 + max(below(stream, reach), below(stream, reach))
        if depth < pool.state[0]:
            first = pool.ends[depth]
            count = pool.ends[depth + 1] - first
            row = pool.positions[first + min(below(stream, count), below(stream, count))]
            put(games, game, row)
            here, queue = games.scratch[6], games.scratch[7]
            zone = spread(world.steps[row[0]], games.occupied[game], games.player[game], here, queue)
            games.player[game] = queue[below(stream, zone)]
            games.depth[game] = depth
            settle(world, games, game)


@kernel
def put(games: Games, game: int, row: Squares) -> None:
    """Put a position of the pool on the board; `settle` has to follow."""
    games.board[game], games.player[game] = row[0], row[1]
    games.clock[game] = 0
    games.occupied[game, :] = 0
    for box in range(len(row) - 2):
        games.boxes[game, box] = row[2 + box]
        games.occupied[game, row[2 + box]] = 1


@kernel
def heed(games: Games, pool: Pool, game: int, won: bool) -> None:
    """Move the farthest start by how a game ended that began in the farther half."""
    depth = games.depth[game]
    if depth > 0 and 2 * depth > pool.reach[0]:
        farthest = BEYOND * (pool.state[0] - 1) if pool.state[1] else float(pool.state[0])
        pool.reach[0] = max(min(pool.reach[0] + (STEP if won else -STEP), farthest), FIRST_REACH)


@kernel
def longest(games: Games, game: int, limit: int) -> int:
    """Steps after which a game is given up: `limit`, or fewer where it began near the end."""
    depth = games.depth[game]
    return limit if depth == 0 else min(limit, 20 + 6 * depth)


@kernel
def finish(world: World, games: Games, pool: Pool) -> int:
    """Write the solved positions, one for each part of the floor in which the player may be; returns how many."""
    count = 0
    here, queue, boxes = games.scratch[6], games.scratch[7], games.boxes[0]
    for board in range(len(world.players)):
        box = 0
        for square in range(len(world.targets[board])):
            games.occupied[0, square] = world.targets[board, square]
            if world.targets[board, square]:
                boxes[box] = square
                box += 1
        for square in range(len(world.targets[board])):
            if world.floor[board, square] and not games.occupied[0, square]:
                zone = spread(world.steps[board], games.occupied[0], square, here, queue)
                if count < len(pool.positions) and meet(pool.met, name_of(board, boxes, queue, zone)):
                    write(pool.positions[count], board, square, boxes)
                    count += 1
    return count


@kernel
def undo(world: World, games: Games, pool: Pool, found: Squares, away: Ints, luck: Words) -> int:
    """Write the positions before those of the last layer that were never met; returns how many.

    `away` says how far they are from the start by the matching, -1 for the start; `luck` is their hash.
    """
    depth = pool.state[0]
    here, queue, other, line = games.scratch[6], games.scratch[7], games.scratch[8], games.scratch[4]
    boxes, occupied, count = games.boxes[0], games.occupied[0], 0
    for index in range(pool.ends[depth - 1], pool.ends[depth]):
        row = pool.positions[index]
        board, player = int(row[0]), int(row[1])
        if pool.home[board] and pool.home[board] < depth:
            continue
        put(games, 0, row)
        steps = world.steps[board]
        spread(steps, occupied, player, here, queue)
        for box in range(len(boxes)):
            old = boxes[box]
            for way in range(4):
                for pulled in range(1 + world.size[2]):
                    start, goal, stood = undone(steps, old, way, pulled)
                    beside = old if goal < 0 else (steps[old, way] if pulled else start)
                    if goal < 0 or here[beside] < 0 or occupied[start] or (not pulled and occupied[stood]):
                        continue
                    boxes[box], games.player[0] = start, stood
                    occupied[old], occupied[start] = 0, 1
                    zone = spread(steps, occupied, stood, other, line)
                    name = name_of(board, boxes, line, zone)
                    if count < len(found) and meet(pool.met, name):
                        write(found[count], board, stood, boxes)
                        luck[count] = name
                        away[count] = matching_of(world.back, world, games, 0)
                        if other[world.players[board]] >= 0 and at_start(world, board, occupied):
                            away[count] = -1
                            found[count, 1] = world.players[board]
                            pool.home[board] = depth
                        count += 1
                    occupied[old], occupied[start] = 1, 0
                    boxes[box] = old
    return count


@kernel
def at_start(world: World, board: int, occupied: Bytes) -> bool:
    """Whether the boxes stand as they do at the start."""
    standing = 0
    for box in world.boxes[board]:
        standing += occupied[box]
    return bool(standing == world.boxes.shape[1])


@kernel
def write(row: Squares, board: int, player: int, boxes: Longs) -> None:
    """Write a position into a row of the pool."""
    row[0], row[1] = board, player
    for box in range(len(boxes)):
        row[2 + box] = boxes[box]


@kernel
def name_of(board: int, boxes: Longs, queue: Ints, zone: int) -> np.uint64:
    """The hash of a position, given the `zone` squares that the player reaches in `queue`; never `EMPTY`."""
    lowest = queue[0]
    for index in range(zone):
        lowest = min(lowest, queue[index])
    name = mixed(np.uint64(board * 65536 + lowest))
    for box in boxes:
        name += mixed(np.uint64(1 << 40) + np.uint64(box))
    return name | TAKEN


@kernel
def meet(met: Words, name: np.uint64) -> bool:
    """Whether this hash is new; it is no longer."""
    mask = np.uint64(len(met) - 1)
    place = (name >> np.uint64(20)) & mask
    for _ in range(64):
        if met[place] == name:
            return False
        if met[place] == EMPTY:
            met[place] = name
            return True
        place = (place + TAKEN) & mask
    return False


@kernel
def undone(steps: Ints, square: int, way: int, pulled: int) -> tuple[int, int, int]:
    """(square of the box before it came to `square` by this move, `square`, the player's before it); -1 where impossible."""
    behind = steps[square, way ^ 2]
    if behind < 0:
        return -1, -1, -1
    if pulled:
        ahead = steps[square, way]
        if ahead < 0:
            return -1, -1, -1
        return behind, square, square
    stood = steps[behind, way ^ 2]
    if stood < 0:
        return -1, -1, -1
    return behind, square, stood
