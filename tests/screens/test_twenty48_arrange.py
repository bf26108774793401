"""Arranging a board of 2048 by mouse, by keys and from text, and going on from it."""

from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import twenty48
from game.rules.twenty48 import parse_position
from game.screens.twenty48.arrange_scene import ArrangeScene
from game.screens.twenty48.arrangement import LARGEST, Arrangement, typed
from game.ui.controls import Button

SIZES = ((1024, 640), (1280, 800), (1920, 1080))
CHANGES = st.one_of(
    st.tuples(st.just("put"), st.integers(0, 8), st.integers(0, 17)),
    st.tuples(st.just("change"), st.integers(0, 8), st.sampled_from((-1, 1))),
    st.tuples(st.just("resize"), st.integers(3, 8)),
    st.tuples(st.just("clear")),
)


@given(st.lists(CHANGES, max_size=20))
def test_every_change_can_be_taken_back_and_made_again(changes):
    board = Arrangement(twenty48.start(4, 3))
    seen = [board.now]
    for name, *arguments in changes:
        if getattr(board, name)(*arguments):
            seen.append(board.now)
        assert 0 <= board.cursor < board.now.size**2
    print(changes, board.written())
    for before in reversed(seen[:-1]):
        assert board.undo() and board.now == before
    assert not board.undo()
    for after in seen[1:]:
        assert board.redo() and board.now == after
    assert not board.redo()
    again = Arrangement(twenty48.start(4, 1))
    if any(board.now.cells):
        again.read(board.written())
        assert again.now == board.now


def test_tiles_stay_where_they_are_on_a_board_of_another_size():
    board = Arrangement(parse_position("2 4 8 16/0 0 0 32/0 0 0 0/64 0 0 128"))
    board.resize(3)
    print(board.written())
    assert board.written() == "2 4 8/0 0 0/0 0 0"
    board.undo()
    board.resize(5)
    assert board.written() == "2 4 8 16 0/0 0 0 32 0/0 0 0 0 0/64 0 0 128 0/0 0 0 0 0"


def test_tiles_go_round_from_none_to_the_largest():
    board = Arrangement(twenty48.start(3, 1))
    board.clear()
    assert board.problem() == "Put at least one tile on the board."
    board.change(4, -1)
    assert board.written() == "0 0 0/0 131072 0/0 0 0" and not board.problem()
    board.change(4, 1)
    assert board.written() == "0 0 0/0 0 0/0 0 0"
    board.read("2 4 2/4 2 4/2 4 2")
    assert "over at once" in board.problem()


@pytest.mark.parametrize("exponent", range(1, LARGEST + 1))
def test_a_number_is_typed_digit_by_digit(exponent):
    digits, last = "9", None
    for digit in str(1 << exponent):
        digits, found = typed(digits, digit)
        last = last if found is None else found
    assert last == exponent
    assert typed("", "0") == ("", 0) and typed("13", "7") == ("7", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 2 3 0/0 0 0 0/0 0 0 0/0 0 0 0", "3"),
        ("2 2/2 2", "rows"),
        ("262144 0 0/0 0 0/0 0 0", "131072"),
        ("hello", "rows"),
    ],
)
def test_a_text_that_is_no_board_changes_nothing(text, words):
    board = Arrangement(twenty48.start(4, 3))
    before = board.now
    with pytest.raises(ValueError, match=words):
        board.read(text)
    assert board.now == before and not board.can_undo


# The screen


def arranging(visit: Any, size: tuple[int, int] = (1280, 800), **settings: Any) -> tuple[Any, ArrangeScene]:
    visitor = visit("2048", size, **settings)
    visitor.scene.session.begin(parse_position("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 4", 5))
    visitor.key(pygame.K_e, "e")
    scene = visitor.window.top
    assert isinstance(scene, ArrangeScene)
    return visitor, scene


def digits(visitor: Any, number: int) -> None:
    for digit in str(number):
        visitor.key(pygame.K_0 + int(digit), digit)


def test_by_keys_alone(visit):
    visitor, scene = arranging(visit)
    digits(visitor, 131072)
    visitor.key(pygame.K_RIGHT)
    digits(visitor, 16)
    visitor.key(pygame.K_DOWN)
    visitor.key(pygame.K_PLUS, "+")
    visitor.key(pygame.K_PLUS, "+")
    visitor.key(pygame.K_MINUS, "-")
    assert scene.board.written() == "131072 16 0 0/0 2 0 0/0 0 0 0/0 0 0 4"
    visitor.key(pygame.K_0, "0")
    visitor.key(pygame.K_LEFT)
    visitor.key(pygame.K_UP)
    visitor.key(pygame.K_DELETE)
    assert scene.board.written() == "0 16 0 0/0 0 0 0/0 0 0 0/0 0 0 4"
    visitor.key(pygame.K_z, "z", pygame.KMOD_CTRL)
    visitor.key(pygame.K_z, "z")
    visitor.key(pygame.K_y, "y")
    visitor.key(pygame.K_PAGEUP)
    assert scene.board.written() == "131072 16 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 4 0/0 0 0 0 0"
    visitor.key(pygame.K_RETURN, "\r")
    game = visitor.scene
    print(twenty48.draw(game.session.state))
    assert visitor.window.top is game
    assert (game.session.state.size, game.session.state.cells[:2], game.session.state.score) == (5, (17, 4), 0)
    visitor.key(pygame.K_RIGHT)
    assert game.session.timeline.cursor == 1
    visitor.key(pygame.K_n, "n")
    assert game.session.state.size == 5 and not game.session.arranged


def test_by_mouse(visit):
    visitor, scene = arranging(visit)
    place = scene.view.cell_rect(5).center
    visitor.click(place)
    visitor.click(place)
    assert scene.board.now.cells[5] == 2 and scene.board.cursor == 5
    visitor.post(pygame.MOUSEBUTTONDOWN, pos=place, button=3)
    assert scene.board.now.cells[5] == 1
    visitor.post(pygame.MOUSEWHEEL, y=1, x=0, flipped=False)
    assert scene.board.now.cells[5] == 2
    visitor.click(scene._palette[9].rect.center)
    for cell in (6, 7, 6):
        visitor.click(scene.view.cell_rect(cell).center)
    assert scene.board.written() == "2 0 0 0/0 4 0 512/0 0 0 0/0 0 0 4", "the chosen tile comes and goes"
    visitor.click(scene._palette[9].rect.center)
    assert scene.brush is None
    clear = next(each for each in scene.kit.controls if isinstance(each, Button) and each.label == "Clear")
    visitor.click(clear.rect.center)
    go_on = next(each for each in scene.kit.controls if isinstance(each, Button) and each.style == "primary")
    visitor.click(go_on.rect.center)
    assert visitor.window.top is scene and visitor.said() == ["Put at least one tile on the board."]


def test_from_the_clipboard_and_back(visit, monkeypatch):
    board = "0 2 4\n8 0 0\n0 0 131072"
    kept = [board]
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: kept[0])
    monkeypatch.setattr(pygame.scrap, "put_text", lambda words: kept.insert(0, words))
    visitor, scene = arranging(visit)
    visitor.key(pygame.K_v, "v", pygame.KMOD_CTRL)
    print(board)
    assert scene.board.written() == "0 2 4/8 0 0/0 0 131072"
    assert scene.field.text == scene.board.written()
    visitor.key(pygame.K_c, "c", pygame.KMOD_CTRL)
    assert kept[0] == scene.board.written()
    kept.insert(0, "0 2 5/0 0 0/0 0 0")
    visitor.key(pygame.K_v, "v", pygame.KMOD_CTRL)
    assert "5" in visitor.said()[-1] and scene.board.written() == kept[1]


def test_a_position_is_typed_into_its_line(visit):
    visitor, scene = arranging(visit)
    visitor.click(scene.field.rect.center)
    scene.field.entry.set_text("0 0 0/0 64 0/0 0 2")
    visitor.key(pygame.K_x, "x")  # a letter there, and no command
    assert scene.board.now.size == 4
    scene.field.entry.set_text("0 0 0/0 64 0/0 0 2")
    visitor.key(pygame.K_RETURN, "\r")
    assert scene.board.written() == "0 0 0/0 64 0/0 0 2" and visitor.window.top is scene


def test_leaving_changes_nothing(visit):
    visitor, _scene = arranging(visit)
    game, before = visitor.scene, visitor.scene.session.state
    digits(visitor, 64)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is game and game.session.state == before


def test_an_arranged_game_makes_no_record_and_the_one_before_is_kept(visit):
    visitor, _scene = arranging(visit)
    game = visitor.scene
    visitor.key(pygame.K_ESCAPE)
    visitor.key(pygame.K_LEFT)
    visitor.key(pygame.K_RIGHT)
    assert game.session.timeline.cursor
    kept = len(visitor.context.library.paths())
    visitor.key(pygame.K_e, "e")
    visitor.window.top.board.read("65536 65536 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    visitor.key(pygame.K_RETURN, "\r")
    visitor.context.writer.flush()
    assert len(visitor.context.library.paths()) == kept + 1
    visitor.key(pygame.K_LEFT)
    print(twenty48.draw(game.session.state))
    assert game.session.state.score == 131072
    assert "131,072" in [words for words, _place in visitor.words()]
    game.session.leave_game()
    assert visitor.context.progress.best_2048(4).score == 0
    visitor.close()
    again = visit("2048")
    assert again.scene.session.state.score == 131072 and again.scene.session.arranged


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everything_is_in_view(visit, size, theme):
    visitor, scene = arranging(visit, size, theme=theme)
    inside = scene.areas.body
    boxes = [control.rect for control in scene.kit.controls]
    assert all(inside.contains(box) for box in boxes if box.top > inside.top)
    assert not any(box.colliderect(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])
    shown = [words for words, _place in visitor.words()]
    for words in ("Continue from here", "TILES", "BOARD", "4×4", "2 tiles"):
        assert words in shown, words
