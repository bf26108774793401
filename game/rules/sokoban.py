"""Sokoban: push every box onto a target. The face of the game; everything else imports from here.

`sokoban_board` has the state and single moves, `sokoban_paths` walking and pushing along shortest paths,
`sokoban_deadlock` what can no longer be won. Levels as text are in `game.rules.levels`.
"""

from game.rules.sokoban_board import (
    BOX,
    BOX_ON_TARGET,
    EMPTY,
    MAX_SIDE,
    PLAYER,
    PLAYER_ON_TARGET,
    TARGET,
    WALL,
    Board,
    State,
    Warehouse,
    apply,
    from_array,
    from_lurd,
    is_push,
    is_solved,
    legal_actions,
    outcome,
    to_array,
    to_lurd,
)
from game.rules.sokoban_deadlock import dead_squares, is_dead, stuck_boxes
from game.rules.sokoban_paths import push_path, push_targets, reachable, walk_path

__all__ = [
    "BOX",
    "BOX_ON_TARGET",
    "EMPTY",
    "MAX_SIDE",
    "PLAYER",
    "PLAYER_ON_TARGET",
    "TARGET",
    "WALL",
    "Board",
    "State",
    "Warehouse",
    "apply",
    "dead_squares",
    "from_array",
    "from_lurd",
    "is_dead",
    "is_push",
    "is_solved",
    "legal_actions",
    "outcome",
    "push_path",
    "push_targets",
    "reachable",
    "stuck_boxes",
    "to_array",
    "to_lurd",
    "walk_path",
]
