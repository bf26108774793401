"""What a feature-space search keeps, as flat arrays that Python enlarges between slices."""

from typing import NamedTuple

from ai.sokoban.board.layout import Bytes, Ints, Longs, Shorts, Words
from ai.sokoban.fess.corrals import Corrals
from ai.sokoban.fess.patterns import Patterns
from ai.sokoban.fess.route import Route
from ai.sokoban.fess.stuck import Stuck

# Kinds of what waits in a cell, as the number of a record times four and one of these: moves that were possible one move before,
# those that were not, moves that an advisor proposed, or the position itself, to be opened when its turn comes.
OLD, FOLLOW_UPS, PROPOSED, CLOSED = range(4)

# Columns of a record. Its moves stand together, from MOVES to MOVES_END. What has not been made yet of a kind goes from BEGIN to
# END, and AFTER is what waits behind it: three columns for each kind, those of OLD first. What waits behind a position whose
# turn has not come is the first AFTER. CHECKED counts the deadlock patterns that it does not have.
PARENT, MOVE, PLAYER, CHECKED, MOVES, MOVES_END, BEGIN, END, AFTER = range(9)
COLUMNS = BEGIN + 3 * CLOSED

# Places in `meta`; BUDGET is what is left of a slice.
COUNT, WAITING, CELLS, CURSOR, FOUND, STAMP, TRIED, BEST, BEST_RECORD, ROUND, ASTRAY, BUDGET = range(12)
# Of the position that is being opened, which may take several slices: its record, -1 for none, its cell and cost there, the
# stamp of what the player reaches, its features, how many stages of the plan it has nearly done, the box whose moves are looked
# for next, -1 before the first, and how many moves were found.
OPENED, CELL, COST, MARK, STAGE, PARTS, BLOCKED, LOST, NEAR, MOVER, MOVES_FOUND = range(12, 23)
META = 23

# Answers of a slice, or of a part of one: OPEN where a position has been opened.
GO_ON, SOLVED, EXHAUSTED, NEED_RECORDS, NEED_MOVES, NEED_FOUND, NEED_CELLS, AT_LIMIT, OPEN = range(9)

COSTS = 64
"""Costs told apart within a cell."""

MAX_REST = 6
"""A cell is visited once in two to this power rounds at least."""

CLOSE_BEHIND = 4
"""In three of four rounds cells are left out that have done more than so many steps of the plan less than the best position."""

# Features beyond these count as these.
MAX_PIECES, MAX_BLOCKED, MAX_ASTRAY = 15, 7, 7

NO, COUNTED, IN_ORDER = range(3)

MOST_FREED = 32
"""Stages of freeing the start told apart: more boxes share them."""

ADVISORS = 7


class Features(NamedTuple):
    """What the cells are made from."""

    filled: Bytes
    """Shape (m + 1, N), of the packing plan."""
    fills: Bytes
    """The same turned round, shape (N, m + 1)."""
    origin: Ints
    """Shape (m + 1,), of the packing plan."""
    target: Ints
    """Shape (m + 1,), of the packing plan."""
    serving: Bytes
    """Shape (4 N, m + 1), of the packing plan."""
    early: Bytes
    """Shape (m + 1, N): 1 where a box has done its step at a stage, though its turn comes later."""
    size: Ints
    """Shape (m + 1,): how many squares each stage of the packing plan has filled."""
    link: Ints
    """Shape (N,): the link between rooms that a square belongs to, -1 for none."""
    leaving: Ints
    """Shape (N,): in which order boxes leave the squares where they stand at the start: 1 for the last one; 0 elsewhere."""
    finish: int
    """The square that the player must be able to reach at last, -1 for any."""


class Style(NamedTuple):
    """What tells the searches of a portfolio apart."""

    fine: bool
    """Whether cells differ by more than the stage of the plan."""
    freed: int
    """Whether they differ by how much of the start has been left: NO, COUNTED by squares of it that have a box, or IN_ORDER,
    by the first such square of those that boxes can leave one after the other."""
    nearest: bool
    """Whether of moves of a kind that nobody proposed the nearest of the first box comes first, else the farthest of the
    last one."""
    pulls: bool
    """Whether the level is played backwards: boxes are pulled from the targets to where they stand at the start."""
    advisors: bool = True
    """Whether advisors are heard."""
    follow_ups: bool = True
    """Whether moves that were not possible one move before are cheaper."""
    corrals: bool = True
    """Whether corrals are searched for deadlocks."""
    patterns: bool = True
    """Whether deadlock patterns are learned, which only searches that play forwards do."""
    stuck: bool = True
    """Whether it matters what boxes that can never move again keep the others from."""


def cell_keys(style: Style) -> int:
    """Cells that one stage of the plan can have."""
    keys = MOST_FREED if style.freed != NO else 1
    if style.fine:
        keys *= (MAX_PIECES + 1) * (MAX_BLOCKED + 1) * (MAX_ASTRAY + 1)
    return keys


class Tree(NamedTuple):
    """Positions, and moves that wait to be made."""

    records: Ints
    """Shape (R, COLUMNS)."""
    boxes: Shorts
    """Shape (R, n)."""
    known: Words
    """Shape (R,): Zobrist word of each record."""
    table: Ints
    """Hash table of records, a power of two long, -1 for none."""
    moves: Shorts
    """Shape (M,): moves, each position's together: 4 N + the slot of a box, then the nodes that it goes to, then the next box.
    Boards of 64 by 64 squares have less than 2^16 of such numbers."""
    found: Ints
    """Those of the position that is being opened, slot * 4 N + node."""
    cell_of: Ints
    """Shape ((m + 1) * cell_keys,): 1 + the number of a cell, 0 where it has no position yet."""
    heads: Ints
    """Shape (cells, COSTS): what has its turn first, -1 for nothing."""
    rest: Ints
    """Shape (cells,): the rounds in which a cell is left out, as a mask of their number."""
    done: Ints
    """Shape (cells,): steps of the plan done."""
    meta: Longs


class Scratch(NamedTuple):
    """Room of one slice."""

    occupied: Bytes
    """Shape (N,), all 0 between slices."""
    marks: Bytes
    """Shape (N,), all 0."""
    reach: Ints
    """Shape (N,)."""
    label: Ints
    """Shape (N,)."""
    inside: Ints
    """Shape (N,)."""
    queue: Ints
    """Shape (N,)."""
    members: Ints
    """Shape (n + 1,)."""
    found: Ints
    """Shape (n,)."""
    allowed: Ints
    """Shape (n,)."""
    keys: Ints
    """Shape (n,)."""
    taken: Ints
    """Shape (n,): box of each target in the last matching, -1 for none."""
    fits: Bytes
    """Shape (n,): whether a box can make the next step of the plan."""
    missing: Ints
    """Shape (m + 1,): squares of a stage that no box fills."""
    close: Ints
    """Shape (m + 1,): stages that lack one box at most."""
    step_taken: Ints
    """Shape (m + 1,)."""
    step_came: Ints
    """Shape (m + 1,)."""
    step_queue: Ints
    """Shape (m + 1,)."""
    blocked: Ints
    """Shape (links,): boxes on a link."""
    before: Ints
    """Shape (n N,), by slot * N + square: the stamp of the last position one move before which that box could go there."""
    advice: Ints
    """Shape (ADVISORS, 2): the best worth found so far, and the move."""
    route: Route
    stuck: Stuck
    corrals: Corrals
    patterns: Patterns
