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
from ai.sokoban.dqn_shapes import REACH, WINDOW
from ai.sokoban.dqn_world import Games, World
from ai.sokoban.layout import Bytes, Ints, Longs

Floats = npt.NDArray[np.float32]


def forward(arrays: Mapping[str, Floats], active: Ints) -> Floats:
    """Q values (actions,) of a position, given which inputs are 1, in numpy."""
    here = np.maximum(arrays["hidden1.weight"][active].sum(0) + arrays["hidden1.bias"], 0)
    here = np.maximum(here @ arrays["hidden2.weight"] + arrays["hidden2.bias"], 0)
    advantage: Floats = here @ arrays["advantage.weight"] + arrays["advantage.bias"]
    if "value.weight" not in arrays:
        return advantage
    value = here @ arrays["value.weight"] + arrays["value.bias"]
    return np.asarray(value + advantage - advantage.mean(), np.float32)


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
def judge(
    world: World,
    games: Games,
    static: bool,
    dueling: bool,
    first: Floats,
    first_bias: Floats,
    second: Floats,
    second_bias: Floats,
    advantage: Floats,
    advantage_bias: Floats,
    value: Floats,
    value_bias: Floats,
    active: Ints,
    here: Floats,
    q: Floats,
) -> None:
    """Fill `q` (E, actions) for all games; `active` and `here` (2, widest layer) are scratch."""
    for game in range(len(q)):
        board = games.board[game]
        count = see(
            world.size,
            world.walls[board],
            world.targets[board],
            games.player[game],
            games.boxes[game],
            static,
            active,
        )
        one, other = here[0, : len(first_bias)], here[1, : len(second_bias)]
        one[:] = first_bias
        for index in range(count):
            one += first[active[index]]
        other[:] = second_bias
        for unit in range(len(one)):
            if one[unit] > 0:
                other += one[unit] * second[unit]
        q[game, :] = advantage_bias
        rest = np.float32(0.0)
        if dueling:
            rest = value_bias[0]
        for unit in range(len(other)):
            if other[unit] > 0:
                for action in range(q.shape[1]):
                    q[game, action] += other[unit] * advantage[unit, action]
                if dueling:
                    rest += other[unit] * value[unit, 0]
        if dueling:
            rest -= q[game].mean()
            for action in range(q.shape[1]):
                q[game, action] += rest
