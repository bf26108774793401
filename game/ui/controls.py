"""The controls of every screen: buttons, switches and steppers."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import pygame
from typing_extensions import override

from game.ui import shapes, svg, text
from game.ui.kit import CLICK, Control, Kit
from game.ui.theme import FONT_BODY, RADIUS_CONTROL, Colour, Weight, blend

Style = Literal["plain", "primary", "accent", "ghost", "danger"]
ChoiceT = TypeVar("ChoiceT")


def neighbour(choices: Sequence[ChoiceT], now: ChoiceT, by: int) -> ChoiceT:
    """The choice so many places further than the present one; beyond an end the one there."""
    return choices[min(max(0, choices.index(now) + by), len(choices) - 1)]


class Button(Control):
    """A label, an icon, or both."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        label: str = "",
        *,
        icon: str = "",
        style: Style = "plain",
        on_press: Callable[[], object],
        tip: str = "",
        accent: Colour | None = None,
        selected: bool = False,
        weight: Weight = "regular",
        layer: int = 1,
    ) -> None:
        """`accent` colours the 'accent' style and a selected button; `icon` is a name of `assets/icons`."""
        self.label, self.icon, self.style, self.weight = label, icon, style, weight
        self.accent = accent if accent is not None else kit.theme.thinking
        self.selected = selected
        self.on_press = on_press
        super().__init__(kit, rect, tip, layer)

    def set(self, label: str | None = None, icon: str | None = None, style: Style | None = None) -> None:
        """Change what is shown; nothing is drawn when nothing changes."""
        new = (
            self.label if label is None else label,
            self.icon if icon is None else icon,
            self.style if style is None else style,
        )
        if new != (self.label, self.icon, self.style):
            self.label, self.icon, self.style = new
            self.repaint()

    def set_selected(self, on: bool) -> None:
        """Mark as the chosen one of a group."""
        if on != self.selected:
            self.selected = on
            self.repaint()

    @override
    def press(self) -> None:
        """Tell the owner."""
        self.kit.sound(CLICK)
        self.on_press()

    def colours(self) -> tuple[Colour, Colour]:
        """(fill, ink) for the present state; a fill with alpha 0 is not drawn."""
        theme = self.theme
        if self.selected or self.style == "accent":
            fill, ink = self.accent, theme.ink_on(self.accent)
        elif self.style == "primary":
            fill, ink = theme.thinking, theme.thinking_ink
        elif self.style == "danger":
            fill, ink = (theme.bad, theme.ink_on(theme.bad)) if self.lit else (theme.raised, theme.bad)
        elif self.style == "ghost":
            clear = pygame.Color(theme.raised.r, theme.raised.g, theme.raised.b, 0)
            fill, ink = (theme.raised if self.lit else clear), theme.text
        else:
            fill, ink = theme.raised, theme.text
        if self.pressed:
            fill = blend(fill, theme.ground, 0.25)
        elif self.lit and self.style != "ghost":
            fill = blend(fill, theme.text, 0.10)
        return fill, ink

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Fill, icon and label, centred together."""
        theme, (width, height) = self.theme, surface.get_size()
        fill, ink = self.colours()
        if fill.a:
            surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        glyph = min(theme.px(18), width, height)
        gap = theme.px(8) if self.label and self.icon else 0
        wide = text.width(theme, self.label, FONT_BODY, self.weight) if self.label else 0
        wide = max(0, min(wide, width - theme.px(16) - (glyph + gap if self.icon else 0)))
        left = (width - wide - gap - (glyph if self.icon else 0)) // 2
        if self.icon:
            surface.blit(svg.icon(self.icon, glyph, ink), (left, (height - glyph) // 2))
            left += glyph + gap
        if self.label:
            text.draw(
                surface,
                theme,
                self.label,
                (left, height / 2),
                colour=ink,
                weight=self.weight,
                anchor="midleft",
                limit=wide + 1,
            )


class Toggle(Control):
    """A switch with its label on the left."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        label: str,
        value: bool,
        *,
        on_change: Callable[[bool], None],
        tip: str = "",
    ) -> None:
        """`on_change(value)` is called with the new value."""
        self.label, self.value, self.on_change = label, value, on_change
        super().__init__(kit, rect, tip)

    @override
    def press(self) -> None:
        """Flip."""
        self.value = not self.value
        self.kit.sound(CLICK)
        self.repaint()
        self.on_change(self.value)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Label, track and knob."""
        theme, (width, height) = self.theme, surface.get_size()
        track = pygame.Rect(0, 0, theme.px(40), theme.px(22))
        track.midright = (width, height // 2)
        fill = theme.thinking if self.value else blend(theme.line, theme.text, 0.15 if self.lit else 0.0)
        surface.blit(shapes.rounded(track.size, track.height // 2, fill), track)
        knob = track.height - theme.px(6)
        x = track.right - knob - theme.px(3) if self.value else track.left + theme.px(3)
        surface.blit(shapes.disc(knob, pygame.Color("#ffffff")), (x, track.top + theme.px(3)))
        if self.label:
            text.draw(surface, theme, self.label, (0, height / 2), anchor="midleft", limit=track.left - theme.px(8))


class Stepper(Control):
    """A number or choice in a box: label on the left, value on the right, changed by clicks, wheel and arrows."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        label: str,
        value: str,
        *,
        on_step: Callable[[int], str],
        tip: str = "",
    ) -> None:
        """`on_step(+1 or -1)` makes the change and returns the new text of the value."""
        self.label, self.value, self.on_step = label, value, on_step
        super().__init__(kit, rect, tip)

    def step(self, by: int) -> None:
        """One up or down."""
        self.value = self.on_step(by)
        self.kit.sound(CLICK)
        self.repaint()

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Left and right change the value while focused."""
        if event.key in (pygame.K_RIGHT, pygame.K_LEFT):
            self.step(1 if event.key == pygame.K_RIGHT else -1)
            return True
        return False

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """The wheel over it steps as well."""
        if event.type == pygame.MOUSEWHEEL and self.hovered and self.is_enabled and event.y:
            self.step(1 if event.y > 0 else -1)
            return True
        return super().process_event(event)

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """A click on the left half steps down, on the right half up."""
        self.step(-1 if position[0] < self.rect.centerx else 1)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Box, small arrows at both ends, label and value."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.raised, theme.text, 0.08 if self.lit else 0.0)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        glyph, edge, inner = theme.px(12), theme.px(6), theme.px(24)
        wanted = text.width(theme, self.label) + text.width(theme, self.value) + theme.px(6)
        if self.label and wanted > width - 2 * inner:
            edge, inner = theme.px(4), theme.px(18)  # a narrow box: the words matter more than the air
        ink = theme.text if self.lit else theme.muted
        surface.blit(svg.icon("minus", glyph, ink), (edge, (height - glyph) // 2))
        surface.blit(svg.icon("plus", glyph, ink), (width - edge - glyph, (height - glyph) // 2))
        if not self.label:
            text.draw(surface, theme, self.value, (width / 2, height / 2), anchor="center", limit=width - 2 * inner)
            return
        value = text.draw(
            surface, theme, self.value, (width - inner, height / 2), anchor="midright", limit=width - 2 * inner
        )
        room = value.left - inner - theme.px(4)
        if room > theme.px(20):
            text.draw(
                surface, theme, self.label, (inner, height / 2), colour=theme.muted, anchor="midleft", limit=room
            )
