"""Where things stand: top bar, board, panel, status bar, for any window size and scale."""

from dataclasses import dataclass

import pygame

from game.ui.theme import GUTTER, PANEL, PANEL_NARROW, STATUS_BAR, TOP_BAR, Theme

FOLD_BELOW = 1024
"""Width in units below which the panel folds to icons."""
WIDE_FROM = 1160
RAIL = 56


@dataclass(frozen=True, slots=True)
class Layout:
    """Rectangles in pixels. `panel` is the card column, or the rail of icons when `folded`."""

    window: pygame.Rect
    top: pygame.Rect
    body: pygame.Rect
    board: pygame.Rect
    panel: pygame.Rect
    status: pygame.Rect
    folded: bool

    def beside(self, theme: Theme, wide: int) -> tuple[pygame.Rect, pygame.Rect]:
        """Board and panel of a screen without a rail: where the panel is folded, a column of so many units takes its place."""
        left, right = self.board.copy(), self.panel.copy()
        if self.folded:
            right.width = min(theme.px(wide), (right.right - left.left) // 2)
            right.right = self.panel.right
            left.width = right.left - theme.px(GUTTER) - left.left
        return left, right


def layout(size: tuple[int, int], theme: Theme, panel: bool = True) -> Layout:
    """The parts of a window of `size` pixels; without `panel` the board takes the whole body."""
    window = pygame.Rect((0, 0), size)
    top = pygame.Rect(0, 0, window.width, theme.px(TOP_BAR))
    status = pygame.Rect(0, 0, window.width, theme.px(STATUS_BAR))
    status.bottom = window.bottom
    body = pygame.Rect(0, top.bottom, window.width, max(1, status.top - top.bottom))
    gutter = theme.px(GUTTER)
    inner = body.inflate(-2 * gutter, -2 * gutter)
    units = window.width / theme.scale
    folded = units < FOLD_BELOW
    wide = theme.px(RAIL if folded else PANEL if units >= WIDE_FROM else PANEL_NARROW) if panel else 0
    column = pygame.Rect(inner.right - wide, inner.top, wide, inner.height)
    board = inner.copy()
    if panel:
        board.width = max(1, column.left - gutter - inner.left)
    return Layout(window, top, body, board, column, status, folded)
