"""One figure of a training as a small picture: its name, its last value, its curve over the time learned."""

from bisect import bisect_left
from collections.abc import Callable, Sequence

import pygame
from typing_extensions import override

from ai.entries import Figure
from game.play.words import clock
from game.screens.lab import words
from game.ui import shapes, text
from game.ui.kit import CLICK, Control, Kit
from game.ui.theme import FONT_BODY, FONT_HEADING, FONT_SMALL, RADIUS_CARD, Colour, blend

Points = Sequence[tuple[float, float]]
"""(seconds, value)."""
HEAD, FOOT, PAD = 30, 20, 12


class Chart(Control):
    """Follows the pointer with the value there; a press asks for it alone, or for all again."""

    radius = RADIUS_CARD

    def __init__(
        self, kit: Kit, rect: pygame.Rect, name: str, figure: Figure, accent: Colour, on_press: Callable[[str], None]
    ) -> None:
        """`name` is the figure's, `figure` how it is shown."""
        self.name, self.figure, self.accent, self.on_press = name, figure, accent, on_press
        self.points: Points = ()
        self.at: int | None = None
        """The point whose value is said."""
        super().__init__(kit, rect)

    def show_points(self, points: Points) -> None:
        """Another curve."""
        self.points = points
        self.at = None if self.at is None else min(self.at, len(points) - 1)
        self.repaint()

    @override
    def press(self) -> None:
        """Larger, or small again."""
        self.kit.sound(CLICK)
        self.on_press(self.name)

    def follow(self, pointer: tuple[int, int]) -> None:
        """Say the value under the pointer, if it is over the curve."""
        at = None
        if self.points and self.rect.collidepoint(pointer):
            plot = self._plot(self.rect.size)
            first, last = self.points[0][0], self.points[-1][0]
            share = (pointer[0] - self.rect.left - plot.left) / max(1, plot.width)
            wanted = first + (last - first) * min(1.0, max(0.0, share))
            at = min(bisect_left(self.points, (wanted,)), len(self.points) - 1)
        if at != self.at:
            self.at = at
            self.repaint()

    def _plot(self, size: tuple[int, int]) -> pygame.Rect:
        theme, pad = self.theme, self.theme.px(PAD)
        top = theme.px(HEAD) + theme.px(4)
        return pygame.Rect(pad, top, size[0] - 2 * pad, max(1, size[1] - top - theme.px(FOOT)))

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Card, words, curve."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.surface, theme.text, 0.03 if self.lit else 0.0)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CARD), fill), (0, 0))
        values = [value for _, value in self.points]
        share = bool(values) and words.is_share(self.figure, min(values), max(values))
        pad, middle = theme.px(PAD), theme.px(HEAD) // 2 + theme.px(3)
        said = ""
        if values:
            said = words.figure(values[-1 if self.at is None else self.at], share)
        place = text.draw(
            surface, theme, said, (width - pad, middle), anchor="midright", weight="medium",
            size=FONT_HEADING if width > theme.px(420) else FONT_BODY, colour=theme.text if self.at is None else self.accent,
        )  # fmt: skip
        text.draw(surface, theme, self.figure.title, (pad, middle), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft", limit=place.left - pad - theme.px(8))  # fmt: skip
        plot = self._plot((width, height))
        surface.fill(blend(theme.surface, theme.line, 0.8), (plot.left, plot.bottom, plot.width, 1))
        if not values:
            text.draw(
                surface, theme, "nothing yet", plot.center, size=FONT_SMALL, colour=theme.muted, anchor="center"
            )
            return
        low, high = _scale(values, share)
        self._draw_curve(surface, plot, low, high)
        self._draw_foot(surface, plot, low, high, share)

    def _draw_curve(self, surface: pygame.Surface, plot: pygame.Rect, low: float, high: float) -> None:
        first, last = self.points[0][0], self.points[-1][0]
        long = (last - first) or 1.0

        def place(point: tuple[float, float]) -> tuple[float, float]:
            seconds, value = point
            x = plot.left + plot.width * (seconds - first) / long if len(self.points) > 1 else plot.right
            return x, plot.bottom - plot.height * (value - low) / (high - low)

        places = [place(point) for point in _thinned(self.points, 2 * plot.width)]
        if len(places) > 1:
            veil = pygame.Surface(plot.size, pygame.SRCALPHA)
            local = [(x - plot.left, y - plot.top) for x, y in places]
            colour = (self.accent.r, self.accent.g, self.accent.b, 40)
            pygame.draw.polygon(veil, colour, [*local, (local[-1][0], plot.height), (local[0][0], plot.height)])
            surface.blit(veil, plot)
            pygame.draw.aalines(surface, self.accent, False, places)
            pygame.draw.lines(surface, self.accent, False, places, max(2, self.theme.px(1.5)))
        x, y = places[-1] if self.at is None else place(self.points[self.at])
        if self.at is not None:
            surface.fill(blend(self.theme.surface, self.theme.muted, 0.6), (round(x), plot.top, 1, plot.height))
        dot = self.theme.px(7)
        surface.blit(shapes.disc(dot, self.accent), (round(x) - dot // 2, round(y) - dot // 2))

    def _draw_foot(self, surface: pygame.Surface, plot: pygame.Rect, low: float, high: float, share: bool) -> None:
        theme = self.theme
        y = plot.bottom + theme.px(FOOT) // 2
        seconds = self.points[-1][0] if self.at is None else self.points[self.at][0]
        right = text.draw(surface, theme, clock(round(seconds)), (plot.right, y), size=FONT_SMALL,
                          colour=theme.muted, anchor="midright")  # fmt: skip
        ends = f"{words.figure(low, share)} – {words.figure(high, share)}"
        text.draw(surface, theme, ends, (plot.left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft",
                  limit=right.left - plot.left - theme.px(8))  # fmt: skip


def _scale(values: Sequence[float], share: bool) -> tuple[float, float]:
    """The ends of the vertical scale: 0 to 1 for shares, from 0 where that is near, a little room else."""
    low, high = min(values), max(values)
    if share:
        return 0.0, 1.0
    if 0.0 <= low <= 0.5 * high:
        low = 0.0
    if high - low < 1e-9 * max(1.0, abs(high)):
        room = abs(high) * 0.1
        return (low - room, high + room) if room else (0.0, 1.0)
    return low, high


def _thinned(points: Points, most: int) -> list[tuple[float, float]]:
    """No more points than can be seen, the last among them."""
    step = max(1, len(points) // max(2, most))
    return [*points[:-1:step], points[-1]]
