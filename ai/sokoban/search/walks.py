"""Shorter walks between the pushes of a solution for two players: only who moves a box next walks, if the other lets him pass.

Where walks cost nothing a search takes any of them, and both players wander. The moves of boxes stay, and their order.
"""

from collections.abc import Iterator, Sequence

from game.rules import sokoban
from game.rules.sokoban import SECOND, State


def shortened(start: State, actions: Sequence[int]) -> tuple[int, ...]:
    """A solution with the same pushes and pulls that has fewer moves, or the same one where none is found."""
    found: list[int] = []
    meant, state = start, start
    for action in actions:
        if sokoban.moves_box(meant, action):
            ways = (_then(state, way, action) for way in _ways(state, meant, bool(action & SECOND)))
            reached = next((after for after in ways if after is not None), None)
            if reached is None:
                return tuple(actions)
            state, steps = reached
            found += steps
        meant = sokoban.apply(meant, action)
    return tuple(found) if len(found) < len(actions) else tuple(actions)


def _ways(state: State, meant: State, second: bool) -> Iterator[tuple[int, ...]]:
    """Walks after which the player who is to move a box stands where he is meant to, the other where he was or is meant to."""
    goals = {False: meant.player, True: meant.second}
    direct = sokoban.walk_path(state, goals[second], second)
    if direct is not None:
        yield direct
    aside = sokoban.walk_path(state, goals[not second], not second)
    if aside is None:
        return
    for step in aside:
        state = sokoban.apply(state, step)
    way = sokoban.walk_path(state, goals[second], second)
    if way is not None:
        yield (*aside, *way)


def _then(state: State, way: tuple[int, ...], action: int) -> tuple[State, tuple[int, ...]] | None:
    """The state after the walks and the push or pull, and all the steps; None where the other player stands in the way of it."""
    for step in way:
        state = sokoban.apply(state, step)
    if action not in sokoban.legal_actions(state):
        return None
    return sokoban.apply(state, action), (*way, action)
