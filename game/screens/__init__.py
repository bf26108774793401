"""The screens of the window: menu, games, editor, replays, models, lab, settings; one scene per file or folder."""
