"""What a game's screen covers it fills to the last pixel, in every frame: nobody fills it below."""

import pygame
import pytest

from game.rules import connect4, twenty48
from game.rules.connect4 import Shape
from game.ui import text

NOBODYS = pygame.Color("#ff00ff")


def _left(window) -> int:
    """Pixels of a frame that nobody has drawn."""
    window.surface.fill(NOBODYS)
    window.draw()
    mask = pygame.mask.from_threshold(window.surface, NOBODYS, (1, 1, 1, 255))
    return mask.count()


@pytest.mark.parametrize("name", ["sokoban", "2048", "connect4"])
def test_every_pixel_is_drawn_whether_the_board_stands_still_or_moves(visit, name):
    person = visit(name)
    scene = person.scene
    assert scene.covered.width > 200 and scene.covered.height > 200
    for key in (None, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_RETURN):
        if key is not None:
            person.key(key)
        assert [_left(person.window) for _ in range(4)] == [0] * 4, key
        person.frames(3)
        assert [_left(person.window) for _ in range(4)] == [0] * 4, key


@pytest.mark.parametrize("name", ["sokoban", "2048", "connect4"])
def test_the_picture_that_is_kept_is_the_one_that_is_drawn(visit, name):
    person = visit(name)
    person.scene.session.skip_lesson()  # what it shows is drawn over the board
    person.frames(40)
    surface, scene = person.window.surface, person.scene
    place = scene.covered.clip(surface.get_rect())
    kept = pygame.image.tobytes(surface.subsurface(place), "RGB")
    surface.fill(scene.theme.ground)
    overlay = [scene._overlay()] if hasattr(scene, "_overlay") else []
    scene.board.draw(surface, *overlay)
    assert pygame.image.tobytes(surface.subsurface(place), "RGB") == kept


def test_another_board_takes_more_or_less_room(visit):
    person = visit("2048")
    person.scene.session.put_on(twenty48.start(7, 1), 1)
    person.frames(2)
    assert _left(person.window) == 0
    person = visit("connect4")
    for shape in (Shape(6, 7, 1, 4, 2), Shape(4, 4, 4, 4, 2)):
        person.scene.session.begin(connect4.start(shape), 1)
        person.scene.rebuild()
        for view in person.scene.board.views():
            person.scene.choose_view(view)
            person.frames(2)
            assert [_left(person.window) for _ in range(3)] == [0] * 3, view


@pytest.mark.parametrize("screen", ["sokoban", "editor", "replays"])
@pytest.mark.parametrize("size", [(1024, 640), (1280, 800)])
def test_no_tool_tip_lies_over_a_control(visit, screen, size):
    visitor = visit(screen, size)
    kit, window = visitor.scene.kit, visitor.window.surface.get_rect()
    tipped = [each for each in kit.controls if each.tip and each.pops and each.visible]
    assert tipped
    for control in tipped:
        wide = text.width(kit.theme, control.tip, 13) + kit.theme.px(16)
        place = kit._tip_place(
            pygame.Rect(0, 0, wide, kit.theme.px(27)), control, window.inflate(-kit.theme.px(8), 0)
        )
        over = [each for each in kit.controls if each.visible and place.colliderect(each.rect)]
        assert not over, (control.tip, [getattr(each, "label", each.tip) for each in over])
