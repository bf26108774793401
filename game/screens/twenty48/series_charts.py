"""The two charts of a run of many games, their bars moving calmly to what they show."""

import pygame

from game.play.twenty48.series import Series
from game.ui import shapes, text
from game.ui.chrome import draw_bar
from game.ui.theme import FONT_SMALL, Theme, blend
from game.views.twenty48.tiles import tile

HEAD, PAD = 40, 16
MOST_TILES = 9


class Shown:
    """What the bars show now, on its way to what they should."""

    def __init__(self) -> None:
        """No bars."""
        self.tiles: dict[int, float] = {}
        """Tile -> share of the games that reached it, as drawn."""
        self.columns: list[float] = []
        """Height of each column, 0 to 1, as drawn."""
        self.first, self.width = 0, 1
        self.mean: float | None = None
        self.error: float | None = None
        self._tiles: dict[int, float] = {}
        self._counts: list[int] = []

    @property
    def most(self) -> int:
        """Games in the highest column."""
        return max(self._counts, default=0)

    def aim(self, series: Series) -> None:
        """Where the bars are to go, after a game has ended."""
        self._tiles = dict(series.reached())
        first, width, counts = series.histogram()
        if (first, width, len(counts)) != (self.first, self.width, len(self._counts)):
            self.columns = self._rescaled(first, width, len(counts))
        self.first, self.width, self._counts = first, width, counts
        self.mean, self.error = series.mean, series.error

    def _rescaled(self, first: int, width: int, count: int) -> list[float]:
        """The columns as drawn, on another scale: each new one begins as high as what was drawn there."""
        columns = []
        for number in range(count):
            at = (first + number * width - self.first) // self.width
            columns.append(self.columns[at] if 0 <= at < len(self.columns) else 0.0)
        return columns

    def follow(self, series: Series | None, share: float) -> None:
        """Move the bars by a share of what is missing."""
        if series is None:
            return
        for value in self._tiles:
            self.tiles.setdefault(value, 0.0)
        for value in self.tiles:
            self.tiles[value] += (self._tiles.get(value, 1.0) - self.tiles[value]) * share
        most = self.most or 1
        for number, count in enumerate(self._counts):
            self.columns[number] += (count / most - self.columns[number]) * share

    def rows(self) -> list[tuple[int, float, float]]:
        """(tile, share as drawn, share) from the smallest tile up."""
        return [(value, self.tiles.get(value, 0.0), share) for value, share in sorted(self._tiles.items())]


def draw_tiles(surface: pygame.Surface, theme: Theme, card: pygame.Rect, shown: Shown) -> None:
    """A line for each tile: the tile, a bar, the share of the games that reached it."""
    rows = shown.rows()[-MOST_TILES:]
    if not rows:
        _nothing(surface, theme, card)
        return
    pad, top = theme.px(PAD), card.top + theme.px(HEAD)
    room = card.bottom - top - theme.px(8)
    step = min(theme.px(46), room / len(rows))
    side = int(min(theme.px(38), step - 2))
    number = text.width(theme, "100.0 %") + theme.px(10)
    left = card.left + pad + side + theme.px(12)
    for at, (value, drawn, share) in enumerate(rows):
        y = round(top + (at + 0.5) * step)
        surface.blit(tile(value.bit_length() - 1, side), (card.left + pad, y - side // 2))
        high = min(theme.px(14), side // 2)
        bar = pygame.Rect(left, y - high // 2, card.right - pad - number - left, high)
        draw_bar(surface, bar, drawn, theme.thinking, blend(theme.raised, theme.line, 0.5))
        text.draw(surface, theme, percent(share), (card.right - pad, y), anchor="midright")


def draw_scores(surface: pygame.Surface, theme: Theme, card: pygame.Rect, shown: Shown) -> None:
    """Upright bars by points, the mean as a line with its error as a band."""
    if not shown.columns:
        _nothing(surface, theme, card)
        return
    pad, top, foot = theme.px(PAD), card.top + theme.px(HEAD + 18), theme.px(28)
    area = pygame.Rect(card.left + pad, top, card.width - 2 * pad, card.bottom - foot - top)
    count = len(shown.columns)
    wide = area.width / max(count, 5)
    for number, high in enumerate(shown.columns):
        column = pygame.Rect(round(area.left + number * wide) + 1, 0, max(2, round(wide) - 3), 0)
        column.height = round(area.height * high)
        column.bottom = area.bottom
        if column.height >= 2:
            radius = min(theme.px(4), column.height // 2)
            surface.blit(shapes.rounded(column.size, radius, blend(theme.thinking, theme.surface, 0.25)), column)
    surface.fill(theme.line, (area.left, area.bottom, area.width, 1))
    every = max(1, -(-count // max(2, area.width // theme.px(90))))
    for number in range(0, max(count, 5) + 1, every):
        x = area.left + number * wide
        words = text.short(shown.first + number * shown.width)
        half = text.width(theme, words, FONT_SMALL) // 2
        x = min(max(x, area.left + half), area.right - half)
        text.draw(surface, theme, words, (x, area.bottom + theme.px(13)), size=FONT_SMALL, colour=theme.muted,
                  anchor="center")  # fmt: skip
    if shown.mean is not None:
        _draw_mean(surface, theme, area, shown, wide)


def _draw_mean(surface: pygame.Surface, theme: Theme, area: pygame.Rect, shown: Shown, wide: float) -> None:
    assert shown.mean is not None

    def place(points: float) -> float:
        return area.left + (points - shown.first) / shown.width * wide

    x = place(shown.mean)
    if shown.error is not None:
        left, right = (
            max(area.left, place(shown.mean - shown.error)),
            min(area.right, place(shown.mean + shown.error)),
        )
        if right - left >= 2:
            band = pygame.Surface((round(right - left), area.height), pygame.SRCALPHA)
            band.fill((*theme.text[:3], 36))
            surface.blit(band, (round(left), area.top))
    surface.fill(theme.text, (round(x), area.top - theme.px(4), max(1, theme.px(2)), area.height + theme.px(4)))
    words = f"mean {shown.mean:,.0f}" + (f" ± {shown.error:,.0f}" if shown.error is not None else "")
    half = text.width(theme, words, FONT_SMALL) // 2
    x = min(max(x, area.left + half), area.right - half)
    text.draw(surface, theme, words, (x, area.top - theme.px(12)), size=FONT_SMALL, anchor="center")


def percent(share: float) -> str:
    """'63 %', '0.4 %', '100 %'."""
    digits = 1 if 0 < share < 0.095 or 0.905 < share < 1 else 0
    return f"{share * 100:.{digits}f} %"


def _nothing(surface: pygame.Surface, theme: Theme, card: pygame.Rect) -> None:
    words = "The bars appear when the first game has ended."
    text.draw(
        surface, theme, words, card.center, colour=theme.muted, anchor="center", limit=card.width - theme.px(32)
    )
