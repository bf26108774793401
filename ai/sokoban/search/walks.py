"""Shorter walks between the pushes of a solution for two players: only who moves a box next walks, if the other lets him pass.

Where walks cost nothing a search takes any of them, and both players wander. The moves of boxes stay, and their order.
"""

from collections.abc import Sequence

from game.rules import sokoban
from game.rules.sokoban import SECOND, State


def shortened(start: State, actions: Sequence[int]) -> tuple[int, ...]:
    """A solution with the same pushes and pulls that has fewer moves, or the same one where none is found."""
    found: list[int] = []
    meant, state = start, start
    for action in actions:
        if sokoban.moves_box(meant, action):
            way = _way(state, meant, bool(action & SECOND))
            if way is None:
                return tuple(actions)
            for step in (*way, action):
                state = sokoban.apply(state, step)
            found += [*way, action]
        meant = sokoban.apply(meant, action)
    return tuple(found) if len(found) < len(actions) else tuple(actions)


def _way(state: State, meant: State, second: bool) -> tuple[int, ...] | None:
    """Walks after which the player who is to move a box stands where he is meant to; None where none is found."""
    goals = {False: meant.player, True: meant.second}
    direct = sokoban.walk_path(state, goals[second], second)
    if direct is not None:
        return direct
    aside = sokoban.walk_path(state, goals[not second], not second)
    if aside is None:
        return None
    for step in aside:
        state = sokoban.apply(state, step)
    way = sokoban.walk_path(state, goals[second], second)
    return None if way is None else (*aside, *way)
