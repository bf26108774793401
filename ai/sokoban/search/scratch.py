"""Working memory that every search kernel needs: what is at hand of one position, kept between slices."""

from typing import NamedTuple

import numpy as np

from ai.sokoban.board import successors
from ai.sokoban.board.layout import Bytes, Ints, Shorts
from ai.sokoban.board.successors import EVERY


class Scratch(NamedTuple):
    """For N squares and n boxes."""

    occupied: Bytes
    """Shape (N,): colour + 1 where a box is, else 0."""
    marks: Bytes
    """Shape (N,), all 0 between uses."""
    seen: Ints
    """Shape (N,): stamps of what the player reaches in the position being expanded."""
    far: Ints
    """Shape (N,): and how far it is."""
    after: Ints
    """Shape (N,): stamps of what the player reaches after a push."""
    queue: Ints
    """Shape (N,)."""
    regions: Ints
    """Shape (N,): for corrals."""
    boxes: Shorts
    """Shape (n,): of the position being expanded."""
    keys: Ints
    """Shape (n,): of every box of the position being expanded."""
    where: Ints
    """Shape (n + 1,): target of each box in its matching."""
    members: Ints
    """Shape (n + 1,): boxes frozen together."""
    group: Ints
    """Shape (n,): boxes around a corral."""
    pushes: Ints
    """Shape (2, n): scratch, and the directions of each box that are worth trying."""
    matching: Ints
    """Shape (8, n + 1): potentials of boxes and targets, box of each target, and five rows for `rematch`."""
    used: Bytes
    """Shape (n + 1,)."""
    found: Ints
    """Shape (8 n + 16, successors.COLUMNS): ways on from the position being expanded."""


def scratch(squares: int, size: int) -> Scratch:
    """New working memory."""

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    def octets(*shape: int) -> Bytes:
        return np.zeros(shape, dtype=np.uint8)

    made = Scratch(
        occupied=octets(squares),
        marks=octets(squares),
        seen=ints(squares),
        far=ints(squares),
        after=ints(squares),
        queue=ints(squares),
        regions=ints(squares),
        boxes=np.zeros(size, dtype=np.uint16),
        keys=ints(size),
        where=ints(size + 1),
        members=ints(size + 1),
        group=ints(size),
        pushes=ints(2, size),
        matching=ints(8, size + 1),
        used=octets(size + 1),
        found=ints(8 * size + 16, successors.COLUMNS),
    )
    made.pushes[1] = EVERY
    return made
