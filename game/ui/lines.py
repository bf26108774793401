"""A list of lines to choose from, which scrolls: files of a folder, levels of a file, packs, agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame
from typing_extensions import override

from game.ui import shapes, svg, text
from game.ui.kit import CLICK, Control, Kit
from game.ui.theme import FONT_SMALL, RADIUS_CONTROL, Colour, blend

LINE, LINE_OF_TWO, PAD = 30, 48, 6
DOUBLE_SECONDS = 0.4
WHEEL = 3
"""Lines that one notch of the wheel scrolls."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an icon (may be empty), what it is, a muted note on the right, and what it means below that."""

    label: str
    note: str = ""
    icon: str = ""
    meaning: str = ""
    grey: bool = False
    """Whether it cannot be chosen now."""


class Lines(Control):
    """A click or the arrows choose a line; a double click or Enter opens it."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        lines: Sequence[Line],
        at: int = 0,
        *,
        on_choose: Callable[[int], None],
        on_open: Callable[[int], None],
        on_back: Callable[[], None] | None = None,
        empty: str = "",
        accent: Colour | None = None,
    ) -> None:
        """The first two are called with the line's number, from 0; `on_back` is Backspace.

        `empty` stands in a list without lines.
        """
        self.on_back = on_back
        self.lines, self.on_choose, self.on_open, self.empty = tuple(lines), on_choose, on_open, empty
        self.accent = accent
        self.line = kit.theme.px(LINE_OF_TWO if any(line.meaning for line in lines) else LINE)
        self.fit = max(1, (rect.height - 2 * kit.theme.px(PAD)) // self.line)
        self.at = min(max(0, at), max(0, len(self.lines) - 1))
        self.first = max(0, min(self.at - self.fit // 2, len(self.lines) - self.fit))
        self._clicked: tuple[int, int] = (-1, 0)
        """(line, milliseconds) of the last click."""
        super().__init__(kit, rect)

    def choose(self, at: int) -> None:
        """Make a line the current one, bring it into view, and tell the owner."""
        at = min(max(0, at), len(self.lines) - 1)
        if at >= 0:
            self.at = at
            self.first = min(max(self.first, at - self.fit + 1), at)
            self.repaint()
            self.on_choose(at)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Arrows, page keys, Home and End move; Enter opens. At the ends arrows go on to other controls."""
        last = len(self.lines) - 1
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -self.fit, pygame.K_PAGEDOWN: self.fit,
                 pygame.K_HOME: -last, pygame.K_END: last}  # fmt: skip
        if event.key in steps and 0 <= self.at + (steps[event.key] > 0) - (steps[event.key] < 0) <= last:
            self.choose(self.at + steps[event.key])
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.lines:
            self.on_open(self.at)
        elif event.key == pygame.K_BACKSPACE and self.on_back is not None:
            self.on_back()
        else:
            return False
        return True

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """The wheel scrolls."""
        if event.type == pygame.MOUSEWHEEL and self.hovered:
            self.first = max(0, min(self.first - WHEEL * event.y, len(self.lines) - self.fit))
            self.repaint()
            return True
        return super().process_event(event)

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """The line under the pointer."""
        self.kit.focus(self)
        at = self.first + (position[1] - self.rect.top - self.theme.px(PAD)) // self.line
        if not 0 <= at < len(self.lines):
            return
        now = pygame.time.get_ticks()
        twice = self._clicked[0] == at and now - self._clicked[1] < DOUBLE_SECONDS * 1000
        self._clicked = (at, now)
        if twice:
            self.on_open(at)
        else:
            self.kit.sound(CLICK)
            self.choose(at)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """The lines in view, and a bar that shows where they are in a long list."""
        theme, (width, height) = self.theme, surface.get_size()
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), theme.raised), (0, 0))
        pad, glyph = theme.px(PAD), theme.px(16)
        if not self.lines:
            text.draw(surface, theme, self.empty, (width // 2, height // 2), colour=theme.muted, anchor="center",
                      limit=width - 2 * pad)  # fmt: skip
        for place, line in enumerate(self.lines[self.first : self.first + self.fit]):
            box = pygame.Rect(pad, pad + place * self.line, width - 2 * pad, self.line)
            current = self.first + place == self.at
            if current:
                surface.blit(shapes.rounded(box.size, theme.px(6), blend(theme.raised, theme.text, 0.12)), box)
            left, middle = box.left + theme.px(10), box.centery - (theme.px(10) if line.meaning else 0)
            muted = blend(theme.muted, theme.text, 0.5) if current else theme.muted  # the line behind it is lighter
            if line.icon:
                surface.blit(svg.icon(line.icon, glyph, theme.muted), (left, box.centery - glyph // 2))
                left += glyph + theme.px(10)
            note = text.draw(surface, theme, line.note, (box.right - theme.px(10), middle), size=FONT_SMALL,
                             colour=muted, anchor="midright")  # fmt: skip
            ink = self.accent if current and self.accent is not None else muted if line.grey else theme.text
            text.draw(surface, theme, line.label, (left, middle), colour=ink, anchor="midleft",
                      limit=note.left - left - theme.px(8))  # fmt: skip
            if line.meaning:
                text.draw(surface, theme, line.meaning, (left, box.centery + theme.px(11)), size=FONT_SMALL, colour=muted,
                          anchor="midleft", limit=box.right - left - theme.px(10))  # fmt: skip
        if len(self.lines) > self.fit:
            track = height - 2 * pad
            bar = max(theme.px(16), track * self.fit // len(self.lines))
            top = pad + (track - bar) * self.first // (len(self.lines) - self.fit)
            surface.blit(shapes.rounded((theme.px(4), bar), theme.px(2), theme.muted), (width - theme.px(5), top))
