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
from ai.sokoban import successors as way
from ai.sokoban.distance import FAR
from ai.sokoban.expansion import How, ways_on
from ai.sokoban.ground import Ground
from ai.sokoban.layout import Bytes, Ints, Longs, Shorts, Whole, Words
from ai.sokoban.matching import add_row, rematch
from ai.sokoban.moves import frozen
from ai.sokoban.scratch import Scratch
from ai.sokoban.successors import REGIONS, flood

# Columns of a frame: one position on the way from the start.
FIRST, SECOND, COST, BOUND, BEGIN, NEXT, END, BEYOND, ENTRY, WAY = range(10)
FRAME = 10
"""Its players, cost so far, lower bound, where its ways on begin, the next of them, where they end, the least that is
beyond the limit below it, its place in the table (-1: none) and the way that led to it."""

# Places in `meta`.
DEPTH = 0  # frame at the end of the path
LIMIT = 1  # cost so far + lower bound may be at most this
NODES = 2  # positions entered
OPENED = 3  # whether the ways on of the last frame are listed
CUT = 4  # whether anything was left out because of the limit
ROUND = 5  # number of the iteration, from 1
STAMP = 6
BEST = 7  # smallest lower bound of a position entered
META = 8

# Answers of a slice.
GO_ON, SOLVED, ROUND_DONE, NEED_FRAMES, AT_LIMIT = range(5)

BUCKET = 4
"""Places of the table a position may stand in."""


class Path(NamedTuple):
    """The positions from the start to where the search is."""

    frames: Ints
    """Shape (frames, FRAME)."""
    matchings: Ints
    """Shape (frames, 3, n + 1): potentials and targets of `ai.sokoban.matching`."""
    ways: Ints
    """Shape (capacity, successors.COLUMNS): the ways on of all frames, one after the other."""
    words: Words
    """Shape (frames,): Zobrist words of the boxes."""


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
    shown: Shorts
    """Shape (n,): boxes of the position with the smallest lower bound."""


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
) -> tuple[Whole, Whole]:
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
def deepening_slice(
    ground: Ground, how: How, path: Path, table: Table, scratch: Scratch, meta: Longs, most: int, budget: int
) -> int:
    """Search on for about `budget` elementary steps; returns one of the answers above.

    Args:
        ground: the level.
        how: how it is looked at.
        path: frame 0 is the start.
        table: what is known.
        scratch: kept between slices; `boxes`, `occupied` and `keys` are those of the last frame, `where` its matching.
        meta: shape (META,), numbers kept between slices, see above.
        most: positions entered at most.
        budget: squares and matrix entries to look at before returning.
    """
    steps, part, nearest, estimate = ground.steps, ground.part, ground.nearest, ground.estimate
    offset, colour, zobrist, distance = ground.offset, ground.colour, ground.words, ground.distance
    alive, home, is_target = ground.alive, ground.home, ground.is_target
    frames, matchings, ways, words = path.frames, path.matchings, path.ways, path.words
    table_words, table_places, table_least, table_rounds = table.words, table.places, table.least, table.rounds
    occupied, boxes, keys, found = scratch.occupied, scratch.boxes, scratch.keys, scratch.found
    where, members, marks, queue = scratch.where, scratch.members, scratch.marks, scratch.queue
    seen, far, label, inside = scratch.seen, scratch.far, scratch.regions[0], scratch.regions[1]
    group, spare, allowed = scratch.group, scratch.pushes[0], scratch.pushes[1]
    least_cost, previous, used = scratch.matching[6], scratch.matching[7], scratch.used
    size = len(colour)
    while True:
        depth = meta[DEPTH]
        if not meta[OPENED]:
            begin = 0 if depth == 0 else frames[depth - 1, END]
            if depth + 2 > len(frames) or begin + len(found) > len(ways):
                return NEED_FRAMES
            meta[STAMP] += 1
            first, second = np.int64(frames[depth, FIRST]), np.int64(frames[depth, SECOND])
            count = ways_on(
                how,
                steps,
                is_target,
                part,
                nearest,
                occupied,
                boxes,
                first,
                second,
                meta[STAMP],
                seen,
                far,
                queue,
                label,
                inside,
                group,
                spare,
                allowed,
                found,
            )
            # The box that was moved last is tried first.
            last = ways[frames[depth, WAY], way.SLOT] if depth else -1
            end = begin
            for others in range(2):
                for number in range(count):
                    if (found[number, way.SLOT] == last) != (others == 1):
                        for column in range(way.COLUMNS):
                            ways[end, column] = found[number, column]
                        end += 1
            frames[depth, BEGIN], frames[depth, NEXT], frames[depth, END] = begin, begin, end
            frames[depth, BEYOND] = FAR
            meta[OPENED] = 1
            budget -= len(steps) + 8 * count
        if budget <= 0:
            return GO_ON
        if frames[depth, NEXT] == frames[depth, END]:
            stored = frames[depth, ENTRY]
            if stored >= 0:
                table_least[stored] = max(table_least[stored], frames[depth, BEYOND])
                table_rounds[stored] = meta[ROUND]
            if depth == 0:
                return ROUND_DONE
            number = frames[depth, WAY]
            slot = np.int64(ways[number, way.SLOT])
            beyond = min(frames[depth, BEYOND] + ways[number, way.COST], FAR)
            if slot >= 0:
                before, after = np.int64(ways[number, way.BEFORE]), np.int64(ways[number, way.AFTER])
                occupied[before], occupied[after] = colour[slot] + 1, 0
                boxes[slot] = before
                player = np.int64(frames[depth - 1, FIRST])
                keys[slot] = offset[slot] + before * 4 + part[before, player]
                if how.matching:
                    for column in range(size):
                        where[matchings[depth - 1, 2, column]] = column
            meta[DEPTH] = depth - 1
            frames[depth - 1, BEYOND] = min(frames[depth - 1, BEYOND], beyond)
            continue
        number = frames[depth, NEXT]
        frames[depth, NEXT] += 1
        budget -= 8
        slot = np.int64(ways[number, way.SLOT])
        before, after = np.int64(ways[number, way.BEFORE]), np.int64(ways[number, way.AFTER])
        cost = np.int64(ways[number, way.COST])
        first, second = np.int64(frames[depth, FIRST]), np.int64(frames[depth, SECOND])
        if ways[number, way.WHO]:
            second = np.int64(ways[number, way.PLAYER])
        else:
            first = np.int64(ways[number, way.PLAYER])
        bound = np.int64(frames[depth, BOUND])
        word = words[depth]
        key = np.int64(-1)
        rematched = False
        if slot >= 0:
            key = np.int64(offset[slot]) + after * 4 + part[after, ways[number, way.PLAYER]]
            if how.dead and nearest[key] >= FAR:
                continue
            occupied[before], occupied[after] = 0, colour[slot] + 1
            stuck = False
            if how.freeze:
                for index in range(frozen(steps, occupied, alive, after, members, marks)):
                    square = members[index]
                    stuck = stuck or not home[occupied[square] - 1, square]
            if not stuck:
                if not how.matching:
                    bound += estimate[key] - estimate[keys[slot]]
                elif distance[key, where[slot]] == distance[keys[slot], where[slot]] - 1:
                    bound -= 1
                else:
                    rematched = True
                    budget -= 4 * size
                    bound = np.int64(
                        rematch(
                            distance,
                            keys,
                            slot,
                            key,
                            where[slot],
                            matchings[depth, 0],
                            matchings[depth, 1],
                            matchings[depth, 2],
                            matchings[depth + 1, 0],
                            matchings[depth + 1, 1],
                            matchings[depth + 1, 2],
                            least_cost,
                            previous,
                            used,
                        )
                    )
            if stuck or bound >= FAR:
                occupied[before], occupied[after] = colour[slot] + 1, 0
                continue
            word ^= zobrist[colour[slot], before] ^ zobrist[colour[slot], after]
        reached = frames[depth, COST] + cost
        entry: Whole = -1
        free: Whole = -1
        full = word
        if reached + bound <= meta[LIMIT]:
            if how.mode == REGIONS:
                meta[STAMP] += 1
                first = np.int64(flood(steps, occupied, seen, meta[STAMP], first, queue))
                budget -= len(steps)
            full = word ^ zobrist[len(zobrist) - 2, first]
            if second >= 0:
                full ^= zobrist[len(zobrist) - 1, second]
            full |= np.uint64(full == 0)
            entry, free = recall(
                table_words, table_places, table_least, table_rounds, full, colour, occupied, first, second
            )
            if entry >= 0 and reached + table_least[entry] > meta[LIMIT]:
                meta[CUT] |= abs(table_rounds[entry]) != meta[ROUND]
                frames[depth, BEYOND] = min(frames[depth, BEYOND], cost + table_least[entry])
                if slot >= 0:
                    occupied[before], occupied[after] = colour[slot] + 1, 0
                continue
        else:
            meta[CUT] = 1
            frames[depth, BEYOND] = min(frames[depth, BEYOND], cost + bound)
            if slot >= 0:
                occupied[before], occupied[after] = colour[slot] + 1, 0
            continue
        if meta[NODES] >= most:
            frames[depth, NEXT] -= 1
            if slot >= 0:
                occupied[before], occupied[after] = colour[slot] + 1, 0
            return AT_LIMIT
        # Enter it.
        if slot >= 0:
            if how.matching and not rematched:
                for row in range(3):
                    for column in range(size + 1):
                        matchings[depth + 1, row, column] = matchings[depth, row, column]
                matchings[depth + 1, 2, where[slot]] = -1
            keys[slot] = key
            boxes[slot] = after
            if how.matching and not rematched:
                add_row(
                    distance,
                    keys,
                    slot,
                    matchings[depth + 1, 0],
                    matchings[depth + 1, 1],
                    matchings[depth + 1, 2],
                    least_cost,
                    previous,
                    used,
                )
                budget -= 4 * size
        elif how.matching:
            for row in range(3):
                for column in range(size + 1):
                    matchings[depth + 1, row, column] = matchings[depth, row, column]
        if how.matching:
            for column in range(size):
                where[matchings[depth + 1, 2, column]] = column
        if free >= 0:
            table_words[free] = full
            for column in range(size):
                table_places[free, column] = boxes[column]
            table_places[free, size] = first
            if second >= 0:
                table_places[free, size + 1] = second
            table_least[free] = meta[LIMIT] - reached + 1
            table_rounds[free] = -meta[ROUND]
        depth += 1
        frames[depth, FIRST], frames[depth, SECOND] = first, second
        frames[depth, COST], frames[depth, BOUND] = reached, bound
        frames[depth, ENTRY], frames[depth, WAY] = free, number
        words[depth] = word
        meta[DEPTH], meta[OPENED] = depth, 0
        meta[NODES] += 1
        if bound < meta[BEST]:
            meta[BEST] = bound
            for column in range(size):
                table.shown[column] = boxes[column]
        astray = 0
        for column in range(size):
            astray += nearest[keys[column]] != 0
        if astray == 0:
            return SOLVED
