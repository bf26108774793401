"""One scene per file or folder: the menu, the three games, settings."""
