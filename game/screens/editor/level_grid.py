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
from game.ui.kit import CLICK, Control, Kit
from game.ui.lines import DOUBLE_SECONDS
from game.ui.theme import FONT_SMALL, RADIUS_CARD, Theme
from game.views.sokoban.accent import ACCENT
from game.views.sokoban.board import thumbnail

CARD, CARD_HEIGHT, GAP = 160, 148, 12
PICTURE = 104
WHEEL = 90
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
        self.levels, self.at = tuple(levels), min(max(0, at), max(0, len(levels) - 1))
        self.on_choose, self.on_open, self.on_move, self.on_delete = on_choose, on_open, on_move, on_delete
        px = kit.theme.px
        self.columns = max(1, (rect.width + px(GAP)) // (px(CARD) + px(GAP)))
        self.card_size = ((rect.width - px(10) + px(GAP)) // self.columns - px(GAP), px(CARD_HEIGHT))
        self.scroll = 0
        """Pixels from the top."""
        self.unfinished = False
        """Whether thumbnails are still missing."""
        self._clicked: tuple[int, int] = (-1, 0)
        self._theme_px = px
        self._place = rect
        self._bring_into_view()
        super().__init__(kit, rect)

    def _card(self, number: int) -> pygame.Rect:
        """Where a card is, from the grid's own corner."""
        row, column = divmod(number, self.columns)
        gap = self._theme_px(GAP)
        place = (column * (self.card_size[0] + gap), row * (self.card_size[1] + gap) - self.scroll)
        return pygame.Rect(place, self.card_size)

    def _in_view(self) -> range:
        """The cards in view."""
        line = self.card_size[1] + self._theme_px(GAP)
        first = max(0, self.scroll // line) * self.columns
        last = ((self.scroll + self._place.height) // line + 1) * self.columns
        return range(min(first, len(self.levels)), min(len(self.levels), last))

    def _bring_into_view(self) -> None:
        line = self.card_size[1] + self._theme_px(GAP)
        top = self.at // self.columns * line
        self.scroll = max(min(self.scroll, top), top + line - self._place.height)
        self._clamp()

    def _clamp(self) -> None:
        rows = -(-len(self.levels) // self.columns)
        whole = rows * (self.card_size[1] + self._theme_px(GAP)) - self._theme_px(GAP)
        self.scroll = max(0, min(self.scroll, whole - self._place.height))

    def choose(self, at: int) -> None:
        """Make a level the current one."""
        if self.levels:
            self.at = min(max(0, at), len(self.levels) - 1)
            self._bring_into_view()
            self.repaint()
            self.on_choose(self.at)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """At the ends arrows go on to other controls."""
        if event.key in STEPS and self.levels:
            across, down = STEPS[event.key]
            to = self.at + across + down * self.columns
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
            self.scroll -= event.y * self.theme.px(WHEEL)
            self._clamp()
            self.repaint()
            return True
        return super().process_event(event)

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """The card under the pointer; twice opens it."""
        self.kit.focus(self)
        local = (position[0] - self.rect.left, position[1] - self.rect.top)
        number = next((at for at in self._in_view() if self._card(at).collidepoint(local)), None)
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

    def _paint_bar(self, surface: pygame.Surface) -> None:
        """Where the cards in view are in a long pack."""
        theme, high = self.theme, surface.get_height()
        rows = -(-len(self.levels) // self.columns)
        whole = rows * (self.card_size[1] + theme.px(GAP)) - theme.px(GAP)
        if whole > high:
            bar = max(theme.px(24), high * high // whole)
            top = (high - bar) * self.scroll // (whole - high)
            surface.blit(
                shapes.rounded((theme.px(6), bar), theme.px(3), theme.line), (surface.get_width() - theme.px(6), top)
            )

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
        self._paint_bar(surface)
        for number in self._in_view():
            level, rect = self.levels[number], self._card(number)
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
