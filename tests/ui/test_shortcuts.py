"""The one table of keys: nothing twice, everything shown is true, what DESIGN promises is there."""

import pygame
import pytest

from game.ui.keys_overlay import draw_keys
from game.ui.shortcuts import (
    CTRL,
    DRAWING,
    LEVEL,
    OWN_GROUPS,
    SHIFT,
    SHORTCUTS,
    command_of,
    command_of_pad,
    keys_shown,
    pad_lines,
    repeats,
)
from game.ui.theme import Theme

PROMISED = {
    pygame.K_UP: "up", pygame.K_w: "up", pygame.K_LEFT: "left", pygame.K_a: "left", pygame.K_DOWN: "down",
    pygame.K_s: "down", pygame.K_RIGHT: "right", pygame.K_d: "right", pygame.K_z: "undo", pygame.K_u: "undo",
    pygame.K_y: "redo", pygame.K_r: "restart", pygame.K_h: "hint", pygame.K_SPACE: "run", pygame.K_PERIOD: "step",
    pygame.K_PLUS: "faster", pygame.K_MINUS: "slower", pygame.K_F1: "help", pygame.K_F11: "fullscreen",
    pygame.K_F12: "screenshot", pygame.K_ESCAPE: "back",
}  # fmt: skip
"""The keys that are the same everywhere."""


def press(key, mod=0, groups=()):
    return command_of(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""), groups)


@pytest.mark.parametrize(("key", "command"), PROMISED.items())
def test_promised_keys(key, command):
    assert press(key) == command
    assert press(key, pygame.KMOD_NUM | pygame.KMOD_CAPS) == command, "a lock key changes what a key means"


def test_question_mark_on_any_keyboard():
    assert press(pygame.K_SLASH, pygame.KMOD_LSHIFT) == "help"
    assert press(pygame.K_QUESTION) == "help"
    assert press(pygame.K_SLASH) is None


def test_no_key_and_no_button_twice_on_any_screen():
    screens = [{DRAWING, LEVEL}, *({group} for group in OWN_GROUPS - {DRAWING, LEVEL})]
    """Groups that one screen names together."""
    everywhere = [shortcut for shortcut in SHORTCUTS if shortcut.group not in OWN_GROUPS]
    for heard in (everywhere, *([each for each in SHORTCUTS if each.group in groups] for groups in screens)):
        assert heard
        keys = [key for shortcut in heard for key in shortcut.keys]
        assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)
    pads = [(button, shortcut.pad_with) for shortcut in SHORTCUTS for button in shortcut.pad]
    commands = [shortcut.command for shortcut in SHORTCUTS]
    assert len(pads) == len(set(pads))
    assert len(commands) == len(set(commands))


def test_a_screens_own_keys_come_first_and_are_heard_nowhere_else():
    for shortcut in SHORTCUTS:
        if shortcut.group in OWN_GROUPS:
            for key, mod in shortcut.keys:
                assert press(key, mod, (shortcut.group,)) == shortcut.command, shortcut
                assert press(key, mod) != shortcut.command, shortcut
    assert press(pygame.K_ESCAPE, 0, tuple(OWN_GROUPS)) == "back"


def test_control_is_another_key():
    assert press(pygame.K_z, pygame.KMOD_LCTRL) == "undo"
    assert press(pygame.K_r, pygame.KMOD_LCTRL) is None
    assert press(pygame.K_h, pygame.KMOD_LALT) is None
    assert press(pygame.K_h, pygame.KMOD_LGUI) is None


def test_releases_and_other_events_give_no_command():
    assert command_of(pygame.event.Event(pygame.KEYUP, key=pygame.K_z, mod=0)) is None
    assert command_of(pygame.event.Event(pygame.MOUSEMOTION, pos=(0, 0))) is None
    assert press(pygame.K_F5) is None


def test_every_key_that_is_shown_gives_the_command():
    pygame.display.init()
    names = {
        "↑": pygame.K_UP, "→": pygame.K_RIGHT, "↓": pygame.K_DOWN, "←": pygame.K_LEFT, "Enter": pygame.K_RETURN,
        "PgDn": pygame.K_PAGEDOWN, "PgUp": pygame.K_PAGEUP, "Esc": pygame.K_ESCAPE, "Home": pygame.K_HOME,
        "End": pygame.K_END, "Del": pygame.K_DELETE, "Space": pygame.K_SPACE, "Tab": pygame.K_TAB, "?": pygame.K_QUESTION,
    }  # fmt: skip
    modifiers = {"Shift": SHIFT, "Ctrl": CTRL}
    for shortcut in SHORTCUTS:
        words = shortcut.shown.split()
        mod = 0
        while words and words[0] in modifiers:
            mod |= modifiers[words.pop(0)]
        if words == ["↑→↓←"]:
            continue  # four commands, shown as one
        for word in words:
            key = names.get(word) or pygame.key.key_code(word.lower())
            assert press(key, mod, (shortcut.group,)) == shortcut.command, (word, shortcut)


def test_gamepad_reaches_moves_choice_back_undo_hint_run_and_menus():
    reached = {command_of_pad(button) for shortcut in SHORTCUTS for button in shortcut.pad}
    assert reached >= {
        "up", "right", "down", "left", "accept", "back", "undo", "redo", "hint", "run", "settings", "help", "focus",
    }  # fmt: skip
    assert command_of_pad(999) is None


def test_a_held_button_turns_the_cross_into_pulls_where_there_are_pulls():
    cross, other = pygame.CONTROLLER_BUTTON_DPAD_LEFT, pygame.CONTROLLER_BUTTON_Y
    held = {other, pygame.CONTROLLER_BUTTON_A}
    assert command_of_pad(cross, ("Pulling", "Moves"), held) == "pull_left"
    assert command_of_pad(cross, ("Pulling", "Moves"), {other}) == "left"
    assert command_of_pad(cross, ("Moves",), held) == "left"
    lines = pad_lines(("Pulling", "Moves", "Game"), frozenset({"redo"}), {"accept": "Carry out the hint"})
    print(lines)
    assert ("A + cross", "Pull a box along") in lines and ("A", "Carry out the hint") in lines
    assert not {button for button, _meaning in lines} & {"RB", "Start"}, "only what the screen hears"


def test_only_moving_about_repeats():
    assert repeats("left")
    assert repeats("undo")
    assert not any(repeats(command) for command in ("restart", "new", "run", "back", "accept", "hint"))
    assert keys_shown("undo") == "Z  U"


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
def test_the_whole_list_fits(size):
    pygame.font.init()
    surface = pygame.Surface(size)
    theme = Theme("dark", 1.0)
    listed = [shortcut for shortcut in SHORTCUTS if shortcut.group not in OWN_GROUPS]
    groups = tuple(dict.fromkeys(shortcut.group for shortcut in listed))
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
            surface, theme, groups, frozenset(("view",)), {"undo": "Take a stone back"}, (("click", "Walk there"),)
        )
    finally:
        text.draw = real
    words = [word for word, _ in drawn]
    for shortcut in listed:
        assert (shortcut.title in words) == (shortcut.command not in ("view", "undo")), shortcut
    assert "Take a stone back" in words
    assert "Walk there" in words
    for word, place in drawn:
        assert surface.get_rect().inflate(-32, -32).contains(place), (word, place)
