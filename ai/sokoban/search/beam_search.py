"""The inner loop of beam search: all ways on from the k positions of the beam, of which k make the next beam.

The next beam is drawn without replacement with softmax probabilities, exp(-lower bound / temperature): the k smallest of
lower bound / temperature + log of an exponential variate (Gumbel-top-k, Kool et al. 2019). At temperature 0 it is the k
best, and among equals chance of the positions' own words decides.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import Stream, mixed, random_word, unit
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Ints, Longs, Shorts, Whole, Words
from ai.sokoban.search import unfolding as way
from ai.sokoban.search.hashing import add, contains
from ai.sokoban.search.options import Options
from ai.sokoban.search.scratch import Scratch
from ai.sokoban.search.unfolding import Pool, States, unfold, whole_word

Floats = npt.NDArray[np.float64]

# Places in `meta`.
SIZE = 0  # positions in the beam
ROUND = 1  # iterations done
GENERATED = 2  # ways on looked at
VISITED = 3  # positions that were in a beam
FOUND = 4  # row of the pool that solves the level
BEST = 5  # smallest lower bound of a position generated
SIFTED = 6  # rows of the pool looked through for duplicates
KEPT = 7  # rows that are none
META = 8

# Answers of a slice.
GO_ON, SOLVED, EMPTY, OVER, NEED_POOL, NEED_VISITED, NEED_HISTORY, AT_LIMIT = range(8)

# Columns of the history.
PARENT, ACTION, BEFORE, AFTER = range(4)
HISTORY = 4


_AT_ONCE = 8192
"""Rows of the pool sifted before the budget is asked."""


class Beam(NamedTuple):
    """The beam, and how its positions were reached."""

    here: States
    """k positions."""
    there: States
    """The next beam."""
    origin: Longs
    """Shape (2, k): the row of `history` of every position of both."""
    history: Ints
    """Shape (capacity, HISTORY): every position that was in a beam; row 0 is the start."""
    shown: Shorts
    """Shape (n,): boxes of the position with the smallest lower bound."""


class Draw(NamedTuple):
    """What the next beam is drawn with."""

    fresh: Words
    """Shape (F,), F a power of two: hash set of the words of this iteration."""
    stamps: Ints
    """Shape (F,): the iteration a word was written in."""
    visited: Words
    """A power of two long: hash set of the words of all beams; 0 is free."""
    order: Longs
    """Shape (capacity of the pool,): rows that are no duplicates, those drawn first."""
    keys: Floats
    """Shape (capacity of the pool,): by row, the smallest are drawn."""
    chance: Stream


class Settings(NamedTuple):
    """What a beam search is told."""

    width: int
    iterations: int
    temperature: float
    """In pushes."""
    remember: bool
    """Whether a position that was in a beam counts as a duplicate."""
    limit: int
    """Ways on looked at, at most."""


@kernel
def smallest(order: Longs, keys: Floats, count: int, wanted: int) -> None:
    """Bring those of the first `count` entries of `order` that have the `wanted` smallest keys to its start (Hoare)."""
    low, high = 0, count - 1
    while low < high:
        pivot = keys[order[(low + high) >> 1]]
        i, j = low, high
        while i <= j:
            while keys[order[i]] < pivot:
                i += 1
            while keys[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted <= j + 1:
            high = j
        elif wanted > i:
            low = i
        else:
            return


@kernel
def enter(visited: Words, words: Words) -> None:
    """Put words, 0 apart, into a hash set with room for them."""
    for word in words:
        if word != np.uint64(0):
            add(visited, word)


@kernel
def sift(
    pool: Pool, first: Whole, last: Whole, kept: Whole, draw: Draw, zobrist: Words, stamp: Whole, settings: Settings
) -> Whole:
    """Add those rows from `first` up to `last` that are no duplicates to the first `kept` of `order`, with keys.

    Returns how many there are now.
    """
    rows, words, fresh, stamps, order, keys = pool.rows, pool.words, draw.fresh, draw.stamps, draw.order, draw.keys
    visited, chance = draw.visited, draw.chance
    temperature, remember = settings.temperature, settings.remember
    mask = np.uint64(len(fresh) - 1)
    for row in range(first, last):
        word = whole_word(words[row], rows[row, way.FIRST], rows[row, way.SECOND], zobrist)
        place = np.int64(word & mask)
        while stamps[place] == stamp and fresh[place] != word:
            place = (place + 1) & (len(fresh) - 1)
        if stamps[place] == stamp or (remember and contains(visited, word)):
            continue
        fresh[place], stamps[place] = word, stamp
        if temperature > 0:
            keys[row] = rows[row, way.BOUND] / temperature + np.log(-np.log(unit(random_word(chance))))
        else:
            keys[row] = rows[row, way.BOUND] + unit(mixed(word))
        order[kept] = row
        kept += 1
    return kept


@kernel
def beam_slice(
    ground: Ground,
    options: Options,
    settings: Settings,
    beam: Beam,
    pool: Pool,
    draw: Draw,
    scratch: Scratch,
    numbers: Longs,
    meta: Longs,
    budget: int,
) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    Row 0 of `beam.here` is the start, `pool` has the ways on from the beam, `draw` is for the next one, and `meta`, shape
    (META,), keeps the numbers above between slices; the others are as for `unfold`.
    """
    here, history, origin, shown = beam.here, beam.history, beam.origin, beam.shown
    places, bounds, words = here.places, here.bounds, here.words
    places_after, bounds_after, words_after = beam.there.places, beam.there.bounds, beam.there.words
    rows, row_words, order, keys, visited = pool.rows, pool.words, draw.order, draw.keys, draw.visited
    zobrist, width, remember = ground.words, settings.width, settings.remember
    squares = places.shape[1]
    size = len(shown)
    while budget > 0:
        count = meta[SIZE]
        if numbers[way.AT] < count:
            budget = unfold(ground, options, here, count, pool, scratch, numbers, budget)
            if numbers[way.AT] < count:
                return GO_ON if budget <= 0 else NEED_POOL
        if meta[SIFTED] == 0 and 2 * (meta[VISITED] + width) > len(visited):
            return NEED_VISITED
        if meta[VISITED] + width > len(history):
            return NEED_HISTORY
        found = numbers[way.POOL]
        if meta[SIFTED] == 0:
            meta[GENERATED] += found
            meta[ROUND] += 1
            best = meta[BEST]
            chosen = -1
            for row in range(found):
                if rows[row, way.BOUND] < best:
                    best, chosen = rows[row, way.BOUND], row
            if chosen >= 0:
                meta[BEST] = best
                for column in range(size):
                    shown[column] = places[rows[chosen, way.STATE], column]
                if rows[chosen, way.SLOT] >= 0:
                    shown[rows[chosen, way.SLOT]] = rows[chosen, way.AFTER]
                if best == 0:
                    meta[FOUND] = chosen
                    return SOLVED
        while meta[SIFTED] < found:
            if budget <= 0:
                return GO_ON
            last = min(meta[SIFTED] + _AT_ONCE, found)
            meta[KEPT] = sift(pool, meta[SIFTED], last, meta[KEPT], draw, zobrist, meta[ROUND], settings)
            budget -= 16 * (last - meta[SIFTED])
            meta[SIFTED] = last
        kept = meta[KEPT]
        if kept == 0:
            return EMPTY
        if meta[ROUND] >= settings.iterations:
            return OVER
        if meta[GENERATED] >= settings.limit:
            return AT_LIMIT
        if kept > width:
            smallest(order, keys, kept, width)
            kept = width
        for to in range(kept):
            row = order[to]
            at = rows[row, way.STATE]
            for column in range(size):
                places_after[to, column] = places[at, column]
            places_after[to, size] = rows[row, way.FIRST]
            if rows[row, way.SECOND] >= 0:
                places_after[to, size + 1] = rows[row, way.SECOND]
            if rows[row, way.SLOT] >= 0:
                places_after[to, rows[row, way.SLOT]] = rows[row, way.AFTER]
            bounds_after[to], words_after[to] = rows[row, way.BOUND], row_words[row]
            record = meta[VISITED] + to
            history[record, PARENT], history[record, ACTION] = origin[0, at], rows[row, way.ACTION]
            history[record, BEFORE], history[record, AFTER] = rows[row, way.BEFORE], rows[row, way.AFTER]
            origin[1, to] = record
            if remember:
                add(visited, whole_word(row_words[row], rows[row, way.FIRST], rows[row, way.SECOND], zobrist))
        for at in range(kept):
            for column in range(squares):
                places[at, column] = places_after[at, column]
            bounds[at], words[at], origin[0, at] = bounds_after[at], words_after[at], origin[1, at]
        meta[SIZE] = kept
        meta[VISITED] += kept
        numbers[way.AT] = numbers[way.POOL] = meta[SIFTED] = meta[KEPT] = 0
    return GO_ON
