"""The bar below the board: the views, the slice slider, the switches of the values, and a few words on the right."""

from typing import TYPE_CHECKING

import pygame

from game.ui import text
from game.ui.controls import Button
from game.ui.shortcuts import keys_shown
from game.ui.slider import Slider
from game.ui.theme import FONT_HEADING, FONT_SMALL
from game.views.connect4.accent import ACCENT
from game.views.connect4.board import TITLES
from game.views.connect4.keys import STONE_KEYS
from game.views.connect4.stones import STONES, flat_stone

if TYPE_CHECKING:
    from game.screens.connect4.screen import Connect4Scene

HEIGHT = 38
GAP = 8
SLIDER = 96
WORDS = 260
"""Units that the words on the right should have; for their sake the views are icons where there is little room."""
ICONS = {"flat": "grid", "orbit": "orbit", "layers": "layers", "slices": "slices"}


class Bar:
    """Controls and words; what they do is the screen's."""

    def __init__(self, scene: "Connect4Scene") -> None:
        """Made anew by `build`."""
        self._scene = scene
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._end = 0
        """Where the controls end."""
        self._views: dict[str, Button] = {}
        self._values: Button | None = None
        self._along: Button | None = None
        self._slider: Slider | None = None
        self._slice_at = pygame.Rect(0, 0, 0, 0)

    def build(self, rect: pygame.Rect) -> None:
        """Lay out inside `rect`."""
        scene, theme, kit = self._scene, self._scene.theme, self._scene.kit
        self.rect, self._slider = rect, None
        gap, side = theme.px(GAP), rect.height
        board = scene.board
        assert board is not None
        deep = scene.state.shape.depth > 1
        names = board.views()
        widths = [text.width(theme, TITLES[name]) + theme.px(32) for name in names]
        slider = (
            theme.px(SLIDER) + text.width(theme, "Slice") + text.width(theme, "all") + theme.px(28) if deep else 0
        )
        needed = sum(widths) + len(names) * gap + slider + 2 * (side + gap) + 2 * gap
        small = needed + theme.px(WORDS) > rect.width
        left = rect.left
        self._views = {}
        for name, wide in zip(names, widths, strict=True):
            place = pygame.Rect(left, rect.top, side if small else wide, rect.height)
            self._views[name] = Button(
                kit, place, "" if small else TITLES[name], icon=ICONS[name] if small else "", accent=ACCENT.on(theme),
                selected=name == board.view, on_press=lambda name=name: scene.choose_view(name),
                tip=f"{TITLES[name]} ({keys_shown('view')} for the next view)",
            )  # fmt: skip
            left = place.right + gap
        left += gap
        self._values = Button(
            kit, pygame.Rect(left, rect.top, side, rect.height), icon="eye", on_press=lambda: scene.window.command("values"),
            tip=f"Values of the columns ({keys_shown('values', (STONE_KEYS,))})",
        )  # fmt: skip
        left += side + gap
        self._along = Button(
            kit, pygame.Rect(left, rect.top, side, rect.height), icon="robot",
            on_press=lambda: scene.window.command("think_along"),
            tip=f"An agent thinks along on people's turns ({keys_shown('think_along', (STONE_KEYS,))})",
        )  # fmt: skip
        left += side + gap
        if deep:
            left = self._build_slices(left + gap, rect)
        self._end = left

    def _build_slices(self, left: int, rect: pygame.Rect) -> int:
        scene, theme = self._scene, self._scene.theme
        label = text.width(theme, "Slice") + theme.px(10)
        wide = theme.px(SLIDER)
        depth = scene.state.shape.depth
        self._slice_at = pygame.Rect(
            left, rect.top, label + wide + theme.px(10) + text.width(theme, "all"), rect.height
        )
        self._slider = Slider(
            scene.kit, pygame.Rect(left + label, rect.top, wide, rect.height), scene.slice_at / depth,
            on_change=lambda share: scene.set_slice(round(share * depth)), steps=depth,
            tip=f"Dim all slices but one ({keys_shown('previous')}, {keys_shown('next')})",
        )  # fmt: skip
        return self._slice_at.right + theme.px(GAP)

    def show_view(self, name: str) -> None:
        """Mark the chosen view."""
        for view, button in self._views.items():
            button.set_selected(view == name)

    def show_slice(self) -> None:
        """Move the knob after a key."""
        if self._slider is not None:
            self._slider.set_value(self._scene.slice_at / self._scene.state.shape.depth)

    def draw(self, surface: pygame.Surface, words: str, stone: int | None, large: bool) -> None:
        """The switches' state and the words, with a seat's stone before them; `large` for what matters most."""
        scene, theme = self._scene, self._scene.theme
        if self._values is not None and self._along is not None:
            shown = scene.context.settings.show_values
            self._values.set(icon="eye" if shown else "eye-off")
            self._values.set_selected(shown)
            self._along.set_selected(scene.analyst.along)
        if self._slider is not None:
            y = self._slice_at.centery
            text.draw(surface, theme, "Slice", (self._slice_at.left, y), colour=theme.muted, anchor="midleft")
            at = scene.slice_at
            text.draw(surface, theme, str(at) if at else "all", (self._slice_at.right, y), anchor="midright")
        right, room = (self.rect.right, self.rect.centery), self.rect.right - self._end - theme.px(GAP)
        side = theme.px(26 if large else 20)
        if stone is not None:
            room -= side + theme.px(10)
        if room < theme.px(40):
            return
        size = FONT_HEADING if large and text.width(theme, words, FONT_HEADING, "bold") <= room else FONT_SMALL
        place = text.draw(
            surface, theme, words, right, size=size, weight="bold" if large else "regular", anchor="midright", limit=room,
            colour=theme.text if large or stone is not None else theme.muted,
        )  # fmt: skip
        if stone is not None:
            look = STONES[stone]
            icon = flat_stone(side, look.colour, look.mark)
            surface.blit(icon, icon.get_rect(midright=(place.left - theme.px(10), right[1])))
