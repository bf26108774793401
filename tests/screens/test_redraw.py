"""A frame that draws only what has changed looks to the last pixel like one that draws everything."""

import numpy as np
import pygame
import pytest

from game.ui.scene import TURNS
from game.ui.window import Window

STEPS = (
    None, pygame.K_RIGHT, pygame.K_DOWN, None, pygame.K_LEFT, pygame.K_UP, pygame.K_z, pygame.K_y, pygame.K_TAB, None,
    pygame.K_RETURN,
)  # fmt: skip
"""Keys; None: the pointer goes elsewhere."""


def _differing(window: Window) -> pygame.Rect | None:
    """Where the last frame looks otherwise than when everything is drawn."""
    kept = pygame.surfarray.array2d(window.surface)
    window.draw()
    places = np.argwhere(pygame.surfarray.array2d(window.surface) != kept)
    return pygame.Rect(places.min(0), np.ptp(places, 0) + 1) if len(places) else None


@pytest.mark.parametrize(
    ("size", "theme", "page"),
    [((1280, 800), "dark", "play"), ((1024, 640), "light", "lab"), ((800, 600), "dark", "play")],
)
@pytest.mark.parametrize("name", ["sokoban", "2048", "connect4"])
def test_every_frame_is_as_if_everything_had_been_drawn(visit, monkeypatch, name, size, theme, page):
    person = visit(name, size, page, theme=theme)
    person.scene.session.skip_lesson()  # what it shows moves over the board all the time
    monkeypatch.setattr(person.scene.session, "pass_time", lambda _dt: None)  # a clock may be shown a moment late
    person.frames(20)
    window, drawn = person.window, []
    real = person.scene.redraw
    monkeypatch.setattr(person.scene, "redraw", lambda surface: drawn.append(real(surface)) or drawn[-1])
    for number, key in enumerate(STEPS):
        if key is not None:
            person.key(key)
        else:
            place = (200 + 40 * number, 200 + 20 * number)
            person.post(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0))
            person.frames(TURNS)  # the words about what is below the pointer wait for their turn
        for _ in range(7):
            person.frames(1)
            assert _differing(window) is None, (key, number)
    assert len(drawn) > 40, "most frames draw only what has changed"
    person.frames(30)
    drawn.clear()
    person.frames(10)
    assert len(drawn) == 10 and not any(person.scene.layout.board in areas for areas in drawn), (
        "the board stands still"
    )
    person.scene.session.driver.running = True
    person.frames(2 * TURNS)
    assert _differing(window) is None, "every card had its turn"


def test_what_lies_above_is_gone_without_a_trace(visit):
    person = visit("sokoban")
    window = person.window
    person.frames(20)
    before = pygame.image.tobytes(window.surface, "RGB")
    window.say("One, two, three.")
    person.frames(3)
    assert pygame.image.tobytes(window.surface, "RGB") != before
    window.toasts.items.clear()
    person.frames(1)
    assert _differing(window) is None


def test_a_picture_is_handed_over_only_when_there_is_a_new_one(visit, monkeypatch):
    person = visit("connect4")
    scene, window = person.scene, person.window
    scene.session.skip_lesson()
    for _ in range(40):
        window.turn()
    monkeypatch.setattr(scene, "redraw", lambda surface: [])
    handed = []
    monkeypatch.setattr(pygame.display, "flip", lambda: handed.append(window.frames))
    window.frames = 0
    for _ in range(4):
        window.turn()
    assert handed == [], "only the status bar has a turn of its own, the fifth"
    window.turn()
    assert handed == [5]
    person.key(pygame.K_LEFT)
    assert person.window._present
