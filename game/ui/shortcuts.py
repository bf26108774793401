"""The one table of keys: it drives the handlers, the key overlay, tool tips and the README.

A shortcut maps keys and gamepad buttons to a command; screens answer commands, never raw keys.
"""

from collections.abc import Collection, Mapping, Sequence
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
    """The keys as people write them; empty where the list of keys leaves the command out."""
    pad: tuple[int, ...] = ()
    """Gamepad buttons (SDL controller numbers)."""
    repeats: bool = False
    """Whether a held key repeats."""
    pad_with: int | None = None
    """Gamepad button that has to be held for `pad` to count."""


def _keys(*keys: int) -> tuple[Combination, ...]:
    return tuple((key, 0) for key in keys)


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

MOVES, GAME, AGENT, WINDOW = "Moves", "Game", "Agent", "Window"
DRAWING, LEVEL = "Drawing", "Level"
REPLAY, LIBRARY, MODELS = "Replay", "Library", "Models"
TILES, SERIES, ARRANGING = "Tiles", "Many games", "Arranging"
STONES, TOURNAMENT = "Stones", "Tournament"
PUZZLES, ROOMS = "Puzzles", "Rooms"
TRAINING = "Training"
PULLING, PAIR, BACKWARDS = "Pulling", "Second player", "Backwards"
OWN_GROUPS = frozenset(
    {DRAWING, LEVEL, REPLAY, LIBRARY, MODELS, TILES, SERIES, ARRANGING, STONES, TOURNAMENT, PUZZLES, ROOMS}
) | {PULLING, PAIR, BACKWARDS, TRAINING}
"""Groups that only the screens which name them hear, there before all others: their keys may mean something else elsewhere."""


def _own(
    command: str, title: str, group: str, shown: str, *keys: Combination, repeats: bool = False,
    pad: tuple[int, ...] = (), pad_with: int | None = None,
) -> Shortcut:  # fmt: skip
    return Shortcut(command, title, group, keys, shown, pad, repeats, pad_with)


_ARROWS = {"up": pygame.K_UP, "right": pygame.K_RIGHT, "down": pygame.K_DOWN, "left": pygame.K_LEFT}
_CROSS = {
    "up": pygame.CONTROLLER_BUTTON_DPAD_UP,
    "right": pygame.CONTROLLER_BUTTON_DPAD_RIGHT,
    "down": pygame.CONTROLLER_BUTTON_DPAD_DOWN,
    "left": pygame.CONTROLLER_BUTTON_DPAD_LEFT,
}
_LETTERS = {"up": pygame.K_w, "right": pygame.K_d, "down": pygame.K_s, "left": pygame.K_a}


def _four(
    command: str,
    title: str,
    group: str,
    shown: str,
    modifier: int,
    *keys: dict[str, int],
    pad_with: int | None = None,
) -> tuple[Shortcut, ...]:
    """Four commands on the keys of the four directions with a modifier; the list of keys shows them as one.

    `pad_with`: also on a gamepad's cross, while that button is held.
    """
    return tuple(
        _own(
            f"{command}_{way}",
            title,
            group,
            shown if way == "up" else "",
            *((four[way], modifier) for four in keys),
            repeats=True,
            pad=() if pad_with is None else (_CROSS[way],),
            pad_with=pad_with,
        )
        for way in _ARROWS
    )


def _arrows(command: str, title: str, shown: str, modifier: int) -> tuple[Shortcut, ...]:
    """Four commands of the editor on the arrows with a modifier."""
    return _four(command, title, DRAWING, shown, modifier, _ARROWS)


EDITOR_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("tool_brush", "Paint", DRAWING, "B", (pygame.K_b, 0)),
    _own("tool_line", "Line", DRAWING, "L", (pygame.K_l, 0)),
    _own("tool_rectangle", "Rectangle", DRAWING, "R", (pygame.K_r, 0)),
    _own("tool_fill", "Fill", DRAWING, "F", (pygame.K_f, 0)),
    _own("tool_pick", "Pick a tile", DRAWING, "P", (pygame.K_p, 0)),
    _own("draw", "Use the tool at the cursor", DRAWING, "Space", (pygame.K_SPACE, 0)),
    *_arrows("draw", "Paint while moving", "Shift ↑→↓←", SHIFT),
    _own("erase", "Floor at the cursor", DRAWING, "Del", (pygame.K_DELETE, 0)),
    _own("mirror", "Mirror left and right", DRAWING, "X", (pygame.K_x, 0)),
    _own("mirror_upright", "Mirror top and bottom", DRAWING, "Shift X", (pygame.K_x, SHIFT)),
    _own("rotate", "Turn by a quarter", DRAWING, "Q", (pygame.K_q, 0)),
    _own("rotate_back", "Turn back", DRAWING, "Shift Q", (pygame.K_q, SHIFT)),
    *_arrows("shift", "Shift everything", "Ctrl ↑→↓←", CTRL),
    _own("crop", "Crop", DRAWING, "C", (pygame.K_c, 0)),
    _own("resize", "Size of the map", DRAWING, "G", (pygame.K_g, 0)),
    _own(
        "closer", "Closer", DRAWING, "", (pygame.K_PLUS, 0), (pygame.K_EQUALS, 0), (pygame.K_KP_PLUS, 0), repeats=True
    ),
    _own("further", "Further", DRAWING, "", (pygame.K_MINUS, 0), (pygame.K_KP_MINUS, 0), repeats=True),
    _own("rules", "Rules of the level", LEVEL, "O", (pygame.K_o, 0)),
    _own("new_map", "New map", LEVEL, "N", (pygame.K_n, 0)),
    _own("try", "Try it", LEVEL, "T", (pygame.K_t, 0)),
    _own("solvable", "Is it solvable?", LEVEL, "H", (pygame.K_h, 0)),
    _own("watch", "Watch the solution", LEVEL, "V", (pygame.K_v, 0)),
    _own("train_map", "Train on this map", LEVEL, "Shift T", (pygame.K_t, SHIFT)),
    _own("save", "Save", LEVEL, "Ctrl S", (pygame.K_s, CTRL)),
    _own("save_as", "Title, author, pack", LEVEL, "I", (pygame.K_i, 0)),
    _own("packs", "My packs", LEVEL, "K", (pygame.K_k, 0)),
    _own("open_file", "Import a file", LEVEL, "Ctrl O", (pygame.K_o, CTRL)),
    _own("export", "Export", LEVEL, "Ctrl E", (pygame.K_e, CTRL)),
    _own("copy", "Copy as XSB", LEVEL, "Ctrl C", (pygame.K_c, CTRL)),
    _own("copy_array", "Copy the array", LEVEL, "Ctrl Shift C", (pygame.K_c, CTRL | SHIFT)),
    _own("paste", "Paste a level", LEVEL, "Ctrl V", (pygame.K_v, CTRL)),
)

REPLAY_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("play", "Play or pause", REPLAY, "Space", (pygame.K_SPACE, 0)),
    _own("forth", "One move on", REPLAY, "→  .", (pygame.K_RIGHT, 0), (pygame.K_PERIOD, 0), repeats=True),
    _own("back_one", "One move back", REPLAY, "←  ,", (pygame.K_LEFT, 0), (pygame.K_COMMA, 0), repeats=True),
    _own("page_forth", "Ten moves on", REPLAY, "PgDn", (pygame.K_PAGEDOWN, 0), repeats=True),
    _own("page_back", "Ten moves back", REPLAY, "PgUp", (pygame.K_PAGEUP, 0), repeats=True),
    _own("to_start", "To the start", REPLAY, "Home", (pygame.K_HOME, 0)),
    _own("to_end", "To the end", REPLAY, "End", (pygame.K_END, 0)),
    _own("quicker", "Faster", REPLAY, "+", (pygame.K_PLUS, 0), (pygame.K_EQUALS, 0), (pygame.K_KP_PLUS, 0)),
    _own("calmer", "Slower", REPLAY, "-", (pygame.K_MINUS, 0), (pygame.K_KP_MINUS, 0)),
    _own("point", "Point at the next move", REPLAY, "V", (pygame.K_v, 0)),
    _own("go_on", "Continue from here as a game", REPLAY, "G", (pygame.K_g, 0)),
    _own("compare", "A second game beside it", REPLAY, "C", (pygame.K_c, 0)),
    _own("export_replay", "Export", REPLAY, "E", (pygame.K_e, 0), (pygame.K_e, CTRL)),
    _own("rename", "Rename", LIBRARY, "F2", (pygame.K_F2, 0)),
    _own("export_game", "Export", LIBRARY, "E", (pygame.K_e, 0), (pygame.K_e, CTRL)),
    _own("delete", "Delete", LIBRARY, "Del", (pygame.K_DELETE, 0)),
    _own("take_back", "Undo deleting", LIBRARY, "Z  U", (pygame.K_z, 0), (pygame.K_u, 0), (pygame.K_z, CTRL)),
)

PUZZLE_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("level_paste", "Paste levels or moves", PUZZLES, "Ctrl V", (pygame.K_v, CTRL)),
    _own("level_copy", "Copy level (and solution)", PUZZLES, "Ctrl C", (pygame.K_c, CTRL)),
    _own("level_copy_moves", "Copy the moves up to here", PUZZLES, "Ctrl Shift C", (pygame.K_c, CTRL | SHIFT)),
    _own("level_open", "Open a file of levels", PUZZLES, "Ctrl O", (pygame.K_o, CTRL)),
    _own("level_keep", "Keep levels in My packs", PUZZLES, "Ctrl S", (pygame.K_s, CTRL)),
    _own("make_room", "Make a room", ROOMS, "G", (pygame.K_g, 0)),
    _own("train_level", "Train an agent on this level", PUZZLES, "T", (pygame.K_t, 0)),
    _own("best", "Watch the best solution", PUZZLES, "V", (pygame.K_v, 0)),
    _own("dead_squares", "Dead squares on or off", PUZZLES, "X", (pygame.K_x, 0)),
    _own("backwards", "Play the level backwards", PUZZLES, "B", (pygame.K_b, 0)),
    *_four(
        "pull",
        "Pull a box along",
        PULLING,
        "Shift ↑→↓←",
        SHIFT,
        _ARROWS,
        _LETTERS,
        pad_with=pygame.CONTROLLER_BUTTON_A,
    ),
    _own("grab", "Pull with every step", PULLING, "F", (pygame.K_f, 0)),
    _own("second_up", "Up", PAIR, "W", (pygame.K_w, 0), repeats=True),
    _own("second_right", "Right", PAIR, "D", (pygame.K_d, 0), repeats=True),
    _own("second_down", "Down", PAIR, "S", (pygame.K_s, 0), repeats=True),
    _own("second_left", "Left", PAIR, "A", (pygame.K_a, 0), repeats=True),
    *_four("second_pull", "Pull (Shift and W, A, S, D)", PAIR, "Shift W", SHIFT, _LETTERS),
    _own("swap", "Swap the players' keys", PAIR, "C", (pygame.K_c, 0)),
    _own("place", "Begin at another place", BACKWARDS, "C", (pygame.K_c, 0)),
)

MODEL_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("test_model", "Test now, or stop the test", MODELS, "T", (pygame.K_t, 0)),
    _own("import_model", "Import a model", MODELS, "Ctrl O", (pygame.K_o, CTRL)),
    _own("train_model", "Train a model", MODELS, "N", (pygame.K_n, 0)),
)

TRAINING_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("lab_run", "Start, pause or go on", TRAINING, "Space", (pygame.K_SPACE, 0)),
    _own("lab_stop", "Save and stop", TRAINING, "X", (pygame.K_x, 0)),
    _own("lab_try", "Let the model play", TRAINING, "T", (pygame.K_t, 0)),
    _own("lab_new", "Another training", TRAINING, "N", (pygame.K_n, 0)),
    _own("lab_models", "All models", TRAINING, "K", (pygame.K_k, 0)),
    _own("lab_copy", "Copy the command line", TRAINING, "Ctrl C", (pygame.K_c, CTRL)),
)

TILES_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("why", "Why this move?", TILES, "V", (pygame.K_v, 0)),
    _own("arrange", "Arrange the board", TILES, "E", (pygame.K_e, 0)),
    _own("duel", "Two agents side by side", TILES, "C", (pygame.K_c, 0)),
    _own("series", "Many games of one agent", TILES, "G", (pygame.K_g, 0)),
    _own("series_run", "Start, or stop and keep", SERIES, "Space", (pygame.K_SPACE, 0)),
    _own("series_copy", "Copy the table", SERIES, "Ctrl C", (pygame.K_c, CTRL)),
    _own("series_save", "Save the table as CSV", SERIES, "Ctrl S", (pygame.K_s, CTRL)),
    _own("arrange_done", "Continue from here", ARRANGING, "Enter", (pygame.K_RETURN, 0), (pygame.K_KP_ENTER, 0)),
    _own(
        "arrange_raise",
        "Larger tile",
        ARRANGING,
        "+",
        (pygame.K_PLUS, 0),
        (pygame.K_EQUALS, 0),
        (pygame.K_KP_PLUS, 0),
        repeats=True,
    ),
    _own("arrange_lower", "Smaller tile", ARRANGING, "-", (pygame.K_MINUS, 0), (pygame.K_KP_MINUS, 0), repeats=True),
    _own("arrange_erase", "No tile", ARRANGING, "Del", (pygame.K_DELETE, 0), (pygame.K_BACKSPACE, 0)),
    _own("arrange_clear", "Clear the board", ARRANGING, "X", (pygame.K_x, 0)),
    _own("arrange_larger", "Larger board", ARRANGING, "PgUp", (pygame.K_PAGEUP, 0)),
    _own("arrange_smaller", "Smaller board", ARRANGING, "PgDn", (pygame.K_PAGEDOWN, 0)),
    _own(
        "arrange_undo", "Undo", ARRANGING, "Z  U", (pygame.K_z, 0), (pygame.K_u, 0), (pygame.K_z, CTRL), repeats=True
    ),
    _own("arrange_redo", "Redo", ARRANGING, "Y", (pygame.K_y, 0), (pygame.K_y, CTRL), repeats=True),
    _own("arrange_copy", "Copy the board as text", ARRANGING, "Ctrl C", (pygame.K_c, CTRL)),
    _own("arrange_paste", "Paste a board", ARRANGING, "Ctrl V", (pygame.K_v, CTRL)),
)

STONES_SHORTCUTS: tuple[Shortcut, ...] = (
    _own("values", "Values of the columns", STONES, "I", (pygame.K_i, 0)),
    _own("think_along", "An agent thinks along", STONES, "T", (pygame.K_t, 0)),
    _own("tournament", "A tournament of agents", STONES, "G", (pygame.K_g, 0)),
    _own("copy_game", "Copy the game as text", STONES, "Ctrl C", (pygame.K_c, CTRL)),
    _own("paste_game", "Paste a game", STONES, "Ctrl V", (pygame.K_v, CTRL)),
    _own("tournament_run", "Start, or stop and keep", TOURNAMENT, "Space", (pygame.K_SPACE, 0)),
    _own("tournament_add", "One more agent", TOURNAMENT, "N", (pygame.K_n, 0)),
    _own("tournament_remove", "Leave this agent out", TOURNAMENT, "Del", (pygame.K_DELETE, 0)),
    _own("tournament_copy", "Copy the table", TOURNAMENT, "Ctrl C", (pygame.K_c, CTRL)),
    _own("tournament_save", "Save all games as CSV", TOURNAMENT, "Ctrl S", (pygame.K_s, CTRL)),
)

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
    Shortcut("edit", "Edit this level", GAME, _keys(pygame.K_e), "E"),
    Shortcut("view", "Next view", GAME, _keys(pygame.K_v), "V"),
    Shortcut("reset_view", "Reset the view", GAME, _keys(pygame.K_0, pygame.K_KP0), "0"),
    Shortcut("theatre", "Watch this game", GAME, _keys(pygame.K_p), "P"),
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
    Shortcut("lab", "Training in the lab", WINDOW, ((pygame.K_t, CTRL),), "Ctrl T"),
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
    *EDITOR_SHORTCUTS,
    *REPLAY_SHORTCUTS,
    *PUZZLE_SHORTCUTS,
    *MODEL_SHORTCUTS,
    *TRAINING_SHORTCUTS,
    *TILES_SHORTCUTS,
    *STONES_SHORTCUTS,
)

ONLY_HISTORY = frozenset(
    shortcut.command for shortcut in SHORTCUTS if shortcut.group == GAME and shortcut.command not in ("undo", "redo")
)
"""Commands of the group Game but undo and redo, for screens that have a history and no game."""

_BY_KEY = {
    combination: shortcut
    for shortcut in SHORTCUTS
    if shortcut.group not in OWN_GROUPS
    for combination in shortcut.keys
}
_OWN_BY_KEY = {
    (shortcut.group, combination): shortcut
    for shortcut in SHORTCUTS
    if shortcut.group in OWN_GROUPS
    for combination in shortcut.keys
}
_BY_PAD = {button: shortcut for shortcut in SHORTCUTS if shortcut.pad_with is None for button in shortcut.pad}
_OWN_BY_PAD = {
    (shortcut.group, button, shortcut.pad_with): shortcut
    for shortcut in SHORTCUTS
    if shortcut.pad_with is not None
    for button in shortcut.pad
}
_BY_COMMAND = {shortcut.command: shortcut for shortcut in SHORTCUTS}


def command_of(event: pygame.event.Event, groups: Sequence[str] = ()) -> str | None:
    """The command that a key or gamepad event gives, or None; `groups` are those that the screen names."""
    if event.type == pygame.CONTROLLERBUTTONDOWN:
        return command_of_pad(event.button)
    if event.type != pygame.KEYDOWN:
        return None
    if event.mod & (pygame.KMOD_ALT | pygame.KMOD_GUI):
        return None
    ctrl = CTRL if event.mod & CTRL else 0
    shift = SHIFT if event.mod & SHIFT else 0
    for combination in ((event.key, ctrl | shift), (event.key, ctrl)):
        own = (_OWN_BY_KEY.get((group, combination)) for group in groups)
        found = next((shortcut for shortcut in own if shortcut is not None), None) or _BY_KEY.get(combination)
        if found is not None:
            return found.command
    return None


def command_of_pad(button: int, groups: Sequence[str] = (), held: Collection[int] = ()) -> str | None:
    """The command that a gamepad's button gives while others are held, or None."""
    own = (_OWN_BY_PAD.get((group, button, other)) for group in groups for other in held)
    found = next((shortcut for shortcut in own if shortcut is not None), None) or _BY_PAD.get(button)
    return found.command if found else None


def pad_lines(groups: Sequence[str], without: Collection[str], meanings: Mapping[str, str]) -> list[tuple[str, str]]:
    """(button, what it does) of a gamepad on a screen that hears these groups, for the list of keys."""
    lines = [("cross, stick", "Move, choose")]
    for shortcut in SHORTCUTS:
        known = shortcut.group in groups and shortcut.command not in without
        if not known or not shortcut.pad or shortcut.command in _ARROWS:
            continue
        title = meanings.get(shortcut.command, shortcut.title)
        if shortcut.pad_with is None:
            lines.append((PAD_NAMES[shortcut.pad[0]], title))
        elif shortcut.shown:
            lines.append((f"{PAD_NAMES[shortcut.pad_with]} + cross", title))
    return lines


def repeats(command: str) -> bool:
    """Whether holding the key gives the command again and again."""
    return _BY_COMMAND[command].repeats


def keys_shown(command: str) -> str:
    """The command's keys as people write them."""
    return _BY_COMMAND[command].shown
