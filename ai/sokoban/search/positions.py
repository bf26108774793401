"""Every position a best-first search has met, the hash table that finds it again, and the queues of those that wait.

All of it is flat arrays that Python may enlarge between slices. Positions are never moved: a cheaper way to a known
one makes a new record and marks the old one stale.
"""

from typing import NamedTuple

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Bytes, Ints, Shorts, Whole, Words

# Columns of a record.
PARENT, DEPTH, BOUND, NEXT, FLAG, ACTION = range(6)
COLUMNS = 6
"""Record before it, cost so far, lower bound on the rest, next record of its queue, one of the flags, last action."""

FRESH, EXPANDED, STALE = range(3)

CLASSES = 1024
"""Lower bounds told apart within one queue at most; larger ones share the last place."""


class Positions(NamedTuple):
    """The arrays; n boxes, P players."""

    table: Words
    """A power of two long: upper half of a position's Zobrist word, and its record plus one in the lower half."""
    records: Ints
    """Shape (capacity, COLUMNS); record 0 is the start."""
    places: Shorts
    """Shape (capacity, n + P): the boxes of every record, each in the slot it had at the start, then the players."""
    heads: Ints
    """Shape (rows, classes): first record of every queue and class of lower bound, -1 for none."""
    least: Ints
    """Shape (rows,): smallest class of each queue that may have an entry."""


def empty(
    size: int, players: int, rows: int = 64, records: int = 4096, table: int = 8192, classes: int = CLASSES
) -> Positions:
    """Room for so many positions of `size` boxes; with no records it stands for a search that there is not.

    Where all of a queue have the same lower bound one of the `classes` is enough.
    """
    return Positions(
        table=np.zeros(table, dtype=np.uint64),
        records=np.zeros((records, COLUMNS), dtype=np.int32),
        places=np.zeros((records, size + players), dtype=np.uint16),
        heads=np.full((rows, classes), -1, dtype=np.int32),
        least=np.full(rows, classes, dtype=np.int32),
    )


@kernel
def find(
    table: Words,
    word: np.uint64,
    places: Shorts,
    size: int,
    colour: Bytes,
    occupied: Bytes,
    first: Whole,
    second: Whole,
) -> np.int64:
    """The place in the hash table of a position, or the free place where it belongs.

    Equal halves of words are not believed: `occupied` (colour + 1 where a box is) and both players are compared.
    """
    mask = np.uint64(len(table) - 1)
    upper = word >> np.uint64(32)
    place = np.int64(word & mask)
    while table[place] != np.uint64(0):
        if table[place] >> np.uint64(32) == upper:
            record = np.int64(table[place] & np.uint64(0xFFFFFFFF)) - 1
            same = places[record, size] == first and (second < 0 or places[record, size + 1] == second)
            slot = 0
            while same and slot < size:
                same = occupied[places[record, slot]] == colour[slot] + 1
                slot += 1
            if same:
                return place
        place = (place + 1) & (len(table) - 1)
    return place


@kernel
def entry(word: np.uint64, record: Whole) -> np.uint64:
    """What stands in the hash table for a record."""
    return (word >> np.uint64(32) << np.uint64(32)) | np.uint64(record + 1)


@kernel
def rehash(positions: Positions, colour: Bytes, words: Words, first: int, last: int) -> None:
    """Enter the records `first` up to `last`, stale ones apart, into a larger table."""
    table, places, size = positions.table, positions.places, len(colour)
    mask = np.uint64(len(table) - 1)
    for record in range(first, last):
        if positions.records[record, FLAG] == STALE:
            continue
        word = np.uint64(0)
        for slot in range(size):
            word ^= words[colour[slot], places[record, slot]]
        for player in range(size, places.shape[1]):
            word ^= words[len(words) - 2 + player - size, places[record, player]]
        place = np.int64(word & mask)
        while table[place] != np.uint64(0):
            place = (place + 1) & (len(table) - 1)
        table[place] = entry(word, record)


@kernel
def enqueue(records: Ints, heads: Ints, least: Ints, record: int, row: int) -> None:
    """Put a record into queue `row`, the last in of its class first out."""
    place = min(records[record, BOUND], heads.shape[1] - 1)
    records[record, NEXT] = heads[row, place]
    heads[row, place] = record
    least[row] = min(least[row], place)


@kernel
def dequeue(records: Ints, heads: Ints, least: Ints, row: int) -> tuple[int, int]:
    """Take a record of the first queue from `row` on, among those the smallest bound; -1 when there is none.

    Returns it and its queue.
    """
    while row < len(heads):
        while least[row] < heads.shape[1]:
            place = least[row]
            record: int = heads[row, place]
            if record < 0:
                least[row] += 1
                continue
            heads[row, place] = records[record, NEXT]
            if records[record, FLAG] != STALE:
                return record, row
        row += 1
    return -1, row
