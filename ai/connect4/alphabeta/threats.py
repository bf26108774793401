"""Threat-space search for two players: wins by threats alone, each of which the other can only answer in one way.

The attacker tries nothing but stones that threaten to win with the next one; the defender's answer is then the one
stone that stops it, so that only the attacker has choices and long wins are found among few positions (Allis, van den
Herik and Huntjens, *Go-Moku solved by new search techniques*, 1996; here with gravity the defence is a single cell). A
second threat at once, or an answer that opens the cell above it, wins. What is found is proved; what is not found may
still exist. Positions without such a win within a number of threats are kept in a small table.
"""

import numpy as np

from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints, make, undo
from ai.jit import kernel

TABLE_SIZE = 1 << 15
"""Numbers in the table: two for each entry."""
OUT_OF_NODES = -1
MOST_THREATS = 30


def new_table() -> Ints:
    """An empty table for the positions of one shape."""
    return np.zeros(TABLE_SIZE, np.int64)


@kernel
def _threatens(tables: Ints, board: Ints, attacker: int, action: int) -> bool:
    """Whether a stone of the attacker in the column makes a threat that can be carried out at once."""
    if (board[layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.ABOVE + attacker] >> action) & 1:
        return True
    columns = tables[layout.COLUMNS]
    height = board[layout.HEIGHTS + action]
    cell = height * columns + action
    for place in range(tables[layout.OFFSETS + cell], tables[layout.OFFSETS + cell + 1]):
        word = board[layout.LINES + tables[layout.MEMBERS + place]]
        if (
            word & layout.OWNER == attacker + 1
            and ((word >> layout.COUNT_SHIFT) & layout.COUNT) + 1 == tables[layout.SHORT_OF_WIN]
        ):
            target = (word >> layout.CELL_SHIFT) ^ cell
            column = target % columns
            if target // columns == board[layout.HEIGHTS + column] + (1 if column == action else 0):
                return True
    return False


@kernel
def _single(mask: int) -> int:
    """The column of a mask with a single one; -1 where it has none or more."""
    if mask == 0 or mask & (mask - 1) != 0:
        return -1
    column = 0
    while (mask >> column) & 1 == 0:
        column += 1
    return column


@kernel
def find_win(tables: Ints, board: Ints, table: Ints, threats: int, nodes: int, line: Ints) -> tuple[int, int]:
    """(plies, nodes): a win of the side to move by at most so many threats; its moves go into `line`.

    Plies are 0 where there is none, `OUT_OF_NODES` where `nodes` positions did not suffice. The defender's answers are
    the longest resistance, so it is won within so many plies. The board stays as it is.
    """
    attacker = board[layout.TO_MOVE]
    defender = 1 - attacker
    candidates = np.zeros(MOST_THREATS + 1, np.int64)
    first = board[layout.STONES]
    level = 0
    spent = 0
    found = 0
    entering = True
    while True:
        row = layout.SEATS + board[layout.STONES] * layout.SEATS_ROW
        if entering:
            spent += 1
            entering = False
            candidates[level] = 0
            if board[row + layout.NOW + attacker] != 0:
                winning = board[row + layout.NOW + attacker]
                column = 0
                while (winning >> column) & 1 == 0:
                    column += 1
                line[2 * level] = column
                found = 2 * level + 1
                break
            if spent >= nodes:
                found = OUT_OF_NODES
                break
            slot = (board[layout.KEYS] & ((TABLE_SIZE >> 1) - 1)) << 1
            if level < threats and not (table[slot] == board[layout.KEYS] and table[slot + 1] >= threats - level):
                danger = board[row + layout.NOW + defender]
                allowed = board[layout.LEGAL] & ~board[row + layout.ABOVE + defender]
                if danger != 0:
                    allowed = allowed & danger if danger & (danger - 1) == 0 else 0
                for action in range(tables[layout.COLUMNS]):
                    if (allowed >> action) & 1 and _threatens(tables, board, attacker, action):
                        candidates[level] |= np.int64(1) << action
                if candidates[level] == 0:
                    table[slot] = board[layout.KEYS]
                    table[slot + 1] = MOST_THREATS
        if candidates[level] == 0:
            slot = (board[layout.KEYS] & ((TABLE_SIZE >> 1) - 1)) << 1
            if table[slot] != board[layout.KEYS] or table[slot + 1] < threats - level:
                table[slot] = board[layout.KEYS]
                table[slot + 1] = threats - level
            if level == 0:
                break
            undo(tables, board)
            undo(tables, board)
            level -= 1
            continue
        action = 0
        while (candidates[level] >> action) & 1 == 0:
            action += 1
        candidates[level] &= ~(np.int64(1) << action)
        make(tables, board, action)
        now = board[layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.NOW + attacker]
        line[2 * level] = action
        if now & (now - 1) != 0:
            found = 2 * level + 3
            break
        answer = _single(now)
        if answer < 0:
            undo(tables, board)
            continue
        line[2 * level + 1] = answer
        make(tables, board, answer)
        level += 1
        entering = True
    if found > 0 and found == 2 * level + 3:
        # Two threats at once: one is stopped, the other is not.
        now = board[layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.NOW + attacker]
        stopped = 0
        while (now >> stopped) & 1 == 0:
            stopped += 1
        left = stopped + 1
        while (now >> left) & 1 == 0:
            left += 1
        line[2 * level + 1] = stopped
        line[2 * level + 2] = left
    while board[layout.STONES] > first:
        undo(tables, board)
    return found, spent
