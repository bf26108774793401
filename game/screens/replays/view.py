"""One game of a theatre on its part of the screen: its board and a line above it."""

import pygame

from game.screens.replays.positions import Positions
from game.screens.replays.words import title_of, who_played
from game.ui import shapes, text
from game.ui.theme import FONT_SMALL, Colour, Theme

HEADING = 44
VALUES_WIDTH, GAP = 320, 10
LEAST_BOARD = 200
"""Height of a board in units from which there is room for values below it."""


class GameView:
    """Follows a place in its game; a single step forward is seen on its way."""

    def __init__(self, positions: Positions, theme: Theme, animated: bool) -> None:
        """At the first position."""
        self.positions = positions
        self.shown = 0
        self.board = positions.view.board(theme, animated)
        self.board.show(positions.state(0))
        self.rect = pygame.Rect(0, 0, 1, 1)
        self.headed = False
        self.values_place: pygame.Rect | None = None
        """Where the values of the actions stand, if they do."""

    def layout(self, rect: pygame.Rect, theme: Theme, animated: bool, headed: bool, valued: bool) -> None:
        """Take this place.

        `headed`: with a line that says which game it is; `valued`: with what the agent thinks below the board, where
        there is room for it.
        """
        self.rect, self.headed = pygame.Rect(rect), headed
        self.board.set_theme(theme, animated)
        head = theme.px(HEADING) if headed else 0
        board = pygame.Rect(rect.left, rect.top + head, rect.width, rect.height - head)
        self.values_place = None
        if valued and self.positions.weighed:
            high = self.positions.weighing(0).height(theme)
            if board.height - high - theme.px(GAP) >= theme.px(LEAST_BOARD):
                board.height -= high + theme.px(GAP)
                self.values_place = pygame.Rect(
                    0, board.bottom + theme.px(GAP), min(rect.width, theme.px(VALUES_WIDTH)), high
                )
                self.values_place.centerx = rect.centerx
        self.board.layout(board)

    def go(self, ply: int, seconds: float) -> tuple[str, float] | None:
        """Show the position after `ply` steps; a step forward may take `seconds`, and sounds as what is answered."""
        if ply == self.shown:
            return None
        positions, last = self.positions, self.positions.step_to(ply)
        sound = None
        if ply == self.shown + 1 and last is not None and seconds > 0:
            before, after = positions.state(self.shown), positions.state(ply)
            self.board.play(before, last, after, seconds)
            sound = positions.view.sound(before, last, after)
        else:
            self.board.show(positions.state(ply), last)
        self.shown = ply
        return sound

    def draw(self, surface: pygame.Surface, theme: Theme, point: bool, mark: Colour | None = None) -> None:
        """The board; with `point` the next move and its value, with `mark` the colour of its curve."""
        if self.headed:
            middle = self.rect.centerx
            limit = self.rect.width - theme.px(40)
            place = text.draw(surface, theme, title_of(self.positions.replay), (middle, self.rect.top + theme.px(10)),
                              weight="bold", anchor="center", limit=limit)  # fmt: skip
            if mark is not None:
                dot = theme.px(10)
                surface.blit(shapes.disc(dot, mark), (place.left - 2 * dot, place.centery - dot // 2))
            text.draw(surface, theme, who_played(self.positions.replay), (middle, self.rect.top + theme.px(29)),
                      size=FONT_SMALL, colour=theme.muted, anchor="center", limit=limit)  # fmt: skip
        if self.values_place is not None:
            self.positions.weighing(self.shown).draw(surface, theme, self.values_place)
        step = self.positions.step_to(self.shown + 1)
        if point and step is not None and not self.board.busy:
            values = dict(step.values) or ({step.action: step.value} if step.value is not None else None)
            self.board.draw(surface, values, step.action)
        else:
            self.board.draw(surface)
