"""Text on the system's clipboard."""

import pygame

MOST = 2_000_000
"""Characters that are taken from the clipboard at most."""


def read() -> str:
    """The text on the clipboard; empty where there is none."""
    try:
        return pygame.scrap.get_text()[:MOST]
    except (pygame.error, UnicodeDecodeError):
        return ""


def write(text: str) -> None:
    """Put a text on the clipboard; raises ValueError with the reason where that is not possible."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error as error:
        raise ValueError(f"the clipboard cannot be used ({error})") from None
