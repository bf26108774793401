"""How an n-tuple network for connect-4 learns: from its own games, and from exact labels.

Every weight has a learning rate of its own, |sum of its errors| / sum of their sizes: *temporal coherence* (Beal, Smith:
Temporal Coherence and Prediction Decay in TD Learning, 1999). The error of a value tanh(sum) changes the sum directly, as
in logistic regression. A seat's value is 1 for a win, -1 for a loss and 2 / players - 1 for a draw.

A game is learned from its end, each value towards the λ-return after it. With two players that is minus what the other
one's next position is worth to it; with more, what the same seat's own next position is worth. After a random move
the best one's value stands in for it.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.connect4.exact.bitboard import Words
from ai.connect4.ntuple import network as entry
from ai.connect4.ntuple.network import Board, Ints, put, total, totals, wins
from ai.jit import kernel
from ai.random import random_word

Learned = npt.NDArray[np.float32]
"""(weights, 3): weight, sum of its errors, sum of their sizes."""
Counts = npt.NDArray[np.int64]
GAMES, MOVES, FIRST_WINS, DRAWS = range(4)


class Rule(NamedTuple):
    """How it plays and learns."""

    alpha: float
    """Learning rate of a whole value, at full coherence."""
    decay: float
    """λ."""
    explore: float
    """Share of random moves."""
    opening: int
    """A game begins with 0 to so many random moves."""


@kernel
def update(learned: Learned, where: Ints, base: int, error: np.float32, alpha: np.float32) -> None:
    """Move the sum of the weights at `where` by `alpha * error`, as far as they are coherent."""
    rate = alpha * error / np.float32(len(where))
    size = abs(error)
    for index in where:
        place = base + index
        signed, unsigned = learned[place, 1], learned[place, 2]
        step = rate
        if unsigned > np.float32(0.0):
            step *= abs(signed) / unsigned
        learned[place, 0] += step
        learned[place, 1] = signed + error
        learned[place, 2] = unsigned + size


@kernel
def play_games(board: Board, learned: Learned, rule: Rule, games: int, draws: Words, counts: Counts) -> float:
    """Play and learn some games.

    Args:
        board: The board and its tuples.
        learned: Changed.
        rule: How.
        games: So many.
        draws: (1,): state of the random numbers.
        counts: Games, moves, wins of the first seat and draws so far.

    Returns:
        The sum of all |errors|.
    """
    players, cells, columns = board.head[entry.PLAYERS], board.head[entry.CELLS], board.head[entry.COLUMNS]
    rows, tuples, size = board.head[entry.ROWS], board.head[entry.TUPLES], board.head[entry.SIZE]
    where = np.empty((players, tuples), np.int32)
    seen = np.empty((cells, tuples), np.int32)
    worth = np.empty(cells, np.float32)
    best = np.empty(cells, np.float32)
    stones = np.empty(cells, np.int32)
    heights = np.empty(columns, np.int32)
    before = np.empty(tuples, np.float32)
    values = np.empty(columns, np.float32)
    decay, alpha = np.float32(rule.decay), np.float32(rule.alpha)
    drawn = np.float32(2.0 / players - 1.0)
    errors = 0.0
    for _ in range(games):
        for viewer in range(players):
            where[viewer] = board.begun
        stones[:] = 0
        heights[:] = 0
        winner = -1
        ply = 0
        opening = int(chance(draws) * (rule.opening + 1))
        while ply < cells and winner < 0:
            seat = ply % players
            base = seat * size
            known = np.float32(0.0)
            for number in range(tuples):
                before[number] = learned[base + where[seat, number], 0]
                known += before[number]
            chosen = -1
            legal = 0
            for column in range(columns):
                if heights[column] == rows:
                    continue
                legal += 1
                cell = heights[column] * columns + column
                if wins(board, stones, cell, seat):
                    values[column] = 2.0
                elif ply + 1 == cells:
                    values[column] = drawn
                else:
                    values[column] = np.tanh(known + totals(board, learned, where[seat], cell, base, before))
                if chosen < 0 or values[column] > values[chosen]:
                    chosen = column
            best[ply] = min(values[chosen], np.float32(1.0))
            if values[chosen] <= 1.0 and (ply < opening or chance(draws) < rule.explore):
                skip = int(chance(draws) * legal)
                for column in range(columns):
                    if heights[column] < rows:
                        if skip == 0:
                            chosen = column
                        skip -= 1
            if values[chosen] > 1.0:
                winner = seat
            worth[ply] = min(values[chosen], np.float32(1.0))
            cell = heights[chosen] * columns + chosen
            put(board, where, cell, seat)
            stones[cell] = seat + 1
            heights[chosen] += 1
            seen[ply] = where[seat]
            ply += 1
        counts[GAMES] += 1
        counts[MOVES] += ply
        counts[FIRST_WINS] += winner == 0
        counts[DRAWS] += winner < 0
        # `best` becomes what a position is worth to the seat that moved before it, the λ-return of the ply.
        step = 1 if players == 2 else players
        for back in range(ply):
            at = ply - 1 - back
            if at + step < ply:
                target = -best[at + 1] if players == 2 else best[at + step]
            elif at == ply - 1 or winner < 0:
                target = worth[ply - 1] if winner >= 0 else drawn
            else:
                target = np.float32(-1.0)
            if at < ply - 1:
                base = (at % players) * size
                error = target - np.tanh(total(learned, seen[at], base))
                errors += abs(error)
                update(learned, seen[at], base, error, alpha)
            if worth[at] == best[at]:
                best[at] = (np.float32(1.0) - decay) * worth[at] + decay * target
    return errors


@kernel
def chance(draws: Words) -> float:
    """A number from 0 up to 1."""
    return float(random_word(draws) >> np.uint64(11)) / 9007199254740992.0


@kernel
def learn_labels(
    board: Board,
    learned: Learned,
    positions: Words,
    signs: npt.NDArray[np.int8],
    alpha: float,
    choice: float,
    tally: npt.NDArray[np.float64],
) -> None:
    """Learn exactly labelled positions of a flat board for two, in the form of `ai.connect4.exact.labels`.

    Every column is learned as a value; beside that as a choice: the columns that keep what the position is worth
    against the others, as a softmax over the sums of all columns.

    Args:
        board: The board and its tuples.
        learned: Changed where `alpha` is not 0.
        positions: (n, 2).
        signs: (n, columns): 1, 0, -1; anything else is not learned.
        alpha: Learning rate.
        choice: Weight of the choice's error beside the value's.
        tally: (4,): grows by positions and those where the best value keeps what they are worth (of those whose
            columns are all known), columns and their |errors|.
    """
    rows, columns, tuples = board.head[entry.ROWS], board.head[entry.COLUMNS], board.head[entry.TUPLES]
    size = board.head[entry.SIZE]
    one = np.uint64(1)
    where = np.empty((2, tuples), np.int32)
    after = np.empty(tuples, np.int32)
    before = np.empty(tuples, np.float32)
    sums = np.empty(columns, np.float32)
    heights = np.empty(columns, np.int32)
    for number in range(len(positions)):
        mine, mask = positions[number, 0], positions[number, 1]
        where[0] = board.begun
        where[1] = board.begun
        count = 0
        for column in range(columns):
            heights[column] = 0
            for row in range(rows):
                bit = one << np.uint64(column * (rows + 1) + row)
                if mask & bit == np.uint64(0):
                    break
                put(board, where, row * columns + column, 0 if mine & bit != np.uint64(0) else 1)
                heights[column] += 1
                count += 1
        base = (count % 2) * size
        known = np.float32(0.0)
        for at in range(tuples):
            before[at] = learned[base + where[0, at], 0]
            known += before[at]
        most, top, whole = -2, -1, True
        largest = np.float32(-1e9)
        for column in range(columns):
            sign = signs[number, column]
            if heights[column] == rows:
                continue
            if sign < -1 or sign > 1:
                whole = False
                continue
            cell = heights[column] * columns + column
            sums[column] = known + totals(board, learned, where[0], cell, base, before)
            if sums[column] > largest:
                largest, top = sums[column], column
            most = max(most, sign)
        if top < 0:
            continue
        if whole:
            tally[0] += 1
            tally[1] += signs[number, top] == most
        good = all_of = np.float32(0.0)
        for column in range(columns):
            sign = signs[number, column]
            if heights[column] < rows and -1 <= sign <= 1:
                part = np.exp(sums[column] - largest)
                all_of += part
                if sign == most:
                    good += part
        for column in range(columns):
            sign = signs[number, column]
            if heights[column] == rows or sign < -1 or sign > 1:
                continue
            error = np.float32(sign) - np.tanh(sums[column])
            tally[2] += 1
            tally[3] += abs(error)
            if alpha == 0.0:
                continue
            part = np.exp(sums[column] - largest)
            push = -part / all_of
            if sign == most and good > np.float32(0.0):
                push += part / good
            error += np.float32(choice) * push
            after[:] = where[0]
            cell = heights[column] * columns + column
            for at in range(board.first[cell], board.first[cell + 1]):
                after[board.touched[at, 0]] += board.touched[at, 1] + board.touched[at, 2]
            update(learned, after, base, error, np.float32(alpha))
