"""Evaluations of a position for one seat: `lines`, our own, and the three of the report.

All are incremental: `ai.connect4.board.board.make` keeps the lines' points or the run counts, and `evaluate` only puts them
together. Of `complex` and `only-best-opponent`, pairs that are compared component by component, the first component is
a multiple of `tables[UNIT]` and the second is added. Means are not divided: with n players every first component, and
`ibef2`, is n - 1 times the report's.
"""

from ai.connect4.board.board import (
    AXES,
    AXIS_MEMBERS,
    AXIS_OFFSETS,
    BLOCKED,
    COLUMNS,
    COUNT,
    COUNT_SHIFT,
    HEIGHTS,
    HEURISTIC,
    LINES,
    MEMBERS,
    OFFSETS,
    OWNER,
    PLAYERS,
    RUN_COUNTS,
    RUN_MASKS,
    RUN_SHIFTS,
    RUNS,
    SCORE,
    SEATS,
    SEATS_ROW,
    SHORT_OF_WIN,
    STONES,
    TEMPO,
    TO_MOVE,
    UNIT,
    WEIGHTS,
    Ints,
)
from ai.jit import kernel

BY_LINES, COMPLEX, IBEF2, ONLY_BEST_OPPONENT = range(4)
"""Numbers of `ai.connect4.board.board.HEURISTICS`."""
LIMIT = 900_000
"""Evaluations stay within this, far from any proved value."""


@kernel
def evaluate(tables: Ints, board: Ints, root: int) -> int:
    """How good the position looks to seat `root`, from -LIMIT to LIMIT."""
    players = tables[PLAYERS]
    heuristic = tables[HEURISTIC]
    value: int = 0
    if heuristic == BY_LINES:
        scores = SEATS + board[STONES] * SEATS_ROW + SCORE
        value = 2 * board[scores + root] + (tables[TEMPO] if board[TO_MOVE] == root else -tables[TEMPO])
        for seat in range(players):
            value -= board[scores + seat]
    elif heuristic == IBEF2:
        for seat in range(players):
            total = _powers(tables, board[RUNS + board[STONES] * 8 + seat], 1)
            value += total * (players - 1 if seat == root else -1)
    else:
        value = _longest_runs(tables, board, root, heuristic == COMPLEX)
    return max(-LIMIT, min(LIMIT, value))


@kernel
def promise(tables: Ints, board: Ints, seat: int, action: int) -> int:
    """What a stone of `seat` is worth at once: points of the lines it adds to, and of those it takes from others."""
    cell = board[HEIGHTS + action] * tables[COLUMNS] + action
    worth: int = 0
    for place in range(tables[OFFSETS + cell], tables[OFFSETS + cell + 1]):
        word = board[LINES + tables[MEMBERS + place]]
        if word & OWNER != BLOCKED:
            worth += tables[WEIGHTS + ((word >> COUNT_SHIFT) & COUNT) + 1]
    return worth


@kernel
def run_gain(tables: Ints, board: Ints, seat: int, action: int) -> int:
    """What a stone of `seat` that wins nothing adds to its sum of 8^k over its unblocked runs of k stones.

    To make a run longer is worth more than to begin one in each of four directions. For tables of a heuristic of runs.
    """
    cell = board[HEIGHTS + action] * tables[COLUMNS] + action
    gain: int = 0
    for place in range(tables[AXIS_OFFSETS + cell], tables[AXIS_OFFSETS + cell + 1]):
        axis = tables[AXIS_MEMBERS + place]
        content = RUN_COUNTS + (axis >> 32) + board[AXES + (axis & 0xFFFF) * 8 + seat]
        gain += _powers(tables, tables[content + ((axis >> 16) & 0xFFFF)], 3) - _powers(tables, tables[content], 3)
    return gain


@kernel
def _powers(tables: Ints, counts: int, bits: int) -> int:
    """Sum of 2^(bits * k) over the runs of k stones that a word counts."""
    total: int = 0
    for run in range(1, tables[SHORT_OF_WIN] + 1):
        total += ((counts >> tables[RUN_SHIFTS + run]) & tables[RUN_MASKS + run]) << (bits * run)
    return total


@kernel
def _longest_runs(tables: Ints, board: Ints, root: int, mean: bool) -> int:
    """The pair of `complex` (`mean`), or of `only-best-opponent`, as one number."""
    players = tables[PLAYERS]
    counts = RUNS + board[STONES] * 8
    own, number = _longest(tables, board[counts + root])
    first: int = (players - 1) << own
    best: int = 0
    best_number: int = 0
    for seat in range(players):
        if seat != root:
            length, times = _longest(tables, board[counts + seat])
            if mean:
                first -= 1 << length
                if length == own:
                    number -= times
            elif length > best:
                best, best_number = length, times
            elif length == best:
                best_number = max(times, best_number)
    if not mean:
        first -= (players - 1) << best
        if best == own:
            number -= best_number
    half = tables[UNIT] // 2 - 1
    value: int = first * tables[UNIT] + max(-half, min(half, number))
    return value


@kernel
def _longest(tables: Ints, counts: int) -> tuple[int, int]:
    """(length, number) of the longest unblocked runs; (0, 0) without any."""
    for run in range(tables[SHORT_OF_WIN], 0, -1):
        number = (counts >> tables[RUN_SHIFTS + run]) & tables[RUN_MASKS + run]
        if number != 0:
            return run, number
    return 0, 0
