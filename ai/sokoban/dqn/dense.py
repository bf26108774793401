"""What the dense network of a DQN sees of a position, and what it says of one: the inputs that are 1, one by one.

Inputs of a board of S = rows * cols squares, in this order: where the player is (S), where boxes are (S), where boxes are
seen from the player (WINDOW x WINDOW around him). A network for many boards also has: walls (S), targets (S), walls and
targets seen from the player. What is far from the player is outside the windows. The last input is never 1.

Weights: `hidden1.weight` (inputs, H1), `hidden2.weight` (H1, H2), `advantage.weight` (H2, actions), with dueling also
`value.weight` (H2, 1), and a bias each. q = value + advantage - mean(advantage), or the advantage alone.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Longs
from ai.sokoban.dqn.shapes import REACH, WINDOW
from ai.sokoban.dqn.world import Games, World

Floats = npt.NDArray[np.float32]


def forward(arrays: Mapping[str, Floats], seen: Longs, nothing: int) -> Floats:
    """Q values (b, actions) of positions, given which inputs of each are 1: `seen` (b, most), `nothing` after the last."""
    return heads(arrays, *layers(arrays, seen, nothing)[1:])


def layers(arrays: Mapping[str, Floats], seen: Longs, nothing: int) -> tuple[Floats, Floats]:
    """The hidden layers (b, H1) and (b, H2) of positions."""
    one = np.empty((len(seen), len(arrays["hidden1.bias"])), np.float32)
    add_rows(arrays["hidden1.weight"], arrays["hidden1.bias"], seen, nothing, one)
    other: Floats = one @ arrays["hidden2.weight"]
    other += arrays["hidden2.bias"]
    return one, np.maximum(other, 0, out=other)


def heads(arrays: Mapping[str, Floats], hidden: Floats) -> Floats:
    """Q values (b, actions) from the second hidden layer."""
    q: Floats = hidden @ arrays["advantage.weight"] + arrays["advantage.bias"]
    if "value.weight" in arrays:
        q += hidden @ arrays["value.weight"] + (arrays["value.bias"] - q.mean(1, keepdims=True))
    return q


@kernel
def add_rows(weights: Floats, bias: Floats, seen: Longs, nothing: int, out: Floats) -> None:
    """The first layer: the rows of `weights` of the inputs that are 1 and the bias, where positive, into `out` (b, H1)."""
    for index in range(len(seen)):
        row = out[index]
        row[:] = bias
        for place in seen[index]:
            if place == nothing:
                break
            row += weights[place]
        for unit in range(len(row)):
            row[unit] = max(row[unit], np.float32(0.0))


@kernel
def see(size: Longs, walls: Bytes, targets: Bytes, player: int, boxes: Longs, static: bool, active: Ints) -> int:
    """Write which inputs are 1 into `active`, shape (most inputs,); returns how many.

    Args:
        size: rows, columns.
        walls: (S,): 1 on walls.
        targets: (S,): 1 on targets.
        player: square.
        boxes: (n,): squares.
        static: whether walls and targets are seen.
        active: filled.
    """
    rows, cols = size[0], size[1]
    squares = rows * cols
    row, col = player // cols, player % cols
    count = 1
    active[0] = player
    for box in range(len(boxes)):
        square = boxes[box]
        active[count] = squares + square
        count += 1
        down, right = square // cols - row + REACH, square % cols - col + REACH
        if 0 <= down < WINDOW and 0 <= right < WINDOW:
            active[count] = 2 * squares + down * WINDOW + right
            count += 1
    if static:
        base = 2 * squares + WINDOW * WINDOW
        around = base + 2 * squares
        for square in range(squares):
            if walls[square] or targets[square]:
                down, right = square // cols - row + REACH, square % cols - col + REACH
                near = 0 <= down < WINDOW and 0 <= right < WINDOW
                if walls[square]:
                    active[count] = base + square
                    count += 1
                    if near:
                        active[count] = around + down * WINDOW + right
                        count += 1
                else:
                    active[count] = base + squares + square
                    count += 1
                    if near:
                        active[count] = around + (WINDOW + down) * WINDOW + right
                        count += 1
    return count


@kernel
def see_all(world: World, games: Games, static: bool, nothing: int, active: Ints, seen: Longs) -> None:
    """Write which inputs are 1 in each game into `seen` (E, most), `nothing` after the last; `active` is scratch."""
    seen[:] = nothing
    for game in range(len(seen)):
        board = games.board[game]
        walls, targets = world.walls[board], world.targets[board]
        count = see(world.size, walls, targets, games.player[game], games.boxes[game], static, active)
        for each in range(count):
            seen[game, each] = active[each]
