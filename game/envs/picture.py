"""Pictures for the environments, with the app's own boards. pygame is imported when the first one is drawn."""

import os
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

SIDE = 480
"""Pixels of a picture, both ways."""
_MARGIN = 16


def check_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise ValueError where there is no such render mode."""
    if mode is not None and mode not in modes:
        raise ValueError(f"There is no render mode {mode!r} here (there are: {', '.join(modes)}).")


def nothing_to_draw(mode: str | None) -> bool:
    """Whether `render` has no mode to draw in; it is said."""
    if mode is None:
        gymnasium.logger.warn("render() does nothing without a render_mode: name one when you make the environment")
    return mode is None


class Picture:
    """One board, drawn into a picture or shown in a window of its own."""

    def __init__(self, game: str) -> None:
        """Imports pygame and the app's drawing; `game` is the id of one of `GAMES`."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame

        from game.envs.window import Window
        from game.ui.theme import Theme
        from game.views.view import view_of

        pygame.font.init()
        self._pygame = pygame
        self._theme = Theme()
        self._board = view_of(game).board(self._theme, animated=False)
        self._canvas = pygame.Surface((SIDE, SIDE))
        self._board.layout(self._canvas.get_rect().inflate(-2 * _MARGIN, -2 * _MARGIN))
        self._window = Window()

    def pixels(self, state: Any) -> npt.NDArray[np.uint8]:
        """The board as uint8 (480, 480, 3): rows, columns, red, green and blue."""
        self._draw(state)
        return np.ascontiguousarray(self._pygame.surfarray.array3d(self._canvas).transpose(1, 0, 2))

    def show(self, state: Any, caption: str, fps: int) -> None:
        """The board in the window under `caption`, opened when first called; no more than `fps` boards a second.

        Raises:
            pygame.error: when there is no screen.
        """
        self._draw(state)
        self._window.show(self._canvas, caption, fps)

    def close(self) -> None:
        """Close the window."""
        self._window.close()

    def _draw(self, state: Any) -> None:
        self._board.show(state)
        self._canvas.fill(self._theme.ground)
        self._board.draw(self._canvas)
