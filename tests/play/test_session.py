"""Sessions of the three games, played without a window: no pygame is imported, no kernel compiled."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from ai.entries import Spec
from game.play.connect4.session import MatchSession
from game.play.session import Session
from game.play.sokoban.session import LevelSession
from game.play.sokoban.trial import TrialSession
from game.play.twenty48.session import TileSession
from game.play.watcher import Watcher
from game.rules import connect4, levels, sokoban, twenty48
from game.rules import replay as replays
from tests.desk import Desk

LEVEL = levels.parse("#######\n#@ $ .#\n#     #\n#######\nTitle: One box\n", "test").levels[0]


class Notes(Watcher):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def began(self) -> None:
        self.told.append("began")

    def stepped(self, before: Any, step: replays.Step, after: Any, seconds: float) -> None:
        self.told.append(f"step {step.action}")

    def jumped(self) -> None:
        self.told.append("jumped")

    def ended(self) -> None:
        self.told.append("ended")


def saved(desk: Desk, session: Session) -> None:
    """Close it, and wait until it is written."""
    session.close()
    desk.writer.flush()


def test_a_session_imports_no_window() -> None:
    program = (
        "import sys, game.play.sokoban.session, game.play.connect4.session, game.play.twenty48.session;"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'pygame', 'pygame_gui', 'numba', 'torch'}))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_level_is_played_undone_redone_and_solved(desk: Desk) -> None:
    notes = Notes()
    session = TrialSession(desk, notes, LEVEL, lambda: notes.told.append("back"))
    notes.told.clear()
    right, down = 1, 2
    assert session.person_plays(right) and session.person_plays(right)
    assert not session.play(0), "there is a wall above"
    session.undo()
    session.redo()
    assert session.timeline.cursor == 2 and not session.over
    session.undo()
    assert session.person_plays(down), "what was undone is gone"
    session.undo()
    session.follow([right, right])
    print(notes.told)
    assert session.over and session.finished and not session.helped
    assert notes.told[-2:] == ["step 1", "ended"]
    assert sokoban.to_lurd(LEVEL.state, session.solution()) == "rRR"
    session.change_level(1)
    assert notes.told[-1] == "back"
    saved(desk, session)
    kept = list((desk.saves.root / "replays").glob("*sokoban*"))
    assert len(kept) == 1 and not desk.saves.resume("sokoban").exists(), "a trial leaves a replay and nothing else"


def test_a_level_goes_on_where_it_was(desk: Desk) -> None:
    session = LevelSession(desk)
    session.open_level(session.course.packs.get("1-first-steps"), 2)
    action = sokoban.legal_actions(session.state)[0]
    assert session.person_plays(action)
    saved(desk, session)
    again = LevelSession(desk)
    print(again.course.name, again.timeline.cursor)
    assert (again.course.level_id, again.timeline.cursor) == (session.course.level_id, 1)
    assert again.state == session.state
    again.close()


def test_a_snapshot_keeps_the_level_it_was_taken_of(desk: Desk) -> None:
    """Level, moves, extra facts and headline belong together, whatever is opened before the writer comes to them."""
    session = LevelSession(desk)
    pack = session.course.packs.get("1-first-steps")
    session.open_level(pack, 0)
    first = session.state
    action = sokoban.legal_actions(first)[0]
    assert session.person_plays(action)
    snapshot = session.snapshot()
    session.open_level(pack, 3)
    session.person_plays(sokoban.legal_actions(session.state)[0])
    written = snapshot.saved()
    assert written.replay.setup == replays.setup_of(first)
    assert [step.action for step in written.replay.steps] == [action] and written.cursor == 1
    assert written.extra["level"] == pack.ids[0]
    assert "1 move" in written.headline and session.headline() != written.headline
    session.close()


def test_people_alternate_at_connect4_and_the_end_is_counted_once(desk: Desk) -> None:
    notes = Notes()
    session = MatchSession(desk, notes)
    session.set_up(connect4.Shape(6, 7, 1, 4, 2), [None, None])
    for column in (0, 1, 0, 1, 0, 1, 0):
        assert session.person_plays(column)
    assert session.over and notes.told[-1] == "ended"
    assert (session.score.wins(0), session.score.wins(1)) == (1, 0)
    session.undo()
    assert session.person_to_move and session.person_plays(0)
    assert session.score.wins(0) == 1, "the same game was counted twice"
    assert not session.person_plays(2), "the game is over"
    session.new_game()
    assert session.timeline.cursor == 0 and not session.over
    session.close()


def test_players_change_seats_and_keep_their_wins(desk: Desk) -> None:
    session = MatchSession(desk)
    session.set_up(connect4.Shape(6, 7, 1, 4, 2), [None, Spec("random")])
    session.set_rotates(True)
    session.score.count(1)
    session.driver.stop()
    session.play(3)
    session.new_game()
    assert [str(spec) for spec in session.driver.seats] == ["random", "None"]
    assert [session.score.wins(seat) for seat in (0, 1)] == [1, 0]
    session.close()


def test_a_game_of_2048_is_the_seeds_own_and_an_arranged_one_makes_no_record(desk: Desk) -> None:
    session = TileSession(desk)
    session.put_on(twenty48.start(4, 7), 7)
    for action in (0, 1, 2, 3) * 5:
        session.person_plays(action)
    played = session.timeline.played
    assert len(played) > 10 and not session.arranged and not session.agent_played
    state = twenty48.start(4, 7)
    for step in played:
        state = replays.after(state, step)
    assert state == session.state
    score = session.state.score
    session.new_game()
    assert desk.progress.best_2048(4, "person").score == score
    session.continue_from(twenty48.parse_position("2 4 8 16/0 0 0 0/0 0 0 0/0 0 0 1024", 1))
    assert session.arranged and session.state.score == 0
    saved(desk, session)
    again = TileSession(desk)
    assert again.state.cells == session.state.cells and again.arranged
    again.close()


def test_speed_has_ends_and_beyond_the_last_one_there_is_no_limit(desk: Desk) -> None:
    session = TileSession(desk)
    session.set_speed(50.0)
    session.scale_speed(1.5)
    assert session.driver.speed == float("inf")
    session.scale_speed(1 / 1.5)
    assert session.driver.speed == 60.0
    for _ in range(20):
        session.scale_speed(1 / 1.5)
    assert session.driver.speed == 1.0
    session.close()
