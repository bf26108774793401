"""The rooms that teach: cropped, solved in the fewest moves that are known, and each with a ghost that keeps to the rules."""

from collections import deque
from pathlib import Path

import pytest

from game.play.sokoban.ghost import Ghost, beats, beats_of
from game.play.sokoban.packs import Packs
from game.rules import levels, sokoban
from game.rules.levels import Level
from game.rules.sokoban import State
from tests.learn_rooms import SOLUTIONS

FOLDER = Path(__file__).resolve().parents[1] / "levels"
PACK = levels.read(FOLDER / "0-learn.xsb")
LOSES = ("The corner", "Taken back", "Frozen", "Far end", "The tunnel")
"""Rooms whose ghost shows what goes wrong, and takes it back."""
MOST = 20_000

every = pytest.mark.parametrize("level", PACK.levels, ids=lambda level: level.title)


def fewest_moves(start: State) -> int:
    """Of a solution, found by trying everything, breadth first."""
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        state, moves = queue.popleft()
        if sokoban.is_solved(state):
            return moves
        for action in sokoban.legal_actions(state):
            after = sokoban.apply(state, action)
            if after not in seen:
                seen.add(after)
                queue.append((after, moves + 1))
        assert len(seen) < MOST, "the room is too large for a first one"
    raise AssertionError("there is no solution")


def test_there_are_ten_in_order() -> None:
    assert [level.title for level in PACK.levels] == list(SOLUTIONS)


@every
def test_it_is_solved_with_the_fewest_moves(level: Level) -> None:
    print("\n".join(levels.board(level.state)))
    state = level.state
    for action in sokoban.from_lurd(SOLUTIONS[level.title]):
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state)
    assert len(SOLUTIONS[level.title]) == fewest_moves(level.state)


@every
def test_it_is_cropped(level: Level) -> None:
    rows = levels.board(level.state)
    assert len(rows) <= 7 and max(map(len, rows)) <= 9, "small enough to be seen at one glance"
    for line in (rows[0], rows[-1]):
        assert set(line) <= {"#", " "}
    assert any(row.startswith("#") for row in rows), "no empty column on the left"


@every
def test_its_ghost_keeps_to_the_rules_and_leaves_the_solving_to_the_player(level: Level) -> None:
    played = beats_of(level)
    assert played, level.comment
    assert not any(sokoban.is_solved(beat.after) for beat in played)
    lost = [bool(sokoban.stuck_boxes(beat.after)) for beat in played]
    assert any(lost) == (level.title in LOSES), lost
    assert not lost[-1], "what went wrong is taken back"
    assert any(beat.kind == "undo" for beat in played) == any(lost)


def test_a_ghost_plays_its_beats_once() -> None:
    start = PACK.levels[0].state
    played = beats(start, "rR,z")
    assert [beat.kind for beat in played] == ["move", "move", "wait", "undo"]
    assert played[1].after.boxes != start.boxes and played[3].after == played[0].after
    ghost, seen = Ghost(played), []
    assert ghost.beat is None, "a moment passes before it comes"
    for _ in range(400):
        ghost.update(0.02)
        if ghost.beat is not None and (not seen or seen[-1] is not ghost.beat):
            seen.append(ghost.beat)
        assert 0.0 <= ghost.share <= 1.0 and 0.0 <= ghost.presence <= 1.0
    assert tuple(seen) == played
    assert ghost.over and ghost.beat is None


@pytest.mark.parametrize("script", ["R", "rr", "u", "z", "rzz", "r" * 201])
def test_a_ghost_that_breaks_the_rules_is_none(script: str) -> None:
    start = PACK.levels[0].state
    with pytest.raises(ValueError):
        beats(start, script)
    assert beats_of(Level(start, "Push", comment=f"Ghost: {script}")) == ()


def test_the_first_pack_teaches_and_the_second_does_not(tmp_path: Path) -> None:
    packs = Packs(FOLDER, tmp_path)
    lessons, puzzles = packs.lessons(), packs.first_puzzles()
    assert lessons is not None and puzzles is not None
    assert packs.first() == lessons and lessons.title == "Learn" and len(lessons.levels) == 10
    assert puzzles.title == "First steps" and packs.neighbour(lessons.id, 1) == puzzles
    assert [file.id for file in packs.files if (pack := packs.get(file.id)) and pack.teaches] == [lessons.id]
