"""Short messages that come, stay a few seconds and go."""

from dataclasses import dataclass
from typing import Literal

import pygame

from game.ui import shapes, svg, text
from game.ui.theme import RADIUS_CONTROL, Theme
from game.ui.tween import ease_out

Kind = Literal["info", "good", "bad"]
SECONDS = {"info": 4.0, "good": 4.0, "bad": 8.0}
MOST = 4


@dataclass(slots=True)
class Toast:
    """One message and how long it has been there."""

    text: str
    kind: Kind
    age: float = 0.0


class Toasts:
    """The messages on screen, newest at the bottom. The same text twice is shown once, afresh."""

    def __init__(self) -> None:
        """None yet."""
        self.items: list[Toast] = []

    def say(self, message: str, kind: Kind = "info") -> None:
        """Show a sentence."""
        self.items = [item for item in self.items if item.text != message][-(MOST - 1) :]
        self.items.append(Toast(message, kind))

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass."""
        for item in self.items:
            item.age += dt
        self.items = [item for item in self.items if item.age < SECONDS[item.kind]]

    def draw(self, surface: pygame.Surface, theme: Theme, bottom: int) -> None:
        """Centred, above `bottom`."""
        width, pad, gap, glyph = surface.get_width(), theme.px(14), theme.px(8), theme.px(18)
        for item in reversed(self.items):
            limit = min(theme.px(640), width - theme.px(64)) - 2 * pad - glyph - gap
            lines = text.wrap(theme, item.text, limit)
            line_height = theme.font().get_linesize()
            wide = max(text.width(theme, line) for line in lines) + 2 * pad + glyph + gap
            high = line_height * len(lines) + theme.px(20)
            ease = ease_out(item.age / 0.18) * min(1.0, (SECONDS[item.kind] - item.age) / 0.25)
            box = pygame.Rect(0, 0, wide, high)
            box.midbottom = (width // 2, bottom - theme.px(12) + round((1 - ease) * theme.px(12)))
            ink = {"info": theme.thinking, "good": theme.good, "bad": theme.bad}[item.kind]
            icon = {"info": "info", "good": "check", "bad": "warning"}[item.kind]
            surface.blit(shapes.rounded(box.size, theme.px(RADIUS_CONTROL), theme.raised, ink, 1), box)
            surface.blit(svg.icon(icon, glyph, ink), (box.left + pad, box.centery - glyph // 2))
            for number, line in enumerate(lines):
                text.draw(
                    surface,
                    theme,
                    line,
                    (box.left + pad + glyph + gap, box.top + theme.px(10) + number * line_height),
                )
            bottom = box.top
