"""N-tuple networks on 4×4 boards: what a value is made of, and the kernels that look it up.

The value of an afterstate is the sum over tuples and over the eight symmetries of the board of one weight each. A
tuple names up to six cells; its table has a weight for every way to fill them, so a tuple of k cells has 16**k. The
weights of all tuples stand in one flat array, float32 while they are learned and int16 with a step per tuple in
play; both are read by the same kernels. (Szubert, Jaśkowski: Temporal Difference Learning of N-Tuple Networks for the
Game 2048, 2014.)

A network may have several *stages*, each with weights of its own: the later ones for boards whose tiles add up to more.
The sum of all tiles is the same before and after a slide, so one look per position says where its four afterstates are
valued. A weight of a later stage that was never learned is NaN, and the weight of the stage before counts (weight
promotion; Jaśkowski: Mastering 2048 with Delayed Temporal Coherence Learning, Multistage Weight Promotion, Redundant
Encoding and Carousel Shaping, 2016). Only a training has such weights: a loaded model has them filled in.

Boards are those of `ai.twenty48.board.packed`: four bits a cell.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board import packed
from ai.twenty48.board.packed import Board, Rewards, Rows, build_rows, reward_of, slide_rows, transpose
from ai.twenty48.ntuple.shapes import MAX_CELLS, Tuples, table_sizes

SYMMETRIES = 8
STAGE_SIZE = 3 + 2 * MAX_CELLS
"""Index into a row of `Network.layout`."""

_OUTER_LEFT = np.uint64(0x000F000F000F000F)
_INNER_LEFT = np.uint64(0x00F000F000F000F0)
_INNER_RIGHT = np.uint64(0x0F000F000F000F00)
_OUTER_RIGHT = np.uint64(0xF000F000F000F000)
_SECOND = np.uint64(0x00000000FFFF0000)

Eight = tuple[Board, Board, Board, Board, Board, Board, Board, Board]
Weights = npt.NDArray[Any]
"""float32 or int16 (stages * sum of 16**cells,): stage after stage, table after table."""
Stages = npt.NDArray[np.int64]
"""int64 (stages - 1,), ascending: the sums of all tiles at which the later stages begin."""


class Network(NamedTuple):
    """The weights and where they are found.

    Kernels that run millions of times take the arrays one by one: taking them out of a tuple costs more than a value.
    """

    weights: Weights
    steps: npt.NDArray[np.float32]
    """(tuples,): what a stored 1 is worth."""
    layout: npt.NDArray[np.uint64]
    """(tuples, 16): where the table of the tuple begins, then for each run of neighbouring cells how far right a board
    is moved to bring the run to its place in the index, and that place as a mask; a mask of 0 ends them. In the last
    place stands how many weights a stage has."""
    stages: Stages


class Rules(NamedTuple):
    """The row tables of `ai.twenty48.board.packed`."""

    rows: Rows
    rewards: Rewards


def make_rules() -> Rules:
    """Both row tables, filled."""
    rules = Rules(np.zeros((2, 65536), np.uint16), np.zeros(65536, np.int64))
    build_rows(rules.rows, rules.rewards)
    return rules


def make_network(
    tuples: Tuples,
    weights: Weights,
    steps: npt.NDArray[np.float32] | None = None,
    stages: Sequence[int] = (),
) -> Network:
    """The network of these tuples around `weights`; steps of 1 where none are given.

    Raises:
        ValueError: when there are not as many weights as tuples and stages need.
    """
    sizes = table_sizes(tuples)
    needed = sum(sizes) * (len(stages) + 1)
    if weights.shape != (needed,):
        raise ValueError(f"These tuples have {needed:,} weights, not {weights.shape}.")
    layout = np.zeros((len(tuples), STAGE_SIZE + 1), np.uint64)
    layout[:, 0] = np.cumsum([0, *sizes[:-1]])
    layout[:, STAGE_SIZE] = sum(sizes)
    for row, cells in zip(layout, tuples, strict=True):
        run = -1
        for place, cell in enumerate(cells):
            if place == 0 or cell != cells[place - 1] + 1:
                run += 2
                row[run] = 4 * (cell - place)
            row[run + 1] |= np.uint64(15 << (4 * place))
    steps = np.ones(len(tuples), np.float32) if steps is None else steps
    return Network(weights, steps, layout, np.array(stages, np.int64))


@kernel
def tile_sum(board: Board) -> np.int64:
    """The sum of all tiles of a board."""
    total = np.int64(0)
    while board:
        exponent = board & packed.U15
        if exponent:
            total += np.int64(packed.U1 << exponent)
        board >>= packed.U4
    return total


@kernel
def stage_base(total: np.int64, layout: npt.NDArray[np.uint64], stages: Stages) -> np.uint64:
    """Where the weights begin that value boards whose tiles add up to `total`; `layout` is that of a network of either kind."""
    stage = 0
    while stage < len(stages) and total >= stages[stage]:
        stage += 1
    return np.uint64(np.uint64(stage) * layout[0, layout.shape[1] - 1])


@kernel
def mirror(board: Board) -> Board:
    """Left and right exchanged."""
    return (
        ((board & _OUTER_LEFT) << packed.U12)
        | ((board & _INNER_LEFT) << packed.U4)
        | ((board & _INNER_RIGHT) >> packed.U4)
        | ((board & _OUTER_RIGHT) >> packed.U12)
    )


@kernel
def flip(board: Board) -> Board:
    """Top and bottom exchanged."""
    return (
        (board << packed.U48)
        | ((board & _SECOND) << packed.U16)
        | ((board >> packed.U16) & _SECOND)
        | (board >> packed.U48)
    )


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
def places(boards: Eight, base: np.uint64, layout: npt.NDArray[np.uint64], number: int) -> Eight:
    """Where the eight weights of tuple `number` stand; `boards` are the symmetries of a board, `base` its stage's."""
    a, b, c, d, e, f, g, h = boards
    i = j = k = m = n = o = p = q = layout[number, 0] + base
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
    board: Board, base: np.uint64, weights: Weights, steps: npt.NDArray[np.float32], layout: npt.NDArray[np.uint64]
) -> np.float32:
    """The value of an afterstate: the sum of all rewards still to come, as learned. `base` is that of its stage."""
    boards = symmetries(board)
    value = np.float32(0.0)
    for number in range(len(layout)):
        i, j, k, m, n, o, p, q = places(boards, base, layout, number)
        first = (weights[i] + weights[j]) + (weights[k] + weights[m])
        last = (weights[n] + weights[o]) + (weights[p] + weights[q])
        value += steps[number] * np.float32(first + last)
    return value


@kernel
def best_slide(
    board: Board,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
    rows: Rows,
    rewards: Rewards,
) -> tuple[int, Board, np.float32, np.float32]:
    """The slide of the highest reward + value, the first of equals; `base` is that of the board's stage.

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
        worth = reward + evaluate(after, base, weights, steps, layout)  # a board transposed has the same value
        if worth != worth:  # some of its weights are still those of the stage before
            worth = reward + promoted_value(after, base, weights, layout)
        if best < 0 or worth > best_worth:
            best, best_reward, best_worth = action, reward, worth
            best_after = transpose(after) if vertical else after
    return best, best_after, best_reward, best_worth


@kernel
def promoted_value(board: Board, base: np.uint64, weights: Weights, layout: npt.NDArray[np.uint64]) -> np.float32:
    """What `evaluate` says while a network is trained (steps of 1), weights of earlier stages in place of NaN."""
    boards = symmetries(board)
    value = np.float32(0.0)
    for number in range(len(layout)):
        for place in places(boards, base, layout, number):
            value += promoted(weights, place, layout[0, STAGE_SIZE])
    return value


@kernel
def promoted(weights: Weights, place: np.uint64, size: np.uint64) -> np.float32:
    """The weight at a place of a network in training, or of the latest stage before where it is NaN."""
    weight = np.float32(weights[place])
    while weight != weight:
        place -= size
        weight = np.float32(weights[place])
    return weight
