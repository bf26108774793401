"""Keys that only 2048's screens hear."""

import pygame

from game.ui.shortcuts import CTRL, SHIFT, Group, shortcut

TILES = Group(
    "Tiles",
    shortcut("why", "Why this move?", "V", pygame.K_v),
    shortcut("arrange", "Arrange the board", "E", pygame.K_e),
    shortcut("duel", "Two agents side by side", "C", pygame.K_c),
    shortcut("series", "Many games of one agent", "G", pygame.K_g),
    shortcut("undo_step", "Undo a single slide", "Shift Z", (pygame.K_z, SHIFT), (pygame.K_u, SHIFT), repeats=True),
    shortcut("redo_step", "Redo a single slide", "Shift Y", (pygame.K_y, SHIFT), repeats=True),
)
SERIES = Group(
    "Many games",
    shortcut("series_run", "Start, or stop and keep", "Space", pygame.K_SPACE),
    shortcut("series_copy", "Copy the table", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("series_save", "Save the table as CSV", "Ctrl S", (pygame.K_s, CTRL)),
)
ARRANGING = Group(
    "Arranging",
    shortcut("arrange_done", "Continue from here", "Enter", pygame.K_RETURN, pygame.K_KP_ENTER),
    shortcut("arrange_raise", "Larger tile", "+", pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS, repeats=True),
    shortcut("arrange_lower", "Smaller tile", "-", pygame.K_MINUS, pygame.K_KP_MINUS, repeats=True),
    shortcut("arrange_erase", "No tile", "Del", pygame.K_DELETE, pygame.K_BACKSPACE),
    shortcut("arrange_clear", "Clear the board", "X", pygame.K_x),
    shortcut("arrange_larger", "Larger board", "PgUp", pygame.K_PAGEUP),
    shortcut("arrange_smaller", "Smaller board", "PgDn", pygame.K_PAGEDOWN),
    shortcut("arrange_undo", "Undo", "Z  U", pygame.K_z, pygame.K_u, (pygame.K_z, CTRL), repeats=True),
    shortcut("arrange_redo", "Redo", "Y", pygame.K_y, (pygame.K_y, CTRL), repeats=True),
    shortcut("arrange_copy", "Copy the board as text", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("arrange_paste", "Paste a board", "Ctrl V", (pygame.K_v, CTRL)),
)
