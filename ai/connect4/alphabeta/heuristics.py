"""Evaluations of a position for one seat: `lines`, our own, and the three of the report.

All are incremental: `ai.connect4.board.board.make` keeps the lines' points or the run counts, and `evaluate` only puts them
together. Of `complex` and `only-best-opponent`, pairs that are compared component by component, the first component is
a multiple of `tables[UNIT]` and the second is added. Means are not divided: with n players every first component, and
`ibef2`, is n - 1 times the report's.
"""

from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints
from ai.jit import kernel

BY_LINES, COMPLEX, IBEF2, ONLY_BEST_OPPONENT = range(4)
"""Numbers of `ai.connect4.board.board.HEURISTICS`."""
LIMIT = 900_000
"""Evaluations stay within this, far from any proved value."""


@kernel
def evaluate(tables: Ints, board: Ints, root: int) -> int:
    """How good the position looks to seat `root`, from -LIMIT to LIMIT."""
    players = tables[layout.PLAYERS]
    heuristic = tables[layout.HEURISTIC]
    value: int = 0
    if heuristic == BY_LINES:
        scores = layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.SCORE
        value = 2 * board[scores + root] + (
            tables[layout.TEMPO] if board[layout.TO_MOVE] == root else -tables[layout.TEMPO]
        )
        for seat in range(players):
            value -= board[scores + seat]
    elif heuristic == IBEF2:
        for seat in range(players):
            total = _powers(tables, board[layout.RUNS + board[layout.STONES] * 8 + seat], 1)
            value += total * (players - 1 if seat == root else -1)
    else:
        value = _longest_runs(tables, board, root, heuristic == COMPLEX)
    return max(-LIMIT, min(LIMIT, value))


@kernel
def promise(tables: Ints, board: Ints, seat: int, action: int) -> int:
    """What a stone of `seat` is worth at once: points of the lines it adds to, and of those it takes from others."""
    cell = board[layout.HEIGHTS + action] * tables[layout.COLUMNS] + action
    worth: int = 0
    for place in range(tables[layout.OFFSETS + cell], tables[layout.OFFSETS + cell + 1]):
        word = board[layout.LINES + tables[layout.MEMBERS + place]]
        if word & layout.OWNER != layout.BLOCKED:
            worth += tables[layout.WEIGHTS + ((word >> layout.COUNT_SHIFT) & layout.COUNT) + 1]
    return worth


@kernel
def run_gain(tables: Ints, board: Ints, seat: int, action: int) -> int:
    """What a stone of `seat` that wins nothing adds to its sum of 8^k over its unblocked runs of k stones.

    To make a run longer is worth more than to begin one in each of four directions. For tables of a heuristic of runs.
    """
    cell = board[layout.HEIGHTS + action] * tables[layout.COLUMNS] + action
    gain: int = 0
    for place in range(tables[layout.AXIS_OFFSETS + cell], tables[layout.AXIS_OFFSETS + cell + 1]):
        axis = tables[layout.AXIS_MEMBERS + place]
        content = layout.RUN_COUNTS + (axis >> 32) + board[layout.AXES + (axis & 0xFFFF) * 8 + seat]
        gain += _powers(tables, tables[content + ((axis >> 16) & 0xFFFF)], 3) - _powers(tables, tables[content], 3)
    return gain


@kernel
def _powers(tables: Ints, counts: int, bits: int) -> int:
    """Sum of 2^(bits * k) over the runs of k stones that a word counts."""
    total: int = 0
    for run in range(1, tables[layout.SHORT_OF_WIN] + 1):
        total += ((counts >> tables[layout.RUN_SHIFTS + run]) & tables[layout.RUN_MASKS + run]) << (bits * run)
    return total


@kernel
def _longest_runs(tables: Ints, board: Ints, root: int, mean: bool) -> int:
    """The pair of `complex` (`mean`), or of `only-best-opponent`, as one number."""
    players = tables[layout.PLAYERS]
    counts = layout.RUNS + board[layout.STONES] * 8
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
    half = tables[layout.UNIT] // 2 - 1
    value: int = first * tables[layout.UNIT] + max(-half, min(half, number))
    return value


@kernel
def _longest(tables: Ints, counts: int) -> tuple[int, int]:
    """(length, number) of the longest unblocked runs; (0, 0) without any."""
    for run in range(tables[layout.SHORT_OF_WIN], 0, -1):
        number = (counts >> tables[layout.RUN_SHIFTS + run]) & tables[layout.RUN_MASKS + run]
        if number != 0:
            return run, number
    return 0, 0
