"""The one table of keys: it drives the handlers, the key overlay, tool tips and the README.

A shortcut maps keys and gamepad buttons to a command; screens answer commands, never raw keys.
"""

from dataclasses import dataclass

import pygame

Combination = tuple[int, int]
"""(key, modifiers): modifiers are a mask of KMOD_CTRL, KMOD_SHIFT; 0 means neither matters but Ctrl is up."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One command and how to give it."""

    command: str
    title: str
    group: str
    keys: tuple[Combination, ...]
    shown: str
    """The keys as people write them."""
    pad: tuple[int, ...] = ()
    """Gamepad buttons (SDL controller numbers)."""
    repeats: bool = False
    """Whether a held key repeats."""


def _keys(*keys: int) -> tuple[Combination, ...]:
    return tuple((key, 0) for key in keys)


CTRL, SHIFT = pygame.KMOD_CTRL, pygame.KMOD_SHIFT

MOVES, GAME, AGENT, WINDOW = "Moves", "Game", "Agent", "Window"

SHORTCUTS: tuple[Shortcut, ...] = (
    Shortcut("up", "Up", MOVES, _keys(pygame.K_UP, pygame.K_w), "↑  W", (pygame.CONTROLLER_BUTTON_DPAD_UP,), True),
    Shortcut(
        "right",
        "Right",
        MOVES,
        _keys(pygame.K_RIGHT, pygame.K_d),
        "→  D",
        (pygame.CONTROLLER_BUTTON_DPAD_RIGHT,),
        True,
    ),
    Shortcut(
        "down", "Down", MOVES, _keys(pygame.K_DOWN, pygame.K_s), "↓  S", (pygame.CONTROLLER_BUTTON_DPAD_DOWN,), True
    ),
    Shortcut(
        "left", "Left", MOVES, _keys(pygame.K_LEFT, pygame.K_a), "←  A", (pygame.CONTROLLER_BUTTON_DPAD_LEFT,), True
    ),
    Shortcut(
        "accept",
        "Choose, drop, confirm",
        MOVES,
        _keys(pygame.K_RETURN, pygame.K_KP_ENTER),
        "Enter",
        (pygame.CONTROLLER_BUTTON_A,),
    ),
    Shortcut(
        "undo",
        "Undo",
        GAME,
        (*_keys(pygame.K_z, pygame.K_u, pygame.K_BACKSPACE), (pygame.K_z, CTRL)),
        "Z  U",
        (pygame.CONTROLLER_BUTTON_LEFTSHOULDER,),
        True,
    ),
    Shortcut(
        "redo",
        "Redo",
        GAME,
        (*_keys(pygame.K_y), (pygame.K_y, CTRL)),
        "Y",
        (pygame.CONTROLLER_BUTTON_RIGHTSHOULDER,),
        True,
    ),
    Shortcut("first", "To the start", GAME, _keys(pygame.K_HOME), "Home"),
    Shortcut("last", "To the end", GAME, _keys(pygame.K_END), "End"),
    Shortcut("restart", "Restart", GAME, _keys(pygame.K_r), "R"),
    Shortcut("new", "New game", GAME, _keys(pygame.K_n), "N"),
    Shortcut("next", "Next level or slice", GAME, _keys(pygame.K_PAGEDOWN, pygame.K_RIGHTBRACKET), "PgDn  ]"),
    Shortcut("previous", "Previous level or slice", GAME, _keys(pygame.K_PAGEUP, pygame.K_LEFTBRACKET), "PgUp  ["),
    Shortcut("list", "List of levels, set-up", GAME, _keys(pygame.K_l), "L"),
    Shortcut("view", "Next view", GAME, _keys(pygame.K_v), "V"),
    Shortcut("reset_view", "Reset the view", GAME, _keys(pygame.K_0, pygame.K_KP0), "0"),
    Shortcut("hint", "Hint", AGENT, _keys(pygame.K_h), "H", (pygame.CONTROLLER_BUTTON_X,)),
    Shortcut("run", "Run or pause the agent", AGENT, _keys(pygame.K_SPACE), "Space", (pygame.CONTROLLER_BUTTON_Y,)),
    Shortcut("step", "One step of the agent", AGENT, _keys(pygame.K_PERIOD), "."),
    Shortcut("faster", "Faster", AGENT, _keys(pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS), "+", repeats=True),
    Shortcut("slower", "Slower", AGENT, _keys(pygame.K_MINUS, pygame.K_KP_MINUS), "-", repeats=True),
    Shortcut(
        "help",
        "This list",
        WINDOW,
        (*_keys(pygame.K_F1), (pygame.K_SLASH, SHIFT), (pygame.K_QUESTION, 0)),
        "F1  ?",
        (pygame.CONTROLLER_BUTTON_BACK,),
    ),
    Shortcut("fullscreen", "Full screen", WINDOW, _keys(pygame.K_F11), "F11"),
    Shortcut("screenshot", "Screenshot", WINDOW, _keys(pygame.K_F12), "F12"),
    Shortcut("mute", "Sound on or off", WINDOW, _keys(pygame.K_m), "M"),
    Shortcut("settings", "Settings", WINDOW, _keys(pygame.K_F10), "F10", (pygame.CONTROLLER_BUTTON_START,)),
    Shortcut(
        "focus", "Next button", WINDOW, _keys(pygame.K_TAB), "Tab", (pygame.CONTROLLER_BUTTON_RIGHTSTICK,), True
    ),
    Shortcut(
        "focus_back",
        "Button before",
        WINDOW,
        ((pygame.K_TAB, SHIFT),),
        "Shift Tab",
        (pygame.CONTROLLER_BUTTON_LEFTSTICK,),
        True,
    ),
    Shortcut("back", "Cancel or back", WINDOW, _keys(pygame.K_ESCAPE), "Esc", (pygame.CONTROLLER_BUTTON_B,)),
)

_BY_KEY = {combination: shortcut for shortcut in SHORTCUTS for combination in shortcut.keys}
_BY_PAD = {button: shortcut for shortcut in SHORTCUTS for button in shortcut.pad}
_BY_COMMAND = {shortcut.command: shortcut for shortcut in SHORTCUTS}


def command_of(event: pygame.event.Event) -> str | None:
    """The command that a key or gamepad event gives, or None."""
    if event.type == pygame.CONTROLLERBUTTONDOWN:
        return command_of_pad(event.button)
    if event.type != pygame.KEYDOWN:
        return None
    if event.mod & (pygame.KMOD_ALT | pygame.KMOD_GUI):
        return None
    ctrl = CTRL if event.mod & CTRL else 0
    shift = SHIFT if event.mod & SHIFT else 0
    found = _BY_KEY.get((event.key, ctrl | shift)) or _BY_KEY.get((event.key, ctrl))
    return found.command if found else None


def command_of_pad(button: int) -> str | None:
    """The command that a gamepad's button gives, or None."""
    found = _BY_PAD.get(button)
    return found.command if found else None


def repeats(command: str) -> bool:
    """Whether holding the key gives the command again and again."""
    return _BY_COMMAND[command].repeats


def keys_shown(command: str) -> str:
    """The command's keys as people write them."""
    return _BY_COMMAND[command].shown
