"""One undo takes back a person's slide with what an agent played after it; the records of both stand apart."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.play.twenty48.gestures import Gestures
from game.play.twenty48.session import TileSession
from game.rules import twenty48


def played(text: str) -> Gestures:
    """'p' a person's slide, 'a' an agent's."""
    made = Gestures()
    for step, who in enumerate(text):
        made.played(step, who == "a")
    return made


@pytest.mark.parametrize(
    ("text", "ply", "before"),
    [
        ("ppp", 3, 2),
        ("paaa", 4, 0),
        ("ppaaap", 6, 5),
        ("ppaaap", 5, 1),
        ("ppaaap", 4, 1),
        ("aaa", 3, 0),
        ("aaap", 4, 3),
    ],
)
def test_one_undo_is_one_gesture(text: str, ply: int, before: int) -> None:
    assert played(text).before(ply) == before
    assert played(text).after(before, len(text)) >= ply


@given(st.text("pa", min_size=1, max_size=40), st.data())
def test_undo_and_redo_meet_the_same_places_and_the_file_keeps_them(text: str, data: st.DataObject) -> None:
    made = played(text)
    stops, ply = [len(text)], len(text)
    while ply:
        ply = made.before(ply)
        stops.append(ply)
    back = [0]
    while back[-1] < len(text):
        back.append(made.after(back[-1], len(text)))
    print(text, stops, back)
    assert back == stops[::-1]
    assert Gestures.parse(made.text, len(text)).runs == made.runs
    cut = data.draw(st.integers(0, len(text) - 1))
    made.played(cut, False)  # another move after an undo: the rest is gone
    assert made.runs == played(text[:cut] + "p").runs


@pytest.mark.parametrize("text", [None, 3, "x", "3-2", "0-4 4-6", "2-9", "1-2  3-4", "-1-2", "5-9 1-2"])
def test_a_file_that_makes_no_sense_says_nothing(text: Any) -> None:
    assert Gestures.parse(text, 6).runs == []


def test_the_session_takes_back_gestures_and_single_slides(desk: Any) -> None:
    session = TileSession(desk)
    session.begin(twenty48.start(4, 7), 7)
    for by_agent in (False, False, True, True, True):
        session.by_agent = by_agent
        assert session.play(twenty48.legal_actions(session.state)[0])
    session.by_agent = False
    session.undo_step()
    assert session.timeline.cursor == 4
    session.redo_step()
    session.undo()
    assert session.timeline.cursor == 1
    session.redo()
    assert session.timeline.cursor == 5
    session.close()
    desk.writer.flush()
    again = TileSession(desk)
    assert again.timeline.cursor == 5
    again.undo()
    assert again.timeline.cursor == 1
    again.close()


def test_what_an_agent_scored_is_never_the_persons(desk: Any) -> None:
    session = TileSession(desk)
    session.begin(twenty48.start(4, 7), 7)
    while session.timeline.cursor < 30:
        session.play(twenty48.legal_actions(session.state)[0])
    own = session.state.score
    assert own > 0 and session.bests == (own, 0)
    session.new_game()
    session.by_agent = True
    while session.state.score <= own:
        if not session.play(twenty48.legal_actions(session.state)[0]):
            break
        if session.over:
            break
    session.by_agent = False
    theirs = session.state.score
    session.leave_game()
    assert session.bests == (own, theirs)
    assert desk.progress.best_2048(4).score == own and desk.progress.best_2048(4, "agent").score == theirs
    session.close()
