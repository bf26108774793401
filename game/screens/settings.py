"""The settings, generated from the one table in `game.saves.settings`; every change works at once."""

import pygame

from game.saves.settings import SETTINGS, Setting
from game.screens.context import Context
from game.ui import text
from game.ui.chrome import TopBar, draw_card, draw_heading
from game.ui.controls import Stepper, Toggle
from game.ui.layout import layout
from game.ui.scene import Scene
from game.ui.select import Option, Select
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL
from game.ui.window import Window

COLUMN = 680
LINE = 54


class SettingsScene(Scene):
    """One card per section, one line per setting."""

    name = "settings"
    groups = ("Window",)

    def __init__(self, window: Window, context: Context) -> None:
        """Shows the settings in force."""
        super().__init__(window)
        self.context = context
        self.top_bar: TopBar | None = None
        self.lines: list[tuple[Setting, pygame.Rect]] = []
        self.cards: list[tuple[str, pygame.Rect]] = []

    def build(self) -> None:
        """Cards in one centred column, or two where the window is wide enough."""
        theme = self.theme
        areas = layout(self.size, theme, panel=False)
        self.top_bar = TopBar(self.kit, self.size[0], "Settings", theme.thinking, (), self.window.command)
        sections: dict[str, list[Setting]] = {}
        for setting in SETTINGS:
            sections.setdefault(setting.section, []).append(setting)
        self.lines, self.cards = [], []
        gap = theme.px(16)
        wide = min(theme.px(COLUMN), areas.board.width)
        line = theme.px(LINE)
        heights = {name: theme.px(48) + len(rows) * line for name, rows in sections.items()}
        one_column = sum(heights.values()) + gap * (len(heights) - 1) <= areas.board.height
        if not one_column:
            wide = min(theme.px(COLUMN), (areas.board.width - gap) // 2)
        columns = 1 if one_column else 2
        lefts = [
            areas.board.centerx - (wide * columns + gap * (columns - 1)) // 2 + at * (wide + gap)
            for at in range(columns)
        ]
        tops = [areas.board.top] * columns
        for name, rows in sections.items():
            at = tops.index(min(tops))
            card = pygame.Rect(lefts[at], tops[at], wide, heights[name])
            self.cards.append((name, card))
            for number, setting in enumerate(rows):
                place = pygame.Rect(card.left, card.top + theme.px(40) + number * line, wide, line)
                self.lines.append((setting, place))
                self._control(setting, place)
            tops[at] = card.bottom + gap

    def _control(self, setting: Setting, place: pygame.Rect) -> None:
        theme, name = self.theme, setting.name
        value = getattr(self.context.settings, name)
        wide, high = theme.px(150), theme.px(CONTROL_HEIGHT - 4)
        box = pygame.Rect(place.right - theme.px(16) - wide, place.centery - high // 2, wide, high)
        if setting.kind == "bool":
            Toggle(self.kit, box, "", bool(value), on_change=lambda on: self._set(name, on), tip=setting.help)
        elif setting.kind == "choice":
            options = [
                Option(choice, label.capitalize())
                for choice, label in zip(setting.choices, setting.labels, strict=True)
            ]
            Select(self.kit, box, options, str(value), on_choose=lambda choice: self._set(name, choice))
        else:
            Stepper(
                self.kit,
                box,
                "",
                self._shown(setting, value),
                on_step=lambda by: self._stepped(setting, by),
                tip=setting.help,
            )

    def _shown(self, setting: Setting, value: float) -> str:
        if setting.name == "ui_scale":
            return f"{value:.0%}"
        return f"{value:g} {setting.unit}".strip()

    def _stepped(self, setting: Setting, by: int) -> str:
        value = float(getattr(self.context.settings, setting.name)) + by * setting.step
        value = round(min(setting.max, max(setting.min, value)) / setting.step) * setting.step
        whole = isinstance(setting.default, int)
        self._set(setting.name, round(value) if whole else round(value, 3))
        return self._shown(setting, float(getattr(self.context.settings, setting.name)))

    def _set(self, name: str, value: object) -> None:
        self.context.set(name, value)
        if name in ("volume", "mute"):
            self.window.play("click")

    def draw(self, surface: pygame.Surface) -> None:
        """Cards, names, help."""
        theme = self.theme
        for name, card in self.cards:
            draw_card(surface, theme, card)
            draw_heading(surface, theme, theme.px(40), card, name)
        for setting, place in self.lines:
            left, limit = place.left + theme.px(16), place.width - theme.px(190)
            text.draw(
                surface, theme, setting.title, (left, place.centery - theme.px(9)), anchor="midleft", limit=limit
            )
            text.draw(surface, theme, setting.help, (left, place.centery + theme.px(11)), size=FONT_SMALL, colour=theme.muted,
                      anchor="midleft", limit=limit)  # fmt: skip
        if self.top_bar is not None:
            self.top_bar.draw(surface)

    @property
    def status(self) -> tuple[str, str, bool]:
        """Where things are kept."""
        where = (
            "saved as you change them" if self.context.saves.writable else "not saved: the saves folder is read-only"
        )
        return f"Settings are {where}", "", False
