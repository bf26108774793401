"""The levels of other rules that ship with the app: solvable, found by trying everything, and in need of their rules."""

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from game.rules import levels, sokoban
from game.rules.levels import Level
from game.rules.sokoban import Rules, State

PACK = levels.read(Path(__file__).resolve().parents[1] / "levels" / "5-variants.xsb")
MOST = 50_000
"""Positions of a room at most: they are small."""


def searched(start: State) -> tuple[int, ...] | None:
    """A shortest solution, breadth first over single steps; None where there is none."""
    came: dict[State, tuple[State, int] | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if sokoban.is_solved(here):
            actions: list[int] = []
            while (step := came[here]) is not None:
                here, action = step
                actions.append(action)
            return tuple(reversed(actions))
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            if after not in came:
                came[after] = (here, action)
                queue.append(after)
        assert len(came) < MOST, "the room is too large to be searched as a whole"
    return None


def poorer(level: Level) -> State:
    """The level without pulls and without its second player, boxes alike."""
    array = sokoban.to_array(level.state) & 15
    array[array >= 8] = 0
    return sokoban.from_array(array)


@pytest.mark.parametrize("level", PACK.levels, ids=lambda level: level.title)
def test_every_level_is_solvable_and_needs_its_rules(level: Level) -> None:
    rules = level.state.warehouse.rules
    print("\n".join(levels.board(level.state)), rules.name)
    found = searched(level.state)
    assert found is not None
    print(sokoban.to_lurd(level.state, found))
    told = levels.replayed(level.state, level.solution, level.title)
    assert len(told) == len(found), "the solution in the file is a shortest one"
    state = level.state
    for action in told:
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state)
    if rules != Rules(fixed=True):
        assert searched(poorer(level)) is None, "it can be solved by pushes of one player"


def test_all_variants_are_there() -> None:
    kinds = {level.state.warehouse.rules for level in PACK.levels}
    assert {Rules(pull=True), Rules(fixed=True), Rules(players=2)} < kinds
    assert len({levels.level_id(level) for level in PACK.levels}) == len(PACK.levels) >= 10
    assert not any(sokoban.is_dead(level.state) for level in PACK.levels)
    assert all(level.title for level in PACK.levels)
    again = levels.parse(levels.dump(PACK), "again")
    assert [replace(level, line=1) for level in again.levels] == [replace(level, line=1) for level in PACK.levels]
