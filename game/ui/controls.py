"""The controls of every screen: buttons, switches, steppers, and the base they share.

They are pygame_gui elements (its manager does hit-testing, layering and focus) that paint themselves with our
theme, because the library's own shapes are slow to rebuild and hard to match. Every control can be reached with
the mouse and with Tab, Enter and the arrows.
"""

from collections.abc import Callable
from typing import Any, Literal

import pygame
import pygame_gui
from pygame_gui.core import UIElement

from game.ui import shapes, svg, text
from game.ui.theme import ASSETS, FONT_BODY, FONT_FILES, FONT_SMALL, RADIUS_CONTROL, Colour, Theme, Weight, blend

Style = Literal["plain", "primary", "accent", "ghost", "danger"]
CLICK = "click"
TIP_SECONDS = 0.6
"""How long the pointer rests before a tool tip appears."""


class Kit:
    """What the controls of one screen share: the theme, pygame_gui's manager, and who hears a click."""

    def __init__(self, theme: Theme, size: tuple[int, int], sound: Callable[[str], None] | None = None) -> None:
        """`size` is the window in pixels; `sound(name)` is called when a control is used."""
        self.theme = theme
        self.manager = pygame_gui.UIManager(size, enable_live_theme_updates=False)
        self.manager.add_font_paths("trilogic", str(ASSETS / FONT_FILES["regular"]))
        self.manager.get_theme().load_theme(theme.gui_theme())
        self.sound = sound or (lambda _name: None)
        self.controls: list[Control] = []
        self.focused: Control | None = None
        self.popup: Control | None = None

    def focus_next(self, step: int = 1) -> None:
        """Move the keyboard's focus to the next (or with -1 the previous) control that can take it."""
        able = [control for control in self.controls if control.alive() and control.visible and control.is_enabled]
        able = [control for control in able if control.focusable]
        if not able:
            return
        at = able.index(self.focused) + step if self.focused in able else (0 if step > 0 else -1)
        self.focus(able[at % len(able)])

    def focus(self, control: "Control | None") -> None:
        """Give the keyboard's focus to one control or, with None, back to the board."""
        before, self.focused = self.focused, control
        for changed in (before, control):
            if changed is not None and changed.alive():
                changed.repaint()

    def handle(self, event: pygame.event.Event) -> bool:
        """Offer an event to the controls; True when one of them used it."""
        if event.type == pygame.MOUSEBUTTONDOWN:
            if self.popup is not None and self.popup.alive() and not self.popup.hover_point(*event.pos):
                self.close_popup()
                return True
            self.focus(None)
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_TAB and not event.mod & (pygame.KMOD_ALT | pygame.KMOD_CTRL):
                self.focus_next(-1 if event.mod & pygame.KMOD_SHIFT else 1)
                return True
            if self.popup is not None and self.popup.alive():
                return self.popup.key(event) or True
            if self.focused is not None and self.focused.alive() and self.focused.key(event):
                return True
        return bool(self.manager.process_events(event))

    def close_popup(self) -> None:
        """Close an open list, if there is one."""
        if self.popup is not None and self.popup.alive():
            self.popup.kill()
        self.popup = None

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard, so that letters are no commands."""
        focused = self.manager.get_focus_set() or set()
        return any(isinstance(element, pygame_gui.elements.UITextEntryLine) for element in focused)

    def update(self, dt: float) -> None:
        """Once a frame, before drawing."""
        self.manager.update(dt)

    def draw(self, surface: pygame.Surface) -> None:
        """All controls, in their layers, and the tool tip of the one the pointer rests on."""
        self.manager.draw_ui(surface)
        self.controls = [control for control in self.controls if control.alive()]
        for control in self.controls:
            if control.tip and control.hovered and control.hover_time > TIP_SECONDS and not control.pressed:
                self._draw_tip(surface, control)

    def _draw_tip(self, surface: pygame.Surface, control: "Control") -> None:
        theme, pad = self.theme, self.theme.px(8)
        wide = text.width(theme, control.tip, FONT_SMALL) + 2 * pad
        box = pygame.Rect(0, 0, wide, theme.px(26))
        box.midtop = (control.rect.centerx, control.rect.bottom + theme.px(6))
        if box.bottom > surface.get_height():
            box.bottom = control.rect.top - theme.px(6)
        box.clamp_ip(surface.get_rect().inflate(-pad, 0))
        surface.blit(shapes.rounded(box.size, theme.px(6), theme.raised, theme.line, 1), box)
        text.draw(surface, theme, control.tip, box.center, size=FONT_SMALL, anchor="center", limit=box.width - pad)

    def text_field(self, rect: pygame.Rect, value: str = "", placeholder: str = "") -> Any:
        """A line of text to type into (pygame_gui's own, with our theme)."""
        field = pygame_gui.elements.UITextEntryLine(
            rect, self.manager, initial_text=value, placeholder_text=placeholder or None
        )
        return field


class Control(UIElement):  # type: ignore[misc]
    """Base: state, focus, hover, tool tip. Subclasses paint and say what a press means."""

    focusable = True

    def __init__(self, kit: Kit, rect: pygame.Rect, tip: str = "", layer: int = 1) -> None:
        """`tip` appears after a second of hovering; give one to every control without a label."""
        self.kit = kit
        self.theme = kit.theme
        self.pressed = False
        self.tip = tip
        super().__init__(rect, kit.manager, None, starting_height=layer, layer_thickness=1, element_id=["control"])
        self.blendmode = 0
        kit.controls.append(self)
        self.repaint()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the control on a transparent surface of its size."""
        raise NotImplementedError

    def key(self, event: pygame.event.Event) -> bool:
        """A key while focused; True when used."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.press()
            return True
        return False

    def press(self) -> None:
        """The control was used."""

    @property
    def lit(self) -> bool:
        """Hovered or focused while enabled."""
        return bool(self.is_enabled and (self.hovered or self.kit.focused is self))

    def repaint(self) -> None:
        """Draw again; call after any change of what is shown."""
        surface = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        self.paint(surface)
        if self.kit.focused is self:
            radius = self.theme.px(RADIUS_CONTROL)
            shape = shapes.rounded(
                self.rect.size, radius, pygame.Color(0, 0, 0, 0), self.theme.thinking, max(2, self.theme.px(2))
            )
            surface.blit(shape, (0, 0))
        if not self.is_enabled:
            surface.fill((255, 255, 255, 110), special_flags=pygame.BLEND_RGBA_MULT)
        self._set_image(surface)

    def on_hovered(self) -> None:
        """The pointer came."""
        super().on_hovered()
        self.repaint()

    def on_unhovered(self) -> None:
        """The pointer left."""
        super().on_unhovered()
        self.repaint()

    def enable(self) -> None:
        """May be used again."""
        if not self.is_enabled:
            self.is_enabled = True
            self.repaint()

    def disable(self) -> None:
        """Greyed: cannot be used."""
        if self.is_enabled:
            self.is_enabled = False
            self.pressed = False
            self.repaint()

    def set_enabled(self, on: bool) -> None:
        """Enable or disable."""
        if on:
            self.enable()
        else:
            self.disable()

    def process_event(self, event: pygame.event.Event) -> bool:
        """Left button down and up inside is a press; other buttons and misses are not ours."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.hover_point(*event.pos):
            if self.is_enabled:
                self.pressed = True
                self.grab(event.pos)
                self.repaint()
            return True
        if event.type == pygame.MOUSEMOTION and self.pressed:
            self.dragged(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.pressed:
            self.pressed = False
            self.repaint()
            if self.is_enabled and self.hover_point(*event.pos):
                self.press()
            return True
        return False

    def grab(self, position: tuple[int, int]) -> None:
        """The button went down at `position`."""

    def dragged(self, position: tuple[int, int]) -> None:
        """The pointer moved while the button was down."""


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
        on_press: Callable[[], None],
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
            fill, ink = theme.raised, theme.bad
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

    def paint(self, surface: pygame.Surface) -> None:
        """Fill, icon and label, centred together."""
        theme, (width, height) = self.theme, surface.get_size()
        fill, ink = self.colours()
        if fill.a:
            surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        glyph = theme.px(18)
        gap = theme.px(8) if self.label and self.icon else 0
        wide = text.width(theme, self.label, FONT_BODY, self.weight) if self.label else 0
        wide = min(wide, width - theme.px(16) - (glyph + gap if self.icon else 0))
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

    def press(self) -> None:
        """Flip."""
        self.value = not self.value
        self.kit.sound(CLICK)
        self.repaint()
        self.on_change(self.value)

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

    def key(self, event: pygame.event.Event) -> bool:
        """Arrows change the value while focused."""
        if event.key in (pygame.K_RIGHT, pygame.K_UP, pygame.K_LEFT, pygame.K_DOWN):
            self.step(1 if event.key in (pygame.K_RIGHT, pygame.K_UP) else -1)
            return True
        return False

    def process_event(self, event: pygame.event.Event) -> bool:
        """The wheel over it steps as well."""
        if event.type == pygame.MOUSEWHEEL and self.hovered and self.is_enabled and event.y:
            self.step(1 if event.y > 0 else -1)
            return True
        return super().process_event(event)

    def grab(self, position: tuple[int, int]) -> None:
        """A click on the left third steps down, anywhere else up."""
        arrows = self.theme.px(22)
        self.step(-1 if position[0] < self.rect.left + arrows else 1)

    def paint(self, surface: pygame.Surface) -> None:
        """Box, small arrows at both ends, label and value."""
        theme, (width, height) = self.theme, surface.get_size()
        fill = blend(theme.raised, theme.text, 0.08 if self.lit else 0.0)
        surface.blit(shapes.rounded((width, height), theme.px(RADIUS_CONTROL), fill), (0, 0))
        glyph = theme.px(12)
        ink = theme.text if self.lit else theme.muted
        surface.blit(svg.icon("minus", glyph, ink), (theme.px(6), (height - glyph) // 2))
        surface.blit(svg.icon("plus", glyph, ink), (width - theme.px(6) - glyph, (height - glyph) // 2))
        inner = theme.px(24)
        value = text.draw(
            surface, theme, self.value, (width - inner, height / 2), anchor="midright", limit=width - 2 * inner
        )
        room = value.left - inner - theme.px(4)
        if room > theme.px(20):
            text.draw(
                surface, theme, self.label, (inner, height / 2), colour=theme.muted, anchor="midleft", limit=room
            )
