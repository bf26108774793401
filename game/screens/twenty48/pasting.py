"""What 2048 takes from the clipboard: a board, which opens where boards are arranged."""

from game.rules.twenty48 import GAME

COMMANDS = ("arrange", "arrange_paste")


def reads(text: str) -> bool:
    """Whether it is a board."""
    try:
        GAME.position(text.strip(), {})
    except ValueError:
        return False
    return True
