"""Tabs: one of a few pages is shown, and chosen at the head of its place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame
from typing_extensions import override

from game.ui import text
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.theme import Colour


@dataclass(frozen=True, slots=True)
class Tab:
    """A page's name, what stands on its tab, and the tip."""

    name: str
    title: str
    icon: str = ""
    tip: str = ""


class _TabButton(Button):
    @override
    def colours(self) -> tuple[Colour, Colour]:
        """The chosen one stands out as a card does; it is no agent's and so wears no colour of thinking."""
        theme = self.theme
        clear = pygame.Color(theme.raised.r, theme.raised.g, theme.raised.b, 0)
        if self.selected:
            return theme.raised, theme.text
        return (theme.surface if self.lit else clear), theme.muted

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """As a button, with a line below the chosen one."""
        super().paint(surface)
        if self.selected:
            wide, high = surface.get_size()
            thick = max(2, self.theme.px(2))
            words = text.width(self.theme, self.label, weight=self.weight) + self.theme.px(26 if self.icon else 0)
            line = pygame.Rect(0, high - self.theme.px(4), min(words, wide - self.theme.px(16)), thick)
            line.centerx = wide // 2
            surface.fill(self.theme.text, line)


def build_tabs(
    kit: Kit, rect: pygame.Rect, tabs: Sequence[Tab], chosen: str, on_choose: Callable[[str], None]
) -> None:
    """Buttons side by side that fill `rect`; `on_choose` is called with a tab's name."""
    gap = kit.theme.px(4)
    wide = (rect.width - gap * (len(tabs) - 1)) / len(tabs)
    for number, tab in enumerate(tabs):
        left = round(number * (wide + gap))
        place = pygame.Rect(rect.left + left, rect.top, round(number * (wide + gap) + wide) - left, rect.height)
        _TabButton(
            kit, place, tab.title, icon=tab.icon, on_press=partial(on_choose, tab.name), tip=tab.tip,
            selected=tab.name == chosen, weight="medium" if tab.name == chosen else "regular",
        )  # fmt: skip
