"""The bar below the board: the views, the slice slider, the switches of the values, and a few words on the right."""

from collections.abc import Callable
from functools import partial

import pygame

from game.play.connect4.session import MatchSession
from game.ui import text
from game.ui.controls import Button
from game.ui.kit import Kit
from game.ui.shortcuts import keys_shown
from game.ui.slider import Slider
from game.ui.theme import FONT_HEADING, FONT_SMALL, Theme
from game.views.connect4.accent import ACCENT
from game.views.connect4.board import TITLES, BoardView
from game.views.connect4.keys import STONE_KEYS
from game.views.connect4.stones import STONES, flat_stone

HEIGHT = 38
GAP = 8
SLIDER = 96
REMATCH, WATCH = "Rematch", "Watch"
WORDS = 260
"""Units that the words on the right should have; for their sake the views are icons where there is little room."""
ICONS = {"flat": "grid", "orbit": "orbit", "layers": "layers", "slices": "slices"}


class Bar:
    """Controls and words; what they do is the screen's."""

    def __init__(
        self, session: MatchSession, command: Callable[[str], object], choose_view: Callable[[str], None],
        dim: Callable[[int], None],
    ) -> None:  # fmt: skip
        """Made anew by `build`; `dim(n)` shows slice n (from 1) and dims the others, `dim(0)` none."""
        self._session, self._command, self._choose_view, self._dim = session, command, choose_view, dim
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._end = 0
        """Where the controls end."""
        self._views: dict[str, Button] = {}
        self._values: Button | None = None
        self._along: Button | None = None
        self._rematch: Button | None = None
        self._watch: Button | None = None
        self._slider: Slider | None = None
        self._slice_at = pygame.Rect(0, 0, 0, 0)

    def build(self, kit: Kit, rect: pygame.Rect, board: BoardView) -> None:
        """Lay out inside `rect`, for what `board` can do."""
        theme = kit.theme
        self.rect, self._slider = rect, None
        gap, side = theme.px(GAP), rect.height
        deep = self._depth > 1
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
                selected=name == board.view, on_press=partial(self._choose_view, name),
                tip=f"{TITLES[name]} ({keys_shown('view')} for the next view)",
            )  # fmt: skip
            left = place.right + gap
        left += gap
        self._values = Button(
            kit, pygame.Rect(left, rect.top, side, rect.height), icon="eye", on_press=lambda: self._command("values"),
            tip=f"Values of the columns ({keys_shown('values', (STONE_KEYS,))})",
        )  # fmt: skip
        left += side + gap
        self._along = Button(
            kit, pygame.Rect(left, rect.top, side, rect.height), icon="robot",
            on_press=lambda: self._command("think_along"),
            tip=f"An agent comments on your turns ({keys_shown('think_along', (STONE_KEYS,))})",
        )  # fmt: skip
        left += side + gap
        wide = text.width(theme, REMATCH) + theme.px(58)
        self._rematch = Button(
            kit, pygame.Rect(rect.right - wide, rect.top, wide, rect.height), REMATCH, icon="restart", style="primary",
            on_press=lambda: self._command("new"), tip=f"The same players again ({keys_shown('new')})",
        )  # fmt: skip
        self._rematch.hide()
        if deep:
            left = self._build_slices(kit, left + gap, rect, board)
        self._end = left
        right, wide = self._rematch.rect.left - gap, text.width(theme, WATCH) + theme.px(58)
        roomy = right - wide - left >= theme.px(WORDS)
        place = pygame.Rect(right - (wide if roomy else side), rect.top, wide if roomy else side, rect.height)
        self._watch = Button(
            kit, place, WATCH if roomy else "", icon="replay", on_press=lambda: self._command("theatre"),
            tip=f"Watch the game again ({keys_shown('theatre')})",
        )  # fmt: skip
        self._watch.hide()

    @property
    def _depth(self) -> int:
        return int(self._session.state.shape.depth)

    def _build_slices(self, kit: Kit, left: int, rect: pygame.Rect, board: BoardView) -> int:
        theme = kit.theme
        label = text.width(theme, "Slice") + theme.px(10)
        wide = theme.px(SLIDER)
        depth = self._depth
        self._slice_at = pygame.Rect(
            left, rect.top, label + wide + theme.px(10) + text.width(theme, "all"), rect.height
        )
        self._slider = Slider(
            kit, pygame.Rect(left + label, rect.top, wide, rect.height), slice_of(board) / depth,
            on_change=lambda share: self._dim(round(share * depth)), steps=depth,
            tip=f"Show one slice, dim the others ({keys_shown('previous')}, {keys_shown('next')})",
        )  # fmt: skip
        return self._slice_at.right + theme.px(GAP)

    def show_view(self, name: str) -> None:
        """Mark the chosen view."""
        for view, button in self._views.items():
            button.set_selected(view == name)

    def show_slice(self, number: int) -> None:
        """Move the knob after a key."""
        if self._slider is not None:
            self._slider.set_value(number / self._depth)

    def offer_rematch(self, on: bool) -> None:
        """The buttons at the right end, for as long as a finished game is on the board."""
        for button in (self._rematch, self._watch):
            if button is not None and bool(button.visible) is not on:
                if on:
                    button.show()
                else:
                    button.hide()

    def draw(
        self, surface: pygame.Surface, theme: Theme, words: str, stone: int | None, number: int, large: bool
    ) -> None:
        """The switches' state and the words, with a seat's stone before them.

        Args:
            surface: the window.
            theme: its theme.
            words: on the right.
            stone: a seat, or None for no stone.
            number: the slice that is not dimmed, from 1; 0 for all of them.
            large: for what matters most.
        """
        if self._values is not None and self._along is not None:
            shown = self._session.store.settings.show_values
            self._values.set(icon="eye" if shown else "eye-off")
            self._values.set_selected(shown)
            self._along.set_selected(self._session.adviser.along)
        if self._slider is not None:
            y = self._slice_at.centery
            text.draw(surface, theme, "Slice", (self._slice_at.left, y), colour=theme.muted, anchor="midleft")
            text.draw(surface, theme, str(number) if number else "all", (self._slice_at.right, y), anchor="midright")
        end = self.rect.right
        if self._watch is not None and self._watch.visible:
            end = self._watch.rect.left - theme.px(2 * GAP)
        right, room = (end, self.rect.centery), end - self._end - theme.px(GAP)
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


def slice_of(board: BoardView) -> int:
    """The slice that is not dimmed, from 1; 0 for all of them."""
    return 0 if board.focus_depth is None else board.focus_depth + 1
