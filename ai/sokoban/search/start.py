"""The position that a search starts from, and its lower bound."""

from collections.abc import Callable

import numpy as np

from ai.sokoban.board.distance import FAR
from ai.sokoban.board.ground import Ground
from ai.sokoban.board.layout import Layout
from ai.sokoban.board.moves import frozen
from ai.sokoban.board.successors import REGIONS, flood
from ai.sokoban.search.matching import add_row, total
from ai.sokoban.search.options import Options
from ai.sokoban.search.scratch import Scratch
from ai.sokoban.search.unfolding import States


def lower_bound(board: Layout, ground: Ground, options: Options, work: Scratch, pause: Callable[[str], None]) -> int:
    """What every solution costs at least; FAR where there is none: a box has no target, or one off target is frozen.

    Leaves the keys of the boxes in `work.keys`, and the matching, where that is the bound, in the first three rows of
    `work.matching`. Calls `pause` every few milliseconds.
    """
    size, occupied = len(board.boxes), board.marked
    if options.freeze:
        for box in board.boxes.tolist():
            count = frozen(board.steps, occupied, ground.alive, box, work.members, work.marks)
            members = work.members[:count]
            if not ground.home[occupied[members] - 1, members].all():
                return FAR
    keys = work.keys
    keys[:] = ground.offset + board.boxes * 4 + ground.part[board.boxes, board.player]
    if not options.matching:
        return int(min(FAR, ground.estimate[keys].astype(int).sum()))
    u, v, taken, least, way = (work.matching[row] for row in (0, 1, 2, 6, 7))
    taken[:] = -1
    for row in range(size):
        add_row(ground.distance, keys, row, u, v, taken, least, way, work.used)
        if row % 64 == 63:
            pause("matching boxes with targets")
    return int(total(ground.distance, keys, taken))


def first_state(board: Layout, ground: Ground, options: Options, work: Scratch, bound: int, states: States) -> None:
    """Write the position that a search starts from to row 0 of `states`; uses the stamp 1 of `work.after`."""
    player = board.player
    if options.mode == REGIONS:
        player = int(flood(board.steps, board.marked, work.after, 1, player, work.queue))
    states.places[0] = [*board.boxes.tolist(), player, *([board.second] if board.second >= 0 else [])]
    states.bounds[0] = bound
    states.words[0] = np.bitwise_xor.reduce(ground.words[ground.colour, board.boxes])
