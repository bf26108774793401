"""Batches for the policy network: many positions of boards of one size at once, and games that it plays on them.

A board of rows x cols becomes a square picture without its outermost walls: `side` = the larger of the two less 2 cells,
the board at its top left. Pushes are numbered (row * side + column of the box) * 4 + direction.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import Stream, random_word, unit
from ai.sokoban.board.layout import Bytes, Ints, Longs, Whole, Words
from ai.sokoban.policy.features import DEAD, REACHED, Codes, Floats, see, unfold
from ai.sokoban.policy.model import PLANES

SYMMETRIES = 8
PLAYING, SOLVED, LOST = range(3)
"""How a game stands; lost: no push is left that leads to a position not met before."""


def side_of(rows: int, cols: int) -> int:
    """Of the picture of a board."""
    return max(rows, cols) - 2


@kernel
def _turned(row: Whole, col: Whole, symmetry: Whole, side: Whole) -> tuple[int, int]:
    """Where a cell of the picture comes to: bit 0 swaps rows and columns, then bit 1 flips rows and bit 2 columns."""
    if symmetry & 1:
        row, col = col, row
    if symmetry & 2:
        row = side - 1 - row
    if symmetry & 4:
        col = side - 1 - col
    return int(row), int(col)


@kernel
def turned_direction(direction: Whole, symmetry: Whole) -> int:
    """The direction (0 up, 1 right, 2 down, 3 left) that it becomes."""
    if symmetry & 1:
        direction = 3 - direction
    if symmetry & 2 and direction & 1 == 0:
        direction = 2 - direction
    if symmetry & 4 and direction & 1:
        direction = 4 - direction
    return int(direction)


@kernel
def fill(
    boards: Codes, pushes: Bytes, chosen: Longs, symmetries: Bytes, cols: Whole, side: Whole, planes: Floats,
    legal: Bytes, best: Bytes,
) -> None:  # fmt: skip
    """Draw positions.

    Args:
        boards: (n, cells).
        pushes: (n, cells): bits of the best directions, or of shape (0, 0).
        chosen: (m,): which positions.
        symmetries: (m,): 0 to 7, how each is turned.
        cols: Of every board.
        side: Of the pictures.
        planes: Filled, (m, side, side, PLANES); must be 0.
        legal: Filled, (m, side * side * 4): 1 for pushes that are possible and not onto dead squares; must be 0.
        best: Filled likewise with the best pushes, where they are given; must be 0.
    """
    cells = boards.shape[1]
    number, squares = np.empty(cells, np.int32), np.empty(cells, np.int32)
    queue, far = np.empty(cells, np.int32), np.empty(cells, np.int32)
    steps = np.empty((cells, 4), np.int32)
    is_target, occupied = np.empty(cells, np.uint8), np.empty(cells, np.uint8)
    seen = np.empty((cells, PLANES), np.float32)
    for index in range(len(chosen)):
        board = boards[chosen[index]]
        symmetry = symmetries[index]
        count, player = unfold(board, cols, number, squares, steps, is_target, occupied)
        if count == 0:
            continue
        see(steps, count, is_target, occupied, player, queue, far, seen)
        for square in range(count):
            cell = squares[square]
            row, col = _turned(cell // cols - 1, cell % cols - 1, symmetry, side)
            for plane in range(PLANES):
                planes[index, row, col, plane] = seen[square, plane]
            if not occupied[square]:
                continue
            for action in range(4):
                ahead, stand = steps[square, action], steps[square, (action + 2) % 4]
                if (
                    ahead < 0
                    or stand < 0
                    or occupied[ahead]
                    or seen[stand, REACHED] == 0.0
                    or seen[ahead, DEAD] > 0.0
                ):
                    continue
                push = (row * side + col) * 4 + turned_direction(action, symmetry)
                legal[index, push] = 1
                if len(pushes):
                    best[index, push] = (pushes[chosen[index], cell] >> action) & 1


@kernel
def _solved(board: Codes) -> bool:
    astray = 0
    for cell in range(len(board)):
        astray += board[cell] == 2
    return astray == 0


@kernel
def _pushed(board: Codes, cols: Whole, side: Whole, push: Whole, after: Codes) -> None:
    """The board after a push, the player where the box was."""
    place, action = push // 4, push % 4
    box = (place // side + 1) * cols + place % side + 1
    ahead = box + (-cols if action == 0 else 1 if action == 1 else cols if action == 2 else -1)
    for cell in range(len(board)):
        code = board[cell]
        after[cell] = 0 if code == 4 else 3 if code == 6 else code
    after[box] = 6 if board[box] == 5 else 4
    after[ahead] = 5 if after[ahead] == 3 else 2


@kernel
def fingerprint(board: Codes, cols: Whole, words: Words, stack: Ints, marks: Bytes) -> np.uint64:
    """The same number for positions of a board with the same boxes and the same part of the floor for the player.

    Args:
        board: The position.
        cols: Of the board.
        words: (2, cells): random numbers.
        stack: Scratch, (cells,).
        marks: Scratch, (cells,).
    """
    word = np.uint64(0)
    start = 0
    for cell in range(len(board)):
        marks[cell] = 0
        if board[cell] == 2 or board[cell] == 5:
            word ^= words[0, cell]
        elif board[cell] == 4 or board[cell] == 6:
            start = cell
    stack[0], marks[start] = start, 1
    size, smallest = 1, start
    while size:
        size -= 1
        cell = stack[size]
        smallest = min(smallest, cell)
        for action in range(4):
            other = cell + (-cols if action == 0 else 1 if action == 1 else cols if action == 2 else -1)
            code = board[other]
            if not marks[other] and code != 1 and code != 2 and code != 5:
                marks[other] = 1
                stack[size] = other
                size += 1
    return np.uint64(word ^ words[1, smallest])


@kernel
def play(
    boards: Codes, cols: Whole, side: Whole, logits: Floats, legal: Bytes, noise: Floats, stream: Stream, words: Words,
    visited: Words, depth: Whole, status: Bytes,
) -> None:  # fmt: skip
    """One push in every game that is still played: the most probable one that leads to a position not met before.

    Args:
        boards: (n, cells), changed.
        cols: Of every board.
        side: Of the pictures.
        logits: (n, side * side * 4).
        legal: Likewise; used up.
        noise: (n,): what Gumbel noise is multiplied with before the most probable is taken: the temperature.
        stream: Chance.
        words: (2, cells): random numbers.
        visited: (n, steps): fingerprints of the positions before, `depth` of them and room for one more.
        depth: Pushes so far.
        status: (n,): PLAYING and so on, changed.
    """
    cells = boards.shape[1]
    after = np.empty(cells, np.int8)
    stack, marks = np.empty(cells, np.int32), np.empty(cells, np.uint8)
    worth = np.empty(logits.shape[1], np.float64)
    for game in range(len(boards)):
        if status[game] != PLAYING:
            continue
        board = boards[game]
        if depth == 0:
            visited[game, 0] = fingerprint(board, cols, words, stack, marks)
            if _solved(board):
                status[game] = SOLVED
                continue
        for push in range(logits.shape[1]):
            worth[push] = logits[game, push] if legal[game, push] else -np.inf
            if legal[game, push] and noise[game] > 0:
                worth[push] -= noise[game] * np.log(-np.log(unit(random_word(stream))))
        status[game] = LOST
        while status[game] == LOST:
            best = 0
            for push in range(logits.shape[1]):
                if worth[push] > worth[best]:
                    best = push
            if worth[best] == -np.inf:
                break
            worth[best] = -np.inf
            _pushed(board, cols, side, best, after)
            word = fingerprint(after, cols, words, stack, marks)
            known = False
            for index in range(depth + 1):
                known = known or visited[game, index] == word
            if known:
                continue
            board[:] = after
            visited[game, depth + 1] = word
            status[game] = SOLVED if _solved(board) else PLAYING


def random_words(cells: int) -> Words:
    """For `fingerprint`."""
    return np.random.default_rng(22).integers(0, 2**64, (2, cells), dtype=np.uint64)


def drawn(
    boards: Codes,
    cols: int,
    side: int,
    chosen: Longs,
    pushes: Bytes | None = None,
    symmetries: Bytes | None = None,
) -> tuple[Floats, Bytes, Bytes]:
    """`fill` with new arrays: (planes, legal, best)."""
    count = len(chosen)
    planes: Floats = np.zeros((count, side, side, PLANES), np.float32)
    legal: Bytes = np.zeros((count, side * side * 4), np.uint8)
    best: Bytes = np.zeros((count, side * side * 4), np.uint8)
    none: npt.NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
    turns = np.zeros(count, np.uint8) if symmetries is None else symmetries
    fill(boards, none if pushes is None else pushes, chosen, turns, cols, side, planes, legal, best)
    return planes, legal, best
