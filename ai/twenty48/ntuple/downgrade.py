"""Tile-downgrading: 4×4 boards beyond what a network knows are played as boards that it does know.

A network knows tiles up to the largest one that it met as often as smaller ones while it learned, at most 32768: a
packed board has four bits a cell. Two of these are one too many, for they merge. On a board with more, the largest tile
that is missing below its largest one is found, and every tile above the gap is halved, until the board is known: 65536
32768 8192 2 becomes 32768 16384 8192 2. The same slides move and the same tiles merge on both boards, and the tiles
above the gap stand to each other as before. (Guei, Chen, Wu: Optimistic Temporal Difference Learning for 2048, 2021.)

A halved board promises its largest merges one tile too early, which matters little until they are near. A network may
therefore have later stages for the last steps towards the next tile, learned on the boards themselves: from a sum of
tiles on, until that tile is made, boards are played as they are.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import U0, U1, U4, U15, Board, pack
from ai.twenty48.ntuple.network import Stages, tile_sum
from ai.twenty48.ntuple.shapes import LARGEST, Tuples, table_sizes

NO_STAGES: Stages = np.zeros(0, np.int64)
_SEEN = 0.05
"""Share of the weights with a tile as their largest that are learned where it was seen at all often; it is below 0.005
for a tile that hardly was."""
_WELL = 0.9
"""A tile is well known where that share is at least so much of the share of the next smaller tile: below it the largest
tile of a training is only half known, and what is expected with it on the board is far too much."""

_LOW = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES = np.uint64(0x0101010101010101)
_CARRIES = np.uint64(0x1010101010101010)

Cells = npt.NDArray[np.uint8]


def largest_seen(tuples: Tuples, weights: npt.NDArray[np.int16]) -> int:
    """The exponent of the largest tile that the network of these tuples knows well, at least 1; `weights` as in a model."""
    sizes = table_sizes(tuples)
    last_stage = len(weights) - sum(sizes)
    shape = (LARGEST + 1,) * len(tuples[0])
    table = weights[last_stage : last_stage + sizes[0]].reshape(shape)
    shares = [0.0]
    for exponent in range(1, LARGEST + 1):
        corner = table[(slice(0, exponent + 1),) * table.ndim]
        below = table[(slice(0, exponent),) * table.ndim]
        shares.append((np.count_nonzero(corner) - np.count_nonzero(below)) / (corner.size - below.size))
    for exponent in range(LARGEST, 1, -1):
        if shares[exponent] >= max(_SEEN, _WELL * shares[exponent - 1]):
            return exponent
    return 1


@kernel
def is_known(cells: Cells, known: int) -> bool:
    """Whether the position is played as it is: one tile of exponent `known` at most, and none above."""
    tops = 0
    for exponent in cells:
        if exponent > known:
            return False
        tops += exponent == known
    return tops < 2


@kernel
def tiles_from(board: Board, exponent: int) -> tuple[Board, Board]:
    """One bit, the fifth of its byte, for each tile of this exponent (1 to 16) or a larger one: (even cells, odd ones)."""
    room = np.uint64(16 - exponent) * _ONES
    return ((board & _LOW) + room) & _CARRIES, (((board >> U4) & _LOW) + room) & _CARRIES


@kernel
def fits(board: Board, known: int) -> bool:
    """`is_known` of a packed board."""
    even, odd = tiles_from(board, known)
    tops = even | (odd << U1)
    even, odd = tiles_from(board, known + 1)
    return bool((tops & (tops - U1)) == U0 and (even | odd) == U0)


@kernel
def in_later_stage(board: Board, stages: Stages) -> bool:
    """Whether a packed board adds up to what later stages begin with, and has no tile larger than that of the last."""
    if len(stages) == 0 or tile_sum(board) < stages[0]:
        return False
    even, odd = U0, U0
    largest = 0
    while stages[len(stages) - 1] >> (largest + 1):
        largest += 1
    if largest < LARGEST:
        even, odd = tiles_from(board, largest + 1)
    return bool((even | odd) == U0)


@kernel
def seen_as(board: Board, known: int, stages: Stages) -> Board:
    """`downgraded` of a packed board with one tile of 32768 at most."""
    while not fits(board, known) and not in_later_stage(board, stages):
        present, rest = np.int64(0), board
        while rest:
            present |= np.int64(1) << np.int64(rest & U15)
            rest >>= U4
        gap = LARGEST
        while gap > 0 and not present >> gap & 1:
            gap -= 1
        while gap > 0 and present >> gap & 1:
            gap -= 1
        if gap == 0:
            break
        even, odd = tiles_from(board, gap + 1)
        board -= (even >> U4) + odd
    return board


@kernel
def largest_missing(cells: Cells) -> np.int64:
    """The largest exponent below the largest one that no tile has, 0 where there is none."""
    present = np.int64(0)
    for exponent in cells:
        present |= np.int64(1) << np.int64(exponent)
    gap = np.int64(cells.max()) - 1
    while gap > 0 and present & (np.int64(1) << gap):
        gap -= 1
    return max(gap, np.int64(0))


@kernel
def downgraded(cells: Cells, known: int, stages: Stages) -> Board:
    """The packed board to be played in place of the position.

    Args:
        cells: uint8 (16,), exponents up to 62; not changed.
        known: Exponent of the largest tile that the network knows, at most `LARGEST`.
        stages: Sums of all tiles at which the later stages begin that know boards as they are.
    """
    halved = cells.copy()
    while not is_known(halved, known):
        if halved.max() <= LARGEST and in_later_stage(pack(halved), stages):
            break
        gap = largest_missing(halved)
        if gap == 0:
            break
        for cell in range(16):
            halved[cell] -= halved[cell] > gap
    if not is_known(halved, LARGEST):
        # every tile up to 32768 is there, that one twice: it changes places with 16384, so that it merges
        for cell in range(16):
            if halved[cell] >= LARGEST - 1:
                halved[cell] = LARGEST - 1 if halved[cell] == LARGEST else LARGEST
    return pack(halved)


def stand_in(cells: tuple[int, ...], known: int, stages: Stages = NO_STAGES) -> tuple[int, ...]:
    """`downgraded` for the exponents of a position, unpacked again."""
    board = int(downgraded(np.array(cells, np.uint8), known, stages))
    return tuple(board >> 4 * cell & 15 for cell in range(16))
