"""'Make me a room': asked for in the list of levels or by key, made in the background, kept and opened."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest
from test_sokoban_screen import Game, saves  # noqa: F401

from ai import kernels
from ai.sokoban.rooms import graded
from ai.sokoban.rooms.kinds import RoomError
from ai.sokoban.rooms.maker import RoomMaker
from game.rules import levels, sokoban
from game.saves.user_packs import UserPacks
from game.screens.sokoban.level_list import LevelListScene
from game.screens.sokoban.room_dialog import RoomDialog
from game.screens.sokoban.room_job import BANDS, Request
from game.ui.controls import Stepper

SMALL = Request(7, 8, 2)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """What the window finds compiled."""
    graded.graded_rooms(RoomMaker(0, 7, 8, 2), 1)


@pytest.fixture
def game(saves: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:  # noqa: F811
    monkeypatch.setattr(RoomDialog, "request", SMALL)
    made = Game(saves)
    yield made
    made.close()


def ask(game: Game) -> RoomDialog:
    game.key(pygame.K_g)
    dialog = game.window.top
    assert isinstance(dialog, RoomDialog)
    return dialog


def made(game: Game) -> None:
    game.until(lambda: game.window.top is game.scene, "the room is there", 120.0)


def test_a_room_is_made_kept_and_opened(game: Game) -> None:
    ask(game)
    game.key(pygame.K_RETURN)
    made(game)
    print(game.picture(), game.toasts)
    state = game.scene.session.state
    rows, cols = state.warehouse.rows, state.warehouse.cols
    assert rows <= 7 and cols <= 8 and len(state.boxes) == 2, "rows and columns of nothing are cut off"
    assert game.scene.face.subtitle() == f"My rooms · 1 of 1 · “Room 1: {rows} × {cols}, 2 boxes”"
    assert any("A room of difficulty" in toast and "Kept in My rooms." in toast for toast in game.toasts)
    kept = levels.read(game.context.saves.root / "levels" / "my-rooms.xsb").levels[0]
    for action in sokoban.from_lurd(kept.solution):
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state) and kept.comment.startswith("Difficulty ")
    ask(game)
    game.press("Make it")
    made(game)
    assert game.scene.face.subtitle().startswith("My rooms · 2 of 2 · “Room 2")
    assert game.scene.session.state != kept.state


def test_the_list_of_levels_offers_it(game: Game) -> None:
    game.key(pygame.K_l)
    assert isinstance(game.window.top, LevelListScene)
    game.press("Make a room")
    assert isinstance(game.window.top, RoomDialog)
    game.press("Make it")
    made(game)
    assert game.scene.face.subtitle().startswith("My rooms · 1 of 1")
    assert [each.title for each in UserPacks(game.context.saves, game.context.writer).packs] == ["My rooms"]


def test_the_difficulty_is_kept_to(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = ask(game)
    dialog._take_band("medium")
    RoomDialog.request = Request(8, 8, 2, RoomDialog.request.band)
    game.press("Make it")
    made(game)
    pack = game.scene.session.course.pack
    assert pack is not None
    difficulty = int(pack.levels[0].comment.split()[1].rstrip(":"))
    assert 15 <= difficulty <= 24
    assert "nearest" not in game.toasts[-1]


def test_where_none_suits_the_nearest_is_taken_when_asked_for(game: Game) -> None:
    dialog = ask(game)
    RoomDialog.request = Request(6, 6, 1, BANDS[-1])
    game.press("Make it")
    game.until(lambda: dialog.job.progress.measure is not None, "rooms are looked at", 120.0)
    assert game.window.top is dialog and dialog.job.made is None
    game.press("Take the closest")
    made(game)
    print(game.toasts)
    assert any("the nearest of" in toast for toast in game.toasts)


def test_closing_it_ends_the_work_and_keeps_nothing(game: Game) -> None:
    dialog = ask(game)
    RoomDialog.request = Request(6, 6, 1, BANDS[-1])
    game.press("Make it")
    game.until(lambda: dialog.job.progress.measure is not None, "rooms are looked at", 120.0)
    game.key(pygame.K_ESCAPE)
    assert game.window.top is game.scene
    game.until(lambda: not any(thread.name == "rooms" for thread in threading.enumerate()), "the thread ends", 5.0)
    assert not UserPacks(game.context.saves, game.context.writer).packs
    before = game.scene.face.subtitle()
    game.frames(5)
    assert game.scene.face.subtitle() == before


def test_it_waits_for_the_solvers_and_can_be_cancelled_meanwhile(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "ready", lambda family: False)
    dialog = ask(game)
    game.press("Make it")
    game.frames(3)
    assert dialog.job.waiting and "prepared" in dialog._doing()
    game.key(pygame.K_RETURN)
    assert game.window.top is dialog, "there is no nearest yet"
    monkeypatch.setattr(kernels, "ready", lambda family: True)
    made(game)
    assert game.scene.face.subtitle().startswith("My rooms")


@pytest.mark.parametrize(
    ("error", "words"),
    [(RoomError("a room could not be found"), "A room could not be found."), (OSError("no disk"), "failed: no disk")],
)
def test_what_goes_wrong_is_said_and_it_asks_again(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(graded, "graded_rooms", fails)
    dialog = ask(game)
    game.press("Make it")
    game.until(lambda: dialog.job.problem, "it says what is wrong", 60.0)
    assert words in dialog.job.problem and not dialog.job.busy
    game.frames(2)
    steppers = [control for control in dialog.kit.controls if isinstance(control, Stepper)]
    assert [stepper.label for stepper in steppers] == ["Rows", "Columns", "Boxes"]


def test_numbers_stay_within_what_there_is(game: Game) -> None:
    dialog = ask(game)
    RoomDialog.request = Request(20, 5, 10)
    dialog.rebuild()
    rows, cols, boxes = (control for control in dialog.kit.controls if isinstance(control, Stepper))
    rows.step(1)
    cols.step(-1)
    boxes.step(1)
    assert (rows.value, cols.value, boxes.value) == ("20", "5", "10")
    for _ in range(20):
        rows.step(-1)
    assert (rows.value, boxes.value) == ("5", "4"), (
        "four boxes and four targets off them are the most on nine squares"
    )
    for _ in range(6):
        boxes.step(-1)
    assert boxes.value == "1" and RoomDialog.request == Request(5, 5, 1)
