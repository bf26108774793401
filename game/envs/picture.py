"""Pictures of 2048 for its environments, with the app's own board. pygame is imported when the first one is drawn."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from game.rules.twenty48 import State

SIDE = 480
"""Pixels of a picture, both ways."""
_MARGIN = 16


class Picture:
    """One board, drawn into a picture or shown in a window of its own."""

    def __init__(self) -> None:
        """Imports pygame and the app's drawing."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame

        from game.screens.twenty48.board import BoardView
        from game.ui.theme import Theme

        pygame.font.init()
        self._pygame = pygame
        self._theme = Theme()
        self._view: Any = BoardView(self._theme, animated=False)
        self._canvas = pygame.Surface((SIDE, SIDE))
        self._view.layout(self._canvas.get_rect().inflate(-2 * _MARGIN, -2 * _MARGIN))
        self._window: Any = None
        self._clock: Any = pygame.time.Clock()

    def pixels(self, state: State) -> npt.NDArray[np.uint8]:
        """The board as uint8 (480, 480, 3): rows, columns, red, green and blue."""
        self._draw(state)
        return np.ascontiguousarray(self._pygame.surfarray.array3d(self._canvas).transpose(1, 0, 2))

    def show(self, state: State, fps: int) -> None:
        """The board in the window, opened when this is first called; no more than `fps` boards a second.

        Raises:
            pygame.error: when there is no screen.
        """
        if self._window is None:
            self._pygame.display.init()
            self._window = self._pygame.display.set_mode((SIDE, SIDE))
        self._draw(state)
        self._window.blit(self._canvas, (0, 0))
        self._pygame.display.set_caption(f"2048: {state.score:,} points")
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(fps)

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._pygame.display.quit()
            self._window = None

    def _draw(self, state: State) -> None:
        self._view.show(state)
        self._canvas.fill(self._theme.ground)
        self._view.draw(self._canvas)
