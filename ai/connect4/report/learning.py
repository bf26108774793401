"""Q-learning as whole games in one kernel: the learner in one seat, weakened alpha-beta in all others.

The report's rules: an update spans the learner's move and all replies to it,

    Q(s, a) += alpha * (r + gamma * max Q(s', a') - Q(s, a))

with r = -1 for a move after which the game goes on. A win is worth 500, a loss -500 plus the moves survived, a draw
-200, each with nothing after it. Where the learner explores, it plays at random, or what a master says (alpha-beta);
exploring fades out linearly. Among equal values, so in every new state, it chooses at random.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.alphabeta.search import Search
from ai.connect4.board.board import CELLS, COLUMNS, LEGAL, STONES, TO_MOVE, Ints, make, undo
from ai.connect4.board.forced import winning_columns
from ai.connect4.board.xorshift import Luck, chance, new_luck, next_random, random_column, reseed
from ai.connect4.report.master import master_move
from ai.connect4.report.state import Keys, Values, find_state, state_key
from ai.jit import kernel

RECENT = 1_000
"""Games whose results are remembered."""
WIN, LOSS, DRAW, MOVE = 500.0, -500.0, -200.0, -1.0

# Progress.head
GAMES, STATES, WON, DRAWN, UPDATES = range(5)
# Rules.whole
SEAT, DEPTH, MASTER, SEED = range(4)
# Rules.shares
ALPHA, GAMMA, EXPLORE, FADING, WEAKNESS = range(5)


class Table(NamedTuple):
    """Open addressing, see `ai.connect4.report.state`."""

    keys: Keys
    """(places,)"""
    values: Values
    """(places, columns)"""
    visits: Ints
    """(places,) how often the learner was to move there."""


class Rules(NamedTuple):
    """What does not change while it learns."""

    whole: Ints
    """(4,) the learner's seat, plies of alpha-beta, whether there is a master, the seed."""
    shares: npt.NDArray[np.float64]
    """(5,) alpha, gamma, exploration at first, games until it has faded, probability of a random move of others."""


class Progress(NamedTuple):
    """What is counted; and the generator, which every game seeds anew from the seed and its number."""

    head: Ints
    """(5,) games, states known, games won, games drawn, updates."""
    results: Ints
    """(RECENT,) of the last games, by number: 1 won, 0 drawn, -1 lost."""
    luck: Luck


def new_progress() -> Progress:
    """Nothing played yet."""
    return Progress(np.zeros(5, np.int64), np.zeros(RECENT, np.int64), new_luck(0))


def new_table(places: int, columns: int) -> Table:
    """An empty table; `places` is a power of two."""
    return Table(np.zeros(places, np.uint64), np.zeros((places, columns), np.float32), np.zeros(places, np.int64))


@kernel
def best_column(values: Values, slot: int, legal: int, luck: Luck) -> int:
    """The legal column of the highest value, one at random among equals."""
    best = np.float32(-np.inf)
    equals = np.int64(0)
    columns = values.shape[1]
    for column in range(columns):
        if (legal >> column) & 1:
            if values[slot, column] > best:
                best = values[slot, column]
                equals = np.int64(0)
            if values[slot, column] == best:
                equals |= np.int64(1) << column
    return random_column(int(equals), columns, luck)


@kernel
def learn(
    tables: Ints,
    board: Ints,
    signatures: Ints,
    search: Search,
    table: Table,
    rules: Rules,
    progress: Progress,
    games: int,
) -> None:
    """Play and learn `games` games from the position on the board, which stays as it is.

    The table needs a free place for every move of the learner.
    """
    keys, values, visits = table.keys, table.values, table.visits
    whole, shares, head, luck = rules.whole, rules.shares, progress.head, progress.luck
    cells, columns, start = tables[CELLS], tables[COLUMNS], board[STONES]
    alpha, gamma = np.float32(shares[ALPHA]), np.float32(shares[GAMMA])
    for _ in range(games):
        reseed(luck, np.uint64(whole[SEED]) * np.uint64(0xD1342543DE82EF95) + np.uint64(head[GAMES]))
        next_random(luck)
        next_random(luck)
        explore = shares[EXPLORE] * max(0.0, 1.0 - head[GAMES] / shares[FADING])
        slot = -1
        action = 0
        own = 0
        result = 0
        while True:
            player = board[TO_MOVE]
            if player == whole[SEAT]:
                key = state_key(tables, board, signatures)
                found = find_state(keys, key)
                if keys[found] == np.uint64(0):
                    keys[found] = key
                    head[STATES] += 1
                if slot >= 0:
                    best = np.float32(-np.inf)
                    for column in range(columns):
                        if (board[LEGAL] >> column) & 1:
                            best = max(best, values[found, column])
                    error = np.float32(MOVE) + gamma * best - values[slot, action]
                    values[slot, action] += alpha * error
                    head[UPDATES] += 1
                slot = found
                visits[slot] += 1
                own += 1
                if chance(luck) >= explore:
                    action = best_column(values, slot, board[LEGAL], luck)
                elif whole[MASTER] != 0:
                    action = master_move(tables, board, search, whole[DEPTH])
                else:
                    action = random_column(board[LEGAL], columns, luck)
                move = action
            elif chance(luck) < shares[WEAKNESS]:
                move = random_column(board[LEGAL], columns, luck)
            else:
                move = master_move(tables, board, search, whole[DEPTH])
            if (winning_columns(board) >> move) & 1:
                result = 1 if player == whole[SEAT] else -1
                break
            if board[STONES] + 1 == cells:
                break
            make(tables, board, move)
        if slot >= 0:
            reward = np.float32(WIN if result > 0 else (DRAW if result == 0 else LOSS + own))
            values[slot, action] += alpha * (reward - values[slot, action])
            head[UPDATES] += 1
        while board[STONES] > start:
            undo(tables, board)
        progress.results[head[GAMES] % RECENT] = result
        head[WON] += result > 0
        head[DRAWN] += result == 0
        head[GAMES] += 1
