"""Keys of the screens that belong to no single game."""

import pygame

from game.ui.shortcuts import ARROWS, CTRL, SHIFT, Group, four, shortcut

MENU = Group("Menu", shortcut("paste_any", "Open what is on the clipboard", "Ctrl V", (pygame.K_v, CTRL)))
DRAWING = Group(
    "Drawing",
    shortcut("tool_brush", "Paint", "B", pygame.K_b),
    shortcut("tool_line", "Line", "L", pygame.K_l),
    shortcut("tool_rectangle", "Rectangle", "R", pygame.K_r),
    shortcut("tool_fill", "Fill", "F", pygame.K_f),
    shortcut("tool_pick", "Pick a tile", "P", pygame.K_p),
    shortcut("draw", "Use the tool at the cursor", "Space", pygame.K_SPACE),
    *four("draw", "Paint while moving", "Shift ↑→↓←", SHIFT, ARROWS),
    shortcut("erase", "Erase at the cursor", "Del", pygame.K_DELETE),
    shortcut("mirror", "Mirror left and right", "X", pygame.K_x),
    shortcut("mirror_upright", "Mirror top and bottom", "Shift X", (pygame.K_x, SHIFT)),
    shortcut("rotate", "Rotate by a quarter turn", "Q", pygame.K_q),
    shortcut("rotate_back", "Rotate back", "Shift Q", (pygame.K_q, SHIFT)),
    *four("shift", "Shift everything", "Ctrl ↑→↓←", CTRL, ARROWS),
    shortcut("crop", "Crop", "C", pygame.K_c),
    shortcut("resize", "Size of the map", "G", pygame.K_g),
    shortcut("closer", "Closer", "", pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS, repeats=True),
    shortcut("further", "Further", "", pygame.K_MINUS, pygame.K_KP_MINUS, repeats=True),
)
LEVEL = Group(
    "Level",
    shortcut("rules", "Rules of the level", "O", pygame.K_o),
    shortcut("new_map", "New map", "N", pygame.K_n),
    shortcut("try", "Try it", "T", pygame.K_t),
    shortcut("solvable", "Is it solvable?", "H", pygame.K_h),
    shortcut("watch", "Watch the solution", "V", pygame.K_v),
    shortcut("train_map", "Train on this map", "Shift T", (pygame.K_t, SHIFT)),
    shortcut("save", "Save", "Ctrl S", (pygame.K_s, CTRL)),
    shortcut("save_as", "Title, author, pack", "I", pygame.K_i),
    shortcut("packs", "My packs", "K", pygame.K_k),
    shortcut("open_file", "Import a file", "Ctrl O", (pygame.K_o, CTRL)),
    shortcut("export", "Export", "Ctrl E", (pygame.K_e, CTRL)),
    shortcut("copy", "Copy as XSB", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("copy_array", "Copy the array", "Ctrl Shift C", (pygame.K_c, CTRL | SHIFT)),
    shortcut("paste", "Paste a level", "Ctrl V", (pygame.K_v, CTRL)),
)
REPLAY = Group(
    "Replay",
    shortcut("play", "Play or pause", "Space", pygame.K_SPACE),
    shortcut("forth", "Next move", "→  .", pygame.K_RIGHT, pygame.K_PERIOD, repeats=True),
    shortcut("back_one", "Previous move", "←  ,", pygame.K_LEFT, pygame.K_COMMA, repeats=True),
    shortcut("page_forth", "Ten moves forward", "PgDn", pygame.K_PAGEDOWN, repeats=True),
    shortcut("page_back", "Ten moves back", "PgUp", pygame.K_PAGEUP, repeats=True),
    shortcut("to_start", "To the start", "Home", pygame.K_HOME),
    shortcut("to_end", "To the end", "End", pygame.K_END),
    shortcut("quicker", "Faster", "+", pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS),
    shortcut("calmer", "Slower", "-", pygame.K_MINUS, pygame.K_KP_MINUS),
    shortcut("point", "Point at the next move", "V", pygame.K_v),
    shortcut("go_on", "Continue from here as a game", "G", pygame.K_g),
    shortcut("compare", "A second game beside it", "C", pygame.K_c),
    shortcut("export_replay", "Export", "E", pygame.K_e, (pygame.K_e, CTRL)),
)
LIBRARY = Group(
    "Library",
    shortcut("rename", "Rename", "F2", pygame.K_F2),
    shortcut("export_game", "Export", "E", pygame.K_e, (pygame.K_e, CTRL)),
    shortcut("delete", "Delete", "Del", pygame.K_DELETE),
    shortcut("take_back", "Undo deleting", "Z  U", pygame.K_z, pygame.K_u, (pygame.K_z, CTRL)),
)
MODELS = Group(
    "Models",
    shortcut("test_model", "Test now, or stop the test", "T", pygame.K_t),
    shortcut("import_model", "Import a model", "Ctrl O", (pygame.K_o, CTRL)),
    shortcut("train_model", "Train a model", "N", pygame.K_n),
)
TRAINING = Group(
    "Training",
    shortcut("lab_run", "Start, pause or go on", "Space", pygame.K_SPACE),
    shortcut("lab_stop", "Save and stop", "X", pygame.K_x),
    shortcut("lab_try", "Let the model play", "T", pygame.K_t),
    shortcut("lab_new", "Another training", "N", pygame.K_n),
    shortcut("lab_models", "All models", "K", pygame.K_k),
    shortcut("lab_copy", "Copy the command line", "Ctrl C", (pygame.K_c, CTRL)),
)
PANEL = Group(
    "Panel",
    shortcut("agents", "All agents", "F3", pygame.K_F3),
    shortcut("page", "Play or Lab", "F4", pygame.K_F4),
)
