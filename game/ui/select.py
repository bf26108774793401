"""A drop-down: one of several options, in a list that stays inside the window and scrolls when it is long."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame
from typing_extensions import override

from game.ui import shapes, svg, text
from game.ui.kit import CLICK, Control, Kit
from game.ui.theme import FONT_SMALL, RADIUS_CONTROL, blend

POPUP_LAYER = 40
ROW, ROW_NOTED = 36, 46
"""Height of a line in units: of a label, of a label with a note below it."""
WIDEST = 520


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the list. `reason` says why it cannot be chosen; it is then shown grey with the reason."""

    id: str
    label: str
    note: str = ""
    reason: str = ""


class Select(Control):
    """The closed box; a press opens the list."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        options: Sequence[Option],
        chosen: str,
        *,
        on_choose: Callable[[str], None],
        label: str = "",
        tip: str = "",
    ) -> None:
        """`chosen` and what `on_choose` gets are option ids; `label` is a muted word on the left."""
        self.options, self.chosen, self.on_choose, self.label = tuple(options), chosen, on_choose, label
        super().__init__(kit, rect, tip)

    @property
    def index(self) -> int:
        """Place of the chosen option; 0 when it is not in the list."""
        return next((at for at, option in enumerate(self.options) if option.id == self.chosen), 0)

    def choose(self, option_id: str) -> None:
        """Take an option and tell the owner."""
        self.kit.close_popup()
        if option_id != self.chosen:
            self.chosen = option_id
            self.kit.sound(CLICK)
            self.repaint()
            self.on_choose(option_id)

    @override
    def press(self) -> None:
        """Open the list."""
        if self.options:
            self.kit.close_popup()
            self.kit.popup = SelectList(self)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Enter or Space open the list, left and right change at once."""
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            step = 1 if event.key == pygame.K_RIGHT else -1
            at = self.index + step
            while 0 <= at < len(self.options) and self.options[at].reason:
                at += step
            if 0 <= at < len(self.options):
                self.choose(self.options[at].id)
            return True
        return super().key(event)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Box, value and chevron."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.raised, theme.text, 0.08 if self.lit else 0.0)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        glyph = theme.px(16)
        surface.blit(
            svg.icon("chevron-down", glyph, theme.muted), (width - glyph - theme.px(10), (height - glyph) // 2)
        )
        left = theme.px(12)
        if self.label:
            place = text.draw(surface, theme, self.label, (left, height / 2), colour=theme.muted, anchor="midleft")
            left = place.right + theme.px(10)
        shown = self.options[self.index].label if self.options else ""
        text.draw(
            surface, theme, shown, (left, height / 2), anchor="midleft", limit=width - left - glyph - theme.px(18)
        )


class SelectList(Control):
    """The open list of a Select."""

    focusable = False

    def __init__(self, owner: Select) -> None:
        """Opens below its owner, above it where there is no room, and scrolls where neither is enough."""
        self.owner = owner
        theme, window = owner.theme, owner.kit.manager.window_resolution
        self.row = theme.px(ROW_NOTED if any(option.reason or option.note for option in owner.options) else ROW)
        self.pad = theme.px(6)
        wanted = self.row * len(owner.options) + 2 * self.pad
        margin = theme.px(8)
        below = window[1] - owner.rect.bottom - 2 * margin
        above = owner.rect.top - 2 * margin
        height = min(wanted, max(self.row + 2 * self.pad, below, above))
        self.fit = max(1, (height - 2 * self.pad) // self.row)
        height = self.fit * self.row + 2 * self.pad
        place = pygame.Rect(owner.rect.left, owner.rect.bottom + margin // 2, self._width(window[0]), height)
        if height > below:
            place.bottom = owner.rect.top - margin // 2
        place.clamp_ip(pygame.Rect((0, 0), window).inflate(-margin, -margin))
        self.first = 0
        self.at = owner.index
        self._turned = 0.0
        super().__init__(owner.kit, place, layer=POPUP_LAYER)
        self.show_line(self.at)

    def _width(self, window: int) -> int:
        """As wide as its owner, or more where a line or a reason needs it."""
        theme = self.owner.theme
        longest = max(
            max(text.width(theme, option.label), text.width(theme, option.reason or option.note, FONT_SMALL))
            for option in self.owner.options
        )
        wanted = longest + 2 * self.pad + theme.px(44)
        return int(min(max(self.owner.rect.width, wanted), max(self.owner.rect.width, theme.px(WIDEST)), window))

    def show_line(self, at: int) -> None:
        """Make a line the current one and scroll it into view."""
        self.at = min(max(0, at), len(self.owner.options) - 1)
        self.first = min(max(self.first, self.at - self.fit + 1), self.at)
        self.first = max(0, min(self.first, len(self.owner.options) - self.fit))
        self.repaint()

    def line_at(self, y: int) -> int | None:
        """The line under a window coordinate."""
        at = self.first + (y - self.rect.top - self.pad) // self.row
        return at if self.first <= at < min(len(self.owner.options), self.first + self.fit) else None

    def take(self) -> None:
        """Choose the current line, if it can be chosen."""
        option = self.owner.options[self.at]
        if not option.reason:
            self.owner.choose(option.id)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Arrows, Home, End, Enter, Escape."""
        last = len(self.owner.options) - 1
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_HOME: -last, pygame.K_END: last}
        if event.key in steps:
            self.show_line(self.at + steps[event.key])
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.take()
        elif event.key in (pygame.K_ESCAPE, pygame.K_TAB):
            self.kit.close_popup()
        return True

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """Hover marks a line, a click takes it, the wheel scrolls; everything over the list is ours."""
        if event.type == pygame.MOUSEMOTION and self.hover_point(*event.pos):
            line = self.line_at(event.pos[1])
            if line is not None and line != self.at:
                self.at = line
                self.repaint()
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.hover_point(*event.pos):
            line = self.line_at(event.pos[1])
            if line is not None:
                self.at = line
                self.take()
            return True
        if event.type == pygame.MOUSEWHEEL:
            self._turned += getattr(event, "precise_y", event.y)  # a touchpad turns by fractions
            lines = int(self._turned)
            self._turned -= lines
            self.first = max(0, min(self.first - lines, len(self.owner.options) - self.fit))
            self.repaint()
            return True
        return event.type == pygame.MOUSEBUTTONDOWN and self.hover_point(*event.pos)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """The visible lines; a bar shows where we are in a long list."""
        theme, (width, height) = self.theme, surface.get_size()
        radius = theme.px(RADIUS_CONTROL)
        edge = blend(theme.line, theme.text, 0.25)  # it lies on boxes of the same colour
        surface.blit(shapes.rounded((width, height), radius, theme.raised, edge, 1), (0, 0))
        for place in range(self.fit):
            at = self.first + place
            if at >= len(self.owner.options):
                break
            box = pygame.Rect(self.pad, self.pad + place * self.row, width - 2 * self.pad, self.row)
            self._paint_line(surface, box, at)
        if len(self.owner.options) > self.fit:
            track = height - 2 * self.pad
            bar = max(theme.px(16), track * self.fit // len(self.owner.options))
            top = self.pad + (track - bar) * self.first // (len(self.owner.options) - self.fit)
            surface.blit(shapes.rounded((theme.px(4), bar), theme.px(2), theme.muted), (width - theme.px(6), top))

    def _paint_line(self, surface: pygame.Surface, box: pygame.Rect, at: int) -> None:
        theme, option = self.theme, self.owner.options[at]
        muted, note = theme.muted, option.reason or option.note
        if at == self.at:
            surface.blit(shapes.rounded(box.size, theme.px(6), blend(theme.raised, theme.text, 0.12)), box)
            muted = blend(theme.muted, theme.text, 0.5)  # the line behind it is lighter
        left, limit = box.left + theme.px(8), box.width - theme.px(16)
        if option.id == self.owner.chosen:
            glyph = theme.px(16)
            limit -= glyph + theme.px(4)
            place = (box.right - theme.px(8) - glyph, box.centery - glyph // 2)
            surface.blit(svg.icon("check", glyph, theme.thinking), place)
        middle = box.centery - (theme.px(9) if note else 0)
        ink = muted if option.reason else theme.text
        text.draw(surface, theme, option.label, (left, middle), colour=ink, anchor="midleft", limit=limit)
        if note:
            text.draw(surface, theme, note, (left, box.centery + theme.px(10)), size=FONT_SMALL, colour=muted,
                      anchor="midleft", limit=limit)  # fmt: skip
