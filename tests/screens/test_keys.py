"""The keys of all screens and games: nothing twice on any screen, and everything shown is true."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pygame

from game.screens.keys import DRAWING, LEVEL
from game.ui.shortcuts import (
    CTRL,
    EVERYWHERE,
    MOVES,
    SHIFT,
    THIS_GAME,
    Group,
    Shortcut,
    keys_shown,
    pad_lines,
    shortcut_of,
    shortcut_of_pad,
)  # fmt: skip
from game.views.sokoban.keys import PULLING

ROOT = Path(__file__).resolve().parents[2]
OWN: list[Group] = [
    value
    for path in sorted((ROOT / "game").rglob("keys.py"))
    for value in vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))).values()
    if isinstance(value, Group)
]
"""The groups of every module of keys."""


def heard(groups: list[Group] | tuple[Group, ...] = (*EVERYWHERE, *OWN)) -> Iterator[tuple[Group, Shortcut]]:
    for group in groups:
        for shortcut in group.shortcuts:
            yield group, shortcut


def press(key: int, mod: int = 0, groups: tuple[Group, ...] = ()) -> str | None:
    found = shortcut_of(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""), groups)
    return found.command if found else None


def test_no_key_and_no_button_twice_on_any_screen():
    assert len(OWN) > 10
    together = [EVERYWHERE, (DRAWING, LEVEL), *((group,) for group in OWN if group not in (DRAWING, LEVEL))]
    """Groups that one screen names together."""
    for groups in together:
        keys = [key for _group, shortcut in heard(groups) for key in shortcut.keys]
        assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)
    pads = [(button, shortcut.pad_with) for _group, shortcut in heard() for button in shortcut.pad]
    commands = [shortcut.command for _group, shortcut in heard()]
    assert len(pads) == len(set(pads))
    assert len(commands) == len(set(commands))


def test_a_screens_own_keys_come_first_and_are_heard_nowhere_else():
    for group, shortcut in heard(OWN):
        assert keys_shown(shortcut.command, (group,)) == shortcut.shown
        for key, mod in shortcut.keys:
            assert press(key, mod, (MOVES, group)) == shortcut.command, shortcut
            assert press(key, mod) != shortcut.command, shortcut
    assert press(pygame.K_ESCAPE, 0, tuple(OWN)) == "back"


def test_every_key_that_is_shown_gives_the_command():
    pygame.display.init()
    names = {
        "↑": pygame.K_UP, "→": pygame.K_RIGHT, "↓": pygame.K_DOWN, "←": pygame.K_LEFT, "Enter": pygame.K_RETURN,
        "PgDn": pygame.K_PAGEDOWN, "PgUp": pygame.K_PAGEUP, "Esc": pygame.K_ESCAPE, "Home": pygame.K_HOME,
        "End": pygame.K_END, "Del": pygame.K_DELETE, "Space": pygame.K_SPACE, "Tab": pygame.K_TAB, "?": pygame.K_QUESTION,
    }  # fmt: skip
    modifiers = {"Shift": SHIFT, "Ctrl": CTRL}
    for group, shortcut in heard():
        words = shortcut.shown.split()
        mod = 0
        while words and words[0] in modifiers:
            mod |= modifiers[words.pop(0)]
        if words == ["↑→↓←"]:
            continue  # four commands, shown as one
        for word in words:
            key = names.get(word) or pygame.key.key_code(word.lower())
            assert press(key, mod, (group,)) == shortcut.command, (word, shortcut)


def test_a_held_button_turns_the_cross_into_pulls_where_there_are_pulls():
    cross, other = pygame.CONTROLLER_BUTTON_DPAD_LEFT, pygame.CONTROLLER_BUTTON_Y
    held = {other, pygame.CONTROLLER_BUTTON_A}
    assert shortcut_of_pad(cross, (PULLING, MOVES), held).command == "pull_left"
    assert shortcut_of_pad(cross, (PULLING, MOVES), {other}).command == "left"
    assert shortcut_of_pad(cross, (MOVES,), held).command == "left"
    lines = pad_lines((PULLING, MOVES, THIS_GAME), frozenset({"redo"}), {"accept": "Carry out the hint"})
    print(lines)
    assert ("A + cross", "Pull a box along") in lines and ("A", "Carry out the hint") in lines
    assert not {button for button, _meaning in lines} & {"RB", "Start"}, "only what the screen hears"
