"""The dialog after a person solved a level: moves, pushes, what is new about them, and where to go from here."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.play.sokoban import results
from game.play.sokoban.session import LevelSession
from game.ui import shapes, svg, text
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.ui.theme import FONT_SMALL, RADIUS_CONTROL
from game.views.sokoban.accent import ACCENT

INSIDE = 92
NUMBER = 24


class WinDialog(Dialog):
    """'You win!', with the numbers large."""

    def __init__(self, window: Host, session: LevelSession, watch: Callable[[], None]) -> None:
        """`watch` shows the game in the theatre."""
        answers = (
            Answer(session.onward, lambda: session.change_level(1), "primary", "next"),
            Answer("Play again", session.restart, icon="restart"),
            Answer("Watch it", watch, icon="replay"),
            Answer("Look at the board"),
        )
        super().__init__(window, "You win!", "", answers, 640, INSIDE)
        self.accent = ACCENT.on(window.theme)
        self.best = session.news
        by_moves, by_pushes = session.best.by_moves, session.best.by_pushes
        self.numbers = (
            ("Moves", f"{len(session.solution()):,}"),
            ("Pushes", f"{session.pushes:,}"),
            ("Best known", f"{by_moves.moves:,}/{by_pushes.pushes:,}" if by_moves and by_pushes else results.NONE),
        )
        self.place = pygame.Rect(0, 0, 0, 0)

    @override
    def build_inside(self, rect: pygame.Rect) -> None:
        """Room for the numbers."""
        self.place = rect

    @override
    def draw_inside(self, surface: pygame.Surface) -> None:
        """Three numbers side by side, and a line about the best."""
        theme, place = self.theme, self.place
        glyph = theme.px(26)
        surface.blit(
            svg.icon("trophy", glyph, self.accent),
            (self.card.right - theme.px(24) - glyph, self.card.top + theme.px(18)),
        )
        gap = theme.px(10)
        wide = (place.width - 2 * gap) // 3
        for at, (name, number) in enumerate(self.numbers):
            box = pygame.Rect(place.left + at * (wide + gap), place.top - theme.px(2), wide, theme.px(58))
            surface.blit(shapes.rounded(box.size, theme.px(RADIUS_CONTROL), theme.raised), box)
            left = box.left + theme.px(12)
            text.draw(surface, theme, name, (left, box.top + theme.px(15)), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft")  # fmt: skip
            text.draw(surface, theme, number, (left, box.top + theme.px(39)), size=NUMBER, weight="bold",
                      anchor="midleft", limit=wide - theme.px(20))  # fmt: skip
        if self.best:
            ink = theme.good if self.best.endswith("!") else theme.muted
            text.draw(surface, theme, self.best, (place.left, place.top + theme.px(74)), colour=ink, anchor="midleft",
                      limit=place.width)  # fmt: skip
