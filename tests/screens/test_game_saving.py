"""What is saved of a game is the game as it stood when it was handed to the writer, whatever is played meanwhile."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.play.timeline import Timeline
from game.rules import replay as replays
from game.saves import resume
from game.saves.writer import Content, Writer

KEYS = {"up": pygame.K_UP, "right": pygame.K_RIGHT, "down": pygame.K_DOWN, "left": pygame.K_LEFT}


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Content]]:
    """File name -> what the writer was given for it, not yet written."""
    found: dict[str, list[Content]] = {}

    def put(_writer: Writer, path: Path, content: Content) -> None:
        found.setdefault(path.name, []).append(content)

    monkeypatch.setattr(Writer, "put", put)
    return found


def read(content: Content, folder: Path) -> resume.Session:
    """What the file will say when the writer comes to it."""
    assert callable(content)
    path = folder / "session.json"
    path.write_bytes(content())
    session = resume._read(path, "sokoban").session
    assert session is not None
    return session


def test_a_level_changed_before_it_is_written_is_not_in_the_file(
    visit: Callable[..., Any], taken: dict[str, list[Content]], tmp_path: Path
) -> None:
    visitor = visit("sokoban")
    scene = visitor.scene
    pack = scene.session.course.packs.get("1-first-steps")
    scene.session.open_level(pack, 0)
    for key in KEYS.values():
        visitor.key(key)
    played, cursor, first = (
        list(scene.session.timeline.steps),
        scene.session.timeline.cursor,
        scene.session.timeline.initial,
    )
    print(scene.session.course.name, cursor, "moves")
    assert cursor >= 1 and len(pack.levels) > 2
    handed = taken["sokoban.json"][-1]
    scene.session.open_level(pack, 2)
    assert scene.session.timeline.initial != first and not scene.session.timeline.steps
    session = read(handed, tmp_path)
    assert session.replay.setup == replays.setup_of(first)
    assert list(session.replay.steps) == played and session.cursor == cursor
    assert session.extra["level"] == pack.ids[0] and session.headline.endswith(f"{cursor} move" + "s" * (cursor != 1))


def test_moves_played_after_an_undo_are_not_in_what_was_taken_before(
    visit: Callable[..., Any], taken: dict[str, list[Content]], tmp_path: Path
) -> None:
    visitor = visit("sokoban")
    scene = visitor.scene
    ways = [way for way in KEYS for _ in (0, 1)]
    for way in ways:
        visitor.key(KEYS[way])
    before = list(scene.session.timeline.steps)
    print("played", [step.action for step in before])
    assert len(before) >= 2
    handed = taken["sokoban.json"][-1]
    visitor.key(pygame.K_z)
    visitor.key(pygame.K_z)
    for way in reversed(ways):
        visitor.key(KEYS[way])
    assert scene.session.timeline.steps != before
    session = read(handed, tmp_path)
    assert list(session.replay.steps) == before and session.cursor == len(before)


def test_a_moment_of_a_timeline_stays_what_it_was() -> None:
    line: Timeline[int] = Timeline.start(0)
    for number in range(1, 4):
        line.play(replays.Step(number % 4), number)
    line.go(2)
    moment = line.moment()
    line.play(replays.Step(0), 40)
    line.play(replays.Step(0), 50)
    assert (line.states, line.cursor) == ([0, 1, 2, 40, 50], 4)
    assert [step.action for step in moment.steps] == [1, 2, 3] and moment.cursor == 2 and moment.initial == 0
