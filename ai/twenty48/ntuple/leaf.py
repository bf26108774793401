"""The leaves of a search over an n-tuple network: the values of many afterstates at once, and what is made of them.

Nearly all the time of a search goes here, and most of that goes into waiting for weights, which are spread over
a hundred megabytes. So the afterstates are listed first; then the places of all their weights are worked out, in loops
that a compiler turns into vector instructions; then all weights are fetched, many at a time.

The last layer is the mean over tiles of the best slide of each. Most of it is shared: a tile changes one line of its
afterstate, so in each direction the other three are slid once, and a tile anywhere in the same gap of a line slides to
the same place. Of all pairs of a tile and a slide half lead to an afterstate of their own.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board import packed
from ai.twenty48.board.packed import Board, Rewards, Rows, count_empty, empty_bits, reward_of, slide_rows, transpose
from ai.twenty48.ntuple.network import SYMMETRIES, Weights, flip, mirror

_PAIRS = 128
"""Of a tile and a slide: 16 cells, 2 tiles, 4 directions."""
SLOT, WHICH, REWARD = range(3)
"""Indices into a row of `Leaf.pairs`: 2 * cell + tile (0 a 2, 1 a 4), the number of the afterstate, the reward."""


class Leaf(NamedTuple):
    """Room to work in."""

    boards: npt.NDArray[np.uint64]
    """(pairs,): the afterstates to be valued."""
    values: npt.NDArray[np.float32]
    """(pairs,): their values."""
    eight: npt.NDArray[np.uint64]
    """(8 * pairs,): all afterstates in the first position of the square, then all in the second, …"""
    where: npt.NDArray[np.uint64]
    """(8 * pairs,): where their weights of one tuple stand."""
    pairs: npt.NDArray[np.int64]
    """(pairs, 3)."""
    best: npt.NDArray[np.float64]
    """(32,): by slot, the best slide."""


def make_leaf() -> Leaf:
    """Room for one afterstate's tiles."""
    return Leaf(
        np.zeros(_PAIRS, np.uint64),
        np.zeros(_PAIRS, np.float32),
        np.zeros(SYMMETRIES * _PAIRS, np.uint64),
        np.zeros(SYMMETRIES * _PAIRS, np.uint64),
        np.zeros((_PAIRS, 3), np.int64),
        np.zeros(32),
    )


@kernel
def set_symmetries(boards: npt.NDArray[np.uint64], count: int, eight: npt.NDArray[np.uint64]) -> None:
    """`ntuple.symmetries` of the first `count` boards."""
    for i in range(count):
        board = boards[i]
        turned = transpose(board)
        mirrored, turned_mirrored = mirror(board), mirror(turned)
        eight[i] = board
        eight[i + count] = mirrored
        eight[i + 2 * count] = flip(board)
        eight[i + 3 * count] = flip(mirrored)
        eight[i + 4 * count] = turned
        eight[i + 5 * count] = turned_mirrored
        eight[i + 6 * count] = flip(turned)
        eight[i + 7 * count] = flip(turned_mirrored)


@kernel
def evaluate_all(
    leaf: Leaf,
    count: int,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
) -> None:
    """Fill `leaf.values` with `ntuple.evaluate` of the first `count` of `leaf.boards`."""
    boards, values, eight, where, _, _ = leaf
    set_symmetries(boards, count, eight)
    values[:count] = 0.0
    for number in range(len(layout)):
        start = layout[number, 0] + base
        shift, mask = layout[number, 1], layout[number, 2]
        for i in range(SYMMETRIES * count):
            where[i] = start + ((eight[i] >> shift) & mask)
        run = 3
        while layout[number, run + 1]:
            shift, mask = layout[number, run], layout[number, run + 1]
            for i in range(SYMMETRIES * count):
                where[i] += (eight[i] >> shift) & mask
            run += 2
        step = steps[number]
        for i in range(count):
            first = weights[where[i]] + weights[where[i + count]]
            first += weights[where[i + 2 * count]] + weights[where[i + 3 * count]]
            last = weights[where[i + 4 * count]] + weights[where[i + 5 * count]]
            last += weights[where[i + 6 * count]] + weights[where[i + 7 * count]]
            values[i] += step * np.float32(first + last)


@kernel
def best_after(
    board: Board,
    leaf: Leaf,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
    rows: Rows,
    rewards: Rewards,
) -> tuple[int, Board]:
    """(action, afterstate) of the slide of the highest reward + value, the first of equals; -1 when nothing moves."""
    turned = transpose(board)
    boards, actions = leaf.boards, leaf.pairs
    count = 0
    for action in range(4):
        vertical = action == 0 or action == 2
        lines = turned if vertical else board
        after = slide_rows(lines, rows, 1 if action == 1 or action == 2 else 0)
        boards[count] = after  # a board transposed has the same value
        actions[count, WHICH] = action
        count += after != lines
    evaluate_all(leaf, count, base, weights, steps, layout)
    across, along = np.float64(reward_of(board, 1, rewards)), np.float64(reward_of(turned, 1, rewards))
    best, best_board, best_worth = -1, board, np.float64(0.0)
    for i in range(count):
        action = actions[i, WHICH]
        vertical = action == 0 or action == 2
        worth = np.float64(leaf.values[i]) + (along if vertical else across)
        if best < 0 or worth > best_worth:
            best, best_worth = action, worth
            best_board = transpose(boards[i]) if vertical else boards[i]
    return best, best_board


@kernel
def list_slides(
    after: Board, turned: bool, right: int, leaf: Leaf, count: int, found: int, rows: Rows, rewards: Rewards
) -> tuple[int, int]:
    """Slide the rows of `after`, transposed if `turned`, with a tile in each empty cell.

    Args:
        after: An afterstate, or its transpose.
        turned: Rows of `after` are columns of the board.
        right: Whether rows slide to the right.
        leaf: Its boards and pairs are added to.
        count: How many boards there are.
        found: How many pairs there are.
        rows: Row tables.
        rewards: Row tables.

    Returns:
        (boards, pairs) from now on.
    """
    boards, pairs = leaf.boards, leaf.pairs
    slid = slide_rows(after, rows, right)
    changed = slid ^ after
    total = rewards[after & packed.ROW] + rewards[(after >> packed.U16) & packed.ROW]
    total += rewards[(after >> packed.U32) & packed.ROW] + rewards[after >> packed.U48]
    for number in range(4):
        shift = np.uint64(16 * number)
        line = (after >> shift) & packed.ROW
        others = ~(packed.ROW << shift)
        rest, moved = slid & others, (changed & others) != packed.U0
        reward_of_rest = total - rewards[line]
        for tile in range(2):
            known = packed.ROW  # no row with a new tile slides to this
            for place in range(4):
                if (line >> np.uint64(4 * place)) & packed.U15:
                    continue
                filled = line | (np.uint64(tile + 1) << np.uint64(4 * place))
                result = np.uint64(rows[right, filled])
                if result == filled and not moved:
                    continue
                if result != known:
                    known = result
                    boards[count] = rest | (result << shift)
                    count += 1
                cell = 4 * place + number if turned else 4 * number + place
                pairs[found, SLOT] = 2 * cell + tile
                pairs[found, WHICH] = count - 1
                pairs[found, REWARD] = reward_of_rest + rewards[filled]
                found += 1
    return count, found


@kernel
def mean_leaf(
    after: Board,
    leaf: Leaf,
    base: np.uint64,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
    rows: Rows,
    rewards: Rewards,
) -> np.float64:
    """The value of an afterstate with one slide left after the tile; one after which nothing moves is worth 0."""
    values, pairs, best = leaf.values, leaf.pairs, leaf.best
    turned = transpose(after)
    count = found = 0
    for right in range(2):
        count, found = list_slides(after, False, right, leaf, count, found, rows, rewards)
        count, found = list_slides(turned, True, right, leaf, count, found, rows, rewards)
    evaluate_all(leaf, count, base, weights, steps, layout)
    best[:] = -np.inf
    for i in range(found):
        slot = pairs[i, SLOT]
        best[slot] = max(best[slot], pairs[i, REWARD] + np.float64(values[pairs[i, WHICH]]))
    total = np.float64(0.0)
    for slot in range(32):
        if best[slot] != -np.inf:
            total += best[slot] * (0.1 if slot & 1 else 0.9)
    return total / count_empty(empty_bits(after))
