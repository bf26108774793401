"""The views of the connect-4 board: what is drawn where, what is under the pointer, where the arrows lead."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import random
from math import hypot, nan, pi, radians

import numpy as np
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.connect4 import Shape, State, apply, landing, legal_actions, start
from game.ui.theme import Theme
from game.views.connect4.board import BoardView, Overlay, views
from game.views.connect4.camera import PITCH_HIGH, PITCH_LOW, Camera
from game.views.connect4.gesture import Gesture
from game.views.connect4.labels import arrange

RECT = pygame.Rect(16, 72, 900, 680)
SMALL = pygame.Rect(16, 72, 680, 500)
SHAPES = (
    Shape(6, 7, 1, 4),
    Shape(4, 4, 4, 4),
    Shape(6, 7, 5, 4, 3),
    Shape(8, 8, 8, 4),
    Shape(5, 2, 3, 3, 6),
    Shape(1, 4, 1, 3),
)
CAMERAS = tuple(
    (yaw, radians(pitch), 1.0) for yaw in (-2.2, -0.56, 0.35, 0.8, 1.9, 3.0) for pitch in (12, 27, 55, 80)
)


@pytest.fixture(scope="module", autouse=True)
def fonts():
    pygame.font.init()


def board(state: State, view: str, camera=None, rect=RECT, animated=True) -> BoardView:
    made = BoardView(Theme("dark"), animated)
    made.layout(rect)
    made.show(state)
    made.set_view(view)
    if camera is not None:
        made.set_camera(camera)
    return made


def played(shape: Shape, moves: int, seed: int = 1) -> State:
    """A position without a winner after up to so many random moves."""
    pick, state = random.Random(seed), start(shape)
    for _ in range(moves):
        calm = [after for after in (apply(state, action) for action in legal_actions(state)) if after.winner is None]
        if not calm:
            break
        state = pick.choice(calm)
    return state


def filled(shape: Shape) -> State:
    cells = tuple(1 + cell % shape.players for cell in range(shape.cells))
    return State(shape, cells, (shape.rows,) * shape.columns, (0,), None)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rect", (RECT, SMALL), ids=("large", "small"))
def test_racks_give_back_every_cell_and_top(shape, rect):
    seen = board(played(shape, 20), "flat" if shape.depth == 1 else "slices", rect=rect)
    for cell in range(shape.cells):
        assert rect.collidepoint(seen.cell_centre(cell)), f"cell {cell} lies outside the place"
        assert seen.action_at(seen.cell_centre(cell)) == cell % shape.columns
    for action in range(shape.columns):
        assert seen.action_at(seen.column_top(action)) == action
    assert seen.action_at((rect.left - 5, rect.top - 5)) is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: f"{camera[0]}/{camera[1]:.2f}")
def test_orbit_finds_every_peg_by_its_top(shape, camera):
    seen = board(start(shape), "orbit", camera)
    tops = [seen.column_top(action) for action in range(shape.columns)]
    for action, top in enumerate(tops):
        assert RECT.collidepoint(top), f"the peg of {action} leaves the place"
        assert seen.action_at(top) == action, f"pegs at {tops}"


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: f"{camera[0]}/{camera[1]:.2f}")
def test_orbit_finds_the_landing_cell_or_what_stands_before_it(shape, camera):
    state = played(shape, shape.cells // 4)
    seen = board(state, "orbit", camera)
    far = depths(shape, camera[0])
    for action in legal_actions(state):
        cell = landing(state, action)
        found = seen.action_at(seen.cell_centre(cell))
        assert found is not None
        if found != action:
            assert far[found] < far[action] + 1e-9, f"{found} was found behind {action}"


def depths(shape: Shape, yaw: float) -> list[float]:
    """Distance of every column from an eye five board sizes away, by hand and not by the camera's code."""
    eye = hypot(shape.cols, shape.depth, shape.rows) * 3
    place = (eye * np.sin(yaw), -eye * np.cos(yaw))
    return [
        hypot(
            action % shape.cols - (shape.cols - 1) / 2 - place[0],
            action // shape.cols - (shape.depth - 1) / 2 - place[1],
        )
        for action in range(shape.columns)
    ]


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: f"{camera[0]}/{camera[1]:.2f}")
def test_orbit_picks_the_stone_that_is_painted_last(camera):
    """On a full board the colours of one column at a time are swapped: the pixels that change show who is in front."""
    shape = Shape(4, 4, 4, 4)
    state = filled(shape)
    seen = board(state, "orbit", camera)
    clean, swapped = pygame.Surface((960, 800)), pygame.Surface((960, 800))
    seen.draw(clean)
    owner = np.full((960, 800), -1)
    for action in range(shape.columns):
        cells = tuple(
            3 - stone if cell % shape.columns == action else stone for cell, stone in enumerate(state.cells)
        )
        seen.show(State(shape, cells, state.heights, (0,), None))
        seen.draw(swapped)
        changed = pygame.surfarray.array2d(clean) != pygame.surfarray.array2d(swapped)
        owner[changed] = np.where(owner[changed] == -1, action, -2)  # -2: the smooth edge between two stones
    seen.show(state)
    checked = 0
    for cell in range(shape.cells):
        x, y = (round(part) for part in seen.cell_centre(cell))
        for at in ((x - 9, y - 9), (x + 12, y), (x - 2, y - 14)):
            around = owner[at[0] - 3 : at[0] + 4, at[1] - 3 : at[1] + 4]
            if around[3, 3] >= 0 and (around == around[3, 3]).all():  # neither an edge nor a mark, white for both
                assert seen.action_at(at) == around[3, 3], f"near cell {cell} at {at}"
                checked += 1
    assert checked > 40


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.depth > 1], ids=str)
@pytest.mark.parametrize("yaw", (-0.56, 0.0, 0.8, 2.5))
def test_layers_find_every_square_and_stone(shape, yaw):
    state = played(shape, shape.cells // 3)
    seen = board(state, "layers")
    seen.drag(-yaw / 0.0075, 0)
    for cell in range(shape.cells):
        row, action = divmod(cell, shape.columns)
        if state.cells[cell]:
            assert RECT.collidepoint(seen.cell_centre(cell))
        if row == state.heights[action] or row == shape.rows - 1:
            x, y = seen.column_top(action) if row == shape.rows - 1 else seen.cell_centre(cell)
            assert RECT.collidepoint((x, y))
    empty = board(start(shape), "layers")
    empty.drag(-yaw / 0.0075, 0)
    lift = empty.cell_centre(0)[1] - empty._layers._square_centre(0, 0)[1]
    for cell in range(shape.cells):
        x, y = empty.cell_centre(cell)
        assert empty.action_at((x, y - lift)) == cell % shape.columns, f"square {cell}"


def test_layers_find_stones():
    shape = Shape(4, 4, 4, 4)
    state = apply(apply(start(shape), 5), 5)
    seen = board(state, "layers")
    for cell in (5, 5 + shape.columns):
        assert seen.action_at(seen.cell_centre(cell)) == 5


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-pi, pi), st.floats(PITCH_LOW, PITCH_HIGH), st.sampled_from([float("inf"), 14.0, 30.0]),
    st.tuples(st.floats(-4, 4), st.floats(-4, 4)), st.floats(-1, 2),
)  # fmt: skip
def test_the_plane_is_the_inverse_of_the_projection(yaw, pitch, distance, point, height):
    camera = Camera(yaw, pitch, 1.0, distance, target=1.0, scale=40.0, x=300.0, y=200.0)
    x, y, _ = camera.point(point[0], height, point[1])
    found = camera.on_plane((x, y), height)
    if found is not None:  # at the horizon there is nothing to be found
        assert found == pytest.approx(point, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(-900, 900), st.floats(-900, 900)), min_size=1, max_size=12))
def test_pitch_stays_in_its_bounds_and_yaw_turns_freely(drags):
    seen = board(start(Shape(4, 4, 4, 4)), "orbit")
    for dx, dy in drags:
        seen.drag(dx, dy)
        yaw, pitch, _ = seen.camera
        assert PITCH_LOW <= pitch <= PITCH_HIGH
        assert -pi <= yaw <= pi


def test_a_drag_carries_the_near_side_along():
    seen = board(start(Shape(4, 4, 4, 4)), "orbit", (0.0, 0.5, 1.0))
    near, far = seen.cell_centre(1), seen.cell_centre(13)
    seen.drag(20, 0)
    assert seen.cell_centre(1)[0] > near[0]
    assert seen.cell_centre(13)[0] < far[0]
    height = seen.cell_centre(1)[1] - seen.cell_centre(13)[1]
    seen.drag(0, 20)
    assert seen.cell_centre(1)[1] - seen.cell_centre(13)[1] > height, "dragging down shows more of the plate"


def test_camera_is_kept_restored_and_reset():
    seen = board(start(Shape(4, 4, 4, 4)), "orbit", animated=False)
    home = seen.camera
    seen.drag(50, 30)
    seen.zoom(3)
    kept = seen.camera
    assert kept != home
    seen.reset_camera()
    assert seen.camera == home
    seen.set_camera(kept)
    assert seen.camera == kept
    seen.set_camera((nan, 0.5, 1.0))
    seen.set_camera((1.0, 2.0))
    assert seen.camera == kept
    seen.set_camera((0.1, 9.0, 99.0))
    assert seen.camera[1] == PITCH_HIGH


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_arrows_reach_every_column_and_stay_on_the_board(shape):
    for view in views(shape):
        for camera in CAMERAS[::5]:
            seen = board(start(shape), view, camera)
            reached, open_ = set(), [seen.next_action(None, 0)]
            while open_:
                action = open_.pop()
                assert 0 <= action < shape.columns
                if action not in reached:
                    reached.add(action)
                    open_ += [seen.next_action(action, direction) for direction in range(4)]
            assert reached == set(range(shape.columns)), f"{view} at {camera}"


@pytest.mark.parametrize("yaw", (-3.0, -1.9, -0.7, 0.0, 0.6, 1.2, 2.4))
def test_arrows_follow_the_screen_when_the_board_is_turned(yaw):
    seen = board(start(Shape(4, 4, 4, 4)), "orbit", (yaw, 0.6, 1.0))
    middle = 5
    x, y = seen.cell_centre(middle)
    for direction, (along, down) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        there = seen.next_action(middle, direction)
        dx, dy = seen.cell_centre(there)[0] - x, seen.cell_centre(there)[1] - y
        assert dx * along + dy * down > 0, f"direction {direction} led from {x, y} by {dx, dy}"
        assert seen.next_action(there, (direction + 2) % 4) == middle


def test_arrows_pass_over_full_columns():
    shape = Shape(2, 5, 1, 4)
    state = start(shape)
    for action in (2, 2, 3, 3):
        state = apply(state, action)
    seen = board(state, "flat")
    assert seen.next_action(1, 1) == 4
    assert seen.next_action(4, 3) == 1
    assert seen.next_action(4, 1) == 4
    assert seen.next_action(1, 0) == 1
    assert seen.next_action(None, 1) in (1, 4)


def test_slices_lead_from_one_rack_to_the_next():
    seen = board(start(Shape(4, 4, 4, 4)), "slices")
    assert seen.next_action(3, 1) == 4, "right of the last column stands the next rack"
    assert seen.next_action(4, 3) == 3


def test_views_fall_back_where_a_board_has_not_got_them():
    seen = board(start(Shape(4, 4, 4, 4)), "layers")
    assert seen.view == "layers"
    seen.show(start(Shape(6, 7, 1, 4)))
    assert (seen.view, seen.views()) == ("flat", ("flat", "orbit"))
    seen.show(start(Shape(4, 4, 4, 4)))
    assert seen.view == "layers"
    with pytest.raises(ValueError, match="no view"):
        seen.set_view("cube")


@pytest.mark.parametrize("theme", ("dark", "light"))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_nothing_is_drawn_outside_the_place(shape, theme):
    state = played(shape, shape.cells // 2)
    overlay = Overlay(0, shape.columns - 1, 0, dict.fromkeys(legal_actions(state), "W12"), 0, 0, True)
    for view in views(shape):
        seen = board(state, view, (0.4, 0.5, 2.0), SMALL)
        seen.set_theme(Theme(theme), False)
        surface = pygame.Surface((720, 600))
        surface.fill("#ff00ff")
        seen.draw(surface, overlay)
        inside = surface.subsurface(SMALL).copy()
        surface.fill("#ff00ff", SMALL)
        assert pygame.transform.average_color(surface)[:3] == (255, 0, 255)
        assert pygame.transform.average_color(inside)[:3] != (255, 0, 255), f"{view} drew nothing"


def test_a_focused_depth_and_a_won_game_set_the_other_stones_aside():
    shape = Shape(4, 4, 4, 4)
    seen = board(filled(shape), "slices")
    seen.focus_depth = 2
    assert seen.picture().faint() == [cell // 4 % 4 != 2 for cell in range(64)]
    state = start(shape)
    for action in (0, 15, 1, 14, 2, 13, 3):
        state = apply(state, action)
    seen.show(state)
    assert seen.picture().lines == ((0, 1, 2, 3),)
    assert [cell for cell, faint in enumerate(seen.picture().faint()) if not faint] == [0, 1, 2, 3]
    assert seen.picture(Overlay(hover=5, ghost_seat=1)).ghost_row() is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(30, 300)), min_size=1, max_size=40))
def test_labels_never_cover_each_other(corners):
    homes = {number: pygame.Rect(*corner, 34, 20) for number, corner in enumerate(corners)}
    placed = arrange(homes, pygame.Rect(0, 0, 500, 400))
    assert placed[0] == (0, homes[0])
    for number, (_, spot) in enumerate(placed):
        assert spot.collidelist([other for _, other in placed[:number]]) < 0, placed


def test_a_click_is_not_a_drag():
    gesture = Gesture()
    assert gesture.move((5, 5)) is None
    gesture.press((100, 100))
    assert gesture.move((103, 102)) is None
    assert gesture.release()
    gesture.press((100, 100))
    assert gesture.move((110, 100)) == (10, 0)
    assert gesture.move((101, 100)) == (-9, 0)
    assert not gesture.release()
    assert not gesture.pressed
