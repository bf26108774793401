"""What Sokoban takes from the clipboard: levels in any form, and moves for the level that is open."""

from game.rules import levels
from game.rules.levels import LevelError
from game.saves import level_forms
from game.screens.sokoban.exchange import SOURCE

COMMANDS = ("level_paste",)


def reads(text: str) -> bool:
    """Whether there are moves in it, or a level or a drawing that is to become one."""
    if levels.is_lurd(text):
        return True
    try:
        return bool(level_forms.documents(text, SOURCE))
    except LevelError:
        return False
