"""The window's frame: it draws, listens and animates, and knows no game and no agent."""
