"""Pictures for the environments, with the app's own boards. pygame is imported when the first one is drawn."""

import os
from collections.abc import Callable, Sequence
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
    """A position as a render mode shows it: a picture of the app's own board, a window of its own, or text."""

    def __init__(self, game: str, mode: str | None, modes: Sequence[str], fps: int) -> None:
        """Of one of `GAMES`; no more than `fps` boards a second in the window. Raises ValueError where there is no such mode."""
        check_mode(mode, modes)
        self._game, self._mode, self._fps = game, mode, fps
        self._drawing: _Drawing | None = None

    def render(self, state: Any, text: Callable[[], str], caption: str) -> npt.NDArray[np.uint8] | str | None:
        """The board as uint8 (480, 480, 3), as `text` says it, or None where a window shows it."""
        if nothing_to_draw(self._mode):
            return None
        if self._mode == "ansi":
            return text()
        if self._mode == "rgb_array":
            return self.pixels(state)
        self.follow(state, caption)
        return None

    def follow(self, state: Any, caption: str) -> None:
        """Another position, for the window under `caption` where there is one; raises pygame.error without a screen."""
        if self._mode == "human":
            self._drawn().show(state, caption, self._fps)

    def pixels(self, state: Any) -> npt.NDArray[np.uint8]:
        """The board as uint8 (480, 480, 3): rows, columns, red, green and blue."""
        return self._drawn().pixels(state)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._drawing is not None:
            self._drawing.window.close()
            self._drawing = None

    def _drawn(self) -> "_Drawing":
        if self._drawing is None:
            self._drawing = _Drawing(self._game)
        return self._drawing


class _Drawing:
    """The board and its canvas, once they are needed."""

    def __init__(self, game: str) -> None:
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
        self.window = Window()

    def pixels(self, state: Any) -> npt.NDArray[np.uint8]:
        self._draw(state)
        return np.ascontiguousarray(self._pygame.surfarray.array3d(self._canvas).transpose(1, 0, 2))

    def show(self, state: Any, caption: str, fps: int) -> None:
        self._draw(state)
        self.window.show(self._canvas, caption, fps)

    def _draw(self, state: Any) -> None:
        self._board.show(state)
        self._canvas.fill(self._theme.ground)
        self._board.draw(self._canvas)
