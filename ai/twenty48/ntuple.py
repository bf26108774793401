"""N-tuple networks on 4×4 boards: what a value is made of, and the kernels that look it up.

The value of an afterstate is the sum over tuples and over the eight symmetries of the board of one weight each. A
tuple names up to six cells; its table has a weight for every way to fill them, so a tuple of k cells has 16**k. The
weights of all tuples stand in one flat array, float32 while they are learned and int16 with a step per tuple in
play; both are read by the same kernels. (Szubert, Jaśkowski: Temporal Difference Learning of N-Tuple Networks for the
Game 2048, 2014.)

Boards are those of `ai.twenty48.packed`: four bits a cell.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.ntuple_shapes import MAX_CELLS, Tuples, table_sizes
from ai.twenty48.packed import (
    U4,
    U12,
    U16,
    U48,
    Board,
    Rewards,
    Rows,
    build_rows,
    reward_of,
    slide_rows,
    transpose,
)

SYMMETRIES = 8

_OUTER_LEFT = np.uint64(0x000F000F000F000F)
_INNER_LEFT = np.uint64(0x00F000F000F000F0)
_INNER_RIGHT = np.uint64(0x0F000F000F000F00)
_OUTER_RIGHT = np.uint64(0xF000F000F000F000)
_SECOND = np.uint64(0x00000000FFFF0000)

Eight = tuple[Board, Board, Board, Board, Board, Board, Board, Board]
Weights = npt.NDArray[Any]
"""float32 or int16 (sum of 16**cells,)."""


class Network(NamedTuple):
    """The weights and where they are found.

    Kernels that run millions of times take the arrays one by one: taking them out of a tuple costs more than a value.
    """

    weights: Weights
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""
    layout: npt.NDArray[np.uint64]
    """(tuples, 16): where the table of the tuple begins, then for each run of neighbouring cells how far right a board
    is moved to bring the run to its place in the index, and that place as a mask; a mask of 0 ends them."""


class Rules(NamedTuple):
    """The row tables of `ai.twenty48.packed`."""

    rows: Rows
    rewards: Rewards


def make_rules() -> Rules:
    """Both row tables, filled."""
    rules = Rules(np.zeros((2, 65536), np.uint16), np.zeros(65536, np.int64))
    build_rows(rules.rows, rules.rewards)
    return rules


def make_network(tuples: Tuples, weights: Weights, steps: npt.NDArray[np.float32] | None = None) -> Network:
    """The network of these tuples around `weights`; steps of 1 where none are given.

    Raises:
        ValueError: when there are not as many weights as the tuples need.
    """
    sizes = table_sizes(tuples)
    if weights.shape != (sum(sizes),):
        raise ValueError(f"These tuples have {sum(sizes):,} weights, not {weights.shape}.")
    layout = np.zeros((len(tuples), 4 + 2 * MAX_CELLS), np.uint64)
    layout[:, 0] = np.cumsum([0, *sizes[:-1]])
    for row, cells in zip(layout, tuples, strict=True):
        run = -1
        for place, cell in enumerate(cells):
            if place == 0 or cell != cells[place - 1] + 1:
                run += 2
                row[run] = 4 * (cell - place)
            row[run + 1] |= np.uint64(15 << (4 * place))
    return Network(weights, np.ones(len(tuples), np.float32) if steps is None else steps, layout)


@kernel
def mirror(board: Board) -> Board:
    """Left and right exchanged."""
    return (
        ((board & _OUTER_LEFT) << U12)
        | ((board & _INNER_LEFT) << U4)
        | ((board & _INNER_RIGHT) >> U4)
        | ((board & _OUTER_RIGHT) >> U12)
    )


@kernel
def flip(board: Board) -> Board:
    """Top and bottom exchanged."""
    return (board << U48) | ((board & _SECOND) << U16) | ((board >> U16) & _SECOND) | (board >> U48)


@kernel
def symmetries(board: Board) -> Eight:
    """The board in all eight positions of the square, itself first."""
    turned = transpose(board)
    mirrored, turned_mirrored = mirror(board), mirror(turned)
    return (
        board,
        mirrored,
        flip(board),
        flip(mirrored),
        turned,
        turned_mirrored,
        flip(turned),
        flip(turned_mirrored),
    )


@kernel
def places(boards: Eight, layout: npt.NDArray[np.uint64], number: int) -> Eight:
    """Where the eight weights of tuple `number` stand; `boards` are the symmetries of a board."""
    a, b, c, d, e, f, g, h = boards
    i = j = k = m = n = o = p = q = layout[number, 0]
    run = 1
    while layout[number, run + 1]:
        shift, mask = layout[number, run], layout[number, run + 1]
        i += (a >> shift) & mask
        j += (b >> shift) & mask
        k += (c >> shift) & mask
        m += (d >> shift) & mask
        n += (e >> shift) & mask
        o += (f >> shift) & mask
        p += (g >> shift) & mask
        q += (h >> shift) & mask
        run += 2
    return i, j, k, m, n, o, p, q


@kernel
def evaluate(
    board: Board, weights: Weights, steps: npt.NDArray[np.float32], layout: npt.NDArray[np.uint64]
) -> np.float32:
    """The value of an afterstate: the sum of all rewards still to come, as learned."""
    boards = symmetries(board)
    value = np.float32(0.0)
    for number in range(len(layout)):
        i, j, k, m, n, o, p, q = places(boards, layout, number)
        first = (np.float32(weights[i]) + np.float32(weights[j])) + (np.float32(weights[k]) + np.float32(weights[m]))
        last = (np.float32(weights[n]) + np.float32(weights[o])) + (np.float32(weights[p]) + np.float32(weights[q]))
        value += steps[number] * (first + last)
    return value


@kernel
def best_slide(
    board: Board,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
    rows: Rows,
    rewards: Rewards,
) -> tuple[int, Board, np.float32, np.float32]:
    """The slide of the highest reward + value, the first of equals.

    Returns:
        (action, or -1 when nothing moves; afterstate; reward; reward + value of the afterstate).
    """
    turned = transpose(board)
    across = np.float32(reward_of(board, 1, rewards))
    along = np.float32(reward_of(turned, 1, rewards))
    best, best_after, best_reward, best_worth = -1, board, np.float32(0.0), np.float32(0.0)
    for action in range(4):
        vertical = action == 0 or action == 2
        lines = turned if vertical else board
        after = slide_rows(lines, rows, 1 if action == 1 or action == 2 else 0)
        if after == lines:
            continue
        reward = along if vertical else across
        worth = reward + evaluate(after, weights, steps, layout)  # a board transposed has the same value
        if best < 0 or worth > best_worth:
            best, best_reward, best_worth = action, reward, worth
            best_after = transpose(after) if vertical else after
    return best, best_after, best_reward, best_worth
