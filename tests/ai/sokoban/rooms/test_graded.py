"""Grades of rooms, and rooms of a wanted difficulty."""

import pytest

from ai.agent import Progress, Thinking
from ai.sokoban.rooms import graded
from ai.sokoban.rooms.graded import Grade, grade, graded_rooms
from ai.sokoban.rooms.maker import RoomMaker
from game.rules import levels, sokoban

TWO_BOXES = """
#######
#@    #
#.$ $.#
#     #
#######
"""


def level(text: str) -> sokoban.State:
    return levels.parse(text.strip("\n"), "test").levels[0].state


def test_pushes_and_box_changes_are_counted_on_the_solution():
    found = grade(level(TWO_BOXES))
    print(found)
    assert found is not None and (found.pushes, found.changes) == (2, 2)
    reached = level(TWO_BOXES)
    for action in found.actions:
        reached = sokoban.apply(reached, action)
    assert sokoban.is_solved(reached)
    longer = grade(level("########\n#@$   .#\n########"))
    assert longer is not None and (longer.pushes, longer.changes) == (4, 1)
    assert grade(level("######\n#@ $.#\n#    #\n#$  .#\n######")) is None, "no solution, no grade"


@pytest.mark.parametrize(
    ("pushes", "changes", "positions", "difficulty"),
    [(2, 2, 1, 3), (12, 6, 100, 20), (40, 20, 10_000, 56), (300, 100, 200_000, 100)],
)
def test_the_scale_of_difficulty(pushes, changes, positions, difficulty):
    assert Grade(pushes, changes, positions, ()).difficulty == difficulty


def test_rooms_of_a_wanted_difficulty_are_those_of_the_maker_that_suit():
    heard, told = list[Progress](), list[object]()
    thinking = Thinking(listener=heard.append)
    rooms = graded_rooms(RoomMaker(4, 9, 9, 3, "fast"), 5, 15, 18, thinking, told.append)
    print([room.grade.difficulty for room in rooms], heard[-1])
    assert len(rooms) == 5 and all(15 <= room.grade.difficulty <= 18 for room in rooms)
    assert told == rooms and heard[-1].fraction == 1.0
    again = RoomMaker(4, 9, 9, 3, "fast").make(heard[-1].nodes)
    suit = [state for state in map(again.state, range(len(again.boards))) if 15 <= grade(state).difficulty <= 18]
    assert suit == [room.state for room in rooms]


def test_where_none_suits_the_nearest_comes():
    rooms = graded_rooms(RoomMaker(4, 6, 6, 1, "fast"), 3, 90, 100, patience=40)
    looked_at = RoomMaker(4, 6, 6, 1, "fast").make(40)
    hardest = max(grade(looked_at.state(number)).difficulty for number in range(40))
    print([room.grade.difficulty for room in rooms], hardest)
    assert [room.grade.difficulty for room in rooms] == [hardest]


def test_a_cancel_and_a_solver_that_gives_up(monkeypatch):
    thinking = Thinking()
    thinking.cancel()
    assert graded_rooms(RoomMaker(0, 8, 8, 2), 3, thinking=thinking) == []
    monkeypatch.setattr(graded, "MOST_POSITIONS", 1)
    assert graded_rooms(RoomMaker(0, 10, 10, 4, "fast"), 1, patience=5) == []
