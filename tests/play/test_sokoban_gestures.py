"""What one undo takes back on a level, and the last position not known to be lost."""

import pytest

from game.play.driver import Played
from game.play.sokoban.crop import cropped
from game.play.sokoban.gestures import Gestures
from game.play.sokoban.session import LevelSession
from game.rules import levels, sokoban
from game.rules.replay import Step
from tests.desk import Desk

LEVEL = "########\n#      #\n# @ $  #\n#     .#\n########\n"
UP, RIGHT, DOWN, LEFT = range(4)


@pytest.fixture
def session(desk: Desk) -> LevelSession:
    made = LevelSession(desk)
    made.begin(levels.parse(LEVEL, "test").levels[0].state)
    return made


def test_one_undo_takes_a_walk_back_and_a_single_step_on_demand(session: LevelSession) -> None:
    session.person_plays(UP)
    session.follow((RIGHT, RIGHT, RIGHT))
    assert session.timeline.cursor == 4
    session.undo_step()
    assert session.timeline.cursor == 3
    session.redo_step()
    session.undo()
    assert session.timeline.cursor == 1, "the walk"
    session.undo()
    assert session.timeline.cursor == 0, "the step before it"
    session.redo()
    session.redo()
    assert session.timeline.cursor == 4, "the same gestures again"


def test_one_undo_takes_an_agents_push_back_with_the_walk_to_it(session: LevelSession) -> None:
    for action in (RIGHT, RIGHT, UP, RIGHT, RIGHT, DOWN):  # a walk and a push, a walk round the box and a push down
        session.agent_plays(Played((Step(action),)))
    assert len(session.state.boxes) == 1 and session.helped
    session.undo()
    assert session.timeline.cursor == 2, "the walk round the box and the push down"
    session.undo()
    assert session.timeline.cursor == 0


def test_an_agents_push_does_not_swallow_a_persons_walk(session: LevelSession) -> None:
    session.agent_plays(Played((Step(UP),)))
    session.undo()
    session.person_plays(UP)
    session.agent_plays(Played((Step(RIGHT),)))
    session.undo()
    assert session.timeline.cursor == 1


def test_a_level_that_comes_back_knows_its_gestures(session: LevelSession) -> None:
    pack = session.course.packs.first_puzzles()
    assert pack is not None
    session.open_level(pack, 0)
    session.follow((RIGHT, LEFT))
    session.open_level(pack, 1)
    session.open_level(pack, 0)
    assert session.timeline.cursor == 2
    session.undo()
    assert session.timeline.cursor == 0


def test_steps_of_which_nothing_is_known_stand_for_themselves() -> None:
    gestures = Gestures()
    gestures.start(3)
    gestures.step(3)
    gestures.step(4, joined=True)
    assert [gestures.before(ply) for ply in (5, 4, 3, 2, 1)] == [3, 3, 2, 1, 0]
    assert [gestures.after(ply, 5) for ply in range(5)] == [1, 2, 3, 5, 5]


def test_undo_leads_to_the_last_position_that_is_not_known_to_be_lost(session: LevelSession) -> None:
    session.follow((UP, RIGHT, RIGHT, DOWN))  # the box is pushed against the wall below, where its target is
    assert not sokoban.is_dead(session.state)
    session.follow((LEFT, DOWN, LEFT))
    before = session.timeline.cursor
    session.follow((UP, UP, RIGHT))
    session.verdict.prove(before)
    session.undo_to_hope()
    assert session.timeline.cursor == before - 1, "an agent proved what followed"


def test_the_rules_say_where_a_position_was_lost(session: LevelSession) -> None:
    session.follow((DOWN, RIGHT, RIGHT, UP))  # into the upper row, from which nothing leads down
    lost = session.timeline.cursor
    assert sokoban.is_dead(session.state)
    session.follow((LEFT, LEFT))
    session.undo_to_hope()
    assert session.timeline.cursor == lost - 1


def test_a_fast_plan_is_played_as_fast_as_it_says(session: LevelSession) -> None:
    session.begin(levels.parse("#" * 40 + "\n#@$" + " " * 35 + ".#\n" + "#" * 40 + "\n", "test").levels[0].state)
    driver = session.driver
    session.set_speed(53.0)
    driver.run()
    driver._queue.extend([RIGHT] * 30)
    for _ in range(15):
        session.tick(1 / 30)
    assert 25 <= session.timeline.cursor <= 29, "half a second at 53 moves a second, with 30 frames a second"


def test_a_room_needs_only_the_walls_round_its_floor() -> None:
    text = "#########\n#########\n####  ###\n###@$ .##\n####  ###\n#########\n#########\n"
    start = levels.parse(text, "test").levels[0].state
    small = cropped(start)
    assert (small.warehouse.rows, small.warehouse.cols) == (5, 6)
    assert len(small.boxes) == 1
    for action in (RIGHT, RIGHT):
        small = sokoban.apply(small, action)
    assert sokoban.is_solved(small)
    assert cropped(cropped(start)) == cropped(start)
