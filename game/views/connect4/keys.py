"""Keys that only connect-4's screens hear."""

import pygame

from game.ui.shortcuts import CTRL, SHIFT, Group, shortcut

STONE_KEYS = Group(
    "Stones",
    shortcut("undo_stone", "Take back one stone", "Shift Z", (pygame.K_z, SHIFT), (pygame.K_u, SHIFT), repeats=True),
    shortcut("values", "Values of the columns", "I", pygame.K_i),
    shortcut("think_along", "An agent comments", "T", pygame.K_t),
    shortcut("tournament", "Tournament of agents", "G", pygame.K_g),
    shortcut("copy_game", "Copy the game as text", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("paste_game", "Paste a game", "Ctrl V", (pygame.K_v, CTRL)),
)
TOURNAMENT = Group(
    "Tournament",
    shortcut("tournament_run", "Start, or stop and keep the games", "Space", pygame.K_SPACE),
    shortcut("tournament_list", "Earlier tournaments", "L", pygame.K_l),
    shortcut("tournament_add", "Add an agent", "N", pygame.K_n),
    shortcut("tournament_remove", "Remove this agent", "Del", pygame.K_DELETE),
    shortcut("tournament_copy", "Copy the table", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("tournament_save", "Save all games as CSV", "Ctrl S", (pygame.K_s, CTRL)),
)
