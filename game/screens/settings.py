"""The settings, generated from the one table in `game.saves.settings`; every change works at once."""

import pygame
from typing_extensions import override

from game.saves.settings import SETTINGS, Setting
from game.screens.context import Context
from game.ui import text
from game.ui.chrome import TopBar, draw_card, draw_heading
from game.ui.controls import Stepper, Toggle
from game.ui.kit import CLICK, Control
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.select import Option, Select
from game.ui.shortcuts import WINDOW
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL

COLUMN = 680
HEAD, HEAD_LOW, LOW = 40, 34, 600
"""Height of a card's heading, and below which height of the window's body it is the smaller one."""
LINE, LOWEST_LINE = 54, 42
BOX, SWITCH = 150, 46
"""Width of the controls."""


class SettingsScene(Scene):
    """One card per section, one line per setting."""

    name = "settings"
    groups = (WINDOW,)
    without = frozenset(("settings",))

    def __init__(self, window: Host, context: Context) -> None:
        """Shows the settings in force."""
        super().__init__(window)
        self.context = context
        self.top_bar: TopBar | None = None
        self.lines: list[tuple[Setting, pygame.Rect, Control]] = []
        self.cards: list[tuple[str, pygame.Rect]] = []
        self.head = 0
        self.built_from = context.settings
        """The settings that the controls show."""

    @override
    def build(self) -> None:
        """Cards in one centred column, in two where the window is too low for one."""
        theme = self.theme
        room = layout(self.size, theme, panel=False).board
        self.top_bar = TopBar(self.kit, self.size[0], "Settings", theme.thinking, (), self.window.command)
        sections: dict[str, list[Setting]] = {}
        for setting in SETTINGS:
            sections.setdefault(setting.section, []).append(setting)
        low = room.height < theme.px(LOW)
        gap, head = theme.px(12 if low else 16), theme.px(HEAD_LOW if low else HEAD)
        spare = room.height - (head + theme.px(8)) * len(sections) - gap * (len(sections) - 1)
        line = min(theme.px(LINE), spare // len(SETTINGS))
        columns = 1
        if line < theme.px(LOWEST_LINE):
            line, columns = theme.px(LINE), 2
        wide = min(max(COLUMN, theme.px(COLUMN)), (room.width - gap * (columns - 1)) // columns)
        left = room.centerx - (wide * columns + gap * (columns - 1)) // 2
        tops = [room.top] * columns
        self.lines, self.cards, self.head = [], [], head
        self.built_from = self.context.settings
        for name, rows in sections.items():
            at = tops.index(min(tops))
            card = pygame.Rect(left + at * (wide + gap), tops[at], wide, head + len(rows) * line + theme.px(8))
            self.cards.append((name, card))
            for number, setting in enumerate(rows):
                place = pygame.Rect(card.left, card.top + head + number * line, wide, line)
                self.lines.append((setting, place, self._control(setting, place)))
            tops[at] = card.bottom + gap

    def _control(self, setting: Setting, place: pygame.Rect) -> Control:
        theme, name = self.theme, setting.name
        value = getattr(self.context.settings, name)
        wide, high = theme.px(SWITCH if setting.kind == "bool" else BOX), theme.px(CONTROL_HEIGHT - 4)
        box = pygame.Rect(place.right - theme.px(16) - wide, place.centery - high // 2, wide, high)
        if setting.kind == "bool":
            return Toggle(self.kit, box, "", bool(value), on_change=lambda on: self._set(name, on))
        if setting.kind == "choice":
            options = [
                Option(choice, label.capitalize())
                for choice, label in zip(setting.choices, setting.labels, strict=True)
            ]
            return Select(self.kit, box, options, str(value), on_choose=lambda choice: self._set(name, choice))
        return Stepper(self.kit, box, "", self._shown(setting, value), on_step=lambda by: self._stepped(setting, by))

    def _shown(self, setting: Setting, value: float) -> str:
        if setting.name == "ui_scale":
            return f"{value * 100:.0f} %"
        return f"{value:g} {setting.unit}".strip()

    def _stepped(self, setting: Setting, by: int) -> str:
        value = float(getattr(self.context.settings, setting.name)) + by * setting.step
        value = round(min(setting.max, max(setting.min, value)) / setting.step) * setting.step
        whole = isinstance(setting.default, int)
        self._set(setting.name, round(value) if whole else round(value, 3))
        return self._shown(setting, float(getattr(self.context.settings, setting.name)))

    def _set(self, name: str, value: object) -> None:
        kit = self.kit
        self.context.set(name, value)
        if self.kit is kit:
            self.built_from = self.context.settings  # the control that was used shows it already
        if name == "mute" and not value:
            self.window.play(CLICK)

    @override
    def update(self, dt: float) -> None:
        """A key changed something (mute, full screen): show it."""
        if self.context.settings != self.built_from:
            self.rebuild()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Cards, names, help."""
        theme = self.theme
        for name, card in self.cards:
            draw_card(surface, theme, card)
            draw_heading(surface, theme, self.head, card, name)
        for setting, place, control in self.lines:
            left = place.left + theme.px(16)
            limit = control.rect.left - left - theme.px(16)
            text.draw(
                surface, theme, setting.title, (left, place.centery - theme.px(9)), anchor="midleft", limit=limit
            )
            limited = setting.name == "ui_scale" and self._limited
            words, ink = (self._limited, theme.text) if limited else (setting.help, theme.muted)
            text.draw(surface, theme, words, (left, place.centery + theme.px(11)), size=FONT_SMALL, colour=ink,
                      anchor="midleft", limit=limit)  # fmt: skip
        if self.top_bar is not None:
            self.top_bar.draw(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """Where things are kept."""
        where = (
            "saved as you change them" if self.context.saves.writable else "not saved: the saves folder is read-only"
        )
        return f"Settings are {where}", "", False

    @property
    def _limited(self) -> str:
        """That the window is too small for the size that is chosen; empty where it is not."""
        if self.theme.scale >= self.context.settings.ui_scale - 0.01:
            return ""
        return f"This window only has room for {self.theme.scale * 100:.0f} %: a larger one shows more."
