"""Alpha-beta as one kernel call: the opponent and the master of `qlearning`, inside whole games that are kernels.

The search is that of `ai.connect4.alphabeta.search`, used as `ai.connect4.alphabeta.agent` uses it, at a small depth and with a
table that is emptied for every move, so that the moves of both are the same.
"""

import numpy as np

from ai.connect4.alphabeta import search as frame
from ai.connect4.alphabeta.heuristics import evaluate
from ai.connect4.alphabeta.search import Search, new_search, run
from ai.connect4.board import board as layout
from ai.connect4.board.board import Ints, make, undo
from ai.connect4.board.forced import safe_columns, winning_columns
from ai.connect4.board.xorshift import lowest
from ai.jit import kernel

_TABLE = 4 * 16
"""Numbers in the table: next to nothing, and quickly emptied."""
_ENOUGH = 1 << 40


def new_master(tables: Ints) -> Search:
    """A search for `master_move`."""
    return new_search(tables, np.zeros(_TABLE, np.int64))


@kernel
def _sort(search: Search, count: int, first: int) -> None:
    """Sort the moves of the root by their values, the highest first; `first` goes to the front, equals stay."""
    moves, values = search.moves, search.root_values
    for at in range(1, count):
        move = moves[0, at]
        place = at
        while place > 0 and (
            move == first or (moves[0, place - 1] != first and values[moves[0, place - 1]] < values[move])
        ):
            moves[0, place] = moves[0, place - 1]
            place -= 1
        moves[0, place] = move


@kernel
def master_move(tables: Ints, board: Ints, search: Search, depth: int) -> int:
    """The move of alpha-beta at that depth for the seat to move; `search` is from `new_master`.

    Wins are taken, and where nothing helps a threat is blocked, without a search.
    """
    winning = winning_columns(board)
    player = board[layout.TO_MOVE]
    if winning != 0:
        return lowest(winning)
    following = player + 1 if player + 1 < tables[layout.PLAYERS] else 0
    threats = board[layout.SEATS + board[layout.STONES] * layout.SEATS_ROW + layout.NOW + following]
    safe = safe_columns(tables, board)
    if safe == 0:
        return lowest(threats if threats != 0 else board[layout.LEGAL])
    if safe & (safe - 1) == 0:
        return lowest(safe)
    state, frames = search.state, search.frames
    count = 0
    for column in range(tables[layout.COLUMNS]):
        if (safe >> column) & 1:
            make(tables, board, column)
            search.root_values[column] = evaluate(tables, board, player)
            undo(tables, board)
            search.moves[0, count] = column
            count += 1
    _sort(search, count, -1)
    search.table[:] = 0
    search.history[:] = 0
    search.killers[:] = -1
    state[frame.NODES] = 0
    state[frame.ROOT] = player
    state[frame.WIDE] = 1
    best = search.moves[0, 0]
    for searched in range(1, min(depth, tables[layout.CELLS] - board[layout.STONES]) + 1):
        frames[0, :] = 0
        frames[0, frame.ALPHA] = frames[0, frame.FLOOR] = frames[0, frame.BEST] = -frame.INFINITE
        frames[0, frame.BETA] = frame.INFINITE
        frames[0, frame.BEST_MOVE] = search.moves[0, 0]
        frames[0, frame.COUNT] = count
        frames[0, frame.DEPTH] = searched
        state[frame.PLY] = 0
        state[frame.MODE] = frame.NEXT
        run(tables, board, search, _ENOUGH)
        best = frames[0, frame.BEST_MOVE]
        if abs(frames[0, frame.BEST]) >= frame.DECIDED:
            break
        _sort(search, count, best)
    return int(best)
