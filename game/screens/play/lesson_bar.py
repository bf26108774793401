"""The bar above a board while a lesson is given: how far it has come, room for a picture, and the way out of it."""

from collections.abc import Callable

import pygame

from game.play.session import Session
from game.ui import shapes, svg, text
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.theme import CONTROL_HEIGHT, Theme, blend

HEIGHT, GAP = 44, 10
DOT, APART = 10, 8
SKIP = "Skip"
DONE_SECONDS = 1.6
"""How long the bar stays after the last part is done."""


class LessonBar:
    """Made anew by `build`; takes no room while no lesson is given."""

    def __init__(self) -> None:
        """Nothing is taught yet."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.picture = pygame.Rect(0, 0, 0, 0)
        """Where the game may draw what it wants to be seen beside the board."""
        self._at: tuple[int, int] | None = None
        self.idea = ""
        """The name of the idea that the position on the board shows; '' where it shows none."""
        self.age = 0.0
        """Seconds since it has shown it."""
        self._given = False
        self._waited = 0.0

    def build(
        self, kit: Kit, rect: pygame.Rect, session: Session, again: Callable[[], object] | None = None
    ) -> pygame.Rect:
        """Take the upper part of `rect` where a lesson is given; answers what is left. `again` shows its idea once more."""
        self._at, self._waited = session.lesson_at, 0.0
        self._given = self._at is not None
        if self._at is None:
            self.rect = self.picture = pygame.Rect(0, 0, 0, 0)
            return rect
        theme = kit.theme
        high, gap = theme.px(HEIGHT), theme.px(GAP)
        self.rect = pygame.Rect(rect.left, rect.top, rect.width, high)
        side = theme.px(CONTROL_HEIGHT)
        wide = text.width(theme, SKIP) + theme.px(18) + theme.px(34)
        place = pygame.Rect(self.rect.right - wide, self.rect.top + (high - side) // 2, wide, side)
        Button(kit, place, SKIP, icon="next", on_press=session.skip_lesson, tip="Leave the lesson for the game")
        right = place.left - theme.px(8)
        if again is not None:
            right -= side
            Button(kit, pygame.Rect(right, place.top, side, side), icon="replay", on_press=again, tip="Show it again")
            right -= theme.px(8)
        left = self.rect.left + self._at[1] * theme.px(DOT + APART) + theme.px(12)
        self.picture = pygame.Rect(left, self.rect.top, max(0, right - left), high)
        return pygame.Rect(rect.left, rect.top + high + gap, rect.width, rect.height - high - gap)

    def stale(self, dt: float, session: Session) -> bool:
        """Whether the bar must come or go, `dt` seconds after it was asked last; its end stays in sight for a moment."""
        idea = session.lesson.idea_in(session.state)
        self.age = self.age + dt if idea == self.idea else 0.0
        self.idea = idea
        given = session.lesson_at is not None
        if given == self._given:
            self._at = session.lesson_at
            return False
        self._waited += dt
        return given or self._waited >= DONE_SECONDS or not session.lesson.learned

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """A dot for every part: full ones are done, the ring is under way."""
        if not self._given or self._at is None:
            return
        at, count = self._at if self._waited == 0 else (self._at[1], self._at[1])
        side, x = theme.px(DOT), self.rect.left
        for number in range(count):
            top = self.rect.centery - side // 2
            if number < at:
                surface.blit(shapes.disc(side, theme.good), (x, top))
            elif number == at:
                surface.blit(shapes.ring(side, max(2.0, side * 0.2), theme.thinking), (x, top))
            else:
                surface.blit(shapes.disc(side, blend(theme.line, theme.ground, 0.2)), (x, top))
            x += side + theme.px(APART)
        if at == count:
            glyph = theme.px(18)
            surface.blit(svg.icon("check", glyph, theme.good), (x, self.rect.centery - glyph // 2))
