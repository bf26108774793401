"""The moves of a game as a field of small cells: the present one marked, each a click away."""

import pygame

from game.screens.replays.positions import Positions
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Theme, blend

CELL, CELL_WIDE, LINE = 22, 36, 24
MOST_LABELS = 4000


class Moves:
    """Keeps the present move in sight."""

    def __init__(self, positions: Positions) -> None:
        """Labels are made when they come into sight."""
        self.positions = positions
        self.rect = pygame.Rect(0, 0, 1, 1)
        self.hover: int | None = None
        """The move under the pointer, from 1."""
        self._cell = (1, 1)
        self._columns = 1
        self._labels: dict[int, str] = {}
        self._first = 0
        self._followed = -1

    def layout(self, rect: pygame.Rect, theme: Theme) -> None:
        """As many columns as fit."""
        self.rect = pygame.Rect(rect)
        wide = theme.px(CELL if len(self.positions.label(0)) <= 1 else CELL_WIDE) if self.positions.length else 1
        self._columns = max(1, rect.width // wide)
        self._cell = (rect.width // self._columns, theme.px(LINE))
        self._followed = -1

    @property
    def lines(self) -> int:
        """Lines in sight."""
        return max(1, self.rect.height // self._cell[1])

    def move_at(self, position: tuple[int, int]) -> int | None:
        """The move under a point, from 1."""
        if not self.rect.collidepoint(position):
            return None
        column = (position[0] - self.rect.left) // self._cell[0]
        line = (position[1] - self.rect.top) // self._cell[1]
        move = (self._first + line) * self._columns + column + 1
        return move if column < self._columns and line < self.lines and move <= self.positions.known else None

    def handle(self, event: pygame.event.Event) -> int | None:
        """The move that a click asks for; the wheel looks at others."""
        if event.type == pygame.MOUSEMOTION:
            self.hover = self.move_at(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            return self.move_at(event.pos)
        return None

    def scroll(self, lines: int) -> None:
        """Look further down (or up) without moving the place."""
        most = -(-self.positions.length // self._columns) - self.lines
        self._first = min(max(0, self._first + lines), max(0, most))

    def draw(self, surface: pygame.Surface, theme: Theme, ply: int) -> None:
        """The lines round the present move."""
        if ply != self._followed:
            self._followed = ply
            line = max(0, ply - 1) // self._columns
            if not self._first <= line < self._first + self.lines - (self.lines > 2):
                self._first = line - self.lines // 2
            self.scroll(0)
        wide, high = self._cell
        for place in range(self.lines * self._columns):
            move = self._first * self._columns + place + 1
            if move > self.positions.length or move > self.positions.known:
                break
            left = self.rect.left + place % self._columns * wide
            top = self.rect.top + place // self._columns * high
            if move == ply or move == self.hover:
                fill = theme.thinking if move == ply else blend(theme.raised, theme.text, 0.08)
                surface.blit(shapes.rounded((wide - 2, high - 2), theme.px(5), fill), (left + 1, top + 1))
            ink = theme.thinking_ink if move == ply else theme.text if move < ply else theme.muted
            text.draw(surface, theme, self._label(move - 1), (left + wide // 2, top + high // 2), size=FONT_SMALL,
                      colour=ink, anchor="center", limit=wide - 2)  # fmt: skip

    def _label(self, ply: int) -> str:
        if ply not in self._labels:
            if len(self._labels) >= MOST_LABELS:
                self._labels.clear()
            self._labels[ply] = self.positions.label(ply)
        return self._labels[ply]
