"""The levels of a search on packed boards: what both searches on them keep on the stack.

These are `ai.twenty48.search.packed_search` and `ai.twenty48.ntuple.search`.
`ai.twenty48.search.stack` says how the stack works; this file makes the positions on it, tile by tile.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import U0, U1, Board, count_empty, empty_bits
from ai.twenty48.search.stack import COUNT, SUM, TILE, Frames, Reals, open_position

AFTER, BITS, POSITION = range(3)
"""Indices into the boards of a level: the afterstate, the empty cells still to be tried (as `empty_bits`; the lowest
is being tried), and the position with the tile in it."""

Boards = npt.NDArray[np.uint64]
"""uint64 (MAX_DEPTH, 3)."""


@kernel
def set_position(frames: Frames, reals: Reals, boards: Boards, level: int) -> None:
    """Make the position of `level` from its afterstate and the tile being tried."""
    bits = boards[level, BITS]
    tile = (bits & (~bits + U1)) << np.uint64(frames[level, TILE])
    boards[level, POSITION] = boards[level, AFTER] | tile
    open_position(frames, reals, level)


@kernel
def enter(frames: Frames, reals: Reals, boards: Boards, level: int, after: Board) -> None:
    """Put an afterstate on `level`, with the first of its tiles."""
    bits = empty_bits(after)
    boards[level, AFTER] = after
    boards[level, BITS] = bits
    frames[level, TILE] = 0
    frames[level, COUNT] = count_empty(bits)
    reals[level, SUM] = 0.0
    set_position(frames, reals, boards, level)


@kernel
def next_tile(frames: Frames, reals: Reals, boards: Boards, level: int, worth: float) -> bool:
    """Count the position of `level` as worth `worth` and make the next one; False when there is none."""
    reals[level, SUM] += worth * (0.1 if frames[level, TILE] else 0.9)
    if frames[level, TILE]:
        boards[level, BITS] &= boards[level, BITS] - U1
    frames[level, TILE] ^= 1
    if boards[level, BITS] == U0:
        return False
    set_position(frames, reals, boards, level)
    return True
