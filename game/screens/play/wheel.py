"""What the wheel does over a board where it can take moves back."""

import pygame

from game.saves.settings import Settings

GESTURE = ("Ctrl and wheel", "Undo and redo")


def undoes(settings: Settings) -> bool:
    """Whether a turn of the wheel is meant: with Ctrl, or always where that is set."""
    return settings.wheel_undoes or bool(pygame.key.get_mods() & pygame.KMOD_CTRL)
