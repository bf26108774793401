"""What connect-4 takes from the clipboard: a game, with its board or in digits on the classic one."""

from game.rules import connect4_text
from game.rules.connect4 import Shape

COMMANDS = ("paste_game",)


def reads(text: str) -> bool:
    """Whether it is a game."""
    try:
        connect4_text.read_game(text, Shape(*connect4_text.CLASSIC))
    except ValueError:
        return False
    return True
