"""Falling stones: they arrive, in order, and never hold anything back."""

import os
from itertools import pairwise

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest

from game.rules.connect4 import Shape, State, apply, start
from game.ui.theme import Theme
from game.views.connect4.board import BoardView

SHAPE = Shape(6, 7, 1, 4)
DEEP = Shape(4, 4, 4, 4)


def board(state: State, animated: bool = True) -> BoardView:
    pygame.font.init()
    made = BoardView(Theme("dark"), animated)
    made.layout(pygame.Rect(0, 0, 680, 520))
    made.show(state)
    return made


@pytest.mark.parametrize("shape", (SHAPE, DEEP), ids=str)
def test_a_stone_falls_from_above_and_comes_to_rest(shape):
    before = apply(start(shape), 2)
    after = apply(before, 2)
    seen = board(before)
    seen.drop(before, 2, after, 0.4)
    rows = []
    surface = pygame.Surface((680, 520))
    for _ in range(60):
        seen.draw(surface)
        fall = seen.picture().fall
        if fall is None:
            break
        assert (fall.action, fall.seat) == (2, 1)
        rows.append(fall.row)
        seen.update(1 / 60)
    assert rows[0] > shape.rows, rows
    assert min(rows) >= 1, f"it fell through the stone below: {rows}"
    first = next(at for at in range(1, len(rows)) if rows[at] > rows[at - 1])
    assert rows[:first] == sorted(rows[:first], reverse=True), rows
    assert max(rows[first:]) - 1 < 0.7, "a small bounce"
    assert len(rows) <= 25, "0.4 s at 60 frames a second"
    picture = seen.picture()
    assert picture.state == after
    assert picture.last == shape.columns + 2
    assert not seen.busy


def test_stones_wait_for_each_other_and_too_many_arrive_at_once():
    states = [start(SHAPE)]
    for action in (0, 1, 2, 3, 4, 5, 6, 0, 1, 2):
        states.append(apply(states[-1], action))
    seen = board(states[0])
    for before, after in pairwise(states):
        seen.drop(before, after.moves[-1], after, 0.5)
    assert seen.busy
    assert len(seen.picture().state.moves) == 8, "all but the last two are there"
    seen.update(0.5)
    assert len(seen.picture().state.moves) == 9
    seen.update(0.5)
    assert seen.picture().state == states[-1]
    assert not seen.busy


def test_settle_show_and_no_animation_arrive_at_once():
    before = start(SHAPE)
    after = apply(before, 3)
    seen = board(before)
    seen.drop(before, 3, after, 0.5)
    assert seen.picture().state == before
    seen.settle()
    assert seen.picture().state == after
    assert not seen.busy
    seen.drop(after, 3, apply(after, 3), 0.5)
    seen.show(before)
    assert (seen.picture().state, seen.picture().fall, seen.busy) == (before, None, False)
    still = board(before, animated=False)
    still.drop(before, 3, after, 0.5)
    assert (still.picture().state, still.busy) == (after, False)


def test_switching_animation_off_lets_everything_arrive():
    before = start(SHAPE)
    after = apply(before, 3)
    seen = board(before)
    seen.drop(before, 3, after, 5.0)
    seen.set_theme(Theme("light"), False)
    assert seen.picture().state == after


def test_a_drop_that_does_not_follow_the_shown_position_shows_it_first():
    seen = board(apply(start(SHAPE), 5))
    before = apply(start(SHAPE), 3)
    seen.drop(before, 3, apply(before, 3), 0.5)
    assert seen.picture().state == before
    deep = start(DEEP)
    seen.drop(deep, 7, apply(deep, 7), 0.5)
    assert seen.picture().state == deep
    assert seen.view == "orbit"


def test_a_winning_line_is_drawn_after_the_last_stone():
    state = start(SHAPE)
    for action in (0, 6, 1, 6, 2, 6):
        state = apply(state, action)
    seen = board(state)
    won = apply(state, 3)
    seen.drop(state, 3, won, 0.3)
    assert seen.picture().lines == ()
    seen.update(0.31)
    assert seen.picture().lines == ((0, 1, 2, 3),)
    assert seen.picture().drawn < 1
    assert seen.busy
    seen.update(0.5)
    assert seen.picture().drawn == 1
    assert not seen.busy
    seen.show(state)
    seen.show(won)
    assert seen.picture().drawn == 1, "a jump does not draw it again"


def test_the_camera_comes_back_smoothly():
    seen = board(start(DEEP))
    home = seen.camera
    seen.drag(200, 50)
    seen.reset_camera()
    seen.update(0.1)
    assert seen.camera not in (home,)
    seen.update(0.3)
    assert seen.camera == pytest.approx(home)
