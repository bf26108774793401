"""The inner loop of LRTA* (Korf 1990).

From every position it takes the step to the neighbour that promises the cheapest rest, and before that the position
learns that it is at least as far away as this. What is learned is kept from trial to trial. It never exceeds the true
distance, as the lower bound does not, so later trials begin to know better; a trial ends where it has not come nearer
for a while.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.random import Stream, below
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Ints, Longs, Shorts, Words
from ai.sokoban.search import unfolding as way
from ai.sokoban.search.hashing import locate
from ai.sokoban.search.options import Options
from ai.sokoban.search.scratch import Scratch
from ai.sokoban.search.unfolding import Pool, States, unfold, whole_word

# Places in `meta`.
STEPS = 0  # steps of this trial
STALE = 1  # of them since it was nearest
NEAREST = 2  # smallest lower bound of this trial
TRIAL = 3  # trials before this one
SINCE = 4  # of them after the first solution
LENGTH = 5  # steps of the best solution, 0 for none
VISITED = 6  # steps of all trials
GENERATED = 7  # ways on looked at
LEARNED = 8  # positions in the table
BEST = 9  # smallest lower bound of a position visited
FIRST_AT = 10  # `VISITED` when the first solution was found
META = 11

# Answers of a slice.
GO_ON, OVER, NEED_POOL, NEED_TABLE, AT_LIMIT = range(5)

# Columns of a trail.
ACTION, BEFORE, AFTER = range(3)


class Memory(NamedTuple):
    """What a search has learned and where it is."""

    words: Words
    """A power of two long: hash table of positions; 0 is free."""
    values: Ints
    """Of the same length: what the rest costs at least."""
    here: States
    """Where it is, and in row 1 the start."""
    trail: Ints
    """Shape (steps, 3): the steps of this trial."""
    solution: Ints
    """Shape (steps, 3): those of the shortest that solved the level."""
    shown: Shorts
    """Shape (n,): boxes of the position with the smallest lower bound."""
    chance: Stream


class Settings(NamedTuple):
    """What LRTA* is told."""

    stale: int
    """Steps without coming nearer that end a trial."""
    length: int
    """Steps of a trial at most."""
    restarts: int
    """Trials after the first one at most."""
    extra: int
    """Trials after a solution at most."""
    limit: int
    """Ways on looked at, at most."""


@kernel
def relearn(old_words: Words, old_values: Ints, words: Words, values: Ints) -> None:
    """Copy a table into a larger one."""
    for place in range(len(old_words)):
        if old_words[place] != np.uint64(0):
            to = locate(words, old_words[place])
            words[to], values[to] = old_words[place], old_values[place]


@kernel
def learning_slice(
    ground: Ground,
    options: Options,
    settings: Settings,
    memory: Memory,
    pool: Pool,
    scratch: Scratch,
    numbers: Longs,
    meta: Longs,
    budget: int,
) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    `memory` is what it has learned, `pool` has the ways on from the position where it is, and `meta`, shape (META,), keeps the
    numbers above between slices; the others are as for `unfold`.
    """
    here, words, values, rows, zobrist = memory.here, memory.words, memory.values, pool.rows, ground.words
    places, bounds, box_words, way_words = here.places, here.bounds, here.words, pool.words
    shown, chance, trail, solution = memory.shown, memory.chance, memory.trail, memory.solution
    size = len(ground.colour)
    players = places.shape[1] - size
    while budget > 0:
        if numbers[way.AT] == 0:
            budget = unfold(ground, options, here, 1, pool, scratch, numbers, budget)
            if numbers[way.AT] == 0:
                return GO_ON if budget <= 0 else NEED_POOL
        if 2 * (meta[LEARNED] + 1) > len(words):
            return NEED_TABLE
        count = numbers[way.POOL]
        meta[GENERATED] += count
        least, ties, chosen = np.int64(FAR), 0, -1
        for row in range(count):
            word = whole_word(way_words[row], rows[row, way.FIRST], rows[row, way.SECOND], zobrist)
            place = locate(words, word)
            value = np.int64(rows[row, way.BOUND])
            if words[place] == word:
                value = max(value, np.int64(values[place]))
            value = min(value + rows[row, way.COST], np.int64(FAR))
            if value < least:
                least, ties, chosen = value, 1, row
            elif value == least and value < FAR:
                ties += 1
                if below(chance, ties) == 0:
                    chosen = row
        budget -= 16 * count
        second = np.int64(places[0, size + 1]) if players == 2 else np.int64(-1)
        word = whole_word(box_words[0], np.int64(places[0, size]), second, zobrist)
        place = locate(words, word)
        if words[place] != word:
            words[place], values[place] = word, bounds[0]
            meta[LEARNED] += 1
        values[place] = max(np.int64(values[place]), least)
        done = chosen < 0 or meta[STEPS] >= settings.length or meta[STALE] >= settings.stale
        done = done or (meta[LENGTH] > 0 and meta[STEPS] + least >= meta[LENGTH])
        if not done:
            step = meta[STEPS]
            trail[step, ACTION] = rows[chosen, way.ACTION]
            trail[step, BEFORE], trail[step, AFTER] = rows[chosen, way.BEFORE], rows[chosen, way.AFTER]
            meta[STEPS] += 1
            meta[VISITED] += 1
            if rows[chosen, way.SLOT] >= 0:
                places[0, rows[chosen, way.SLOT]] = rows[chosen, way.AFTER]
            places[0, size] = rows[chosen, way.FIRST]
            if players == 2:
                places[0, size + 1] = rows[chosen, way.SECOND]
            bounds[0], box_words[0] = rows[chosen, way.BOUND], way_words[chosen]
            bound = np.int64(bounds[0])
            meta[STALE] += 1
            if bound < meta[NEAREST]:
                meta[NEAREST], meta[STALE] = bound, 0
            if bound < meta[BEST]:
                meta[BEST] = bound
                for column in range(size):
                    shown[column] = places[0, column]
            if bound == 0:
                done = True
                meta[LENGTH] = meta[STEPS]
                for step in range(meta[STEPS]):
                    for column in range(3):
                        solution[step, column] = trail[step, column]
                if meta[FIRST_AT] == 0:
                    meta[FIRST_AT] = meta[VISITED]
                    meta[SINCE] = -1
        numbers[way.AT] = numbers[way.POOL] = 0
        if meta[GENERATED] >= settings.limit:
            return AT_LIMIT
        if done:
            meta[TRIAL] += 1
            meta[SINCE] += meta[LENGTH] > 0
            second = np.int64(places[1, size + 1]) if players == 2 else np.int64(-1)
            start = values[locate(words, whole_word(box_words[1], np.int64(places[1, size]), second, zobrist))]
            if start >= FAR or (meta[LENGTH] > 0 and start >= meta[LENGTH]):
                return OVER
            if meta[SINCE] >= settings.extra if meta[LENGTH] > 0 else meta[TRIAL] > settings.restarts:
                return OVER
            for column in range(places.shape[1]):
                places[0, column] = places[1, column]
            bounds[0], box_words[0] = bounds[1], box_words[1]
            meta[STEPS], meta[STALE], meta[NEAREST] = 0, 0, bounds[1]
    return GO_ON
