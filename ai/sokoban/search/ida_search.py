"""The inner loop of IDA*: depth first under a limit on cost so far + lower bound, with a table of what was proved.

Whatever is below a position and costs no more than what is left of the limit is searched before the position is left.
So on the way in the table may say that the rest costs more than that; should it not, the search ends with the solution
that shows it, and until then no other claim is used for less. On the way out it is raised to what was found. Every
step must cost something. Positions of the table are compared in full; when one is pushed out by another, nothing is
lost but time.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.search import unfolding as way
from ai.sokoban.search.options import Options
from ai.sokoban.search.scratch import Scratch
from ai.sokoban.search.unfolding import Pool, States, unfold, whole_word

# Columns of a frame: one position on the way from the start.
COST, NEXT, END, BEYOND, ENTRY, WAY = range(6)
FRAME = 6
"""Cost so far, the next of its ways on in the pool and where they end, the least that is beyond the limit below it, its
place in the table (-1: none) and the way that led to it."""

# Places in `meta`.
DEPTH = 0  # frame at the end of the path
LIMIT = 1  # cost so far + lower bound may be at most this
NODES = 2  # positions entered
OPENED = 3  # whether the ways on of the last frame are in the pool
CUT = 4  # whether anything was left out because of the limit
ROUND = 5  # number of the iteration, from 1
BEST = 6  # smallest lower bound of a position entered
STORED = 7  # positions in the table
META = 8

# Answers of a slice.
GO_ON, SOLVED, ROUND_DONE, NEED_FRAMES, NEED_POOL, NEED_TABLE, AT_LIMIT = range(7)

BUCKET = 4
"""Places of the table a position may stand in."""


class Path(NamedTuple):
    """The positions from the start to where the search is."""

    frames: Ints
    """Shape (frames, FRAME)."""
    here: States
    """One position, the last."""
    standing: Bytes
    """Shape (N,): colour + 1 where its boxes are."""
    shown: Shorts
    """Shape (n,): boxes of the position with the smallest lower bound."""


class Table(NamedTuple):
    """What is known of positions."""

    words: Words
    """Shape (M,), M a power of two; 0: nothing is here."""
    places: Shorts
    """Shape (M, n + players)."""
    least: Ints
    """Shape (M,): what the rest costs at least."""
    rounds: Ints
    """Shape (M,): the iteration that claimed it, negative while the position is on the path."""


@kernel
def recall(
    words: Words,
    places: Shorts,
    least: Ints,
    rounds: Ints,
    word: np.uint64,
    colour: Bytes,
    occupied: Bytes,
    first: Whole,
    second: Whole,
) -> tuple[np.int64, np.int64]:
    """(place of a position or -1, place where it may be written or -1)."""
    size = len(colour)
    free = np.int64(-1)
    start = np.int64(word & np.uint64(len(words) - BUCKET))
    for place in range(start, start + BUCKET):
        if words[place] == np.uint64(0):
            return np.int64(-1), np.int64(place)
        if (
            words[place] == word
            and places[place, size] == first
            and (second < 0 or places[place, size + 1] == second)
        ):
            same = True
            for slot in range(size):
                same = same and occupied[places[place, slot]] == colour[slot] + 1
            if same:
                return np.int64(place), np.int64(place)
        if rounds[place] > 0 and (free < 0 or least[place] < least[free]):
            free = np.int64(place)
    return np.int64(-1), free


@kernel
def move_over(old: Table, new: Table, moved: Ints, first: int, last: int) -> None:
    """Copy the places `first` up to `last` of a table into one twice as large; `moved` learns where each went.

    What stood in one bucket goes to two buckets into which nothing else goes; so nothing is lost.
    """
    for place in range(first, last):
        if old.words[place] == np.uint64(0):
            continue
        to = np.int64(old.words[place] & np.uint64(len(new.words) - BUCKET))
        while new.words[to] != np.uint64(0):
            to += 1
        new.words[to], new.least[to], new.rounds[to] = old.words[place], old.least[place], old.rounds[place]
        for column in range(old.places.shape[1]):
            new.places[to, column] = old.places[place, column]
        moved[place] = to


@kernel
def deepening_slice(
    ground: Ground,
    options: Options,
    path: Path,
    pool: Pool,
    table: Table,
    scratch: Scratch,
    numbers: Longs,
    meta: Longs,
    most: int,
    growing: bool,
    budget: int,
) -> int:
    """Search on for about `budget` elementary steps, at most `most` positions; returns one of the answers above.

    Frame 0 of `path` is the start. `pool` has the ways on from all frames, one after the other; its row 0 stands for the start.
    `table` is what is known, and `growing` says whether a larger one is to be had. `meta`, shape (META,), keeps the numbers
    above between slices; the others are as for `unfold`.
    """
    colour, zobrist, frames, standing = ground.colour, ground.words, path.frames, path.standing
    places, bounds, words = path.here.places, path.here.bounds, path.here.words
    rows, pool_words = pool.rows, pool.words
    known, known_places, known_least, known_rounds = table.words, table.places, table.least, table.rounds
    size = len(colour)
    while budget > 0:
        depth = meta[DEPTH]
        if not meta[OPENED]:
            if depth + 2 > len(frames):
                return NEED_FRAMES
            begin = 1 if depth == 0 else frames[depth - 1, END]
            if not numbers[way.OPEN]:
                numbers[way.AT], numbers[way.POOL] = 0, begin
            budget = unfold(ground, options, path.here, 1, pool, scratch, numbers, budget)
            if numbers[way.AT] == 0:
                return GO_ON if budget <= 0 else NEED_POOL
            frames[depth, NEXT], frames[depth, END], frames[depth, BEYOND] = begin, numbers[way.POOL], FAR
            meta[OPENED] = 1
            # The box that was moved last is tried first.
            if depth:
                ahead = begin
                for number in range(begin, numbers[way.POOL]):
                    if rows[number, way.SLOT] == rows[frames[depth, WAY], way.SLOT]:
                        for column in range(way.COLUMNS):
                            rows[ahead, column], rows[number, column] = rows[number, column], rows[ahead, column]
                        pool_words[ahead], pool_words[number] = pool_words[number], pool_words[ahead]
                        ahead += 1
        if frames[depth, NEXT] == frames[depth, END]:
            stored = frames[depth, ENTRY]
            if stored >= 0:
                known_least[stored] = max(known_least[stored], frames[depth, BEYOND])
                known_rounds[stored] = meta[ROUND]
            if depth == 0:
                return ROUND_DONE
            number = frames[depth, WAY]
            slot = rows[number, way.SLOT]
            if slot >= 0:
                before, after = rows[number, way.BEFORE], rows[number, way.AFTER]
                standing[before], standing[after] = colour[slot] + 1, 0
                places[0, slot] = before
            led = frames[depth - 1, WAY]
            places[0, size] = rows[led, way.FIRST]
            bounds[0], words[0] = rows[led, way.BOUND], pool_words[led]
            beyond = min(frames[depth, BEYOND] + rows[number, way.COST], FAR)
            frames[depth - 1, BEYOND] = min(frames[depth - 1, BEYOND], beyond)
            meta[DEPTH] = depth - 1
            continue
        number = frames[depth, NEXT]
        budget -= 8
        slot, cost, bound = rows[number, way.SLOT], rows[number, way.COST], rows[number, way.BOUND]
        first, second = np.int64(rows[number, way.FIRST]), np.int64(rows[number, way.SECOND])
        reached = frames[depth, COST] + cost
        if reached + bound > meta[LIMIT]:
            meta[CUT] = 1
            frames[depth, BEYOND] = min(frames[depth, BEYOND], cost + bound)
            frames[depth, NEXT] += 1
            continue
        if meta[NODES] >= most:
            return AT_LIMIT
        if growing and 2 * meta[STORED] >= len(known):
            return NEED_TABLE
        frames[depth, NEXT] += 1
        if slot >= 0:
            before, after = rows[number, way.BEFORE], rows[number, way.AFTER]
            standing[before], standing[after] = 0, colour[slot] + 1
        word = whole_word(pool_words[number], first, second, zobrist)
        entry, free = recall(known, known_places, known_least, known_rounds, word, colour, standing, first, second)
        if entry >= 0 and reached + known_least[entry] > meta[LIMIT]:
            meta[CUT] |= abs(known_rounds[entry]) != meta[ROUND]
            frames[depth, BEYOND] = min(frames[depth, BEYOND], cost + known_least[entry])
            if slot >= 0:
                standing[before], standing[after] = colour[slot] + 1, 0
            continue
        if slot >= 0:
            places[0, slot] = after
        places[0, size] = first
        bounds[0], words[0] = bound, pool_words[number]
        if free >= 0:
            meta[STORED] += known[free] == np.uint64(0)
            known[free] = word
            for column in range(size + 1):
                known_places[free, column] = places[0, column]
            known_least[free] = meta[LIMIT] - reached + 1
            known_rounds[free] = -meta[ROUND]
        depth += 1
        frames[depth, COST], frames[depth, ENTRY], frames[depth, WAY] = reached, free, number
        meta[DEPTH], meta[OPENED] = depth, 0
        meta[NODES] += 1
        if bound < meta[BEST]:
            meta[BEST] = bound
            for column in range(size):
                path.shown[column] = places[0, column]
        if bound == 0:
            return SOLVED
    return GO_ON
