"""Kernels of the report's network (`shapes`): its value of an afterstate, and the choice that follows from it.

V(s') is the sum over patterns, and over symmetries where they are on, of one weight each. Stored are the differences of
the weights from 10, which all begin at 0: float32 while they are learned, 16 bits in play. Boards are packed
(`ai.twenty48.board.packed`).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.twenty48.board.packed import LOW_BITS, U0, U1, U2, Board, fits, reward_of, slide, slide_rows, spawn, transpose
from ai.twenty48.board.spawns import pick
from ai.twenty48.ntuple.network import SYMMETRIES, Rules, Weights, make_network, places, symmetries
from ai.twenty48.report.shapes import INITIAL, PATTERNS


class ReportNetwork(NamedTuple):
    """The weights and how they are looked up."""

    weights: Weights
    """float32 or int16 (sum of 16**cells,): differences from the first value, in steps."""
    steps: npt.NDArray[np.float32]
    """(patterns,): what a stored 1 is worth."""
    layout: npt.NDArray[np.uint64]
    """As `ai.twenty48.ntuple.network.Network` has it."""
    looks: int
    """Look-ups of one pattern: 8, or 1 without symmetries."""


def make_report_network(
    weights: Weights, steps: npt.NDArray[np.float32] | None = None, symmetric: bool = True
) -> ReportNetwork:
    """The network around `weights`; steps of 1 where none are given."""
    found = make_network(PATTERNS, weights, steps)
    return ReportNetwork(found.weights, found.steps, found.layout, SYMMETRIES if symmetric else 1)


@kernel
def clamped(board: Board) -> Board:
    """The board with every tile above 8192 (exponents 14 and 15) taken for one of 8192 (exponent 13)."""
    high = (board >> U1) & (board >> U2) & (board >> np.uint64(3)) & LOW_BITS
    return (board & ~(high << U1)) | high


@kernel
def find(board: Board, layout: npt.NDArray[np.uint64], looks: int, where: npt.NDArray[np.uint64]) -> None:
    """Write into `where` the places of the weights of an afterstate: those of the first pattern, and so on."""
    boards = symmetries(clamped(board))
    for number in range(len(layout)):
        eight = places(boards, U0, layout, number)
        for look in range(looks):
            where[number * looks + look] = eight[look]


@kernel
def evaluate_report(
    board: Board,
    weights: Weights,
    steps: npt.NDArray[np.float32],
    layout: npt.NDArray[np.uint64],
    looks: int,
) -> np.float32:
    """V of an afterstate."""
    boards = symmetries(clamped(board))
    value = np.float32(INITIAL * len(layout) * looks)
    for number in range(len(layout)):
        i, j, k, m, n, o, p, q = places(boards, U0, layout, number)
        if looks == 1:
            value += steps[number] * np.float32(weights[i])
            continue
        first = (np.float32(weights[i]) + np.float32(weights[j])) + (np.float32(weights[k]) + np.float32(weights[m]))
        last = (np.float32(weights[n]) + np.float32(weights[o])) + (np.float32(weights[p]) + np.float32(weights[q]))
        value += steps[number] * (first + last)
    return value


@kernel
def choose_report(
    board: Board, network: ReportNetwork, rules: Rules
) -> tuple[int, Board, np.float32, np.float32, np.float32]:
    """The slide of the highest reward + value, the first of equals.

    Returns:
        (action, or -1 when nothing moves; afterstate; reward; reward + value of that afterstate; the highest value of
        any afterstate, rewards left out).
    """
    weights, steps, layout, looks = network
    rows, rewards = rules
    turned = transpose(board)
    across = np.float32(reward_of(board, 1, rewards))
    along = np.float32(reward_of(turned, 1, rewards))
    best, best_after = -1, board
    best_reward = best_worth = highest = np.float32(0.0)
    for action in range(4):
        vertical = action == 0 or action == 2
        lines = turned if vertical else board
        after = slide_rows(lines, rows, 1 if action == 1 or action == 2 else 0)
        if after == lines:
            continue
        if vertical:
            after = transpose(after)
        reward = along if vertical else across
        value = evaluate_report(after, weights, steps, layout, looks)
        if best < 0 or value > highest:
            highest = value
        if best < 0 or reward + value > best_worth:
            best, best_after, best_reward, best_worth = action, after, reward, reward + value
    return best, best_after, best_reward, best_worth, highest


@kernel
def any_action(board: Board, number: np.uint64, rules: Rules) -> int:
    """The legal action that a random number picks, all alike likely; -1 when nothing moves."""
    legal = 0
    for action in range(4):
        legal += slide(board, action, rules.rows) != board
    index = pick(number, np.int64(legal))
    for action in range(4):
        if slide(board, action, rules.rows) != board:
            if index == 0:
                return action
            index -= 1
    return -1


@kernel
def play_report(
    board: Board,
    luck: npt.NDArray[np.uint64],
    network: ReportNetwork,
    rules: Rules,
    record: npt.NDArray[np.int64],
) -> tuple[Board, int]:
    """Play on greedily until `record` is full, the game is over, or a board does not fit.

    Args:
        board: It fits.
        luck: uint64 (2,): seed and spawns, the second changed in place.
        network: int16 weights.
        rules: Row tables.
        record: int64 (n, 3): action, cell and exponent of each move.

    Returns:
        (the last position, rows of `record` written).
    """
    played = 0
    while played < len(record) and fits(board):
        action, after, _, _, _ = choose_report(board, network, rules)
        if action < 0:
            break
        cell, exponent = spawn(after, luck[0], luck[1])
        luck[1] += U1
        board = after | (np.uint64(exponent) << np.uint64(4 * cell))
        record[played, 0], record[played, 1], record[played, 2] = action, cell, exponent
        played += 1
    return board, played
