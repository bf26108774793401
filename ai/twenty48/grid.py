"""The rules of 2048 on any square board as kernels: a board is a flat uint8 array of exponents, row by row.

For sizes other than 4×4, and for 4×4 boards too large for `ai.twenty48.packed`. Arrays may be longer than size²; only
the first size² cells count. Directions: 0 up, 1 right, 2 down, 3 left.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.spawns import is_four, pick, random_number

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


@kernel
def play_random(
    cells: Cells, size: int, luck: npt.NDArray[np.uint64], seed: np.uint64, record: npt.NDArray[np.int64]
) -> int:
    """Play legal actions chosen by the stream of `seed` until `record` is full or nothing moves.

    Args:
        cells: uint8 (size²,), changed in place.
        size: Edge of the board.
        luck: uint64 (2,): the game's seed and spawns, the second changed in place.
        seed: Of the choices; the choice at a position is number `spawns` of its stream.
        record: int64 (n, 3): action, cell and exponent of each move.

    Returns:
        How many moves were played.
    """
    after = np.zeros(len(cells), np.uint8)
    legal = np.zeros(4, np.int64)
    for played in range(len(record)):
        count = np.int64(0)
        for action in range(4):
            if slide(cells, size, action, after) >= 0:
                legal[count] = action
                count += 1
        if count == 0:
            return played
        action = legal[pick(random_number(seed, luck[1]), count)]
        slide(cells, size, action, after)
        cell, exponent = spawn(after, size, luck[0], luck[1])
        after[cell] = exponent
        cells[:] = after
        luck[1] += np.uint64(1)
        record[played, 0] = action
        record[played, 1] = cell
        record[played, 2] = exponent
    return len(record)
