"""A slider: a value between two ends, moved by dragging, the wheel or the left and right arrows."""

from collections.abc import Callable

import pygame
from typing_extensions import override

from game.ui import shapes
from game.ui.kit import Control, Kit
from game.ui.theme import blend


class Slider(Control):
    """A value between two ends; dragging, wheel and arrows move it."""

    def __init__(
        self,
        kit: Kit,
        rect: pygame.Rect,
        value: float,
        *,
        on_change: Callable[[float], None],
        tip: str = "",
        steps: int = 20,
    ) -> None:
        """`value` and what `on_change` gets are 0 to 1; `steps` is how many arrow presses span the range."""
        self.value, self.on_change, self.steps = value, on_change, steps
        super().__init__(kit, rect, tip)

    def set_value(self, value: float, tell: bool = False) -> None:
        """Move the knob; `tell` calls `on_change` too."""
        value = min(1.0, max(0.0, value))
        if value != self.value:
            self.value = value
            self.repaint()
            if tell:
                self.on_change(value)

    @override
    def key(self, event: pygame.event.Event) -> bool:
        """Left and right move it."""
        if event.key in (pygame.K_RIGHT, pygame.K_LEFT):
            by = 1 if event.key == pygame.K_RIGHT else -1
            self.set_value(self.value + by / self.steps, tell=True)
            return True
        return False

    @override
    def process_event(self, event: pygame.event.Event) -> bool:
        """The wheel over it moves it as well."""
        if event.type == pygame.MOUSEWHEEL and self.hovered and self.is_enabled and event.y:
            self.set_value(self.value + event.y / self.steps, tell=True)
            return True
        return super().process_event(event)

    @override
    def grab(self, position: tuple[int, int]) -> None:
        """Jump to the pointer."""
        self.dragged(position)

    @override
    def dragged(self, position: tuple[int, int]) -> None:
        """Follow the pointer."""
        knob = self.theme.px(16)
        share = (position[0] - self.rect.left - knob / 2) / max(1, self.rect.width - knob)
        self.set_value(share, tell=True)

    @override
    def paint(self, surface: pygame.Surface) -> None:
        """Track, filled part and knob."""
        theme, (width, height) = self.theme, surface.get_size()
        knob, thick = theme.px(16), theme.px(4)
        x = round(self.value * (width - knob))
        top = (height - thick) // 2
        surface.blit(shapes.rounded((width, thick), thick // 2, theme.line), (0, top))
        if x > thick:
            surface.blit(shapes.rounded((x + knob // 2, thick), thick // 2, theme.thinking), (0, top))
        white = pygame.Color("#ffffff") if theme.dark else blend(theme.thinking, pygame.Color("#ffffff"), 0.15)
        if self.lit:
            white = blend(white, theme.thinking, 0.25)
        surface.blit(shapes.disc(knob, white), (x, (height - knob) // 2))
