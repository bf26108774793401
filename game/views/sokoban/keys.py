"""Keys that only Sokoban's screens hear."""

import pygame

from game.ui.shortcuts import ARROWS, CTRL, LETTERS, SHIFT, Group, four, shortcut

PUZZLES = Group(
    "Puzzles",
    shortcut("level_paste", "Paste levels or moves", "Ctrl V", (pygame.K_v, CTRL)),
    shortcut("level_copy", "Copy level (and solution)", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("level_copy_moves", "Copy the moves up to here", "Ctrl Shift C", (pygame.K_c, CTRL | SHIFT)),
    shortcut("level_open", "Open a file of levels", "Ctrl O", (pygame.K_o, CTRL)),
    shortcut("train_level", "Train an agent on this level", "T", pygame.K_t),
    shortcut("best", "Watch the best solution", "V", pygame.K_v),
    shortcut("dead_squares", "Dead squares on or off", "X", pygame.K_x),
    shortcut("backwards", "Play the level backwards", "B", pygame.K_b),
    shortcut("undo_step", "Undo a single step", "Shift Z", (pygame.K_z, SHIFT), (pygame.K_u, SHIFT), repeats=True),
    shortcut("redo_step", "Redo a single step", "Shift Y", (pygame.K_y, SHIFT), repeats=True),
)
ROOMS = Group(
    "Rooms",
    shortcut("make_room", "Make a room", "G", pygame.K_g),
)
PULLING = Group(
    "Pulling",
    *four("pull", "Pull a box along", "Shift ↑→↓←", SHIFT, ARROWS, LETTERS, pad_with=pygame.CONTROLLER_BUTTON_A),
    shortcut("grab", "Pull with every step", "F", pygame.K_f),
)
PAIR = Group(
    "Second player",
    shortcut("second_up", "Up", "W", pygame.K_w, repeats=True),
    shortcut("second_right", "Right", "D", pygame.K_d, repeats=True),
    shortcut("second_down", "Down", "S", pygame.K_s, repeats=True),
    shortcut("second_left", "Left", "A", pygame.K_a, repeats=True),
    *four("second_pull", "Pull (Shift and W, A, S, D)", "Shift W", SHIFT, LETTERS),
    shortcut("swap", "Swap the players' keys", "C", pygame.K_c),
)
BACKWARDS = Group(
    "Backwards",
    shortcut("place", "Begin at another place", "C", pygame.K_c),
)
