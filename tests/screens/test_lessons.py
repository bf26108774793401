"""Learning by playing, through posted events: ten rooms by keys alone, a first win at connect-4, the first slides of 2048."""

from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import kernels
from game.play.connect4 import lesson as stones
from game.play.twenty48.session import TileSession
from game.rules import connect4, levels, twenty48
from game.screens.navigation import make_scene
from game.ui.dialog import Dialog
from tests.learn_rooms import SOLUTIONS

ARROWS = {"u": pygame.K_UP, "r": pygame.K_RIGHT, "d": pygame.K_DOWN, "l": pygame.K_LEFT}
PATIENCE = 600
"""Frames after which something has not happened."""


def until(visitor: Any, done: Callable[[], bool], what: str) -> None:
    for _ in range(PATIENCE):
        if done():
            return
        visitor.frames()
    raise AssertionError(f"waited in vain until {what}")


def press(visitor: Any, label: str) -> None:
    """Click the button of that label, on the screen in front."""
    (button,) = [each for each in visitor.window.top.kit.controls if getattr(each, "label", "") == label]
    visitor.click(button.rect.center)


def labels(visitor: Any) -> list[str]:
    return [getattr(each, "label", "") for each in visitor.window.top.kit.controls]


def from_menu(visit: Callable[..., Any], game: str, **settings: object) -> Any:
    """The window with a game's screen over the menu."""
    visitor = visit("menu", newcomer=True, **settings)
    reopened(visitor, game)
    return visitor


def reopened(visitor: Any, scene: str) -> None:
    """Leave a game's screen for the menu, if one is open, and open one."""
    leave(visitor)
    visitor.window.push(make_scene(scene, visitor.window, visitor.context))
    visitor.scene = visitor.window.top
    visitor.frames(2)


def leave(visitor: Any) -> None:
    """Back to the menu."""
    if len(visitor.window.scenes) > 1:
        visitor.window.pop()
        visitor.context.writer.flush()
    visitor.frames(2)


# Sokoban


def test_ten_rooms_are_solved_by_keys_alone(visit: Callable[..., Any]) -> None:
    visitor = visit("sokoban", newcomer=True, animation="instant")
    screen, session = visitor.scene, visitor.scene.session
    assert "no agent is ready" and not session.driver.ready
    for number, (title, solution) in enumerate(SOLUTIONS.items()):
        assert (session.level.title, session.lesson_at) == (title, (number, 10))
        print(title, *levels.board(session.state), sep="\n")
        for letter in solution:
            visitor.key(ARROWS[letter.lower()])
        assert session.over and not session.helped
        if number < 9:
            until(visitor, lambda title=title: session.level.title != title, "the next room came")
    until(visitor, lambda: isinstance(visitor.window.top, Dialog), "it was said to be well done")
    assert visitor.window.top.title == "Well done!"
    visitor.key(pygame.K_RETURN)
    until(visitor, lambda: visitor.window.top is screen, "the word was taken")
    assert session.course.short == "First steps 1" and session.lesson_at is None
    visitor.frames(2)
    assert "Skip" not in labels(visitor), "the bar is gone"
    assert all(visitor.context.progress.level(each).person for each in session.course.packs.lessons().ids)


def test_the_ghost_plays_and_gets_out_of_the_way_of_the_first_key(visit: Callable[..., Any]) -> None:
    visitor = visit("sokoban", newcomer=True)
    screen, session = visitor.scene, visitor.scene.session
    until(visitor, lambda: bool(screen.room_lesson.faint(session)), "the ghost moved a box of its own")
    assert session.timeline.cursor == 0 and session.state == session.timeline.initial, "the game knows nothing of it"
    visitor.key(pygame.K_RIGHT)
    assert screen.room_lesson.ghost is None and session.timeline.cursor == 1
    visitor.frames(120)
    assert screen.room_lesson.ghost is None, "it comes once"
    (again,) = [each for each in screen.kit.controls if each.tip == "Show it again"]
    visitor.click(again.rect.center)
    assert session.timeline.cursor == 0
    until(visitor, lambda: screen.room_lesson.ghost is not None, "it comes again")
    visitor.click(screen.board.rect_of(session.state.player + 1).center)
    assert screen.room_lesson.ghost is None, "a click sends it away as well"


def test_a_ghost_left_alone_ends_by_itself(visit: Callable[..., Any]) -> None:
    visitor = visit("sokoban", newcomer=True)
    until(visitor, lambda: visitor.scene.room_lesson.ghost is not None, "the ghost came")
    until(visitor, lambda: visitor.scene.room_lesson.ghost is None, "it went")
    assert not visitor.scene.room_lesson.faint(visitor.scene.session)


def test_a_lost_room_needs_no_words(visit: Callable[..., Any]) -> None:
    visitor = visit("sokoban", newcomer=True, animation="instant")
    screen, session = visitor.scene, visitor.scene.session
    session.open_level(session.course.packs.lessons(), 2)
    for key in (pygame.K_RIGHT, pygame.K_DOWN):
        visitor.key(key)
    visitor.frames(3)
    assert session.verdict.dead and screen.banner.message is None
    visitor.key(pygame.K_z)
    visitor.frames(2)
    assert not session.verdict.dead


def test_rooms_are_skipped_and_come_back_only_when_asked_for(visit: Callable[..., Any]) -> None:
    visitor = from_menu(visit, "sokoban")
    press(visitor, "Skip")
    visitor.frames(2)
    assert visitor.scene.session.course.short == "First steps 1" and "Skip" not in labels(visitor)
    reopened(visitor, "sokoban")
    assert visitor.window.top.session.course.short == "First steps 1"
    leave(visitor)
    press_learn(visitor, "sokoban")
    assert visitor.window.top.session.lesson_at == (0, 10) and "Skip" in labels(visitor)


def press_learn(visitor: Any, game: str) -> None:
    menu = visitor.window.top
    card = next(card for card in menu.cards if card.game == game)
    (button,) = [
        each for each in menu.kit.controls if getattr(each, "label", "") == "Learn" and card.rect.contains(each.rect)
    ]
    visitor.click(button.rect.center)
    visitor.frames(2)


# Connect-4


def play_to_win(visitor: Any) -> None:
    """Number keys: what wins, else what makes two threats, else column 3, 4, 5 and so on."""
    session = visitor.scene.session
    while not session.over:
        until(visitor, lambda: session.person_to_move or session.over, "it was the person's turn")
        if session.over:
            return
        state = session.state
        wanted = (stones.winning(state), stones.forking(state), 2, 3, 4, 1, 5, 0, 6)
        column = next(each for each in wanted if each is not None and connect4.landing(state, each) is not None)
        visitor.key(pygame.K_1 + column, str(column + 1))
        assert session.timeline.last is not None


def test_a_first_win_at_connect4_by_number_keys(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = from_menu(visit, "connect4", animation="instant")
    screen, session = visitor.scene, visitor.scene.session
    session.begin(session.state, seed=5)
    session.wake()
    assert session.lesson_at == (0, 4) and not kernels.all_ready(), "before any kernel is compiled"
    assert session.driver.ready
    assert [spec and spec.id for spec in session.driver.seats] == [None, "random"]
    visitor.frames(2)
    assert screen.lesson_bar.idea == "drop"
    visitor.key(pygame.K_3, "3")
    assert session.lesson_at == (1, 4), "the keys are known"
    play_to_win(visitor)
    assert session.state.winner == 0, connect4.draw(session.state)
    assert session.lesson.learned
    visitor.frames(150)
    assert "Skip" not in labels(visitor), "the bar goes by itself"
    reopened(visitor, "connect4")
    assert visitor.window.top.session.lesson_at is None


def test_the_board_shows_two_threats_where_they_can_be_made(visit: Callable[..., Any]) -> None:
    visitor = visit("connect4", newcomer=True, animation="instant")
    screen, session = visitor.scene, visitor.scene.session
    session.driver.stop()
    session.auto = False
    for column in (3, 6, 4, 6):
        session.play(column)
    session.lesson.at = 2
    visitor.frames(3)
    assert screen.lesson_bar.idea == "fork"
    before = picture(visitor)
    visitor.frames(85)
    assert picture(visitor) != before, "the ghost of the stone has fallen"
    visitor.key(pygame.K_3, "3")
    assert session.lesson_at == (3, 4)
    session.play(0)
    visitor.frames(3)
    assert screen.lesson_bar.idea == "win"
    visitor.key(pygame.K_6, "6")
    assert session.state.winner == 0 and session.lesson.learned


def picture(visitor: Any) -> bytes:
    return pygame.image.tobytes(visitor.window.surface.subsurface(visitor.scene.board.rect), "RGB")


# 2048


def test_the_first_slides_of_2048(visit: Callable[..., Any]) -> None:
    visitor = visit("twenty48", newcomer=True, animation="instant")
    screen, session = visitor.scene, visitor.scene.session
    session.put_on(twenty48.parse_position("0 0 0 0/0 2 0 0/0 2 0 0/0 0 0 4"), 1)
    visitor.frames(2)
    assert (session.lesson_at, screen.lesson_bar.idea) == ((0, 3), "slide")
    visitor.key(pygame.K_RIGHT)
    assert session.lesson_at == (1, 3)
    visitor.frames(2)
    assert screen.lesson_bar.idea == "merge"
    visitor.key(pygame.K_LEFT)
    assert session.lesson_at == (1, 3), "nothing merged"
    visitor.key(pygame.K_UP)
    assert session.lesson_at == (2, 3), "two and two made four"
    session.put_on(twenty48.parse_position("0 0 0 0/0 0 0 8/0 0 0 0/0 0 0 0"), 1)
    visitor.frames(2)
    assert screen.lesson_bar.idea == "corner"
    visitor.key(pygame.K_UP)
    assert session.lesson.learned
    visitor.frames(150)
    assert "Skip" not in labels(visitor)


def test_2048_is_skipped_and_learned_again_on_the_same_board(visit: Callable[..., Any]) -> None:
    visitor = from_menu(visit, "twenty48")
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_DOWN)
    visitor.key(pygame.K_LEFT)
    press(visitor, "Skip")
    session = visitor.scene.session
    assert session.lesson_at is None and not session.lesson.learned
    until(visitor, lambda: "Skip" not in labels(visitor), "the bar was gone, with the slide under way")
    cells = session.state.cells
    leave(visitor)
    press_learn(visitor, "twenty48")
    again = visitor.window.top.session
    assert again.lesson_at == (0, 3) and again.state.cells == cells, "the game that was under way is not lost"


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("game", ["sokoban", "twenty48", "connect4"])
def test_the_bar_covers_neither_board_nor_panel(visit: Callable[..., Any], game: str, size: tuple[int, int]) -> None:
    visitor = visit(game, size, newcomer=True)
    screen = visitor.scene
    bar, board, panel = screen.lesson_bar.rect, screen.covered, screen.layout.panel
    assert bar.height and not bar.colliderect(board) and not bar.colliderect(panel)
    assert screen.layout.board.contains(bar)
    (skip,) = [each for each in screen.kit.controls if getattr(each, "label", "") == "Skip"]
    assert bar.contains(skip.rect) and not skip.rect.colliderect(screen.lesson_bar.picture)


def test_a_game_without_a_lesson_has_no_bar(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TileSession, "ideas", lambda _self: ())
    visitor = visit("twenty48", newcomer=True)
    assert visitor.scene.session.lesson_at is None and not visitor.scene.lesson_bar.rect.height
    assert visitor.window.command("learn") and visitor.scene.session.lesson_at is None
    assert not kernels.all_ready()
