"""One byte for every square of a Sokoban game, and one step of every game: the rules of the environments as kernels.

The upper half of a byte is the ground: 0 floor, 1 wall, 2 + k the target of box k. The lower half is what stands there: 0
nothing, 1 the first player, 2 the second, 3 + k box k. Where targets are for any box, all are the target of box 0 and all
boxes are box 0; so a box is at home where ground + 1 equals thing, with fixed targets and without.

Actions are those of gym-sokoban: 0 nothing; 1 to 4 push up, down, left, right (without a box in the way a step); 5 to 8
step up, down, left, right, never pushing; where pulls are allowed, 9 to 12 step up, down, left, right with the box behind
the player, if there is one. The second player's actions follow those of the first. Nobody pushes two boxes.

Every game is enclosed by walls: a player never stands on the edge of the board.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Longs

Doubles = npt.NDArray[np.float64]

WALL_GROUND, TARGET_GROUND = 1, 2
PLAYER_THING, SECOND_THING, BOX_THING = 1, 2, 3
LOOKS = 256
"""Bytes that a square can have."""

# Columns of a game's row in `meta`.
PLAYER, SECOND = 0, 1  # squares of the players, -1 for no second one
ASTRAY = 2  # boxes that are not at home
CLOCK = 3  # steps so far
MOVED = 4  # what the last step moved: 1 a player, 2 a player and a box
ENDED = 5  # 1 all boxes at home, 2 out of steps
CHANGED = 6  # the three squares that the last step may have changed, -1 for none
META = 9

SKIPPED = 255
"""In `ended`: the game takes no part in the next step."""

STEP, ON_TARGET, OFF_TARGET, ALL_HOME = -0.1, 1.0, -1.0, 10.0
"""Rewards: for every step, for a box that comes home, for one that leaves it, for all at home."""


def action_count(pulls: bool, players: int) -> int:
    """How many actions there are."""
    return 1 + (12 if pulls else 8) * players


@kernel
def act(
    cells: Bytes,
    meta: Ints,
    actions: Longs,
    rewards: Doubles,
    ended: Bytes,
    cols: int,
    pulls: bool,
    most: int,
) -> None:
    """One step of every game but those marked `SKIPPED`.

    One loop over all games in one function: called for each game by itself, the passing of arrays would cost more than
    the rules.

    Args:
        cells: bytes of squares, (n * rows * cols,).
        meta: (n, META).
        actions: int64 (n,).
        rewards: filled, (n,).
        ended: filled with how each game stands, (n,).
        cols: columns of the board.
        pulls: whether players may pull.
        most: steps after which a game is ended.
    """
    size = len(cells) // len(meta)
    each = 12 if pulls else 8
    deltas = (-cols, cols, -1, 1)
    for game in range(len(meta)):
        if ended[game] == SKIPPED:
            ended[game] = 0
            rewards[game] = 0.0
            continue
        base, action = game * size, int(actions[game])
        reward = STEP
        moved, here, there, changed = 0, -1, -1, -1
        if action > 0:
            who = 1 if action > each else 0
            kind, way = (action - 1 - who * each) >> 2, (action - 1) & 3
            delta = deltas[way]
            here = int(meta[game, who])
            there = here + delta
            start, goal = -1, -1
            look = int(cells[base + there])
            if look >> 4 == WALL_GROUND:
                there = -1
            elif look & 15 == 0:
                if kind == 2 and int(cells[base + here - delta]) & 15 >= BOX_THING:
                    start, goal = here - delta, here
            else:
                beyond = int(cells[base + there + delta]) if look & 15 >= BOX_THING and kind == 0 else 1
                if beyond >> 4 == WALL_GROUND or beyond & 15:
                    there = -1
                else:
                    start, goal = there, there + delta
            if there >= 0:
                moved = 1
                cells[base + here] -= np.uint8(PLAYER_THING + who)
                if start >= 0:
                    moved = 2
                    box = int(cells[base + start]) & 15
                    cells[base + start] -= np.uint8(box)
                    cells[base + goal] += np.uint8(box)
                    home = int(cells[base + goal] >> 4) + 1 == box
                    if home != (int(cells[base + start] >> 4) + 1 == box):
                        reward += ON_TARGET if home else OFF_TARGET
                        meta[game, ASTRAY] += -1 if home else 1
                    changed = goal if kind == 0 else start
                cells[base + there] += np.uint8(PLAYER_THING + who)
                meta[game, who] = there
        clock = int(meta[game, CLOCK]) + 1
        end = 2 if clock >= most else 0
        if meta[game, ASTRAY] == 0:
            reward += ALL_HOME
            end = 1
        meta[game, CLOCK] = clock
        meta[game, MOVED] = moved
        meta[game, ENDED] = end
        meta[game, CHANGED] = here if moved else -1
        meta[game, CHANGED + 1] = there if moved else -1
        meta[game, CHANGED + 2] = changed
        ended[game] = end
        rewards[game] = reward


@kernel
def paint_changes(cells: Bytes, meta: Ints, cols: int, pixels: Bytes, tiles: Bytes) -> None:
    """Paint what the last step changed on every board.

    Args:
        cells: bytes of squares, (n * rows * cols,).
        meta: (n, META).
        cols: columns of a board.
        pixels: boards one below the other, as many squares of side * width bytes.
        tiles: a picture of every byte of a square, uint8 (LOOKS, side, width): `side` lines of `width` bytes each.
    """
    size, side, width = len(cells) // len(meta), tiles.shape[1], tiles.shape[2]
    line = cols * width
    for game in range(len(meta)):
        base = game * size
        for index in range(CHANGED, CHANGED + 3):
            square = int(meta[game, index])
            if square < 0:
                continue
            look = int(cells[base + square])
            place = base * side * width + square // cols * side * line + square % cols * width
            for row in range(side):
                for col in range(width):
                    pixels[place + row * line + col] = tiles[look, row, col]


@kernel
def paint_all(cells: Bytes, cols: int, pixels: Bytes, tiles: Bytes) -> None:
    """Paint every square of boards one below the other; the arguments are those of `paint_changes`."""
    side, width = tiles.shape[1], tiles.shape[2]
    line = cols * width
    for square in range(len(cells)):
        place = square // cols * side * line + square % cols * width
        for row in range(side):
            for col in range(width):
                pixels[place + row * line + col] = tiles[int(cells[square]), row, col]


@kernel
def paint_sprites(pixels: Bytes, ground: Bytes, sprites: Bytes, cells: Bytes, squares: Ints, cols: int) -> None:
    """Paint squares of a board from its ground and what stands on them.

    Args:
        pixels: painted, (rows * side, cols * side, 3).
        ground: the picture of the empty board, of the same shape.
        sprites: red, green, blue and opacity of every thing, then of every thing at home, (32, side, side, 4).
        cells: bytes of the squares.
        squares: which to paint; negative ones are left out.
        cols: columns of the board.
    """
    side = sprites.shape[1]
    for square in squares:
        if square < 0:
            continue
        top, left = square // cols * side, square % cols * side
        thing = int(cells[square]) & 15
        sprite = thing + 16 if int(cells[square]) >> 4 == thing - 1 else thing
        for row in range(side):
            for col in range(side):
                opacity = int(sprites[sprite, row, col, 3]) if thing else 0
                for ink in range(3):
                    under = int(ground[top + row, left + col, ink])
                    over = int(sprites[sprite, row, col, ink])
                    pixels[top + row, left + col, ink] = under + (over - under) * opacity // 255


@kernel
def step_one(
    cells: Bytes,
    meta: Ints,
    actions: Longs,
    rewards: Doubles,
    ended: Bytes,
    cols: int,
    pulls: bool,
    most: int,
    pixels: Bytes,
    tiles: Bytes,
) -> tuple[float, int, int]:
    """One step of a single game, painted where `pixels` is not empty; returns (reward, what moved, how it stands)."""
    act(cells, meta, actions, rewards, ended, cols, pulls, most)
    if len(pixels):
        paint_changes(cells, meta, cols, pixels, tiles)
    return float(rewards[0]), int(meta[0, MOVED]), int(meta[0, ENDED])
