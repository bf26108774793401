"""Games played on to their end, for `mcts`: a lean copy of the board that is never undone.

A playout needs neither keys nor scores nor what undoing would need, so that it works on a short copy of
`ai.connect4.board.board`: the words of the lines, and for each cell the set of seats for whom it is a threat.
"""

import numpy as np

from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints
from ai.connect4.board.xorshift import Luck, random_column
from ai.jit import kernel

DRAW = 6
"""What a playout answers when nobody wins, instead of a seat."""

# The copy: heights, masks of the seats (winning columns, columns won from above), threats of cells, lines.
_OWN_NOW = 64
_OWN_ABOVE = 70
_OWN_THREATS = 80
_OWN_LINES = _OWN_THREATS + 512 + 2 * 64
"""Two rows more than a board has stand above the cells, so that the cells above a full column can be read."""


def new_scratch(lines: int) -> Ints:
    """Room for one playout on a board of so many lines."""
    return np.zeros(_OWN_LINES + lines, np.int64)


@kernel
def playout(tables: Ints, board: Ints, scratch: Ints, luck: Luck, forced: bool) -> int:
    """Play on to the end of the game; the board stays as it is.

    Args:
        tables: Of the shape.
        board: A position that goes on.
        scratch: From `new_scratch`.
        luck: The generator.
        forced: Wins are taken, threats of the next seat blocked, and no win is handed to it; else every move is
            uniformly random.

    Returns:
        The seat that wins, or `DRAW`.
    """
    rows, columns, cells = tables[layout.ROWS], tables[layout.COLUMNS], tables[layout.CELLS]
    players, short_of_win = tables[layout.PLAYERS], tables[layout.SHORT_OF_WIN]
    lines = len(scratch) - _OWN_LINES
    first_line = _OWN_LINES
    stones = board[layout.STONES]
    seats = layout.SEATS + stones * layout.SEATS_ROW
    for column in range(columns):
        scratch[column] = board[layout.HEIGHTS + column]
    for seat in range(players):
        scratch[_OWN_NOW + seat] = board[seats + layout.NOW + seat]
        scratch[_OWN_ABOVE + seat] = board[seats + layout.ABOVE + seat]
    for cell in range(cells):
        scratch[_OWN_THREATS + cell] = 0
    for seat in range(players):
        for cell in range(cells):
            scratch[_OWN_THREATS + cell] |= np.int64(board[layout.THREATS + seat * 512 + cell] > 0) << seat
    for cell in range(cells, cells + 2 * columns):
        scratch[_OWN_THREATS + cell] = 0
    for line in range(lines):
        scratch[first_line + line] = board[layout.LINES + line]
    legal = board[layout.LEGAL]
    player = board[layout.TO_MOVE]
    while True:
        following = player + 1 if player + 1 < players else 0
        winning = scratch[_OWN_NOW + player]
        candidates = legal
        if forced:
            if winning != 0:
                return int(player)
            threats = scratch[_OWN_NOW + following]
            candidates &= ~scratch[_OWN_ABOVE + following]
            if threats != 0:
                candidates = 0 if threats & (threats - 1) != 0 else candidates & threats
            if candidates == 0:
                return int(following)
        action = random_column(candidates, columns, luck)
        if (winning >> action) & 1:
            return int(player)
        stones += 1
        if stones == cells:
            return DRAW
        height = scratch[action]
        cell = height * columns + action
        scratch[action] = height + 1
        bit = np.int64(1) << action
        if height + 1 == rows:
            legal &= ~bit
        placed = (player + 1) + layout.ONE_STONE
        emptied = cell << layout.CELL_SHIFT
        for place in range(tables[layout.OFFSETS + cell], tables[layout.OFFSETS + cell + 1]):
            at = first_line + tables[layout.MEMBERS + place]
            word = scratch[at]
            owner = word & layout.OWNER
            # No branches but the rare one: who owns a line cannot be predicted.
            mine = (owner == 0) | (owner == player + 1)
            word = ((word - owner + placed) ^ emptied) if mine else layout.BLOCKED
            scratch[at] = word
            if (word >> layout.COUNT_SHIFT) & layout.COUNT == short_of_win:
                target = word >> layout.CELL_SHIFT
                scratch[_OWN_THREATS + target] |= np.int64(1) << player
                row = target // columns
                column = target - row * columns
                if row == scratch[column]:
                    scratch[_OWN_NOW + player] |= np.int64(1) << column
                elif row == scratch[column] + 1:
                    scratch[_OWN_ABOVE + player] |= np.int64(1) << column
        landing = scratch[_OWN_THREATS + cell + columns]
        above = scratch[_OWN_THREATS + cell + 2 * columns]
        for seat in range(players):
            scratch[_OWN_NOW + seat] = (scratch[_OWN_NOW + seat] & ~bit) | (((landing >> seat) & 1) << action)
            scratch[_OWN_ABOVE + seat] = (scratch[_OWN_ABOVE + seat] & ~bit) | (((above >> seat) & 1) << action)
        player = following
