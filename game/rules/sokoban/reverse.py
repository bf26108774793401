"""A level played backwards: boxes stand on the targets and are pulled to where the level has them.

What is pushed forwards is pulled backwards and the other way round, so a level played backwards is a position like any
other, with other rules, in a warehouse whose targets are the level's boxes. It is finished when every box is where the
level has it and the player can walk to where he starts (`Warehouse.entry`).
"""

from collections.abc import Iterable
from dataclasses import replace

from game.rules.sokoban.board import State, apply, is_push, is_solved, moves_box
from game.rules.sokoban.paths import walk_path
from game.rules.sokoban.variants import PULL, Rules


def can_reverse(start: State) -> bool:
    """Whether a level can be played backwards: one player, and a free square for him when every box is home."""
    warehouse = start.warehouse
    inside = warehouse.connected([start.player]) - warehouse.targets
    return warehouse.rules.players == 1 and warehouse.entry < 0 and bool(inside)


def backwards(start: State, player: int | None = None) -> State:
    """The first position of a level played backwards.

    Args:
        start: the first position of the level.
        player: where the player is placed; on the first free square where none is said.

    Raises:
        ValueError: two players, or `player` is a square where he cannot stand.
    """
    if not can_reverse(start):
        raise ValueError("only levels with one player and a free square can be played backwards")
    old = start.warehouse
    places = old.connected([start.player]) - old.targets
    if player is None:
        player = min(places)
    if player not in places:
        raise ValueError("the player is placed on a free square inside the walls")
    rules = Rules(old.rules.push, old.rules.fixed, 1, old.rules.pull)
    warehouse = replace(old, targets=start.boxes, homes=start.placed, rules=rules, entry=start.player)
    return State(warehouse, old.targets, player, placed=old.homes)


def level_of(first: State) -> State:
    """The first position of the level that `backwards` turned round to make `first`, wherever its player is by now."""
    old = first.warehouse
    rules = Rules(old.rules.push, old.rules.fixed, 1, old.rules.pull)
    warehouse = replace(old, targets=first.boxes, homes=first.placed, rules=rules, entry=-1)
    return State(warehouse, old.targets, old.entry, placed=old.homes)


def forwards(first: State, actions: Iterable[int]) -> tuple[int, ...]:
    """The solution of a level from one played backwards.

    Args:
        first: what `backwards` made.
        actions: what was played from there, up to a finished position.

    Raises:
        ValueError: an action is illegal, or the position at the end is not finished.
    """
    state = first
    undone: list[int] = []
    for action in actions:
        moved, pulls = moves_box(state, action), is_push(state, action)
        state = apply(state, action)
        if moved or undone:  # steps before the first box moves would come after the level is solved
            undone.append((action & 3 ^ 2) + PULL * pulls)
    if not is_solved(state):
        raise ValueError("the level played backwards is not finished")
    end = state.player
    walk = walk_path(replace(state, player=state.warehouse.entry), end)
    assert walk is not None, "a finished position has a way to the entry"
    return (*walk, *reversed(undone))
