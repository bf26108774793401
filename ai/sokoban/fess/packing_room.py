"""The room of a search for a packing plan (`ai.sokoban.fess.packing_search`): its records and what it keeps between slices."""

from typing import NamedTuple

import numpy as np

from ai.sokoban.board.layout import Bytes, Ints, Layout, Longs, Shorts, Words

GONE = 65535
"""The square of a box that was pulled away."""

# Columns of a record.
PARENT, PLAYER, LEFT, FROM, TO, NEXT, SLOT, SHORT, PARKED = range(9)
COLUMNS = 9

# What `search_plan` keeps between calls. OPEN is the record being looked at, -1 for none, SLOT_AT the next of its boxes, PARKING
# whether they are being parked; then NODE is the next of so many NODES that such a box can go to, -1 where that is not known yet.
COUNT, BEST, STAMP, TURN, CURSOR, LOOKED, OPEN, SLOT_AT, PARKING, NODE, NODES = range(11)
META = 11

MOST_PARKED = 31
"""More parkings count as these."""


class Manner(NamedTuple):
    """How boxes are pulled away."""

    matched: bool
    """All boxes that are gone must be able to have been boxes of their own."""
    park: bool
    """Boxes may be parked where none can be pulled away."""
    opening: bool
    """Records wait by what the player can enter. Nothing that is pulled is parked where a box stands at the start or where it
    divides the floor."""


class Pulls(NamedTuple):
    """Room of one search; R records, n boxes, N squares, C = (n + 1)^2 cells."""

    records: Ints
    """Shape (R, COLUMNS); LEFT counts the boxes left, SHORT those gone that have no box of their own, PARKED the parkings.
    TO is the node (`ai.sokoban.fess.macro`) where the box is parked, -1 for away."""
    boxes: Shorts
    """Shape (R, n), the boxes of each record."""
    table: Ints
    """Hash table, a power of two long, -1 for none."""
    known: Words
    """Shape (R,): the word of each record."""
    waiting: Ints
    """Shape (C,): records that wait in each cell: of so many short with so many left, or, when opening, of so many left with
    so many targets shut."""
    heads: Ints
    """Shape (C, MOST_PARKED + 1): first record that waits with so many parkings, -1 for none; (C, 1) where not opening."""
    tails: Ints
    """Shape (C,): last one of those without a parking."""
    rows: Ints
    """Shape (R + n + 1, n): 0 for the boxes of the start that the box pulled away at a record can have been, else FAR;
    then the same of every box that may be pulled away next, and 0 everywhere."""
    keys: Ints
    """Shape (n,): row of each box."""
    taken: Ints
    """Shape (n,): scratch of the matching."""
    came: Ints
    """Shape (n,)."""
    queue: Ints
    """Shape (n,)."""
    length: Ints
    """Shape (n,): pulls that take a box away, FAR for none."""
    options: Ints
    """Shape (n,): boxes of the start that it can then have been."""
    lacks: Bytes
    """Shape (n,): 1 where it then has no box of its own."""
    where: Ints
    """Shape (n,): the node where it vanishes."""
    occupied: Bytes
    """Shape (N,), all 0."""
    marks: Bytes
    """Shape (N,), all 0."""
    reach: Ints
    """Shape (N,), all 0 before the first call."""
    meta: Longs
    """How many records there are, the best of them, the last stamp, turns taken, the cell of the last one in turn, records looked
    at, and where in the last of these the search is."""


def make_pulls(board: Layout, room: int, opening: bool) -> Pulls:
    """Room for so many records of a search of that manner, the first one's boxes set."""
    squares, size = len(board.squares), len(board.targets)

    def ints(*shape: int, fill: int = 0) -> Ints:
        # what is 0 the system gives only when it is used
        return np.full(shape, fill, dtype=np.int32) if fill else np.zeros(shape, dtype=np.int32)

    cells = (size + 1) ** 2
    pulls = Pulls(
        records=ints(room, COLUMNS),
        boxes=np.zeros((room, size), dtype=np.uint16),
        table=ints(2 << room.bit_length(), fill=-1),
        known=np.zeros(room, dtype=np.uint64),
        waiting=ints(cells),
        heads=ints(cells, MOST_PARKED + 1 if opening else 1, fill=-1),
        tails=ints(cells),
        rows=ints(room + size + 1, size),
        keys=ints(size),
        taken=ints(size),
        came=ints(size),
        queue=ints(size),
        length=ints(size),
        options=ints(size),
        lacks=np.zeros(size, dtype=np.uint8),
        where=ints(size),
        occupied=np.zeros(squares, dtype=np.uint8),
        marks=np.zeros(squares, dtype=np.uint8),
        reach=ints(squares),
        meta=np.zeros(META, dtype=np.int64),
    )
    pulls.boxes[0] = board.targets
    pulls.meta[OPEN] = -1
    return pulls
