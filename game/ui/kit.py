"""What the controls of one screen share, and the base they are made of.

Controls are pygame_gui elements (its manager does hit-testing and layering) that paint themselves with our theme,
because the library's own shapes are slow to rebuild and hard to match. Every control is reached with the mouse, and
with Tab or the arrows, Enter and Escape, by keyboard or gamepad.
"""

import math
from collections.abc import Callable, Sequence

import pygame
from pygame_gui.core import UIElement
from typing_extensions import override

from game.ui import shapes, text
from game.ui.manager import AWAY, Manager, pointer_now
from game.ui.theme import FONT_SMALL, RADIUS_CONTROL, Theme

CLICK, BLOCKED = "click", "blocked"
SHAKE_SECONDS, SHAKE_TURNS, SHAKE_UNITS = 0.24, 3, 3
"""How long, how often and how far a greyed button shakes its head."""
TIP_SECONDS = 0.6
"""How long the pointer rests before a tool tip appears."""
TIP_WIDTH = 360
WALKS = {pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0)}
BUTTONS = (1, 2, 3)
"""Mouse buttons that press; higher numbers are the wheel's."""


class Kit:
    """What the controls of one screen share: the theme, pygame_gui's manager, the focus, an open list."""

    def __init__(
        self,
        theme: Theme,
        size: tuple[int, int],
        sound: Callable[[str], None] | None = None,
        pointer: tuple[int, int] | None = None,
        animated: bool = True,
    ) -> None:
        """`size` is the window in pixels; `sound(name)` is called when a control is used.

        `pointer` is where the mouse was last seen; the system is asked where it is not given. `animated`: things may move.
        """
        self.theme = theme
        self.pointer = pointer_now() if pointer is None else pointer
        self.manager = Manager(theme, size, self.pointer)
        self.sound = sound or (lambda _name: None)
        self.animated = animated
        self.below = "Menu"
        """Name of the screen that Back leads to."""
        self.controls: list[Control] = []
        self.focused: Control | None = None
        self.popup: Control | None = None

    # Focus

    def _able(self) -> list["Control"]:
        return [
            control
            for control in self.controls
            if control.alive() and control.visible and control.is_enabled and control.focusable
        ]

    def focus_next(self, step: int = 1) -> None:
        """Move the keyboard's focus to the next (or with -1 the previous) control that can take it."""
        able = self._able()
        if able:
            at = able.index(self.focused) + step if self.focused in able else (0 if step > 0 else -1)
            self.focus(able[at % len(able)])

    def walk(self, direction: tuple[int, int]) -> None:
        """Move the focus to the nearest control that way, (dx, dy); the first one when there is no focus.

        What lies inside another control is down from it, and that one up from what lies inside.
        """
        if self.focused is None or not self.focused.alive():
            self.focus_next()
            return
        here, (dx, dy) = self.focused.rect, direction
        others = [control for control in self._able() if control is not self.focused]
        nested = [each for each in others if (here.contains(each.rect) if dy > 0 else each.rect.contains(here))]
        if dy and nested:
            self.focus(nested[0])
            return
        nearest: tuple[float, Control] | None = None
        for control in others:
            there = control.rect
            along = (there.centerx - here.centerx) * dx + (there.centery - here.centery) * dy
            beside = here.right <= there.left or there.right <= here.left
            stacked = here.bottom <= there.top or there.bottom <= here.top
            if along <= 0 or not (beside if dx else stacked):
                continue
            gap_x = max(0, there.left - here.right, here.left - there.right)
            gap_y = max(0, there.top - here.bottom, here.top - there.bottom)
            far = gap_x + 4 * gap_y if dx else gap_y + 4 * gap_x
            if nearest is None or far < nearest[0]:
                nearest = (far, control)
        if nearest is not None:
            self.focus(nearest[1])

    def focus(self, control: "Control | None") -> None:
        """Give the keyboard's focus to one control or, with None, back to the board."""
        before, self.focused = self.focused, control
        for changed in (before, control):
            if changed is not None:
                changed.focus_changed()

    def focus_place(self) -> int | None:
        """Which control has the focus, as a number that the same screen made again understands."""
        return self.controls.index(self.focused) if self.focused in self.controls else None

    def restore_focus(self, place: int | None, before: "Kit") -> None:
        """Take up the focus of the kit that this one replaces, where the same kind of control stands there."""
        if place is not None and place < len(self.controls):
            control = self.controls[place]
            if type(control) is type(before.controls[place]) and control.focusable:
                self.focus(control)

    # Events

    def handle(self, event: pygame.event.Event) -> bool:
        """Offer an event to the controls; True when one of them used it."""
        if event.type == pygame.MOUSEMOTION:
            self.pointer = event.pos
            if not getattr(event, "buttons", (1,))[0]:
                self.release()  # the button came up where we did not see it
        elif event.type == pygame.WINDOWLEAVE:
            self.pointer = AWAY
        if self.popup is not None and self.popup.alive():
            return self._handle_popup(self.popup, event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in BUTTONS:
            self.focus(None)
        if event.type == pygame.KEYDOWN and self._key(event):
            return True
        return bool(self.manager.process_events(event))

    def _handle_popup(self, popup: "Control", event: pygame.event.Event) -> bool:
        """While a list is open everything is its own: nothing falls through to what lies below."""
        if event.type == pygame.KEYDOWN:
            popup.key(event)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in BUTTONS and not popup.hover_point(*event.pos):
            self.close_popup()
        else:
            popup.process_event(event)
        return event.type in (
            pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL,
        )  # fmt: skip

    def _key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_TAB and not event.mod & (pygame.KMOD_ALT | pygame.KMOD_CTRL):
            self.focus_next(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return True
        focused = self.focused
        if focused is None or not focused.alive() or not focused.visible:
            return False
        if focused.is_enabled and focused.key(event):
            return True
        if event.key in WALKS and not self.typing and not event.mod & (pygame.KMOD_ALT | pygame.KMOD_CTRL):
            self.walk(WALKS[event.key])
            return True
        return False

    def release(self) -> None:
        """No button is down any more: a control that was held is let go without being used."""
        for control in self.controls:
            if control.pressed:
                control.pressed = False
                control.repaint()

    def refuse(self, command: str) -> None:
        """Let the button of a command shake its head where it is greyed: a key asked for what cannot be done now."""
        there = [each for each in self.controls if each.command == command and each.alive() and each.visible]
        if there and not any(each.is_enabled for each in there):
            there[0].refuse()

    def close_popup(self) -> None:
        """Close an open list, if there is one."""
        if self.popup is not None:
            self.popup.kill()
        self.popup = None

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard, so that letters are no commands."""
        return self.manager.typing

    # Every frame

    def update(self, dt: float, covered: bool = False) -> None:
        """Once a frame, before drawing; under a dialog (`covered`) nothing is hovered."""
        self.manager.pointer = AWAY if covered else self.pointer
        self.manager.update(dt)

    def draw(self, surface: pygame.Surface) -> None:
        """All controls, in their layers, and the tool tip of the one the pointer rests on."""
        self.manager.draw_ui(surface)
        self.controls = [control for control in self.controls if control.alive()]
        for control in self._rested():
            self._draw_tip(surface, control)

    def draw_within(self, surface: pygame.Surface, areas: Sequence[pygame.Rect]) -> None:
        """The controls where they stand in places of which everything below them has just been drawn."""
        clip = surface.get_clip()
        for area in areas:
            surface.set_clip(area.clip(clip))
            surface.blits(
                [blit for blit in self.manager.ui_group.visible if area.colliderect(blit[1])], doreturn=False
            )
        surface.set_clip(clip)

    @property
    def pictures(self) -> list[tuple[pygame.Surface, tuple[int, int, int, int]]]:
        """How the controls look now, and where: equal to what this was before unless one has changed."""
        return [(blit[0], tuple(blit[1])) for blit in self.manager.ui_group.visible]

    @property
    def lies_above(self) -> bool:
        """Whether there is more than the controls: an open list, a tool tip, a text cursor that blinks."""
        return self.popup is not None or self.typing or bool(self._rested())

    def _rested(self) -> list["Control"]:
        """The controls on which the pointer rests, for their tool tips."""
        if self.popup is not None:
            return []
        return [
            control
            for control in self.controls
            if control.hovered
            and control.hover_time > TIP_SECONDS
            and control.tip
            and control.pops
            and not control.pressed
        ]

    def _draw_tip(self, surface: pygame.Surface, control: "Control") -> None:
        theme, pad = self.theme, self.theme.px(8)
        limit = min(theme.px(TIP_WIDTH), surface.get_width() - 4 * pad)
        lines = text.wrap(theme, control.tip, limit, FONT_SMALL)
        wide = max(text.width(theme, line, FONT_SMALL) for line in lines) + 2 * pad
        high = theme.font(FONT_SMALL).get_linesize()
        box = pygame.Rect(0, 0, wide, high * len(lines) + theme.px(10))
        box = self._tip_place(box, control, surface.get_rect().inflate(-pad, 0))
        surface.blit(shapes.rounded(box.size, theme.px(6), theme.raised, theme.line, 1), box)
        for number, line in enumerate(lines):
            middle = box.top + theme.px(5) + high * number + high // 2
            text.draw(surface, theme, line, (box.centerx, middle), size=FONT_SMALL, anchor="center")

    def _tip_place(self, box: pygame.Rect, control: "Control", window: pygame.Rect) -> pygame.Rect:
        """Below the control, above it, or beside it, there beyond its neighbours: where it lies over nothing, and near."""
        air = self.theme.px(6)
        below, above, left, right = (box.copy() for _ in range(4))
        below.midtop = (control.rect.centerx, control.rect.bottom + air)
        above.midbottom = (control.rect.centerx, control.rect.top - air)
        left.midright = (control.rect.left - air, control.rect.centery)
        right.midleft = (control.rect.right + air, control.rect.centery)
        others = [each.rect for each in self.controls if each is not control and each.visible]
        past_below, past_above = below.copy(), above.copy()
        while (at := left.collidelist(others)) >= 0 and left.left > window.left:
            left.right = others[at].left - air
        while (at := right.collidelist(others)) >= 0 and right.right < window.right:
            right.left = others[at].right + air
        while (at := past_below.collidelist(others)) >= 0 and past_below.bottom < window.bottom:
            past_below.top = others[at].bottom + air
        while (at := past_above.collidelist(others)) >= 0 and past_above.top > window.top:
            past_above.bottom = others[at].top - air

        def hidden(place: pygame.Rect) -> int:
            """How much it lies over, the control itself included."""
            covered = (place.clip(other) for other in (*others, control.rect))
            return sum(part.width * part.height for part in covered)

        return min((place.clamp(window) for place in (below, above, left, right, past_below, past_above)), key=hidden)

    def close(self) -> None:
        """Let every control go; the kit is not used again."""
        self.popup = None
        for control in self.controls:
            control.image = None  # megabytes, which the garbage collector would keep for a while
        self.manager.close()


class Control(UIElement):
    """Base: state, focus, hover, tool tip. Subclasses paint and say what a press means."""

    focusable = True
    command = ""
    """The command that it gives, where it gives one: its key answers as it does."""
    edited = False
    """Whether it holds a text that somebody has changed."""
    radius = RADIUS_CONTROL
    """Of its corners, in units."""
    pops = True
    """Whether its tip pops up; not where the screen itself says it."""

    def __init__(self, kit: Kit, rect: pygame.Rect, tip: str = "", layer: int = 1) -> None:
        """`tip` appears when the pointer rests on it; give one to every control without a label."""
        self.kit = kit
        self.theme = kit.theme
        self.pressed = False
        self._shaking = 0.0
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

    def focus_changed(self) -> None:
        """The keyboard's focus came or went."""
        self.repaint()

    @property
    def lit(self) -> bool:
        """Hovered or focused while enabled."""
        return bool(self.is_enabled and (self.hovered or self.kit.focused is self))

    def repaint(self) -> None:
        """Draw again; call after any change of what is shown."""
        if not self.alive():
            return  # its screen was built again by what the control itself did
        surface = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        self.paint(surface)
        if self.kit.focused is self:
            edge, clear = max(2, self.theme.px(2)), pygame.Color(0, 0, 0, 0)
            ring = shapes.rounded(self.rect.size, self.theme.px(self.radius), clear, self.theme.thinking, edge)
            surface.blit(ring, (0, 0))
        if not self.is_enabled:
            surface.fill((255, 255, 255, 110), special_flags=pygame.BLEND_RGBA_MULT)
        if self._shaking > 0:
            swing = math.sin(2 * math.pi * SHAKE_TURNS * self._shaking / SHAKE_SECONDS)
            surface.scroll(round(swing * self.theme.px(SHAKE_UNITS)), 0, pygame.SCROLL_ERASE)
        self._set_image(surface)

    def refuse(self) -> None:
        """It cannot be used now: a sound, and it shakes its head."""
        self.kit.sound(BLOCKED)
        if self.kit.animated:
            self._shaking = SHAKE_SECONDS

    @override
    def update(self, time_delta: float) -> None:
        """Shake on."""
        super().update(time_delta)
        if self._shaking > 0:
            self._shaking -= time_delta
            self.repaint()

    @override
    def on_hovered(self) -> None:
        """The pointer came."""
        super().on_hovered()
        self.repaint()

    @override
    def on_unhovered(self) -> None:
        """The pointer left."""
        super().on_unhovered()
        self.repaint()

    @override
    def enable(self) -> None:
        """May be used again."""
        if not self.is_enabled:
            self.is_enabled = True
            self.repaint()

    @override
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

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """Left button down and up inside is a press; other buttons and misses are not ours."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.hover_point(*event.pos):
            if self.is_enabled:
                self.pressed = True
                self.grab(event.pos)
                self.repaint()
            else:
                self.refuse()
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
