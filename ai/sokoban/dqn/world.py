"""Boards on which a DQN plays, many games side by side: one step, what is dead, how far the boxes are from their targets.

Squares are those of the board, row * cols + col, so that positions mean the same on all boards of one size. Actions are
the game's: a direction, + 4 where the player pulls.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below
from ai.sokoban.board.distance import FAR, label_parts, measure_moves
from ai.sokoban.board.layout import Bytes, Ints, Longs
from ai.sokoban.board.moves import frozen, mark_alive
from ai.sokoban.dqn.settings import why_not
from ai.sokoban.search.matching import add_row, total
from game.rules import sokoban

Doubles = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Squares = np.ndarray[tuple[int, ...], np.dtype[np.int16]]
GOES_ON, SOLVED, DEAD = range(3)
"""What a position is."""


class World(NamedTuple):
    """B boards of one size and as many boxes: S squares, n boxes."""

    steps: Ints
    """(B, S, 4): neighbour up, right, down, left; -1 for none."""
    part: Bytes
    """(B, S, S), see `ai.sokoban.board.distance.label_parts`."""
    distance: Ints
    """(B, 4 S, n): pushes (and pulls) from a key to each target."""
    back: Ints
    """(B, 4 S, n): the same backwards, from a key to where each box stands at the start."""
    targets: Bytes
    """(B, S): 1 on targets."""
    walls: Bytes
    """(B, S): 1 on walls."""
    floor: Bytes
    """(B, S): 1 where the player could get if there were no boxes."""
    alive: Bytes
    """(B, S): 1 where a box alone may still get to a target."""
    boxes: Ints
    """(B, n): where the boxes stand at the start."""
    players: Ints
    """(B,): where the player stands at the start."""
    size: Longs
    """(3,): rows, columns, 1 where players pull and 0 where not."""


class Games(NamedTuple):
    """E games side by side, and scratch for one of them."""

    board: Longs
    """(E,): which board of the world."""
    player: Longs
    """(E,)."""
    boxes: Longs
    """(E, n)."""
    clock: Longs
    """(E,): steps so far."""
    left: Longs
    """(E,): pushes left by the matching."""
    near: Longs
    """(E,): steps to the nearest place from which a box can be brought nearer to the target that it is matched with."""
    matched: Longs
    """(E, n): the target of each box in the matching."""
    occupied: Bytes
    """(E, S): 1 where a box is."""
    depth: Longs
    """(E,): pushes before a solution at which the game began; 0 where it began at the start of the board."""
    scratch: Ints
    """(9, S + n + 2)."""
    marks: Bytes
    """(S + n + 2,): all 0."""


def world_of(states: list[sokoban.State]) -> World:
    """The boards of positions of one size, with the same rules and as many boxes.

    Raises:
        ValueError: they are not, or a DQN does not play by their rules.
    """
    first = states[0].warehouse
    kinds = {(s.warehouse.rows, s.warehouse.cols, s.warehouse.rules, len(s.boxes)) for s in states}
    reason = why_not(states[0])
    if reason is not None or len(kinds) > 1:
        raise ValueError(reason or "the boards are not of one size, kind and number of boxes")
    count, squares, boxes, pulls = len(states), first.rows * first.cols, len(states[0].boxes), first.rules.pull
    world = World(
        np.zeros((count, squares, 4), np.int32),
        np.zeros((count, squares, squares), np.uint8),
        np.zeros((count, 4 * squares, boxes), np.int32),
        np.zeros((count, 4 * squares, boxes), np.int32),
        np.zeros((count, squares), np.uint8),
        np.zeros((count, squares), np.uint8),
        np.zeros((count, squares), np.uint8),
        np.zeros((count, squares), np.uint8),
        np.zeros((count, boxes), np.int32),
        np.array([state.player for state in states], np.int32),
        np.array([first.rows, first.cols, pulls], np.int64),
    )
    stack: Ints = np.zeros(4 * squares, np.int32)
    for number, state in enumerate(states):
        warehouse = state.warehouse
        if len(warehouse.targets) != boxes:
            raise ValueError("a board has to have as many targets as boxes")
        world.steps[number] = warehouse.steps
        world.walls[number, list(warehouse.walls)] = 1
        world.steps[number, list(warehouse.walls)] = -1
        world.floor[number, list(warehouse.connected([state.player]))] = 1
        targets: Ints = np.array(sorted(warehouse.targets), np.int32)
        world.targets[number, targets] = 1
        world.boxes[number] = sorted(state.boxes)
        world.alive[number] = alive_of(warehouse)
        survey(
            world.steps[number],
            targets,
            pulls,
            world.part[number],
            world.distance[number],
            world.back[number],
            world.boxes[number],
            stack,
        )
    return world


def games_of(world: World, count: int) -> Games:
    """Games that have not begun: `begin` each of them."""
    squares, boxes = world.steps.shape[1], world.boxes.shape[1]
    room = squares + boxes + 2
    return Games(
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, boxes), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, boxes), np.int64),
        np.zeros((count, squares), np.uint8),
        np.zeros(count, np.int64),
        np.zeros((9, room), np.int32),
        np.zeros(room, np.uint8),
    )


def alive_of(warehouse: sokoban.Warehouse) -> Bytes:
    """(S,): 1 on squares from which a box alone may still get to a target; with pulls on all."""
    squares = warehouse.rows * warehouse.cols
    if warehouse.rules.pull:
        return np.ones(squares, np.uint8)
    alive: Bytes = np.zeros(squares, np.uint8)
    steps: Ints = np.array(warehouse.steps, np.int32)
    steps[list(warehouse.walls)] = -1
    targets: Ints = np.array(sorted(warehouse.targets), np.int32)
    mark_alive(steps, targets, alive, np.zeros(4 * squares, np.int32))
    return alive


@kernel
def survey(
    steps: Ints,
    targets: Ints,
    pulls: bool,
    part: Bytes,
    distance: Ints,
    back: Ints,
    boxes: Ints,
    stack: Ints,
) -> None:
    """Fill what a board is measured by; `stack` is scratch, shape (4 S,)."""
    for square in range(len(steps)):
        label_parts(steps, part, square, stack)
    for column in range(len(targets)):
        measure_moves(steps, part, True, pulls, targets[column], column, distance, stack)
        measure_moves(steps, part, pulls, True, boxes[column], column, back, stack)


@kernel
def begin(world: World, games: Games, game: int, stream: Stream) -> None:
    """A new game on a random board."""
    begin_on(world, games, game, below(stream, len(world.players)) if len(world.players) > 1 else 0)


@kernel
def begin_on(world: World, games: Games, game: int, board: int) -> None:
    """A new game on this board."""
    games.board[game] = board
    games.player[game] = world.players[board]
    games.clock[game] = 0
    games.occupied[game, :] = 0
    for box in range(world.boxes.shape[1]):
        games.boxes[game, box] = world.boxes[board, box]
        games.occupied[game, world.boxes[board, box]] = 1
    settle(world, games, game)


@kernel
def settle(world: World, games: Games, game: int) -> None:
    """Measure a position that was put on the board."""
    games.left[game] = pushes_left(world, games, game)
    games.near[game] = steps_near(world, games, game)


@kernel
def pushes_left(world: World, games: Games, game: int) -> int:
    """Pushes that the best matching of boxes with targets takes, each box alone on the board; FAR where there is none.

    Fills `games.matched`.
    """
    left = matching_of(world.distance, world, games, game)
    taken = games.scratch[3]
    for column in range(games.boxes.shape[1]):
        games.matched[game, taken[column]] = column
    return left


@kernel
def matching_of(distance: Ints, world: World, games: Games, game: int) -> int:
    """The cheapest matching of boxes with columns of `world.distance` or `world.back`; boxes by column in `scratch[3]`."""
    board, player, boxes = games.board[game], games.player[game], games.boxes[game]
    size = len(boxes)
    scratch = games.scratch
    keys, u, v, taken = scratch[0, :size], scratch[1, :size], scratch[2, : size + 1], scratch[3, : size + 1]
    least, way = scratch[4, : size + 1], scratch[5, : size + 1]
    for box in range(size):
        keys[box] = boxes[box] * 4 + world.part[board, boxes[box], player]
    v[:] = 0
    taken[:] = -1
    for row in range(size):
        add_row(distance[board], keys, row, u, v, taken, least, way, games.marks[: size + 1])
    games.marks[: size + 1] = 0
    return total(distance[board], keys, taken)


@kernel
def steps_near(world: World, games: Games, game: int) -> int:
    """Steps to the nearest place from which a push or pull brings a box nearer to the target it is matched with.

    Rows + columns of the board where there is no such place.
    """
    board, occupied = games.board[game], games.occupied[game]
    steps, part, distance = world.steps[board], world.part[board], world.distance[board]
    away, queue = games.scratch[6], games.scratch[7]
    for index in range(spread(steps, occupied, games.player[game], away, queue)):
        square = queue[index]
        for way in range(4):
            other = steps[square, way]
            if other < 0:
                continue
            if not occupied[other]:
                behind = steps[square, way ^ 2]
                if world.size[2] == 0 or behind < 0 or not occupied[behind]:
                    continue
                start, goal, stands = behind, square, other
            else:
                beyond = steps[other, way]
                if beyond < 0 or occupied[beyond]:
                    continue
                start, goal, stands = other, beyond, other
            for box in range(games.boxes.shape[1]):
                if games.boxes[game, box] == start:
                    column = games.matched[game, box]
                    before = distance[start * 4 + part[start, square], column]
                    if distance[goal * 4 + part[goal, stands], column] < before:
                        return int(away[square])
    return int(world.size[0] + world.size[1])


@kernel
def spread(steps: Ints, occupied: Bytes, player: int, away: Ints, queue: Ints) -> int:
    """Fill `away` (S,) with the player's steps to each square, -1 for those out of reach; returns how many it reaches.

    They are at the beginning of `queue`, the nearest first.
    """
    away[:] = -1
    away[player] = 0
    queue[0] = player
    first, last = 0, 1
    while first < last:
        square = queue[first]
        first += 1
        for way in range(4):
            other = steps[square, way]
            if other >= 0 and away[other] < 0 and not occupied[other]:
                away[other] = away[square] + 1
                queue[last] = other
                last += 1
    return last


@kernel
def try_action(world: World, board: int, occupied: Bytes, player: int, action: int) -> tuple[int, int, int]:
    """(square of the player after it, square of the box that it moves or -1, where that comes to); -1 first: not to be done.

    That is what the rules forbid, and pushes onto squares from which no box gets to a target.
    """
    steps, pulls = world.steps[board], world.size[2] > 0
    square = steps[player, action & 3]
    if square < 0:
        return -1, -1, -1
    if occupied[square]:
        beyond = steps[square, action & 3]
        if action > 3 or beyond < 0 or occupied[beyond] or not world.alive[board, beyond]:
            return -1, -1, -1
        return square, square, beyond
    if action > 3:
        behind = steps[player, (action & 3) ^ 2]
        if not pulls or behind < 0 or not occupied[behind]:
            return -1, -1, -1
        return square, behind, player
    return square, -1, -1


@kernel
def act(world: World, games: Games, game: int, action: int) -> int:
    """Do a legal action; returns whether the game goes on, is solved or provably dead."""
    board, occupied = games.board[game], games.occupied[game]
    square, start, goal = try_action(world, board, occupied, games.player[game], action)
    games.player[game] = square
    games.clock[game] += 1
    if start < 0:
        games.near[game] = steps_near(world, games, game)
        return GOES_ON
    occupied[start], occupied[goal] = 0, 1
    astray = 0
    for box in range(games.boxes.shape[1]):
        if games.boxes[game, box] == start:
            games.boxes[game, box] = goal
        astray += 1 - world.targets[board, games.boxes[game, box]]
    games.left[game] = pushes_left(world, games, game)
    if astray == 0:
        return SOLVED
    if games.left[game] >= FAR:
        return DEAD
    if world.size[2] == 0:
        members = games.scratch[8]
        count = frozen(world.steps[board], occupied, world.alive[board], goal, members, games.marks)
        for index in range(count):
            if not world.targets[board, members[index]]:
                return DEAD
    games.near[game] = steps_near(world, games, game)
    return GOES_ON
