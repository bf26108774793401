"""The level editor, and the user's own packs."""
