"""What the network for flat boards sees, and its numpy half: from positions to values, no torch.

Input, for every column (rows * 9 + 1 numbers): for each of its cells whether it holds a stone of the side to move, one of
the other side, or is the next to be filled; how many lines through it hold 1, 2, 3 stones of the side to move and
none of the other; the same for the other side, for empty cells only; and for the column which side began.

The network is a chain of convolutions along the columns (all rows of a column are its channels: the height of a cell
decides whose turn it will be there, so that rows are not alike, while columns are): one from the input to the width, then
blocks x + relu(conv(relu(conv(x)))), the last two together giving every column four numbers: the logits of loss, draw
and win after a stone there, and the logit of choosing it; and the mean of all columns the logits of the position.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from game.rules import connect4
from game.rules.connect4 import Shape

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]
PLANES = 9
REACH = 3
"""A convolution sees so many columns to each side."""
SCALE = 0.5
"""Counts of lines are of this size at most now and then; smaller inputs learn better."""


class Outputs(NamedTuple):
    """What the network says of n positions."""

    columns: Floats
    """(n, columns, 3): logits of loss, draw and win for the side to move after a stone there."""
    choice: Floats
    """(n, columns): logits of choosing."""
    value: Floats
    """(n, 3): logits of loss, draw and win of the position for the side to move."""


@lru_cache(maxsize=8)
def _incidence(shape: Shape) -> Floats:
    """(cells, lines): 1 where a cell is on a line."""
    lines = connect4.lines(shape)
    found = np.zeros((shape.cells, len(lines)), np.float32)
    for number, line in enumerate(lines):
        found[list(line), number] = 1.0
    return found


def inputs(shape: Shape) -> int:
    """Numbers of a column."""
    return shape.rows * PLANES + 1


def features(shape: Shape, positions: Words) -> Floats:
    """(n, columns, inputs) of positions (n, 2), in the form of `ai.connect4.exact.labels`, of a board of depth 1."""
    bits = [np.uint64(col * (shape.rows + 1) + row) for row in range(shape.rows) for col in range(shape.cols)]
    both = (positions[:, :, None] >> np.array(bits, np.uint64)) & np.uint64(1)
    mine = both[:, 0].astype(np.float32)
    stones = both[:, 1].astype(np.float32)
    theirs = stones - mine
    incidence = _incidence(shape)
    own, other = mine @ incidence, theirs @ incidence
    empty = 1.0 - stones
    below = np.concatenate([np.ones_like(stones[:, : shape.cols]), stones[:, : -shape.cols]], 1)
    found = [mine, theirs, empty * below]
    for counts, blocked in ((own, other), (other, own)):
        counts = np.where(blocked == 0, counts, 0)
        for number in (1, 2, 3):
            found.append(((counts == number).astype(np.float32) @ incidence.T) * empty * SCALE)
    planes = np.stack(found, 1).reshape(len(positions), PLANES * shape.rows, shape.cols)
    began = (stones.sum(1) % 2).astype(np.float32)
    side = np.broadcast_to(began[:, None, None], (len(positions), 1, shape.cols))
    return np.ascontiguousarray(np.concatenate([planes, side], 1).transpose(0, 2, 1))


def convolve(seen: Floats, weight: Floats, bias: Floats) -> Floats:
    """Along the columns: (n, columns, in) by (2 * REACH + 1, in, out), 0 beyond the edges."""
    padded = np.pad(seen, ((0, 0), (REACH, REACH), (0, 0)))
    columns = seen.shape[1]
    windows = np.concatenate([padded[:, at : at + columns] for at in range(2 * REACH + 1)], 2)
    made: Floats = windows @ weight.reshape(-1, weight.shape[2]) + bias
    return made


def forward(arrays: dict[str, Floats], seen: Floats) -> Outputs:
    """The network of `arrays` (`first`, `BLOCK.in`, `BLOCK.out`, `column`, `value`, each with `.weight`, `.bias`)."""

    def layer(name: str, at: Floats) -> Floats:
        return convolve(at, arrays[f"{name}.weight"], arrays[f"{name}.bias"])

    here = np.maximum(layer("first", seen), 0)
    block = 0
    while f"{block}.in.weight" in arrays:
        here = here + np.maximum(layer(f"{block}.out", np.maximum(layer(f"{block}.in", here), 0)), 0)
        block += 1
    heads = here @ arrays["column.weight"] + arrays["column.bias"]
    value = here.mean(1) @ arrays["value.weight"] + arrays["value.bias"]
    return Outputs(heads[:, :, :3], heads[:, :, 3], value)
