"""What an agent thinks of every action, as bars: in the games' panel and under the boards of the theatre.

Everything wears the thinking colour; the action it prefers (or played) is full, the others are paler.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pygame

from game.rules.direction import Direction
from game.ui import shapes, text
from game.ui.chrome import draw_bar
from game.ui.theme import FONT_SMALL, Colour, Theme, blend

LABEL, NUMBER = 54, 88
"""Units for the name of an action and for its value, left and right of its bar."""
NOW, LATER = 50, 66
"""Units for what an action brings at once and for its value, where both are shown."""
LEAST = 0.15
"""How full the bar of the lowest value is, so that it can be told from none."""
FLOOR = 0.1
"""Share of the largest value that the length of the bars stands for at least."""
LINE = 17
"""Height of a line of numbers above or below upright bars."""
CELL = 24
"""Height of a bar's line, or of a cell of a grid."""
UPRIGHT = 44
"""Height of upright bars."""
GAP = 4


@dataclass(frozen=True, slots=True)
class ValueBar:
    """One action's value: its label, the number as text, and how full its bar is (None: not legal)."""

    label: str
    shown: str
    share: float | None
    best: bool = False
    now: str = ""
    """What the action itself brings at once, as text, where that is known beside its value."""
    now_share: float = 0.0
    """How much of the whole bar, at the end of what is full, stands for that."""


def reach(values: Iterable[float]) -> float:
    """How far below the best value a bar is at its shortest: a tenth of the largest value, or all that there is between them.

    So values that are nearly the same have bars that are, and those that are worlds apart use the whole length: bars of
    1,000 and 997 differ by three hundredths, those of 1,000 and 900 or less by all of it.
    """
    known = list(values)
    if not known:
        return 0.0
    return max(max(known) - min(known), FLOOR * max(abs(value) for value in known))


def spread(values: Mapping[int, float]) -> Callable[[float], float]:
    """How full the bar of a value is, by the `reach` of the values; the best one's is full."""
    high, far = max(values.values(), default=0.0), reach(values.values())
    return lambda value: LEAST + (1 - LEAST) * (1 - (high - value) / far) if far > 0 else 1.0


def value_bars(
    values: Mapping[int, float],
    names: Sequence[tuple[int, str]],
    best: int | None,
    describe: Callable[[float], str],
    share: Callable[[float], float] | None = None,
) -> list[ValueBar]:
    """A bar for each action.

    Args:
        values: finite values by action.
        names: (action, label), in the order in which they are shown.
        best: the action to mark.
        describe: a value in words.
        share: how full the bar of a value is, 0 to 1; `spread` of the values unless given.
    """
    share = share or spread(values)
    return [
        ValueBar(label, describe(values[action]), share(values[action]), action == best)
        if action in values
        else ValueBar(label, "–", None)
        for action, label in names
    ]


def draw_value(
    surface: pygame.Surface, theme: Theme, value: ValueBar, left: int, wide: int, y: int, accent: Colour | None = None
) -> None:
    """One action on a line: its name, its bar, its value; `y` is the middle of the line.

    What it brings at once stands before the value and at the end of the bar, in the colour `accent`.
    """
    text.draw(surface, theme, value.label, (left, y), colour=_ink(theme, value), anchor="midleft")
    apart = accent is not None
    number, label = theme.px(LATER if apart else NUMBER), theme.px(LABEL)
    now = theme.px(NOW) if apart else 0
    bar = pygame.Rect(left + label, y - theme.px(4), wide - label - now - number, theme.px(8))
    share, fill = value.share or 0.0, _fill(theme, value)
    if accent is not None and value.share is not None:
        draw_bar(surface, bar, share, accent if value.best else blend(accent, theme.surface, 0.45), _track(theme))
        share -= value.now_share
        wide_part = round(bar.width * share)
        if wide_part >= bar.height:
            surface.blit(shapes.rounded((wide_part, bar.height), bar.height // 2, fill), bar)
        text.draw(surface, theme, value.now, (bar.right + now, y), anchor="midright", limit=now - theme.px(4),
                  colour=accent if value.now != "0" else theme.muted)  # fmt: skip
    else:
        draw_bar(surface, bar, share, fill, _track(theme))
    text.draw(surface, theme, value.shown, (left + wide, y), anchor="midright", limit=number - theme.px(6),
              colour=theme.text if value.share is not None else theme.muted)  # fmt: skip


def draw_columns(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, values: Sequence[ValueBar]) -> None:
    """Upright bars side by side: the value above each, its label below."""
    line, wide = theme.px(LINE), rect.width / max(1, len(values))
    high = rect.height - 2 * line
    for number, value in enumerate(values):
        middle = rect.left + round((number + 0.5) * wide)
        text.draw(surface, theme, value.shown, (middle, rect.top + line // 2), size=FONT_SMALL, anchor="center",
                  limit=round(wide), colour=_ink(theme, value))  # fmt: skip
        text.draw(surface, theme, value.label, (middle, rect.bottom - line // 2), size=FONT_SMALL, anchor="center",
                  colour=theme.muted)  # fmt: skip
        bar = pygame.Rect(0, rect.top + line, min(theme.px(20), round(wide) - theme.px(6)), high)
        bar.centerx = middle
        surface.blit(shapes.rounded(bar.size, theme.px(4), _track(theme)), bar)
        full = round(high * (value.share or 0.0))
        if full >= theme.px(3):
            part = pygame.Rect(bar.left, bar.bottom - full, bar.width, full)
            surface.blit(shapes.rounded(part.size, min(theme.px(4), full // 2), _fill(theme, value)), part)


def draw_grid(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, rows: Sequence[tuple[str, Sequence[ValueBar]]]
) -> None:
    """A cell for each action of a deep board, the stronger tinted the better: named rows, columns named by their bars."""
    if not rows or not rows[0][1]:
        return
    side, high = theme.px(LINE), (rect.height - theme.px(LINE)) / len(rows)
    wide = (rect.width - side) / len(rows[0][1])
    for column, value in enumerate(rows[0][1]):
        at = (rect.left + side + round((column + 0.5) * wide), rect.bottom - theme.px(LINE) // 2)
        text.draw(surface, theme, value.label, at, size=FONT_SMALL, colour=theme.muted, anchor="center")
    for line, (name, values) in enumerate(rows):
        y = rect.top + round((line + 0.5) * high)
        text.draw(surface, theme, name, (rect.left, y), size=FONT_SMALL, colour=theme.muted, anchor="midleft")
        for column, value in enumerate(values):
            cell = pygame.Rect(rect.left + side + round(column * wide), 0, round(wide) - theme.px(GAP), 0)
            cell.height = round(high) - theme.px(GAP)
            cell.centery = y
            fill = _track(theme) if value.share is None else blend(_track(theme), theme.thinking, 0.6 * value.share)
            if value.best:
                fill = theme.thinking
            surface.blit(shapes.rounded(cell.size, theme.px(5), fill), cell)
            ink = theme.thinking_ink if value.best else theme.text if value.share is not None else theme.muted
            text.draw(surface, theme, value.shown, cell.center, size=FONT_SMALL, colour=ink, anchor="center",
                      limit=cell.width)  # fmt: skip


DIRECTIONS = tuple((int(way), way.label) for way in (Direction.LEFT, Direction.DOWN, Direction.RIGHT, Direction.UP))
"""The four directions, in the order in which their values are shown."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """What an agent thinks of every action of a position, in the form that suits its board."""

    rows: tuple[tuple[str, tuple[ValueBar, ...]], ...]
    """Named rows of bars; a single row stands upright, several are the cells of a grid."""
    lines: bool = False
    """Whether each bar has a line of its own instead."""

    def height(self, theme: Theme) -> int:
        """Pixels that it takes."""
        if self.lines:
            return sum(len(values) for _name, values in self.rows) * theme.px(CELL)
        if len(self.rows) > 1:
            return len(self.rows) * theme.px(CELL) + theme.px(LINE)
        return theme.px(UPRIGHT) + 2 * theme.px(LINE)

    def draw(self, surface: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
        """Draw it."""
        if self.lines:
            bars = [value for _name, values in self.rows for value in values]
            high = rect.height / max(1, len(bars))
            for number, value in enumerate(bars):
                draw_value(surface, theme, value, rect.left, rect.width, rect.top + round((number + 0.5) * high))
        elif len(self.rows) > 1:
            draw_grid(surface, theme, rect, self.rows)
        else:
            draw_columns(surface, theme, rect, self.rows[0][1])


def weighed_directions(values: Mapping[int, float], played: int | None, describe: Callable[[float], str]) -> Weighing:
    """The values of the four directions, a line for each."""
    return Weighing((("", tuple(value_bars(values, DIRECTIONS, played, describe))),), lines=True)


def _track(theme: Theme) -> Colour:
    return blend(theme.raised, theme.line, 0.5)


def _fill(theme: Theme, value: ValueBar) -> Colour:
    return theme.thinking if value.best else blend(theme.thinking, theme.surface, 0.45)


def _ink(theme: Theme, value: ValueBar) -> Colour:
    return theme.thinking if value.best else theme.text if value.share is not None else theme.muted
