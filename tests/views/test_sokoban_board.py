"""The Sokoban board view: every square is found again under the pointer, every animation ends where the game is."""

import os
import random
from collections.abc import Iterator

import pygame
import pytest

from game.rules import sokoban
from game.rules.sokoban import State
from game.ui.theme import Theme
from game.views.sokoban.board import BoardView, Overlay, thumbnail

AREA = pygame.Rect(16, 72, 912, 684)
SMALL = """\
 ######
##    #
#.@$  #
#  *$ #
# .   #
#######"""


@pytest.fixture(autouse=True)
def screen() -> Iterator[pygame.Surface]:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((1280, 800))


def board(text: str) -> State:
    lines = text.split("\n")
    width = max(map(len, lines))
    return sokoban.from_array([[" #$.@*+".index(mark) for mark in line.ljust(width)] for line in lines])


def hall(rows: int, cols: int, seed: int = 1) -> State:
    """A walled hall with a few posts, boxes and targets strewn over it."""
    chance = random.Random(seed)
    grid = [[int(r in (0, rows - 1) or c in (0, cols - 1)) for c in range(cols)] for r in range(rows)]
    inner = [(r, c) for r in range(1, rows - 1) for c in range(1, cols - 1)]
    chance.shuffle(inner)
    tenth = max(1, len(inner) // 10)
    for kind in (sokoban.WALL, sokoban.BOX, sokoban.TARGET):
        for _ in range(tenth):
            r, c = inner.pop()
            grid[r][c] = kind
    r, c = inner.pop()
    grid[r][c] = sokoban.PLAYER
    return sokoban.from_array(grid)


def view(state: State, *, theme: str = "dark", area: pygame.Rect = AREA, animated: bool = True) -> BoardView:
    made = BoardView(Theme(theme), animated)
    made.layout(area)
    made.show(state)
    return made


def picture(shown: BoardView, overlay: Overlay | None = None) -> bytes:
    surface = pygame.Surface((1280, 800))
    surface.fill(shown.theme.ground)
    shown.draw(surface, overlay)
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize(("rows", "cols"), [(4, 6), (9, 11), (16, 20), (64, 64), (6, 64), (64, 6)])
def test_every_square_is_found_under_its_corners_and_the_board_fits(rows: int, cols: int) -> None:
    shown = view(hall(rows, cols))
    assert AREA.contains(shown.board), f"{shown.board} leaves {AREA}"
    assert abs(shown.board.centerx - AREA.centerx) <= 1 and abs(shown.board.centery - AREA.centery) <= 1
    for square in range(rows * cols):
        rect = shown.rect_of(square)
        assert rect.width == rect.height == shown.cell
        for point in (rect.topleft, rect.center, (rect.right - 1, rect.bottom - 1)):
            assert shown.square_at(point) == square, f"{point} in {rect} is not square {square}"


def test_points_off_the_board_hit_nothing() -> None:
    shown = view(board(SMALL))
    rect = shown.board
    for point in (
        (rect.left - 1, rect.top),
        (rect.left, rect.top - 1),
        (rect.right, rect.top),
        (rect.left, rect.bottom),
    ):
        assert shown.square_at(point) is None, point
    assert BoardView(Theme()).square_at((5, 5)) is None


def test_steps_arrive_at_the_state_after_them_in_order() -> None:
    state = board(SMALL)
    shown = view(state)
    chance = random.Random(3)
    for _ in range(40):
        action = chance.choice(sokoban.legal_actions(state))
        after = sokoban.apply(state, action)
        shown.play(state, action, after, 0.12)
        state = after
    assert shown.busy and shown.state == state
    seconds = 0.0
    while shown.busy:
        shown.update(1 / 60)
        seconds += 1 / 60
        assert seconds < 40 * 0.12, "a long queue has to catch up"
    # The ripple of a box that reached a target may outlive the step.
    shown.settle()
    assert picture(shown) == picture_of_rest(state, action)


def picture_of_rest(state: State, facing: int) -> bytes:
    still = BoardView(Theme("dark"))
    still.layout(AREA)
    still.show(state, facing)
    return picture(still)


def test_a_push_moves_box_and_keeper_between_the_squares() -> None:
    state = board(SMALL)
    after = sokoban.apply(state, 1)
    shown = view(state)
    shown.play(state, 1, after, 0.2)
    start, frames = picture(shown), set()
    for _ in range(9):
        shown.update(0.02)
        frames.add(picture(shown))
    assert len(frames) == 9 and start not in frames
    assert shown.busy
    shown.update(0.05)
    assert not shown.busy
    assert picture(shown) == picture_of_rest(after, 1)


def test_a_step_from_elsewhere_jumps_there_first() -> None:
    state = board(SMALL)
    far = sokoban.apply(sokoban.apply(state, 1), 1)
    shown = view(state)
    shown.play(far, 3, sokoban.apply(far, 3), 0.1)
    shown.settle()
    assert shown.state == sokoban.apply(far, 3)
    assert not shown.busy


def test_undo_runs_one_step_back_and_jumps_over_more() -> None:
    state = board(SMALL)
    once = sokoban.apply(state, 1)
    twice = sokoban.apply(once, 1)
    shown = view(twice)
    shown.undo_to(once, 1)
    assert shown.busy
    shown.update(1.0)
    assert picture(shown) == picture_of_rest(once, 1)
    shown.show(twice)
    shown.undo_to(state, 2)
    assert not shown.busy
    assert picture(shown) == picture_of_rest(state, 2)


def test_without_animation_everything_is_at_once_and_nothing_celebrates() -> None:
    state = board(SMALL)
    shown = view(state, animated=False)
    after = sokoban.apply(state, 1)
    shown.play(state, 1, after, 0.2)
    assert not shown.busy and picture(shown) == picture_of_rest(after, 1)
    shown.undo_to(state, 1)
    assert not shown.busy and picture(shown) == picture_of_rest(state, 1)
    shown.celebrate()
    assert not shown.celebrating


def test_a_celebration_shows_and_is_over_soon_and_stays_in_its_area() -> None:
    area = pygame.Rect(400, 300, 56, 48)
    shown = view(board(SMALL), area=area)
    before = picture(shown)
    shown.celebrate()
    assert shown.celebrating
    surface = pygame.Surface((1280, 800))
    seconds, differing = 0.0, 0
    while shown.celebrating:
        shown.update(1 / 60)
        seconds += 1 / 60
        shown.draw(surface)
        differing += picture(shown) != before
    assert seconds < 1.2
    assert differing > 30
    outside = surface.copy()
    outside.fill("black", area)
    assert pygame.mask.from_threshold(outside, (0, 0, 0), (1, 1, 1, 255)).count() == 1280 * 800
    assert picture(shown) == before


OVERLAYS = {
    "dead squares": Overlay(dead_squares=frozenset({9, 10})),
    "stuck": Overlay(stuck=frozenset({17})),
    "selected": Overlay(selected_box=17),
    "box targets": Overlay(box_targets=frozenset({18, 19})),
    "ghost": Overlay(box_targets=frozenset({18, 19}), hover=18),
    "hover": Overlay(hover=18),
    "walk": Overlay(walk=(9, 10)),
    "hint": Overlay(hint=(17, 1)),
    "plan": Overlay(plan=(9, 10)),
    "cursor": Overlay(cursor=10),
}


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 60, 60)], ids=["large", "tiny"])
def test_every_overlay_shows_and_no_two_look_alike(theme: str, area: pygame.Rect) -> None:
    shown = view(board(SMALL), theme=theme, area=area)
    pictures = {name: picture(shown, overlay) for name, overlay in OVERLAYS.items()} | {"none": picture(shown)}
    names = list(pictures)
    alike = [(a, b) for a in names for b in names if a < b and pictures[a] == pictures[b]]
    assert not alike


def test_another_theme_or_level_is_drawn_anew() -> None:
    shown = view(board(SMALL))
    dark = picture(shown)
    shown.set_theme(Theme("light"), True)
    light = picture(shown)
    assert light != dark and light == picture(view(board(SMALL), theme="light"))
    shown.show(hall(9, 11))
    assert picture(shown) == picture(view(hall(9, 11), theme="light"))


def test_squares_outside_the_walls_stay_clear() -> None:
    state = board(SMALL)
    shown = view(state)
    assert 0 not in state.warehouse.floor | state.warehouse.walls
    surface = pygame.Surface((1280, 800))
    surface.fill("#123456")
    shown.draw(surface)
    rect = shown.rect_of(0)
    assert {surface.get_at((x, y))[:3] for x in range(*rect_span(rect, 0)) for y in range(*rect_span(rect, 1))} == {
        (0x12, 0x34, 0x56)
    }


def rect_span(rect: pygame.Rect, axis: int) -> tuple[int, int]:
    return rect.topleft[axis], rect.topleft[axis] + rect.size[axis]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("rows", "cols"), [(4, 6), (9, 11), (16, 20), (64, 64)])
@pytest.mark.parametrize("size", [(160, 120), (96, 72), (40, 40)])
def test_thumbnails_have_the_asked_size_and_show_the_board(
    theme: str, rows: int, cols: int, size: tuple[int, int]
) -> None:
    state = hall(rows, cols)
    small = thumbnail(state, Theme(theme), size)
    assert small.get_size() == size
    drawn = small.get_bounding_rect()
    assert max(drawn.width / size[0], drawn.height / size[1]) > 0.45, drawn
    colours = {tuple(small.get_at((x, y))) for x in range(size[0]) for y in range(size[1])}
    assert len(colours) > 5
    assert thumbnail(state, Theme(theme), size) is small, "kept"
    moved = sokoban.apply(state, sokoban.legal_actions(state)[0])
    assert pygame.image.tobytes(thumbnail(moved, Theme(theme), size), "RGBA") != pygame.image.tobytes(small, "RGBA")


def test_the_largest_board_shows_every_box() -> None:
    state = hall(64, 64)
    shown = view(state)
    assert shown.cell == 10
    surface = pygame.Surface((1280, 800))
    shown.draw(surface)
    bare = pygame.Surface((1280, 800))
    shown.show(State(state.warehouse, frozenset(), state.player))
    shown.draw(bare)
    for box in state.boxes:
        middle = shown.rect_of(box).center
        assert surface.get_at(middle) != bare.get_at(middle), f"no box on {divmod(box, 64)}"
