"""Keys that only connect-4's screens hear."""

import pygame

from game.ui.shortcuts import CTRL, Group, shortcut

STONE_KEYS = Group(
    "Stones",
    shortcut("values", "Values of the columns", "I", pygame.K_i),
    shortcut("think_along", "An agent thinks along", "T", pygame.K_t),
    shortcut("tournament", "A tournament of agents", "G", pygame.K_g),
    shortcut("copy_game", "Copy the game as text", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("paste_game", "Paste a game", "Ctrl V", (pygame.K_v, CTRL)),
)
TOURNAMENT = Group(
    "Tournament",
    shortcut("tournament_run", "Start, or stop and keep", "Space", pygame.K_SPACE),
    shortcut("tournament_add", "One more agent", "N", pygame.K_n),
    shortcut("tournament_remove", "Leave this agent out", "Del", pygame.K_DELETE),
    shortcut("tournament_copy", "Copy the table", "Ctrl C", (pygame.K_c, CTRL)),
    shortcut("tournament_save", "Save all games as CSV", "Ctrl S", (pygame.K_s, CTRL)),
)
