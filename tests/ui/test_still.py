"""What stands still is drawn from a picture, and looks the same."""

import pygame
import pytest

from game.rules import connect4
from game.rules.connect4 import Shape
from game.ui.still import Still
from game.ui.theme import Theme
from game.views.connect4.board import BoardView
from game.views.connect4.picture import Overlay


def test_painted_twice_then_put_there_until_key_place_or_ground_changes() -> None:
    surface, painted = pygame.Surface((60, 40)), []
    still, place = Still(), pygame.Rect(10, 10, 20, 20)

    def frame(key: str, ground: str = "#112233", at: pygame.Rect = place) -> pygame.Color:
        surface.fill(ground)
        still.draw(surface, at, key, lambda: painted.append(surface.fill("#ff0000", at.inflate(-6, -6))))
        assert surface.get_at(at.topleft) == pygame.Color(ground)
        return surface.get_at(at.center)

    red = pygame.Color("#ff0000")
    assert [frame("a") for _ in range(5)] == [red] * 5 and len(painted) == 2
    assert [frame("b") for _ in range(3)] == [red] * 3 and len(painted) == 4
    assert [frame("b", "#445566") for _ in range(3)] == [red] * 3 and len(painted) == 6
    assert [frame("b", "#445566", place.move(15, 3)) for _ in range(3)] == [red] * 3 and len(painted) == 8
    for key in "cdcdcd":
        assert frame(key) == red
    assert len(painted) == 14, "what changes in every frame is painted in every frame"


def test_with_a_ground_of_its_own_nothing_below_matters() -> None:
    surface, painted = pygame.Surface((60, 40)), []
    still, place = Still(), pygame.Rect(10, 10, 20, 20)
    for below in ("#112233", "#445566", "#778899", "#aabbcc"):
        surface.fill(below)
        still.draw(
            surface,
            place,
            "a",
            lambda: painted.append(surface.fill("#ff0000", (15, 15, 5, 5))),
            pygame.Color("#000001"),
        )
        assert surface.get_at((12, 12)) == pygame.Color("#000001") and surface.get_at((16, 16)) == pygame.Color(
            "#ff0000"
        )
        assert surface.get_at((9, 9)) == pygame.Color(below)
    assert len(painted) == 2
    still.draw(
        surface, place, "a", lambda: painted.append(surface.fill("#ff0000", (15, 15, 5, 5))), pygame.Color("#000002")
    )
    assert surface.get_at((12, 12)) == pygame.Color("#000002"), "another ground"


@pytest.mark.parametrize("view", ["orbit", "layers"])
def test_a_board_of_connect4_looks_the_same_while_its_values_change(view: str) -> None:
    pygame.init()
    pygame.display.set_mode((640, 480))
    theme, shape = Theme(), Shape(6, 7, 5, 4, 2)
    states = [connect4.start(shape)]
    for action in (3, 10, 3, 17):
        states.append(connect4.apply(states[-1], action))
    overlays = [
        Overlay(values={3: f"+{number}", 10: "W7"}, best=3 if number % 2 else 10, hint=hint, show_values=True)
        for hint in (None, 3, 4)
        for number in range(4)
    ]

    def board() -> BoardView:
        made = BoardView(theme, animated=False)
        made.show(states[0])
        made.set_view(view)
        made.layout(pygame.Rect(0, 0, 640, 480))
        return made

    def picture(shown: BoardView, overlay: Overlay) -> bytes:
        surface = pygame.Surface((640, 480))
        surface.fill(theme.ground)
        shown.draw(surface, overlay)
        return pygame.image.tobytes(surface, "RGB")

    kept = board()
    for state in (*states, states[1]):
        kept.show(state)
        for overlay in overlays:
            fresh = board()
            fresh.show(state)
            assert picture(kept, overlay) == picture(fresh, overlay), (state.moves, overlay)
