"""All curves of a training side by side, or one of them alone; what does not fit is on further pages."""

from collections.abc import Callable, Iterator

import pygame

from game.screens.lab.chart import Chart
from game.screens.lab.history import History
from game.ui.kit import Kit
from game.ui.theme import Colour

WIDE, HIGH, GAP = 190, 112, 12
"""Least size of a picture, and the room between two."""
LARGEST = 260
"""Beyond this height a further row of pictures would not make them clearer."""


class Charts:
    """Call `build` for a place, `follow` every frame."""

    def __init__(self, history: History) -> None:
        """Nothing is laid out."""
        self.history = history
        self.charts: list[Chart] = []
        self.alone: str | None = None
        """The figure that is shown alone."""
        self.page = 0
        self.pages = 1
        self._built_for: tuple[str, ...] = ()
        self._seen = -1

    @property
    def stale(self) -> bool:
        """Whether there are other figures than when they were built."""
        return tuple(self.history.drawn) != self._built_for

    def build(self, kit: Kit, rect: pygame.Rect, accent: Colour, again: Callable[[], None]) -> None:
        """Make the pictures; `again()` is called when others are wanted."""
        names = self.history.drawn
        self._built_for, self._seen = tuple(names), -1
        self.charts = []
        if self.alone in names:
            names = [str(self.alone)]
        self.pages, shown, columns, rows = _paged(kit, rect, len(names), self.page)
        self.page = min(self.page, self.pages - 1)
        names = names[self.page * shown : (self.page + 1) * shown]
        for name, place in zip(names, _places(rect, kit.theme.px(GAP), len(names), columns, rows), strict=True):
            self.charts.append(
                Chart(kit, place, name, self.history.trainer.figure(name), accent, self._pressed(again))
            )

    def _pressed(self, again: Callable[[], None]) -> Callable[[str], None]:
        def pressed(name: str) -> None:
            self.alone = None if self.alone == name else name
            again()

        return pressed

    def turn(self) -> None:
        """The next page."""
        self.page = (self.page + 1) % self.pages

    def follow(self, pointer: tuple[int, int]) -> None:
        """Show what is new, and the values under the pointer."""
        if self.history.changes != self._seen:
            self._seen = self.history.changes
            for chart in self.charts:
                chart.show_points(self.history.curve(chart.name))
        for chart in self.charts:
            chart.follow(pointer)


def _paged(kit: Kit, rect: pygame.Rect, count: int, page: int) -> tuple[int, int, int, int]:
    """(pages, pictures on a page, columns, rows) for the largest pictures that `rect` has room for."""
    gap = kit.theme.px(GAP)
    most_columns = max(1, (rect.width + gap) // (kit.theme.px(WIDE) + gap))
    most_rows = max(1, (rect.height + gap) // (kit.theme.px(HIGH) + gap))
    count = max(1, count)
    shown = min(count, most_columns * most_rows)
    best = (0.0, 1, 1)
    for columns in range(1, most_columns + 1):
        rows = -(-shown // columns)
        if rows <= most_rows:
            wide, high = rect.width / columns, rect.height / rows
            # pictures twice as wide as high read best
            best = max(
                best, (min(wide / 2, high, kit.theme.px(LARGEST)) - 0.01 * (rows * columns - shown), columns, rows)
            )
    _, columns, rows = best
    return -(-count // shown), shown, columns, rows


def _places(rect: pygame.Rect, gap: int, count: int, columns: int, rows: int) -> Iterator[pygame.Rect]:
    """Rows of pictures; those of the last row share its whole width."""
    for number in range(count):
        row, column = divmod(number, columns)
        across = min(columns, count - row * columns)
        top, bottom = (rect.top + round((rect.height + gap) * edge / rows) for edge in (row, row + 1))
        left, right = (rect.left + round((rect.width + gap) * edge / across) for edge in (column, column + 1))
        yield pygame.Rect(left, top, right - gap - left, bottom - gap - top)
