"""The rules of 2048 on any square board as kernels: a board is a flat uint8 array of exponents, row by row.

For sizes other than 4×4, and for 4×4 boards too large for `ai.twenty48.board.packed`. Arrays may be longer than size²; only
the first size² cells count. Directions: 0 up, 1 right, 2 down, 3 left.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.spawns import is_four, pick, random_number

Cells = npt.NDArray[np.uint8]


@kernel
def slide(cells: Cells, size: int, action: int, after: Cells) -> np.int64:
    """Write the afterstate into `after`; returns the reward, or -1 when nothing moves (then `after` equals `cells`)."""
    vertical = action == 0 or action == 2
    backwards = action == 1 or action == 2
    step = size if vertical else 1
    across = 1 if vertical else size
    first = (size - 1) * step if backwards else 0
    if backwards:
        step = -step
    reward = np.int64(0)
    moved = False
    for line in range(size):
        source = target = first + line * across
        held = np.int64(0)  # exponent of the last tile put down while it may still merge, else 0
        for _ in range(size):
            exponent = np.int64(cells[source])
            if exponent:
                if exponent == held:
                    after[target - step] = exponent + 1
                    reward += 2 << exponent
                    held = np.int64(0)
                    moved = True
                else:
                    moved = moved or source != target
                    after[target] = exponent
                    held = exponent
                    target += step
            source += step
        while target != source:
            after[target] = 0
            target += step
    return reward if moved else np.int64(-1)


@kernel
def count_empty(cells: Cells, size: int) -> np.int64:
    """How many cells are empty."""
    count = np.int64(0)
    for cell in range(size * size):
        count += cells[cell] == 0
    return count


@kernel
def spawn(cells: Cells, size: int, seed: np.uint64, spawns: np.uint64) -> tuple[int, int]:
    """(cell, exponent) of the next tile; the board has an empty cell."""
    number = random_number(seed, spawns)
    index = pick(number, count_empty(cells, size))
    cell = 0
    while True:
        if cells[cell] == 0:
            if index == 0:
                break
            index -= 1
        cell += 1
    return cell, 2 if is_four(number) else 1
