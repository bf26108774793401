"""Rooms one after the other into flat arrays: carve, place, play backwards, and leave out what was there before.

Room number `attempt` of a seed has a stream of random numbers of its own, so that the first rooms of a long batch are
those of a short one. Attempts fail where there is too little floor, where no position has every box off the targets, and
where the room is one of those before, rotated, reflected or moved on the board.
"""

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import mixed
from ai.sokoban.board.layout import Ints, Longs, Words
from ai.sokoban.rooms.carve import WALL, Cells, carve, place
from ai.sokoban.rooms.kinds import FAST, GYM
from ai.sokoban.rooms.reverse import reverse_search
from ai.sokoban.rooms.wander import wander

_OPPOSITE = np.array([2, 0, 1, 3])
"""The push (0 up, 1 right, 2 down, 3 left) that undoes a pull (0 up, 1 down, 2 left, 3 right)."""


@kernel
def fingerprint(board: Cells, rows: int, cols: int, other: int) -> np.uint64:
    """The same number for a board and its rotations, reflections and shifts, never 0; others differ but for chance.

    Args:
        board: the numbers of `game.rules.sokoban.Board`, shape (rows * cols,).
        rows: rows.
        cols: columns.
        other: the second player's square; -1 for none.
    """
    top, left, bottom, right = rows, cols, 0, 0
    for square in range(rows * cols):
        if board[square] != 1:
            row, col = square // cols, square % cols
            top, bottom = min(top, row), max(bottom, row)
            left, right = min(left, col), max(right, col)
    sums = np.zeros(8, np.uint64)
    for square in range(rows * cols):
        if board[square] == 1:
            continue
        kind = 7 if square == other else board[square]
        for flip in range(4):
            row, col = square // cols - top, square % cols - left
            if flip & 1:
                row = bottom - top - row
            if flip & 2:
                col = right - left - col
            sums[flip] += mixed(np.uint64((row * 32 + col) * 8 + kind))
            sums[flip + 4] += mixed(np.uint64((col * 32 + row) * 8 + kind))
    return max(sums.min(), np.uint64(1))


@kernel
def remember(known: Words, word: np.uint64) -> bool:
    """Put a number other than 0 into a hash set with free places; False where it was there."""
    mask = len(known) - 1
    index = np.int64(word) & mask
    while known[index] != np.uint64(0):
        if known[index] == word:
            return False
        index = (index + 1) & mask
    known[index] = word
    return True


@kernel
def remember_all(known: Words, words: Words) -> None:
    """Put the numbers of another set into a larger one."""
    for word in words:
        if word != np.uint64(0):
            remember(known, word)


@kernel
def make_batch(
    seed: np.uint64,
    attempt: int,
    last: int,
    fresh: int,
    patience: int,
    made: int,
    rows: int,
    cols: int,
    mode: int,
    walks: int,
    pulls: int,
    boards: npt.NDArray[np.int8],
    homes: npt.NDArray[np.int16],
    places: npt.NDArray[np.int16],
    players: npt.NDArray[np.int16],
    scores: Longs,
    pushes: npt.NDArray[np.int16],
    lengths: Longs,
    known: Words,
    marks: Words,
    words: Words,
    seen: Words,
    table: Ints,
    stack: Ints,
    scratch: Ints,
) -> tuple[int, int, int]:
    """Make rooms from attempt number `attempt` up to `last`, until the arrays are full or patience is at its end.

    Args:
        seed: which rooms.
        attempt: the first attempt.
        last: the attempt before which to stop.
        fresh: the attempt after the one that made the last room.
        patience: attempts after that one without a room, at which to stop.
        made: rooms that the arrays hold already.
        rows: rows, 5 to 20.
        cols: columns, 5 to 20.
        mode: a number of `ai.sokoban.rooms.kinds.MODES`.
        walks: walks of a room, for `FAST`.
        pulls: pulls of a walk, for `FAST`.
        boards: filled, (n, rows * cols): the numbers of `game.rules.sokoban.Board`, without a second player.
        homes: filled, (n, boxes): the target of each box.
        places: filled, (n, boxes): the square of each box.
        players: filled, (n, 1 or 2): the squares of the players.
        scores: filled, (n,).
        pushes: filled, (n, 300): a solution by the first player, each push 4 * (square of the box) + direction; or of
            shape (n, 0): not wanted.
        lengths: filled, (n,): how many pushes that solution has.
        known: fingerprints so far, a power of two with room for n more.
        marks: random numbers, (2 * cells,).
        words: scratch, see `reverse_search`; may be empty for `FAST`.
        seen: likewise.
        table: likewise.
        stack: likewise.
        scratch: int32 (12 * cells,) and `pulls` more.

    Returns:
        (rooms that the arrays hold now, the next attempt, `fresh` as it is now).
    """
    cells, boxes, count = rows * cols, homes.shape[1], players.shape[1]
    at = np.empty(cells, np.int8)
    free = np.empty(cells, np.uint16)
    is_home = np.empty(cells, np.uint8)
    path = np.empty(max(300, pulls), np.int16)
    board = np.empty(cells, np.int8)
    stream = np.empty(1, np.uint64)
    while made < len(boards) and attempt < last and attempt - fresh < patience:
        stream[0] = mixed(seed ^ mixed(np.uint64(attempt)))
        attempt += 1
        home, player = homes[made], players[made]
        size = carve(at, rows, cols, stream, free)
        if not place(at, free, size, player, home, stream, is_home):
            continue
        if count == 2:
            at[player[1]] = WALL
        start = int(np.int64(player[0]))
        if mode == FAST:
            score, end, length, _ = wander(
                at, cols, start, home, is_home, stream, walks, pulls, places[made], path, scratch
            )
        else:
            score, end, length, _ = reverse_search(
                at, cols, start, home, is_home, mode == GYM, len(words), places[made], path, marks, words, seen, table,
                stack, scratch,
            )  # fmt: skip
        if score <= 0:
            continue
        for square in range(cells):
            board[square] = 1 if at[square] == WALL else 3 if is_home[square] else 0
        other = -1
        if count == 2:
            other = int(player[1])
            board[other] = 0
        board[end] = 4
        for box in range(boxes):
            board[places[made, box]] = 2
        if not remember(known, fingerprint(board, rows, cols, other)):
            continue
        boards[made] = board
        player[0] = end
        scores[made] = score
        lengths[made] = length
        if pushes.shape[1]:
            for index in range(length):
                code = int(path[length - 1 - index])
                way = code & 3
                step = -cols if way == 0 else cols if way == 1 else -1 if way == 2 else 1
                pushes[made, index] = 4 * ((code >> 2) + step) + _OPPOSITE[way]
        made += 1
        fresh = attempt
    return made, attempt, fresh
