"""Keys and gamepad buttons as commands: they drive the handlers, the key overlay, tool tips and the README.

A shortcut maps keys and gamepad buttons to a command; screens answer commands, never raw keys. Shortcuts come in groups.
The groups here count on every screen; screens and games have groups of their own, which only the screens that name them
hear, there before the others: their keys may mean something else elsewhere.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pygame

Combination = tuple[int, int]
"""(key, modifiers): modifiers are a mask of KMOD_CTRL, KMOD_SHIFT; 0 means neither matters but Ctrl is up."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One command and how to give it."""

    command: str
    title: str
    shown: str
    """The keys as people write them; empty where the list of keys leaves the command out."""
    keys: tuple[Combination, ...]
    pad: tuple[int, ...] = ()
    """Gamepad buttons (SDL controller numbers)."""
    repeats: bool = False
    """Whether a held key repeats."""
    pad_with: int | None = None
    """Gamepad button that has to be held for `pad` to count."""


class Group:
    """Shortcuts that belong together, under one heading in the list of keys."""

    def __init__(self, title: str, *shortcuts: Shortcut, everywhere: bool = False) -> None:
        """`everywhere`: heard on every screen, also on those that do not list the group."""
        self.title = title
        self.shortcuts = shortcuts
        self.everywhere = everywhere


def shortcut(
    command: str, title: str, shown: str, *keys: int | Combination, repeats: bool = False, pad: tuple[int, ...] = (),
    pad_with: int | None = None,
) -> Shortcut:  # fmt: skip
    """A shortcut; a key without modifiers is its number alone."""
    combinations = tuple((key, 0) if isinstance(key, int) else key for key in keys)
    return Shortcut(command, title, shown, combinations, pad, repeats, pad_with)


PAD_NAMES = {
    pygame.CONTROLLER_BUTTON_A: "A",
    pygame.CONTROLLER_BUTTON_B: "B",
    pygame.CONTROLLER_BUTTON_X: "X",
    pygame.CONTROLLER_BUTTON_Y: "Y",
    pygame.CONTROLLER_BUTTON_LEFTSHOULDER: "LB",
    pygame.CONTROLLER_BUTTON_RIGHTSHOULDER: "RB",
    pygame.CONTROLLER_BUTTON_LEFTSTICK: "LT",
    pygame.CONTROLLER_BUTTON_RIGHTSTICK: "RT",
    pygame.CONTROLLER_BUTTON_BACK: "Back",
    pygame.CONTROLLER_BUTTON_START: "Start",
}
"""What is written on a gamepad's buttons; the triggers count as the sticks' buttons."""

CTRL, SHIFT = pygame.KMOD_CTRL, pygame.KMOD_SHIFT

ARROWS = {"up": pygame.K_UP, "right": pygame.K_RIGHT, "down": pygame.K_DOWN, "left": pygame.K_LEFT}
LETTERS = {"up": pygame.K_w, "right": pygame.K_d, "down": pygame.K_s, "left": pygame.K_a}
_CROSS = {
    "up": pygame.CONTROLLER_BUTTON_DPAD_UP,
    "right": pygame.CONTROLLER_BUTTON_DPAD_RIGHT,
    "down": pygame.CONTROLLER_BUTTON_DPAD_DOWN,
    "left": pygame.CONTROLLER_BUTTON_DPAD_LEFT,
}


def four(
    command: str, title: str, shown: str, modifier: int, *keys: dict[str, int], pad_with: int | None = None
) -> tuple[Shortcut, ...]:
    """Four commands on the keys of the four directions with a modifier; the list of keys shows them as one.

    `pad_with`: also on a gamepad's cross, while that button is held.
    """
    return tuple(
        shortcut(
            f"{command}_{way}", title, shown if way == "up" else "", *((each[way], modifier) for each in keys),
            repeats=True, pad=() if pad_with is None else (_CROSS[way],), pad_with=pad_with,
        )
        for way in ARROWS
    )  # fmt: skip


MOVES = Group(
    "Moves",
    shortcut("up", "Up", "↑  W", pygame.K_UP, pygame.K_w, pad=(pygame.CONTROLLER_BUTTON_DPAD_UP,), repeats=True),
    shortcut(
        "right", "Right", "→  D", pygame.K_RIGHT, pygame.K_d, pad=(pygame.CONTROLLER_BUTTON_DPAD_RIGHT,), repeats=True
    ),
    shortcut(
        "down", "Down", "↓  S", pygame.K_DOWN, pygame.K_s, pad=(pygame.CONTROLLER_BUTTON_DPAD_DOWN,), repeats=True
    ),
    shortcut(
        "left", "Left", "←  A", pygame.K_LEFT, pygame.K_a, pad=(pygame.CONTROLLER_BUTTON_DPAD_LEFT,), repeats=True
    ),
    shortcut(
        "accept",
        "Choose, drop, confirm",
        "Enter",
        pygame.K_RETURN,
        pygame.K_KP_ENTER,
        pad=(pygame.CONTROLLER_BUTTON_A,),
    ),
    everywhere=True,
)
THIS_GAME = Group(
    "Game",
    shortcut(
        "undo",
        "Undo",
        "Z  U",
        pygame.K_z,
        pygame.K_u,
        pygame.K_BACKSPACE,
        (pygame.K_z, CTRL),
        pad=(pygame.CONTROLLER_BUTTON_LEFTSHOULDER,),
        repeats=True,
    ),
    shortcut(
        "redo",
        "Redo",
        "Y",
        pygame.K_y,
        (pygame.K_y, CTRL),
        pad=(pygame.CONTROLLER_BUTTON_RIGHTSHOULDER,),
        repeats=True,
    ),
    shortcut("first", "To the start", "Home", pygame.K_HOME),
    shortcut("last", "To the end", "End", pygame.K_END),
    shortcut("restart", "Restart", "R", pygame.K_r),
    shortcut("new", "New game", "N", pygame.K_n),
    shortcut("next", "Next level or slice", "PgDn  ]", pygame.K_PAGEDOWN, pygame.K_RIGHTBRACKET),
    shortcut("previous", "Previous level or slice", "PgUp  [", pygame.K_PAGEUP, pygame.K_LEFTBRACKET),
    shortcut("list", "List of levels, set-up", "L", pygame.K_l),
    shortcut("edit", "Edit this level", "E", pygame.K_e),
    shortcut("view", "Next view", "V", pygame.K_v),
    shortcut("reset_view", "Reset the view", "0", pygame.K_0, pygame.K_KP0),
    shortcut("theatre", "Watch this game", "P", pygame.K_p),
    everywhere=True,
)
AGENT = Group(
    "Agent",
    shortcut("hint", "Hint", "H", pygame.K_h, pad=(pygame.CONTROLLER_BUTTON_X,)),
    shortcut("run", "Run or pause the agent", "Space", pygame.K_SPACE, pad=(pygame.CONTROLLER_BUTTON_Y,)),
    shortcut("step", "One step of the agent", ".", pygame.K_PERIOD),
    shortcut("faster", "Faster", "+", pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS, repeats=True),
    shortcut("slower", "Slower", "-", pygame.K_MINUS, pygame.K_KP_MINUS, repeats=True),
    everywhere=True,
)
WINDOW = Group(
    "Window",
    shortcut(
        "help",
        "This list",
        "F1  ?",
        pygame.K_F1,
        (pygame.K_SLASH, SHIFT),
        (pygame.K_QUESTION, 0),
        pad=(pygame.CONTROLLER_BUTTON_BACK,),
    ),
    shortcut("fullscreen", "Full screen", "F11", pygame.K_F11),
    shortcut("screenshot", "Screenshot", "F12", pygame.K_F12),
    shortcut("mute", "Sound on or off", "M", pygame.K_m),
    shortcut("settings", "Settings", "F10", pygame.K_F10, pad=(pygame.CONTROLLER_BUTTON_START,)),
    shortcut("lab", "Training in the lab", "Ctrl T", (pygame.K_t, CTRL)),
    shortcut("focus", "Next button", "Tab", pygame.K_TAB, pad=(pygame.CONTROLLER_BUTTON_RIGHTSTICK,), repeats=True),
    shortcut(
        "focus_back",
        "Previous button",
        "Shift Tab",
        (pygame.K_TAB, SHIFT),
        pad=(pygame.CONTROLLER_BUTTON_LEFTSTICK,),
        repeats=True,
    ),
    shortcut("back", "Cancel or back", "Esc", pygame.K_ESCAPE, pad=(pygame.CONTROLLER_BUTTON_B,)),
    everywhere=True,
)

EVERYWHERE = (MOVES, THIS_GAME, AGENT, WINDOW)
"""The groups that count on every screen."""
ONLY_HISTORY = frozenset(each.command for each in THIS_GAME.shortcuts if each.command not in ("undo", "redo"))
"""Commands of the group Game but undo and redo, for screens that have a history and no game."""


def _heard(groups: Sequence[Group]) -> Iterator[Shortcut]:
    """Everything that a screen which names these groups hears, its own groups first."""
    for group in (*(each for each in groups if not each.everywhere), *EVERYWHERE):
        yield from group.shortcuts


def _first(groups: Sequence[Group], fits: Callable[[Shortcut], bool]) -> Shortcut | None:
    return next((each for each in _heard(groups) if fits(each)), None)


def shortcut_of(event: pygame.event.Event, groups: Sequence[Group] = ()) -> Shortcut | None:
    """The shortcut that a key or gamepad event is, or None; `groups` are those that the screen names."""
    if event.type == pygame.CONTROLLERBUTTONDOWN:
        return shortcut_of_pad(event.button)
    if event.type != pygame.KEYDOWN:
        return None
    if event.mod & (pygame.KMOD_ALT | pygame.KMOD_GUI):
        return None
    ctrl = CTRL if event.mod & CTRL else 0
    shift = SHIFT if event.mod & SHIFT else 0
    exact = _first(groups, lambda each: (event.key, ctrl | shift) in each.keys)
    return exact or _first(groups, lambda each: (event.key, ctrl) in each.keys)


def shortcut_of_pad(button: int, groups: Sequence[Group] = (), held: Collection[int] = ()) -> Shortcut | None:
    """The shortcut that a gamepad's button is while others are held, or None."""
    together = _first(groups, lambda each: button in each.pad and each.pad_with in held)
    return together or _first(groups, lambda each: button in each.pad and each.pad_with is None)


def pad_lines(
    groups: Sequence[Group], without: Collection[str], meanings: Mapping[str, str]
) -> list[tuple[str, str]]:
    """(button, what it does) of a gamepad on a screen that hears these groups, for the list of keys."""
    lines = [("cross, stick", "Move, choose")]
    known = [group for group in EVERYWHERE if group in groups] + [group for group in groups if not group.everywhere]
    for each in (each for group in known for each in group.shortcuts):
        if each.command in without or not each.pad or each.command in ARROWS:
            continue
        title = meanings.get(each.command, each.title)
        if each.pad_with is None:
            lines.append((PAD_NAMES[each.pad[0]], title))
        elif each.shown:
            lines.append((f"{PAD_NAMES[each.pad_with]} + cross", title))
    return lines


def keys_shown(command: str, groups: Sequence[Group] = ()) -> str:
    """The keys of a command of these groups, or of one that counts everywhere, as people write them.

    Raises:
        KeyError: there is no such command.
    """
    found = _first(groups, lambda each: each.command == command)
    if found is None:
        raise KeyError(command)
    return found.shown
