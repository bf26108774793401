"""Lessons without a window: what each idea waits for, and who is given a lesson at all."""

from pathlib import Path
from typing import Any

import pytest
from test_session import Desk, saved

from ai import catalogue, kernels
from game.play.connect4 import lesson as stones
from game.play.connect4.session import FIRST_OPPONENT, MatchSession
from game.play.lesson import Idea, Lesson
from game.play.session import Session
from game.play.sokoban.session import LevelSession
from game.play.twenty48 import lesson as tiles
from game.play.twenty48.session import TileSession
from game.rules import connect4, twenty48
from game.saves import settings as settings_file
from game.saves.folder import open_saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.writer import Writer

FLAT = connect4.Shape(6, 7, 1, 4, 2)


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    saves = open_saves(tmp_path / "saves")
    writer = Writer(saves)
    yield Desk(saves, writer, Progress(saves, writer), Library(saves, writer))
    writer.close()
    saves.close()


def board(text: str) -> twenty48.State:
    return twenty48.parse_position(text)


def stones_after(*columns: int) -> connect4.State:
    state = connect4.start(FLAT)
    for column in columns:
        state = connect4.apply(state, column - 1)
    print(connect4.draw(state))
    return state


def test_ideas_come_one_after_the_other() -> None:
    lesson = Lesson(
        (Idea("any"), Idea("even", lambda _before, action, _after: action % 2 == 0, lambda state: state > 5))
    )
    assert lesson.idea_in(0) == "any" and not lesson.over
    assert lesson.played(0, 1, 1) and lesson.at == 1
    assert lesson.idea_in(3) == "", "the position cannot show it"
    assert not lesson.played(3, 2, 5), "so no step counts"
    assert lesson.idea_in(6) == "even" and not lesson.played(6, 1, 7)
    assert lesson.played(7, 2, 9) and lesson.over and lesson.idea_in(9) == ""
    assert not lesson.played(9, 2, 11)


def test_2048_knows_merges_and_corners() -> None:
    state = board("2 2 4 0/0 0 0 0/0 8 0 0/0 0 0 2")
    assert tiles.merging(state) == (1, 3)
    assert (
        tiles.cornered(state.cells, 4) is None
        and tiles.cornered(board("8 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0").cells, 4) == 0
    )
    action, corner = tiles.to_corner(board("0 0 0 0/0 0 0 0/0 0 0 0/0 8 0 0")) or (None, None)
    assert (action, corner) == (1, 15), "one slide"
    action, corner = tiles.to_corner(board("0 0 0 0/0 8 0 0/0 0 0 0/0 0 0 0")) or (None, None)
    assert action is not None and corner in tiles.corners(4), "the first of two"
    assert tiles.to_corner(board("2 4 2 4/4 8 4 2/2 4 2 4/4 2 4 2")) is None, "nothing moves"


def test_connect4_knows_threats_forks_and_lines() -> None:
    three = stones_after(3, 3, 4, 4, 5)
    assert stones.threats(three, 0).keys() == {1, 5}, "columns 2 and 6"
    assert stones.winning(stones_after(3, 3, 4, 4, 5, 5)) in (1, 5)
    assert stones.forking(stones_after(4, 1, 3, 1)) in (1, 4), "three in a row, open at both ends"
    assert stones.forking(stones_after(4, 5, 3, 2)) is None
    assert stones.forking(stones_after(1, 4, 7, 3, 7, 5)) is None, "the other would win first"
    line = stones.goal_line(stones_after(4, 1))
    assert line is not None and 3 in line and all(cell < 7 for cell in line)
    assert stones.goal_line(connect4.start(FLAT)) is not None


@pytest.mark.parametrize("kind", [TileSession, MatchSession])
def test_a_newcomer_is_given_a_lesson_until_it_is_done_and_never_again(desk: Desk, kind: type[Session]) -> None:
    session = kind(desk)
    assert session.lesson_at is not None and session.lesson_at[0] == 0
    parts = session.lesson_at[1]
    session.person_plays(_legal(session))
    assert session.lesson_at == (1, parts), "a first step is the first idea"
    saved(desk, session)
    again = kind(desk)
    assert again.lesson_at == (1, parts), "it goes on where it was"
    again.skip_lesson()
    assert again.lesson_at is None and not again.lesson.learned
    saved(desk, again)
    desk.saves.resume(kind.game).unlink()
    assert kind(desk).lesson_at is None, "not even in a new game"
    third = kind(desk)
    third.learn()
    assert third.lesson_at == (0, parts), "but where it is asked for"


def _legal(session: Session) -> int:
    state = session.state
    return int((twenty48.legal_actions(state) if session.game == "twenty48" else connect4.legal_actions(state))[0])


@pytest.mark.parametrize("kind", [TileSession, MatchSession])
@pytest.mark.parametrize("written", [True, "one", -1, 99, 1.5])
def test_a_damaged_record_gives_no_lesson(desk: Desk, kind: type[Session], written: settings_file.Value) -> None:
    desk.remember(f"{kind.game}/lesson", written)
    assert kind(desk).lesson_at is None


def test_who_has_played_before_is_given_none(desk: Desk) -> None:
    desk.progress.played_2048(5, 1000, 128)
    desk.progress.played_connect4("6,7,1,4", ("person", "perfect"), 0)
    desk.progress.solved_level("x", 10, 5, "")
    assert TileSession(desk).lesson_at is None
    match = MatchSession(desk)
    assert match.lesson_at is None and match.driver.seats[1] != FIRST_OPPONENT
    level = LevelSession(desk)
    assert level.lesson_at is None and level.course.pack is not None and level.course.pack.title == "First steps"


def test_who_left_a_game_before_there_were_lessons_is_given_none(desk: Desk) -> None:
    session = TileSession(desk)
    session.person_plays(_legal(session))
    saved(desk, session)
    desk.settings = settings_file.Settings()
    desk.progress = Progress(desk.saves, desk.writer)
    assert TileSession(desk).lesson_at is None


def test_the_first_opponent_is_the_weakest(desk: Desk) -> None:
    session = MatchSession(desk)
    assert session.driver.seats == [None, FIRST_OPPONENT] and session.driver.ready_for(FIRST_OPPONENT)


def test_agents_learn_nothing(desk: Desk) -> None:
    session = TileSession(desk)
    session.by_agent = True
    session.play(_legal(session))
    assert session.lesson_at == (0, 3)


def test_winning_ends_the_lesson_of_connect4(desk: Desk) -> None:
    session = MatchSession(desk)
    session.driver.seats = [None, None]
    for column in (0, 1, 0, 1, 0, 1):
        session.play(column)
    assert session.lesson_at is not None
    session.play(0)
    assert session.state.winner == 0 and session.lesson.learned


def test_levels_begin_with_the_rooms_that_teach_and_lead_on(desk: Desk) -> None:
    session = LevelSession(desk)
    assert session.lesson_at == (0, 10) and session.ghost()
    session.skip_lesson()
    assert session.lesson_at is None and session.course.short == "First steps 1" and not session.ghost()
    saved(desk, session)
    again = LevelSession(desk)
    assert again.course.short == "First steps 1", "it is not shown again unasked"
    again.change_level(1)
    again.learn()
    assert again.lesson_at == (0, 10)
    again.skip_lesson()
    assert again.course.short == "First steps 2", "back to the level that was open"


def test_after_a_lesson_that_was_asked_for_the_board_and_players_before_come_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "ready", lambda units: not tuple(units))
    session = MatchSession(desk)
    session.skip_lesson()
    assert session.driver.seats == [None, FIRST_OPPONENT], "a newcomer plays on"
    deep = connect4.Shape(4, 4, 4, 4, 3)
    session.set_up(deep, [None, None, FIRST_OPPONENT])
    for ends in (session.skip_lesson, lambda: (session.lesson.end(), session.new_game())):
        session.learn()
        assert session.state.shape == FLAT and session.driver.seats == [None, FIRST_OPPONENT]
        assert session.lesson_at == (0, 4)
        ends()
        assert session.lesson_at is None and desk.settings.remembered["connect4/lesson"] == 4
        assert session.state.shape == deep and session.driver.seats == [None, None, FIRST_OPPONENT]
    saved(desk, session)
    setup = desk.progress.connect4_setup
    assert setup is not None and (setup.depth, len(setup.seats)) == (4, 3), "a lesson is not what is remembered"


def test_after_the_first_lesson_comes_the_first_of_the_named_opponents(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    session = MatchSession(desk)
    session.lesson.end()
    session.new_game()
    weakest = catalogue.opponents("connect4")[0]
    assert session.driver.seats == [None, catalogue.opponent("connect4", weakest, session.state)]
    session.close()
