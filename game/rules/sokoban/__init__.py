"""Sokoban: push every box onto a target. The face of the game; everything else imports from here.

`variants` has the variants and the numbers of actions, `board` the state and single moves,
`array` and `lurd` positions as arrays and moves as text, `paths` walking and moving boxes
along shortest paths, `deadlock` what can no longer be won, `reverse` levels played backwards. Levels as
text are in `game.rules.levels`.
"""

from game.rules.sokoban.array import (
    BOX,
    BOX_ON_TARGET,
    EMPTY,
    KIND,
    PLAYER,
    PLAYER_ON_TARGET,
    TARGET,
    WALL,
    Board,
    from_array,
    to_array,
)
from game.rules.sokoban.board import (
    MAX_SIDE,
    State,
    Warehouse,
    apply,
    at_home,
    is_push,
    is_solved,
    legal_actions,
    moved_box,
    moves_box,
    outcome,
)
from game.rules.sokoban.deadlock import dead_squares, is_dead, stuck_boxes
from game.rules.sokoban.lurd import from_lurd, to_lurd
from game.rules.sokoban.paths import push_path, push_targets, reachable, walk_path
from game.rules.sokoban.reverse import backwards, can_reverse, forwards, level_of
from game.rules.sokoban.variants import PULL, PUSH_ONLY, SECOND, Rules, rules_of

__all__ = [
    "BOX",
    "BOX_ON_TARGET",
    "EMPTY",
    "KIND",
    "MAX_SIDE",
    "PLAYER",
    "PLAYER_ON_TARGET",
    "PULL",
    "PUSH_ONLY",
    "SECOND",
    "TARGET",
    "WALL",
    "Board",
    "Rules",
    "State",
    "Warehouse",
    "apply",
    "at_home",
    "backwards",
    "can_reverse",
    "dead_squares",
    "forwards",
    "from_array",
    "from_lurd",
    "is_dead",
    "is_push",
    "is_solved",
    "legal_actions",
    "level_of",
    "moved_box",
    "moves_box",
    "outcome",
    "push_path",
    "push_targets",
    "reachable",
    "rules_of",
    "stuck_boxes",
    "to_array",
    "to_lurd",
    "walk_path",
]
