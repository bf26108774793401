"""Draws a tournament's cross-table: a line for each agent, its share of the points against each other and in all."""

from collections.abc import Sequence

import pygame

from game.screens.connect4.tournament import Count, CrossTable
from game.ui import shapes, text
from game.ui.chrome import draw_card, draw_heading
from game.ui.theme import FONT_SMALL, Colour, Theme, blend

HEAD, NAMES, LINE, LINE_DENSE = 40, 24, 40, 34
"""Units of the card's heading, of the line of column names, and of an agent's line."""
NUMBER, TOTAL, ERROR, SPEED = 22, 62, 62, 70
CELL = 62
NAME_LEAST = 110


class TableView:
    """Where everything stands; lines can be clicked."""

    def __init__(self) -> None:
        """Nothing laid out yet."""
        self.card = pygame.Rect(0, 0, 0, 0)
        self.lines: list[pygame.Rect] = []

    def layout(self, theme: Theme, rect: pygame.Rect, entrants: int, dense: bool, below: int) -> None:
        """From the top of `rect` down, `below` pixels free under the lines."""
        head, names, line = theme.px(HEAD), theme.px(NAMES), theme.px(LINE_DENSE if dense else LINE)
        self.card = pygame.Rect(rect.left, rect.top, rect.width, head + names + entrants * line + below)
        pad = theme.px(8)
        self.lines = [
            pygame.Rect(rect.left + pad, rect.top + head + names + number * line, rect.width - 2 * pad, line)
            for number in range(entrants)
        ]

    def line_at(self, position: tuple[int, int]) -> int | None:
        """The agent whose line is there."""
        return next((number for number, line in enumerate(self.lines) if line.collidepoint(position)), None)

    def draw(
        self, surface: pygame.Surface, theme: Theme, names: Sequence[tuple[str, str]], table: CrossTable | None, fair: float,
        chosen: int, note: str,
    ) -> None:  # fmt: skip
        """Everything in the card.

        Args:
            surface: to draw on.
            theme: the look.
            names: title and settings of each agent.
            table: None before anything was played.
            fair: the share of one among equals.
            chosen: the line that stands out.
            note: beside the heading.
        """
        draw_card(surface, theme, self.card)
        draw_heading(surface, theme, theme.px(HEAD), self.card, "Cross-table", note)
        columns = self._columns(theme, len(names))
        y = self.card.top + theme.px(HEAD) + theme.px(NAMES) // 2
        heads = [str(number) for number in range(1, len(names) + 1)] + ["share", "± error", "s/move"]
        for head, (left, wide) in zip(heads, columns, strict=True):
            text.draw(
                surface, theme, head, (left + wide // 2, y), size=FONT_SMALL, colour=theme.muted, anchor="center"
            )
        place = {entrant: at + 1 for at, entrant in enumerate(table.ranking())} if table is not None else {}
        for number, line in enumerate(self.lines):
            if number == chosen:
                surface.blit(shapes.rounded(line.size, theme.px(8), theme.raised), line)
            y = line.centery
            left = line.left + theme.px(8)
            text.draw(surface, theme, str(number + 1), (left, y), colour=theme.muted, anchor="midleft")
            left += theme.px(NUMBER)
            leads = place.get(number) == 1 and table is not None and table.totals[number].games > 0
            room, (title, detail) = columns[0][0] - left - theme.px(8), names[number]
            text.draw(surface, theme, title, (left, y - (theme.px(8) if detail else 0)), anchor="midleft", limit=room,
                      weight="bold" if leads else "regular")  # fmt: skip
            text.draw(surface, theme, detail, (left, y + theme.px(8)), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft", limit=room)  # fmt: skip
            if table is not None:
                self._draw_line(surface, theme, line, columns, table, number, fair)

    def _columns(self, theme: Theme, entrants: int) -> list[tuple[int, int]]:
        """Left edge and width of each column behind the names."""
        widths = [theme.px(CELL)] * entrants + [theme.px(TOTAL), theme.px(ERROR), theme.px(SPEED)]
        line = self.lines[0]
        room = line.width - theme.px(NUMBER + NAME_LEAST + 16)
        if sum(widths) > room:
            widths = [width * room // sum(widths) for width in widths]
        lefts = [line.right - theme.px(8) - sum(widths[at:]) for at in range(len(widths))]
        return list(zip(lefts, widths, strict=True))

    def _draw_line(
        self, surface: pygame.Surface, theme: Theme, line: pygame.Rect, columns: Sequence[tuple[int, int]],
        table: CrossTable, number: int, fair: float,
    ) -> None:  # fmt: skip
        for other, pair in enumerate(table.pairs[number]):
            left, wide = columns[other]
            cell = pygame.Rect(
                left + theme.px(2), line.top + theme.px(3), wide - theme.px(4), line.height - theme.px(6)
            )
            fill = blend(theme.surface, theme.line, 0.7) if other == number else _tint(theme, pair, fair)
            surface.blit(shapes.rounded(cell.size, theme.px(5), fill), cell)
            if other != number and pair.games:
                text.draw(surface, theme, percent(pair.share), cell.center, anchor="center", limit=cell.width)
        total, spent = table.totals[number], table.per_move(number)
        error = f"± {100 * total.error:.1f}" if total.error is not None else "–"
        shown = (
            (percent(total.share) if total.games else "–", "bold", theme.text),
            (error, "regular", theme.muted),
            (seconds(spent) if spent is not None else "–", "regular", theme.muted),
        )
        for (words, weight, ink), (left, wide) in zip(shown, columns[len(table.totals) :], strict=True):
            text.draw(surface, theme, words, (left + wide // 2, line.centery), anchor="center", limit=wide, colour=ink,
                      weight=weight)  # type: ignore[arg-type]  # fmt: skip


def percent(share: float) -> str:
    """'62 %'."""
    return f"{100 * share:.0f} %"


def seconds(spent: float) -> str:
    """'0.52 s', '3.1 ms'."""
    return f"{spent:.2f} s" if spent >= 0.1 else f"{1000 * spent:.1f} ms" if spent >= 0.001 else "< 1 ms"


def _tint(theme: Theme, pair: Count, fair: float) -> Colour:
    """Good or bad, the more so the further from what equals would have."""
    plain = blend(theme.surface, theme.raised, 0.7)
    if not pair.games or pair.share == fair:
        return plain
    best = pair.share > fair
    far = (pair.share - fair) / (1 - fair) if best else (fair - pair.share) / fair
    return blend(plain, theme.good if best else theme.bad, 0.12 + 0.38 * far)
