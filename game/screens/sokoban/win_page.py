"""What stands in the panel's place once a person has solved a level: the numbers, what is new about them, where to go now."""

from collections.abc import Callable, Mapping

import pygame
from typing_extensions import override

from game.play.sokoban import results
from game.play.sokoban.session import LevelSession
from game.screens.play.page import Desk, Page, Paint, RailButton
from game.ui import svg, text
from game.ui.chrome import draw_card, draw_row
from game.ui.controls import Button
from game.ui.shortcuts import keys_shown
from game.ui.theme import FONT_HEADING, FONT_SMALL, Theme
from game.views.sokoban.accent import ACCENT

TITLE = "You win!"
NUMBER = 26
HEAD, NUMBERS, NEWS, FOOT = 62, 66, 34, 14
"""Heights in units."""


class WinPage(Page):
    """One card. It covers nothing of the board."""

    name, title, icon = "win", TITLE, "trophy"

    def __init__(
        self, desk: Desk, session: LevelSession, watch: Callable[[], object], close: Callable[[], object]
    ) -> None:
        """`watch` shows the game in the theatre, `close` brings the panel back."""
        super().__init__(desk)
        self._level, self._watch, self._close = session, watch, close
        self.news = session.news
        self.numbers = (("Moves", f"{session.moves:,}"), ("Pushes", f"{session.pushes:,}"))
        self.records = results.records(session.store.progress, session.course.level_id)
        """(name, numbers, whether a person's)."""

    @property
    @override
    def rail(self) -> tuple[RailButton, ...]:
        """Next, again, watch."""
        onward = self._level.onward
        return (("next", "next", onward), ("restart", "restart", "Again"), ("replay", "theatre", "Watch"))

    @override
    def lay_out(self) -> None:
        """The card, its buttons at the bottom."""
        theme = self.kit.theme
        lines = text.wrap(theme, self.news, self.inside(self.rect)[1]) if self.news else []
        self._lines = lines
        news = len(lines) * theme.font().get_linesize() + (theme.px(10) if lines else 0)
        rows = len(self.records) * self.row
        buttons = 2 * (self.control + self.gap)
        card = pygame.Rect(self.rect.topleft, (self.rect.width, 0))
        card.height = theme.px(HEAD + NUMBERS + FOOT) + news + rows + buttons + theme.px(8)
        self.cards["win"] = card
        left, wide = self.inside(card)
        top = card.bottom - buttons - theme.px(FOOT) + self.gap
        accent = ACCENT.on(theme)
        Button(
            self.kit, pygame.Rect(left, top, wide, self.control), self._level.onward, icon="next", style="accent",
            on_press=lambda: self._level.change_level(1), accent=accent, tip=f"{self._level.onward} (Enter)",
        )  # fmt: skip
        top += self.control + self.gap
        half = (wide - self.gap) // 2
        Button(
            self.kit, pygame.Rect(left, top, half, self.control), "Again", icon="restart",
            on_press=self._level.restart, tip=f"Play this level again ({keys_shown('restart')})",
        )  # fmt: skip
        Button(
            self.kit, pygame.Rect(left + wide - half, top, half, self.control), "Watch", icon="replay",
            on_press=self._watch, tip=f"Watch your solution ({keys_shown('theatre')})",
        )  # fmt: skip
        side = self.control
        Button(
            self.kit, pygame.Rect(card.right - side - theme.px(8), card.top + theme.px(10), side, side), icon="close",
            style="ghost", on_press=self._close, tip="Back to the panel (Esc)",
        )  # fmt: skip

    @override
    def paints(self) -> Mapping[str, Paint]:
        """The one card."""
        return {"win": self._draw}

    def _draw(self, surface: pygame.Surface, card: pygame.Rect) -> None:
        theme = self.kit.theme
        draw_card(surface, theme, card)
        left, wide = self.inside(card)
        glyph, middle = theme.px(24), card.top + theme.px(HEAD // 2)
        surface.blit(svg.icon("trophy", glyph, ACCENT.on(theme)), (left, middle - glyph // 2))
        text.draw(surface, theme, TITLE, (left + glyph + theme.px(10), middle), size=FONT_HEADING, weight="bold",
                  anchor="midleft")  # fmt: skip
        y = card.top + theme.px(HEAD)
        self._draw_numbers(surface, theme, left, y, wide)
        y += theme.px(NUMBERS)
        for line in self._lines:
            ink = theme.good if self.news.endswith("!") else theme.muted
            text.draw(surface, theme, line, (left, y), colour=ink)
            y += theme.font().get_linesize()
        y += (theme.px(10) if self._lines else 0) + self.row // 2
        for name, value, persons in self.records:
            draw_row(surface, theme, card, y, name, value, None if persons else theme.thinking)
            y += self.row

    def _draw_numbers(self, surface: pygame.Surface, theme: Theme, left: int, top: int, wide: int) -> None:
        """Moves and pushes, large, side by side."""
        for number, (name, value) in enumerate(self.numbers):
            x = left + number * wide // 2
            text.draw(
                surface, theme, name, (x, top + theme.px(8)), size=FONT_SMALL, colour=theme.muted, anchor="midleft"
            )
            text.draw(surface, theme, value, (x, top + theme.px(34)), size=NUMBER, weight="bold", anchor="midleft",
                      limit=wide // 2 - theme.px(8))  # fmt: skip
