"""The keys that are the same everywhere: what DESIGN promises is there, and the whole list fits."""

import pygame
import pytest

from game.ui.keys_overlay import draw_keys
from game.ui.shortcuts import EVERYWHERE, keys_shown, shortcut_of, shortcut_of_pad
from game.ui.theme import Theme

PROMISED = {
    pygame.K_UP: "up", pygame.K_w: "up", pygame.K_LEFT: "left", pygame.K_a: "left", pygame.K_DOWN: "down",
    pygame.K_s: "down", pygame.K_RIGHT: "right", pygame.K_d: "right", pygame.K_z: "undo", pygame.K_u: "undo",
    pygame.K_y: "redo", pygame.K_r: "restart", pygame.K_h: "hint", pygame.K_SPACE: "run", pygame.K_PERIOD: "step",
    pygame.K_PLUS: "faster", pygame.K_MINUS: "slower", pygame.K_F1: "help", pygame.K_F11: "fullscreen",
    pygame.K_F12: "screenshot", pygame.K_ESCAPE: "back",
}  # fmt: skip
"""The keys that are the same everywhere."""


SHORTCUTS = [shortcut for group in EVERYWHERE for shortcut in group.shortcuts]


def press(key, mod=0):
    found = shortcut_of(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""))
    return found.command if found else None


@pytest.mark.parametrize(("key", "command"), PROMISED.items())
def test_promised_keys(key, command):
    assert press(key) == command
    assert press(key, pygame.KMOD_NUM | pygame.KMOD_CAPS) == command, "a lock key changes what a key means"


def test_question_mark_on_any_keyboard():
    assert press(pygame.K_SLASH, pygame.KMOD_LSHIFT) == "help"
    assert press(pygame.K_QUESTION) == "help"
    assert press(pygame.K_SLASH) is None


def test_control_is_another_key():
    assert press(pygame.K_z, pygame.KMOD_LCTRL) == "undo"
    assert press(pygame.K_r, pygame.KMOD_LCTRL) is None
    assert press(pygame.K_h, pygame.KMOD_LALT) is None
    assert press(pygame.K_h, pygame.KMOD_LGUI) is None


def test_releases_and_other_events_give_no_command():
    assert shortcut_of(pygame.event.Event(pygame.KEYUP, key=pygame.K_z, mod=0)) is None
    assert shortcut_of(pygame.event.Event(pygame.MOUSEMOTION, pos=(0, 0))) is None
    assert press(pygame.K_F5) is None


def test_gamepad_reaches_moves_choice_back_undo_hint_run_and_menus():
    reached = {shortcut_of_pad(button).command for shortcut in SHORTCUTS for button in shortcut.pad}
    assert reached >= {
        "up", "right", "down", "left", "accept", "back", "undo", "redo", "hint", "run", "settings", "help", "focus",
    }  # fmt: skip
    assert shortcut_of_pad(999) is None


def test_only_moving_about_repeats():
    again = {shortcut.command for shortcut in SHORTCUTS if shortcut.repeats}
    assert again >= {"left", "undo"}
    assert not again & {"restart", "new", "run", "back", "accept", "hint"}
    assert keys_shown("undo") == "Z  U"
    with pytest.raises(KeyError):
        keys_shown("tool_brush")


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
def test_the_whole_list_fits(size):
    pygame.font.init()
    surface = pygame.Surface(size)
    theme = Theme("dark", 1.0)
    drawn = []
    from game.ui import text

    real = text.draw

    def noted(surface, theme, words, *args, **options):
        place = real(surface, theme, words, *args, **options)
        drawn.append((words, place))
        return place

    text.draw = noted
    try:
        draw_keys(
            surface,
            theme,
            EVERYWHERE,
            frozenset(("view",)),
            {"undo": "Take a stone back"},
            (("click", "Walk there"),),
        )
    finally:
        text.draw = real
    words = [word for word, _ in drawn]
    for shortcut in SHORTCUTS:
        assert (shortcut.title in words) == (shortcut.command not in ("view", "undo")), shortcut
    assert "Take a stone back" in words
    assert "Walk there" in words
    for word, place in drawn:
        assert surface.get_rect().inflate(-32, -32).contains(place), (word, place)
