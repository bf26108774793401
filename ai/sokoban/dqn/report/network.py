"""The report's network in numpy: what it sees, and what it says. No torch.

Seven planes, each 1 where the square is so and 0 elsewhere: empty, wall, box, target, player, box on target, player on
target (the integers of `game.rules.sokoban.to_array`). The scalar variant has one plane with these integers / 6. Layers of
3x3 convolution with a frame of zeros, each with ReLU, then dense layers with ReLU but for the last. Weights of a
convolution are (offset, inputs, outputs), offsets row by row.
"""

from collections.abc import Mapping

import numpy as np

from ai.sokoban.dqn.dense import Floats
from ai.sokoban.dqn.shapes import PLANES
from game.rules import sokoban


def see(state: sokoban.State, planes: int) -> Floats:
    """What the network sees of a position: (rows, cols, planes)."""
    board = np.asarray(sokoban.to_array(state))
    if planes == 1:
        return (board[:, :, np.newaxis] / np.float32(PLANES - 1)).astype(np.float32)
    return np.asarray(np.eye(PLANES, dtype=np.float32)[board], np.float32)


def forward(arrays: Mapping[str, Floats], seen: Floats) -> Floats:
    """Q values (n, actions) of positions (n, rows, cols, planes)."""
    here, number = seen, 1
    while f"conv{number}.weight" in arrays:
        weight, bias = arrays[f"conv{number}.weight"], arrays[f"conv{number}.bias"]
        count, rows, cols, _ = here.shape
        framed = np.pad(here, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = np.concatenate([framed[:, i : i + rows, j : j + cols] for i in range(3) for j in range(3)], 3)
        here = np.maximum(windows.reshape(count * rows * cols, -1) @ weight.reshape(-1, weight.shape[2]) + bias, 0)
        here = here.reshape(count, rows, cols, -1)
        number += 1
    flat = here.reshape(len(here), -1)
    number = 1
    while f"linear{number}.weight" in arrays:
        flat = flat @ arrays[f"linear{number}.weight"] + arrays[f"linear{number}.bias"]
        number += 1
        if f"linear{number}.weight" in arrays:
            flat = np.maximum(flat, 0)
    return np.asarray(flat, np.float32)
