"""Where the player of a level that is played backwards may begin."""

from dataclasses import replace

from game.rules import sokoban
from game.rules.sokoban import State


def all_places(start: State) -> list[int]:
    """The first square of each part of the floor on which the player of a level can stand in the end, ascending."""
    first = sokoban.backwards(start)
    free = start.warehouse.connected([start.player]) - first.boxes
    return sorted({min(sokoban.reachable(replace(first, player=square))) for square in free})


def first_place(start: State) -> int:
    """Where a player pulls something at once, if there is such a part; people may choose another."""
    places = all_places(start)
    pulls = (place for place in places if _can_pull(sokoban.backwards(start, place)))
    return next(pulls, places[0])


def next_place(start: State, state: State) -> tuple[int, bool]:
    """The part after the one where the player stands, and whether it is the only one."""
    places = all_places(start)
    here = min(sokoban.reachable(state))
    return places[(places.index(here) + 1) % len(places)], len(places) == 1


def _can_pull(state: State) -> bool:
    """Whether the player can walk to some box and pull it."""
    return any(sokoban.push_targets(state, box) for box in state.boxes)
