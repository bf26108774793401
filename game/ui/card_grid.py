"""A scrolling grid of equal cards: where each card is, which one is under the pointer, wheel, bar and arrows.

Only places are kept here; the screen draws the cards that are in view, so that thousands cost no more than a few.
"""

import pygame

from game.ui import shapes
from game.ui.theme import Theme, blend

GAP = 14
WHEEL = 90
"""Units that one notch of the wheel scrolls."""
GLIDE = 14.0
"""How quickly the grid glides to where it was scrolled, per second."""


class CardGrid:
    """Call `layout` after every change of size or count, `update` every frame."""

    def __init__(self) -> None:
        """Nothing laid out yet."""
        self.view = pygame.Rect(0, 0, 1, 1)
        self.count = 0
        self.at = 0
        """The card with the keyboard's cursor."""
        self.hover: int | None = None
        self.columns = 1
        self.animated = True
        self._scroll = 0.0
        self._target = 0.0
        self._theme = Theme()
        self._size = (1, 1)
        self._bar: pygame.Rect | None = None
        self._grabbed: int | None = None

    def layout(self, theme: Theme, view: pygame.Rect, count: int, wide: int, high: int, animated: bool) -> None:
        """`count` cards at least `wide` and exactly `high` units large, in as many columns as fit into `view`."""
        self._theme, self.view, self.count, self.animated = theme, pygame.Rect(view), count, animated
        gap = theme.px(GAP)
        room = view.width - theme.px(14)
        self.columns = max(1, (room + gap) // (theme.px(wide) + gap))
        self._size = ((room + gap) // self.columns - gap, theme.px(high))
        self.hover = None
        self.set_count(count)

    def set_count(self, count: int) -> None:
        """There are more or fewer cards now."""
        self.count = count
        self.at = min(max(0, self.at), max(0, count - 1))
        self._target = min(max(0.0, self._target), float(self.most))
        self._scroll = min(self._scroll, float(self.most))

    @property
    def line(self) -> int:
        """Height of a row of cards with its gap, in pixels."""
        return self._size[1] + self._theme.px(GAP)

    @property
    def most(self) -> int:
        """How far the grid can be scrolled, in pixels."""
        rows = -(-self.count // self.columns)
        return max(0, rows * self.line + self._theme.px(4) - self.view.height)

    @property
    def moving(self) -> bool:
        """Whether it is on its way, or held by its bar."""
        return self._scroll != self._target or self._grabbed is not None

    def card(self, number: int) -> pygame.Rect:
        """Where a card is on the screen now."""
        row, column = divmod(number, self.columns)
        left = self.view.left + column * (self._size[0] + self._theme.px(GAP))
        top = self.view.top + self._theme.px(4) + row * self.line - round(self._scroll)
        return pygame.Rect((left, top), self._size)

    def card_at(self, position: tuple[int, int]) -> int | None:
        """The card under a point."""
        if not self.view.collidepoint(position):
            return None
        down = position[1] - self.view.top - self._theme.px(4) + round(self._scroll)
        column = (position[0] - self.view.left) // (self._size[0] + self._theme.px(GAP))
        number = down // self.line * self.columns + column
        inside = 0 <= column < self.columns and 0 <= number < self.count
        return number if inside and self.card(number).collidepoint(position) else None

    def visible(self) -> range:
        """The cards in view."""
        first = max(0, int(self._scroll) // self.line) * self.columns
        last = (int(self._scroll + self.view.height) // self.line + 1) * self.columns
        return range(min(first, self.count), min(self.count, last))

    def show(self, number: int, at_once: bool = False) -> None:
        """Move the cursor to a card and scroll it into view."""
        self.at = min(max(0, number), max(0, self.count - 1))
        top = self.at // self.columns * self.line
        if at_once:
            self._target = top - (self.view.height - self.line) / 2
        else:
            self._target = min(self._target, float(top))
            self._target = max(self._target, float(top + self.line + self._theme.px(8) - self.view.height))
        self._scroll_to(self._target, at_once)

    def _scroll_to(self, pixels: float, at_once: bool = False) -> None:
        self._target = min(max(0.0, pixels), float(self.most))
        if at_once or not self.animated:
            self._scroll = self._target

    def command(self, command: str) -> bool:
        """Arrows, Home, End and the page keys move the cursor; True when used."""
        page = max(1, self.view.height // self.line) * self.columns
        steps = {"left": -1, "right": 1, "up": -self.columns, "down": self.columns, "previous": -page, "next": page}
        if command in steps:
            to = self.at + steps[command]
            self.show(self.at if command == "up" and to < 0 else to)
        elif command in ("first", "last"):
            self.show(0 if command == "first" else self.count)
        else:
            return False
        return True

    def handle(self, event: pygame.event.Event) -> bool:
        """The wheel, the bar on the right, and the card under the pointer; clicks on cards are the screen's."""
        if event.type == pygame.MOUSEMOTION:
            if self._grabbed is not None:
                self._drag(event.pos[1])
                return True
            self.hover = self.card_at(event.pos)
        elif event.type == pygame.MOUSEWHEEL:
            self._scroll_to(self._target - getattr(event, "precise_y", event.y) * self._theme.px(WHEEL))
            return True
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._bar is not None:
            if self.view.collidepoint(event.pos) and event.pos[0] >= self._bar.left - self._theme.px(4):
                inside = self._bar.top <= event.pos[1] < self._bar.bottom
                self._grabbed = event.pos[1] - self._bar.top if inside else self._bar.height // 2
                self._drag(event.pos[1])
                return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._grabbed is not None:
            self._grabbed = None
            return True
        return False

    def _drag(self, y: int) -> None:
        if self._bar is not None and self._grabbed is not None:
            way = max(1, self.view.height - self._bar.height)
            share = (y - self._grabbed - self.view.top) / way
            self._scroll_to(min(1.0, max(0.0, share)) * self.most, at_once=True)

    def update(self, dt: float) -> None:
        """Glide."""
        self._scroll += (self._target - self._scroll) * min(1.0, GLIDE * dt)
        if abs(self._target - self._scroll) < 0.5:
            self._scroll = self._target

    def draw_bar(self, surface: pygame.Surface) -> None:
        """The bar on the right, where there is more than fits."""
        self._bar = None
        if not self.most:
            return
        theme, track = self._theme, self.view.height
        high = max(theme.px(28), round(track * track / (track + self.most)))
        top = self.view.top + round((track - high) * self._scroll / self.most)
        self._bar = pygame.Rect(self.view.right - theme.px(6), top, theme.px(6), high)
        ink = blend(theme.line, theme.text, 0.35 if self._grabbed is not None else 0.1)
        surface.blit(shapes.rounded(self._bar.size, theme.px(3), ink), self._bar)
