"""The exact search: null windows over bitboards, resumable, with what it proved kept in one table.

A score is how early the game ends, from the side to move: a win with the stone that follows n others is worth
`(cells + 1 - n) // 2`, a loss minus that, a draw 0. `search` answers whether a score is above a bound; every answer is
a lower or an upper bound of the true score, and the table keeps the best of both for every position met.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.exact.bitboard import (
    BOARD,
    BOTTOM,
    CELLS,
    COLUMNS,
    HEIGHT,
    LEADING,
    ORDER,
    Words,
    has_four,
    mirrored,
    popcount,
    winning_cells,
)
from ai.jit import kernel

Ints = npt.NDArray[np.int64]

# --- the frame of a ply -------------------------------------------------------------------------------------------

POS, MASK, THEIRS, HASH, MOVES = range(5)
"""Words: stones, the cells that win for the side that has just moved, the hash (0: not kept), the moves."""
WIDTH = 8
"""Columns at most; the moves take so many words, and after them their winning cells."""
WINS = MOVES + WIDTH
COUNT, NEXT, BEST, BEGAN = range(4)
"""Numbers: moves, the next of them, the best score so far, nodes when the ply was entered."""

PLY, NODES, ALPHA, STONES, ENTERING, RESULT, LOW, HIGH, UNDERWAY = range(9)
"""Places in `state`."""

# --- the table: pairs of words; a word is the rest of the hash, the work, the lower and the upper bound -------------

_BIAS = 64
_BOUND_BITS, _WORK_BITS = 7, 5
DATA_BITS = 2 * _BOUND_BITS + _WORK_BITS
MULTIPLIER = 0x9E3779B97F4A7C15
_UNKNOWN = 60
"""Above any score."""
MIN_TABLE_BITS = DATA_BITS + 1
_FOLD_LEFT = 20
"""Positions with more empty cells than this are one with their mirror images."""
_LOOK_LEFT = 18
"""With more empty cells than this the table is asked for every move before any is searched (enhanced cut-offs)."""


class Search(NamedTuple):
    """A search under way."""

    geometry: Words
    table: Words
    bits: Words
    """(plies, words of a frame)."""
    numbers: Ints
    """(plies, numbers of a frame)."""
    state: Ints


def new_search(geometry: Words, table: Words) -> Search:
    """A search on a table of a power of two of words, at least `2**MIN_TABLE_BITS`, all 0 or filled on this board."""
    return Search(
        geometry,
        table,
        np.zeros((66, WINS + WIDTH), np.uint64),
        np.zeros((66, 4), np.int64),
        np.zeros(9, np.int64),
    )


@kernel
def place(key: np.uint64, height: np.uint64, columns: np.uint64, fold: bool) -> np.uint64:
    """The hash of a key: different for different keys; of a position and its mirror image the same where folded."""
    if fold:
        other = mirrored(key, height, columns)
        if other < key:
            key = other
    return key * np.uint64(MULTIPLIER)


@kernel
def probe(table: Words, hashed: np.uint64, shift: np.uint64) -> np.uint64:
    """The word that the table has for a hash, 0 for none."""
    at = (hashed >> shift) << np.uint64(1)
    rest = (hashed << (np.uint64(64) - shift)) >> (np.uint64(64) - shift)
    data = np.uint64(DATA_BITS)
    for word in (np.uint64(table[at]), np.uint64(table[at + np.uint64(1)])):
        if word >> data == rest and word != np.uint64(0):
            return word
    return np.uint64(0)


@kernel
def keep(table: Words, hashed: np.uint64, shift: np.uint64, low: int, high: int, nodes: int) -> None:
    """Put bounds into the table: the first word of a pair is for what cost more, the second for what came last."""
    at = (hashed >> shift) << np.uint64(1)
    rest = (hashed << (np.uint64(64) - shift)) >> (np.uint64(64) - shift)
    work = 0
    while nodes > 0 and work < 31:
        nodes >>= 1
        work += 1
    data = np.uint64(DATA_BITS)
    first, second = table[at], table[at + np.uint64(1)]
    known = np.uint64(0)
    if first >> data == rest:
        known = first
    elif second >> data == rest:
        known = second
    if known != np.uint64(0):
        low = max(low, lower(known))
        high = min(high, upper(known))
        work = max(work, int((known >> np.uint64(2 * _BOUND_BITS)) & np.uint64(31)))
    word = (
        (rest << data)
        | (np.uint64(work) << np.uint64(2 * _BOUND_BITS))
        | (np.uint64(low + _BIAS) << np.uint64(_BOUND_BITS))
        | np.uint64(high + _BIAS)
    )
    if first >> data == rest or (
        second >> data != rest and np.uint64(work) >= (first >> np.uint64(2 * _BOUND_BITS)) & np.uint64(31)
    ):
        table[at] = word
    else:
        table[at + np.uint64(1)] = word


@kernel
def lower(word: np.uint64) -> int:
    """The lower bound in a word of the table."""
    return int((word >> np.uint64(_BOUND_BITS)) & np.uint64(127)) - _BIAS


@kernel
def upper(word: np.uint64) -> int:
    """The upper bound in a word of the table."""
    return int(word & np.uint64(127)) - _BIAS


@kernel
def guaranteed(
    leader: np.uint64,
    mask: np.uint64,
    threats: np.uint64,
    even: bool,
    alpha: int,
    board: np.uint64,
    bottom: np.uint64,
    leading: np.uint64,
    height: np.uint64,
) -> int:
    """What the side that has just moved gets for certain by answering in pairs of cells, if that is above `alpha`.

    With an even number of empty cells it answers every move with the cell above it, or, for the lowest empty cells of
    the columns with an odd number left, with another one of these. The leader then gets at most the cells an odd number
    below the top and the playable ones: without a four in there it never wins, and a threat of the follower's on one of
    its own cells wins in the end. With an odd number of empty cells and a threat of the follower's on a cell whose
    lower neighbour it leaves alone, the same holds for the rest of the board, and the leader runs out of moves.

    Args:
        leader: Stones of the side to move.
        mask: All stones.
        threats: Cells that win for the follower.
        even: Whether an even number of cells is empty.
        alpha: Lower bounds up to here are of no use.
        board: All cells.
        bottom: The lowest cells.
        leading: Cells an odd number below the top.
        height: Bits of a column.

    Returns:
        A lower bound of the follower's score, or -60.
    """
    one = np.uint64(1)
    none = np.uint64(0)
    empty = board ^ mask
    playable = (mask + bottom) & board
    best = -_UNKNOWN
    if even:
        best = 0
        own = threats & ~leading & ~playable
        while own != none:
            cell = own & (~own + one)
            own ^= cell
            best = max(best, 1 + _above(cell, board, bottom) // 2)
        if best > alpha and not has_four(leader | (empty & leading) | playable, height):
            return best
        return -_UNKNOWN
    own = threats & leading & ~playable
    while own != none:
        cell = own & (~own + one)
        own ^= cell
        value = 1 + _above(cell, board, bottom) // 2
        if value <= max(alpha, best):
            continue
        below = none
        down = cell
        while down & bottom == none:
            down >>= one
            below |= down
        column = below | (board & (_next_column(cell, bottom) - one) & ~(cell - one))
        theirs = (empty & leading & ~column) | (empty & ~leading & below)
        if not has_four(leader | theirs | playable, height):
            best = value
    return best


@kernel
def _next_column(cell: np.uint64, bottom: np.uint64) -> np.uint64:
    """The lowest cell of the column to the right, 0 in the last."""
    right = bottom & ~(cell | (cell - np.uint64(1)))
    return np.uint64(right & (~right + np.uint64(1)))


@kernel
def _above(cell: np.uint64, board: np.uint64, bottom: np.uint64) -> int:
    """How many cells of its column are above a cell."""
    here = cell | (cell - np.uint64(1))
    return int(popcount(board & (_next_column(cell, bottom) - np.uint64(1)) & ~here))


@kernel
def search(geometry: Words, table: Words, bits: Words, numbers: Ints, state: Ints, limit: int) -> bool:
    """Go on until the answer is in `state[RESULT]` or `state[NODES]` has reached the limit; returns whether it is.

    The answer is a lower bound of the score above `state[ALPHA]`, or an upper bound not above it. The position is in
    the frame of ply 0; its side to move has no win at once.
    """
    one = np.uint64(1)
    none = np.uint64(0)
    board, bottom, height, leading = geometry[BOARD], geometry[BOTTOM], geometry[HEIGHT], geometry[LEADING]
    columns = geometry[COLUMNS]
    end = ORDER + np.int64(columns)
    cells = np.int64(geometry[CELLS])
    shift = np.uint64(65) - popcount(np.uint64(len(table) - 1))
    first_alpha, stones = state[ALPHA], state[STONES]
    ply, nodes, entering = state[PLY], state[NODES], state[ENTERING] == 1
    value = 0
    while True:
        alpha = first_alpha if ply & 1 == 0 else -first_alpha - 1
        if entering:
            if nodes >= limit:
                state[PLY], state[NODES], state[ENTERING] = ply, nodes, 1
                return False
            nodes += 1
            entering = False
            left = cells - stones - ply
            pos, mask, theirs = bits[ply, POS], bits[ply, MASK], bits[ply, THEIRS]
            playable = (mask + bottom) & board
            wanted = playable & ~(theirs >> one)
            forced = theirs & playable
            if forced != none:
                wanted = wanted & forced if forced & (forced - one) == none else none
            if wanted == none:
                value = -(left // 2)
            elif left <= 2:
                value = 0
            elif (left - 1) // 2 <= alpha:
                value = (left - 1) // 2
            elif -((left - 2) // 2) > alpha:
                value = -((left - 2) // 2)
            else:
                value = _UNKNOWN
                hashed = none
                if wanted & (wanted - one) != none:
                    hashed = place(pos + mask, height, columns, left > _FOLD_LEFT)
                    known = probe(table, hashed, shift)
                    if known != none:
                        if lower(known) > alpha:
                            value = lower(known)
                        elif upper(known) <= alpha:
                            value = upper(known)
                if value == _UNKNOWN:
                    count = 0
                    for at in range(ORDER, end):
                        move = wanted & geometry[at]
                        if move == none:
                            continue
                        taken = mask | move
                        wins = winning_cells(pos | move, height) & (board ^ taken)
                        answers = (taken + bottom) & board
                        now = wins & answers
                        answers &= ~(wins >> one)
                        if now != none:
                            answers = answers & now if now & (now - one) == none else none
                        if answers == none:
                            value = (left - 1) // 2
                            break
                        if (left & 1 == 1 and alpha < 0) or wins & ~now != none:
                            sure = guaranteed(
                                pos ^ mask, taken, wins, left & 1 == 1, alpha, board, bottom, leading, height
                            )
                            if sure > alpha:
                                value = sure
                                break
                        # The one that threatens most comes first, of equals the inner one.
                        score = popcount(wins)
                        rank = count
                        while rank > 0 and popcount(bits[ply, WINS + rank - 1]) < score:
                            bits[ply, MOVES + rank] = bits[ply, MOVES + rank - 1]
                            bits[ply, WINS + rank] = bits[ply, WINS + rank - 1]
                            rank -= 1
                        bits[ply, MOVES + rank] = move
                        bits[ply, WINS + rank] = wins
                        count += 1
                    if value == _UNKNOWN:
                        if (left - 3) // 2 <= alpha:
                            value = (left - 3) // 2
                        elif count > 1 and left > _LOOK_LEFT:
                            for at in range(count):
                                child = (pos ^ mask) + (mask | bits[ply, MOVES + at])
                                known = probe(table, place(child, height, columns, left - 1 > _FOLD_LEFT), shift)
                                if known != none and -upper(known) > alpha:
                                    value = -upper(known)
                                    break
                        if value == _UNKNOWN:
                            bits[ply, HASH] = hashed
                            numbers[ply, COUNT] = count
                            numbers[ply, NEXT] = 0
                            numbers[ply, BEST] = -_UNKNOWN
                            numbers[ply, BEGAN] = nodes
                            entering = True
        else:
            # A score has come back from the ply below.
            if ply == 0:
                state[PLY], state[NODES], state[ENTERING], state[RESULT] = 0, nodes, 0, value
                return True
            ply -= 1
            alpha = -alpha - 1
            value = max(-value, numbers[ply, BEST])
            numbers[ply, BEST] = value
            if value <= alpha and numbers[ply, NEXT] < numbers[ply, COUNT]:
                entering = True
            elif bits[ply, HASH] != none:
                low = value if value > alpha else -_UNKNOWN
                high = value if value <= alpha else _UNKNOWN
                keep(table, bits[ply, HASH], shift, low, high, nodes - numbers[ply, BEGAN])
        if entering:
            at = numbers[ply, NEXT]
            numbers[ply, NEXT] = at + 1
            move = bits[ply, MOVES + at]
            bits[ply + 1, POS] = bits[ply, POS] ^ bits[ply, MASK]
            bits[ply + 1, MASK] = bits[ply, MASK] | move
            bits[ply + 1, THEIRS] = bits[ply, WINS + at]
            ply += 1


@kernel
def begin(geometry: Words, bits: Words, state: Ints, pos: np.uint64, mask: np.uint64) -> None:
    """Set a position up, its score between `state[LOW]` and `state[HIGH]`: as far as is plain at once."""
    height = geometry[HEIGHT]
    board = geometry[BOARD]
    other = pos ^ mask
    stones = np.int64(popcount(mask))
    left = np.int64(geometry[CELLS]) - stones
    bits[0, POS], bits[0, MASK] = pos, mask
    bits[0, THEIRS] = winning_cells(other, height) & (board ^ mask)
    state[STONES], state[PLY], state[ENTERING], state[NODES] = stones, 0, 0, 0
    playable = (mask + geometry[BOTTOM]) & board
    if has_four(other, height):
        state[LOW] = state[HIGH] = -((left + 2) // 2)
    elif winning_cells(pos, height) & playable != np.uint64(0):
        state[LOW] = state[HIGH] = (left + 1) // 2
    elif left == 0:
        state[LOW] = state[HIGH] = 0
    else:
        state[LOW], state[HIGH] = -(left // 2), (left - 1) // 2


@kernel
def narrow(geometry: Words, table: Words, bits: Words, numbers: Ints, state: Ints, limit: int) -> bool:
    """Go on until `state[LOW]` and `state[HIGH]` meet in the score; False when `state[NODES]` reaches the limit first."""
    while state[LOW] < state[HIGH]:
        low, high = state[LOW], state[HIGH]
        if state[PLY] == 0 and state[ENTERING] == 0:
            alpha = (low + high) >> 1
            # A bound far out is cheap to hold against the score: come to the middle from there.
            if alpha <= 0 and low < -1:
                alpha = min(alpha, -(-low // 2))
            elif alpha > 0:
                alpha = max(alpha, high // 2)
            state[ALPHA] = alpha
            state[ENTERING] = 1
        if not search(geometry, table, bits, numbers, state, limit):
            return False
        if state[RESULT] > state[ALPHA]:
            state[LOW] = min(max(low, state[RESULT]), high)
        else:
            state[HIGH] = max(min(high, state[RESULT]), low)
    return True


@kernel
def solve_many(
    geometry: Words,
    table: Words,
    bits: Words,
    numbers: Ints,
    state: Ints,
    positions: Words,
    scores: Ints,
    done: int,
    limit: int,
) -> int:
    """Score many positions, shape (n, 2), `pos` and `mask` each, into `scores`, shape (n,).

    Goes on after the first `done` of them, and with the one under way, for about `limit` nodes; returns how many are
    done. Finished games may be among them.
    """
    spent = 0
    while done < len(positions) and spent < limit:
        if state[UNDERWAY] == 0:
            begin(geometry, bits, state, positions[done, 0], positions[done, 1])
            state[UNDERWAY] = 1
        before = state[NODES]
        finished = narrow(geometry, table, bits, numbers, state, before + limit - spent)
        spent += state[NODES] - before
        if finished:
            state[UNDERWAY] = 0
            scores[done] = state[LOW]
            done += 1
    return done
