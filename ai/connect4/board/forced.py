"""What must be played: the columns that do not lose to the next seat at once. Exact, read from the board's masks."""

from ai.connect4.board.board import ABOVE, LEGAL, NOW, PLAYERS, SEATS, SEATS_ROW, STONES, TO_MOVE, Ints
from ai.jit import kernel


@kernel
def winning_columns(board: Ints) -> int:
    """Mask of the columns with which the seat to move wins."""
    return int(board[SEATS + board[STONES] * SEATS_ROW + NOW + board[TO_MOVE]])


@kernel
def safe_columns(tables: Ints, board: Ints) -> int:
    """Mask of the columns after which the next seat cannot win at once; empty where there is none.

    Wins of the seat to move are not looked at: ask `winning_columns` first.
    """
    following = board[TO_MOVE] + 1 if board[TO_MOVE] + 1 < tables[PLAYERS] else 0
    seats = SEATS + board[STONES] * SEATS_ROW
    threats = board[seats + NOW + following]
    safe = board[LEGAL] & ~board[seats + ABOVE + following]
    if threats != 0:
        safe = 0 if threats & (threats - 1) != 0 else safe & threats
    return int(safe)
