"""Exact labels for the policy network: all pushes that keep a solution as short as it can be, and how long it is.

A* by pushes (lower bound: matching of push distances, which is consistent; dead squares and frozen boxes are left out)
goes on after the first solution until no position is left whose bound is below its length. Then every position on any
shortest solution is known, with every push that leads on along one; they are found backwards from the solved ones.
One search so labels many positions.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.jit import kernel
from ai.random import Stream, below
from ai.sokoban.board.distance import FAR, label_parts, measure
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole, Words
from ai.sokoban.board.moves import frozen, mark_alive
from ai.sokoban.board.successors import flood
from ai.sokoban.policy.features import Codes, unfold
from ai.sokoban.search.matching import add_row, rematch, total
from ai.sokoban.search.positions import entry, find

MOST_BOXES = 16
MOST_PUSHES = 1000
DEAD, TOO_LONG = -1, -2
"""Answers instead of pushes to go: there is no solution; it is not known."""
_BUDGET = 20_000
"""Records after which the kernel comes back."""
_FIELDS = 5
_COST, _NEXT, _STALE, _EDGE, _BEST = range(_FIELDS)
"""Columns of a record: pushes so far, next of its queue, whether a cheaper record took its place, its last edge, whether it
is on a shortest solution."""
_FROM, _PUSH, _EARLIER = range(3)
"""Columns of an edge: the record it comes from, box slot * 4 + direction, the next edge to the same record."""


class Labelled(NamedTuple):
    """m positions of boards of one size."""

    boards: Codes
    """(m, cells): in the numbers of `game.rules.sokoban.Board`, the player anywhere he can walk to."""
    pushes: Bytes
    """(m, cells): bit d where pushing the box at this cell in direction d is on a shortest solution."""
    to_go: npt.NDArray[np.int16]
    """(m,): pushes of the shortest solution, DEAD where there is none."""
    cols: int
    """Of every board."""


class Work(NamedTuple):
    """Memory of the search, for boards of up to so many cells and for so many records."""

    number: Ints
    squares: Ints
    steps: Ints
    is_target: Bytes
    occupied: Bytes
    alive: Bytes
    part: Bytes
    distance: Ints
    queue: Ints
    seen: Ints
    after: Ints
    marks: Bytes
    members: Ints
    table: Words
    slots: Ints
    """(records,): where in the table each record stands."""
    records: Ints
    ways: npt.NDArray[np.int64]
    """(records,): bit 4 * slot + direction for each push on a shortest solution."""
    places: Shorts
    heads: Ints
    edges: Ints
    words: Words


def work(cells: int, records: int) -> Work:
    """New memory."""
    size = 1 << (2 * records - 1).bit_length()
    words = np.random.default_rng(20).integers(0, 2**64, (2, cells), dtype=np.uint64)
    return Work(
        number=np.zeros(cells, np.int32),
        squares=np.zeros(cells, np.int32),
        steps=np.zeros((cells, 4), np.int32),
        is_target=np.zeros(cells, np.uint8),
        occupied=np.zeros(cells, np.uint8),
        alive=np.zeros(cells, np.uint8),
        part=np.zeros((cells, cells), np.uint8),
        distance=np.zeros((4 * cells, MOST_BOXES), np.int32),
        queue=np.zeros(4 * cells, np.int32),
        seen=np.zeros(cells, np.int32),
        after=np.zeros(cells, np.int32),
        marks=np.zeros(cells, np.uint8),
        members=np.zeros(MOST_BOXES + 1, np.int32),
        table=np.zeros(size, np.uint64),
        slots=np.zeros(records, np.int32),
        records=np.zeros((records, _FIELDS), np.int32),
        ways=np.zeros(records, np.int64),
        places=np.zeros((records, MOST_BOXES + 1), np.uint16),
        heads=np.zeros(MOST_PUSHES, np.int32),
        edges=np.zeros((4 * records, 3), np.int32),
        words=words,
    )


@kernel
def survey(board: Codes, cols: Whole, at: Work) -> tuple[int, int, int]:
    """Measure a level: squares, neighbours, dead squares, push distances; its boxes become record 0.

    Returns:
        (squares, boxes, the player's square); no boxes where it is not one that can be labelled.
    """
    count, player = unfold(board, cols, at.number, at.squares, at.steps, at.is_target, at.occupied)
    steps = at.steps[:count]
    boxes = targets = 0
    for cell in range(len(board)):
        boxes += board[cell] == 2 or board[cell] == 5
    for square in range(count):
        if at.is_target[square]:
            at.queue[targets] = square
            targets += 1
    inside = 0
    for square in range(count):
        if at.occupied[square] and inside < MOST_BOXES:
            at.places[0, inside] = square
            inside += 1
    if boxes != targets or boxes != inside:
        return count, 0, player
    goals = at.queue[:targets].copy()
    mark_alive(steps, goals, at.alive, at.queue)
    for square in range(count):
        label_parts(steps, at.part, square, at.queue)
    for column in range(targets):
        measure(steps, at.part, goals[column], column, at.distance, at.queue)
    return count, boxes, player


@kernel
def search(size: int, player: Whole, limit: Whole, at: Work, count: Whole) -> tuple[int, int]:
    """All shortest solutions of the level surveyed.

    Returns:
        (pushes, DEAD or TOO_LONG; records used). `sweep` reads the answer off the records.
    """
    steps, records, places = at.steps[:count], at.records, at.places
    no_colour = np.zeros(size, np.uint8)
    keys = np.zeros(size, np.int32)
    where = np.zeros(size + 1, np.int32)
    u, v, taken = np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32)
    u_after, v_after = np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32)
    taken_after, least, way = np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32)
    used = np.zeros(size + 1, np.uint8)
    at.seen[:] = 0
    at.after[:] = 0
    stamp = region = 1
    at.heads[:] = -1
    start = flood(steps, at.occupied, at.after, region, player, at.queue)
    word = at.words[1, start]
    for slot in range(size):
        word ^= at.words[0, places[0, slot]]
    places[0, size] = start
    records[0, _COST], records[0, _NEXT], records[0, _STALE] = 0, -1, 0
    records[0, _EDGE], records[0, _BEST], at.ways[0] = -1, 0, 0
    place = find(at.table, word, places, size, no_colour, at.occupied, start, -1)
    at.table[place] = entry(word, 0)
    at.slots[0] = place
    made, edges, row, best = 1, 0, -1, MOST_PUSHES
    current = 0
    solved = -1
    while current >= 0:
        cost = records[current, _COST]
        if records[current, _STALE] == 0:
            at.occupied[:count] = 0
            home = 0
            for slot in range(size):
                at.occupied[places[current, slot]] = 1
                home += at.is_target[places[current, slot]]
            if home == size:
                best = min(best, cost)
                records[current, _BEST] = 1
                solved = current
            else:
                stamp += 1
                stand_at = places[current, size]
                flood(steps, at.occupied, at.seen, stamp, stand_at, at.queue)
                for slot in range(size):
                    box = places[current, slot]
                    keys[slot] = 4 * box + at.part[box, stand_at]
                taken[:] = -1
                v[:] = 0
                for slot in range(size):
                    add_row(at.distance, keys, slot, u, v, taken, least, way, used)
                bound = total(at.distance, keys, taken)
                for column in range(size):
                    where[taken[column]] = column
                if current == 0:
                    if bound >= FAR:
                        break
                    row = bound
                whole = np.uint64(0)
                for slot in range(size):
                    whole ^= at.words[0, places[current, slot]]
                for slot in range(size):
                    box = int(places[current, slot])
                    for action in range(4):
                        ahead, stand = steps[box, action], steps[box, (action + 2) % 4]
                        if ahead < 0 or stand < 0 or at.seen[stand] != stamp or at.occupied[ahead]:
                            continue
                        if not at.alive[ahead]:
                            continue
                        key = 4 * ahead + at.part[ahead, box]
                        column = where[slot]
                        after = bound - 1
                        if at.distance[key, column] != at.distance[keys[slot], column] - 1:
                            after = rematch(
                                at.distance, keys, slot, key, column, u, v, taken, u_after, v_after, taken_after,
                                least, way, used,
                            )  # fmt: skip
                        if after >= FAR or cost + 1 + after >= MOST_PUSHES or cost + 1 + after > best:
                            continue
                        at.occupied[box], at.occupied[ahead] = 0, 1
                        stuck = frozen(steps, at.occupied, at.alive, ahead, at.members, at.marks)
                        wrong = False
                        for index in range(stuck):
                            wrong = wrong or not at.is_target[at.members[index]]
                        if not wrong:
                            region += 1
                            start = flood(steps, at.occupied, at.after, region, box, at.queue)
                            word = whole ^ at.words[0, box] ^ at.words[0, ahead] ^ at.words[1, start]
                            place = find(at.table, word, places, size, no_colour, at.occupied, start, -1)
                            child = -1
                            if at.table[place] != np.uint64(0):
                                child = int(np.int64(at.table[place] & np.uint64(0xFFFFFFFF))) - 1
                            if child < 0 or records[child, _COST] > cost + 1:
                                if made >= limit or edges >= len(at.edges):
                                    return TOO_LONG, made
                                if child >= 0:
                                    records[child, _STALE] = 1
                                child = made
                                made += 1
                                for other in range(size):
                                    places[child, other] = places[current, other]
                                places[child, slot], places[child, size] = ahead, start
                                records[child, _COST], records[child, _STALE] = cost + 1, 0
                                records[child, _EDGE], records[child, _BEST], at.ways[child] = -1, 0, 0
                                at.table[place] = entry(word, child)
                                at.slots[child] = place
                                line = cost + 1 + after
                                records[child, _NEXT] = at.heads[line]
                                at.heads[line] = child
                                row = min(row, line)
                            if records[child, _COST] == cost + 1:
                                if edges >= len(at.edges):
                                    return TOO_LONG, made
                                at.edges[edges, _FROM], at.edges[edges, _PUSH] = current, 4 * slot + action
                                at.edges[edges, _EARLIER] = records[child, _EDGE]
                                records[child, _EDGE] = edges
                                edges += 1
                        at.occupied[box], at.occupied[ahead] = 1, 0
        current = -1
        while row >= 0 and row <= best and row < MOST_PUSHES and current < 0:
            current = at.heads[row]
            if current >= 0:
                at.heads[row] = records[current, _NEXT]
            else:
                row += 1
    if solved < 0:
        return DEAD, made
    return best, made


@kernel
def sweep(best: Whole, made: Whole, at: Work, stack: Ints) -> int:
    """Find the records on shortest solutions backwards from the solved ones; returns how many are in `stack`."""
    size = 0
    for record in range(made):
        if at.records[record, _BEST] and at.records[record, _COST] == best:
            stack[size] = record
            size += 1
        else:
            at.records[record, _BEST] = 0
    done = 0
    while done < size:
        record = stack[done]
        done += 1
        edge = at.records[record, _EDGE]
        while edge >= 0:
            before = at.edges[edge, _FROM]
            if at.records[before, _COST] + 1 == at.records[record, _COST]:
                at.ways[before] |= np.int64(1) << np.int64(at.edges[edge, _PUSH])
                if not at.records[before, _BEST]:
                    at.records[before, _BEST] = 1
                    stack[size] = before
                    size += 1
            edge = at.edges[edge, _EARLIER]
    return size


@kernel
def forget(made: Whole, at: Work) -> None:
    """Empty the hash table."""
    for record in range(made):
        at.table[at.slots[record]] = np.uint64(0)


@kernel
def write(
    board: Codes, record: Whole, size: Whole, at: Work, boards: Codes, pushes: Bytes, to_go: npt.NDArray[np.int16],
    row: Whole, left: Whole,
) -> None:  # fmt: skip
    """Put a record into row `row` of the answer, `left` pushes from a solution."""
    for cell in range(len(board)):
        code = board[cell]
        if code == 1:
            boards[row, cell] = 1
        else:
            boards[row, cell] = 3 if code == 3 or code == 5 or code == 6 else 0
        pushes[row, cell] = 0
    for slot in range(size):
        cell = at.squares[at.places[record, slot]]
        boards[row, cell] = 5 if boards[row, cell] == 3 else 2
        pushes[row, cell] = np.int64(at.ways[record] >> np.int64(4 * slot)) & 15
    player = at.squares[at.places[record, size]]
    boards[row, player] = 6 if boards[row, player] == 3 else 4
    to_go[row] = left


@kernel
def label(
    roots: Codes,
    cols: Whole,
    first: int,
    most: Ints,
    limit: Whole,
    budget: Whole,
    stream: Stream,
    at: Work,
    stack: Ints,
    boards: Codes,
    pushes: Bytes,
    to_go: npt.NDArray[np.int16],
    lengths: npt.NDArray[np.int16],
    filled: int,
) -> tuple[int, int]:
    """Label root after root from number `first` on.

    Args:
        roots: (n, cells), boards closed by walls.
        cols: Of every board.
        first: The first root to do.
        most: (n,): positions to take of each root, itself first, then others of its shortest solutions by chance.
        limit: Records of one search at most.
        budget: Records of all searches, after which to stop.
        stream: Chance.
        at: Memory.
        stack: Scratch, as long as there are records.
        boards: Filled from row `filled` on, as are `pushes` and `to_go`; see `Labelled`.
        pushes: See `boards`.
        to_go: See `boards`.
        lengths: (n,), filled: what was found of each root: pushes, DEAD or TOO_LONG.
        filled: Rows that are taken.

    Returns:
        (the root to go on with, rows filled). Stops too where the next root might not find room.
    """
    spent = 0
    while first < len(roots) and spent < budget and filled + most[first] <= len(boards):
        board = roots[first]
        count, size, player = survey(board, cols, at)
        lengths[first] = TOO_LONG
        if size == 0:
            first += 1
            continue
        best, made = search(size, player, limit, at, count)
        lengths[first] = best
        spent += made
        if best == DEAD:
            at.ways[0] = 0
            write(board, 0, size, at, boards, pushes, to_go, filled, DEAD)
            filled += 1
        elif best > 0:
            found = sweep(best, made, at, stack)
            # Solved records come first in the stack; of the others, the root is the last.
            goals = 0
            while goals < found and at.records[stack[goals], _COST] == best:
                goals += 1
            write(board, 0, size, at, boards, pushes, to_go, filled, best)
            filled += 1
            wanted = min(most[first] - 1, found - goals - 1)
            for number in range(wanted):
                chosen = goals + number + below(stream, found - goals - number)
                record = stack[chosen]
                stack[chosen] = stack[goals + number]
                stack[goals + number] = record
                if record != 0:
                    write(board, record, size, at, boards, pushes, to_go, filled, best - at.records[record, _COST])
                    filled += 1
        forget(made, at)
        first += 1
    return first, filled


class Labeller:
    """Labels positions, many in a call."""

    def __init__(self, records: int = 20_000) -> None:
        """`records`: positions of one search at most."""
        self._records = records
        self._work = work(1, 2)
        self._stack = np.zeros(records, np.int32)

    def label(
        self, roots: Codes, most: Ints, cols: int, seed: int, pause: Callable[[], None] = lambda: None
    ) -> Labelled:
        """Label boards (n, cells) of `cols` columns, and of each so many positions on its shortest solutions.

        Args:
            roots: Closed by walls.
            most: (n,): positions of each at most, itself first.
            cols: Of every board.
            seed: Of the choice of the others.
            pause: Called between slices; what it raises ends the labelling.

        Returns:
            What was found, those apart for which the search would be too long.
        """
        cells = roots.shape[1]
        if len(self._work.number) != cells:
            self._work = work(cells, self._records)
        boards: Codes = np.zeros((int(most.sum()), cells), np.int8)
        pushes: Bytes = np.zeros(boards.shape, np.uint8)
        to_go, lengths = np.zeros(len(boards), np.int16), np.zeros(len(roots), np.int16)
        stream = np.array([seed], np.uint64)
        first = filled = 0
        while first < len(roots):
            pause()
            first, filled = label(
                roots, cols, first, most, self._records, _BUDGET, stream, self._work, self._stack, boards, pushes, to_go,
                lengths, filled,
            )  # fmt: skip
        return Labelled(boards[:filled], pushes[:filled], to_go[:filled], cols)
