"""A window of its own for an environment that a person watches. pygame is imported by whoever draws."""

from typing import Any


class Window:
    """Opened when something is shown first."""

    def __init__(self) -> None:
        import pygame

        self._pygame = pygame
        self._window: Any = None
        self._clock: Any = pygame.time.Clock()

    def show(self, picture: Any, caption: str, fps: int) -> None:
        """A surface in the window under `caption`; no more than `fps` pictures a second.

        Raises:
            pygame.error: when there is no screen.
        """
        if self._window is None:
            self._pygame.display.init()
        if self._window is None or self._window.get_size() != picture.get_size():
            self._window = self._pygame.display.set_mode(picture.get_size())
        self._window.blit(picture, (0, 0))
        self._pygame.display.set_caption(caption)
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(fps)

    def close(self) -> None:
        """Close it, if it is open."""
        if self._window is not None:
            self._pygame.display.quit()
            self._window = None
