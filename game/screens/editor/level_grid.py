"""The levels of one own pack, or the unfinished drawings, as cards with thumbnails: to choose, reorder and delete."""

import time
from collections.abc import Callable, Sequence

import pygame
from typing_extensions import override

from game.play.sokoban.results import name_of
from game.rules.editing.history import Document
from game.rules.levels import Level
from game.screens.editor.canvas import drawing_thumbnail
from game.ui import shapes, text
from game.ui.card_grid import CardGrid
from game.ui.kit import CLICK, Control, Kit
from game.ui.lines import DOUBLE_SECONDS
from game.ui.theme import FONT_SMALL, RADIUS_CARD, Theme
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.board import thumbnail

CARD, CARD_HEIGHT = 160, 148
PICTURE = 104
PICTURE_SECONDS = 0.006
UNFINISHED = "unfinished"
STEPS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1)}


class LevelGrid(Control):
    """Arrows choose, Enter opens, Ctrl with the arrows moves, Delete deletes."""

    radius = RADIUS_CARD

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        levels: Sequence[Level | Document],
        at: int,
        *,
        on_choose: Callable[[int], None],
        on_open: Callable[[int], None],
        on_move: Callable[[int], None],
        on_delete: Callable[[], None],
    ) -> None:
        """`at` is the chosen level; `on_move` gets the place where it is to go."""
        self.levels = tuple(levels)
        self.on_choose, self.on_open, self.on_move, self.on_delete = on_choose, on_open, on_move, on_delete
        self.grid = CardGrid()
        """In the control's own coordinates."""
        self.grid.layout(kit.theme, pygame.Rect((0, 0), rect.size), len(levels), CARD, CARD_HEIGHT, animated=False)
        self.grid.show(at)
        self.unfinished = False
        """Whether thumbnails are still missing."""
        self._clicked: tuple[int, int] = (-1, 0)
        super().__init__(kit, rect)

    @property
    def at(self) -> int:
        """The chosen level."""
        return self.grid.at

    def choose(self, at: int) -> None:
        """Make a level the current one."""
        if self.levels:
            self.grid.show(at)
            self.repaint()
            self.on_choose(self.at)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """At the ends arrows go on to other controls."""
        if event.key in STEPS and self.levels:
            across, down = STEPS[event.key]
            to = self.at + across + down * self.grid.columns
            if event.mod & pygame.KMOD_CTRL:
                self.on_move(to)
                return True
            if 0 <= to < len(self.levels):
                self.choose(to)
                return True
            return False
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.levels:
            self.on_open(self.at)
        elif event.key == pygame.K_DELETE and self.levels:
            self.on_delete()
        else:
            return False
        return True

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """The wheel scrolls."""
        if event.type == pygame.MOUSEWHEEL and self.hovered:
            self.grid.handle(event)
            self.repaint()
            return True
        return super().process_event(event)

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """The card under the pointer; twice opens it."""
        self.kit.focus(self)
        number = self.grid.card_at((position[0] - self.rect.left, position[1] - self.rect.top))
        if number is None:
            return
        now = pygame.time.get_ticks()
        twice = self._clicked[0] == number and now - self._clicked[1] < DOUBLE_SECONDS * 1000
        self._clicked = (number, now)
        if twice:
            self.on_open(number)
        else:
            self.kit.sound(CLICK)
            self.choose(number)

    def _paint_mark(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        """That a drawing is no level yet."""
        theme, pad = self.theme, self.theme.px(6)
        size = (text.width(theme, UNFINISHED, FONT_SMALL) + 2 * theme.px(8), theme.px(20))
        place = pygame.Rect((card.left + pad, card.top + pad), size)
        surface.blit(shapes.rounded(size, theme.px(6), theme.bad), place)
        text.draw(
            surface, theme, UNFINISHED, place.center, size=FONT_SMALL, anchor="center", colour=theme.ink_on(theme.bad)
        )

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """The cards in view, with as many thumbnails as there is time for."""
        theme = self.theme
        until = time.perf_counter() + PICTURE_SECONDS
        self.unfinished = False
        self.grid.draw_bar(surface)
        for number in self.grid.visible():
            level, rect = self.levels[number], self.grid.card(number)
            edge, width = (ACCENT.on(theme), theme.px(2)) if number == self.at else (theme.line, 1)
            surface.blit(shapes.rounded(rect.size, theme.px(RADIUS_CARD), theme.surface, edge, width), rect)
            pad = theme.px(10)
            room = (rect.width - 2 * pad, theme.px(PICTURE) - pad)
            if time.perf_counter() < until:
                surface.blit(_picture(level, theme, room), (rect.left + pad, rect.top + pad))
            else:
                self.unfinished = True
            y = rect.top + theme.px(PICTURE) + theme.px(22)
            place = text.draw(surface, theme, str(number + 1), (rect.right - pad, y), size=FONT_SMALL, colour=theme.muted,
                              anchor="midright")  # fmt: skip
            name = name_of(level, number) if isinstance(level, Level) else level.title or "Untitled"
            if isinstance(level, Document):
                self._paint_mark(surface, rect)
            text.draw(surface, theme, name, (rect.left + pad, y), weight="bold", anchor="midleft",
                      limit=place.left - rect.left - pad - theme.px(8))  # fmt: skip


def _picture(level: Level | Document, theme: Theme, size: tuple[int, int]) -> pygame.Surface:
    if isinstance(level, Level):
        return thumbnail(level.state, theme, size)
    return drawing_thumbnail(level.drawing, theme, size)
